"""What following links looks up, and its file in the knowledge base's folder: words and titles by section.

Reading words out of all sections takes longer than everything else that a first question needs, so whoever writes a
knowledge base leaves them in a file. It is derived: it is used only where it fits the sections it is opened for, and
where it does not, or is not there, the tables are made from the sections.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .folding import split_qualifier
from .lexical import Postings
from .memory import collecting_later
from .records import Section
from .wording import asked_words, stems

__all__ = ["LINKS_FILE", "LONGEST", "LinkTables", "key_of", "link_tables", "read_tables", "write_tables"]

LINKS_FILE = "links.npz"
LONGEST = 12
"""Words of a name or title that are looked up."""

_CODE = ("folding.py", "lexical.py", "linktables.py", "wording.py")


@dataclass(frozen=True, slots=True)
class LinkTables:
    """Where each stem stands, and the sections of each title, by the ordinal of the section."""

    postings: Postings
    titled: Mapping[str, Sequence[int]]


def link_tables(sections: Sequence[Section]) -> LinkTables:
    """Read the tables out of the sections; a title's words count twice."""
    with collecting_later():
        words = (2 * stems(" ".join(section.path)) + stems(section.text) for section in sections)
        postings = Postings(words, shares=np.float32)
        titled: dict[str, list[int]] = {}
        for ordinal, section in enumerate(sections):
            for key in _title_keys(section.title):
                titled.setdefault(key, []).append(ordinal)
    return LinkTables(postings, titled)


def key_of(title: str) -> str:
    """Return the stems under which a title or name is looked up."""
    return " ".join(stems(title)[:LONGEST])


def read_tables(file: Path, sections: Sequence[Section]) -> LinkTables | None:
    """Return the tables that a file holds for exactly these sections; None where it does not, or is no such file."""
    with (
        suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile),
        np.load(file, allow_pickle=False) as held,
    ):
        if held["stamp"].tobytes() == _stamp(sections):
            return _restored(held, len(sections))
    return None


def write_tables(file: Path, sections: Sequence[Section]) -> None:
    """Leave the tables for those who read; all or nothing, and nothing where the folder cannot be written."""
    tables = link_tables(sections)
    ordinals = list(tables.titled.values())
    scratch = file.with_name(f".{file.name}.{os.getpid()}")
    with suppress(OSError):
        with scratch.open("wb") as stream:
            np.savez(
                stream,
                stamp=np.frombuffer(_stamp(sections), dtype=np.uint8),
                words=_packed(tables.postings.vocabulary),
                documents=tables.postings.documents,
                frequency=tables.postings.frequency,
                shares=tables.postings.shares,
                titles=_packed(list(tables.titled)),
                titled=np.array([n for each in ordinals for n in each], dtype=np.int32),
                titled_counts=np.array([len(each) for each in ordinals], dtype=np.int32),
            )
        scratch.replace(file)
    scratch.unlink(missing_ok=True)


def _restored(held: Any, size: int) -> LinkTables:
    postings = Postings.restored(
        _unpacked(held["words"]), held["documents"], held["frequency"], held["shares"], size=size
    )
    ends = np.cumsum(held["titled_counts"]).tolist()
    ordinals = held["titled"].tolist()
    starts = [0, *ends]
    titled = {t: ordinals[a:b] for t, a, b in zip(_unpacked(held["titles"]), starts, ends, strict=False)}
    return LinkTables(postings, titled)


def _packed(texts: Sequence[str]) -> Any:
    """Stems hold no line breaks, so these part them."""
    return np.frombuffer("\n".join(texts).encode(), dtype=np.uint8)


def _unpacked(packed: Any) -> list[str]:
    return packed.tobytes().decode().split("\n") if packed.size else []


def _stamp(sections: Sequence[Section]) -> bytes:
    """A digest of the sections, and of the code that reads words out of them."""
    digest = hashlib.blake2b(_code(), digest_size=16)
    for section in sections:
        digest.update(f"{section.id}\0{section.path}\0{section.text}\0".encode(errors="replace"))
    return digest.digest()


@cache
def _code() -> bytes:
    folder = Path(__file__).parent
    digest = hashlib.blake2b(digest_size=16)
    for name in _CODE:
        with suppress(OSError):
            digest.update((folder / name).read_bytes())
    return digest.digest()


def _title_keys(title: str) -> set[str]:
    """The keys of a title with and without its bracketed qualifier; none where nothing but small words is left."""
    return {key_of(form) for form in (title, split_qualifier(title)[0]) if asked_words(form)}
