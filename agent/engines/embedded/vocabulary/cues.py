"""The ontology's cues for a question's words: which relations a noun or a verb names, of what, and for what answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..plan import AnswerType, QuestionEntity, RelationStep, Term
from .lexicon import KinPath, QuestionLexicon
from .linker import EntityLinker

__all__ = ["ANSWERING", "KIND_CUBES", "CueReader"]

KIND_CUBES = {"person": "person", "place": "location", "organization": "organization", "work": "cultural_product"}
"""The cube whose subjects are values of a kind."""
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
_PLACES = frozenset({"where", "place", "city", "town", "location"})
_GENDERED = {
    ("sibling", "f"): "sister", ("sibling", "m"): "brother", ("child", "f"): "daughter", ("child", "m"): "son",
    ("spouse", "f"): "wife", ("spouse", "m"): "husband",
}  # fmt: skip


class CueReader:
    """Makes steps of nouns and verbs, keeping the relations that the class of their base can have."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker) -> None:
        self._lexicon, self._linker = lexicon, linker

    def phrase(self, key: str) -> tuple[str, ...]:
        """The relations that a verb phrase names."""
        return tuple(dict.fromkeys((*self._lexicon.verbs.get(key, ()), *self._lexicon.passives.get(key, ()))))

    def relation(self, noun: str, base: Term) -> RelationStep | None:
        """Read "director", "paternal grandfather" as a relation of ``base``."""
        if noun in self._lexicon.kin:
            return self._kin_path(self._lexicon.kin[noun], base)
        plausible = noun in self._lexicon.asks and self._plausible(self._lexicon.asks[noun], base)
        return self._ask(noun, base) if plausible else None

    def answering(self, names: tuple[str, ...], want: AnswerType) -> tuple[str, ...]:
        """Keep the relations whose values can answer; an inverse reading may give a name of any class."""
        allowed, cube = ANSWERING.get(want.kind or ""), KIND_CUBES.get(want.kind or "")
        if allowed is None:
            return names
        relations = self._lexicon.relations
        kept = tuple(n for n in names if any(r.kind in allowed or r.cube == cube for r in relations[n]))
        # "Where was it signed": of "signed by" and "took place in" the one whose values are places.
        exact = tuple(n for n in kept if any(r.kind == "place" for r in relations[n]))
        return exact if exact and want.kind in ("where", "place") and want.noun in _PLACES else kept

    def fitting(self, names: tuple[str, ...], base: Term, *, converse: bool = False) -> tuple[str, ...]:
        """Keep the relations that the base's class has, where that is known.

        With ``converse`` also those whose values may be of that class, which a verb read the other way asks for.
        """
        cubes = self._classes(base)
        kinds = {kind for kind, cube in KIND_CUBES.items() if cube in cubes} | {"name", "event"}
        relations = self._lexicon.relations
        kept = (n for n in names if any(r.cube in cubes or (converse and r.kind in kinds) for r in relations[n]))
        return tuple(kept) or names

    def held(self, names: tuple[str, ...], base: Term) -> tuple[str, ...]:
        """Return the first of ``names`` that the base has a fact of, or all where it is not known or has none."""
        held = (
            self._linker.relations_of(base.name)
            if isinstance(base, QuestionEntity) and len(names) > 1
            else frozenset()
        )
        return next(((name,) for name in names if name in held), names)

    def known(self, names: Sequence[str], base: Term) -> tuple[str, ...]:
        """The relations of the ontology among ``names`` that the base may have, or that it has a fact of."""
        return self.held(self.fitting(tuple(n for n in names if n in self._lexicon.relations), base), base)

    def wanted(self, noun: str) -> AnswerType:
        """What an answer named by this noun must be: by the noun itself, or by the class whose noun it is."""
        kind = self._lexicon.kinds.get(noun)
        for cube in self._lexicon.nouns.get(noun, ()) if kind is None else ():
            kind = kind or next((k for k, c in KIND_CUBES.items() if c == cube), None)
        return AnswerType(kind, noun)

    def what_is(self, item: Term, template: str = "What is {}?") -> RelationStep:
        """The step that asks what a thing is: its description, its occupation, type or genre."""
        names = tuple(n for n in ("occupation", "type", "genre") if n in self._lexicon.relations)
        noun = "kind" if "kind" in template else None
        return RelationStep(item, self.fitting(names, item), template, AnswerType("class", noun))

    def placed(self, item: Term) -> RelationStep:
        """The step that asks where a thing is."""
        names = tuple(n for n in ("located in", "took place in", "born in") if n in self._lexicon.relations)
        return RelationStep(item, names, "Where is {}?", AnswerType("place"), ("located",))

    def _ask(self, key: str, base: Term) -> RelationStep:
        """Make the step for a relation noun of the ontology."""
        cubes, all_of = self._classes(base), self._lexicon.asks[key]
        asked = tuple(n for n in all_of if cubes & self._lexicon.asked_in.get((key, n), frozenset()))
        names = asked or self.fitting(all_of, base)
        kind = self._lexicon.kinds.get(key) or self._lexicon.kind_of(names)
        noun = key if key in self._lexicon.kinds or key in self._lexicon.nouns else None
        template = f"{'Who' if kind == 'person' else 'What'} is the {key} of {{}}?"
        return RelationStep(base, names, template, AnswerType(kind, noun), (key,), self._lexicon.gender(key))

    def _kin_path(self, kin: KinPath, base: Term) -> RelationStep:
        """Spell a compound kin word out as steps, innermost first."""
        step: RelationStep | None = None
        for position, group in enumerate(kin.path):
            gender: Literal["f", "m"] | None = kin.gender if position == len(kin.path) - 1 else None
            name = "parent" if len(group) > 1 else _GENDERED.get((group[0], gender or ""), group[0])
            step = RelationStep(
                step or base, group, f"Who is the {name} of {{}}?", AnswerType("person"), (name,), gender
            )
        assert step is not None
        return step

    def _plausible(self, names: tuple[str, ...], base: Term) -> bool:
        """Whether something of the base's kind can have one of the relations: a birthday has no director."""
        relations = self._lexicon.relations
        if isinstance(base, QuestionEntity):
            cubes = self._classes(base)
            return not cubes or any(r.cube in cubes for n in names for r in relations[n])
        if base.want.kind in (None, "where", "name"):
            return True
        cube = KIND_CUBES.get(base.want.kind or "")
        if cube is None:
            return base.want.kind == "nationality"
        known = {r.cube for found in relations.values() for r in found}
        return cube not in known or any(r.cube == cube for n in names for r in relations[n])

    def _classes(self, base: Term) -> set[str]:
        if isinstance(base, QuestionEntity):
            subjects = self._linker.link(base.name)
            found = {s.cube for s in subjects if s.how == subjects[0].how}
            hinted = set(self._lexicon.nouns.get(base.hint or "", ()))
            return found & hinted or found or hinted
        if base.want.kind == "person":
            return {"person"}
        return set(self._lexicon.nouns.get(base.want.noun or "", ()))
