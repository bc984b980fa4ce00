"""What an engine is asked for when a hop is expanded, and replies: statements to search with, never evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..records import Evidence, Strategy
from .intents import Intents

__all__ = [
    "AnswerCell",
    "ExpansionRequest",
    "Hypotheses",
    "HypothesisReasoner",
    "IntentReasoner",
    "Statement",
    "TableReasoner",
]


@dataclass(frozen=True, slots=True)
class ExpansionRequest:
    """How a subquery is to be expanded: by which strategy, for which intents (None: one), with how many hypotheses."""

    strategy: Strategy = "hqg"
    intents: Intents | None = None
    number: int = 5


@dataclass(frozen=True, slots=True)
class Statement:
    """One query of an expansion (MuISQA eq. 7): the ``hypothesis``-th supposed answer as far as one ``intent`` goes.

    ``about`` is the name of what it says something of, where it has one.
    """

    text: str
    intent: str = ""
    hypothesis: int = 0
    about: str = ""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The pool of statements (MuISQA eq. 8); ``note`` says in the trace what went wrong."""

    statements: tuple[Statement, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """One value of an answer table with the sentence of a section that says it; empty where none was found."""

    value: str = ""
    section_id: str = ""
    start: int = 0
    end: int = 0
    confidence: float = 0.0


@runtime_checkable
class IntentReasoner(Protocol):
    """An engine that names the intents of a question by itself, rather than by rules for English wordings."""

    def intents(self, question: str) -> Intents | None:
        """Return the intents of a question that has several; None for a single one."""
        ...


@runtime_checkable
class HypothesisReasoner(Protocol):
    """An engine that can suppose answers to search with."""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return statements that an answer might make.

        ``evidence`` is what the subquery itself found, with several intents also what else names what it names.

        They may be wrong: they are queries, and nothing of them reaches evidence, answer or citations.
        """
        ...


@runtime_checkable
class TableReasoner(Protocol):
    """An engine that can read a table off sections."""

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Return a row for each answer instance, with a cell for each column of the intents."""
        ...
