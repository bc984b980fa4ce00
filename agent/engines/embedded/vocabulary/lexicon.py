"""How questions name the ontology's relations: nouns ("director"), verbs ("directed"), kin and comparing words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations, product
from typing import Any, Literal

from .....cubes.core.folding import fold
from .....cubes.model.ontology import Ontology
from .....cubes.model.table_ids import is_table
from ..plan import Level
from .wording import compared, lists_in

__all__ = ["KIND_CUBES", "Comparative", "QuestionLexicon", "RelationPhrase", "kinds_of", "listed", "ranks"]

_ARTICLE = re.compile(r" (?:the|an|a)$")
_PARENT = ("father", "mother")
_DEGREES = ("er", "est", "more", "most", "less", "least")  # how words end that compare
KIND_CUBES = {"person": "person", "place": "location", "organization": "organization", "work": "cultural_product"}
"""The cube whose subjects are values of a kind."""
_grammar = partial(lists_in, "grammar.yaml")


@dataclass(frozen=True, slots=True)
class RelationPhrase:
    """Where a relation phrase lives: its cube and dimension, what its values are, and which nouns ask for it there (a
    company's director leads it, a film's directed it)."""

    cube: str
    dimension: str
    name: str
    kind: str
    inverse: str | None
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparative:
    """What a comparing word looks up for each item (from ``starts`` on, if any), and which end of the order wins."""

    relations: tuple[str, ...]
    order: Literal["least", "greatest"]
    starts: tuple[str, ...] = ()


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
    kinds = (held for nouns, held in _entries(_grammar()["narrower"]) if noun in map(fold, nouns))
    return frozenset({noun, *(fold(kind) for held in kinds for kind in held)})


class QuestionLexicon:
    """All phrases of an ontology's cues and of the grammar file, by their folded form.

    A cue's own relation phrase names it too, and its text phrases read questions put in the same words.
    """

    def __init__(self, ontology: Ontology) -> None:
        grammar = _grammar()
        self.relations: dict[str, tuple[RelationPhrase, ...]] = {}
        self.asks, self.verbs, self.nouns, self.events = (dict[str, tuple[str, ...]]() for _ in range(4))
        for cube in ontology.cubes:
            _add(self.nouns, cube.nouns, cube.id)
        for cube, dimension, cue in [(c, d, cue) for c in ontology.cubes for d in c.dimensions for cue in d.cues]:
            name = cue.relation
            phrase = RelationPhrase(cube.id, dimension.id, name, cue.kind, cue.inverse, cue.asks)
            self.relations[name] = (*self.relations.get(name, ()), phrase)
            _add(self.asks, (*cue.asks, *((name,) if not cue.after or cue.pattern else ())), name)
            behind = (_ARTICLE.sub("", phrase) for phrase in (*cue.after, name))
            _add(self.events, cue.verbs if cue.kind == "date" else (), name)
            _add(self.verbs, (*cue.verbs, *cue.before, *behind), name)
        for table, into in (("asks", self.asks), ("verbs", self.verbs), ("events", self.events)):
            for name, phrases in grammar[table].items():
                _add(into, phrases if name in self.relations else (), name)
        self._columns: dict[str, dict[str, None]] = defaultdict(dict)
        for name, column in self._beside():
            self._columns[name][column] = None
        self.began = self._dated(grammar["began"])  # the dates at which things begin, of which each has one
        for word, names in self.events.items():
            begins = "born on" not in names and not set(names).isdisjoint(self.began)
            self.events[word] = tuple(dict.fromkeys((*names, *self.began))) if begins else names
        classed = [(noun, kind) for kind, cube in KIND_CUBES.items() for noun in self.nouns if cube in self.nouns[noun]]
        named = {fold(noun): kind for kind, nouns in grammar["kinds"].items() for noun in nouns}
        self.kinds = dict(reversed(classed)) | named
        self.kin = dict(self._kin(grammar["kin"]))
        self.comparatives = self._comparatives(grammar)
        self.sameness: dict[str, tuple[tuple[str, ...], Level]] = {
            fold(word): (self._known(names), level)
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

    def _amounts(self, names: Iterable[str]) -> Iterator[str]:
        return (name for name in names if self.relations[name][0].kind == "quantity")

    def _dated(self, names: Iterable[str]) -> tuple[str, ...]:
        """The relations of some names, and the columns of tables that are called so or have the verb of one of them."""
        names = [*names]
        columns = (column for name in names for column in self._columns.get(name, ()))
        return tuple(dict.fromkeys((*self._known(names), *columns)))

    def _beside(self) -> Iterator[tuple[str, str]]:
        """The names that columns of tables go by in comparisons, each with the column: its own, and those of dates that
        share a verb with it ("opened")."""
        tabled = {name for name, held in self.relations.items() if any(is_table(r.cube) for r in held)}
        for table in (self.events, {key: (key, *named) for key, named in self.asks.items()}):
            for named in table.values():
                yield from ((name, column) for column in named if column in tabled for name in named)

    def _kin(self, table: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
        """Kin words as paths of relation groups, innermost first: those whose every step the ontology knows."""
        for steps, words in table.items():
            first, *others = (_PARENT if step == "parent" else (step,) for step in steps.split())
            if not all(name in self.relations for group in (first, *others) for name in group):
                continue
            sides = {"paternal ": ("father",), "maternal ": ("mother",)} if first == _PARENT and others else {}
            for side, parent in {"": first, **sides}.items():
                yield from ((f"{side}{fold(word)}", (parent, *others)) for word in words)

    def _comparatives(self, grammar: Mapping[str, Any]) -> dict[str, Comparative]:
        """The comparing phrases spelled out, every event word with every word of order ("founded earlier"), and every
        noun of a quantity with every comparing word ("larger population")."""
        found: dict[str, Comparative] = {}

        def add(order: Any, phrases: Iterable[str], known: tuple[str, ...], starts: tuple[str, ...] = ()) -> None:
            for phrase in map(fold, phrases) if known else ():
                found.setdefault(phrase, Comparative(known, order, starts))

        for ends, names in grammar["comparatives"].items():
            for order, words in zip(("least", "greatest"), ends.split(" | "), strict=True):
                add(order, _degrees(words.split(", ")), self._dated(names))
        for order in ("least", "greatest"):
            add(order, grammar["lives"][order], self._dated(["died on"]), ("born on",))
            for pair in product(self.events, grammar["orders"][order]):
                add(order, map(" ".join, permutations(pair)), self._dated(self.events[pair[0]]))
        for noun in [each for each in self.asks if each not in found]:
            told = tuple(self._amounts(self._dated(self._amounts(self.asks[noun]))))
            for word, (order, _) in compared().items():
                add(order, [f"{word} {noun}"] if word.endswith(_DEGREES) else (), told)
        return found


def _add(table: dict[str, tuple[str, ...]], phrases: Iterable[str], *names: str) -> None:
    """Let phrases, folded, stand for names as well, each once and in order."""
    for key in filter(None, map(fold, phrases)):
        table[key] = tuple(dict.fromkeys((*table.get(key, ()), *names)))


def _entries(table: Mapping[str, list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    """The words of each entry, and what they stand for."""
    return ((words.split(", "), names) for words, names in table.items())


def _degrees(words: Iterable[str]) -> Iterator[str]:
    """Comparing words with their superlatives: "older" and "oldest", "more recent" and "most recent"."""
    for word in words:
        yield word
        for ending, most in ((r"^more\b", "most"), (r"^less\b", "least"), (r"(?<=\w)er\b", "est")):
            changed = re.sub(ending, most, word)
            if changed != word:
                yield changed
