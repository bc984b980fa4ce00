"""A follow-up question made one that stands alone, by what was asked and answered before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..engines.turns import Turn

if TYPE_CHECKING:
    from .facade import MultiCube

__all__ = ["Turn", "standalone"]


@runtime_checkable
class FollowUpRewriter(Protocol):
    """An engine that makes follow-up questions standalone by itself."""

    def standalone(self, question: str, turns: Sequence[Turn]) -> str:
        """Return the question as one that needs no conversation; "" where it cannot say."""


def standalone(question: str, turns: Sequence[Turn], kb: MultiCube) -> str:
    """Return a follow-up question as one that stands alone, by what was asked before; else the question as it is.

    ``turns`` are the conversation so far, oldest first. A language model is asked where one thinks; with the embedded
    engine, and where the model's reply cannot be used, rules over the turns choose what a pronoun or a shortened
    question ("and her mother?") is about, by the classes and names of the cubes. Raises what the model's failure
    raises (`ModelError`) where it cannot be reached.
    """
    asked = " ".join(question.split())
    if not asked or not turns:
        return asked
    reasoner = kb.context(kb.settings.deadline_s).reasoner
    rewritten = reasoner.standalone(asked, turns) if isinstance(reasoner, FollowUpRewriter) else ""
    if rewritten:
        return rewritten
    from ..engines.embedded.followups.standalone import follow_up

    return follow_up(asked, turns, kb.kb)
