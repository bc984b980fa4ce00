"""Which relations the words of a question over many cells name, for things of the class asked for."""

from __future__ import annotations

from functools import cached_property

from ..lexicon import Lexicon, kinds_of
from ..relations import KIND_CUBES
from .request import Side

__all__ = ["PAST", "PLURALS", "RelationWords"]

Meant = tuple[tuple[str, ...], Side]
_MAKERS = ("directed by", "written by", "performed by", "composed by", "created by", "painted by", "designed by",
           "built by", "developed by")
_WITHIN = ("located in", "based in", "took place in", "happened in", "is published in", "grows in")
PAST = {"make": "made", "win": "won", "lead": "led", "build": "built", "run": "ran", "hold": "held", "sell": "sold"}
"""Verbs whose past is not made with "-ed"."""
PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
_FROM_PERSON, _FROM_THING = ("nationality", "born in"), ("country of origin", "located in", "based in")
_UNTYPED = frozenset({"date", "quantity", "text"})


class RelationWords:
    """The ontology's relations by the words of a question; those that the class asked for can have come alone."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def classes(self, noun: str) -> bool:
        """Whether a noun says what class things are of, or how they are related to another."""
        lexicon = self._lexicon
        return noun in lexicon.nouns or noun in lexicon.kinds or noun in lexicon.kin or self._relational(noun)

    def acts(self, word: str) -> bool:
        """Whether a word that names no class is a verb or a participle."""
        lexicon = self._lexicon
        return word not in lexicon.nouns and (word in lexicon.passives or word in lexicon.verbs)

    def passive(self, key: str, noun: str) -> tuple[str, ...]:
        """The relations of "directed by", "born in": the class asked for is their subject."""
        verb, _, preposition = key.rpartition(" ")
        forms = (key, f"{verb} in") if preposition in ("on", "at") else (key,)  # born "on" an island
        found = (self._fitting(self._lexicon.passives.get(form, ()), noun, "subject") for form in forms)
        named = next(filter(None, found), ())
        acts = self._lexicon.verbs.get(verb, ()) if preposition == "by" else ()  # films "made by", as who "made" them
        agents = self._fitting(tuple(name for name in acts if name.endswith(" by")), noun, "subject")
        return tuple(dict.fromkeys((*named, *agents)))

    def verb(self, key: str, noun: str) -> tuple[str, ...]:
        """The relations of a verb in any of its forms: "direct", "wrote", "flow into"."""
        lexicon = self._lexicon
        forms = (key, PAST.get(key, f"{key}ed"), f"{key}d")
        names = (n for form in forms for n in (*lexicon.verbs.get(form, ()), *lexicon.passives.get(form, ())))
        return self._fitting(tuple(dict.fromkeys(names)), noun, "either")

    def is_agent(self, names: tuple[str, ...], noun: str) -> bool:
        """Whether the verb's subject is the relation's value: who directs a film is what it is directed by."""
        if any(name.endswith(" by") for name in names):
            return True
        held = [r for name in names for r in self._lexicon.relations[name]]
        return any(r.kind == "person" and r.cube != "person" and r.inverse and r.cube in self.cubes(noun) for r in held)

    def own(self, noun: str) -> Meant | None:
        """The relation that a noun itself names: of "children of X" and "children X had"."""
        kin = self._lexicon.kin.get(noun)
        if kin is not None:
            return (kin.path[0], "value") if len(kin.path) == 1 else None
        return (self._lexicon.asks[noun], "value") if self._relational(noun) else None

    def of(self, noun: str) -> Meant | None:
        """The relation of "children of X", "films of X", "rivers of X"."""
        persons = "person" in self.cubes(noun) or not self.cubes(noun)
        if noun in self._lexicon.kin or (self._relational(noun) and persons):
            return self.own(noun)
        return self.preposition("by", noun) if "cultural_product" in self.cubes(noun) else self.preposition("in", noun)

    def preposition(self, word: str, noun: str) -> Meant | None:
        """The relation that a preposition by itself stands for, by the class of what is before it."""
        if word == "of":
            return self.of(noun)
        if word == "by":
            names = self._by(noun)
        elif word == "from":
            names = self._known(_FROM_PERSON if "person" in self.cubes(noun) else _FROM_THING, noun)
        elif word in ("in", "within", "on", "at"):
            names = self._known(_WITHIN, noun)
        elif word == "with":
            names = self._known(("starring",), noun)
        else:
            names = ()
        return (names, "subject") if names else None

    def cubes(self, noun: str) -> frozenset[str]:
        """The cubes whose subjects a noun names."""
        lexicon = self._lexicon
        found = set(lexicon.nouns.get(noun, ()))
        if not found:
            found.add(KIND_CUBES.get(lexicon.kinds.get(noun, ""), ""))
        if noun in lexicon.kin:
            found.add("person")
        return frozenset(found) & self._cubes

    @cached_property
    def _cubes(self) -> frozenset[str]:
        return frozenset(r.cube for held in self._lexicon.relations.values() for r in held)

    def _by(self, noun: str) -> tuple[str, ...]:
        wider = [wide for wide in self._lexicon.nouns if noun != wide and noun in kinds_of(wide)]
        for each in (noun, *wider):
            names = self._fitting(self._lexicon.passives.get(f"{each} by", ()), noun, "subject")
            if names:
                return names
        return self._known(_MAKERS, noun)

    def _known(self, names: tuple[str, ...], noun: str) -> tuple[str, ...]:
        return self._fitting(tuple(n for n in names if n in self._lexicon.relations), noun, "subject")

    def _relational(self, noun: str) -> bool:
        names = self._lexicon.asks.get(noun, ())
        return any(r.kind not in _UNTYPED for name in names for r in self._lexicon.relations[name])

    def _fitting(self, names: tuple[str, ...], noun: str, side: str) -> tuple[str, ...]:
        """Those between things (a date or an amount is none) that the class can have; all of them for other classes."""
        cubes, kept = self.cubes(noun), []
        for name in names:
            held = [r for r in self._lexicon.relations[name] if r.kind not in _UNTYPED]
            as_subject = any(r.cube in cubes for r in held)
            as_value = any(KIND_CUBES.get(r.kind) in cubes or r.kind == "name" for r in held)
            if held and (not cubes or as_subject or (side == "either" and as_value)):
                kept.append(name)
        return tuple(kept)
