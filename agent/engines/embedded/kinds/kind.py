"""What a kind of question is: the decisions it takes, and those of a question that is asked in one hop as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .....graphs.reasoner import FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop

__all__ = ["OneHopKind", "QuestionKind"]


class QuestionKind(Protocol):
    """One kind of question; each decision is None for a question of another kind, and where it is left to others."""

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:  # noqa: ARG002
        """Return the next subquery (eq. 10-11), or that the hops suffice."""
        return None

    def route(self, subquery: str) -> Routing | None:  # noqa: ARG002
        """Choose the cubes or tools for a subquery (3.4.2)."""
        return None

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:  # noqa: ARG002
        """Read a subquery's answer from its evidence (eq. 12)."""
        return None

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:  # noqa: ARG002
        """Compose the final answer (eq. 13), or abstain."""
        return None


class OneHopKind(QuestionKind):
    """Questions that are asked in one hop as they stand."""

    def take(self, question: str) -> bool:
        """Whether a question is of this kind."""
        raise NotImplementedError

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the question itself, as one hop."""
        if not self.take(question):
            return None
        return NextStep(None, sufficient=bool(hops[-1].answers)) if hops else NextStep(question)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Return what the hop found, with what it notes."""
        if not self.take(question) or not hops:
            return None
        last = hops[-1]
        note = last.notes[-1] if last.notes else ""
        return FinalAnswer(next(iter(last.answers), ""), last.confidence, note=note, form=last.form)
