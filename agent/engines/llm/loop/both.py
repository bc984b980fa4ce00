"""`BothReasoner`: the embedded engine proposes each step, and a language model confirms or corrects it in one call."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from .....cubes.core.records import Span
from .....graphs.evidence import within
from .....graphs.expansion.intents import Intents
from .....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses, HypothesisReasoner, TableReasoner
from .....graphs.gathering import AggregatedCells, AggregatingReasoner
from .....graphs.reasoner import Decomposition, FinalAnswer, NextStep, Reasoner, Routing, SubAnswer
from .....graphs.records import Evidence, Hop, Usage
from ..errors import UNUSABLE, ModelError, RateLimitError, UnreachableError
from ..replies import schemas as replies
from ..replies.quotations import find, sentence_around
from .reasoner import VERBATIM, LlmReasoner

__all__ = ["VERSION", "BothReasoner", "ProposingReasoner"]

VERSION = "both/1"
UNSURE = 0.5
"""What is less likely right may be corrected by any model; the rest only by one that `doctor` has found to be apt."""
_SHARE = 0.75
"""Of the time for a question, what the model may take: the embedded engine needs some to come to its end alone."""
CONTEXT_TOKENS = 600
"""Of sections, for one call: the proposal's own sentence stands beside them."""
_NONE_FOUND = "(none was found)"
_INSTEAD = "asks another question for this step: "
_PLANS = "The model plans from here on."
_STANDS = "the proposal of the embedded engine stands"


class ProposingReasoner(Reasoner, AggregatingReasoner, HypothesisReasoner, TableReasoner, Protocol):
    """What the embedded engine can do."""


@dataclass(frozen=True, slots=True)
class AnswerCorrection:
    """An answer in place of a proposed one, with the sentence that states it."""

    answer: str
    section_id: str
    sentence: Span


class BothReasoner:
    """Decides as the embedded engine does, and has every answer that it reads confirmed or corrected by a model.

    ``apt`` says that the model was found to tell right proposals from wrong ones: it is asked also where the embedded
    engine is sure, and plans where that engine knows no way. Any other model is asked only where the engine is unsure,
    and nothing counts that no section states. A model that is busy, slow or gone costs no answer: proposals stand.
    """

    def __init__(self, engine: Callable[[], ProposingReasoner], model: LlmReasoner, *, apt: bool = False) -> None:
        self._make, self._model, self._apt = engine, model, apt
        self._question = ""
        self._gone = ""
        self._replaced: dict[str, SubAnswer] = {}  # nothing more is read for a step whose question is to be another

    @property
    def _engine(self) -> ProposingReasoner:
        return self._make()

    @property
    def name(self) -> str:
        """Engines, versions and models."""
        return f"{VERSION} {self._engine.name} + {self._model.name}"

    @property
    def usage(self) -> Usage:
        """What this run has spent so far."""
        return self._model.usage

    def for_run(self, deadline: float | None = None) -> BothReasoner:
        """Return the same engines with an account of their own, for one question that has until ``deadline``."""
        now = time.monotonic()
        shared = None if deadline is None else now + _SHARE * (deadline - now)
        return BothReasoner(self._make, self._model.for_run(shared), apt=self._apt)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Follow the embedded engine's plan; once the model has asked another question, it plans the rest."""
        self._question = question
        if hops and (instead := _asked_instead(hops[-1])):
            return NextStep(instead, note=_PLANS)
        if _planned_by_model(hops):
            return self._model.next_step(question, _taken(hops))
        step = self._engine.next_step(question, hops)
        if step.subquery is not None or step.sufficient or not hops or not self._heard:
            return step
        planned = self._model.next_step(question, hops)
        return planned if planned.subquery is None else replace(planned, note=f"{step.note} {_PLANS}".strip())

    def route(self, subquery: str) -> Routing:
        """Choose the cubes as the embedded engine does."""
        return self._engine.route(subquery)

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Decompose as the embedded engine does."""
        return self._engine.decompose(subquery, cube)

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Let the model confirm or correct what the embedded engine reads; the note says who decided."""
        if subquery in self._replaced:
            return self._replaced[subquery]
        proposed = self._engine.answer(subquery, evidence)
        if not evidence or not _in_few_words(proposed) or (not proposed.answers and _only_cells(evidence)):
            return proposed
        if not self._apt and proposed.confidence >= UNSURE:  # whatever it says would change nothing
            return _noted(proposed, f"{self._model.label} was not asked: the embedded engine is sure")
        if self._gone:
            return _noted(proposed, self._gone)
        try:
            reply = self._asked(subquery, proposed, evidence)
        except (RateLimitError, UnreachableError, *UNUSABLE) as error:
            self._gone = f"the model was not asked again; {_STANDS}" if _is_gone(error) else ""
            return _noted(proposed, f"{error} So {_STANDS}.")
        return self._settled(subquery, proposed, reply, evidence)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the answer as the embedded engine does; the model does where it has planned, or knows better."""
        taken = _taken(hops)
        if _planned_by_model(hops):
            return self._model.finalize(question, taken)
        final = self._engine.finalize(question, taken)
        if final.text or not self._heard or not any(hop.answers for hop in taken):
            return final
        told = self._model.finalize(question, taken)
        return replace(told, failed=False) if told.text else final

    def gather(self, subquery: str, allows: Callable[[str], bool]) -> AggregatedCells | None:
        """Return what whole cells hold for a subquery; they are counted, and no model sees them."""
        return self._engine.gather(subquery, allows)

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return statements to search with, as the embedded engine supposes them."""
        return self._engine.hypotheses(subquery, evidence, expansion)

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Return the table of a question with several intents, as the embedded engine reads it."""
        return self._engine.tabulate(question, intents, evidence)

    @property
    def _heard(self) -> bool:
        return self._apt and not self._gone

    def _asked(self, subquery: str, proposed: SubAnswer, evidence: Sequence[Evidence]) -> replies.Confirmation:
        source = next((e for e in evidence if e.section_id == proposed.section_id), None)
        cubes = dict.fromkeys(m.cube for e in evidence for m in e.matches)
        values = {
            "original_query": self._question or subquery,
            "subquery": subquery,
            "cubes": ", ".join(cubes) or "passages",
            "answer": "; ".join(proposed.answers) or _NONE_FOUND,
            "sentence": source.text[proposed.start : proposed.end] if source is not None else _NONE_FOUND,
        }
        return self._model.confirm(values, within(_first(source, evidence), CONTEXT_TOKENS))

    def _settled(
        self, subquery: str, proposed: SubAnswer, reply: replies.Confirmation, evidence: Sequence[Evidence]
    ) -> SubAnswer:
        """What the step comes to: the proposal, the model's correction, or another question."""
        who = self._model.label
        if reply.right and proposed.answers:
            return _noted(proposed, f"{who} confirms what the embedded engine proposed")
        found = _correction(reply, evidence)
        if found is not None and found.answer not in proposed.answers:
            was = f"'{proposed.answers[0]}'" if proposed.answers else "nothing"
            note = f"{who} corrects: the embedded engine proposed {was}"
            start, end = found.sentence.start, found.sentence.end
            sure = VERBATIM if self._apt else UNSURE
            return SubAnswer((found.answer,), sure, found.section_id, start, end, note=note)
        if self._apt and _is_another(reply.question, subquery):
            self._replaced[subquery] = SubAnswer(note=f"{who} {_INSTEAD}{' '.join(reply.question.split())}")
            return self._replaced[subquery]
        if self._apt and proposed.answers and not reply.answer.strip():
            return SubAnswer(note=f"{who} rejects '{proposed.answers[0]}', which the embedded engine proposed")
        return _noted(proposed, f"{who} disagrees, but no section states its answer; {_STANDS}")


