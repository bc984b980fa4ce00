"""Cubes as sparse cells: dimension -> label -> sections with counts (MultiCube-RAG 3.1-3.2, eq. 4-6).

A `CubeSet` holds every cube of an ontology in memory, built from the catalog's sections and facts. A
dimension without labels costs nothing, and nothing depends on the order in which the facts arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .folding import base_key, fold, split_qualifier
from .labels import Axis, Label, Occurrences, SectionTexts, label_key
from .ontology import CubeSpec, Ontology
from .records import Fact, Section
from .rollup import Bucket, RollUp, roll_up

__all__ = ["ALIAS", "Cube", "CubeSet", "Label", "Occurrences", "Subject", "coordinates", "label_key"]

ALIAS = "also known as"
"""The relation of facts on a subject dimension that give a subject another name."""

How = Literal["full", "exact", "base", "alias"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A subject that a name may mean, and how it was found.

    ``how`` is "full" for a name with the same qualifier, "exact" for an equal bare name, "base" where a
    qualifier was added or left out, "alias" for another name of the subject.
    """

    cube: str
    label: str
    key: str
    sections: tuple[str, ...]
    how: How


def coordinates(fact: Fact, spec: CubeSpec) -> tuple[tuple[str, str], ...]:
    """Return the (dimension, label text) pairs under which a fact's section is filed.

    Always the subject; besides it an alias on the subject dimension, an attribute's value, or a relation's
    phrase and, on the dimension it targets, its value. Raises KeyError for a dimension the cube does not
    have.
    """
    dimension = spec.dimension(fact.dimension)
    subject = (spec.subject.id, fact.subject)
    if dimension.role == "subject":
        alias = fact.relation == ALIAS and fact.value
        return (subject, (dimension.id, fact.value)) if alias else (subject,)
    if dimension.role == "attribute":
        return (subject, (dimension.id, fact.value))
    related = ((dimension.target, fact.value),) if dimension.target is not None else ()
    return (subject, (dimension.id, fact.relation), *related)


