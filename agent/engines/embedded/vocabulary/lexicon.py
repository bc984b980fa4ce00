"""How questions name the ontology's relations: nouns ("director"), verbs ("directed"), kin and comparing words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from .....cubes.core.folding import fold
from .....cubes.model.ontology import Ontology

__all__ = [
    "Comparative",
    "QuestionLexicon",
    "RelationPhrase",
    "SameAs",
    "build_lexicon",
    "kinds_of",
    "ranks",
]

KinPath = tuple[tuple[str, ...], ...]
"""A kin word as a path of relation groups, innermost first."""
_PARENT = ("father", "mother")
_ARTICLE = re.compile(r" (?:the|an|a)$")
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


@dataclass(frozen=True, slots=True)
class QuestionLexicon:
    """All phrases by their folded form; longest phrases are tried first.

    ``asked_in`` tells in which cubes a noun asks for a relation: a company's director leads it, a film's directed it.
    """

    relations: Mapping[str, tuple[RelationPhrase, ...]]
    asks: Mapping[str, tuple[str, ...]]
    asked_in: Mapping[tuple[str, str], frozenset[str]]
    verbs: Mapping[str, tuple[str, ...]]
    passives: Mapping[str, tuple[str, ...]]
    nouns: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, str]
    kin: Mapping[str, KinPath]
    comparatives: Mapping[str, Comparative]
    events: Mapping[str, tuple[str, ...]]
    sameness: Mapping[str, SameAs]

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


class _Phrases(defaultdict[str, dict[str, None]]):
    """Names by the folded phrases that stand for them, each once and in order."""

    def __init__(self) -> None:
        super().__init__(dict)

    def add(self, phrases: Iterable[str], name: str) -> None:
        """Let phrases stand for a name."""
        for key in filter(None, map(fold, phrases)):
            self[key][name] = None

    def frozen(self) -> dict[str, tuple[str, ...]]:
        """The names of each phrase."""
        return {key: tuple(names) for key, names in self.items()}


def build_lexicon(ontology: Ontology) -> QuestionLexicon:
    """Collect the phrases of an ontology's cues and of the grammar file.

    A cue's own relation phrase names it too, and its text phrases read questions put in the same words.
    """
    grammar = _grammar()
    relations: defaultdict[str, list[RelationPhrase]] = defaultdict(list)
    asked_in: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    asks, verbs, passives, nouns = (_Phrases() for _ in range(4))
    for cube in ontology.cubes:
        nouns.add(cube.nouns, cube.id)
        for place, cue in ((dimension.id, cue) for dimension in cube.dimensions for cue in dimension.cues):
            name = cue.relation
            relations[name].append(RelationPhrase(cube.id, place, name, cue.kind, cue.inverse))
            asks.add((*cue.asks, *((name,) if not cue.after or cue.pattern else ())), name)
            verbs.add((*cue.verbs, *cue.before), name)
            passives.add((_ARTICLE.sub("", phrase) for phrase in (*cue.after, name)), name)
            for phrase in cue.asks:
                asked_in[fold(phrase), name].add(cube.id)
    for group, into in (("asks", asks), ("verbs", verbs)):
        for name, phrases in grammar[group].items():
            into.add(phrases if name in relations else (), name)
    return QuestionLexicon(
        relations={k: tuple(v) for k, v in relations.items()},
        asks=asks.frozen(),
        asked_in={key: frozenset(cubes) for key, cubes in asked_in.items()},
        verbs=verbs.frozen(),
        passives=passives.frozen(),
        nouns=nouns.frozen(),
        kinds={fold(noun): kind for kind, names in grammar["kinds"].items() for noun in names},
        kin=_kin(grammar["kin"], relations),
        comparatives=_comparatives(grammar, relations, asks),
        events={
            fold(word): tuple(r for r in entry["relations"] if r in relations)
            for entry in grammar["events"]
            for word in (*entry["words"], *entry.get("nouns", ()))
        },
        sameness={
            fold(word): SameAs(tuple(r for r in entry["relations"] if r in relations), entry["level"])
            for entry in grammar["sameness"]
            for word in entry["words"]
        },
    )


def _kin(raw: Mapping[str, Sequence[str]], relations: Mapping[str, Any]) -> dict[str, KinPath]:
    """Keep the kin words whose every step the ontology knows."""
    found: dict[str, KinPath] = {}
    for steps, words in raw.items():
        path = tuple(_PARENT if step == "parent" else (step,) for step in steps.split())
        if not all(name in relations for group in path for name in group):
            continue
        found |= {fold(word): path for word in words}
        if path[0] == _PARENT and len(path) > 1:
            for side, parent in (("paternal", "father"), ("maternal", "mother")):
                found |= {f"{side} {fold(word)}": ((parent,), *path[1:]) for word in words}
    return found


def _comparatives(
    grammar: Mapping[str, Any], relations: Mapping[str, Sequence[RelationPhrase]], asks: Mapping[str, Iterable[str]]
) -> dict[str, Comparative]:
    """The comparing phrases spelled out, every event word with every word of order ("founded earlier"), and every noun
    of a quantity with every word of degree ("larger population")."""
    found: dict[str, Comparative] = {}

    def add(phrase: str, names: Iterable[str], order: str, starts: Iterable[str] = ()) -> None:
        known = tuple(name for name in names if name in relations)
        if known and fold(phrase) not in found:
            found[fold(phrase)] = Comparative(known, order, tuple(starts))  # type: ignore[arg-type]

    for entry in grammar["comparatives"]:
        for phrase in _degrees(entry["words"]):
            add(phrase, entry["relations"], entry["order"], entry.get("starts", ()))
    for entry in grammar["events"]:
        for order, words in grammar["orders"].items():
            for event, word in ((e, w) for e in entry["words"] for w in words):
                add(f"{event} {word}", entry["relations"], order)
                add(f"{word} {event}", entry["relations"], order)
    for noun, names in asks.items():
        amounts = [name for name in names if relations[name][0].kind == "quantity"]
        for order, words in grammar["degrees"].items():
            for word in _degrees(words) if amounts and noun not in found else ():
                add(f"{word} {noun}", amounts, order)
    return found


def _degrees(words: Iterable[str]) -> Iterator[str]:
    """Comparing words with their superlatives: "older" and "oldest", "more recent" and "most recent"."""
    for word in words:
        yield word
        for ending, most in (("more", "most"), ("less", "least"), ("er", "est")):
            changed = re.sub(rf"^{ending}\b" if ending != "er" else r"(?<=\w)er\b", most, word)
            if changed != word:
                yield changed
