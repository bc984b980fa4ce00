"""The words of a question in a row, and what any reader finds in them: phrases, names, times and amounts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import inf

from .....cubes.core.quantities import parse_quantity
from ..plan import Period, Range, Superlative
from ..vocabulary.lexicon import QuestionLexicon, ranks
from ..vocabulary.words import Word, period

__all__ = ["MONEY", "Line"]

_PHRASE = 4  # words of a phrase
_BOUNDS = ("in", "on", "of", "during", "from", "after", "since", "before", "until", "till", "by", "between")
"""Words before a date."""
_ABOVE, _BELOW = 1 + 1e-9, 1 - 1e-9
_RANGES: Mapping[str, Callable[[float], tuple[float, float]]] = {
    **dict.fromkeys(("more than", "over", "above", "greater than"), lambda n: (n * _ABOVE, inf)),
    **dict.fromkeys(("less than", "fewer than", "under", "below"), lambda n: (-inf, n * _BELOW)),
    **dict.fromkeys(("at least", "minimum of"), lambda n: (n, inf)),
    **dict.fromkeys(("at most", "up to", "no more than"), lambda n: (-inf, n)),
    "exactly": lambda n: (n, n),
}
"""Words before an amount, and the range that they make of it."""
MONEY = frozenset("$£€")
"""Signs of money."""
_SMALL = re.compile(r"\d{1,2}")  # no year
_DIGITS, _YEAR = re.compile(r"\d[\d.,]*"), re.compile(r"1\d{3}|20\d{2}")


class Line:
    """Words in a row: their folded ``keys``, "" for names and marks, their ``kinds`` and their ``texts``.

    All methods read from a word on, and say where it stopped. Behind the last word are a few empty ones.
    """

    def __init__(self, words: Sequence[Word]) -> None:
        self.end = len(words)
        behind = ("",) * (_PHRASE + 1)  # so that the words behind one can always be asked for
        self.keys = (*(word.key for word in words), *behind)
        self.kinds = (*("name" if word.kind == "number" else word.kind for word in words), *behind)
        self.texts = (*(word.name for word in words), *behind)

    def past(self, at: int, words: Collection[str]) -> int:
        """Return where words of these end."""
        while self.keys[at] in words:
            at += 1
        return at

    def phrases(self, at: int) -> Iterator[tuple[str, int]]:
        """Yield the folded words from one on and where they end, the most words first; no name or mark among them."""
        for end in range(min(at + _PHRASE, self.end), at, -1):
            if all(self.keys[at:end]):
                yield " ".join(self.keys[at:end]), end

    def names(self, at: int) -> tuple[tuple[str, ...], int]:
        """Return the names in a row from a word on, with commas, "and" and "or" between them."""
        found, end = list[str](), at
        while self.kinds[at] == "name":
            found.append(self.texts[at])
            end = at = at + 1
            while self.texts[at] == "," or self.keys[at] in ("and", "or"):
                at += 1
        return tuple(found), end

    def times(self, at: int) -> tuple[tuple[Period, ...], int]:
        """Return the periods that begin at a word: "in 1957 or 1962", "between 1935 and 1939"; none, where none do."""
        bound = self.keys[at]
        if bound not in _BOUNDS:
            return (), at
        texts, end = self.names(self.past(at + 1, {"the"}))
        if self.keys[end] in ("to", "until", "till", "through"):
            later, end = self.names(end + 1)
            texts, bound = texts + later, "between"
        read = [when for text in texts if not _SMALL.fullmatch(text) and (when := period(bound, text)) is not None]
        if not read or len(read) < len(texts):
            return (), at
        if bound == "between":
            read = [Period("–".join(texts), read[0].since, read[-1].until)]
        return tuple(read), end

    def amount(self, at: int) -> tuple[Range, int] | None:
        """Return the range that begins at a word: "more than 20", "at least 1 million", "under 5 km"."""
        if self.keys[at] == "between" and (ends := self._between(at)) is not None:
            return ends
        words, begins = next(((key, end) for key, end in self.phrases(at) if key in _RANGES), ("", at))
        digits = begins + (self.texts[begins] in MONEY)
        if not words or not _DIGITS.match(self.texts[digits]):
            return None
        alone, unit = (parse_quantity("".join(self.texts[begins : digits + 1]) + more)
                       for more in ("", f" {self.texts[digits + 1]}"))  # fmt: skip
        bound, end = (alone, digits + 1) if unit == alone else (unit, digits + 2)  # "1 million", "5 km"
        said = " ".join(self.texts[at:end])
        return (Range(said, *_RANGES[words](bound.value), bound.unit), end) if bound is not None else None

    def _between(self, at: int) -> tuple[Range, int] | None:
        """ "between 4 and 5 percent"; two years are a period."""
        ends = self.texts[at + 1], self.texts[at + 3]
        low, high = (parse_quantity(text) if _DIGITS.fullmatch(text) else None for text in ends)
        if low is None or high is None or all(map(_YEAR.fullmatch, ends)):
            return None
        unit = parse_quantity(f"{self.texts[at + 3]} {self.texts[at + 4]}")
        end, top = (at + 4, high) if unit is None or unit == high else (at + 5, unit)
        factor = top.value / high.value if high.value else 1.0
        return Range(" ".join(self.texts[at:end]), low.value * factor, top.value, top.unit), end

    def best(self, at: int, lexicon: QuestionLexicon) -> tuple[Superlative, int] | None:
        """Return the superlative that begins at a word, the longest first, and where it ends.

        It is a comparing phrase, or a rank; "the first husband" is not the one who was born first.
        """
        for key, end in self.phrases(at):
            told, rank = lexicon.comparatives.get(key), ranks().get(key.split()[0])
            if (told is None or told.starts) and key not in ranks():
                continue
            place = rank - (rank > 0) if rank is not None else 0 if told is not None and told.order == "least" else -1
            relations = told.relations if told is not None else tuple(n for n in lexicon.began if n != "born on")
            return Superlative(relations, place, " ".join(self.texts[at:end])), end
        return None
