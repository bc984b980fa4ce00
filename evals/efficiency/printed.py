"""What the papers print beside our figures: rows for the same columns, as far as the data are of one kind."""

from __future__ import annotations

from collections.abc import Sequence

from ..published import PaperTable, paper_tables

__all__ = ["growth_table", "noise_rows", "time_rows"]

_MULTICUBE, _HYPERCUBE = "MultiCube-RAG", "Hypercube-RAG"


def time_rows(number: str, datasets: Sequence[str]) -> list[list[str]]:
    """Return the rows of MultiCube-RAG's Table 3 or 4 in milliseconds: name, then a cell for each of our data sets.

    The first row says how many documents the paper's data sets have. Nothing where none of ours is of their kind.
    """
    table = _table(_MULTICUBE, number)
    names = [table.data_like(dataset) for dataset in datasets] if table is not None else []
    if table is None or not any(names):
        return []
    sizes = [table.data[name].documents if name else None for name in names]
    rows = [["documents in the paper", *("–" if size is None else f"{size:,}" for size in sizes)]]
    for system, cells in table.rows.items():
        by_data = dict(zip(table.data, cells, strict=True))
        rows.append([system, *(_milliseconds(by_data.get(name or "")) for name in names)])
    return rows


def noise_rows(dataset: str, sizes: Sequence[int]) -> list[list[str]]:
    """Return the rows of Hypercube-RAG's Table 5: name, its score at each size of ours, and its loss.

    Nothing where our data set or our sizes are others.
    """
    table = _table(_HYPERCUBE, "Table 5")
    data = table.data_like(dataset) if table is not None else None
    wanted = [f"{size:,} documents" for size in sizes]
    if table is None or data is None or not set(wanted) <= set(table.measures):
        return []
    rows = []
    for system, cells in table.printed(data):
        told = dict(zip(table.measures, cells, strict=True))
        rows.append([system, *(_number(told[name]) for name in (*wanted, "loss"))])
    return rows


def growth_table() -> tuple[list[str], list[list[str]]] | None:
    """Return head and rows of Hypercube-RAG's Table 4, milliseconds of retrieval; its sizes are of its own corpora."""
    table = _table(_HYPERCUBE, "Table 4")
    if table is None:
        return None
    rows = [[system, *map(_number, cells)] for data in table.data for system, cells in table.printed(data)]
    return ["published", *table.measures], rows


def _table(paper: str, number: str) -> PaperTable | None:
    return next((each for each in paper_tables() if (each.paper, each.number) == (paper, number)), None)


def _milliseconds(cells: Sequence[float | None] | None) -> str:
    """One value in seconds."""
    return "–" if not cells or cells[0] is None else f"{1000 * cells[0]:,.0f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:,.1f}"
