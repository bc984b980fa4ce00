"""Why sections were found, as data and as text (Hypercube-RAG Table 6, MultiCube-RAG Figure 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..core.records import Hit, Match, Retrieval, Section
from ..model.ontology import Ontology

__all__ = ["Activation", "ExplainedHit", "Explanation", "explain"]

Axis = tuple[str, str]
"""Cube id and dimension id."""


@dataclass(frozen=True, slots=True)
class Activation:
    """A dimension the subquery put an entity on, and the labels it met in the hits (Figure 5)."""

    cube: str
    dimension: str
    entity: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExplainedHit:
    """A row of Table 6: a section with its label on each activated dimension."""

    rank: int
    section_id: str
    record_id: str
    title: str
    covered: int
    asked: int
    source: str
    cells: Mapping[Axis, tuple[Match, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was activated and what each hit matched. ``str()`` of it is the plain-text table."""

    activations: tuple[Activation, ...]
    columns: tuple[Axis, ...]
    names: Mapping[Axis, str]
    hits: tuple[ExplainedHit, ...]
    fallback: str | None = None

    @property
    def cubes(self) -> tuple[str, ...]:
        """The activated cubes, in the order of the components."""
        return tuple(dict.fromkeys(activation.cube for activation in self.activations))

    def __str__(self) -> str:
        note = [self.fallback] if self.fallback else []
        return "\n".join([*self._activation_lines(), *self._table(), *note])

    def _activation_lines(self) -> list[str]:
        lines = []
        for cube in self.cubes:
            parts = [f"{a.dimension} = {a.entity!r}" for a in self.activations if a.cube == cube]
            lines.append(f"Cube {cube}: {', '.join(parts)}")
        return lines

    def _table(self) -> list[str]:
        """Draw the rows under their dimensions; for passages, which have no labels, name the retriever."""
        if not self.hits:
            return ["No section was found."]
        if not self.columns:
            return [f"{hit.rank}. {hit.record_id} {hit.title} ({hit.source})" for hit in self.hits]
        header = ["Doc.", *(self.names[axis] for axis in self.columns)]
        rows = [[hit.record_id, *(_cell(hit.cells.get(axis, ())) for axis in self.columns)]
                for hit in self.hits]
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        return [" | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
                for row in (header, ["-" * width for width in widths], *rows)]


def explain(retrieval: Retrieval, sections: Mapping[str, Section], ontology: Ontology) -> Explanation:
    """Describe a retrieval: the cubes and dimensions activated, and per hit the labels with their counts."""
    columns = tuple(dict.fromkeys((part.cube, part.dimension) for part in retrieval.components))
    several = len({cube for cube, _ in columns}) > 1
    names = {axis: _name(ontology, axis, several) for axis in columns}
    hits = tuple(_row(hit, sections[hit.section_id]) for hit in retrieval.hits)
    return Explanation(_activations(retrieval), columns, names, hits, retrieval.fallback)


def _activations(retrieval: Retrieval) -> tuple[Activation, ...]:
    matches = [found for hit in retrieval.hits for found in hit.matches]
    return tuple(
        Activation(part.cube, part.dimension, part.entity, tuple(dict.fromkeys(
            found.label for found in matches
            if (found.cube, found.dimension, found.entity) == (part.cube, part.dimension, part.entity)
        )))
        for part in retrieval.components
    )


def _row(hit: Hit, section: Section) -> ExplainedHit:
    cells: dict[Axis, tuple[Match, ...]] = {}
    for found in hit.matches:
        axis = (found.cube, found.dimension)
        cells[axis] = (*cells.get(axis, ()), found)
    return ExplainedHit(
        hit.rank, hit.section_id, section.record_id, section.title, hit.covered, hit.asked, hit.source, cells)


def _cell(matches: tuple[Match, ...]) -> str:
    """Write labels as Table 6 does, a dense match with its similarity; a dash where there is none."""
    return ", ".join(
        f"'{found.label}': {found.count}" + (f" (~{found.similarity:.2f})" if found.route == "dense" else "")
        for found in matches
    ) or "–"


def _name(ontology: Ontology, axis: Axis, several: bool) -> str:
    cube_id, dimension_id = axis
    try:
        cube = ontology.cube(cube_id)
        name = cube.dimension(dimension_id).name
    except KeyError:
        return f"{cube_id}.{dimension_id}"
    return f"{cube.name}: {name}" if several else name
