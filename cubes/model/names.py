"""The names of subjects by the words in them, as columns (see `columns`): names are matched without all being read."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.columns import Array, Arrays, PackedGroups, PackedStrings, packed
from ..core.folding import words

__all__ = ["SubjectNames", "name_columns"]


class SubjectNames:
    """What subjects are called: each key once, in order, with the name that the last cube that has it gives it."""

    def __init__(self, arrays: Arrays, texts: PackedStrings) -> None:
        self._texts = texts
        self._keys, self._spelt = arrays["name.key"].data, arrays["name.text"].data
        self._words, self._having = PackedStrings(arrays, "name.word"), PackedGroups(arrays, "name")

    def key(self, name: int) -> str:
        """Return the key of a name."""
        return self._texts.text(self._keys[name])

    def text(self, name: int) -> str:
        """Return a name as it is written."""
        return self._texts.text(self._spelt[name])

    def find(self, key: str) -> int:
        """Return the name with a key, -1 where no subject has it."""
        number = self._texts.find(key)
        place = bisect_left(self._keys, number)
        return place if number >= 0 and place < len(self._keys) and self._keys[place] == number else -1

    def with_word(self, word: str, cube: int | None = None) -> Sequence[int]:
        """Return the names that a word (see `folding.words`) stands in, in order; ``cube`` by its number."""
        place = self._words.find(word)
        return self._having.of(place, _stretch(cube)) if place >= 0 else ()

    def with_stem(self, stem: str) -> Sequence[int]:
        """Return the names that a word with such a beginning stands in; one may come several times."""
        found = self._words.starting(stem)
        return self._having.between(found.start, found.stop, _stretch(None))

    def starting(self, start: str) -> Iterator[int]:
        """Yield the names whose key begins so."""
        place = bisect_left(range(len(self._keys)), start, key=self.key)
        while place < len(self._keys) and self.key(place).startswith(start):
            yield place
            place += 1


def name_columns(cubes: Sequence[tuple[Array, Array]], texts: Sequence[str]) -> dict[str, Array]:
    """Lay down the names of subjects: of each cube in turn the numbers of their keys, and of what they are called."""
    called = {key: text for keys, named in cubes for key, text in zip(keys.tolist(), named.tolist(), strict=True)}
    keys = np.array(sorted(called), dtype=np.int64)
    spelt = np.array([called[key] for key in keys.tolist()], dtype=np.int64)
    known: dict[str, int] = {}
    on, at, having = array("i"), array("i"), array("i")
    for stretch, (some, named) in enumerate([(keys, spelt), *cubes]):
        for name, text in zip(np.searchsorted(keys, some).tolist(), named.tolist(), strict=True):
            found = [known.setdefault(word, len(known)) for word in dict.fromkeys(words(texts[text]))]
            at.extend(found)
            having.extend([name] * len(found))
            on.extend([stretch] * len(found))
    ordered = sorted(known)
    places = np.empty(len(known), dtype=np.int64)
    places[[known[word] for word in ordered]] = np.arange(len(known))
    return {
        **packed("name.word", ordered),
        "name.key": keys.astype(np.int32),
        "name.text": spelt.astype(np.int32),
        **PackedGroups.packed(
            "name", places[np.array(at, dtype=np.int64)], np.array(having), np.array(on), count=len(cubes) + 1
        ),
    }


def _stretch(cube: int | None) -> int:
    """The names of all cubes come first."""
    return 0 if cube is None else cube + 1
