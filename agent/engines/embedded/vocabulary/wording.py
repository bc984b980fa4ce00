"""How documents and questions call things: abbreviations, synonyms, comparing words, and the names in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import Any, Literal, TypeVar

import yaml

from .....cubes.core.folding import words
from .....cubes.retrieval.wording import asked_words

__all__ = ["Likeness", "Order", "compared", "listed", "lists_in", "longest_runs", "measured", "stem_of", "terms"]

Order = Literal["greatest", "least"]
Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""The cosine of a text with each of others, by meaning; nothing where no encoder is at hand."""
T = TypeVar("T")

_ORDERS: tuple[Order, Order] = ("greatest", "least")
_LETTERED = re.compile(r"^[A-Z]$|(?<=[a-z] )[A-Z](?=[\s.,;:?)]|$)")  # "revision B", and the cell "B"
_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")
_LONGEST = 8  # words of a name


@cache
def lists_in(file: str) -> Mapping[str, Any]:
    """Return the lists of words in a file of this folder."""
    text, loader = files(__package__).joinpath(file).read_text("utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loaded: Mapping[str, Any] = yaml.load(text, Loader=loader)
    return loaded


_lists = partial(lists_in, "wording.yaml")


@cache
def listed(name: str) -> frozenset[str]:
    """Return the stems of a list of `wording.yaml`: "idle", "things", "kinds", "numbered", "figures"."""
    return frozenset(map(stem_of, _lists()[name]))


@cache
def compared() -> Mapping[str, tuple[Order, str]]:
    """Return what comparing words say: which end of the scale, and what they compare, "" where they do not say it."""
    said = ((noun, zip(_ORDERS, ends, strict=True)) for noun, ends in _lists()["orders"].items())
    return {word: (order, noun) for noun, ends in said for order, told in ends for word in told.split()}


def measured(word: str) -> str:
    """Return what a comparing word measures ("heavier": weight), else the word."""
    return compared().get(word.lower(), ("", ""))[1] or word


@cache
def _others() -> tuple[re.Pattern[str], Mapping[str, str]]:
    same = {other: first for first, others in _lists()["same"].items() for other in others}
    return re.compile(rf"\b(?:{'|'.join(same)})\b"), same


def stem_of(word: str) -> str:
    """Return the stem of one word; the word itself where it is a stop word."""
    return next(iter(asked_words(word)), word.lower())


@lru_cache(maxsize=50_000)
def terms(text: str) -> tuple[str, ...]:
    """Return the distinct stems of a text in one wording: "Max. weight" and "maximum mass" alike.

    >>> terms("Max. mass") == terms("maximum weights")
    True
    """
    others, same = _others()
    lettered = _LETTERED.sub(lambda found: f"letter{found[0].lower()}", text)
    return tuple(asked_words(others.sub(lambda found: same[found[0]], " ".join(words(_DECIMAL.sub("p", lettered))))))


def longest_runs(tokens: Sequence[re.Match[str]], meant: Callable[[int, int], T]) -> list[tuple[int, int, T]]:
    """Return the runs of words that mean something, with where they stand; the longest count, each word once."""
    found: list[tuple[int, int, T]] = []
    for length in range(min(_LONGEST, len(tokens)), 0, -1):
        for first, last in zip(tokens, tokens[length - 1 :], strict=False):
            start, end = first.start(), last.end()
            free = all(end <= taken or start >= until for taken, until, _ in found)
            if free and (meaning := meant(start, end)):
                found.append((start, end, meaning))
    return sorted(found, key=lambda run: run[0])
