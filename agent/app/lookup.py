"""Looking into the cubes by name: classes, their dimensions, labels, the sections of a cell, the facts of a thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from ...cubes.core.errors import UsageError

if TYPE_CHECKING:
    from ...cubes.core.records import Fact
    from ...cubes.knowledge.base import KnowledgeBase
    from ...cubes.model.cells import Cube

__all__ = ["CubeRow", "DimensionRow", "FactRow", "LabelRow", "LookupResult", "SectionRow", "as_text", "look_up"]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CubeRow(_Row):
    """A class of things, with how many facts it holds."""

    id: str
    name: str
    description: str
    facts: int


class DimensionRow(_Row):
    """A dimension of a cube: its role ("subject", "attribute" or "relation") and how many labels it has."""

    id: str
    name: str
    role: str
    description: str
    labels: int


class LabelRow(_Row):
    """A value on a dimension and in how many sections it stands."""

    label: str
    sections: int


class SectionRow(_Row):
    """A section of a cell; ``count`` says how often the labels stand there."""

    id: str
    record_id: str
    title: str
    path: tuple[str, ...]
    count: int


class FactRow(_Row):
    """A fact with the sentence that it was read from; ``start`` and ``end`` locate the value in the section's text."""

    cube: str
    dimension: str
    subject: str
    relation: str
    value: str
    section_id: str
    title: str
    sentence: str
    start: int
    end: int


