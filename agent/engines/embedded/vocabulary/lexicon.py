"""How questions name the ontology's relations: nouns ("director"), verbs ("directed"), kin and comparing words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from .....cubes.core.folding import fold
from .....cubes.model.ontology import Ontology

__all__ = ["KIND_CUBES", "Comparative", "QuestionLexicon", "RelationPhrase", "SameAs", "kinds_of", "listed", "ranks"]

_ARTICLE = re.compile(r" (?:the|an|a)$")
_PARENT = ("father", "mother")
KIND_CUBES = {"person": "person", "place": "location", "organization": "organization", "work": "cultural_product"}
"""The cube whose subjects are values of a kind."""
GRAMMAR = Path(__file__).parent / "grammar.yaml"


@dataclass(frozen=True, slots=True)
class RelationPhrase:
    """Where a relation phrase lives: its cube and dimension, and what its values are."""

    cube: str
    dimension: str
    name: str
    kind: str
    inverse: str | None


@dataclass(frozen=True, slots=True)
class Comparative:
    """What a comparing word looks up for each item and which end of the order wins."""

    relations: tuple[str, ...]
    order: Literal["least", "greatest"]
    starts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SameAs:
    """What "the same ..." compares."""

    relations: tuple[str, ...]
    level: Literal["country", "place", "value", "year"]


@cache
def _grammar() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(
        GRAMMAR.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return loaded


@cache
def listed(name: str) -> frozenset[str]:
    """Return one of the grammar's plain lists of words, folded, or of relations by its name."""
    return frozenset(map(fold, _grammar()[name]))


@cache
def ranks() -> dict[str, int]:
    """Return the words that pick one of several values by its place in time, and that place."""
    numbered = {word: place for place, word in enumerate(_grammar()["ordinals"], 1)}
    return dict.fromkeys(listed("firsts"), 1) | dict.fromkeys(listed("lasts"), -1) | numbered


@cache
def kinds_of(noun: str) -> frozenset[str]:
    """Return the folded nouns that are a kind of what ``noun`` names, itself among them (a poet is a writer)."""
    kinds = (held for nouns, held in _grammar()["narrower"].items() if noun in map(fold, nouns.split(", ")))
    return frozenset({noun, *(fold(kind) for held in kinds for kind in held)})


class _Phrases(defaultdict[str, tuple[str, ...]]):
    """Names by the folded phrases that stand for them, each once and in order."""

    def __init__(self) -> None:
        super().__init__(tuple)

    def add(self, phrases: Iterable[str], *names: str) -> None:
        """Let phrases stand for names."""
        for key in filter(None, map(fold, phrases)):
            self[key] = tuple(dict.fromkeys((*self[key], *names)))


