"""Facts of a section by a language model: all dimensions of all cubes in one request (MultiCube-RAG eq. 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...cubes.ontology import CubeSpec, Ontology
from ...cubes.records import Document, Fact, Section, Span
from ...prompts import Shelf
from . import replies, wording
from .client import ModelClient
from .quoting import find, sentence_around
from .reasoner import VERSION

__all__ = ["LlmExtractor"]

VERBATIM, ELSEWHERE = 0.9, 0.7
"""How far a fact is trusted: its value stands in the quote; only somewhere in the section."""


class LlmExtractor:
    """Reads sections with a language model.

    A value that the section does not hold is no fact of it and is left out: the model may know it, the section does
    not say it. ``concurrency`` says how many sections the ingest may have read at a time.
    """

    def __init__(self, ontology: Ontology, shelf: Shelf, client: ModelClient, *, concurrency: int = 8) -> None:
        self._ontology, self._shelf, self._client = ontology, shelf, client
        self._schema = wording.schema_of(ontology)
        self.concurrency = concurrency

    @property
    def version(self) -> str:
        """Engine, model and prompt: another of them reads a corpus anew."""
        return f"{VERSION} {self._client.label} {self._shelf['section_extraction'].fingerprint}"

    def prepare(self, documents: Sequence[Document]) -> None:
        """Nothing to prepare: each section is read by itself."""

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the section's facts; raises ModelError where the reply cannot be used."""
        values = {
            "schema": self._schema,
            "title": " > ".join(section.path) or document.title,
            "section": section.text,
        }
        prompt = self._shelf["section_extraction"].fill(values)
        reply = self._client.ask("extract", prompt, replies.Extraction)
        return list(dict.fromkeys(self._grounded(reply.facts, section)))

    def _grounded(self, facts: Sequence[replies.ExtractedFact], section: Section) -> Iterator[Fact]:
        cubes = {spec.id: spec for spec in self._ontology.cubes}
        for said in facts:
            spec = cubes.get(said.cube.strip())
            if spec is None or not said.subject.strip():
                continue
            yield from _fact(said, spec, section)


def _fact(said: replies.ExtractedFact, spec: CubeSpec, section: Section) -> Iterator[Fact]:
    """The fact, if its dimension exists and its value stands in the section."""
    try:
        dimension = spec.dimension(said.dimension.strip())
    except KeyError:
        return
    place = _place(said, section.text)
    if place is None:
        return
    span, trust = place
    axis = spec.dimension(dimension.target) if dimension.target else dimension
    yield Fact(
        section_id=section.id,
        cube=spec.id,
        dimension=dimension.id,
        subject=" ".join(said.subject.split()),
        relation=" ".join(said.relation.split()) or dimension.id,
        value=section.text[span.start : span.end],
        kind=axis.kind,
        span=span,
        sentence=sentence_around(span, section.text),
        confidence=trust,
        origin=VERSION,
    )


def _place(said: replies.ExtractedFact, text: str) -> tuple[Span, float] | None:
    """Where the value stands: inside the quote if it can be found, else at its first place in the section."""
    quoted = find(said.quote, text)
    if quoted is not None:
        inside = find(said.value, text[quoted.start : quoted.end])
        if inside is not None:
            return Span(quoted.start + inside.start, quoted.start + inside.end), VERBATIM
    anywhere = find(said.value, text)
    return (anywhere, ELSEWHERE) if anywhere is not None else None
