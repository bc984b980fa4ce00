"""The word lists of the embedded extractor, read from the YAML files beside this module."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import yaml

from ..folding import fold

__all__ = ["Lexicon", "country_of", "land_of", "lexicon"]


@dataclass(frozen=True)
class Lexicon:
    """Closed word classes, kinship words and countries; built once and never changed."""

    words: dict[str, Any]
    kin: dict[str, Any]
    countries: dict[str, dict[str, list[str]]]
    regions: dict[str, list[str]]

    @cached_property
    def _groups(self) -> dict[str, frozenset[str]]:
        return {name: frozenset(group) for name, group in self.words["groups"].items()}

    def group(self, name: str) -> frozenset[str]:
        """A small closed set of words by its name in the file's ``groups``."""
        return self._groups[name]

    @cached_property
    def initial(self) -> frozenset[str]:
        """Lower-case words that may begin a sentence without being a name."""
        return frozenset(self.words["initial"])

    @cached_property
    def particles(self) -> frozenset[str]:
        """Lower-case words allowed inside a name."""
        return frozenset(self.words["particles"])

    @cached_property
    def breaks(self) -> frozenset[str]:
        """Words at which reading towards a value ends."""
        return frozenset(self.words["breaks"])

    @cached_property
    def finite(self) -> frozenset[str]:
        """Irregular finite verb forms; regular ones are told by their ending."""
        return frozenset(self.words["finite"])

    @cached_property
    def works(self) -> frozenset[str]:
        """Nouns for works of art and media."""
        return frozenset(self.words["works"])

    @cached_property
    def not_verbs(self) -> frozenset[str]:
        """Words in -ed that are no verbs."""
        return frozenset(self.words["not_verbs"])

    @cached_property
    def prepositions(self) -> frozenset[str]:
        """Prepositions."""
        return frozenset(self.words["prepositions"])

    @cached_property
    def courtesy(self) -> frozenset[str]:
        """Courtesy, military and academic titles, which are left off a name."""
        return frozenset(self.words["courtesy"])

    @cached_property
    def kin_words(self) -> frozenset[str]:
        """Nouns of kinship, singular and plural."""
        return frozenset(self.kin["nouns"]) | frozenset(self.kin["plurals"])

    @cached_property
    def kin_modifiers(self) -> frozenset[str]:
        """Words that may stand before a noun of kinship without changing who is meant."""
        return frozenset(self.kin["modifiers"])

    @cached_property
    def parts(self) -> frozenset[str]:
        """Parts and properties of a thing that are told in the article about it."""
        return frozenset(self.words["parts"])

    @cached_property
    def same_thing(self) -> dict[str, frozenset[str]]:
        """For each noun, the nouns that may refer to the same thing."""
        found: dict[str, set[str]] = {}
        for group in self.words["same_thing"]:
            for noun in group:
                found.setdefault(noun, set()).update(group)
        return {noun: frozenset(group) for noun, group in found.items()}

    @cached_property
    def sex_of_word(self) -> dict[str, str]:
        """Pronouns, titles and roles that tell a person's sex."""
        found: dict[str, str] = {}
        for sex in ("male", "female"):
            found.update(dict.fromkeys(self.words["titles"][sex], sex))
            found.update(dict.fromkeys(self.words[f"{sex}_words"], sex))
        return found

    @cached_property
    def titles(self) -> frozenset[str]:
        """Titles that belong to a person's name."""
        return frozenset(word for group in self.words["titles"].values() for word in group)

    @cached_property
    def language_names(self) -> frozenset[str]:
        """Languages, lower case."""
        return frozenset(self.words["languages"])

    @cached_property
    def no_nationality(self) -> frozenset[str]:
        """Adjectives that only look like demonyms."""
        return frozenset(self.words["no_nationality"])

    @cached_property
    def organisation_words(self) -> frozenset[str]:
        """Words that end the names of organizations."""
        return frozenset(self.words["organisation_words"])

    @cached_property
    def not_places(self) -> frozenset[str]:
        """Demonyms and languages, lower case."""
        return self.language_names | frozenset(self.people_of)

    @cached_property
    def place_of(self) -> dict[str, str]:
        """Country names and their other names, folded, to the canonical name."""
        found: dict[str, str] = {}
        for country, entry in self.countries.items():
            for name in (country, *entry.get("also", [])):
                found.setdefault(fold(name), country)
        return found

    @cached_property
    def region_of(self) -> dict[str, str]:
        """First-level parts of large countries, folded, to the country."""
        return {fold(region): country for country, regions in self.regions.items() for region in regions}

    @cached_property
    def people_of(self) -> dict[str, str]:
        """Demonyms, lower case as written, to the canonical country."""
        found: dict[str, str] = {}
        for country, entry in self.countries.items():
            for name in entry.get("people", []):
                found.setdefault(name.lower(), country)
        return found


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon, read on first use."""
    files = ("lexicon", "kin", "countries", "regions")
    return Lexicon(*(_read(f"{name}.yaml") for name in files))


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
    return yaml.load((Path(__file__).parent / name).read_text(encoding="utf-8"), Loader=loader)
