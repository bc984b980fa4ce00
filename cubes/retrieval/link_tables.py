"""What following links looks up: words and titles by section, as columns (see `columns`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.columns import Array, Arrays, PackedGroups, PackedStrings, packed
from ..core.folding import split_qualifier
from ..core.lexical import Postings, posted
from ..core.memory import collecting_later
from ..core.records import Section
from .wording import asked_words, stems

__all__ = ["LONGEST", "LinkTables", "key_of", "link_columns"]

LONGEST = 12
"""Words of a name or title that are looked up."""


class LinkTables:
    """Where each stem stands, and the sections of each title, by the ordinal of the section."""

    def __init__(self, arrays: Arrays) -> None:
        self.postings = Postings(arrays)
        self._titles = PackedStrings(arrays, "titles").numbers()
        self._begins = {title.split(b" ", 1)[0] for title in self._titles}
        self._titled = PackedGroups(arrays, "titled")

    def titled(self, key: str) -> Sequence[int]:
        """Return the sections that a title belongs to, ascending; see `key_of`."""
        title = self._titles.get(key.encode())
        return self._titled.of(title) if title is not None else ()

    def begins(self, stem: str) -> bool:
        """Whether any title begins with this stem."""
        return stem.encode() in self._begins


def link_columns(sections: Sequence[Section]) -> dict[str, Array]:
    """Read the tables out of the sections; a title's words count twice."""
    with collecting_later():
        words = (2 * stems(" ".join(section.path)) + stems(section.text) for section in sections)
        titled = sorted({(key, n) for n, section in enumerate(sections) for key in _title_keys(section.title)})
        titles = sorted({key for key, _ in titled})
        numbers = {key: n for n, key in enumerate(titles)}
        return {
            **posted(words, shares=np.float32),
            **packed("titles", titles),
            **PackedGroups.packed(
                "titled",
                np.array([numbers[key] for key, _ in titled], dtype=np.int64),
                np.array([ordinal for _, ordinal in titled], dtype=np.int64),
            ),
        }


def key_of(title: str) -> str:
    """Return the stems under which a title or name is looked up."""
    return " ".join(stems(title)[:LONGEST])


def _title_keys(title: str) -> set[str]:
    """The keys of a title with and without its bracketed qualifier; none where nothing but small words is left."""
    return {key_of(form) for form in (title, split_qualifier(title)[0]) if asked_words(form)}
