"""The word lists of the embedded extractor, read from the YAML files beside this module."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from ...core.folding import fold

__all__ = ["AGENT", "ExtractionLexicon", "country_of", "group", "land_of", "lexicon", "sex_of"]

# How nouns end that tell what a person does.
AGENT = re.compile(r"[\w-]{3,}(?:or|er|ist|ian|man|wright|smith|ress)$")


@dataclass(frozen=True)
class ExtractionLexicon:
    """Closed word classes, kinship words and countries; built once and never changed."""

    groups: dict[str, frozenset[str]]  # by their name in the file
    sex_of_word: dict[str, str]  # pronouns, titles and roles that tell a person's sex
    place_of: dict[str, str]  # country names and their other names, folded, to the canonical name
    people_of: dict[str, str]  # demonyms, lower case as written, to the canonical country
    region_of: dict[str, str]  # first-level parts of large countries, folded, to the country


@lru_cache(maxsize=1)
def lexicon() -> ExtractionLexicon:
    """Return the lexicon, read on first use."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string: "no" is no truth value
    files = (Path(__file__).parent / name for name in ("lexicon.yaml", "lands.yaml"))
    words, lands = (yaml.load(file.read_text(encoding="utf-8"), Loader=loader) for file in files)
    names = (*lands["regular"], *lands["people"])
    listed = [(called, land) for land, people in lands["people"].items() for called in people]
    listed += [(called, land) for land in names for called in _demonyms(land)]
    known = [(name, land) for land in names for name in (land, *lands["also"].get(land, ()))]
    groups = {name: _expanded(entries, words) for name, entries in words.items()}
    return ExtractionLexicon(
        groups,
        {word: sex for sex in ("male", "female") for word in groups[f"{sex}_words"]},
        {fold(name): land for name, land in reversed(known)},
        {called.lower(): land for called, land in reversed(listed)},
        {fold(region): country for country, parts in lands["regions"].items() for region in parts},
    )


def _expanded(entries: list[str], lists: dict[str, list[str]]) -> frozenset[str]:
    """A list as a set of words; "+name" in it stands for all words of another."""
    included = (_expanded(lists[entry[1:]], lists) for entry in entries if entry[:1] == "+")
    return frozenset(entry for entry in entries if entry[:1] != "+").union(*included)


def _demonyms(land: str) -> list[str]:
    """What a people may be called by rule: "Cuban", "Malian", "Iraqi", "Chinese". Most of the forms are no words."""
    stem = land[:-1] if land[-1] in "aeoy" else land
    forms = [name + ending for name in (land, stem) for ending in ("an", "ian", "ese")]
    return [land + "n"] * land.endswith("a") + [land + "i", *forms]


def group(name: str) -> frozenset[str]:
    """Return a closed set of words by its name in the file."""
    return lexicon().groups[name]


@lru_cache(maxsize=20_000)
def country_of(text: str) -> str | None:
    """Return the country that a country's name or a demonym stands for ("French" -> "France"), else None."""
    words = lexicon()
    return words.place_of.get(fold(text)) or words.people_of.get(text.lower().strip())


def sex_of(words: Iterable[str]) -> str | None:
    """Return the sex that the first telling one of some words tells: pronouns, titles, roles."""
    return next(filter(None, map(lexicon().sex_of_word.get, words)), None)


def land_of(text: str) -> str | None:
    """Return the country of a country's name, a demonym, or a first-level region ("Oregon" -> "United States")."""
    return country_of(text) or lexicon().region_of.get(fold(text))
