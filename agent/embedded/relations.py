"""Reading nouns that name a relation ("director", "paternal grandfather") as steps of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...cubes.folding import fold
from .lexicon import Kin, Lexicon
from .linking import Linker
from .phrases import clean, tokens
from .plan import Entity, Step, Term, Want
from .wordlists import ARTICLES, CLAUSAL

__all__ = ["KIND_CUBES", "RelationReader"]

KIND_CUBES = {"person": "person", "place": "location", "organization": "organization", "work": "cultural_product"}
"""The cube whose subjects are values of a kind."""


class RelationReader:
    """Makes steps of relation nouns, keeping the relations that the class of their base can have."""

    def __init__(self, lexicon: Lexicon, linker: Linker) -> None:
        self._lexicon = lexicon
        self._linker = linker

    def names_relation(self, noun: str) -> bool:
        """Whether a noun phrase ends in a relation of the ontology."""
        return next(self._relation_keys(noun), None) is not None

    def relation(self, noun: str, base: Term) -> Step | None:
        """Read "director", "paternal grandfather", "younger brother" as a relation of ``base``."""
        for key in self._relation_keys(noun):
            if key in self._lexicon.kin:
                return self._kin_path(self._lexicon.kin[key], base)
            if self._plausible(self._lexicon.asks[key], base):
                return self._ask(key, base)
        return None

    def fitting(self, names: tuple[str, ...], base: Term, *, converse: bool = False) -> tuple[str, ...]:
        """Keep the relations that the base's class has, where that is known.

        With ``converse`` also those whose values may be of that class, which a verb read the other way asks for.
        """
        cubes = self._classes(base)
        kinds = {kind for kind, cube in KIND_CUBES.items() if cube in cubes} | {"name", "event"}
        kept = tuple(
            n
            for n in names
            if any(r.cube in cubes or (converse and r.kind in kinds) for r in self._lexicon.relations[n])
        )
        return kept or names

    def held(self, names: tuple[str, ...], base: Term) -> tuple[str, ...]:
        """Return the first of ``names`` that the base has a fact of, or all where it is not known or has none."""
        held = self._linker.relations_of(base.name) if isinstance(base, Entity) and len(names) > 1 else frozenset()
        return next(((name,) for name in names if name in held), names)

    def wanted(self, noun: str) -> Want:
        """What an answer named by this noun must be: by the noun itself, or by the class whose noun it is."""
        kind = self._lexicon.kinds.get(noun)
        for cube in self._lexicon.nouns.get(noun, ()) if kind is None else ():
            kind = kind or next((k for k, c in KIND_CUBES.items() if c == cube), None)
        return Want(kind, noun)

    def _ask(self, key: str, base: Term) -> Step:
        """Make the step for a relation noun of the ontology."""
        cubes = self._classes(base)
        asked = tuple(n for n in self._lexicon.asks[key] if cubes & self._lexicon.asked_in.get((key, n), frozenset()))
        names = asked or self.fitting(self._lexicon.asks[key], base)
        kind = self._lexicon.kinds.get(key) or self._lexicon.kind_of(names)
        wh = {"person": "Who", "date": "When"}.get(kind or "", "What")
        template = f"{'What' if wh == 'When' else wh} is the {key} of {{}}?"
        noun = key if key in self._lexicon.kinds or key in self._lexicon.nouns else None
        return Step(base, names, template, Want(kind, noun), (key,), self._lexicon.gender(key))

    def _kin_path(self, kin: Kin, base: Term) -> Step:
        """Spell a compound kin word out as steps, innermost first."""
        term: Term = base
        for position, group in enumerate(kin.path):
            last = position == len(kin.path) - 1
            gender = kin.gender if last else None
            name = _kin_word(group, gender)
            term = Step(term, group, f"Who is the {name} of {{}}?", Want("person"), (name,), gender)
        assert isinstance(term, Step)
        return term

    def _relation_keys(self, noun: str) -> Iterator[str]:
        """The tails of a noun phrase that name a relation, longest first; no clause may come before them."""
        words = [w for w in (fold(t) for t in tokens(clean(noun))) if w and w not in ARTICLES]
        for start in range(len(words)):
            if set(words[:start]) & (CLAUSAL - {"first"}) or any(w in self._lexicon.asks for w in words[:start]):
                return
            key = " ".join(words[start:])
            if key in self._lexicon.kin or key in self._lexicon.asks:
                yield key

    def _plausible(self, names: tuple[str, ...], base: Term) -> bool:
        """Whether something of the base's kind can have one of the relations: a birthday has no director."""
        if isinstance(base, Entity) or base.want.kind in (None, "where", "name"):
            return True
        cube = KIND_CUBES.get(base.want.kind or "")
        if cube is None:
            return base.want.kind == "nationality"
        cubes = {r.cube for n in names for r in self._lexicon.relations[n]}
        return cube in cubes or cube not in {c for rs in self._lexicon.relations.values() for c in (r.cube for r in rs)}

    def _classes(self, base: Term) -> set[str]:
        if isinstance(base, Entity):
            subjects = self._linker.link(base.name)
            found = {s.cube for s in subjects if s.how == subjects[0].how}
            hinted = set(self._lexicon.nouns.get(base.hint or "", ()))
            return found & hinted or found or hinted
        if base.want.kind == "person":
            return {"person"}
        return set(self._lexicon.nouns.get(base.want.noun or "", ()))


def _kin_word(group: Sequence[str], gender: str | None) -> str:
    if set(group) == {"father", "mother"}:
        return "parent"
    gendered = {
        ("sibling", "f"): "sister",
        ("sibling", "m"): "brother",
        ("child", "f"): "daughter",
        ("child", "m"): "son",
        ("spouse", "f"): "wife",
        ("spouse", "m"): "husband",
    }
    return gendered.get((group[0], gender or ""), group[0])
