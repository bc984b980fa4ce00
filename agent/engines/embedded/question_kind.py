"""What a kind of question is: a part of the engine that decides for the questions that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

from ....graphs.reasoner import FinalAnswer, NextStep, Routing, SubAnswer
from ....graphs.records import Evidence, Hop

__all__ = ["QuestionKind", "first", "own_hops"]

T = TypeVar("T")


class QuestionKind(Protocol):
    """One kind of question: asked about those that it takes, it decides None where it leaves them to others."""

    def take(self, question: str) -> bool:  # noqa: ARG002
        """Whether a question, or a subquery, may be of this kind."""
        return True

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the next subquery (eq. 10-11), or that the hops suffice."""

    def route(self, subquery: str) -> Routing | None:  # noqa: ARG002
        """Choose the cubes or tools for a subquery (3.4.2)."""
        return None

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:  # noqa: ARG002
        """Read a subquery's answer from its evidence (eq. 12)."""
        return None

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Compose the final answer (eq. 13), or abstain."""


def first(kinds: Iterable[QuestionKind], question: str, decide: Callable[[QuestionKind], T | None]) -> T:
    """Return what the first kind says that takes a question and decides; the last must know all."""
    return next(found for kind in kinds if kind.take(question) and (found := decide(kind)) is not None)


def own_hops(
    following: Callable[[str, Sequence[Hop]], NextStep], question: str, hops: Sequence[Hop]
) -> tuple[Sequence[Hop], NextStep]:
    """Return those hops of a run, from its beginning, that a question needs, and the step after them; ``following``
    tells a question's next step."""
    for n in range(len(hops) + 1):
        step = following(question, hops[:n])
        if step.subquery is None:
            break
    return hops[:n], step