class Cube:
    """One class's cube: sparse axes of labels, and the facts they come from."""

    def __init__(self, spec: CubeSpec, texts: SectionTexts) -> None:
        self.spec = spec
        self._texts = texts
        self._axes = {dimension.id: Axis(dimension, texts) for dimension in spec.dimensions}
        self._facts: list[Fact] = []
        self._about: dict[str, list[Fact]] = {}

    def add(self, fact: Fact) -> bool:
        """File a fact's section; False where section or dimension is unknown, and the fact is left out."""
        ordinal = self._texts.ordinals.get(fact.section_id)
        if ordinal is None or fact.dimension not in self._axes:
            return False
        self._facts.append(fact)
        self._about.setdefault(fold(fact.subject), []).append(fact)
        for dimension, text in coordinates(fact, self.spec):
            self._axes[dimension].add(text, ordinal)
        return True

    def axis(self, dimension: str) -> Axis | None:
        """Return one dimension's axis, or None where the cube has no such dimension."""
        return self._axes.get(dimension)

    def labels(self, dimension: str) -> Sequence[Label]:
        """Return a dimension's labels sorted by text; an unknown or empty dimension has none."""
        axis = self._axes.get(dimension)
        return axis.labels() if axis is not None else []

    def find(self, dimension: str, key: str) -> Label | None:
        """Return the label with this key (see `label_key`), or with this spelling."""
        axis = self._axes.get(dimension)
        return axis.find(key) if axis is not None else None

    def lookup(self, dimension: str, entity: str) -> Sequence[Label]:
        """Return the labels that an entity names exactly, closest first (eq. 8); see `Axis.lookup`."""
        axis = self._axes.get(dimension)
        return axis.lookup(entity) if axis is not None else []

    def facts(
        self,
        *,
        subject: str | None = None,
        dimension: str | None = None,
        relation: str | None = None,
        section_id: str | None = None,
    ) -> Sequence[Fact]:
        """Return the facts that meet every condition given, in the order of sections and places in them.

        ``subject`` is any spelling of it: what it names exactly, with a qualifier added or left out.
        """
        phrase = fold(relation) if relation is not None else None
        return sorted(
            (
                fact
                for fact in self._candidates(subject, section_id)
                if (dimension is None or fact.dimension == dimension)
                and (phrase is None or fold(fact.relation) == phrase)
                and (section_id is None or fact.section_id == section_id)
            ),
            key=self._place,
        )

    def subject_keys(self) -> Iterable[str]:
        """Return the keys of everything this cube has facts about."""
        return self._about.keys()

    def about(self, subject_key: str) -> Sequence[Fact]:
        """Return the facts whose subject has exactly this key."""
        return sorted(self._about.get(subject_key, ()), key=self._place)

    def cell(self, coordinates: Mapping[str, str]) -> Mapping[str, int]:
        """Return the sections that share the labels asked for, best counted first (drill-down).

        ``coordinates`` maps dimensions to labels in any spelling; a year takes every date in it. The count is
        the sum of the labels' counts. Without coordinates there is no cell.
        """
        shared: dict[int, int] | None = None
        for dimension, entity in coordinates.items():
            counts = _merged(self.lookup(dimension, entity))
            shared = (
                counts
                if shared is None
                else {ordinal: count + counts[ordinal] for ordinal, count in shared.items() if ordinal in counts}
            )
        ranked = sorted((shared or {}).items(), key=lambda item: (-item[1], item[0]))
        return {self._texts.ids[ordinal]: count for ordinal, count in ranked}

    def roll_up(
        self, rows: str, columns: str | None = None, *, by: Bucket | None = None, relation: str | None = None
    ) -> RollUp:
        """Count subjects and sections per label of one or two dimensions; see `rollup.roll_up`."""
        return roll_up(self.spec, self._facts, rows, columns, by=by or "label", relation=relation)

    def _candidates(self, subject: str | None, section_id: str | None) -> Iterable[Fact]:
        if subject is not None:
            labels = self.lookup(self.spec.subject.id, subject)
            return [fact for label in labels for fact in self._about.get(label.key, ())]
        if section_id is not None:
            return self._by_section.get(section_id, ())
        return self._facts

    @cached_property
    def _by_section(self) -> Mapping[str, Sequence[Fact]]:
        grouped: dict[str, list[Fact]] = {}
        for fact in self._facts:
            grouped.setdefault(fact.section_id, []).append(fact)
        return grouped

    def _place(self, fact: Fact) -> tuple[int, int, int, str, str, str]:
        """Where a fact stands, and what it says: a total order of different facts."""
        span, said = fact.span, f"{fact.subject}\0{fact.value}"
        place = (self._texts.ordinals[fact.section_id], span.start, span.end)
        return (*place, fact.dimension, fact.relation, said)


