"""What a knowledge base holds, what was set aside, and what is out of date."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ..core.records import Problem
from ..index.vector_index import is_indexed
from ..store.catalog import Catalog
from ..store.vectors import VectorStore

__all__ = ["Status", "gather"]


@dataclass(frozen=True, slots=True)
class Status:
    """What a knowledge base holds. ``bytes`` maps its parts to their size on disk.

    ``engine`` is the one of the last ingest, "" before the first; ``encoder`` the fingerprint of the one that
    embedded, None before anything was. ``outdated`` counts documents that another engine or another ontology
    read. ``indexed`` says whether the vectors are in step with the catalog, ``complete`` that no ingest was
    left unfinished.
    """

    path: Path
    generation: int
    documents: int
    sections: int
    facts: int
    vectors: int
    corrections: int
    engine: str
    ontology: str
    encoder: str | None
    complete: bool
    indexed: bool
    outdated: int
    problems: tuple[Problem, ...] = ()
    bytes: Mapping[str, int] = field(default_factory=dict)


def gather(catalog: Catalog, store: VectorStore, ontology: str, ontology_hash: str) -> Status:
    """Look everything up; loads neither Chroma nor an encoder."""
    folder = catalog.path.parent
    counts = catalog.counts()
    engine = catalog.meta("engine") or ""
    with catalog.reading():
        return Status(
            path=folder,
            generation=catalog.number("generation"),
            documents=counts["documents"],
            sections=counts["sections"],
            facts=counts["facts"],
            vectors=counts["vectors"],
            corrections=counts["corrections"],
            engine=engine,
            ontology=ontology,
            encoder=catalog.meta("encoder"),
            complete=catalog.meta("complete") == "1",
            indexed=is_indexed(catalog, store),
            outdated=len(catalog.outdated(engine, ontology_hash)),
            problems=tuple(catalog.problems()),
            bytes=_sizes(folder),
        )


def _sizes(folder: Path) -> dict[str, int]:
    """Bytes on disk by part: catalog, chroma, runs, ..."""
    sizes: dict[str, int] = {}
    for place, _, files in os.walk(folder):
        for file in files:
            path = Path(place, file)
            part = path.relative_to(folder).parts[0].split(".")[0]
            with suppress(OSError):  # another process may delete it meanwhile
                sizes[part] = sizes.get(part, 0) + path.stat().st_size
    return dict(sorted(sizes.items()))
