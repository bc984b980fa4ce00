"""Folders beside a knowledge base for what a system indexes besides: made once, whichever process comes first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from filelock import FileLock

from ....cubes.core.errors import UsageError

if TYPE_CHECKING:
    from ....cubes.core.encoding import Encoder, Vectors
    from ....cubes.knowledge.base import KnowledgeBase

__all__ = ["beside", "encoder_of", "folder_beside", "section_vectors", "vectors_beside"]


def folder_beside(kb: KnowledgeBase, name: str) -> Path:
    """Return where a system keeps what it indexes: "kb-smart" beside "kb"."""
    return kb.path.with_name(f"{kb.path.name}-{name}")


@contextmanager
def beside(kb: KnowledgeBase, name: str) -> Iterator[Path]:
    """Hold a system's folder while it is filled; another process waits, and finds it filled.

    Raises UsageError where nothing can be written there.
    """
    folder = folder_beside(kb, name)
    try:
        with FileLock(folder.with_name(f"{folder.name}.lock")):
            yield folder
    except PermissionError as error:
        raise UsageError(
            f"The system {name} keeps its index in {folder}, which cannot be written; move the knowledge base to where "
            "it can."
        ) from error


def encoder_of(kb: KnowledgeBase, called: str) -> Encoder:
    """Return the encoder of a knowledge base; UsageError where none is open, for a system that retrieves by meaning."""
    if kb.encoder is None:
        raise UsageError(f"{called} is dense retrieval, which needs an encoder, and none is open here.")
    return kb.encoder


def vectors_beside(kb: KnowledgeBase, name: str, encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts; they are kept beside the knowledge base, since a run asks in several processes."""
    told = hashlib.blake2b("\0".join((encoder.fingerprint, *texts)).encode(), digest_size=16).hexdigest()
    with beside(kb, name) as folder:
        path = folder / f"{told}.npy"
        if path.is_file():
            kept: Vectors = np.load(path)
            return kept
        made = encoder.encode(texts)
        folder.mkdir(exist_ok=True)
        with (folder / "writing.part").open("wb") as file:
            np.save(file, made)
        (folder / "writing.part").replace(path)
        return made


def section_vectors(kb: KnowledgeBase, encoder: Encoder) -> Vectors:
    """Return the vectors of all sections under their headings, in their order."""
    return vectors_beside(kb, "sections", encoder, ["\n".join((*one.path, one.text)) for one in kb.sections()])
