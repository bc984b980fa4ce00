"""The phrases that a question measures, "maximum supply voltage", and what is to be worked out from several."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from .....cubes.retrieval.wording import asked_words
from ..vocabulary.wordlists import ARTICLES, PREPOSITIONS
from .amounts import measure_of
from .wording import lexicon, stem_of

__all__ = ["Operation", "measure_in", "operands", "operation_of"]

Operation = Literal["difference", "sum", "ratio", "percent", "average", "product"]

_TOKEN = re.compile(r"[^\s,;:?!()\"“”]+|[,;:?!()]")
_SMALL = PREPOSITIONS | ARTICLES | {"and", "per", "during"}
_EDGE = re.compile(rf"^(?:(?:{'|'.join(_SMALL)})(?: |$))+|(?:(?:^| )(?:{'|'.join(_SMALL)}))+$")
_SPLIT = re.compile(
    r"\s+(?:and|plus|minus|versus|divided by|multiplied by|times|to|from|than|over)\s+", re.IGNORECASE
)
_YEAR, _LIMIT = r"(?:19|20)\d\d|Q[1-4]", r"(?:max|min|typ)\w*|average"
_LIKE = (_YEAR, _LIMIT, r"[A-Z].*")
"""What takes another's place in a phrase: a year, a limit, a name."""
_MORE = r"(?:more|less|fewer|\w+er)"
_OPERATIONS: dict[Operation, str] = {
    "percent": r"\b(?:what|how many|which) per ?cent(?:age)?\b|\bin per ?cent\b|____ ?(?:%|per ?cent)",
    "ratio": r"\bhow many times\b|\bratio\b|____ times\b|\bdivided by\b",
    "difference": rf"\bdifference\b|\bby how (?:much|many)\b|\blies? between\b|\bhow (?:much|many) (?:\w+ )?{_MORE}\b"
    rf"|\bexceeds? .{{0,60}}\bby\b|____ (?:\S+ )?{_MORE}\b|\bminus\b",
    "average": r"\baverage of\b|\bon average\b",
    "sum": r"\bsum\b|\btogether\b|\bin total\b|\badd\b|\bplus\b",
    "product": r"\bproduct of\b|\bmultiplied by\b|(?<!many )(?<!____ )\btimes\b",
}


def operation_of(text: str) -> Operation | None:
    """Return the calculation that a question asks for, None where it asks for none."""
    named = (name for name, pattern in _OPERATIONS.items() if re.search(pattern, text, re.IGNORECASE))
    return next(named, None)


def measure_in(text: str, drop: Collection[str] = ()) -> str:
    """Return the words of a text that name what is measured, with the small words between them.

    ``drop`` are stems of nouns that name the things measured, not the measure.
    """
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(text.replace("____", " ; ")):
        bare = re.sub(r"['’]s?$", "", token).rstrip(".")
        if bare.lower() in _SMALL or (runs[-1] and re.fullmatch("[A-Z]", bare)):  # "revision B"
            runs[-1].append(bare if len(bare) == 1 else bare.lower())
        elif _tells(bare, drop):
            runs[-1].append(lexicon().measures.get(bare.lower(), bare))
        else:
            runs.append([])
    return " ".join(filter(None, (_EDGE.sub("", " ".join(run)) for run in runs)))


def _tells(word: str, drop: Collection[str]) -> bool:
    known, lowered = lexicon(), word.lower()
    if (lowered in known.orders and lowered not in known.measures) or not asked_words(word):
        return False
    return not measure_of(word) and stem_of(word) not in drop and stem_of(word) not in known.idle


def operands(text: str, parts: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the phrases that a calculation is over: "maximum and minimum supply voltage" are two.

    What one leaves out is taken from the longest.
    """
    said = [part for part in map(measure_in, parts or _SPLIT.split(text)) if part]
    whole = max(said, key=lambda part: len(part.split()), default="")
    filled = [_completed(part, whole, at < said.index(whole)) for at, part in enumerate(said)]
    if len(filled) > 2 and whole not in filled[1:] and all(_replaces(part) for part in said[1:]):
        filled = filled[1:]  # "revenue ... from 2022 to 2023"
    years = {year for part in filled for year in re.findall(rf"\b(?:{_YEAR})\b", part)}
    if len(years) == 1:  # a year that one of them names is of all
        year = years.pop()
        filled = [part if year in part else f"{part} {year}" for part in filled]
    return tuple(dict.fromkeys(filled))


def _replaces(part: str) -> str:
    """What all words of a phrase are like, where they take another's place; "" where they do not."""
    own = [word for word in part.split() if word not in _SMALL]
    return next((like for like in _LIKE if all(re.fullmatch(like, word) for word in own)), "")


def _completed(part: str, whole: str, before: bool) -> str:
    """Add what a phrase leaves to the longest one: "maximum" (and "minimum supply voltage"), "(revenue in) 2023"."""
    own, full, like = part.split(), whole.split(), _replaces(part)
    if part == whole or not (like or (before and not set(own) & set(full))):
        return part
    if not like:
        return " ".join((*own, *full[len(own) :]))
    theirs = [n for n, word in enumerate(full) if re.fullmatch(like, word)]
    start, end = (theirs[0], theirs[-1] + 1) if theirs else (0, 0) if like == _LIMIT else (len(full), len(full))
    return " ".join((*full[:start], *own, *full[end:]))