def _in_few_words(proposed: SubAnswer) -> bool:
    """Whether one call can judge it: not what many cells or sections say together, nor a whole passage."""
    return proposed.form == "short" and not (proposed.listed or proposed.findings or proposed.noun or proposed.cited)


def _only_cells(evidence: Sequence[Evidence]) -> bool:
    """Whether passages are still to be read: where cells hold no answer, the loop does that next."""
    return all(e.retriever.startswith(("cube:", "hypercube:")) for e in evidence)


def _noted(proposed: SubAnswer, note: str) -> SubAnswer:
    return replace(proposed, note=" ".join(filter(None, (proposed.note, note))))


def _is_gone(error: ModelError) -> bool:
    return isinstance(error, RateLimitError | UnreachableError)


def _first(source: Evidence | None, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The section that the proposal was read from comes first, so that it is not what is left out."""
    return [*([source] if source is not None else []), *(e for e in evidence if e is not source)]


def _correction(reply: replies.Confirmation, evidence: Sequence[Evidence]) -> AnswerCorrection | None:
    """The model's answer, if the sentence that it quotes stands in a section and holds the answer."""
    for section in evidence:
        quoted = find(reply.quote, section.text)
        if quoted is None:
            continue
        sentence = sentence_around(quoted, section.text)
        said = find(reply.answer, section.text[sentence.start : sentence.end])
        if said is not None:
            return AnswerCorrection(" ".join(reply.answer.split()), section.section_id, sentence)
    return None


def _is_another(question: str, subquery: str) -> bool:
    said = question.strip()
    return bool(said) and any(c.isalnum() for c in said) and said.casefold() != subquery.strip().casefold()


def _asked_instead(hop: Hop) -> str:
    """The question that the model would ask in place of a hop's; "" where it has none."""
    return next((note.partition(_INSTEAD)[2] for note in hop.notes if _INSTEAD in note), "")


def _taken(hops: Sequence[Hop]) -> list[Hop]:
    """The hops that count: one whose question was replaced does not."""
    return [hop for hop in hops if not _asked_instead(hop)]


def _planned_by_model(hops: Sequence[Hop]) -> bool:
    return any(_PLANS in note for hop in hops for note in hop.notes)
