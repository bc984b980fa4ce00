"""Loading a data set: a folder in the own layout, a published set that is converted first, or the bundled sample."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from ...cubes.core.errors import InputError
from ...cubes.core.folding import fold
from .dataset import ABOUT, CorpusRow, Dataset, Question, file_digest, required_file, unique_rows
from .formats.converting import prepared
from .formats.downloading import cache_folder

__all__ = ["load_dataset"]


def load_dataset(folder: str | Path, format: str | None = None) -> Dataset:
    """Read a data set folder; "sample" names the bundled one, other names a folder of ``MULTICUBE_DATA``.

    One in a published format (``format`` names it where that is not plain) is converted in the user's cache first.
    Raises UsageError where the folder or one of its two files is missing, InputError for a record that cannot
    be used.
    """
    root = _in_own_layout(folder, format)
    corpus, questions = required_file(root, "corpus.jsonl"), required_file(root, "questions.jsonl")
    documents = list(unique_rows(corpus, CorpusRow))
    ids, titles = frozenset(d.id for d in documents), frozenset(fold(str(d.title)) for d in documents)
    rows = tuple(unique_rows(questions, Question))
    if not rows:
        raise InputError(f"{questions}: the file holds no question; add at least one line.")
    return Dataset(_name(root), root, rows, len(rows), ids, file_digest(corpus), file_digest(questions), titles)


def _in_own_layout(folder: str | Path, format: str | None) -> Path:
    """The folder itself, or the one that its conversion is kept in."""
    place = hashlib.blake2b(f"{Path(folder).expanduser().resolve()}\0{format}".encode(), digest_size=8).hexdigest()
    return prepared(folder, cache_folder() / "converted" / place, format)


def _name(root: Path) -> str:
    """A converted data set's name is that of its source."""
    try:
        return str(json.loads((root / ABOUT).read_text("utf-8"))["name"])
    except (OSError, ValueError, LookupError, TypeError):
        return root.resolve().name
