"""A sample of a corpus's documents: the same for a seed, wherever the files lie and in whichever order they come."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import InputError
from ..core.records import Document, Problem, Section
from ..documents.folders import scan
from ..documents.loaders import load
from ..documents.sections import split

__all__ = ["SAMPLE", "Sample", "sample_documents"]

SAMPLE = 200
"""Documents that a design reads, if nothing else is said."""
MAX_CHARS = 6_000
"""How much of a document is read: what it is about stands at its beginning."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Documents drawn from ``total``, and what could not be read."""

    documents: tuple[Document, ...]
    total: int
    problems: tuple[Problem, ...] = ()

    def sections(self) -> Iterator[Section]:
        """Yield the beginnings of the documents, section by section."""
        for document in self.documents:
            left = MAX_CHARS
            for section in split(document):
                if left <= 0:
                    break
                left -= len(section.text)
                yield section


def sample_documents(paths: Sequence[Path], count: int = SAMPLE, seed: int = 0) -> Sample:
    """Draw documents with text from files and folders; the corpus is streamed and never held whole.

    Raises InputError where there is none.
    """
    drawn: list[tuple[int, int, Document]] = []
    problems: list[Problem] = []
    total = 0
    for path in scan(paths):
        for item in load(path):
            if isinstance(item, Problem):
                problems.append(item)
            elif item.text.strip():
                total += 1
                entry = (-_lot(item, seed), total, item)
                (heapq.heappush if len(drawn) < count else heapq.heappushpop)(drawn, entry)
    if not drawn:
        raise InputError("There is no document with text among what was named.")
    chosen = sorted(drawn, key=lambda entry: (-entry[0], entry[2].title))
    return Sample(tuple(document for _, _, document in chosen), total, tuple(problems))


def _lot(document: Document, seed: int) -> int:
    content = f"{seed}\0{document.title}\0{document.text[:500]}".encode(errors="replace")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big")
