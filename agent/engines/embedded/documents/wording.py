"""How documents and questions call things: abbreviations, synonyms, comparing words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

import yaml

from .....cubes.core.folding import words
from .....cubes.retrieval.wording import asked_words

__all__ = ["DocumentLexicon", "Likeness", "Order", "lexicon", "stem_of", "terms"]

Order = Literal["greatest", "least"]
Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""The cosine of a text with each of others, by meaning; nothing where no encoder is at hand."""

_ORDERS: tuple[Order, Order] = ("greatest", "least")
_LETTERED = re.compile(r"^[A-Z]$|(?<=[a-z] )[A-Z](?=[\s.,;:?)]|$)")  # "revision B", and the cell "B"
_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")


@dataclass(frozen=True)
class DocumentLexicon:
    """The word lists of `lexicon.yaml`, by stems where words are compared by stems."""

    said_as: Mapping[str, str]
    phrases: tuple[tuple[re.Pattern[str], str], ...]
    orders: Mapping[str, Order]
    measures: Mapping[str, str]
    bounds: Mapping[str, tuple[str, ...]]
    idle: frozenset[str]
    things: frozenset[str]
    kinds: frozenset[str]
    figures: frozenset[str]


@cache
def lexicon() -> DocumentLexicon:
    """Return the lists committed beside this module."""
    raw = yaml.safe_load(files(__package__).joinpath("lexicon.yaml").read_text(encoding="utf-8"))
    same = [(other, first) for first, others in raw["same"].items() for other in others]
    orders = {word: order for order in _ORDERS for word in raw[order]}
    measures: dict[str, str] = {}
    for noun, ends in raw["adjectives"].items():
        for order, listed in ends.items():
            for form in (form for word in listed for form in _compared(word)):
                orders[form], measures[form] = order, noun
    return DocumentLexicon(
        said_as={other: first for other, first in same if " " not in other},
        phrases=tuple((re.compile(rf"\b{other}s?\b"), first) for other, first in same if " " in other),
        orders=orders,
        measures=measures,
        bounds={name: tuple(sorted(said, key=len, reverse=True)) for name, said in raw["bounds"].items()},
        idle=_stemmed(raw["idle"]),
        things=_stemmed(raw["things"]),
        kinds=frozenset(raw["kinds"]),
        figures=_stemmed(raw["figures"]),
    )


def stem_of(word: str) -> str:
    """Return the stem of one word; the word itself where it is a stop word."""
    return next(iter(asked_words(word)), word.lower())


@lru_cache(maxsize=50_000)
def terms(text: str) -> tuple[str, ...]:
    """Return the distinct stems of a text in one wording: "Max. weight" and "maximum mass" alike.

    >>> terms("Max. mass") == terms("maximum weights")
    True
    """
    known = lexicon()
    lettered = _LETTERED.sub(lambda found: f"letter{found[0].lower()}", text)
    joined = " ".join(words(_DECIMAL.sub("p", lettered)))
    for pattern, said in known.phrases:
        joined = pattern.sub(said, joined)
    return tuple(asked_words(" ".join(known.said_as.get(word, word) for word in joined.split())))


def _stemmed(listed: Iterable[str]) -> frozenset[str]:
    return frozenset(stem_of(word) for word in listed)


def _compared(word: str) -> tuple[str, str, str]:
    """Every form of an adjective: "heavy", "heavier", "heaviest"."""
    if word.endswith("y"):
        stem = word[:-1] + "i"
    elif word.endswith("e"):
        stem = word[:-1]
    else:
        stem = word + word[-1] if re.search(r"[^aeiou][aeiou][bdgnpt]$", word) else word
    return word, stem + "er", stem + "est"
