"""The records every other module speaks of: documents, sections, facts, and why a section was found.

The terms are the papers': a *document* holds *sections*; a *fact* ties a subject to a value along a cube
*dimension* at an exact *span*; a *label* is a value on a dimension; a *hit* is a section found for a subquery
together with the label matches that explain it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "Component",
    "Document",
    "Fact",
    "Figure",
    "Filters",
    "Hit",
    "LabelRanking",
    "Match",
    "MatchRoute",
    "MetadataValue",
    "OpenedCell",
    "Problem",
    "Retrieval",
    "RouteScores",
    "Section",
    "Span",
    "headed",
]

LabelRanking = Literal["auto", "rarity", "coverage", "frequency"]
"""How hypercubes rank documents: "coverage" counts components (Hypercube-RAG eq. 6-7), "rarity" counts rare ones for
more, "auto" takes the one that fits the collection (see `documentwise`), "frequency" is equation 2 alone, how often
what was asked stands there (the paper's ablation without ranking)."""
MatchRoute = Literal["exact", "dense"]
MetadataValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` (inclusive) to ``end`` (exclusive) of a section's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Figure:
    """An image that a document holds (HiQA A.3 and A.5), as it was found; a text names it ``![caption](figure:ID)``.

    ``id`` is the BLAKE2b hash (16 bytes, hexadecimal) of ``data``, so that the same image is stored once;
    ``media_type`` says what ``data`` is ("image/png"). ``caption`` is the one the document prints, ``description``
    what is known besides (an alternative text, or what a vision model saw); ``page`` counts from 1.
    """

    id: str
    caption: str
    media_type: str
    data: bytes = field(repr=False)
    description: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A file or record as it was read, before it is divided into sections.

    ``id`` is derived from ``source`` and ``record_id`` and is stable across runs; ``record_id`` is the name the
    corpus itself gives the record (what evaluation calls a corpus id); ``content_hash`` changes with the content.
    ``media_type`` is the file's; the text of files with a layout is Markdown. ``figures`` are the images that the text
    names, ``encoding`` the file's where it is none of Unicode's; a document read back from a catalog has neither.
    """

    id: str
    source: str
    record_id: str
    title: str
    text: str
    content_hash: str
    media_type: str = "text/plain"
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    encoding: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A natural chapter of a document with its cascading heading path (HiQA 3.2), document title first.

    ``start`` is the offset of ``text`` in the document's text. A short passage is one section.
    """

    id: str
    document_id: str
    record_id: str
    ordinal: int
    path: tuple[str, ...]
    text: str
    start: int = 0

    @property
    def title(self) -> str:
        """The document's title (the root of the heading path)."""
        return self.path[0] if self.path else ""

    @property
    def heading(self) -> str:
        """The title, and the heading of the chapter that the section is of (HiQA's cascading metadata)."""
        return headed(self.title, self.path)


def headed(title: str, path: Sequence[str]) -> str:
    """Return a title with the last heading of a path behind it, where that has one below the title."""
    return f"{title}: {path[-1]}" if len(path) > 1 else title


@dataclass(frozen=True, slots=True)
class Fact:
    """One (subject, dimension, relation phrase, value) read from a section (MultiCube-RAG eq. 6).

    ``relation`` is the canonical relation phrase of the dimension's cue ("directed by", "born on", "father");
    ``value`` is written as in the text; ``span`` locates the value and ``sentence`` the sentence it stands in, both
    in the section's text. ``kind`` is the value's type (see `ontology.ValueKind`). ``origin`` names who said so:
    an engine with its version ("embedded/1") or "person" for a correction.
    """

    section_id: str
    cube: str
    dimension: str
    subject: str
    relation: str
    value: str
    kind: str
    span: Span
    sentence: Span
    confidence: float = 1.0
    origin: str = "embedded/1"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something set aside while the rest went on: where it is (file and line, if any) and one sentence why."""

    source: str
    line: int | None
    message: str

    def __str__(self) -> str:
        """Render as ``file:line: sentence``."""
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Component:
    """One {dimension: entity} pair of a decomposed subquery (MultiCube-RAG eq. 7)."""

    cube: str
    dimension: str
    entity: str


@dataclass(frozen=True, slots=True)
class Match:
    """Why a section was found: the query's entity met this label on this dimension.

    ``similarity`` is 1.0 for an exact match and the cosine for a dense one; ``count`` is how often the label's
    entity occurs in the section (it breaks ties only).
    """

    cube: str
    dimension: str
    entity: str
    label: str
    route: MatchRoute
    similarity: float = 1.0
    count: int = 1


@dataclass(frozen=True, slots=True)
class RouteScores:
    """The parts of a multi-route score (HiQA equation 2): α·vector + (1 − α)·words + β·log(1 + number of keywords).

    ``vector`` and ``words`` are normalised (0 to 1, see `hiqa.scoring`), ``keywords`` those of the query that the
    section has, ``alpha`` and ``beta`` the weights in force.
    """

    vector: float
    words: float
    keywords: tuple[str, ...]
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved section. ``covered`` of ``asked`` components matched; ``lexical`` is its BM25 score.

    ``parts`` say what a multi-route score is made of.
    """

    section_id: str
    rank: int
    score: float
    covered: int
    asked: int
    matches: tuple[Match, ...] = ()
    lexical: float = 0.0
    source: str = "cube"
    parts: RouteScores | None = None


@dataclass(frozen=True, slots=True)
class OpenedCell:
    """A cell of a hypercube that a query opened (Hypercube-RAG C): (dimension, label) pairs, and how many documents."""

    labels: tuple[tuple[str, str], ...]
    documents: int


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The ranked hits of one retrieval, and, where it fell back from cubes to passages, why.

    ``notes`` say where a component was rolled up because its cell is empty; ``cells`` are those opened in a hypercube.
    """

    hits: tuple[Hit, ...]
    components: tuple[Component, ...] = ()
    fallback: str | None = None
    notes: tuple[str, ...] = ()
    cells: tuple[OpenedCell, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents may be used. Empty fields allow everything.

    ``sources`` are file paths, folders or glob patterns; ``metadata`` must be equal on each key given; ``since`` and
    ``until`` (ISO dates, inclusive) compare with the record's ``date`` metadata, and a record without one is left out.
    """

    sources: tuple[str, ...] = ()
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    since: str | None = None
    until: str | None = None

    def __bool__(self) -> bool:
        """Whether any restriction is set."""
        return bool(self.sources or self.metadata or self.since or self.until)

    def as_json(self) -> dict[str, Any]:
        """Return the form that states and traces hold; empty without any restriction."""
        if not self:
            return {}
        restrictions = {"metadata": dict(self.metadata), "since": self.since, "until": self.until}
        return {"sources": list(self.sources), **restrictions}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any] | None) -> Filters:
        """Return filters from the form that states and traces hold."""
        raw = raw or {}
        metadata = dict(raw.get("metadata", {}))
        return cls(tuple(raw.get("sources", ())), metadata, raw.get("since"), raw.get("until"))
