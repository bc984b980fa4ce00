"""`Turn`: one question of a conversation with its answer."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphs.records import Run

__all__ = ["Turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a conversation with its answer, as the person saw them ("" where there was none).

    ``run`` is how it was answered; a conversation that comes from elsewhere (a chat front end's history) has none.
    """

    question: str
    answer: str
    run: Run | None = None
