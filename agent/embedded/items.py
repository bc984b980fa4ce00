"""Finding the things that a question sets side by side: every split is tried, and the one whose names link is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...cubes.extraction.lexicon import country_of
from ...cubes.folding import fold
from .phrases import plain, starts_name
from .plan import Entity
from .terms import TermParser
from .wordlists import AUXILIARIES, PREPOSITIONS, RELATIVE

__all__ = ["Item", "ItemFinder", "described_by"]

_MAX_NAME = 14  # tokens of the longest name looked for
_AROUND = 5  # tokens on either side of a joining word within a name
_MARKS = (",", ":", ";", "?", '"')
_INSIDE = frozenset({"of", "the", "for", "de", "del", "du", "la", "le", "von", "van", "der", "to", "and", "&"})
"""Small words that names have inside them."""
_OPENING = RELATIVE | AUXILIARIES | PREPOSITIONS | {"what", "how", "between"}
_LISTING = frozenset({"of", "between", "among", "are", "were", "both", "do", "did"})
_APART = frozenset({"as", "than", "before", "after"})
"""Joining words with other words before them: "Does A have the same nationality as B"."""


@dataclass(frozen=True, slots=True)
class Item:
    """A thing named in the question: tokens ``start`` to ``end``."""

    start: int
    end: int
    entity: Entity


class ItemFinder:
    """Finds two things on both sides of a joining word, and those listed before them."""

    def __init__(self, terms: TermParser) -> None:
        self._terms = terms

    def items(self, parts: Sequence[str], joins: Sequence[int]) -> Iterator[tuple[Item, ...]]:
        """Yield the items of a list by the joining word it ends with, known and longest names first."""
        found = []
        for join in joins:
            if self._within_name(parts, join):
                continue
            left, right = self._before(parts, join), self._behind(parts, join)
            if left is not None and right is not None:
                known = left.entity.linked + right.entity.linked
                found.append((known, left.end - left.start + right.end - right.start, left, right))
        for entry in sorted(found, key=lambda e: (-e[0], -e[1])):
            yield (*self._listed(parts, entry[2]), entry[2], entry[3])

    def _within_name(self, parts: Sequence[str], join: int) -> bool:
        """Whether the joining word is part of a name that the corpus knows ("Harrow and Hare")."""
        starts = [i for i in range(max(0, join - _AROUND), join) if starts_name(parts[i])]
        ends = [i + 1 for i in range(join + 1, min(len(parts), join + _AROUND + 1)) if starts_name(parts[i])]
        return any(
            self._terms.linker.link_exactly(" ".join(parts[start:end]).strip(' ,;:?"'))
            for start in starts
            for end in ends
        )

    def _listed(self, parts: Sequence[str], first: Item) -> list[Item]:
        """More names before the first one, parted by commas: "A, B or C"."""
        found: list[Item] = []
        end = first.start
        while end > 1 and parts[end - 1].endswith(","):
            known = (self._name(parts, start, end) for start in range(max(1, end - _MAX_NAME), end))
            spans = [(s, e) for s, e in zip(range(max(1, end - _MAX_NAME), end), known, strict=True) if e is not None]
            if not spans or not self._opens_list(parts[spans[0][0] - 1]):
                break  # "directed by C, A or B"
            found.insert(0, Item(spans[0][0], end, spans[0][1]))
            end = spans[0][0]
        return found

    def _opens_list(self, part: str) -> bool:
        """Whether the names of a list may begin behind a word: a mark, a word of choosing, a class in the plural."""
        word = fold(part)
        return (
            part.endswith((",", ":", ";")) or word in _LISTING or (part != word and word in self._terms.lexicon.nouns)
        )

    def _before(self, parts: Sequence[str], join: int) -> Item | None:
        """The longest name that ends at the joining word."""
        for start in range(max(0, join - _MAX_NAME), join):
            entity = self._name(parts, start, join)
            if entity is not None:
                return Item(start, join, entity)
        return self._apart(parts, join) or _unlinked(parts, join, before=True)

    def _apart(self, parts: Sequence[str], join: int) -> Item | None:
        """The longest name somewhere before "as": "Does A have the same nationality as B"."""
        if fold(parts[join]) not in _APART:
            return None
        spans = ((start, end) for start in range(1, join) for end in range(min(join, start + _MAX_NAME), start, -1))
        found = [Item(s, e, entity) for s, e in spans if (entity := self._name(parts, s, e)) is not None]
        return max(found, key=lambda item: item.end - item.start, default=None)

    def _behind(self, parts: Sequence[str], join: int) -> Item | None:
        """The longest name soon behind the joining word; only plain words may stand between."""
        for start in range(join + 1, min(join + 11, len(parts))):
            for end in range(min(len(parts), start + _MAX_NAME), start, -1):
                entity = self._name(parts, start, end)
                if entity is not None:
                    return Item(start, end, entity)
            if not (parts[start][:1].islower() or parts[start][:1].isdigit()):
                break
        return _unlinked(parts, join, before=False)

    def _name(self, parts: Sequence[str], start: int, end: int) -> Entity | None:
        name = " ".join(parts[start:end]).strip(' ,;:?"')
        if not name or (parts[start][:1].islower() and len(name) < 4) or _is_cut(parts, start, end):
            return None
        if not any(c.isupper() or c.isdigit() for c in name) and (
            end - start < 2 or fold(parts[start - 1]) in ("of", "for")
        ):
            return None
        if not self._terms.linker.link_exactly(name):
            return None
        described = " ".join(parts[max(0, start - 4) : start])
        subjects = self._terms.linker.by_descriptor(name, described) if _describes(described) else ()
        return Entity(subjects[0].label if len(subjects) > 1 else name)


def _unlinked(parts: Sequence[str], join: int, *, before: bool) -> Item | None:
    """A name that the corpus does not know: the capitalised run next to the joining word, small words inside it."""
    start = end = join if before else join + 1
    if before:
        while start and _runs(parts, start - 1) and not (start < join and parts[start - 1].endswith(_MARKS)):
            start -= 1
    else:
        while end < min(len(parts), join + _AROUND) and not starts_name(parts[end]) and plain(parts[end]):
            end += 1  # "or the novelist Mirren Tal"
        start = end
        while end < len(parts) and _runs(parts, end) and not (end > start and parts[end - 1].endswith(_MARKS)):
            end += 1
    while start < end and not starts_name(parts[start]):
        start += 1
    while start < end and parts[end - 1].islower():
        end -= 1
    name = " ".join(parts[start:end]).strip(' ,;:?"')
    return Item(start, end, Entity(name, linked=False)) if name else None


def _runs(parts: Sequence[str], at: int) -> bool:
    """Whether a word may stand in a name; the question's first one only asks."""
    if at == 0:
        return parts[at][:1].isupper() and fold(parts[at]) not in _OPENING
    return starts_name(parts[at]) or parts[at] in _INSIDE


def _is_cut(parts: Sequence[str], start: int, end: int) -> bool:
    """Whether a name is one word of a longer one: "Kirk" of "Kirk Hale", "Hale" of it too."""
    before, behind = parts[start - 1], parts[end] if end < len(parts) else ""
    goes_on = behind[:1].isupper() and not parts[end - 1].endswith(_MARKS)
    began = start > 0 and before[:1].isupper() and _runs(parts, start - 1) and not before.endswith(_MARKS)
    return parts[start][:1].isupper() and (goes_on or (began and end - start == 1 and country_of(before) is None))


def described_by(parts: Sequence[str], start: int) -> list[str]:
    """The folded words right before a name, as far back as punctuation or another name."""
    found: list[str] = []
    for part in reversed(parts[max(0, start - 7) : start]):
        if part.endswith((",", ":", ";")) or part[:1].isupper():
            break
        found.insert(0, fold(part))
    return found


def _describes(words: str) -> bool:
    return bool(re.search(r"\b\d{4}\b", words)) or bool(re.search(r"\b[a-z]{3,}$", words))
