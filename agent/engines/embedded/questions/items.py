"""Finding the things that a question sets side by side: names on both sides of a joining word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from .....cubes.extraction.words.lexicon import country_of
from ..vocabulary.mentions import MentionFinder, QuestionMention, plain, runs, starts_name

__all__ = ["CoordinationParser", "described_by"]

_AROUND = 10  # plain words between a joining word and the name behind it
_MARKS = (",", ":", ";", "?", '"')
_LISTING = frozenset({"of", "between", "among", "are", "were", "both", "do", "did"})
_APART = frozenset({"as", "than", "before", "after"})
"""Joining words with other words before them: "Does A have the same nationality as B"."""


class CoordinationParser:
    """Finds two things on both sides of a joining word, and those listed before them."""

    def __init__(self, mentions: MentionFinder) -> None:
        self._mentions = mentions

    def items(self, parts: Sequence[str], joins: Sequence[int]) -> Iterator[tuple[QuestionMention, ...]]:
        """Yield the items of a list by the joining word it ends with, known and longest names first."""
        known = [m for m in self._mentions.subjects(parts) if not _is_cut(parts, m)]
        found = []
        for join in joins:
            if any(m.start < join < m.end for m in known):
                continue  # "Harrow and Hare" is one name
            left, right = self._before(parts, join, known), self._behind(parts, join, known)
            if left is not None and right is not None:
                linked = left.entity.linked + right.entity.linked
                found.append((linked, left.end - left.start + right.end - right.start, left, right))
        for _, _, left, right in sorted(found, key=lambda e: (-e[0], -e[1])):
            items = (*self._listed(parts, left, known), left, right)
            yield tuple(replace(m, entity=self._mentions.described(parts, m).entity) for m in items)

    def _before(self, parts: Sequence[str], join: int, known: Sequence[QuestionMention]) -> QuestionMention | None:
        """The longest name that ends at the joining word, or somewhere before "as"."""
        apart = fold(parts[join]) in _APART
        found = [m for m in known if m.end == join] or [m for m in known if apart and m.start > 0 and m.end <= join]
        run = next((m for m in runs(parts[:join]) if m.end == join), None)
        best = max(found, key=lambda m: m.end - m.start, default=None)
        inside = best is not None and run is not None and run.start < best.start and parts[best.start - 1].islower()
        return run if best is None or inside else best  # "Norte" is not meant by "Malle del Norte"

    def _behind(self, parts: Sequence[str], join: int, known: Sequence[QuestionMention]) -> QuestionMention | None:
        """The first name soon behind the joining word; only plain words may stand between."""
        for start in range(join + 1, min(join + 1 + _AROUND, len(parts))):
            found = next((m for m in known if m.start == start), None)
            if found is not None:
                return found
            if not plain(parts[start]):
                if not starts_name(parts[start]):
                    return None
                unknown = next(runs(parts[join + 1 :]), None)
                return replace(unknown, start=unknown.start + join + 1, end=unknown.end + join + 1) if unknown else None
        return None

    def _listed(
        self, parts: Sequence[str], first: QuestionMention, known: Sequence[QuestionMention]
    ) -> list[QuestionMention]:
        """More names before the first one, parted by commas: "A, B or C"."""
        found: list[QuestionMention] = []
        end = first.start
        while end > 1 and parts[end - 1].endswith(","):
            before = next((m for m in known if m.end == end), None)
            if before is None or not self._opens_list(parts[before.start - 1]):
                break  # "directed by C, A or B"
            found.insert(0, before)
            end = before.start
        return found

    def _opens_list(self, part: str) -> bool:
        """Whether the names of a list may begin behind a word: a mark, a word of choosing, a class in the plural."""
        word = fold(part)
        return part.endswith((",", ":", ";")) or word in _LISTING or (part != word and self._mentions.classes(word))


def _is_cut(parts: Sequence[str], found: QuestionMention) -> bool:
    """Whether a name is one word of a longer one: "Kirk" of "Kirk Hale", "Hale" of it too."""
    start, end = found.start, found.end
    before, behind = parts[start - 1] if start > 1 else "", parts[end] if end < len(parts) else ""
    goes_on = behind[:1].isupper() and not parts[end - 1].endswith(_MARKS)
    began = before[:1].isupper() and not before.endswith(_MARKS) and end - start == 1 and country_of(before) is None
    return parts[start][:1].isupper() and (goes_on or began)


def described_by(parts: Sequence[str], start: int) -> list[str]:
    """The folded words right before a name, as far back as punctuation or another name."""
    found: list[str] = []
    for part in reversed(parts[max(0, start - 7) : start]):
        if part.endswith((",", ":", ";")) or part[:1].isupper():
            break
        found.insert(0, fold(part))
    return found
