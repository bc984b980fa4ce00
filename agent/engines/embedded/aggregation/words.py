"""What the words of a question over many cells name: relations, for things of a class; periods; superlatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from .....cubes.core.dates import parse_date, parse_period
from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.lexicon import QuestionLexicon, ranks
from ..vocabulary.wordlists import CALENDAR, PREPOSITIONS
from .request import Period, Superlative

__all__ = ["BOUNDS", "Meant", "RelationWords", "begun", "period", "superlative"]

Meant = tuple[tuple[str, ...], Literal["subject", "value"]]
"""Relations of which any will do, and what the things asked for are in their facts."""
BOUNDS = ("in", "on", "of", "during", "from", "after", "since", "before", "until", "till", "by", "between")
"""Words before a date."""
_PAST = {"make": "made", "win": "won", "lead": "led", "build": "built", "run": "ran", "hold": "held", "sell": "sold"}
_HAVING = frozenset({"have", "has", "had", "ha"})
_STANDING = {
    "by": ("directed by", "written by", "performed by", "composed by", "created by", "painted by", "designed by",
           "built by", "developed by"),
    "in": ("located in", "based in", "took place in", "happened in", "is published in", "grows in"),
    "from": ("country of origin", "located in", "based in", "nationality", "born in"),
    "with": ("starring",),
}  # fmt: skip
"""What a preposition may stand for by itself."""
_UNTYPED = frozenset({"date", "quantity", "text"})


class RelationWords:
    """The ontology's relations by the words of a question; those that the class asked for can have come alone."""

    def __init__(self, lexicon: QuestionLexicon) -> None:
        self._lexicon = lexicon
        self._cubes = frozenset(r.cube for held in lexicon.relations.values() for r in held)

    def classes(self, noun: str) -> bool:
        """Whether a noun says what class things are of, or how they are related to another."""
        return noun in self._lexicon.nouns or noun in self._lexicon.kinds or self.own(noun) is not None

    def cubes(self, noun: str) -> frozenset[str]:
        """The cubes whose subjects a noun names."""
        lexicon = self._lexicon
        found = set(lexicon.nouns.get(noun, ())) or {KIND_CUBES.get(lexicon.kinds.get(noun, ""), "")}
        return frozenset(found | ({"person"} if noun in lexicon.kin else set())) & self._cubes

    def own(self, noun: str) -> Meant | None:
        """The relation that a noun itself names: of "children of X" and "children X had"."""
        kin, names = self._lexicon.kin.get(noun), self._lexicon.asks.get(noun, ())
        if kin is not None:
            return (kin.path[0], "value") if len(kin.path) == 1 else None
        told = any(r.kind not in _UNTYPED for name in names for r in self._lexicon.relations[name])
        return (names, "value") if told else None

    def of(self, noun: str) -> Meant | None:
        """The relation of "children of X", "films of X", "X's rivers"."""
        cubes = self.cubes(noun)
        own = self.own(noun) if not cubes or "person" in cubes else None
        return own or self.before("by" if "cultural_product" in cubes else "in", noun)

    def before(self, key: str, noun: str) -> Meant | None:
        """The relation of words before a target: "directed by", "in", "that flow into"."""
        if key == "of":
            return self.of(noun)
        if key in PREPOSITIONS:
            names = self._fitting(_STANDING.get("in" if key in ("within", "on", "at") else key, ()), noun)
            return (names, "subject") if names else None
        verb, _, preposition = key.rpartition(" ")
        other = {"by": verb, "on": f"{verb} in", "at": f"{verb} in"}.get(preposition, key)
        return self._named((key, other), noun, before=True)

    def behind(self, key: str, noun: str) -> Meant | None:
        """The relation of a verb whose subject is the target: "(did X) direct", "(that X) wrote", "(X) had"."""
        return self.own(noun) if key in _HAVING else self._named((key,), noun, before=False)

    def amounts(self, key: str) -> set[str]:
        """The cubes of whose subjects a verb tells an amount ("people live in X"): the text gives the number."""
        verbs, passives, first = self._lexicon.verbs, self._lexicon.passives, key.partition(" ")[0]
        names = (*verbs.get(key, ()), *passives.get(key, ()), *verbs.get(first, ()), *passives.get(first, ()))
        return {r.cube for name in names for r in self._lexicon.relations[name] if r.kind == "quantity"}

    def _named(self, forms: Sequence[str], noun: str, *, before: bool) -> Meant | None:
        """The relations of a verb in any of its forms.

        The class tells the side, where only one end of the relation can be of it; else who acts is the value of what
        was done "by" them.
        """
        forms = [form for key in forms for form in (key, _PAST.get(key, f"{key}ed"), f"{key}d")]
        tables = (self._lexicon.passives, self._lexicon.verbs)
        named = [name for form in forms for table in tables for name in table.get(form, ())]
        names, cubes = self._fitting(named, noun), self.cubes(noun)
        held = [r for name in names for r in self._lexicon.relations[name]]
        subject, value = any(r.cube in cubes for r in held), any(KIND_CUBES.get(r.kind) in cubes for r in held)
        if subject == value:
            passive = before and forms[0].rpartition(" ")[2] in PREPOSITIONS
            subject = passive or before != any(name.endswith(" by") for name in names)
        return (names, "subject" if subject else "value") if names else None

    def _fitting(self, names: Iterable[str], noun: str) -> tuple[str, ...]:
        """Those between things (a date or an amount is none) that the class can have; all of them for other classes."""
        cubes, kept = self.cubes(noun), dict[str, None]()
        for name in names:
            held = [r for r in self._lexicon.relations.get(name, ()) if r.kind not in _UNTYPED]
            if any(not cubes or r.cube in cubes or r.kind == "name" or KIND_CUBES.get(r.kind) in cubes for r in held):
                kept[name] = None
        return tuple(kept)


