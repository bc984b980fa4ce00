"""The word lists of the embedded extractor, read from the YAML files beside this module."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from ...core.folding import fold

__all__ = ["ExtractionLexicon", "KinNoun", "country_of", "land_of", "lexicon"]

_Words = frozenset[str]
_LISTS = (
    "initial", "particles", "breaks", "finite", "works", "not_verbs", "prepositions", "courtesy", "parts",
    "no_nationality", "organisation_words",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class KinNoun:
    """What the person named behind "of" is to the bearer of a word of kinship, and the bearer's sex."""

    relation: str
    sex: str | None = None


@dataclass(frozen=True)
class ExtractionLexicon:
    """Closed word classes, kinship words and countries; built once and never changed."""

    words: dict[str, Any]
    kin: dict[str, Any]
    countries: dict[str, dict[str, list[str]]]
    groups: dict[str, _Words]
    initial: _Words  # lower-case words that may begin a sentence without being a name
    particles: _Words  # lower-case words allowed inside a name
    breaks: _Words  # words at which reading towards a value ends
    finite: _Words  # irregular finite verb forms; regular ones are told by their ending
    works: _Words  # nouns for works of art and media
    not_verbs: _Words  # words in -ed that are no verbs
    prepositions: _Words
    courtesy: _Words  # courtesy, military and academic titles, which are left off a name
    parts: _Words  # parts and properties of a thing that are told in the article about it
    no_nationality: _Words  # adjectives that only look like demonyms
    organisation_words: _Words  # words that end the names of organizations
    kin_words: _Words  # nouns of kinship, singular and plural
    kin_modifiers: _Words  # words that may stand before such a noun without changing who is meant
    same_thing: dict[str, _Words]  # for each noun, the nouns that may refer to the same thing
    sex_of_word: dict[str, str]  # pronouns, titles and roles that tell a person's sex
    titles: _Words  # titles that belong to a person's name
    language_names: _Words  # languages, lower case
    place_of: dict[str, str]  # country names and their other names, folded, to the canonical name
    people_of: dict[str, str]  # demonyms, lower case as written, to the canonical country
    region_of: dict[str, str]  # first-level parts of large countries, folded, to the country
    not_places: _Words  # demonyms and languages, lower case

    def group(self, name: str) -> _Words:
        """A small closed set of words by its name in the file's ``groups``."""
        return self.groups[name]


@lru_cache(maxsize=1)
def lexicon() -> ExtractionLexicon:
    """Return the lexicon, read on first use."""
    words, kin, countries, regions = (_read(name) for name in ("lexicon", "kin", "countries", "regions"))
    bearers = [(r, sex, nouns) for r, by_sex in kin["nouns"].items() for sex, nouns in by_sex.items()]
    kin["nouns"] = {noun: KinNoun(r, None if sex == "either" else sex) for r, sex, nouns in bearers for noun in nouns}
    titles, languages = words["titles"], frozenset(words["languages"])
    same: dict[str, set[str]] = {}
    for group in words["same_thing"]:
        for noun in group:
            same.setdefault(noun, set()).update(group)
    lands = list(reversed(countries.items()))  # of two lands with one name the first counts
    people = {name.lower(): country for country, entry in lands for name in entry.get("people", ())}
    return ExtractionLexicon(
        words, kin, countries, {name: frozenset(group) for name, group in words["groups"].items()},
        **{name: frozenset(words[name]) for name in _LISTS},
        kin_words=frozenset(kin["nouns"]) | frozenset(kin["plurals"]),
        kin_modifiers=frozenset(kin["modifiers"]),
        same_thing={noun: frozenset(group) for noun, group in same.items()},
        sex_of_word={w: sex for sex in ("male", "female") for w in (*titles[sex], *words[f"{sex}_words"])},
        titles=frozenset(word for group in titles.values() for word in group),
        language_names=languages,
        place_of={fold(n): country for country, entry in lands for n in (country, *entry.get("also", ()))},
        people_of=people,
        region_of={fold(region): country for country, parts in regions.items() for region in parts},
        not_places=languages | frozenset(people),
    )  # fmt: skip


@lru_cache(maxsize=20_000)
def country_of(text: str) -> str | None:
    """Return the country that a country's name or a demonym stands for ("French" -> "France"), else None."""
    words = lexicon()
    return words.place_of.get(fold(text)) or words.people_of.get(text.lower().strip())


def land_of(text: str) -> str | None:
    """Return the country of a country's name, a demonym, or a first-level region ("Oregon" -> "United States")."""
    return country_of(text) or lexicon().region_of.get(fold(text))


def _read(name: str) -> Any:
    """Read one list; every scalar stays a string, so that "no" and "on" are words and not truth values."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return yaml.load((Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8"), Loader=loader)
