"""Labels: the values on one dimension of a cube, with the sections each of them tags (MultiCube-RAG 3.2)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ..core.columns import Arrays, PackedGroups, PackedStrings
from ..core.dates import parse_date, parse_period
from ..core.folding import base_key, fold, split_qualifier, words
from ..core.quantities import parse_quantity
from ..core.records import Section
from .ontology import Dimension

__all__ = [
    "VALUE_KINDS",
    "Axis",
    "Label",
    "LabelSearch",
    "LabelTable",
    "Occurrences",
    "Ordinals",
    "SectionTexts",
    "TableLabelSearch",
    "label_key",
    "label_kind",
]  # fmt: skip

VALUE_KINDS = frozenset({"date", "quantity", "text"})
"""What is no name: brackets behind it are part of it."""

_LABELS_KEPT = 1 << 15

Ordinals = npt.NDArray[np.int64]
"""Positions of sections in the knowledge base's order, ascending."""


def label_key(text: str, kind: str) -> str:
    """Return the key under which labels of one kind merge: dates and quantities by value, all else folded."""
    if kind == "date":
        date = parse_date(text)
        return date.key() if date is not None else fold(text)
    if kind == "quantity":
        quantity = parse_quantity(text)
        return quantity.key() if quantity is not None else fold(text)
    return fold(text)


def label_kind(dimension: Dimension) -> str:
    """Return the kind of a dimension's labels; those of a relation are its phrases."""
    return "text" if dimension.role == "relation" else dimension.kind


class SectionTexts:
    """The sections in order, by id."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections

    def __len__(self) -> int:
        return len(self.sections)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids in order; sections of a stored generation give them without being made."""
        known: tuple[str, ...] | None = getattr(self.sections, "ids", None)
        return known if known is not None else tuple(section.id for section in self.sections)

    @cached_property
    def ordinals(self) -> Mapping[str, int]:
        """Section id -> its place in the order."""
        return {section_id: n for n, section_id in enumerate(self.ids)}


class Occurrences(Mapping[str, int]):
    """Which sections a label tags and how often its entity occurs in each."""

    def __init__(self, texts: SectionTexts, ordinals: Sequence[int], counts: Sequence[int]) -> None:
        self._texts = texts
        self._ordinals = ordinals
        self._counts = counts

    @cached_property
    def ordinals(self) -> Ordinals:
        """The sections as positions in the knowledge base's order, ascending."""
        return np.array(self._ordinals, dtype=np.int64)

    @cached_property
    def counts(self) -> Ordinals:
        """The counts belonging to `ordinals`."""
        return np.array(self._counts, dtype=np.int64)

    def __getitem__(self, section_id: str) -> int:
        ordinal = self._texts.ordinals[section_id]
        place = bisect_left(self._ordinals, ordinal)
        if place == len(self._ordinals) or self._ordinals[place] != ordinal:
            raise KeyError(section_id)
        return self._counts[place]

    def __iter__(self) -> Iterator[str]:
        return (self._texts.ids[ordinal] for ordinal in self._ordinals)

    def __len__(self) -> int:
        return len(self._ordinals)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, slots=True)
class Label:
    """A value on a dimension. ``text`` is its most frequent spelling, ``key`` what all its spellings share.

    ``sections`` maps section ids to how often the label's words occur in the section's text, at least 1.
    """

    text: str
    key: str
    sections: Occurrences

    @property
    def qualifier(self) -> str:
        """What stands in brackets behind the name ("1929 film"), or ""."""
        return split_qualifier(self.text)[1]


class LabelTable:
    """The labels of all dimensions, one after the other, each dimension's by key; see `labelling`."""

    def __init__(self, arrays: Arrays, words: PackedStrings, texts: SectionTexts) -> None:
        self.words = words
        self.keys = arrays["label.key"].data
        self.stretches = arrays["label.stretches"].data
        self.bases, self.years = PackedGroups(arrays, "base"), PackedGroups(arrays, "year")
        self._texts = texts
        self._spelt = arrays["label.text"].data
        self._ends = arrays["label.ends"].data
        self._sections = arrays["label.sections"].data
        self._counts = arrays["label.counts"].data
        self.label = lru_cache(_LABELS_KEPT)(self.made)

    def text(self, label: int) -> str:
        """Return a label's text."""
        return self.words[self._spelt[label]]

    def key(self, label: int) -> str:
        """Return a label's key."""
        return self.words[self.keys[label]]

    def made(self, label: int) -> Label:
        """Make a label; ``label`` keeps those asked for last."""
        held = slice(self._ends[label], self._ends[label + 1])
        sections = Occurrences(self._texts, self._sections[held], self._counts[held])
        return Label(self.text(label), self.key(label), sections)

    def in_order(self, labels: Sequence[int]) -> list[int]:
        """Sort labels by text: the numbers of words ascend as the words do."""
        return sorted(labels, key=lambda label: (self._spelt[label], self.keys[label]))


class LabelSearch(Protocol):
    """Looks up labels of one dimension and returns their numbers in the table."""

    def keyed(self, keys: Sequence[str]) -> int | None:
        """Return the label with the first of these keys that is one."""
        ...

    def adding_to(self, base: str) -> Sequence[int]:
        """Return the labels that are a name with a qualifier."""
        ...

    def of_years(self, years: Sequence[int]) -> Sequence[int]:
        """Return the labels that are dates in these years, one year after the other."""
        ...


