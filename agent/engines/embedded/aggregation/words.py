"""Which relations the words of a question over many cells name, for things of the class asked for."""

from __future__ import annotations

from collections.abc import Iterable

from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.lexicon import QuestionLexicon
from ..vocabulary.wordlists import PREPOSITIONS
from .request import Side

__all__ = ["PAST", "PLURALS", "Meant", "RelationWords"]

Meant = tuple[tuple[str, ...], Side]
PAST = {"make": "made", "win": "won", "lead": "led", "build": "built", "run": "ran", "hold": "held", "sell": "sold"}
"""Verbs whose past is not made with "-ed"."""
PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
_STANDING = {
    "by": ("directed by", "written by", "performed by", "composed by", "created by", "painted by", "designed by",
           "built by", "developed by"),
    "in": ("located in", "based in", "took place in", "happened in", "is published in", "grows in"),
    "from": ("country of origin", "located in", "based in"),
    "with": ("starring",),
}  # fmt: skip
"""What a preposition may stand for by itself, of things; persons are "from" where they were born."""
_FROM_PERSON = ("nationality", "born in")
_UNTYPED = frozenset({"date", "quantity", "text"})


class RelationWords:
    """The ontology's relations by the words of a question; those that the class asked for can have come alone."""

    def __init__(self, lexicon: QuestionLexicon) -> None:
        self._lexicon = lexicon
        self._cubes = frozenset(r.cube for held in lexicon.relations.values() for r in held)

    def classes(self, noun: str) -> bool:
        """Whether a noun says what class things are of, or how they are related to another."""
        lexicon = self._lexicon
        return noun in lexicon.nouns or noun in lexicon.kinds or noun in lexicon.kin or self._relational(noun)

    def before(self, key: str, noun: str) -> Meant | None:
        """The relation of words before a target: "directed by", "in", "that flow into"."""
        if key in PREPOSITIONS:
            return self._preposition(key, noun)
        passive = self._passive(key, noun)
        return (passive, "subject") if passive else self._verb(key, noun, acting="value", suffering="subject")

    def behind(self, key: str, noun: str) -> Meant | None:
        """The relation of a verb whose subject is the target: "(did X) direct", "(that X) wrote"."""
        return self._verb(key, noun, acting="subject", suffering="value")

    def role(self, key: str) -> Meant | None:
        """The relation of "(with X) as their director"."""
        return (self._lexicon.asks[key], "subject") if key in self._lexicon.asks else None

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
        return self._preposition("by" if "cultural_product" in self.cubes(noun) else "in", noun)

    def cubes(self, noun: str) -> frozenset[str]:
        """The cubes whose subjects a noun names."""
        lexicon = self._lexicon
        found = set(lexicon.nouns.get(noun, ())) or {KIND_CUBES.get(lexicon.kinds.get(noun, ""), "")}
        return frozenset(found | ({"person"} if noun in lexicon.kin else set())) & self._cubes

    def _preposition(self, word: str, noun: str) -> Meant | None:
        if word == "of":
            return self.of(noun)
        word = "in" if word in ("within", "on", "at") else word
        names = _STANDING.get(word, ())
        if word == "from" and "person" in self.cubes(noun):
            names = _FROM_PERSON
        found = self._fitting((n for n in names if n in self._lexicon.relations), noun)
        return (found, "subject") if found else None

    def _passive(self, key: str, noun: str) -> tuple[str, ...]:
        """The relations of "directed by", "born in": the class asked for is their subject."""
        verb, _, preposition = key.rpartition(" ")
        forms = (key, f"{verb} in") if preposition in ("on", "at") else (key,)  # born "on" an island
        named = next(filter(None, (self._fitting(self._lexicon.passives.get(form, ()), noun) for form in forms)), ())
        acts = self._lexicon.verbs.get(verb, ()) if preposition == "by" else ()  # films "made by", as who "made" them
        return tuple(dict.fromkeys((*named, *self._fitting((name for name in acts if name.endswith(" by")), noun))))

    def _verb(self, key: str, noun: str, *, acting: Side, suffering: Side) -> Meant | None:
        """The relations of a verb in any of its forms: "direct", "wrote"; who acts is the value of what was done "by"
        them."""
        lexicon = self._lexicon
        forms = (key, PAST.get(key, f"{key}ed"), f"{key}d")
        named = (n for form in forms for n in (*lexicon.verbs.get(form, ()), *lexicon.passives.get(form, ())))
        names = self._fitting(dict.fromkeys(named), noun, either=True)
        if not names:
            return None
        held = [r for name in names for r in lexicon.relations[name]]
        persons = (r for r in held if r.kind == "person" and r.cube != "person" and r.inverse)
        by = any(name.endswith(" by") for name in names) or any(r.cube in self.cubes(noun) for r in persons)
        return names, acting if by else suffering

    def _relational(self, noun: str) -> bool:
        names = self._lexicon.asks.get(noun, ())
        return any(r.kind not in _UNTYPED for name in names for r in self._lexicon.relations[name])

    def _fitting(self, names: Iterable[str], noun: str, *, either: bool = False) -> tuple[str, ...]:
        """Those between things (a date or an amount is none) that the class can have; all of them for other classes."""
        cubes, kept = self.cubes(noun), []
        for name in names:
            held = [r for r in self._lexicon.relations[name] if r.kind not in _UNTYPED]
            as_value = either and any(KIND_CUBES.get(r.kind) in cubes or r.kind == "name" for r in held)
            if held and (not cubes or as_value or any(r.cube in cubes for r in held)):
                kept.append(name)
        return tuple(kept)
