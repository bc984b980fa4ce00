"""The facts of all cubes as columns (see `filing`); each becomes an object when it is asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import overload

from ..core.columns import Arrays, PackedGroups, PackedStrings
from ..core.records import Fact, Span
from .labels import SectionTexts

__all__ = ["FactSequence", "FactTable"]

_FACTS_KEPT = 1 << 15


class FactTable:
    """Facts by number: cube by cube, and in each in the order of sections and places in them."""

    def __init__(self, arrays: Arrays, words: PackedStrings, texts: SectionTexts, cubes: Sequence[str]) -> None:
        self.words = words
        self._texts = texts
        self._cubes = cubes
        said = ("dimension", "subject", "relation", "value", "kind", "origin")
        self._said = [arrays[f"fact.{name}"].data for name in said]
        spans = ("start", "end", "sentence_start", "sentence_end")
        self._spans = [arrays[f"fact.{name}"].data for name in spans]
        self._sections, self._of_cube = arrays["fact.section"].data, arrays["fact.cube"].data
        self._confidence = arrays["fact.confidence"].data
        self._stretches = arrays["fact.stretches"].data
        self._about, self._valued, self._alias = (PackedGroups(arrays, name) for name in ("about", "valued", "alias"))
        self._leading = arrays["leading"].data
        self.fact = lru_cache(_FACTS_KEPT)(self.made)

    def made(self, number: int) -> Fact:
        """Make a fact; ``fact`` keeps those asked for last."""
        text = self.words.text
        dimension, subject, relation, value, kind, origin = (text(column[number]) for column in self._said)
        start, end, sentence_start, sentence_end = (column[number] for column in self._spans)
        section, cube = self._texts.ids[self._sections[number]], self._cubes[self._of_cube[number]]
        return Fact(
            section, cube, dimension, subject, relation, value, kind, Span(start, end),
            Span(sentence_start, sentence_end), self._confidence[number], origin,
        )  # fmt: skip

    def of_cube(self, cube: int) -> range:
        """Return the numbers of a cube's facts."""
        return range(self._stretches[cube], self._stretches[cube + 1])

    def of_section(self, cube: int, ordinal: int) -> range:
        """Return the numbers of a cube's facts that stand in a section."""
        held = self.of_cube(cube)
        first = bisect_left(self._sections, ordinal, held.start, held.stop)
        return range(first, bisect_left(self._sections, ordinal + 1, first, held.stop))

    def about(self, cube: int, subject_key: str) -> Sequence[int]:
        """Return the numbers of a cube's facts whose subject has this key."""
        key = self.words.find(subject_key)
        return self._about.of(key, cube) if key >= 0 else ()

    def subject_keys(self, cube: int) -> Iterator[str]:
        """Yield the keys of everything that a cube has facts about."""
        return (self.words[key] for key in self._about.keys(cube))

    def valued(self, value_key: str) -> Sequence[int]:
        """Return the numbers of the facts, in all cubes, whose value has this key."""
        key = self.words.find(value_key)
        return self._valued.of(key) if key >= 0 else ()

    def dimension(self, number: int) -> str:
        """Return the dimension of a fact."""
        return self.words.text(self._said[0][number])

    def relation(self, number: int) -> str:
        """Return the relation phrase of a fact."""
        return self.words.text(self._said[2][number])

    def ordinal(self, number: int) -> int:
        """Return the section of a fact, as its place in the order."""
        return self._sections[number]

    def other_names(self, key: str) -> Sequence[str]:
        """Return what else goes by a key of a name, from the alias facts of all cubes, sorted."""
        word = self.words.find(key)
        return [self.words[number] for number in self._alias.of(word)] if word >= 0 else []

    def leads(self, key: str) -> bool:
        """Whether a key leads to any subject; most phrases of a question lead nowhere."""
        word = self.words.find(key)
        place = bisect_left(self._leading, word)
        return word >= 0 and place < len(self._leading) and self._leading[place] == word


class FactSequence(Sequence[Fact]):
    """Facts by their numbers; made one by one, and not kept."""

    def __init__(self, table: FactTable, numbers: Sequence[int]) -> None:
        self._table = table
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Fact]:
        return map(self._table.made, self._numbers)

    @overload
    def __getitem__(self, place: int) -> Fact: ...
    @overload
    def __getitem__(self, place: slice) -> FactSequence: ...
    def __getitem__(self, place: int | slice) -> Fact | FactSequence:
        """Return one fact, or some."""
        if isinstance(place, slice):
            return FactSequence(self._table, self._numbers[place])
        return self._table.made(self._numbers[place])

    def __eq__(self, other: object) -> bool:
        """Facts are equal to a sequence of equal ones, as lists are."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))