class TableLabelSearch:
    """Looks labels up in the table itself (implements `LabelSearch`)."""

    def __init__(self, table: LabelTable, number: int) -> None:
        self._table = table
        self._number = number
        self.held = range(table.stretches[number], table.stretches[number + 1])

    def keyed(self, keys: Sequence[str]) -> int | None:
        """Return the label with the first of these keys that is one."""
        return next((place for key in keys if (place := self._place(key)) is not None), None)

    def adding_to(self, base: str) -> Sequence[int]:
        """Return the labels that are a name with a qualifier."""
        key = self._table.words.find(base)
        return self._table.bases.of(key, self._number) if key >= 0 else ()

    def of_years(self, years: Sequence[int]) -> Sequence[int]:
        """Return the labels that are dates in these years, one year after the other."""
        return [label for year in years for label in self._table.years.of(year, self._number)]

    def bases(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield every name that labels add a qualifier to, with these labels."""
        for key in self._table.bases.keys(self._number):
            yield self._table.words[key], self._table.bases.of(key, self._number)

    def years(self) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield every year that labels are dates in, with these labels."""
        for year in self._table.years.keys(self._number):
            yield year, self._table.years.of(year, self._number)

    def _place(self, key: str) -> int | None:
        word, keys = self._table.words.find(key), self._table.keys
        if word < 0:
            return None
        place = bisect_left(keys, word, self.held.start, self.held.stop)
        return place if place < self.held.stop and keys[place] == word else None


class Axis:
    """One dimension of a cube: its labels by key, by base name without qualifier, and, for dates, by year.

    ``search`` is where labels are looked up: the table where none is given.
    """

    def __init__(
        self, dimension: Dimension, table: LabelTable, own: TableLabelSearch, search: LabelSearch | None = None
    ) -> None:
        self.dimension = dimension
        self._kind = label_kind(dimension)
        self._table = table
        self._own = own
        self._held = own.held
        self._search: LabelSearch = own if search is None else search

    @property
    def by_value(self) -> bool:
        """Whether labels are dates or quantities, which match by value and never by similarity."""
        return self._kind in ("date", "quantity")

    def __len__(self) -> int:
        return len(self._held)

    def labels(self) -> list[Label]:
        """Return every label, sorted by text."""
        return [self._table.made(number) for number in self._table.in_order(self._held)]

    def named(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the text of every label, in no order."""
        return ((self._table.key(number), self._table.text(number)) for number in self._held)

    def find(self, key: str) -> Label | None:
        """Return the label with this key; a spelling serves as well."""
        number = self._search.keyed([key, label_key(key, self._kind)]) if self._held else None
        return self._table.label(number) if number is not None else None

    def groups(self) -> Iterator[tuple[str, list[str]]]:
        """Yield names that labels add a qualifier to, and years that labels are dates in, with these labels' keys."""
        for base, labels in self._own.bases():
            yield base, [self._table.key(label) for label in labels]
        for year, labels in self._own.years():
            yield str(year), [self._table.key(label) for label in labels]

    def lookup(self, entity: str) -> list[Label]:
        """Return the labels that the entity names exactly (eq. 8), the closest first.

        A name with a qualifier takes the label that has it too, else those whose qualifier does not
        contradict it. A bare name takes the label that equals it and those that add a qualifier. A date takes
        the dates within it.
        """
        if not self._held:
            return []
        if self._kind == "date":
            return self._dated(entity)
        label = self.find(entity)
        if self._kind in VALUE_KINDS:
            return [label] if label is not None else []
        qualifier = split_qualifier(entity)[1]
        if label is not None and qualifier:
            return [label]
        base = self._adding_to(base_key(entity))
        if qualifier:
            bare = self.find(split_qualifier(entity)[0])
            base = [other for other in base if not _contradict(qualifier, other.qualifier)]
            return ([bare] if bare is not None else []) + base
        if label is None:
            return base
        return [label] + [other for other in base if other.key != label.key]

    def _dated(self, entity: str) -> list[Label]:
        """Roll up by value: "1993" and "the 1990s" take every date within them."""
        exact = self.find(entity)
        found = [exact] if exact is not None else []
        asked = parse_date(entity)
        if asked is not None:
            within = [label for label in self._of_years([asked.year])
                      if (date := parse_date(label.key)) is not None and asked.contains(date)]  # fmt: skip
        elif period := parse_period(entity):
            within = self._of_years(range(period[0], period[1] + 1))
        else:
            within = []
        return found + [label for label in within if exact is None or label.key != exact.key]

    def _adding_to(self, base: str) -> list[Label]:
        """The labels that are a name with a qualifier."""
        return [self._table.label(number) for number in self._search.adding_to(base)]

    def _of_years(self, years: Sequence[int]) -> list[Label]:
        return [self._table.label(number) for number in self._search.of_years(years)]


def _contradict(left: str, right: str) -> bool:
    """Whether two qualifiers cannot mean the same thing: other years, or not one word in common.

    "1921 film" and "1929 film" contradict each other, "film" and "1921 film" do not.
    """
    ours, theirs = set(words(left)), set(words(right))
    years, their_years = ({word for word in side if word.isdigit()} for side in (ours, theirs))
    if years and their_years and not years & their_years:
        return True
    return not ours & theirs
