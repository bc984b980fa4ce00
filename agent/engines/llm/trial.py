"""Five bundled questions that show which prompts a model does better with, and whether it tells right from wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict

from ....cubes.core.folding import fold
from ....cubes.model.ontology import load_ontology
from ....graphs.records import Evidence
from ....prompts import SIZES, PromptLibrary, Size
from .aptitude import Aptitude
from .client import ModelClient
from .errors import UNUSABLE
from .replies import schemas as replies
from .replies import wording

__all__ = ["REQUESTS", "try_out"]

STAGE = "trial"
REQUESTS = 25
"""Requests of a trial: each question is routed and answered with both sizes of prompts, and a proposal is judged."""
_CUBES = ("PERSON", "LOCATION", "CULTURAL_PRODUCT")


class _Question(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    cube: str
    answers: tuple[str, ...]
    proposed: tuple[str, str]
    documents: tuple[tuple[str, str], ...]

    @property
    def evidence(self) -> list[Evidence]:
        """The documents as a hop would find them."""
        return [
            Evidence(section_id=f"{n}", document_id=f"{n}", record_id=f"{n}", title=title, path=(title,), text=text)
            for n, (title, text) in enumerate(self.documents)
        ]

    def is_answer(self, text: str) -> bool:
        """Whether a text is one of the answers."""
        return fold(text) in {fold(answer) for answer in self.answers}


def try_out(client: ModelClient, progress: Callable[[int], None] = lambda _: None) -> Aptitude:
    """Ask the five questions and return what the model is good at; ``progress`` is told of each request.

    A reply that cannot be used, or does not come by the client's deadline, counts as wrong; short prompts come first,
    since they are what a slow model needs. Raises ModelErrors that say that the model cannot be asked.
    """
    done = 0

    def right(
        judge: Callable[[_Question, PromptLibrary, ModelClient], bool], question: _Question, library: PromptLibrary
    ) -> int:
        nonlocal done
        done += 1
        progress(done)
        try:
            return int(judge(question, library, client))
        except UNUSABLE:
            return 0

    scores: dict[Size, int] = {}
    for size in reversed(SIZES):
        library = PromptLibrary.load(size=size)
        scores[size] = sum(right(judge, q, library) for judge in (_routes, _reads) for q in _questions())
    judged = sum(right(_judges, q, PromptLibrary.load()) for q in _questions())
    return Aptitude(scores["papers"], scores["short"], judged)


@cache
def _questions() -> tuple[_Question, ...]:
    text = files(__package__).joinpath("trial.yaml").read_text("utf-8")
    return tuple(_Question.model_validate(fields) for fields in yaml.safe_load(text))


def _routes(question: _Question, library: PromptLibrary, client: ModelClient) -> bool:
    whole = load_ontology("default")
    few = tuple(spec for spec in whole.cubes if wording.cube_name(spec) in _CUBES)
    ontology = whole.model_copy(update={"cubes": few})
    cubes = wording.cubes_to_choose(ontology, short=library.size == "short")
    values = {"cubes": cubes, "names": wording.names_of(ontology), "query": question.question}
    reply = client.ask(STAGE, library["cube_router"].fill(values), replies.RouteReply)
    return [name.strip().upper() for name in reply.cubes] == [question.cube]


def _reads(question: _Question, library: PromptLibrary, client: ModelClient) -> bool:
    values = {"question": question.question, "documents": wording.documents(question.evidence)}
    reply = client.ask(STAGE, library["sub_answer"].fill(values), replies.SubAnswerReply)
    return bool(reply.answers) and question.is_answer(reply.answers[0])


def _judges(question: _Question, library: PromptLibrary, client: ModelClient) -> bool:
    """Whether a right proposal is confirmed, and a wrong one corrected."""
    sentence, answer = question.proposed
    values = {
        "original_query": question.question, "subquery": question.question, "cubes": question.cube.lower(),
        "answer": answer, "sentence": sentence, "documents": wording.documents(question.evidence),
    }  # fmt: skip
    reply = client.ask(STAGE, library["confirm_answer"].fill(values), replies.Confirmation)
    return reply.right if question.is_answer(answer) else not reply.right and question.is_answer(reply.answer)