class CubeSet:
    """Every cube of an ontology over the same sections."""

    def __init__(self, ontology: Ontology, texts: SectionTexts) -> None:
        self.ontology = ontology
        self.texts = texts
        self._cubes = {spec.id: Cube(spec, texts) for spec in ontology.cubes}
        self._in_order: set[str] = set()
        self._ranks = {cube_id: rank for rank, cube_id in enumerate(self._cubes)}

    @classmethod
    def build(cls, ontology: Ontology, sections: Iterable[Section], facts: Iterable[Fact]) -> CubeSet:
        """Place the facts' sections in the cells; those of unknown sections or dimensions are left out."""
        cubes = cls(ontology, SectionTexts(sections))
        for fact in facts:
            cube = cubes._cubes.get(fact.cube)
            if cube is not None:
                cube.add(fact)
        return cubes

    def __getitem__(self, cube_id: str) -> Cube:
        return self._cubes[cube_id]

    def __iter__(self) -> Iterator[Cube]:
        return iter(self._cubes.values())

    def __len__(self) -> int:
        return len(self._cubes)

    def __contains__(self, cube_id: object) -> bool:
        return cube_id in self._cubes

    def subjects(self, name: str) -> Sequence[Subject]:
        """Return every subject that a name may mean, in all cubes, the likeliest first."""
        if self._leading.isdisjoint((fold(name), base_key(name))):
            return []
        order: dict[How, int] = {"full": 0, "exact": 1, "base": 2, "alias": 3}
        found: dict[tuple[str, str], Subject] = {}
        for cube in self:
            for label, how in self._named(cube, name):
                if label.key in cube._about:
                    found.setdefault((cube.spec.id, label.key), _subject(cube, label, how))
        return sorted(found.values(), key=lambda subject: (order[subject.how], -len(subject.sections)))

    def other_names(self, name: str) -> Sequence[str]:
        """Return the other names of what a name may mean, from the alias facts of all cubes, sorted."""
        key = fold(name)
        return sorted(text for text in self._aliases.get(key, ()) if fold(text) != key)

    def facts_of_section(self, section_id: str) -> Sequence[Fact]:
        """Return a section's facts in all cubes."""
        return [fact for cube in self for fact in cube.facts(section_id=section_id)]

    def facts_about(self, subject_key: str) -> Sequence[Fact]:
        """Return the facts, in all cubes, whose subject has this key (`folding.fold`)."""
        return [fact for cube in self for fact in cube.about(subject_key)]

    def facts_valued(self, value_key: str) -> Sequence[Fact]:
        """Return the facts, in all cubes, whose value has this key (`label_key` with the fact's kind)."""
        found = self._valued.get(value_key)
        if found is None:
            return []
        if value_key not in self._in_order:
            found.sort(key=self._order)
            self._in_order.add(value_key)
        return found

    def _order(self, fact: Fact) -> tuple[object, ...]:
        """By cube, then as the facts of one cube are ordered."""
        return (self._ranks[fact.cube], *self._cubes[fact.cube]._place(fact))

    def _named(self, cube: Cube, name: str) -> Iterator[tuple[Label, How]]:
        """The subject labels of one cube that a name leads to, closest first."""
        dimension, key = cube.spec.subject.id, fold(name)
        same: How = "full" if split_qualifier(name)[1] else "exact"
        for label in cube.lookup(dimension, name):
            yield label, same if label.key == key else "base"
        for other in self.other_names(name):
            named = cube.find(dimension, other)
            if named is not None:
                yield named, "alias"

    @cached_property
    def _leading(self) -> frozenset[str]:
        """Every key that leads to a subject, so that most phrases of a question are seen to lead nowhere at once."""
        named = (pair for cube in self for pair in cube._axes[cube.spec.subject.id].named())
        return frozenset(key for label, text in named for key in (label, base_key(text))) | self._aliases.keys()

    @cached_property
    def _aliases(self) -> Mapping[str, set[str]]:
        """Key of a name, with or without its qualifier -> other names of the same thing, both ways."""
        aliases: dict[str, set[str]] = {}
        for cube in self:
            subject, phrase = cube.spec.subject.id, fold(ALIAS)
            for fact in cube._facts:
                if fact.dimension != subject or fold(fact.relation) != phrase:
                    continue
                for name, other in ((fact.subject, fact.value), (fact.value, fact.subject)):
                    for key in {fold(name), base_key(name)} - {""}:
                        aliases.setdefault(key, set()).add(other)
        return aliases

    @cached_property
    def _valued(self) -> Mapping[str, list[Fact]]:
        valued: dict[str, list[Fact]] = {}
        for cube in self:
            for fact in cube._facts:
                valued.setdefault(label_key(fact.value, fact.kind), []).append(fact)
        return valued


def _subject(cube: Cube, label: Label, how: How) -> Subject:
    return Subject(cube.spec.id, label.text, label.key, tuple(label.sections), how)


def _merged(labels: Sequence[Label]) -> dict[int, int]:
    """The sections of several labels of one dimension, each with the largest count."""
    merged: dict[int, int] = {}
    for label in labels:
        found = label.sections
        for ordinal, count in zip(found.ordinals.tolist(), found.counts.tolist(), strict=True):
            merged[ordinal] = max(count, merged.get(ordinal, 0))
    return merged
