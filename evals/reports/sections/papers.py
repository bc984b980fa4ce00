"""The papers' tables with what we measured beside them, never as if the two were the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ablations import ABLATIONS
from ..document import Cell, Column, Group, Section, Table, slug
from ..loading import Loaded, figure, is_ablation
from ..published import PaperData, PaperTable, about

__all__ = ["papers"]

_CAVEAT = (
    "Published figures are the papers', on their samples, with their generators and machines; measured ones are ours, "
    "on our samples of the data sets of the same name. The samples differ in questions and in how many documents are "
    "searched, so a difference between a published and a measured row is no result of an experiment; one between two "
    "measured rows is."
)


def papers(runs: Sequence[Loaded]) -> Section | None:
    """Each printed table that a run can stand beside, one for each data set; None where there is none."""
    sections: dict[str, list[Table]] = {}
    for run in runs:
        for paper, number, table in _of_run(run):
            sections.setdefault(f"{paper}, {number}", []).append(table)
    parts = [Section(f"paper-{slug(title)}", title, (), tables) for title, tables in sections.items()]
    return Section("papers", "The papers' tables", (_CAVEAT,), parts) if parts else None


def _of_run(run: Loaded) -> Iterator[tuple[str, str, Table]]:
    """Yield paper, number and table; the generators of a printed table are groups of one."""
    together: dict[tuple[str, str, str], list[PaperTable]] = {}
    for table, data in about(run.results.dataset):
        together.setdefault((table.paper, table.number, data), []).append(table)
    for (paper, number, data), tables in together.items():
        ours = _measured(run, tables[0])
        if ours is not None:
            yield paper, number, _beside(run, tables, data, ours)


def _beside(run: Loaded, tables: Sequence[PaperTable], data: str, ours: Group) -> Table:
    first = tables[0]
    caveats = [table.data[data].caveat for table in tables[:1]] + [first.note]
    return Table(
        f"{slug(first.paper)}-{slug(first.number)}-{slug(run.dataset)}",
        f"{run.dataset}: {first.about} ({first.paper}, {first.number}, {data})",
        [Column("system"), *(Column(_head(name, first), each.digits) for name, each in first.measures.items())],
        [*(_published(table, data) for table in tables), ours],
        " ".join(filter(None, caveats)),
    )


def _head(measure: str, table: PaperTable) -> str:
    return f"{measure} {table.unit}" if table.unit in ("%", "s", "ms") else measure


def _published(table: PaperTable, data: str) -> Group:
    rows: list[list[Cell]] = [[name, *cells] for name, cells in table.printed(data)]
    return Group(rows, f"published ({', '.join([table.generator, *_sizes(table.data[data])])})", "published")


def _sizes(data: PaperData) -> Iterator[str]:
    if data.questions is None and data.documents is None:
        yield "sizes not printed"
    if data.questions is not None:
        yield f"{data.questions:,} questions"
    if data.documents is not None:
        yield f"{data.documents:,} documents"


def _measured(run: Loaded, table: PaperTable) -> Group | None:
    """Our rows of the table, those with at least one figure; None where there are none or only the whole system."""
    rows: list[list[Cell]] = []
    for name in run.systems:
        if not table.wants(name, named=not is_ablation(name)):
            continue
        cells = [_ours(run, name, measure.key, measure.factor) for measure in table.measures.values()]
        if any(cell is not None for cell in cells):
            rows.append([_label(name), *cells])
    if table.ours != "named" and len(table.ours) > 1 and len(rows) < 2:
        return None
    return Group(rows, f"measured ({run.size})", "measured") if rows else None


def _label(name: str) -> str:
    part = ABLATIONS[name].part if name in ABLATIONS else ""
    return f"{name} (without {part})" if part else name


def _ours(run: Loaded, system: str, key: str | None, factor: float) -> float | None:
    value = figure(run.systems[system], key)
    return None if value is None else value * factor