def period(bound: str, text: str) -> Period | None:
    """The stretch of days that a word before a date makes of it; None for a text that is more than a date."""
    if not all(word[0].isdigit() or word in CALENDAR or word == "century" for word in text.lower().split()):
        return None
    years, date = parse_period(text), parse_date(text)
    if years is not None:
        first, last = (years[0], 1, 1), (years[1], 12, 31)
    elif date is not None:
        first, last = date.first(), date.last()
    else:
        return None
    opens, closes = bound in ("after", "since"), bound in ("before", "until", "till", "by")
    since = (*last[:2], last[2] + 1) if bound == "after" else first
    until = (*first[:2], first[2] - 1) if bound == "before" else last
    words = f"{bound} {text}" if opens or closes else text
    return Period(None if closes else since, None if opens else until, words)


def begun(lexicon: QuestionLexicon) -> tuple[str, ...]:
    """The dates at which things begin, of which each has one."""
    return lexicon.comparatives["earliest"].relations if "earliest" in lexicon.comparatives else ()


def superlative(key: str, words: str, lexicon: QuestionLexicon) -> Superlative | None:
    """What folded words, if they are a superlative, go by, and the place in their order that they name.

    It is a comparing phrase or one in another degree ("longest running time" goes by "longer running time"), or a
    rank; "the first husband" is not the one who was born first.
    """
    degree = key.replace("most ", "more ", 1).replace("est", "er", 1)
    told = lexicon.comparatives.get(key) or lexicon.comparatives.get(degree)
    rank = next((ranks()[word] for word in key.split() if word in ranks()), None)
    place = rank - (rank > 0) if rank is not None else 0 if told is not None and told.order == "least" else -1
    relations = told.relations if told is not None else tuple(name for name in begun(lexicon) if name != "born on")
    means = not told.starts if told is not None else key in ranks()
    return Superlative(relations, place, words) if means else None
