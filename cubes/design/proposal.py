"""What a design proposes: classes and dimensions with the documents and quotes that show them, and every decision."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ..core.folding import fold
from ..model.ontology import ValueKind

__all__ = ["CandidateClass", "CandidateDimension", "Decision", "Proposal", "Quote", "State", "identifier"]

State = Literal["proposed", "accepted", "dropped"]
Role = Literal["attribute", "relation"]
QUOTES = 3
"""Quotes kept as evidence of one thing."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Quote(_Part):
    """A piece of a document, word for word."""

    document: str
    text: str


class CandidateDimension(_Part):
    """A proposed attribute or relation; ``target`` is what a relation leads to.

    ``documents`` are the ids of those that show it while it is designed, and ``shown`` is their number afterwards.
    ``phrases`` stand in front of its values; ``pattern`` is a structure of the embedded engine's that finds them.
    """

    name: str
    role: Role
    kind: ValueKind = "text"
    description: str = ""
    target: str = ""
    pattern: str = ""
    phrases: list[str] = Field(default_factory=list)
    documents: set[str] = Field(default_factory=set, exclude=True)
    shown: int = 0
    quotes: list[Quote] = Field(default_factory=list)
    examples: list[str] = Field(default_factory=list)
    state: State = "proposed"

    @property
    def id(self) -> str:
        """The name as an identifier."""
        return identifier(self.name)

    def take(self, other: CandidateDimension) -> None:
        """Add what shows another idea of the same dimension."""
        self.phrases = list(dict.fromkeys([*self.phrases, *other.phrases]))
        self.examples = list(dict.fromkeys([*self.examples, *other.examples]))
        self.documents |= other.documents
        self.quotes = _spread([*self.quotes, *other.quotes])


class CandidateClass(_Part):
    """A proposed class of subjects; ``nouns`` are what its members are called.

    ``documents`` are the ids of those about one while it is designed, and ``shown`` is their number afterwards.
    """

    name: str
    description: str = ""
    subject_kind: ValueKind = "name"
    nouns: list[str] = Field(default_factory=list)
    documents: set[str] = Field(default_factory=set, exclude=True)
    shown: int = 0
    quotes: list[Quote] = Field(default_factory=list)
    dimensions: list[CandidateDimension] = Field(default_factory=list)
    state: State = "proposed"

    @property
    def id(self) -> str:
        """The name as an identifier."""
        return identifier(self.name)

    def take(self, other: CandidateClass) -> None:
        """Add the members of another class, and its dimensions as they are."""
        self.nouns = list(dict.fromkeys([*self.nouns, *other.nouns]))
        self.documents |= other.documents
        self.quotes = _spread([*self.quotes, *other.quotes])
        self.dimensions = [*self.dimensions, *other.dimensions]

    def count(self) -> None:
        """Note how many documents show it and its dimensions."""
        self.shown = len(self.documents)
        for dimension in self.dimensions:
            dimension.shown = len(dimension.documents)

    def share(self, dimension: CandidateDimension) -> float:
        """How large a part of the class's documents shows a dimension."""
        return len(dimension.documents) / len(self.documents | dimension.documents) if dimension.documents else 0.0


class Decision(_Part):
    """What was done with a proposed class or dimension, and why."""

    what: str
    action: Literal["merged", "dropped", "renamed", "accepted"]
    reason: str

    def __str__(self) -> str:
        """Render as one line."""
        return f"{self.what}: {self.action}; {self.reason}"


class Proposal(_Part):
    """A designed ontology: its classes, how it came about, and what was decided."""

    name: str
    engine: str
    encoder: str
    seed: int
    sampled: int
    total: int
    classes: list[CandidateClass] = Field(default_factory=list)
    decisions: list[Decision] = Field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether anything waits for a person's decision."""
        kept = [c for c in self.classes if c.state != "dropped"]
        return any(c.state == "proposed" or any(d.state == "proposed" for d in c.dimensions) for c in kept)


def identifier(name: str) -> str:
    """Return a name as an ontology's identifier: "Release date" is "release_date"."""
    plain = "_".join("".join(c if c.isascii() and c.isalnum() else " " for c in fold(name)).split())
    return plain if plain[:1].isalpha() else f"d_{plain}".rstrip("_")


def _spread(quotes: list[Quote]) -> list[Quote]:
    """Keep few quotes, of different documents first."""
    by_document: dict[str, Quote] = {}
    for quote in quotes:
        by_document.setdefault(quote.document, quote)
    return list(by_document.values())[:QUOTES]
