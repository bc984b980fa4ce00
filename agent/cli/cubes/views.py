"""What `multicube cube` shows of the cubes, as tables that print as columns or as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ....cubes.core.errors import UsageError
from ...views.text import clean
from ..console import note, say, say_json

if TYPE_CHECKING:
    from ....cubes.core.records import Fact, Section
    from ....cubes.knowledge.base import KnowledgeBase
    from ....cubes.model.cells import Cube, Label
    from ....cubes.model.rollup import Bucket, RollUp

__all__ = [
    "CubeTable",
    "cells_of",
    "classes",
    "dimensions",
    "fact_id",
    "facts_table",
    "find_cube",
    "find_labels",
    "find_section",
    "label_cell",
    "labels",
    "lines",
    "rolled_up",
    "show",
]


@dataclass(frozen=True)
class CubeTable:
    """Rows under a head; ``title`` names it in JSON and above the columns where several are shown."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[Sequence[str | int | float]]
    more: int = 0

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as mappings."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]


def show(tables: Sequence[CubeTable], *, as_json: bool) -> None:
    """Print tables: as columns, or as one JSON value (a list for one table, else lists by title)."""
    if as_json:
        say_json(tables[0].records() if len(tables) == 1 else {t.title: t.records() for t in tables})
        return
    for number, table in enumerate(tables):
        say(_printed(table, titled=len(tables) > 1, spaced=number > 0))
        if table.more:
            note(f"... and {table.more:,} more; --limit N shows more of them")


def lines(tables: Sequence[CubeTable]) -> Iterator[Text]:
    """Return tables as lines, with how many rows were left out."""
    for number, table in enumerate(tables):
        yield from _printed(table, titled=len(tables) > 1, spaced=number > 0)
        if table.more:
            yield Text(f"... and {table.more:,} more", style="dim")


def _printed(table: CubeTable, *, titled: bool, spaced: bool) -> Iterator[Text]:
    from ...views import terminal as rendering

    if spaced:
        yield Text()
    if titled:
        yield Text(clean(table.title), style="bold cyan")
    if table.rows:
        yield from rendering.columns(table.head, table.rows)
    else:
        yield Text("(none)", style="dim")


def classes(kb: KnowledgeBase) -> CubeTable:
    """One row for each class: how many subjects, sections and facts its cube has."""
    rows = []
    for cube in kb.cubes:
        facts = cube.facts()
        sections = len({fact.section_id for fact in facts})
        rows.append((cube.spec.id, sum(1 for _ in cube.subject_keys()), sections, len(facts), cube.spec.name))
    return CubeTable("classes", ("class", "subjects", "sections", "facts", "name"), rows)


def find_cube(kb: KnowledgeBase, cube_class: str) -> Cube:
    """Return a class's cube; raises UsageError naming the classes there are."""
    if cube_class not in kb.cubes:
        known = ", ".join(cube.spec.id for cube in kb.cubes)
        raise UsageError(f"There is no class '{cube_class}'; the classes are: {known}.")
    return kb.cubes[cube_class]


def dimensions(cube: Cube) -> CubeTable:
    """One row for each dimension of a class: its role and how many labels it has."""
    rows = []
    for spec in cube.spec.dimensions:
        found = cube.labels(spec.id)
        sections = {section for label in found for section in label.sections}
        rows.append((spec.id, spec.role, len(found), len(sections), spec.name))
    return CubeTable("dimensions", ("dimension", "role", "labels", "sections", "name"), rows)


def labels(cube: Cube, dimension: str, *, like: str | None, limit: int) -> CubeTable:
    """One row for each label of a dimension, the most frequent first."""
    found = [label for label in _labels(cube, dimension) if like is None or like.casefold() in label.text.casefold()]
    found.sort(key=lambda label: (-len(label.sections), label.text))
    rows = [(label.text, len(label.sections), sum(label.sections.values())) for label in found[:limit]]
    return CubeTable("labels", ("label", "sections", "count"), rows, more=max(0, len(found) - limit))


def _labels(cube: Cube, dimension: str) -> Sequence[Label]:
    """Return a dimension's labels; raises UsageError naming the dimensions there are."""
    known = [spec.id for spec in cube.spec.dimensions]
    if dimension not in known:
        raise UsageError(f"The class '{cube.spec.id}' has no dimension '{dimension}'; it has: {', '.join(known)}.")
    return cube.labels(dimension)


def find_labels(cube: Cube, dimension: str, text: str) -> Sequence[Label]:
    """Return the labels that a spelling stands for; raises UsageError where there are none."""
    from difflib import get_close_matches

    known = _labels(cube, dimension)
    found = cube.lookup(dimension, text)
    if found:
        return found
    near = [label.text for label in known if text.casefold() in label.text.casefold()][:5]
    near = near or get_close_matches(text, [label.text for label in known], n=3)
    hint = f"; similar ones: {', '.join(near)}" if near else ""
    raise UsageError(f"There is no label '{text}' on dimension '{dimension}' of class '{cube.spec.id}'{hint}.")


def label_cell(kb: KnowledgeBase, cube: Cube, dimension: str, text: str, limit: int) -> list[CubeTable]:
    """The sections that a label tags, and the facts that put them there."""
    found = find_labels(cube, dimension, text)
    rows = [
        (label.text, section_id, kb.section(section_id).record_id, kb.section(section_id).title, count)
        for label in found
        for section_id, count in sorted(label.sections.items(), key=lambda item: (-item[1], item[0]))
    ]
    head = ("label", "section", "record", "title", "count")
    keys = {label.key for label in found}
    facts = [fact for fact in cube.facts() if _lies_on(fact, cube, dimension, keys)]
    return [
        CubeTable("sections", head, rows[:limit], more=max(0, len(rows) - limit)),
        facts_table(kb, facts, limit),
    ]


