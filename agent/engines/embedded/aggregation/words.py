"""What the words of a question over many cells name: relations, for things of a class; periods; superlatives."""

from __future__ import annotations

from collections.abc import Iterable

from .....cubes.core.dates import parse_date, parse_period
from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.lexicon import QuestionLexicon, ranks
from ..vocabulary.wordlists import CALENDAR, PREPOSITIONS
from .request import Day, Period, Side

__all__ = ["BOUNDS", "PLURALS", "Meant", "RelationWords", "begun", "period", "span", "superlative"]

Meant = tuple[tuple[tuple[str, ...], ...], Side]
"""Groups of relations that lead from a target to the things, and what the things are in the last."""
PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
BOUNDS = ("in", "on", "of", "during", "from", "after", "since", "before", "until", "till", "by", "between")
"""Words before a date."""
_PAST = {"make": "made", "win": "won", "lead": "led", "build": "built", "run": "ran", "hold": "held", "sell": "sold"}
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
            return kin.path, "value"
        told = any(r.kind not in _UNTYPED for name in names for r in self._lexicon.relations[name])
        return ((names,), "value") if told else None

    def before(self, key: str, noun: str) -> Meant | None:
        """The relation of words before a target: "directed by", "in", "that flow into"."""
        if key == "of":
            return self.of(noun)
        if key in PREPOSITIONS:
            return self._standing("in" if key in ("within", "on", "at") else key, noun)
        verb, _, preposition = key.rpartition(" ")
        table = self._lexicon.passives
        named = (*table.get(key, ()), *(table.get(f"{verb} in", ()) if preposition in ("on", "at") else ()))
        acts = self._lexicon.verbs.get(verb, ()) if preposition == "by" else ()  # films "made by", as who "made" them
        names = self._fitting((*named, *(name for name in acts if name.endswith(" by"))), noun)
        return ((names,), "subject") if names else self._verb(key, noun, acting="value")

    def behind(self, key: str, noun: str) -> Meant | None:
        """The relation of a verb whose subject is the target: "(did X) direct", "(that X) wrote"."""
        return self._verb(key, noun, acting="subject")

    def of(self, noun: str) -> Meant | None:
        """The relation of "children of X", "films of X", "X's rivers"."""
        cubes = self.cubes(noun)
        own = self.own(noun) if not cubes or "person" in cubes else None
        return own or self._standing("by" if "cultural_product" in cubes else "in", noun)

    def is_amount(self, key: str) -> bool:
        """Whether a verb tells an amount: of "people live in X" the text gives the number, and nobody is counted."""
        tables, phrases = (self._lexicon.verbs, self._lexicon.passives), (key, key.partition(" ")[0])
        names = (name for phrase in phrases for table in tables for name in table.get(phrase, ()))
        return any(r.kind == "quantity" for name in names for r in self._lexicon.relations[name])

    def _standing(self, word: str, noun: str) -> Meant | None:
        persons = word == "from" and "person" in self.cubes(noun)
        names = self._fitting(_FROM_PERSON if persons else _STANDING.get(word, ()), noun)
        return ((names,), "subject") if names else None

    def _verb(self, key: str, noun: str, *, acting: Side) -> Meant | None:
        """The relations of a verb in any of its forms: "direct", "wrote".

        The class tells the side, where only one end of the relation can be of it; else who acts is the value of what
        was done "by" them.
        """
        lexicon, cubes = self._lexicon, self.cubes(noun)
        forms = (key, _PAST.get(key, f"{key}ed"), f"{key}d")
        named = (n for form in forms for n in (*lexicon.verbs.get(form, ()), *lexicon.passives.get(form, ())))
        names = self._fitting(named, noun, either=True)
        held = [r for name in names for r in lexicon.relations[name]]
        subject, value = any(r.cube in cubes for r in held), any(KIND_CUBES.get(r.kind) in cubes for r in held)
        suffering: Side = "value" if acting == "subject" else "subject"
        side = acting if any(name.endswith(" by") for name in names) else suffering
        if subject != value:
            side = "subject" if subject else "value"
        return ((names,), side) if names else None

    def _fitting(self, names: Iterable[str], noun: str, *, either: bool = False) -> tuple[str, ...]:
        """Those between things (a date or an amount is none) that the class can have; all of them for other classes."""
        cubes, kept = self.cubes(noun), dict[str, None]()
        for name in names:
            held = [r for r in self._lexicon.relations.get(name, ()) if r.kind not in _UNTYPED]
            as_value = either and any(KIND_CUBES.get(r.kind) in cubes or r.kind == "name" for r in held)
            if held and (not cubes or as_value or any(r.cube in cubes for r in held)):
                kept[name] = None
        return tuple(kept)


def span(text: str) -> tuple[Day, Day] | None:
    """The first and the last day of "1957", "5 June 1957", "1950s"; None for a text that is more than a date."""
    if not all(word[0].isdigit() or word in CALENDAR or word == "century" for word in text.lower().split()):
        return None
    years, date = parse_period(text), parse_date(text)
    if years is not None:
        return (years[0], 1, 1), (years[1], 12, 31)
    return (date.first(), date.last()) if date is not None else None


def period(bound: str, text: str, days: tuple[Day, Day]) -> Period:
    """The stretch of days that a word before a date makes of it."""
    (y, m, d), (year, month, day) = days
    ends = {
        "after": ((year, month, day + 1), None), "since": ((y, m, d), None), "before": (None, (y, m, d - 1)),
        "until": (None, (year, month, day)), "till": (None, (year, month, day)), "by": (None, (year, month, day)),
    }  # fmt: skip
    return Period(*ends[bound], f"{bound} {text}") if bound in ends else Period(*days, text)


def begun(lexicon: QuestionLexicon) -> tuple[str, ...]:
    """The dates at which things begin, of which each has one."""
    return lexicon.comparatives["earliest"].relations if "earliest" in lexicon.comparatives else ()


def superlative(words: str, lexicon: QuestionLexicon) -> tuple[tuple[str, ...], int] | None:
    """The relations that a superlative may go by, and the place in their order that it names.

    It is a comparing phrase or one in another degree ("longest running time" goes by "longer running time"), or a
    rank; "the first husband" is not the one who was born first.
    """
    first, _, others = words.partition(" ")
    stem = first.removesuffix("est")
    more = {"most": "more", "least": "fewer", "fewest": "fewer"}.get(first, f"{stem}er")
    forms = (words, f"{more} {others}".strip(), f"{stem}r {others}".strip())
    told = next((lexicon.comparatives[form] for form in forms if form in lexicon.comparatives), None)
    rank = next((ranks()[word] for word in words.split() if word in ranks()), None)
    if told is None:
        ranked = tuple(name for name in begun(lexicon) if name != "born on")
        return (ranked, rank - (rank > 0)) if rank is not None and not others else None
    if told.starts:
        return None
    return told.relations, rank - (rank > 0) if rank is not None else 0 if told.order == "least" else -1