class QuestionLexicon:
    """All phrases of an ontology's cues and of the grammar file, by their folded form.

    A cue's own relation phrase names it too, and its text phrases read questions put in the same words. ``asked_in``
    tells in which cubes a noun asks for a relation: a company's director leads it, a film's directed it.
    """

    def __init__(self, ontology: Ontology) -> None:
        grammar, cues = _grammar(), [(c, d, cue) for c in ontology.cubes for d in c.dimensions for cue in d.cues]
        relations = defaultdict[str, tuple[RelationPhrase, ...]](tuple)
        asks, verbs, passives, nouns, events = (_Phrases() for _ in range(5))
        asked_in = defaultdict[tuple[str, str], set[str]](set)
        for cube in ontology.cubes:
            nouns.add(cube.nouns, cube.id)
        for cube, dimension, cue in cues:
            name = cue.relation
            relations[name] += (RelationPhrase(cube.id, dimension.id, name, cue.kind, cue.inverse),)
            asks.add((*cue.asks, *((name,) if not cue.after or cue.pattern else ())), name)
            verbs.add((*cue.verbs, *cue.before), name)
            passives.add((_ARTICLE.sub("", phrase) for phrase in (*cue.after, name)), name)
            for phrase in cue.asks:
                asked_in[fold(phrase), name].add(cube.id)
        self.relations: dict[str, tuple[RelationPhrase, ...]] = dict(relations)
        for group, into in (("asks", asks), ("verbs", verbs)):
            for name, phrases in grammar[group].items():
                into.add(phrases if name in relations else (), name)
        for words, names in _entries(grammar["events"]):
            events.add(words, *self._known(names))
        self.asked_in, self.asks, self.verbs, self.passives = dict(asked_in), dict(asks), dict(verbs), dict(passives)
        self.nouns, self.events = dict(nouns), dict(events)
        classed = {noun: kind for kind, cube in reversed(KIND_CUBES.items()) for noun in nouns if cube in nouns[noun]}
        self.kinds = classed | {fold(noun): kind for kind, held in grammar["kinds"].items() for noun in held}
        self.kin = self._kin(grammar["kin"])
        self.comparatives = self._comparatives(grammar)
        self.sameness = {
            fold(word): SameAs(self._known(names), level)
            for level, entries in grammar["sameness"].items()
            for words, names in _entries(entries)
            for word in words
        }

    def kind_of(self, names: Iterable[str]) -> str | None:
        """The kind of value that a group of relations gives, if they agree."""
        kinds = {relation.kind for name in names for relation in self.relations.get(name, ())}
        return kinds.pop() if len(kinds) == 1 else None

    def is_noun(self, word: str) -> bool:
        """Whether a word names a class or a kind of value."""
        return fold(word) in self.nouns or fold(word) in self.kinds

    def gender(self, word: str) -> Literal["f", "m"] | None:
        """Whether a kin word speaks of a woman or a man."""
        return "f" if word in listed("female") else "m" if word in listed("male") else None

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if name in self.relations)

    def _kin(self, raw: Mapping[str, Iterable[str]]) -> dict[str, tuple[tuple[str, ...], ...]]:
        """Kin words as paths of relation groups, innermost first: those whose every step the ontology knows."""
        found: dict[str, tuple[tuple[str, ...], ...]] = {}
        for steps, words in raw.items():
            path = tuple(_PARENT if step == "parent" else (step,) for step in steps.split())
            if not all(name in self.relations for group in path for name in group):
                continue
            found |= {fold(word): path for word in words}
            if path[0] == _PARENT and len(path) > 1:
                for side, parent in (("paternal", "father"), ("maternal", "mother")):
                    found |= {f"{side} {fold(word)}": ((parent,), *path[1:]) for word in words}
        return found

    def _comparatives(self, grammar: Mapping[str, Any]) -> dict[str, Comparative]:
        """The comparing phrases spelled out, every event word with every word of order ("founded earlier"), and every
        noun of a quantity with every word of degree ("larger population")."""
        found: dict[str, Comparative] = {}

        def add(phrases: Iterable[str], names: Iterable[str], order: Any, starts: Iterable[str] = ()) -> None:
            known = self._known(names)
            for phrase in map(fold, phrases) if known else ():
                found.setdefault(phrase, Comparative(known, order, tuple(starts)))

        for order, words in grammar["lives"].items():
            add(_degrees(words), ["died on"], order, ["born on"])
        for order, entries in grammar["comparatives"].items():
            for words, names in _entries(entries):
                add(_degrees(words), names, order)
        for words, names in _entries(grammar["events"]):
            for order, ranked in grammar["orders"].items():
                both = [(event, word) for event in words for word in ranked]
                add((f"{one} {other}" for each in both for one, other in (each, each[::-1])), names, order)
        for noun, asked in self.asks.items():
            amounts = [name for name in asked if self.relations[name][0].kind == "quantity"]
            for order, words in grammar["degrees"].items():
                add((f"{word} {noun}" for word in _degrees(words) if noun not in found), amounts, order)
        return found


def _entries(table: Mapping[str, list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    """The words of each entry, and the relations that they look up."""
    return ((words.split(", "), names) for words, names in table.items())


def _degrees(words: Iterable[str]) -> Iterator[str]:
    """Comparing words with their superlatives: "older" and "oldest", "more recent" and "most recent"."""
    for word in words:
        yield word
        for ending, most in ((r"^more\b", "most"), (r"^less\b", "least"), (r"(?<=\w)er\b", "est")):
            changed = re.sub(ending, most, word)
            if changed != word:
                yield changed
