"""What the tools of the Model Context Protocol return besides text: typed, with schemas that clients are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict

from ...graphs.records import AnswerForm, AnswerTable, Citation, Evidence, Hop, HopStatus, Quote, Run, RunStatus, Usage
from ..runs.catalogue import RunSummary
from ..views.text import clean

if TYPE_CHECKING:
    from ...cubes.store.database import DocumentInfo

__all__ = [
    "AnswerResult",
    "CitationResult",
    "DocumentResult",
    "DocumentsResult",
    "HopResult",
    "QuotationResult",
    "SearchResult",
    "SectionResult",
    "TraceResult",
    "section_uri",
]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True)


class CitationResult(_Record):
    """A numbered sentence that an answer rests on; ``uri`` is the resource of its section, ``page`` that of a PDF."""

    number: int
    hop: int
    title: str
    path: tuple[str, ...]
    sentence: str
    source: str
    uri: str
    page: int | None

    @classmethod
    def of(cls, cited: Citation) -> Self:
        """Return a citation as a client reads it."""
        return cls(
            number=cited.number, hop=cited.hop, title=cited.title, path=cited.path, sentence=cited.sentence,
            source=cited.source, uri=section_uri(cited.section_id), page=cited.page,
        )  # fmt: skip


class QuotationResult(_Record):
    """What a section says, word for word; ``uri`` is its resource."""

    text: str
    title: str
    path: tuple[str, ...]
    source: str
    uri: str
    page: int | None

    @classmethod
    def of(cls, quote: Quote) -> Self:
        """Return a quotation as a client reads it."""
        return cls(
            text=quote.text, title=quote.title, path=quote.path, source=quote.source,
            uri=section_uri(quote.section_id), page=quote.page,
        )  # fmt: skip


class HopResult(_Record):
    """One hop of a run: what was asked, where, and what was answered."""

    number: int
    subquery: str
    cubes: tuple[str, ...]
    answer: str
    status: HopStatus
    confidence: float

    @classmethod
    def of(cls, hop: Hop) -> Self:
        """Return a hop in short."""
        return cls(
            number=hop.number, subquery=hop.subquery, cubes=hop.cubes, answer=hop.answer, status=hop.status,
            confidence=hop.confidence,
        )  # fmt: skip


class AnswerResult(_Record):
    """An answer with its citations and steps; without one ``answer`` is empty and ``note`` says why.

    ``form`` says what kind of answer it is ("passage": a quotation), ``quote`` is the text around it, ``closest`` are
    the passages nearest to a question without an answer. ``confidence`` is the probability that the answer is right.
    ``run`` is the id under which 'trace' explains it, ``usage`` what language models cost, where one was asked.
    """

    question: str
    answer: str
    form: AnswerForm
    quote: QuotationResult | None
    status: RunStatus
    note: str
    confidence: float
    table: AnswerTable | None
    citations: tuple[CitationResult, ...]
    closest: tuple[QuotationResult, ...]
    hops: tuple[HopResult, ...]
    run: str
    usage: Usage | None = None

    @classmethod
    def of(cls, run: Run) -> Self:
        """Return a run in short."""
        return cls(
            question=run.question, answer=run.answer, form=run.form,
            quote=QuotationResult.of(run.quote) if run.quote is not None else None, status=run.status, note=run.note,
            confidence=run.confidence, table=run.table, citations=tuple(map(CitationResult.of, run.citations)),
            closest=tuple(map(QuotationResult.of, run.closest)), hops=tuple(map(HopResult.of, run.hops)), run=run.id,
            usage=run.usage if run.usage.requests or run.usage.cached else None,
        )  # fmt: skip


class SectionResult(_Record):
    """A section that was found: its text, the sentence that fits best, and the labels that it was found by."""

    uri: str
    section_id: str
    record_id: str
    title: str
    path: tuple[str, ...]
    source: str
    text: str
    sentence: str
    page: int | None
    rank: int
    score: float
    retriever: str
    labels: tuple[str, ...]
    findings: tuple[str, ...]

    @classmethod
    def of(cls, found: Evidence) -> Self:
        """Return evidence as a client reads it."""
        return cls(
            uri=section_uri(found.section_id), section_id=found.section_id, record_id=found.record_id,
            title=found.title, path=found.path, source=found.source, text=found.text, sentence=found.sentence,
            page=found.page,
            rank=found.rank, score=found.score, retriever=found.retriever,
            labels=tuple(f"{m.cube}/{m.dimension}: {m.label}" for m in found.matches),
            findings=tuple(each.text for each in found.findings),
        )  # fmt: skip


class SearchResult(_Record):
    """The sections that a search found, best first."""

    sections: tuple[SectionResult, ...]

    @classmethod
    def of(cls, found: Sequence[Evidence]) -> Self:
        """Return evidence as a client reads it."""
        return cls(sections=tuple(map(SectionResult.of, found)))


class DocumentResult(_Record):
    """A document of the collection."""

    id: str
    title: str
    file: str
    sections: int

    @classmethod
    def of(cls, document: DocumentInfo) -> Self:
        """Return a document as a client reads it."""
        name = PurePath(document.source).name
        return cls(id=document.id, title=clean(document.title), file=name, sections=len(document.sections))


class DocumentsResult(_Record):
    """The documents of the collection that fit, and how many there are besides those listed."""

    documents: tuple[DocumentResult, ...]
    more: int = 0

    @classmethod
    def of(cls, documents: Iterable[DocumentInfo], search: str, limit: int) -> Self:
        """Return at most ``limit`` of the documents that have every word of ``search`` in title or file name."""
        words = search.casefold().split()
        found = [each for each in map(DocumentResult.of, documents) if _has(each, words)]
        return cls(documents=tuple(found[:limit]), more=max(0, len(found) - limit))

    def text(self) -> str:
        """Return a line for each document."""
        lines = [f"{each.title} ({each.file}, sections: {each.sections})" for each in self.documents]
        more = [f"... and {self.more:,} more"] if self.more else []
        return "\n".join([*lines, *more]) or "No document fits."


def _has(document: DocumentResult, words: Sequence[str]) -> bool:
    said = f"{document.title} {document.file}".casefold()
    return all(word in said for word in words)


class TraceResult(_Record):
    """A run with all of its hops, or a list of runs."""

    run: Run | None = None
    runs: tuple[RunSummary, ...] = ()


def section_uri(section_id: str) -> str:
    """Return the address of a section's resource."""
    return f"multicube://section/{quote(section_id, safe='')}"
