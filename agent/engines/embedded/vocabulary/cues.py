"""The ontology's cues for a question's words: which relations a noun or a verb names, of what, and for what answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, cast

from .....cubes.core.folding import fold
from .....cubes.model.fact_columns import ALIAS
from .....cubes.model.table_ids import is_table
from .....cubes.model.tables import HAS_NOT, NAMING
from ..plan import AnswerType, QuestionEntity, RelationStep, Term
from .columns import columns_named
from .lexicon import KIND_CUBES, QuestionLexicon
from .linker import EntityLinker
from .wordlists import AUXILIARIES, PREPOSITIONS

__all__ = ["ANSWERING", "KIND_CUBES", "CueReader", "Meant"]

Meant = tuple[tuple[str, ...], Literal["subject", "value"]]
"""Relations of which any will do, and what the things asked for are in their facts."""
ANSWERING = {
    "date": {"date"},
    "quantity": {"quantity"},
    "nationality": {"nationality", "place"},
    "person": {"person", "name", "organization"},
    "work": {"work", "name", "text"},
    "organization": {"organization", "name", "place", "work", "person", "text"},
    "place": {"place", "name", "nationality", "organization", "work", "event"},
    "where": {"place", "name", "nationality", "organization", "work", "event"},
}
"""The kinds of values that answer a question for a kind of thing; read the other way, a verb gives its subject."""
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
_NO_NOUN = AUXILIARIES | {"the", "we", "you", "i"}
_OWN = frozenset({ALIAS, HAS_NOT})  # what rows are called, and are not, names no column
_UNTYPED = frozenset({"date", "quantity", "text"})


class CueReader:
    """Finds the relations that words name, keeping those that things of a class can have."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker, *, over_rows: bool) -> None:
        self._lexicon, self._linker = lexicon, linker
        self._cubes = frozenset(r.cube for held in lexicon.relations.values() for r in held)
        told = ((name, r) for name, held in lexicon.relations.items() for r in held if name not in _OWN)
        named = [(r.cube, name) for name, r in told if over_rows and is_table(r.cube)]
        self.tables = {cube: tuple(name for own, name in named if own == cube) for cube, _ in named}

    def cubes(self, noun: str) -> frozenset[str]:
        """The cubes whose subjects a noun names."""
        lexicon = self._lexicon
        found = set(lexicon.nouns.get(noun, ())) or {KIND_CUBES.get(lexicon.kinds.get(noun, ""), "")}
        return frozenset(found | ({"person"} if noun in lexicon.kin else set())) & self._cubes

    def _classes(self, base: Term) -> Collection[str]:
        """The cubes that a term's values may be subjects of."""
        if isinstance(base, QuestionEntity):
            return {s.cube for s in self._linker.link(base.name)} or self._lexicon.nouns.get(base.hint or "", ())
        return ("person",) if base.want.kind == "person" else self._lexicon.nouns.get(base.want.noun or "", ())

    def _kept(self, names: Iterable[str], cubes: Collection[str], *, converse: bool) -> tuple[str, ...]:
        """The relations that subjects of some cubes have; with ``converse`` also those whose values may be such."""
        kinds = {kind for kind, cube in KIND_CUBES.items() if cube in cubes} | {"name", "event"}
        relations = self._lexicon.relations
        kept = (n for n in names if any(r.cube in cubes or (converse and r.kind in kinds) for r in relations[n]))
        return tuple(dict.fromkeys(kept))

    def fitting(self, names: tuple[str, ...], base: Term, *, converse: bool = False) -> tuple[str, ...]:
        """Keep the relations that the base's class has, where that is known; with ``converse`` also those whose values
        may be of that class, which a verb read the other way asks for."""
        return self._kept(names, self._classes(base), converse=converse) or names

    def known(self, names: tuple[str, ...], base: Term) -> tuple[str, ...]:
        """The first of the relations that the base has a fact of; all that it may have where it is not known."""
        facts = self._linker.facts_of(base.name) if isinstance(base, QuestionEntity) else ()
        fitting, held = self.fitting(names, base), {fact.relation for fact in facts}
        return next(((name,) for name in fitting if name in held), fitting)

    def relation(self, noun: str, base: Term) -> RelationStep | None:
        """Read "director", "paternal grandfather" as a relation of ``base``, if its class can have it: a book has no
        birthplace."""
        if noun in self._lexicon.kin:
            return self._kin_path(noun, base)
        names, classes = self._lexicon.asks.get(noun, ()), self._cubes.intersection(self._classes(base))
        held = [(name, r) for name in names for r in self._lexicon.relations[name]]
        if not held or (classes and classes.isdisjoint(r.cube for _, r in held)):
            return self.cell(noun, (), base, f"What is the {noun} of {{}}?")
        asked = dict.fromkeys(name for name, r in held if r.cube in classes and noun in map(fold, r.asks))
        names = tuple(asked) or self.fitting(names, base)
        kind = self._lexicon.kinds.get(noun) or self._lexicon.kind_of(names)
        want = AnswerType(kind, noun if self._lexicon.is_noun(noun) else None)
        template = f"{'Who' if kind == 'person' else 'What'} is the {noun} of {{}}?"
        return RelationStep(base, names, template, want, (noun,), self._lexicon.gender(noun))

    def cell(self, noun: str, said: Sequence[str], base: Term, template: str) -> RelationStep | None:
        """Read words as a column of a table's row, which all of them name; or a noun as one of another table's row that
        is named in a cell of it: the floor of a thing is that of its room."""
        asked, own = " ".join((noun, *said)).strip(), sorted(self.tables.keys() & self._classes(base))
        if not own or not _NO_NOUN.isdisjoint(noun.split()):
            return None
        columns, named = columns_named(self._lexicon, asked, [name for cube in own for name in self.tables[cube]])
        kind_of = self._lexicon.kind_of
        step = RelationStep(base, columns, template, AnswerType(kind_of(columns), plural=True), (asked,))
        if columns and named >= len(asked.split()):
            return step
        held = [(name, r.cube) for name in self._lexicon.asks.get(noun, ()) for r in self._lexicon.relations[name]]
        tables = {cube for _, cube in held if is_table(cube)}
        facts = self._linker.facts_of(base.name) if isinstance(base, QuestionEntity) and not said else ()
        for fact in facts:
            if tables.intersection(subject.cube for subject in self._linker.link_exactly(fact.value)):
                name, names = fact.relation.lower(), tuple(name for name, cube in held if cube in tables)
                link = RelationStep(base, (fact.relation,), f"What is the {name} of {{}}?", words=(name,))
                return RelationStep(link, names, template, AnswerType(kind_of(names), plural=True), (noun,))
        told = [word for word in asked.split() if word not in NAMING]
        return step if columns and named >= len(told) - len(told) // 3 else None

    def _kin_path(self, noun: str, base: Term) -> RelationStep:
        """Spell a kin word out as steps, innermost first."""
        path, gender = self._lexicon.kin[noun], self._lexicon.gender(noun.rpartition("ternal ")[2])
        for number, group in enumerate(path, 1):
            of = gender if number == len(path) else None
            told = (ask for phrase in self._lexicon.relations[group[0]] for ask in phrase.asks if of is not None)
            name = "parent" if len(group) > 1 else next((a for a in told if self._lexicon.gender(a) == of), group[0])
            base = RelationStep(base, group, f"Who is the {name} of {{}}?", AnswerType("person"), (name,), of)
        return cast("RelationStep", base)

    def what_is(self, item: Term, *, where: bool = False) -> RelationStep:
        """The step that asks what a thing is (its description, its occupation, type or genre), or where."""
        told = ("located in", "took place in", "born in") if where else ("occupation", "type", "genre")
        names = tuple(name for name in told if name in self._lexicon.relations)
        if where:
            return RelationStep(item, names, "Where is {}?", AnswerType("place"), ("located",))
        return RelationStep(item, self.fitting(names, item), "What is {}?", AnswerType("class"))

    def phrase(self, key: str) -> tuple[str, ...]:
        """The relations that a verb phrase names."""
        return self._lexicon.verbs.get(key, ())

    def between(self, names: Iterable[str], noun: str) -> tuple[str, ...]:
        """Keep those between things (a date or an amount is none) that the class of a noun can have, if it is one."""
        relations, cubes = self._lexicon.relations, self.cubes(noun)
        typed = [n for n in names if any(r.kind not in _UNTYPED for r in relations.get(n, ()))]
        return self._kept(typed, cubes, converse=True) if cubes else tuple(dict.fromkeys(typed))

    def own(self, noun: str) -> Meant | None:
        """The relation that a noun itself names: of "children of X" and "children X had"."""
        kin, names = self._lexicon.kin.get(noun), self._lexicon.asks.get(noun, ())
        if kin is not None:
            return (kin[0], "value") if len(kin) == 1 else None
        return (names, "value") if self.between(names, "") else None

    def before(self, key: str, noun: str) -> Meant | None:
        """The relation of words before a target: "directed by", "in", "that flow into"; of "children of X", "films of
        X", "X's rivers"."""
        if key == "of":
            cubes = self.cubes(noun)
            own = self.own(noun) if not cubes or "person" in cubes else None
            return own or self.before("by" if "cultural_product" in cubes else "in", noun)
        if key in PREPOSITIONS:
            names = self.between(_STANDING.get("in" if key in ("within", "on", "at") else key, ()), noun)
            return (names, "subject") if names else None
        verb, _, preposition = key.rpartition(" ")
        other = {"by": verb, "on": f"{verb} in", "at": f"{verb} in"}.get(preposition, key)
        return self._named((key, other), noun, before=True)

    def columns(self, noun: str) -> tuple[str, ...]:
        """The columns of the tables whose rows a noun names."""
        return tuple(name for cube in sorted(self.cubes(noun) & {*self.tables}) for name in self.tables[cube])

    def named(self, noun: str) -> frozenset[str]:
        """The words by which the tables are called whose rows a noun names."""
        return frozenset(fold(word) for cube in self.cubes(noun) & {*self.tables} for word in cube.split("_"))

    def behind(self, key: str, noun: str) -> Meant | None:
        """The relation of a verb whose subject is the target: "(did X) direct", "(that X) wrote", "(X) had"."""
        return self.own(noun) if key in _HAVING else self._named((key,), noun, before=False)

    def amounts(self, key: str) -> set[str]:
        """The cubes of whose subjects a verb tells an amount ("people live in X"): the text gives the number."""
        names = (*self.phrase(key), *self.phrase(key.partition(" ")[0]))
        return {r.cube for name in names for r in self._lexicon.relations[name] if r.kind == "quantity"}

    def _named(self, forms: Sequence[str], noun: str, *, before: bool) -> Meant | None:
        """The relations of a verb in any of its forms.

        The class tells the side, where only one end of the relation can be of it; else who acts is the value of what
        was done "by" them.
        """
        forms = [form for key in forms for form in (key, _PAST.get(key, f"{key}ed"), f"{key}d")]
        names = self.between([name for form in forms for name in self.phrase(form)], noun)
        cubes = self.cubes(noun)
        held = [r for name in names for r in self._lexicon.relations[name]]
        subject, value = any(r.cube in cubes for r in held), any(KIND_CUBES.get(r.kind) in cubes for r in held)
        if subject == value:
            passive = before and forms[0].rpartition(" ")[2] in PREPOSITIONS
            subject = passive or before != any(name.endswith(" by") for name in names)
        return (names, "subject" if subject else "value") if names else None
