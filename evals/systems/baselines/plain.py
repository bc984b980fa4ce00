"""Baselines of one look-up: none at all, rank_bm25 as it is installed, and naive RAG over chunks of equal size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ....cubes.core.lexical import tokens
from ....cubes.core.records import Retrieval, Section
from ....graphs.context import AnswerContext
from ....graphs.reasoner import ClosedBookReasoner, SubAnswer
from ....graphs.records import LoopSettings
from .pipeline import RetrievedSections, found_by, hits_of, text_evidence
from .side_folders import encoder_of, vectors_beside

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["CHUNK_WORDS", "OVERLAP_WORDS", "Chunk", "NaiveSearch", "NoSearch", "RankBm25Search", "chunks_of"]

CHUNK_WORDS, OVERLAP_WORDS = 200, 40
"""The size of naive RAG's chunks, and how much of each the next one repeats, in words."""
_DEEP = 30  # several chunks or sections may be of one document
_WORD = re.compile(r"\S+")
_EMPTY = "Nothing was retrieved, and the embedded engine knows nothing by itself."


class NoSearch:
    """Retrieves nothing: a model answers from what it knows, the embedded engine abstains."""

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Nothing is indexed."""
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:  # noqa: ARG002
        """Return no evidence, and what the engine says without any."""
        engine = context.reasoner
        if isinstance(engine, ClosedBookReasoner):
            return RetrievedSections([], said=engine.recall(question))
        return RetrievedSections([], said=SubAnswer(), note=_EMPTY)


class RankBm25Search:
    """Ranks sections by the library rank_bm25 itself (BM25Okapi as it comes), over heading path and text."""

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Count the words of every section."""
        from rank_bm25 import BM25Okapi

        sections = asker.kb.sections()
        self._ids = [section.id for section in sections]
        self._index = BM25Okapi([tokens(f"{' '.join(section.path)}\n{section.text}") for section in sections])
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Return the sections with the highest scores; equal ones in their order, those without a word left out."""
        scores = self._index.get_scores(tokens(question))
        best = [int(n) for n in np.argsort(-scores, kind="stable")[:_DEEP] if scores[n] > 0]
        ranked = [(self._ids[n], float(scores[n])) for n in best]
        return found_by(Retrieval(hits_of(ranked, "rank_bm25")), question, context, settings, "rank_bm25")


@dataclass(frozen=True, slots=True)
class Chunk:
    """So many words of a document, whatever its chapters; ``record_id`` is the document's corpus id."""

    id: str
    document_id: str
    record_id: str
    text: str


class NaiveSearch:
    """Naive RAG: chunks of `CHUNK_WORDS` words that overlap, the nearest by cosine. It knows no sections and no cubes.

    A chunk is read as plain text: without heading path and title, and without the facts of cells.
    """

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Cut all documents and embed the chunks with the encoder of the knowledge base."""
        self._encoder = encoder_of(asker.kb, "Naive RAG")
        self._chunks = chunks_of(asker.kb.sections())
        self._vectors = vectors_beside(asker.kb, "naive", self._encoder, [chunk.text for chunk in self._chunks])
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Return the chunks nearest to the question."""
        cosines = self._vectors @ self._encoder.encode([question])[0]
        best = [self._chunks[n] for n in np.argsort(-cosines, kind="stable")[:_DEEP].tolist()]
        scores = np.sort(-cosines, kind="stable")[:_DEEP]
        evidence = [
            text_evidence(chunk, chunk.text, rank, float(-score), question, context.knowledge, "naive")
            for rank, (chunk, score) in enumerate(zip(best, scores, strict=True), 1)
        ]
        ranked = tuple(dict.fromkeys(chunk.record_id for chunk in best))
        return RetrievedSections(evidence[: settings.sections_per_hop], ranked)


def chunks_of(
    sections: Sequence[Section], words: int = CHUNK_WORDS, overlap: int = OVERLAP_WORDS
) -> tuple[Chunk, ...]:
    """Cut documents into chunks of so many words, each with the last ``overlap`` words of the one before.

    A document's text begins with its title, as in a file; spaces and line ends within a chunk stay as they are.
    """
    return tuple(
        Chunk(f"{document_id}#chunk{number}", document_id, held[0].record_id, text)
        for document_id, group in groupby(sections, key=lambda section: section.document_id)
        for held in [list(group)]
        for number, text in enumerate(_cut("\n".join([held[0].title, *(s.text for s in held)]), words, overlap))
    )


def _cut(text: str, words: int, overlap: int) -> Iterator[str]:
    places = [found.span() for found in _WORD.finditer(text)]
    for first in range(0, max(len(places) - overlap, 1), words - overlap):
        held = places[first : first + words]
        if held:
            yield text[held[0][0] : held[-1][1]]
