"""How documents and questions call things: abbreviations, synonyms, comparing words, units of what is measured."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

import yaml

from .....cubes.core.folding import words
from .....cubes.retrieval.wording import asked_words

__all__ = ["DocumentLexicon", "Order", "lexicon", "stem_of", "terms"]

Order = Literal["greatest", "least"]

_ENDS: tuple[Order, Order] = ("greatest", "least")
_AND = re.compile(r"\b[rR]\s?&\s?[dD]\b")
_LETTERED = re.compile(r"^[A-Z]$|(?<=[a-z] )[A-Z](?=[\s.,;:?)]|$)")  # "revision B", and the cell "B"
_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")


@dataclass(frozen=True, slots=True)
class MeasureAdjective:
    """What an adjective measures ("heavy": weight), and which end of the scale it names."""

    nouns: tuple[str, ...]
    order: Order


@dataclass(frozen=True)
class DocumentLexicon:
    """The word lists of `lexicon.yaml`, by stems where words are compared by stems."""

    abbreviations: Mapping[str, str]
    phrases: tuple[tuple[re.Pattern[str], str], ...]
    adjectives: Mapping[str, MeasureAdjective]
    orders: Mapping[str, Order]
    bounds: Mapping[str, tuple[str, ...]]
    ends: Mapping[str, frozenset[str]]
    measured: Mapping[str, frozenset[str]]
    products: Mapping[frozenset[str], str]
    idle: frozenset[str]
    things: frozenset[str]
    kinds: frozenset[str]
    figures: frozenset[str]
    describing: frozenset[str]

    def units_of(self, asked: Iterable[str]) -> frozenset[str]:
        """Return the units that the last measurable noun among asked terms is measured in; empty where unknown."""
        found: frozenset[str] = frozenset()
        for term in asked:
            found = self.measured.get(term, found)
        return found


@cache
def lexicon() -> DocumentLexicon:
    """Return the lists committed beside this module."""
    raw = yaml.safe_load(files(__package__).joinpath("lexicon.yaml").read_text(encoding="utf-8"))
    phrases = [(other, group[0]) for group in raw["synonyms"] for other in group[1:]]
    phrases.sort(key=lambda pair: -len(pair[0].split()))
    measured: dict[str, set[str]] = defaultdict(set)
    for unit, nouns in raw["measured"].items():
        for noun in nouns:
            measured[stem_of(noun)].add(unit)
    return DocumentLexicon(
        abbreviations=raw["abbreviations"],
        phrases=tuple((re.compile(rf"\b{re.escape(other)}s?\b"), said) for other, said in phrases),
        adjectives=_adjectives(raw["adjectives"]),
        orders={word: order for order in _ENDS for word in raw[order]},
        bounds={name: tuple(sorted(said, key=len, reverse=True)) for name, said in raw["bounds"].items()},
        ends={stem_of(end): _stemmed(said) for end, said in raw["ends"].items()},
        measured={noun: frozenset(units) for noun, units in measured.items()},
        products={frozenset((one, other)): product for one, other, product in raw["products"]},
        idle=_stemmed(raw["idle"]),
        things=_stemmed(raw["things"]),
        kinds=frozenset(raw["kinds"]),
        figures=_stemmed(raw["figures"]),
        describing=frozenset(raw["describing"]),
    )


def stem_of(word: str) -> str:
    """Return the stem of one word; the word itself where it is a stop word."""
    return next(iter(asked_words(word)), word.lower())


@lru_cache(maxsize=50_000)
def terms(text: str) -> tuple[str, ...]:
    """Return the distinct stems of a text in one wording: "Max. supply voltage" and "maximum operating voltage" alike.

    >>> terms("Max. mass") == terms("maximum weights")
    True
    """
    known = lexicon()
    text = _LETTERED.sub(lambda found: f"letter{found[0].lower()}", text)
    whole = _DECIMAL.sub("p", _AND.sub("research and development", text))
    spelled = [known.abbreviations.get(word, word) for word in words(whole)]
    joined = " ".join(spelled)
    for pattern, said in known.phrases:
        joined = pattern.sub(said, joined)
    return tuple(asked_words(joined))


def _stemmed(listed: Iterable[str]) -> frozenset[str]:
    return frozenset(stem_of(word) for word in listed)


def _adjectives(raw: Mapping[str, Mapping[str, Iterable[str]]]) -> dict[str, MeasureAdjective]:
    """Every form of each adjective: "heavy", "heavier", "heaviest"; "how heavy" asks for the noun as well."""
    return {
        form: MeasureAdjective(tuple(nouns.split()), order)
        for nouns, ends in raw.items()
        for order in _ENDS
        for word in ends.get(order, ())
        for form in (word, *_compared(word))
    }


def _compared(word: str) -> tuple[str, str]:
    if word.endswith("y"):
        stem = word[:-1] + "i"
    elif word.endswith("e"):
        stem = word[:-1]
    elif re.search(r"[^aeiou][aeiou][bdgnpt]$", word):
        stem = word + word[-1]
    else:
        stem = word
    return stem + "er", stem + "est"
