"""Labels: the values on one dimension of a cube, with the sections each of them tags (MultiCube-RAG 3.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from .dates import PartialDate, parse_date, parse_period
from .folding import base_key, fold, fold_words, split_qualifier, words
from .ontology import Dimension
from .quantities import parse_quantity
from .records import Section

__all__ = ["Axis", "Label", "Occurrences", "Ordinals", "SectionTexts", "label_key"]

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


class SectionTexts:
    """The sections in order, each with its text folded on demand so that names can be counted in it."""

    def __init__(self, sections: Iterable[Section]) -> None:
        self._sections = list(sections)
        self.ids: tuple[str, ...] = tuple(section.id for section in self._sections)
        self.ordinals: dict[str, int] = {section_id: n for n, section_id in enumerate(self.ids)}
        self._folded: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def count(self, key: str, ordinal: int) -> int:
        """Count a folded name in a section, at least 1: a fact may word it otherwise."""
        folded = self._folded.get(ordinal)
        if folded is None:
            # Two spaces between words, so that neighbouring occurrences do not share one.
            folded = self._folded[ordinal] = f" {'  '.join(fold_words(self._sections[ordinal].text))} "
        return max(1, folded.count(f" {key.replace(' ', '  ')} "))


class Occurrences(Mapping[str, int]):
    """Which sections a label tags and how often its entity occurs in each; counted only when looked at."""

    def __init__(self, texts: SectionTexts, tagged: Collection[int], needle: str) -> None:
        self._texts = texts
        self._tagged = tagged
        self._needle = needle

    @cached_property
    def ordinals(self) -> Ordinals:
        """The sections as positions in the knowledge base's order, ascending."""
        return np.array(sorted(self._tagged), dtype=np.int64)

    @cached_property
    def counts(self) -> Ordinals:
        """The counts belonging to `ordinals`."""
        return np.array([self._count(ordinal) for ordinal in self.ordinals.tolist()], dtype=np.int64)

    def __getitem__(self, section_id: str) -> int:
        ordinal = self._texts.ordinals[section_id]
        if ordinal not in self._tagged:
            raise KeyError(section_id)
        return self._count(ordinal)

    def __iter__(self) -> Iterator[str]:
        return (self._texts.ids[ordinal] for ordinal in self.ordinals.tolist())

    def __len__(self) -> int:
        return len(self._tagged)

    def __repr__(self) -> str:
        return repr(dict(self))

    def _count(self, ordinal: int) -> int:
        return self._texts.count(self._needle, ordinal)


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


class _Raw:
    """A label while it is being gathered: most have one spelling and stand in one section, and need no more room."""

    __slots__ = ("_more", "_sections", "_spelling")

    def __init__(self, text: str, ordinal: int) -> None:
        self._spelling = text
        self._more: dict[str, int] | None = None
        self._sections: int | set[int] = ordinal

    def add(self, text: str, ordinal: int) -> None:
        """Count another occurrence."""
        if self._more is None:
            self._more = {self._spelling: 1}
        self._more[text] = self._more.get(text, 0) + 1
        if isinstance(self._sections, set):
            self._sections.add(ordinal)
        elif self._sections != ordinal:
            self._sections = {self._sections, ordinal}

    @property
    def spellings(self) -> Collection[str]:
        """Every way it is written."""
        return self._more or (self._spelling,)

    @property
    def tagged(self) -> Collection[int]:
        """The ordinals of its sections."""
        return self._sections if isinstance(self._sections, set) else (self._sections,)

    def text(self) -> str:
        """The most frequent spelling, of equals the first by alphabet."""
        if self._more is None:
            return self._spelling
        return min(self._more.items(), key=lambda counted: (-counted[1], counted[0]))[0]


