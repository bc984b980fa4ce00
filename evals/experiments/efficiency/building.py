"""Knowledge bases to measure on: built once, in a process of their own, with what that cost."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ....cubes.core.errors import InputError
from ...datasets.dataset import Dataset
from ...machine import index_bytes, peak_rss_mb
from .kept import Row
from .options import Session

if TYPE_CHECKING:
    from ....cubes.core.encoding import Encoder

__all__ = ["BUILT", "apart", "build", "built"]

BUILT = "built"
"""The kind of figure that a knowledge base built is."""

Found = TypeVar("Found")


def built(session: Session, dataset: Dataset, name: str, *, ontology: str | None = None) -> tuple[Path, Row]:
    """Return the knowledge base of a data set's corpus, built unless it is there, and what building it cost.

    Raises InputError where the corpus yields nothing to search.
    """
    path, under = session.options.work / f"kb-{name}", session.conditions.building(dataset, ontology)
    row, whole = session.kept.get(BUILT, name, under), path.with_name(f"{path.name}.built")
    if row is not None and path.is_dir() and whole.is_file() and whole.read_text("utf-8") == under:
        return path, row
    session.say(f"Building a knowledge base of {name}.")
    whole.unlink(missing_ok=True)
    shutil.rmtree(path, ignore_errors=True)  # half built, or of other data or code
    path.parent.mkdir(parents=True, exist_ok=True)
    cost = apart(build, dataset.corpus, path, ontology, encoder=session.options.encoder)
    if not cost["sections"]:
        raise InputError(f"{dataset.corpus}: no record could be read, so there is nothing to search; mend it.")
    row = session.kept.put(BUILT, name, under, {"name": name, "dataset": name, **cost})
    whole.write_text(under, encoding="utf-8")
    return path, row


def build(corpus: Path, path: Path, ontology: str | None, encoder: str | Encoder | None) -> dict[str, Any]:
    """Build a knowledge base and return what it cost: wall-clock and processor time, memory, disk by part."""
    from ....agent.app.facade import MultiCube

    started, used = time.perf_counter(), time.process_time()
    with MultiCube.build([corpus], path, ontology=ontology, encoder=encoder, engine="embedded") as kb:
        seconds, cpu = time.perf_counter() - started, time.process_time() - used
        sections, documents = len(kb.kb.sections()), len(kb.kb.documents())
        if sections:  # so that what readers derive once is there, and is counted
            kb.kb.retriever.linked("anything", k=1)
            kb.kb.retriever.passages("anything", k=1, mode="bm25")
    parts = index_bytes(path)
    return {
        "documents": documents,
        "sections": sections,
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu, 2),
        "sections_per_s": round(sections / seconds, 1),
        "peak_rss_mb": peak_rss_mb(),
        "kb_bytes": sum(parts.values()),
        "parts": parts,
    }


def apart(work: Callable[..., Found], *arguments: Any, encoder: str | Encoder | None) -> Found:
    """Do some work in a process of its own, so that its memory is its own; an encoder object cannot travel."""
    if encoder is not None and not isinstance(encoder, str):
        return work(*arguments, encoder)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments, encoder).result()
