"""Figures that papers print, to stand beside ours: ``published.yaml``, read and checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["Measure", "PaperData", "PaperTable", "about", "document_figures", "paper_tables"]

_FILE = Path(__file__).with_name("published.yaml")
_Text = Annotated[str, Field(min_length=1)]


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Measure(_Checked):
    """A column of a printed table, and what of ours is of its kind.

    ``key`` is the place in a system's entry of ``results.json`` (dots lead into ``metrics``), None where we have no
    such figure; ours times ``factor`` is in the table's unit, shown with ``digits``.
    """

    key: str | None = None
    factor: float = 1.0
    digits: int = Field(default=1, ge=0, le=4)


class PaperData(_Checked):
    """A data set as a paper used it. ``ours`` names the data sets of ours that are of its kind, never the same sample.

    ``questions`` and ``documents`` are None where the paper prints no size.
    """

    ours: tuple[str, ...] = ()
    questions: int | None = Field(default=None, gt=0)
    documents: int | None = Field(default=None, gt=0)
    caveat: str = ""

    def matches(self, dataset: str) -> bool:
        """Whether a data set of this name is of the same kind: the name, or what it begins with before a dash."""
        name = dataset.casefold().replace("_", "-")
        return any(name == known or name.startswith(f"{known}-") for known in self.ours)


class PaperTable(_Checked):
    """A printed table of one generator: by row and data set, a value for each measure (None: not printed)."""

    paper: _Text
    number: _Text
    about: _Text
    generator: _Text
    unit: _Text
    note: str = ""
    ours: Literal["named"] | tuple[str, ...] = "named"
    measures: dict[str, Measure]
    data: dict[str, PaperData]
    rows: dict[str, tuple[tuple[float | None, ...] | None, ...]]

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for name, row in self.rows.items():
            if len(row) != len(self.data):
                raise ValueError(f'"{name}" has {len(row)} lists for {len(self.data)} data sets')
            if any(cells is not None and len(cells) != len(self.measures) for cells in row):
                raise ValueError(f'"{name}" has not a value for each of {", ".join(self.measures)}')
        return self

    def data_like(self, dataset: str) -> str | None:
        """Return the name of the paper's data that a data set of ours is of the kind of."""
        return next((name for name, data in self.data.items() if data.matches(dataset)), None)

    def printed(self, data: str) -> Iterator[tuple[str, tuple[float | None, ...]]]:
        """Yield the rows printed for a data set."""
        place = list(self.data).index(data)
        for name, row in self.rows.items():
            cells = row[place]
            if cells is not None:
                yield name, cells

    def wants(self, system: str, *, named: bool) -> bool:
        """Whether one of our systems belongs beside this table; ``named`` ones are not ablations."""
        if self.ours == "named":
            return named
        return any(fnmatchcase(system, pattern) for pattern in self.ours)


class _File(_Checked):
    tables: tuple[PaperTable, ...]


@cache
def paper_tables() -> tuple[PaperTable, ...]:
    """Return all the tables, in the papers' order."""
    return _File.model_validate(yaml.safe_load(_FILE.read_text(encoding="utf-8"))).tables


def about(dataset: str) -> Iterator[tuple[PaperTable, str]]:
    """Yield the tables that a data set of ours can stand beside, each with the paper's data in it."""
    for table in paper_tables():
        data = table.data_like(dataset)
        if data is not None:
            yield table, data


def document_figures(dataset: str) -> Mapping[str, tuple[float | None, ...]]:
    """Return, by system, precision and recall at 3 and at 5 as Hypercube-RAG prints them for data of this kind."""
    for table, data in about(dataset):
        if [each.key for each in table.measures.values()] == ["precision@3", "recall@3", "precision@5", "recall@5"]:
            return dict(table.printed(data))
    return {}
