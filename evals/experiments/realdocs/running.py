"""Asking every question, each of the knowledge base of its own corpus, and keeping what was said with its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from ....cubes.core.errors import InputError, MultiCubeError, UsageError
from ....graphs.records import Run
from ...ablations import ABLATIONS, WHOLE
from ...evaluation.progress import Silent, Watcher
from ...support import RowLog
from ...systems import describe
from .fetching import documents_of
from .judging import By, RunOutput, Verdict, judge, said
from .recipe import RECIPE, Corpus, Kind, RealQuestion, corpora, questions

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube
    from ....cubes.core.encoding import Encoder

__all__ = ["ANSWERS", "JudgedQuestion", "read_answers", "run"]

ANSWERS = "answers.jsonl"


class JudgedQuestion(BaseModel):
    """A question that was asked, what was said, and the verdict; ``error`` is the sentence of a run that failed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    corpus: str
    kind: Kind
    question: str
    answerable: bool
    status: str
    form: str = ""
    answer: str = ""
    quotation: str = ""
    documents: tuple[str, ...] = ()
    confidence: float = 0.0
    ms: float = 0.0
    error: str = ""
    verdict: Verdict
    by: By = ""


def run(
    out: Path,
    *,
    recipe: Path = RECIPE,
    system: str = WHOLE,
    encoder: str | Encoder | None = None,
    watcher: Watcher | None = None,
) -> list[JudgedQuestion]:
    """Ingest each fetched corpus into ``out/kb/NAME``, ask its questions, and write ``out/answers.jsonl``.

    Another ``system``, an ablation, writes ``out/answers-SYSTEM.jsonl``. Raises UsageError where there is no such
    ablation, and where a corpus was not fetched.
    """
    if system not in (WHOLE, *ABLATIONS):
        raise UsageError(f'There is no ablation "{system}"; choose from {", ".join(ABLATIONS)}.')
    watch, asked = watcher or Silent(), describe(system)
    file = out / (ANSWERS if system == WHOLE else f"answers-{system}.jsonl")
    from ....agent.app.facade import MultiCube

    found = corpora(recipe)
    folders = [documents_of(corpus, out) for corpus in found]
    rows: list[JudgedQuestion] = []
    for corpus, folder in zip(found, folders, strict=True):
        kb = out / "kb" / corpus.name
        watch.say(f"{corpus.name}: reading the documents ...")
        MultiCube.build([folder], kb, engine="embedded", encoder=encoder, progress=watch.ingest).close()
        with MultiCube.open(
            kb, engine="embedded", encoder=encoder, settings=asked.settings if system != WHOLE else None,
            engine_options=asked.options,
        ) as opened:
            rows += _corpus(corpus, opened, questions(corpus.name, recipe), watch)
        RowLog(file, JudgedQuestion).replace(rows)
    return rows


def read_answers(out: Path) -> list[JudgedQuestion]:
    """Read ``out/answers.jsonl``, nothing where nobody has asked; InputError where it cannot be read."""
    file = out / ANSWERS
    if not file.exists():
        return []
    try:
        return [JudgedQuestion.model_validate_json(line) for line in file.read_text("utf-8").splitlines()]
    except (OSError, ValidationError) as error:
        raise InputError(f"{file} cannot be read; run the benchmark again: {error}") from error


def _corpus(
    corpus: Corpus, opened: MultiCube, asked: Sequence[RealQuestion], watch: Watcher
) -> Iterator[JudgedQuestion]:
    watch.say(f"{corpus.name}: asking {len(asked)} questions of {len(opened.kb.sections())} sections ...")
    for question in asked:
        yield _ask(opened, corpus, question)


def _ask(kb: MultiCube, corpus: Corpus, question: RealQuestion) -> JudgedQuestion:
    """Ask one question; an error of ours is kept as a wrong answer, and the rest goes on."""
    try:
        return _row(corpus, question, kb.ask(question.question, save=False))
    except MultiCubeError as error:
        return _asked(corpus, question, RunOutput(), "failed", error=str(error))


def _row(corpus: Corpus, question: RealQuestion, run: Run) -> JudgedQuestion:
    return _asked(corpus, question, said(run), run.status, confidence=run.confidence, ms=run.ms)


def _asked(
    corpus: Corpus,
    question: RealQuestion,
    words: RunOutput,
    status: str,
    *,
    confidence: float = 0.0,
    ms: float = 0.0,
    error: str = "",
) -> JudgedQuestion:
    judged = judge(question, words)
    return JudgedQuestion(
        id=question.id,
        corpus=corpus.name,
        kind=question.kind,
        question=question.question,
        answerable=question.answerable,
        status=status,
        form=words.form,
        answer=words.answer,
        quotation=words.quotation,
        documents=words.documents,
        confidence=confidence,
        ms=ms,
        error=error,
        verdict=judged.verdict,
        by=judged.by,
    )