class Axis:
    """One dimension of a cube: its labels by key, by base name without qualifier, and, for dates, by year."""

    def __init__(self, dimension: Dimension, texts: SectionTexts) -> None:
        self.dimension = dimension
        self._kind = "text" if dimension.role == "relation" else dimension.kind
        self._texts = texts
        self._raw: dict[str, _Raw] = {}
        self._labels: dict[str, Label] = {}

    @property
    def by_value(self) -> bool:
        """Whether labels are dates or quantities, which match by value and never by similarity."""
        return self._kind in ("date", "quantity")

    def add(self, text: str, ordinal: int) -> None:
        """Tag a section with a label; a value without a letter or digit is no label."""
        key = label_key(text, self._kind)
        if not key:
            return
        raw = self._raw.get(key)
        if raw is None:
            self._raw[key] = _Raw(text, ordinal)
        else:
            raw.add(text, ordinal)

    def __len__(self) -> int:
        return len(self._raw)

    def labels(self) -> list[Label]:
        """Return every label, sorted by text."""
        return sorted(map(self._label, self._raw), key=lambda label: (label.text, label.key))

    def named(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the text of every label, in no order."""
        return ((key, raw.text()) for key, raw in self._raw.items())

    def find(self, key: str) -> Label | None:
        """Return the label with this key; a spelling serves as well."""
        if key not in self._raw:
            key = label_key(key, self._kind)
        return self._label(key) if key in self._raw else None

    def lookup(self, entity: str) -> list[Label]:
        """Return the labels that the entity names exactly (eq. 8), the closest first.

        A name with a qualifier takes the label that has it too, else those whose qualifier does not
        contradict it. A bare name takes the label that equals it and those that add a qualifier. A date takes
        the dates within it.
        """
        if self._kind == "date":
            return self._dated(entity)
        label = self.find(entity)
        if self._kind in ("quantity", "text"):
            return [label] if label is not None else []
        qualifier = split_qualifier(entity)[1]
        if label is not None and qualifier:
            return [label]
        base = [self._label(key) for key in self._bases.get(base_key(entity), ())]
        if qualifier:
            bare = self.find(split_qualifier(entity)[0])
            base = [other for other in base if not _contradict(qualifier, other.qualifier)]
            return ([bare] if bare is not None else []) + base
        return ([label] if label is not None else []) + [other for other in base if other is not label]

    def _dated(self, entity: str) -> list[Label]:
        """Roll up by value: "1993" and "the 1990s" take every date within them."""
        exact = self.find(entity)
        found = [exact] if exact is not None else []
        asked = parse_date(entity)
        if asked is not None:
            within = [key for key, date in self._years.get(asked.year, ()) if asked.contains(date)]
        elif period := parse_period(entity):
            within = [key for year in range(period[0], period[1] + 1) for key, _ in self._years.get(year, ())]
        else:
            within = []
        return found + [self._label(key) for key in within if exact is None or key != exact.key]

    def _label(self, key: str) -> Label:
        label = self._labels.get(key)
        if label is None:
            raw = self._raw[key]
            text = raw.text()
            sections = Occurrences(self._texts, raw.tagged, self._needle(text))
            label = self._labels[key] = Label(text, key, sections)
        return label

    def _needle(self, text: str) -> str:
        """What to count in a section: a name without its qualifier, which running text leaves out."""
        return fold(text) if self._kind in ("date", "quantity", "text") else base_key(text)

    @cached_property
    def _bases(self) -> Mapping[str, Sequence[str]]:
        """Base key -> keys of the labels that are that name with a qualifier."""
        bases: dict[str, list[str]] = {}
        for key in sorted(self._raw):
            for base in {base_key(text) for text in self._raw[key].spellings if text.endswith(")")}:
                if base != key:
                    bases.setdefault(base, []).append(key)
        return bases

    @cached_property
    def _years(self) -> Mapping[int, Sequence[tuple[str, PartialDate]]]:
        """Year -> the labels that are dates in it."""
        years: dict[int, list[tuple[str, PartialDate]]] = {}
        for key in sorted(self._raw):
            date = parse_date(key)
            if date is not None:
                years.setdefault(date.year, []).append((key, date))
        return years


def _contradict(left: str, right: str) -> bool:
    """Whether two qualifiers cannot mean the same thing: other years, or not one word in common.

    "1921 film" and "1929 film" contradict each other, "film" and "1921 film" do not.
    """
    ours, theirs = set(words(left)), set(words(right))
    years, their_years = ({word for word in side if word.isdigit()} for side in (ours, theirs))
    if years and their_years and not years & their_years:
        return True
    return not ours & theirs
