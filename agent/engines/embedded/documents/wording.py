"""How documents and questions call things: abbreviations, synonyms, comparing words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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
    """The word lists of `lexicon.yaml`: ``same`` is what stands for a word, ``orders`` and ``measures`` what comparing
    words say; the rest are stems, but for ``kinds``."""

    same: Mapping[str, str]
    others: re.Pattern[str]
    orders: Mapping[str, Order]
    measures: Mapping[str, str]
    idle: frozenset[str]
    things: frozenset[str]
    kinds: frozenset[str]
    figures: frozenset[str]


@cache
def lexicon() -> DocumentLexicon:
    """Return the lists committed beside this module."""
    raw = yaml.safe_load(files(__package__).joinpath("lexicon.yaml").read_text(encoding="utf-8"))
    same = {other: first for first, others in raw["same"].items() for other in others}
    said = ((noun, zip(_ORDERS, words, strict=True)) for noun, words in raw["orders"].items())
    compared = [(word, order, noun) for noun, each in said for order, words in each for word in words.split()]
    idle, things, figures = (frozenset(map(stem_of, raw[name])) for name in ("idle", "things", "figures"))
    return DocumentLexicon(
        same, re.compile(rf"\b(?:{'|'.join(same)})\b"), {word: order for word, order, _ in compared},
        {word: noun for word, _, noun in compared if noun}, idle, things, frozenset(raw["kinds"]), figures,
    )  # fmt: skip


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
    return tuple(asked_words(known.others.sub(lambda found: known.same[found[0]], joined)))
