"""An ontology compiled for reading: its phrases in one automaton, its nouns, and where each relation's
facts go.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

import ahocorasick

from ..core.folding import fold
from ..model.ontology import CubeSpec, Cue, Dimension, Ontology
from .words.lexicon import group

__all__ = ["AGENT", "LIFE_VERBS", "CueEntry", "CuePhrase", "ExtractionPlan"]

_WORKS = frozenset({"film", "song", "book", "novel", "poem", "painting"})
AGENT = re.compile(r"[\w-]{3,}(?:or|er|ist|ian|man|woman|wright|smith|ress|ologist)$")
"""How nouns end that tell what a person does."""
_PERSON_PATTERNS = frozenset({"kin", "birth_date", "birth_place"})
LIFE_VERBS = {
    "born": "birth",
    "died": "death",
    "dies": "death",
    "killed": "death",
    "executed": "death",
    "assassinated": "death",
    "murdered": "death",
    "drowned": "death",
    "committed": "death",  # suicide
}
"""Verbs of births and deaths, with the event that each tells."""


@dataclass(frozen=True, slots=True)
class CueEntry:
    """A cue with the cube and dimension its facts belong to."""

    cube: str
    dimension: Dimension
    cue: Cue

    @property
    def kind(self) -> str:
        """The kind of value the cue expects."""
        return self.cue.kind


@dataclass(frozen=True, slots=True)
class CuePhrase:
    """One phrase of a cue: ``after`` phrases stand before their value, the others behind it."""

    entry: CueEntry
    text: str
    after: bool


class ExtractionPlan:
    """Everything the rules ask about an ontology, looked up in constant time."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self.cubes: dict[str, CubeSpec] = {cube.id: cube for cube in ontology.cubes}
        self.default = ontology.cubes[0].id
        self.person = _person_cube(ontology)
        self.nouns = _nouns(ontology)
        self._entries = [CueEntry(c.id, d, cue) for c in ontology.cubes for d in c.dimensions for cue in d.cues]
        self._patterns: dict[tuple[str, str], list[CueEntry]] = defaultdict(list)
        self._relations: dict[tuple[str, str], list[CueEntry]] = defaultdict(list)
        self.participles: dict[str, list[CueEntry]] = defaultdict(list)
        """Cues with the phrase "<word> by"."""
        self.roles: dict[tuple[str, str], list[CueEntry]] = defaultdict(list)
        self.dated: dict[tuple[str, str], list[CueEntry]] = defaultdict(list)
        for entry in self._entries:
            self._index(entry)
        self._automaton = self._compile()

    def pattern(self, cube: str, pattern: str) -> list[CueEntry]:
        """The cues of a cube that name this structure."""
        return self._patterns.get((cube, pattern), [])

    def classes(self, noun: str) -> tuple[str, ...]:
        """The classes that list a noun; of "singer-songwriter" the last word tells."""
        if self.person and "-" in noun and fold(noun) not in self.nouns and AGENT.match(noun):
            return (self.person,)
        return self.nouns.get(fold(noun), ()) or self.nouns.get(fold(noun.rpartition("-")[2]), ())

    def relation(self, cube: str, relation: str) -> CueEntry | None:
        """The cue of a cube with this canonical relation, if it has one."""
        found = self._relations.get((cube, relation))
        return found[0] if found else None

    def inverse(self, relation: str, kind: str) -> CueEntry | None:
        """The cue that the value of ``kind`` would bear, in whichever cube knows the relation."""
        order = sorted(self.cubes, key=lambda cube: not self.holds(cube, kind))
        for cube in order:
            entry = self.relation(cube, relation) if cube else None
            if entry is not None:
                return entry
        return None

    def holds(self, cube: str, kind: str) -> bool:
        """Whether values of this kind are members of the class."""
        if kind == "person":
            return cube == self.person
        return (
            cube == kind
            or kind in self.cubes[cube].nouns
            or (kind == "work" and cube != self.person and bool(_WORKS.intersection(self.cubes[cube].nouns)))
        )

    def find(self, lowered: str) -> list[tuple[int, int, list[CuePhrase]]]:
        """Every phrase in a lower-case text at word borders: (start, end, phrases), in order."""
        found: list[tuple[int, int, list[CuePhrase]]] = []
        for last, (length, phrases) in self._automaton.iter(lowered) if self._automaton is not None else ():
            start, end = last - length + 1, last + 1
            before, behind = lowered[start - 1 : start], lowered[end : end + 1]
            if not (before.isalnum() or before == "-" or behind.isalnum()):
                found.append((start, end, phrases))
        return found

    def _index(self, entry: CueEntry) -> None:
        if entry.cue.pattern:
            self._patterns[entry.cube, entry.cue.pattern].append(entry)
        self._relations[entry.cube, entry.cue.relation].append(entry)
        for noun in entry.cue.asks if entry.kind in ("person", "name") and entry.cue.pattern != "kin" else ():
            self.roles[entry.cube, noun.lower()].append(entry)
        for phrase in entry.cue.after:
            head, _, tail = phrase.lower().removeprefix("first ").removeprefix("took ").rpartition(" ")
            verb = head.endswith(("ed", "wn")) or head in entry.cue.verbs
            if entry.kind == "date" and tail in ("on", "in") and " " not in head and verb and head not in LIFE_VERBS:
                self.dated[entry.cube, head].append(entry)
            if tail == "by" and head and " " not in head and head not in self.nouns:
                self.participles[head].append(entry)

    def _compile(self) -> ahocorasick.Automaton | None:
        grouped: dict[str, list[CuePhrase]] = defaultdict(list)
        for entry in self._entries:
            for text in entry.cue.after:
                grouped[text.lower()].append(CuePhrase(entry, text.lower(), True))
            for text in entry.cue.before:
                grouped[text.lower()].append(CuePhrase(entry, text.lower(), False))
        if not grouped:
            return None
        automaton = ahocorasick.Automaton()
        for text, phrases in grouped.items():
            automaton.add_word(text, (len(text), phrases))
        automaton.make_automaton()
        return automaton


def _person_cube(ontology: Ontology) -> str | None:
    """The class of persons: the one that reads lives or kinship, or that calls its members persons."""
    for cube in ontology.cubes:
        if any(cue.pattern in _PERSON_PATTERNS for d in cube.dimensions for cue in d.cues):
            return cube.id
    for cube in ontology.cubes:
        if "person" in cube.nouns or cube.id == "person":
            return cube.id
    return None


def _nouns(ontology: Ontology) -> dict[str, tuple[str, ...]]:
    """Folded class nouns to the cubes that list them, in the ontology's order."""
    found: dict[str, list[str]] = defaultdict(list)
    for cube in ontology.cubes:
        for noun in (*cube.nouns, cube.name.lower(), cube.id.replace("_", " ")):
            if cube.id not in found[fold(noun)]:
                found[fold(noun)].append(cube.id)
    person = _person_cube(ontology)
    if person:
        for word in group("occupations"):
            found.setdefault(fold(word), [person])
    return {noun: tuple(cubes) for noun, cubes in found.items()}
