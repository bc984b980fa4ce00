"""What is answered of an evaluation, by an earlier run or by this one, and what is left to ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .asking import Answered, Unit
from .datasets import Dataset, Question
from .predictions import Prediction

__all__ = ["Answers"]


class Answers:
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

    def left(self, system: str) -> Unit:
        """Return what a system has not answered yet."""
        foreign = [question for other in self._foreign for question in other.questions]
        return Unit(
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