def _lies_on(fact: Fact, cube: Cube, dimension: str, keys: set[str]) -> bool:
    """Whether a fact has one of these labels on this dimension."""
    from ....cubes.model.cells import coordinates

    on = (cube.find(dimension, text) for axis, text in coordinates(fact, cube.spec) if axis == dimension)
    return any(label is not None and label.key in keys for label in on)


def facts_table(kb: KnowledgeBase, facts: Sequence[Fact], limit: int) -> CubeTable:
    """One row for each fact, with the id that corrections name it by and the sentence it was read from."""
    rows = [
        (
            fact_id(f),
            f.subject,
            f.dimension,
            f.relation,
            f.value,
            f.origin,
            _sentence(kb.section(f.section_id), f),
        )
        for f in facts[:limit]
    ]
    head = ("fact", "subject", "dimension", "relation", "value", "origin", "sentence")
    return CubeTable("facts", head, rows, more=max(0, len(facts) - limit))


def _sentence(section: Section, fact: Fact) -> str:
    return clean(section.text[fact.sentence.start : fact.sentence.end])


def fact_id(fact: Fact) -> str:
    """Return the short id under which a person names a fact; it changes when the fact does."""
    parts = (
        fact.section_id,
        fact.cube,
        fact.dimension,
        fact.subject,
        fact.relation,
        fact.value,
        str(fact.span.start),
    )
    return hashlib.blake2b("\x1f".join(parts).encode(errors="replace"), digest_size=5).hexdigest()


def find_section(kb: KnowledgeBase, name: str) -> Section:
    """Return a section by its id, or the only section of a record."""
    found = [s for s in kb.sections() if name in (s.id, s.record_id)]
    if not found:
        raise UsageError(f"There is no section or record '{name}'; `multicube docs list` names the records.")
    exact = [s for s in found if s.id == name]
    if len(found) > 1 and not exact:
        raise UsageError(f"Record '{name}' has {len(found)} sections; name one: {', '.join(s.id for s in found[:8])}.")
    return (exact or found)[0]


def cells_of(kb: KnowledgeBase, section: Section) -> list[CubeTable]:
    """All cells that a section lies in, and the facts read from it (a row of Table 6 of Hypercube-RAG)."""
    from ....cubes.model.cells import coordinates

    facts = kb.cubes.facts_of_section(section.id)
    cells: dict[tuple[str, str, str], int] = {}
    for fact in facts:
        cube = kb.cubes[fact.cube]
        for dimension, text in coordinates(fact, cube.spec):
            label = cube.find(dimension, text)
            if label is not None:
                cells[cube.spec.id, dimension, label.text] = label.sections[section.id]
    table = CubeTable(
        "cells", ("class", "dimension", "label", "count"), [(*cell, cells[cell]) for cell in sorted(cells)]
    )
    return [table, facts_table(kb, facts, len(facts))]


def rolled_up(
    cube: Cube, rows: str, columns: str | None, by: Bucket, relation: str | None, limit: int, *, as_json: bool
) -> CubeTable:
    """Subjects per label of one or two dimensions: the fullest rows to read, every cell in JSON."""
    found = cube.roll_up(rows, columns, by=by, relation=relation)
    if as_json:
        return _every_cell(found, rows, columns)
    counted = [(row, [_subjects(found, row, column) for column in found.columns]) for row in found.rows]
    # A date axis is read in its own order; names with most subjects come first.
    if cube.spec.dimension(rows).kind != "date":
        counted.sort(key=lambda entry: (-sum(entry[1]), entry[0]))
    head = (rows, "subjects") if columns is None else (rows, *found.columns)
    return CubeTable("roll-up", head, [(row, *n) for row, n in counted[:limit]], more=max(0, len(counted) - limit))


def _every_cell(found: RollUp, rows: str, columns: str | None) -> CubeTable:
    """One row for each cell that holds something."""
    if columns is None:
        return CubeTable("roll-up", (rows, "subjects", "sections"), [(r, c.subjects, c.sections) for r, _, c in found])
    head = (rows, columns if columns != rows else f"{columns} 2", "subjects", "sections")
    return CubeTable("roll-up", head, [(row, column, c.subjects, c.sections) for row, column, c in found])


def _subjects(found: RollUp, row: str, column: str) -> int:
    cell = found.cells.get((row, column))
    return cell.subjects if cell is not None else 0


def facts_to_export(kb: KnowledgeBase, cube_class: str | None) -> Iterable[dict[str, Any]]:
    """Every fact (of one class) as a flat record with where it was read, in a stable order."""
    cubes = [find_cube(kb, cube_class)] if cube_class is not None else list(kb.cubes)
    for cube in cubes:
        for fact in cube.facts():
            section = kb.section(fact.section_id)
            yield {
                "fact": fact_id(fact),
                "class": fact.cube,
                "dimension": fact.dimension,
                "subject": fact.subject,
                "relation": fact.relation,
                "value": fact.value,
                "kind": fact.kind,
                "confidence": fact.confidence,
                "origin": fact.origin,
                "record": section.record_id,
                "section": section.id,
                "title": section.title,
                "start": fact.span.start,
                "end": fact.span.end,
                "sentence": _sentence(section, fact),
            }