class LookupResult(_Row):
    """What a look into the cubes shows; ``more`` counts what the limit left out."""

    cubes: tuple[CubeRow, ...] = ()
    dimensions: tuple[DimensionRow, ...] = ()
    labels: tuple[LabelRow, ...] = ()
    sections: tuple[SectionRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    more: int = 0


def look_up(
    kb: KnowledgeBase,
    cube: str | None = None,
    dimension: str | None = None,
    label: str | None = None,
    *,
    limit: int = 20,
) -> LookupResult:
    """Look into the cubes: the further the question goes, the deeper the answer.

    Nothing given: the cubes. A cube: its dimensions. Cube and dimension: the labels. All three: the cell's sections
    and facts. A label alone, or with a cube: what the facts say about the thing of that name.

    Raises UsageError naming what there is, where a name is of nothing here.
    """
    kb.refresh()
    if label is not None and not label.strip():
        raise UsageError("The label is empty; name a thing or a value.")
    if dimension is not None and cube is None:
        raise UsageError("Say of which cube the dimension is.")
    chosen = _cube(kb, cube) if cube is not None else None
    if label is not None and (chosen is None or dimension is None):
        return _about(kb, chosen, label, limit)
    if chosen is None:
        return LookupResult(cubes=tuple(_cube_row(each) for each in kb.cubes))
    if dimension is None:
        return LookupResult(dimensions=tuple(_dimension(chosen, spec.id) for spec in chosen.spec.dimensions))
    _dimension(chosen, dimension)
    return _labels(chosen, dimension, limit) if label is None else _cell(kb, chosen, dimension, label, limit)


def as_text(looked: LookupResult) -> str:
    """Return what was found as lines of text."""
    lines = [f"{c.id}: {c.name}, {c.facts:,} facts ({c.description})" for c in looked.cubes]
    lines += [f"{d.id} ({d.role}): {d.name}, {d.labels:,} labels ({d.description})" for d in looked.dimensions]
    lines += [f"{each.label}: {each.sections:,} {_plural('section', each.sections)}" for each in looked.labels]
    lines += [f"[{s.id}] {' › '.join(s.path) or s.title}" for s in looked.sections]
    lines += [f"{f.subject} · {f.relation}: {f.value} [{f.section_id}] {f.sentence}" for f in looked.facts]
    lines += [f"... and {looked.more:,} more"] if looked.more else []
    return "\n".join(lines) or "Nothing found."


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _cube(kb: KnowledgeBase, cube: str) -> Cube:
    if cube not in kb.cubes:
        known = ", ".join(each.spec.id for each in kb.cubes)
        raise UsageError(f"There is no cube '{cube}'; the cubes are: {known}.")
    return kb.cubes[cube]


def _cube_row(cube: Cube) -> CubeRow:
    spec = cube.spec
    return CubeRow(id=spec.id, name=spec.name, description=spec.description, facts=len(cube.facts()))


def _dimension(cube: Cube, dimension: str) -> DimensionRow:
    specs = {spec.id: spec for spec in cube.spec.dimensions}
    if dimension not in specs:
        raise UsageError(f"The cube '{cube.spec.id}' has no dimension '{dimension}'; it has: {', '.join(specs)}.")
    spec = specs[dimension]
    count = len(cube.labels(dimension))
    return DimensionRow(id=spec.id, name=spec.name, role=spec.role, description=spec.description, labels=count)


def _labels(cube: Cube, dimension: str, limit: int) -> LookupResult:
    found = sorted(cube.labels(dimension), key=lambda label: (-len(label.sections), label.text))
    rows = tuple(LabelRow(label=label.text, sections=len(label.sections)) for label in found[:limit])
    return LookupResult(labels=rows, more=len(found) - len(rows))


def _cell(kb: KnowledgeBase, cube: Cube, dimension: str, label: str, limit: int) -> LookupResult:
    cell = cube.cell({dimension: label})
    if not cell:
        raise UsageError(
            f"There is no label '{label}' on '{dimension}' of cube '{cube.spec.id}'; leave it away to list its labels."
        )
    keys = {found.key for found in cube.lookup(dimension, label)}
    held = (fact for section_id in cell for fact in cube.facts(section_id=section_id))
    facts = [fact for fact in held if _lies_on(fact, cube, dimension, keys)]
    sections = tuple(_section(kb, section_id, count) for section_id, count in [*cell.items()][:limit])
    shown = _facts(kb, facts[:limit])
    return LookupResult(sections=sections, facts=shown, more=len(cell) - len(sections) + len(facts) - len(shown))


def _lies_on(fact: Fact, cube: Cube, dimension: str, keys: set[str]) -> bool:
    """Whether a fact has one of these labels on this dimension."""
    from ...cubes.model.cells import coordinates

    on = (cube.find(dimension, text) for axis, text in coordinates(fact, cube.spec) if axis == dimension)
    return any(label is not None and label.key in keys for label in on)


def _about(kb: KnowledgeBase, cube: Cube | None, name: str, limit: int) -> LookupResult:
    """What the facts say about the things that a name may mean."""
    subjects = [each for each in kb.cubes.subjects(name) if cube is None or each.cube == cube.spec.id]
    if not subjects:
        where = f" in cube '{cube.spec.id}'" if cube is not None else ""
        raise UsageError(f"Nothing named '{name}' has facts{where}; search for it in the passages.")
    facts = [fact for subject in subjects for fact in kb.cubes[subject.cube].about(subject.key)]
    shown = _facts(kb, facts[:limit])
    return LookupResult(facts=shown, more=len(facts) - len(shown))


def _section(kb: KnowledgeBase, section_id: str, count: int) -> SectionRow:
    section = kb.section(section_id)
    return SectionRow(
        id=section.id, record_id=section.record_id, title=section.title, path=section.path, count=count
    )


def _facts(kb: KnowledgeBase, facts: Iterable[Fact]) -> tuple[FactRow, ...]:
    return tuple(_fact(kb, fact) for fact in facts)


def _fact(kb: KnowledgeBase, fact: Fact) -> FactRow:
    section = kb.section(fact.section_id)
    return FactRow(
        cube=fact.cube,
        dimension=fact.dimension,
        subject=fact.subject,
        relation=fact.relation,
        value=fact.value,
        section_id=fact.section_id,
        title=section.title,
        sentence=" ".join(section.text[fact.sentence.start : fact.sentence.end].split()),
        start=fact.span.start,
        end=fact.span.end,
    )
