"""What the cubes know of things that a conversation names: their classes, their gender, which relations they have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from ....cubes.cells import CubeSet
from ....cubes.dates import parse_date
from ....cubes.folding import fold
from ..lexicon import Lexicon, build_lexicon
from ..linking import Linker
from ..relations import KIND_CUBES
from .genders import Gender, Genders
from .mentions import Mentions

__all__ = ["NO_THING", "World"]

NO_THING = frozenset({"date", "quantity", "truth"})
"""Kinds of value that no pronoun stands for."""
_KIND_OF = {cube: kind for kind, cube in KIND_CUBES.items()}
_LONGEST = 4  # words of a relation's phrase
_DOING = frozenset({"did", "doe", "do"})
_VERDICTS = frozenset({"yes", "no", "true", "false"})


class World:
    """One generation of a knowledge base as conversations see it."""

    def __init__(self, cubes: CubeSet, text_of: Callable[[str], str]) -> None:
        self._cubes = cubes
        self.lexicon: Lexicon = build_lexicon(cubes.ontology)
        self.linker = Linker(cubes)
        self.mentions = Mentions(self.lexicon, self.linker)
        self._genders = Genders(cubes, self.lexicon, self.linker, text_of)
        self._told: dict[str, Gender | None] = {}

    def classes(self, name: str) -> frozenset[str]:
        """The cubes in which something is called so."""
        return frozenset(s.cube for s in self.linker.link_exactly(name))

    def kinds(self, name: str) -> frozenset[str]:
        """What something called so may be: "person", "place", "work", "organization", another class, "date"."""
        if fold(name) in _VERDICTS:
            return frozenset({"truth"})
        known = {_KIND_OF.get(cube, cube) for cube in self.classes(name)}
        if not known:
            known = {f.kind for f in self._cubes.facts_valued(fold(name))} - {"name", "text", "event", "nationality"}
        if not known and parse_date(name) is not None:
            known = {"date"}
        if not known and name[:1].isdigit() and not any(c.isupper() for c in name):
            known = {"quantity"}
        return frozenset(known)

    def gender(self, name: str) -> Gender | None:
        """Whether a person is a woman or a man, None where nothing tells."""
        if name not in self._told:
            self._told[name] = self._genders.of(name)
        return self._told[name]

    def is_noun(self, word: str) -> bool:
        """Whether a word says what class a thing is of ("film", "city", "man")."""
        key = fold(word)
        return key in self.lexicon.nouns or key in self.lexicon.kinds

    def noun_kind(self, noun: str) -> str | None:
        """The kind of thing that a noun names."""
        key = fold(noun)
        if key in self.lexicon.kinds:
            return self.lexicon.kinds[key]
        return next((_KIND_OF.get(cube, cube) for cube in self.lexicon.nouns.get(key, ())), None)

    def is_a(self, name: str, noun: str) -> bool:
        """Whether a thing's own facts call it so, or by a noun for the same ("the island" for Hesk)."""
        kind = self.noun_kind(noun)
        if kind is not None and (kind == "person") != ("person" in self.kinds(name)):
            return False  # a film director is no film
        nouns = self.lexicon.alike_to(fold(noun))
        return any(
            nouns & set(fold(f.value).split())
            for s in self.linker.link_exactly(name)
            for f in self._cubes.facts_about(s.key)
            if f.relation in ("is", "type", "genre", "occupation")
        )

    def relation(self, phrase: str) -> str:
        """The relation noun that a phrase ends in ("director", "maternal grandfather"), folded; "" if none."""
        words = fold(phrase).split()
        tails = (" ".join(words[start:]) for start in range(len(words)))
        return next((t for t in tails if t in self.lexicon.kin or t in self.lexicon.asks), "")

    def result(self, relation: str) -> str | None:
        """The kind of thing that a relation noun gives: a director is a person."""
        if relation in self.lexicon.kin:
            return "person"
        return self.noun_kind(relation) or self.lexicon.kind_of(self.lexicon.asks.get(relation, ()))

    def having(self, relation: str) -> frozenset[str]:
        """The cubes whose things have a relation."""
        if relation in self.lexicon.kin:
            return frozenset({KIND_CUBES["person"]})
        names = self.lexicon.asks.get(relation, ())
        asked = [self.lexicon.asked_in.get((relation, name), frozenset()) for name in names]
        return frozenset().union(*asked) or self._cubes_of(names)

    def foreseen(self, words: Sequence[str]) -> frozenset[str]:
        """The cubes whose things have the relations that a question's words name."""
        lexicon = self.lexicon
        found: set[str] = set()
        keys = self._keys(words)
        for start in range(len(keys)):
            for end in range(min(len(keys), start + _LONGEST), start, -1):
                key = " ".join(keys[start:end])
                names = (*lexicon.verbs.get(key, ()), *lexicon.passives.get(key, ()))
                if names or key in lexicon.asks or key in lexicon.kin:
                    found |= self._cubes_of(names) | (self.having(key) if not names else frozenset())
                    break
        return frozenset(found)

    def holds(self, name: str, words: Sequence[str]) -> bool:
        """Whether the cubes have a fact of a thing in one of the relations that a question's words name."""
        held = self.linker.relations_of(name)
        keys = set(self._keys(words))
        lexicon = self.lexicon
        return any(
            relation in held
            for key in keys
            for relation in (*lexicon.verbs.get(key, ()), *lexicon.passives.get(key, ()), *lexicon.asks.get(key, ()))
        )

    def _keys(self, words: Sequence[str]) -> list[str]:
        """Words as the lexicon has them; a verb behind "did" in the form that it has by itself ("open": "opened")."""
        keys = [fold(word) for word in words]
        done = next((n for n, key in enumerate(keys) if key in _DOING), len(keys))
        for n, key in enumerate(keys[done + 1 :], done + 1):
            if key not in self.lexicon.verbs and key not in self.lexicon.asks:
                keys[n] = next((form for form in (f"{key}ed", f"{key}d") if form in self.lexicon.verbs), key)
        return keys

    def passive(self, verb: str) -> str | None:
        """What was done to a thing, of the verb that says who did it: "written" of "wrote"."""
        for name in self.lexicon.verbs.get(fold(verb), ()):
            if name.endswith(" by"):
                return name.removesuffix(" by")
        return fold(verb) if verb.endswith("ed") and fold(verb) in self.lexicon.verbs else None

    @cached_property
    def person_nouns(self) -> frozenset[str]:
        """Relation nouns that give a person."""
        nouns = (*self.lexicon.asks, *self.lexicon.kin)
        return frozenset(noun for noun in nouns if self.result(noun) == "person")

    def _cubes_of(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset(r.cube for name in names for r in self.lexicon.relations.get(name, ()))
