"""Cubes as sparse cells: dimension -> label -> sections with counts (MultiCube-RAG 3.1-3.2, eq. 4-6).

A `CubeSet` holds every cube of an ontology in memory, built from the catalog's sections and facts. A
dimension without labels costs nothing, and nothing depends on the order in which the facts arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.columns import Arrays, PackedStrings
from ..core.folding import base_key, fold, split_qualifier
from ..core.records import Fact, Section
from .fact_columns import ALIAS, coordinates, filed
from .fact_table import FactSequence, FactTable
from .label_columns import AxisTable
from .labels import Axis, Label, LabelTable, Occurrences, SectionTexts, TableLabelSearch, label_key
from .lookups import StoredLabels
from .names import SubjectNames
from .ontology import CubeSpec, Ontology
from .rollup import Bucket, RollUp, roll_up

__all__ = ["ALIAS", "Cube", "CubeSet", "Label", "Occurrences", "Subject", "coordinates", "label_key"]

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


class Cube:
    """One class's cube: sparse axes of labels, and the facts they come from."""

    def __init__(
        self, spec: CubeSpec, number: int, facts: FactTable, texts: SectionTexts, axes: Mapping[str, Axis]
    ) -> None:
        self.spec = spec
        self.number = number
        self._texts = texts
        self._facts = facts
        self._axes = axes
        self._held = facts.of_cube(number)

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
        table, phrase = self._facts, fold(relation) if relation is not None else None
        numbers = self._candidates(subject, section_id)
        if dimension is not None:
            numbers = [n for n in numbers if table.dimension(n) == dimension]
        if phrase is not None:
            numbers = [n for n in numbers if fold(table.relation(n)) == phrase]
        return FactSequence(table, numbers)

    def subject_keys(self) -> Iterable[str]:
        """Return the keys of everything this cube has facts about."""
        return self._facts.subject_keys(self.number)

    def about(self, subject_key: str) -> Sequence[Fact]:
        """Return the facts whose subject has exactly this key."""
        return [self._facts.fact(n) for n in self._facts.about(self.number, subject_key)]

    def has_about(self, subject_key: str) -> bool:
        """Whether there are facts whose subject has exactly this key."""
        return bool(self._facts.about(self.number, subject_key))

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
        return roll_up(self.spec, self.facts(), rows, columns, by=by or "label", relation=relation)

    def _candidates(self, subject: str | None, section_id: str | None) -> Sequence[int]:
        """The facts of a subject, of a section, of both, or all."""
        held: Sequence[int] = self._held
        if section_id is not None:
            ordinal = self._texts.ordinals.get(section_id)
            held = self._facts.of_section(self.number, ordinal) if ordinal is not None else ()
        if subject is None:
            return held
        labels = self.lookup(self.spec.subject.id, subject)
        found = sorted(n for label in labels for n in self._facts.about(self.number, label.key))
        return found if section_id is None else [n for n in found if n in held]


class CubeSet:
    """Every cube of an ontology over the same sections.

    ``stored`` are the collections that labels are looked up in; without them it is ``arrays``.
    """

    def __init__(
        self, ontology: Ontology, sections: Sequence[Section], arrays: Arrays, stored: StoredLabels | None = None
    ) -> None:
        self.ontology = ontology
        self.texts = texts = SectionTexts(sections)
        words, axes = PackedStrings(arrays, "words"), AxisTable(ontology)
        labels = LabelTable(arrays, words, texts)
        self.names = SubjectNames(arrays, words)
        self._facts = FactTable(arrays, words, texts, list(axes.cubes))
        self._cubes = {
            spec.id: Cube(spec, number, self._facts, texts, _axes_of(spec, axes, labels, stored))
            for number, spec in enumerate(ontology.cubes)
        }

    @classmethod
    def build(cls, ontology: Ontology, sections: Iterable[Section], facts: Iterable[Fact]) -> CubeSet:
        """Place the facts' sections in the cells; those of unknown sections or dimensions are left out."""
        sections = tuple(sections)
        return cls(ontology, sections, filed(ontology, sections, facts))

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
        if not (self._facts.leads(fold(name)) or self._facts.leads(base_key(name))):
            return []
        order: dict[How, int] = {"full": 0, "exact": 1, "base": 2, "alias": 3}
        found: dict[tuple[str, str], Subject] = {}
        for cube in self:
            for label, how in self._named(cube, name):
                if cube.has_about(label.key):
                    found.setdefault((cube.spec.id, label.key), _subject(cube, label, how))
        return sorted(found.values(), key=lambda subject: (order[subject.how], -len(subject.sections)))

    def other_names(self, name: str) -> Sequence[str]:
        """Return the other names of what a name may mean, from the alias facts of all cubes, sorted."""
        key = fold(name)
        return [text for text in self._facts.other_names(key) if fold(text) != key]

    def facts_of_section(self, section_id: str) -> Sequence[Fact]:
        """Return a section's facts in all cubes."""
        return [fact for cube in self for fact in cube.facts(section_id=section_id)]

    def facts_about(self, subject_key: str) -> Sequence[Fact]:
        """Return the facts, in all cubes, whose subject has this key (`folding.fold`)."""
        return [fact for cube in self for fact in cube.about(subject_key)]

    def facts_valued(self, value_key: str) -> Sequence[Fact]:
        """Return the facts, in all cubes, whose value has this key (`label_key` with the fact's kind)."""
        return [self._facts.fact(n) for n in self._facts.valued(value_key)]

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


def _axes_of(spec: CubeSpec, axes: AxisTable, labels: LabelTable, stored: StoredLabels | None) -> dict[str, Axis]:
    found = {}
    for each in spec.dimensions:
        own = TableLabelSearch(labels, axes.numbers[spec.id, each.id])
        found[each.id] = Axis(each, labels, own, stored.search(spec.id, each, own) if stored is not None else None)
    return found


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
