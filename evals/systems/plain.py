"""Baselines of one look-up: none at all, rank_bm25 as it is installed, and naive RAG over chunks of equal size."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from ...cubes.errors import UsageError
from ...cubes.lexical import tokens
from ...cubes.records import Retrieval, Section
from ...graphs.context import AnswerContext, Knowledge
from ...graphs.evidence import locate
from ...graphs.reasoner import Recalling, SubAnswer
from ...graphs.records import Evidence, LoopSettings
from .beside import beside
from .pipeline import Found, found_by, hits_of

if TYPE_CHECKING:
    from ...agent.facade import MultiCube
    from ...cubes.encoding import Encoder, Vectors
    from ...cubes.knowledge import KnowledgeBase

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

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> Found:  # noqa: ARG002
        """Return no evidence, and what the engine says without any."""
        engine = context.reasoner
        if isinstance(engine, Recalling):
            return Found([], said=engine.recall(question))
        return Found([], said=SubAnswer(), note=_EMPTY)


class RankBm25Search:
    """Ranks sections by the library rank_bm25 itself (BM25Okapi as it comes), over heading path and text."""

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Count the words of every section."""
        from rank_bm25 import BM25Okapi

        sections = asker.kb.sections()
        self._ids = [section.id for section in sections]
        self._index = BM25Okapi([tokens(f"{' '.join(section.path)}\n{section.text}") for section in sections])
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> Found:
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
        encoder = asker.kb.encoder
        if encoder is None:
            raise UsageError("Naive RAG is dense retrieval, which needs an encoder, and none is open here.")
        self._encoder: Encoder = encoder
        self._chunks = chunks_of(asker.kb.sections())
        self._vectors = self._embedded(asker.kb)
        return asker

    def _embedded(self, kb: KnowledgeBase) -> Vectors:
        """The chunks' vectors, kept beside the knowledge base, since a run asks in several processes."""
        texts = [chunk.text for chunk in self._chunks]
        told = hashlib.blake2b("\0".join((self._encoder.fingerprint, *texts)).encode(), digest_size=16).hexdigest()
        with beside(kb, "naive") as folder:
            path = folder / f"{told}.npy"
            if path.is_file():
                kept: Vectors = np.load(path)
                return kept
            made = self._encoder.encode(texts)
            folder.mkdir(exist_ok=True)
            with (folder / "writing.part").open("wb") as file:
                np.save(file, made)
            (folder / "writing.part").replace(path)
            return made

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> Found:
        """Return the chunks nearest to the question."""
        cosines = self._vectors @ self._encoder.encode([question])[0]
        best = [self._chunks[n] for n in np.argsort(-cosines, kind="stable")[:_DEEP].tolist()]
        scores = np.sort(-cosines, kind="stable")[:_DEEP]
        evidence = [
            _evidence(chunk, rank, float(-score), question, context.knowledge)
            for rank, (chunk, score) in enumerate(zip(best, scores, strict=True), 1)
        ]
        ranked = tuple(dict.fromkeys(chunk.record_id for chunk in best))
        return Found(evidence[: settings.sections_per_hop], ranked)


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


def _evidence(chunk: Chunk, rank: int, score: float, question: str, knowledge: Knowledge) -> Evidence:
    span = locate(chunk.text, question)
    return Evidence(
        section_id=chunk.id,
        document_id=chunk.document_id,
        record_id=chunk.record_id,
        title="",
        source=knowledge.document(chunk.document_id).source,
        text=chunk.text,
        sentence=chunk.text[span.start : span.end],
        start=span.start,
        end=span.end,
        rank=rank,
        score=score,
        retriever="naive",
    )
