"""The decisions the loop asks of an engine. The graph never asks which engine it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from ..cubes.core.records import Component
from .records import AnswerForm, Evidence, FactRecord, FindingRecord, Hop, ListedRecord, Usage

__all__ = [
    "CELLS",
    "HIQA",
    "SMART",
    "ChainOfThoughtReasoner",
    "ClosedBookReasoner",
    "Decomposition",
    "DoubtingReasoner",
    "FinalAnswer",
    "MeteredReasoner",
    "NextStep",
    "Reasoner",
    "Routing",
    "SubAnswer",
]


CELLS = "cells"
"""What a routing names as its tool where a subquery is answered by whole cells of its cubes (see `gathering`)."""
HIQA = "hiqa"
"""Name of the tool node for multi-route retrieval over the chapters of documents (HiQA)."""
SMART = "smart"
"""Name of the tool node for comprehensive retrieval: hits, and the abstractions of their entities (SMART)."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next one-hop subquery (eq. 10-11), or None when the question can be answered or cannot go on.

    ``sufficient`` tells the two apart: True is the paper's FINAL ANSWER.
    """

    subquery: str | None
    sufficient: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Routing:
    """The cubes to ask (3.4.2); none sends the subquery to passages. ``reason`` is shown in the trace.

    ``tools`` names tool nodes besides cubes ("hiqa", for what documents with chapters say; "smart", for what
    many sections imply together; "passages", beside cubes that hold a part of it), or "cells", where the cubes are to
    give all that their cells hold; None leaves it to the knowledge base whether the subquery is about documents. A name
    that `nodes._tools` does not know is dropped.
    """

    cubes: tuple[str, ...]
    reason: str = ""
    tools: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A subquery as {dimension: entity} pairs of one cube (eq. 7); ``note`` says in the trace how it was degraded."""

    components: tuple[Component, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """A hop's answer (eq. 12) with the sentence it was read from; empty ``answers`` means it was not found.

    ``section_id``, ``start`` and ``end`` locate the supporting sentence; ``cited`` says that it is to be cited although
    its words are not the answer's (a table's row, what a verdict rests on). ``conflicts`` are facts of other sections
    that give another value for the same thing. ``note`` says in the trace what went wrong. ``findings``
    are what the answer says of several sections together; it is these that are cited then. ``listed`` are the things
    that an answer over many cells counts or lists, each of which is cited, and ``noun`` what the question calls them.
    ``form`` is "passage" where the answer is a quotation, and the place then is the quotation's. ``held`` is the
    probability that the evidence holds an answer at all, be it this one or another. ``bridge`` are the few words that
    answer best where the answer is a quotation: a next hop goes on from them. An ``unsure`` answer was read in the
    sections of cells alone: passages are to be read as well before it counts.
    """

    answers: tuple[str, ...] = ()
    confidence: float = 0.0
    section_id: str | None = None
    start: int = 0
    end: int = 0
    fact: FactRecord | None = None
    conflicts: tuple[FactRecord, ...] = field(default=())
    note: str = ""
    cited: bool = False
    findings: tuple[FindingRecord, ...] = ()
    noun: str = ""
    listed: tuple[ListedRecord, ...] = ()
    form: AnswerForm = "short"
    held: float = 1.0
    bridge: str = ""
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """The answer to the whole question (eq. 13); an empty ``text`` abstains and ``note`` says why.

    Without a ``form`` the answer has that of the hop that it comes from. ``failed`` says that it could not be had,
    which says nothing of the documents.
    """

    text: str
    confidence: float = 0.0
    note: str = ""
    form: AnswerForm | None = None
    failed: bool = False


class Reasoner(Protocol):
    """Decides each step of the loop: the embedded engine or a language model."""

    @property
    def name(self) -> str:
        """Engine and version, as shown in traces."""
        ...

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery, given the hops so far with their sub-answers."""
        ...

    def route(self, subquery: str) -> Routing:
        """Choose the cube or cubes that fit a subquery."""
        ...

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Turn a subquery into {dimension: entity} pairs of one cube (eq. 7)."""
        ...

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the subquery's answer from the retrieved sections."""
        ...

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the final answer from the hops, or abstain."""
        ...


@runtime_checkable
class DoubtingReasoner(Protocol):
    """An engine that looks up a fact where a whole question may mean more than the fact's relation says."""

    def doubted(self, subquery: str, told: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
        """Return the fact as it was ``told``, or less sure, or what the evidence says instead."""
        ...


@runtime_checkable
class ClosedBookReasoner(Protocol):
    """An engine that knows things by itself; the embedded one knows nothing but the documents."""

    def recall(self, question: str) -> SubAnswer:
        """Answer from what the engine knows, nothing having been retrieved."""
        ...


@runtime_checkable
class ChainOfThoughtReasoner(Protocol):
    """An engine that writes its thoughts down, to retrieve with them (IRCoT)."""

    def thought(self, question: str, thoughts: Sequence[str], evidence: Sequence[Evidence]) -> str:
        """Return the sentence that follows the thoughts so far, from what was read; "" where there is nothing more."""
        ...


@runtime_checkable
class MeteredReasoner(Protocol):
    """An engine whose thinking costs something: each run is given one with an account of its own."""

    @property
    def usage(self) -> Usage:
        """What was spent on this account."""
        ...

    def for_run(self, deadline: float | None = None) -> Reasoner:
        """Return the same engine with a new account; after ``deadline`` (`time.monotonic`) it asks nothing more."""
        ...
