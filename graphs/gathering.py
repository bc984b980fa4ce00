"""Questions over many cells in the loop: what the cube tools give for them, their citations and their table.

The engine opens the cells (Hypercube-RAG, appendix C); each cube's tool hands on the sections that its facts stand in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ..cubes.core.records import Filters, Hit, Retrieval
from .context import AnswerContext
from .evidence import evidence_of
from .reasoner import CELLS
from .records import AnswerTable, CellRecord, Citation, Evidence, FactRecord, Hop, ListedRecord, TableCell

__all__ = [
    "CELLS", "AggregatedCells", "AggregatingReasoner", "gathered_evidence", "joined", "listed_table", "whole_cells",
]

Allows = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class AggregatedCells:
    """What whole cells hold for a subquery: the sections (ids) of their facts by cube, and the cells themselves."""

    sections: Mapping[str, Sequence[str]]
    cells: tuple[CellRecord, ...] = ()


@runtime_checkable
class AggregatingReasoner(Protocol):
    """An engine that opens many cells for one subquery."""

    def gather(self, subquery: str, allows: Allows) -> AggregatedCells | None:
        """Return what the cells hold in the sections that are allowed; None for a subquery of another kind."""
        ...


def gathered_evidence(
    subquery: str, cube: str, filters: dict[str, Any] | None, context: AnswerContext
) -> tuple[list[Evidence], list[CellRecord]] | None:
    """Return one cube's part of the sections that a subquery over many cells rests on; None for any other subquery."""
    engine = context.reasoner
    if not isinstance(engine, AggregatingReasoner):
        return None
    gathered = engine.gather(subquery, context.knowledge.retriever.allowing(Filters.from_json(filters)))
    if gathered is None:
        return None
    found = gathered.sections.get(cube, ())
    hits = tuple(Hit(section_id, rank, 1.0, 1, 1, source=CELLS) for rank, section_id in enumerate(found, start=1))
    evidence = evidence_of(Retrieval(hits), subquery, context.knowledge, f"{CELLS}:{cube}")
    return evidence, [cell for cell in gathered.cells if cell.cube == cube]


def whole_cells(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    """Put the parts of several cubes together, each section once; nothing is left out, for all of it is counted."""
    first = {e.section_id: e for found in reversed(lists) for e in reversed(found)}
    ordered = dict.fromkeys(e.section_id for found in lists for e in found)
    return [first[section_id].model_copy(update={"rank": n}) for n, section_id in enumerate(ordered, start=1)]


def joined(cells: Sequence[CellRecord]) -> list[CellRecord]:
    """Say at the last cell of each further cube which labels it shares with cells of the cubes before (C.3)."""
    told, seen = list(cells), dict[str, set[str]]()
    for number, cell in enumerate(cells):
        own = {label for each in cells if each.cube == cell.cube for _, label in each.labels}
        last = all(each.cube != cell.cube for each in cells[number + 1 :])
        shared = sorted(own & set().union(*(labels for cube, labels in seen.items() if cube != cell.cube)))
        if last and shared and not cell.joined:
            told[number] = cell.model_copy(update={"joined": f"{' and '.join(seen)} on {', '.join(shared)}"})
        seen.setdefault(cell.cube, set()).update(label for _, label in cell.labels)
    return told


def listed_table(hops: Sequence[Hop], citations: Sequence[Citation]) -> AnswerTable | None:
    """Return the list of a question over many cells: a row for each thing, each cell with its citation."""
    hop = hops[-1] if hops else None
    if hop is None or not hop.listed or hop.status == "edited":
        return None
    numbers = {(c.section_id, c.sentence): c.number for c in citations}

    def cell(value: str, fact: FactRecord) -> TableCell:
        return TableCell(value=value, citation=numbers.get((fact.section_id, fact.sentence)))

    names = list(dict.fromkeys(field.name for listed in hop.listed for field in listed.fields))
    return AnswerTable(
        columns=(hop.noun, *names), rows=tuple(_row(listed, names, cell) for listed in hop.listed)
    )


def _row(
    listed: ListedRecord, names: Sequence[str], cell: Callable[[str, FactRecord], TableCell]
) -> tuple[TableCell, ...]:
    held = {field.name: field for field in reversed(listed.fields)}
    told = (cell(held[name].value, held[name].fact) if name in held else TableCell() for name in names)
    return (cell(listed.value, listed.fact), *told)
