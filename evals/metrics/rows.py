"""Measures of answers with many parts (MuISQA 3.4): information recall, accuracy and coverage of rows, query entropy.

A *row* maps fields to accepted spellings; the first field names the thing that the row is about. A factual unit is one
row and field; fields without a value are none. Shares are from 0 to 1; what cannot be computed is None, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from .basic import normalise

__all__ = [
    "Row",
    "answer_accuracy",
    "answer_coverage",
    "information_recall",
    "mixed_entropy",
    "named_alike",
    "relative_entropy",
]

Row = Mapping[str, str | Sequence[str] | None]
"""Field -> its value, or the spellings accepted for it; None or "" where it has none."""


def information_recall(rows: Iterable[Row], passages: Iterable[str]) -> float | None:
    """Share of the gold units whose value stands, in an accepted spelling, in a retrieved passage (IRR, equation 4).

    Whole words are compared, after `metrics.normalise`. Values of one field that rows share are one unit here, since a
    passage that states it tells it of all of them.

    >>> information_recall([{"drug": "Lumavex", "effect": ["nausea", "sickness"]}], ["Lumavex is a drug."])
    0.5
    """
    texts = [f" {normalise(passage)} " for passage in passages]
    units = {unit for row in rows for unit in _fields(row).items()}
    found = sum(any(f" {spelling} " in text for spelling in unit for text in texts) for _, unit in units)
    return found / len(units) if units else None


def answer_accuracy(answered: Iterable[Row], gold: Iterable[Row]) -> float | None:
    """Share of the answered units that are gold ones (AA, equation 5); 0.0 of none, None without gold."""
    said, wanted = _units(answered), _units(gold)
    if not wanted:
        return None
    return sum(any(_same(one, other) for other in wanted) for one in said) / len(said) if said else 0.0


def answer_coverage(answered: Iterable[Row], gold: Iterable[Row]) -> float | None:
    """Share of the gold units that were answered (AC, equation 6); None without gold."""
    said, wanted = _units(answered), _units(gold)
    if not wanted:
        return None
    return sum(any(_same(one, other) for one in said) for other in wanted) / len(wanted)


def named_alike(answered: Sequence[Mapping[str, str]], gold: Sequence[Row]) -> list[dict[str, str]]:
    """Return answered rows under the gold rows' names of fields: by name, or else by place.

    An answer's table names its columns in its own words, in the order in which the question asks for them. A column
    more is one that nobody asked for: it keeps its name, and counts against the accuracy.

    >>> named_alike([{"album": "Ash", "released": "1999", "of": "x"}], [{"album": "Ash", "year": "1999"}])
    [{'album': 'Ash', 'year': '1999', 'of': 'x'}]
    """
    columns = list(dict.fromkeys(column for row in answered for column in row))
    fields = {normalise(field): field for row in gold for field in row}
    names = {column: fields.pop(normalise(column)) for column in columns if normalise(column) in fields}
    names |= dict(zip((column for column in columns if column not in names), fields.values(), strict=False))
    renamed = [{names.get(column, column): value for column, value in row.items()} for row in answered]
    order = dict.fromkeys(field for row in gold for field in row)  # the first one is what a row is about
    return [{field: row[field] for field in dict.fromkeys((*order, *row)) if field in row} for row in renamed]


def mixed_entropy(vectors: npt.ArrayLike) -> float | None:
    """Entropy, in nats, of a query's mean distribution over the dimensions of its sentences' vectors (equations 1-3).

    One row per sentence; a row of zeros says nothing and is left out. None where nothing is left.
    """
    table = np.abs(np.atleast_2d(np.asarray(vectors, dtype=np.float64)))
    sums = table.sum(axis=1, keepdims=True)
    shares = table[sums[:, 0] > 0] / sums[sums[:, 0] > 0]
    if not shares.size:
        return None
    mixed = shares.mean(axis=0)
    held = mixed[mixed > 0]
    return float(-(held * np.log(held)).sum()) + 0.0


def relative_entropy(vectors: npt.ArrayLike) -> float | None:
    """`mixed_entropy` over the greatest there can be, ln d, which differs from encoder to encoder; None where d < 2."""
    width = np.atleast_2d(np.asarray(vectors)).shape[1]
    entropy = mixed_entropy(vectors)
    return None if entropy is None or width < 2 else entropy / math.log(width)


_Unit = tuple[frozenset[str], str, frozenset[str]]
"""What the row is about, the field, and the value; each in every accepted spelling."""


def _units(rows: Iterable[Row]) -> list[_Unit]:
    """The distinct units of rows."""
    found: dict[_Unit, None] = {}
    for row in rows:
        fields = _fields(row)
        about = fields.get(next(iter(row), ""), frozenset())
        found.update({(about, field, spellings): None for field, spellings in fields.items()})
    return list(found)


def _fields(row: Row) -> dict[str, frozenset[str]]:
    """The fields that have a value, each with its spellings."""
    given = {field: [value] if isinstance(value, str) else list(value or ()) for field, value in row.items()}
    spelled = {field: frozenset(filter(None, map(normalise, values))) for field, values in given.items()}
    return {field: spellings for field, spellings in spelled.items() if spellings}


def _same(one: _Unit, other: _Unit) -> bool:
    return one[1] == other[1] and bool(one[0] & other[0]) and bool(one[2] & other[2])
