"""Whether the documents speak of a person as a woman or a man."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from ....cubes.cells import CubeSet
from ....cubes.folding import base_key, fold, fold_words
from ..lexicon import Lexicon
from ..linking import Linker

__all__ = ["Gender", "Genders"]

Gender = Literal["f", "m"]

_PRONOUN = re.compile(r"\b(?:(?P<f>she|her|hers)|(?P<m>he|his|him))\b", re.IGNORECASE)
_PREDICATE = re.compile(r"\b(?:was|is|and|,) (?:an?|the) ((?:[\w-]+ ){0,3}?[\w-]+)(?= (?:of|who|and)|[,.;])")
_SUBJECTS = frozenset({"she", "he"})
_SAID = 3  # what a noun that says it counts for: "the actress X", "X was the husband of"
_SUBJECT, _OBJECT = 2, 1  # "she" is likelier the section's person than "her"
_TITLES = 2  # words of a name that may be a title
_NEAR = 2  # words before a name that may say what the person is
_SECTIONS = 4


class Genders:
    """Tells by a title in the name, by kin, and by the nouns and pronouns of sections that speak of the person."""

    def __init__(self, cubes: CubeSet, lexicon: Lexicon, linker: Linker, text_of: Callable[[str], str]) -> None:
        self._cubes, self._lexicon, self._linker, self._text_of = cubes, lexicon, linker, text_of

    def of(self, name: str) -> Gender | None:
        """Return "f" or "m", None where nothing tells."""
        for word in fold(name).split()[:_TITLES]:
            told = self._lexicon.gender(word)
            if told is not None:
                return told
        kin = {self._lexicon.gender(f.relation) for f in self._cubes.facts_valued(fold(name))} - {None}
        if len(kin) == 1:
            return kin.pop()
        votes = {"f": 0, "m": 0}
        for gender, weight in self._votes(name):
            votes[gender] += weight
        if votes["f"] == votes["m"]:
            return None
        return "f" if votes["f"] > votes["m"] else "m"

    def _votes(self, name: str) -> Iterator[tuple[Gender, int]]:
        subjects = [s for s in self._linker.link(name) if s.cube == "person"]
        own = {f.section_id for s in subjects for f in self._cubes.facts_about(s.key) if f.relation == "is"}
        sections = dict.fromkeys(i for s in subjects[:1] for i in s.sections)
        for section in list(sections)[:_SECTIONS]:
            text = self._text_of(section)
            yield from self._before(base_key(name), text)
            if section in own:
                yield from self._predicate(text)
                yield from _pronouns(text)

    def _before(self, key: str, text: str) -> Iterator[tuple[Gender, int]]:
        """Nouns right before the name: "the actress X", "his sister, X"."""
        words, wanted = fold_words(text), key.split()
        for at in range(1, len(words) - len(wanted) + 1):
            if words[at : at + len(wanted)] == wanted:
                for word in words[max(0, at - _NEAR) : at]:
                    told = self._lexicon.gender(word)
                    if told is not None:
                        yield told, _SAID

    def _predicate(self, text: str) -> Iterator[tuple[Gender, int]]:
        """Nouns that a section's first words say of its person: "was an actress", "is the husband of"."""
        for found in _PREDICATE.finditer(text):
            told = self._lexicon.gender(fold(found[1].split()[-1]))
            if told is not None:
                yield told, _SAID


def _pronouns(text: str) -> Iterator[tuple[Gender, int]]:
    for found in _PRONOUN.finditer(text):
        weight = _SUBJECT if found[0].lower() in _SUBJECTS else _OBJECT
        yield ("f" if found["f"] else "m"), weight
