"""Asking systems questions: what one process does of an evaluation.

Systems get the question's text only. What goes wrong with a question is kept with its sentence; it never stops the
rest.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ...agent.engines.llm.errors import ModelError
from ..datasets.dataset import Dataset, Question
from ..metrics.predictions import Prediction, PredictionLog, failure, from_run
from ..systems import System, engine_options, make_systems
from .progress import Silent, Watcher
from .readings import shared, timed

if TYPE_CHECKING:
    from ...agent.app.facade import MultiCube
    from ...agent.engines.llm.engine import ModelOptions
    from ...cubes.core.encoding import Encoder

__all__ = ["Answered", "AskingContext", "BatchRunner", "CollectedAnswers", "QuestionBatch", "ask_all", "thinking"]

@dataclass(frozen=True)
class AskingContext:
    """What is asked, and the engine: all that a process needs to ask a system."""

    kb: Path
    encoder: str | Encoder | None = None
    model: ModelOptions | None = None
    retrieval_only: bool = False
    concurrency: int = 1


@dataclass(frozen=True)
class QuestionBatch:
    """Questions that one system is asked in one go: the data set's own, and those foreign to it."""

    system: str
    own: tuple[Question, ...]
    foreign: tuple[Question, ...] = ()

    def __len__(self) -> int:
        return len(self.own) + len(self.foreign)


@dataclass(frozen=True)
class Answered:
    """A prediction, and whether its question is foreign to the corpus."""

    row: Prediction
    foreign: bool


class BatchRunner:
    """Asks units, one after the other; use it in a ``with``, in which its readings are shared by the systems."""

    def __init__(self, setting: AskingContext) -> None:
        self._setting = setting
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(shared())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def answers(self, unit: QuestionBatch) -> Iterator[Answered]:
        """Ask one system; its knowledge base is opened afresh: what one has warmed must not make the next look faster.

        Raises UsageError where the system cannot run over this knowledge base.
        """
        with _opened(self._setting, unit.system) as kb:
            (system,) = make_systems([unit.system], kb)
            for foreign, questions in ((False, unit.own), (True, unit.foreign)):
                for row in _answers(system, questions, self._setting.concurrency):
                    yield Answered(row, foreign)


def ask_all(
    systems: Iterable[System],
    questions: Sequence[Question],
    log: PredictionLog,
    *,
    kept: Iterable[Prediction] = (),
    concurrency: int = 1,
    watcher: Watcher | None = None,
) -> dict[str, list[Prediction]]:
    """Ask every system what ``kept`` does not answer yet; predictions come in the order of the questions."""
    watch = watcher or Silent()
    known = {(row.system, row.id): row for row in kept}
    answered: dict[str, list[Prediction]] = {}
    for system in systems:
        open_questions = [q for q in questions if (system.name, q.id) not in known]
        watch.begin(system.name, len(questions), len(questions) - len(open_questions))
        for prediction in _answers(system, open_questions, concurrency):
            log.append(prediction)
            known[system.name, prediction.id] = prediction
            watch.step(prediction)
        answered[system.name] = [known[system.name, q.id] for q in questions]
    return answered


def thinking(model: ModelOptions | None) -> dict[str, Any]:
    """The arguments that choose the engine, whatever the environment says."""
    return {"engine": "embedded"} if model is None else {"model": model}


def _opened(setting: AskingContext, system: str) -> MultiCube:
    from ...agent.app.facade import MultiCube

    options = engine_options(system)
    if setting.retrieval_only:
        options = options.model_copy(update={"reader": False})
    return MultiCube.open(setting.kb, encoder=setting.encoder, engine_options=options, **thinking(setting.model))


def _answers(system: System, questions: Sequence[Question], concurrency: int) -> Iterator[Prediction]:
    if concurrency == 1:
        yield from (_answer(system, question) for question in questions)
        return
    pool = ThreadPoolExecutor(max_workers=concurrency)
    try:
        yield from pool.map(lambda question: _answer(system, question), questions)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _answer(system: System, question: Question) -> Prediction:
    try:
        with timed() as spared:
            started = time.perf_counter()
            run = system.answer(question.question)
            seconds = time.perf_counter() - started + spared.seconds
        return from_run(system.name, question, run, system.ranking(run), seconds * 1000)
    except ModelError:
        raise  # the next question would meet it as well; what was answered is kept, and the same command goes on
    except Exception as error:  # whatever a system raises is this question's failure, not the evaluation's
        return failure(system.name, question, _sentence(error))


def _sentence(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else f"{type(error).__name__}."


class CollectedAnswers:
    """The predictions of the named systems, for a data set's questions and for those foreign to its corpus.

    ``kept`` are an earlier run's. What other systems answered then is kept beside, behind all that is asked now.
    """

    def __init__(
        self, names: Sequence[str], dataset: Dataset, foreign: Sequence[Dataset], kept: Iterable[Prediction],
        kept_foreign: Iterable[Prediction],
    ) -> None:  # fmt: skip
        self._names, self._dataset, self._foreign = names, dataset, foreign
        self._own = {(row.system, row.id): row for row in kept}
        now = {question.id: question.question for other in foreign for question in other.questions}
        # the foreign data sets are not in the fingerprint: an answer counts while its question is as it was
        self._refused = {(row.system, row.id): row for row in kept_foreign if _still(row, now)}

    @property
    def total(self) -> int:
        """How many questions a system is asked."""
        return len(self._dataset.questions) + sum(len(other.questions) for other in self._foreign)

    def left(self, system: str) -> QuestionBatch:
        """Return what a system has not answered yet."""
        foreign = [question for other in self._foreign for question in other.questions]
        return QuestionBatch(
            system,
            tuple(q for q in self._dataset.questions if (system, q.id) not in self._own),
            tuple(q for q in foreign if (system, q.id) not in self._refused),
        )

    def add(self, answered: Answered) -> None:
        """Take a prediction in."""
        kind = self._refused if answered.foreign else self._own
        kind[answered.row.system, answered.row.id] = answered.row

    def own(self) -> dict[str, list[Prediction]]:
        """Return each system's predictions, in the order of the questions."""
        return {name: _of(name, self._dataset.questions, self._own) for name in self._names}

    def refused(self, system: str) -> dict[str, list[Prediction]]:
        """Return a system's predictions for the foreign questions, by their data set."""
        return {other.name: _of(system, other.questions, self._refused) for other in self._foreign}

    def lines(self) -> tuple[list[Prediction], list[Prediction]]:
        """Return what the two files hold, by system and then by question: own and foreign questions."""
        own = [row for rows in self.own().values() for row in rows]
        foreign = [row for name in self._names for rows in self.refused(name).values() for row in rows]
        return _first(own, self._own.values()), _first(foreign, self._refused.values())


def _of(
    system: str, questions: Iterable[Question], known: dict[tuple[str, str], Prediction]
) -> list[Prediction]:
    return [known[system, question.id] for question in questions]


def _still(row: Prediction, now: dict[str, str]) -> bool:
    """Whether an answer is to a question as it is now, or to one that is not asked now."""
    return now.get(row.id, row.question) == row.question


def _first(rows: list[Prediction], known: Iterable[Prediction]) -> list[Prediction]:
    asked = {(row.system, row.id) for row in rows}
    others = [row for row in known if (row.system, row.id) not in asked]
    return [*rows, *sorted(others, key=lambda row: row.system)]
