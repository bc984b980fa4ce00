"""Roll-ups over a cube: how many subjects and sections share a label, or two, such as films per genre and
decade.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.dates import PartialDate, parse_date
from ..core.errors import UsageError
from ..core.folding import fold
from ..core.records import Fact
from .labels import label_key
from .ontology import CubeSpec

__all__ = ["Bucket", "CellCount", "Members", "RollUp", "members", "roll_up"]

Bucket = Literal["label", "decade", "year"]


@dataclass(frozen=True, slots=True)
class CellCount:
    """How many distinct subjects share the labels, and how many distinct sections say so."""

    subjects: int
    sections: int


@dataclass(frozen=True, slots=True)
class RollUp:
    """A table of counts. Without a second dimension there is one column named ""; absent cells are empty."""

    row_dimension: str
    column_dimension: str | None
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], CellCount]

    def __iter__(self) -> Iterator[tuple[str, str, CellCount]]:
        """Go through the cells that hold something, row by row."""
        for row in self.rows:
            for column in self.columns:
                if (row, column) in self.cells:
                    yield row, column, self.cells[row, column]


Tagged = dict[str, dict[str, set[str]]]
"""Subject key -> bucket -> the sections that say so."""

Members = dict[str, dict[str, set[str]]]
"""Label -> the key of each of its subjects -> the ids of the sections that say so."""


def roll_up(
    spec: CubeSpec, facts: Iterable[Fact], rows: str, columns: str | None = None, *, by: Bucket = "label",
    relation: str | None = None,
) -> RollUp:
    """Count the subjects that have a label on ``rows`` (and one on ``columns``).

    ``by`` gathers dates into decades or years; dimensions of another kind keep their labels. ``relation``
    takes only the values that stand in one relation ("directed by") where the dimension holds related things.
    Raises UsageError for an unknown dimension.
    """
    listed = sorted(facts, key=lambda fact: (fact.subject, fact.value, fact.section_id))
    phrase = fold(relation) if relation is not None else None
    down = _tagged(spec, listed, rows, by, phrase)
    across = _tagged(spec, listed, columns, by, phrase) if columns is not None else None
    members: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for subject, buckets in down.items():
        others = across.get(subject, {}) if across is not None else {"": set[str]()}
        for row, sections in buckets.items():
            for column, more in others.items():
                subjects, places = members.setdefault((row, column), (set(), set()))
                subjects.add(subject)
                places.update(sections, more)
    cells = {pair: CellCount(len(subjects), len(places)) for pair, (subjects, places) in members.items()}
    down_names, across_names = _distinct(row for row, _ in cells), _distinct(column for _, column in cells)
    return RollUp(rows, columns, down_names, across_names, cells)


def members(
    spec: CubeSpec, facts: Iterable[Fact], dimension: str, *, relation: str | None = None
) -> Members:
    """Return the subjects of each label of a dimension, with the sections that say so.

    Raises UsageError for an unknown dimension.
    """
    listed = sorted(facts, key=lambda fact: (fact.subject, fact.value, fact.section_id))
    found: Members = {}
    for subject, buckets in _tagged(spec, listed, dimension, "label", fold(relation) if relation else None).items():
        for label, sections in buckets.items():
            found.setdefault(label, {})[subject] = sections
    return found


def _tagged(spec: CubeSpec, facts: Sequence[Fact], dimension: str, by: Bucket, phrase: str | None) -> Tagged:
    """Gather every subject's buckets on one dimension; a label's first spelling names its bucket."""
    if dimension not in {known.id for known in spec.dimensions}:
        known = ", ".join(each.id for each in spec.dimensions)
        raise UsageError(f"The cube '{spec.id}' has no dimension '{dimension}'; choose from {known}.")
    kind, names, tagged = spec.dimension(dimension).kind, dict[str, str](), Tagged()
    for fact in facts:
        text = _text_on(spec, fact, dimension, phrase)
        bucket = _bucket(text, kind, by, names) if text is not None else None
        if bucket is not None:
            tagged.setdefault(fold(fact.subject), {}).setdefault(bucket, set()).add(fact.section_id)
    return tagged


def _text_on(spec: CubeSpec, fact: Fact, dimension: str, phrase: str | None) -> str | None:
    """What a fact puts on a dimension: its subject, its value, its relation phrase, or nothing."""
    if dimension == spec.subject.id:
        return fact.subject
    role = spec.dimension(fact.dimension)
    if fact.dimension == dimension:
        return fact.relation if role.role == "relation" else fact.value
    if role.target == dimension and phrase in (None, fold(fact.relation)):
        return fact.value
    return None


def _bucket(text: str, kind: str, by: Bucket, names: dict[str, str]) -> str | None:
    """Name the bucket of a label; a date that cannot be read has no decade or year."""
    if kind != "date" or by == "label":
        return names.setdefault(label_key(text, kind), text)
    date = parse_date(text)
    if date is None:
        return None
    return f"{PartialDate(date.decade).key()}s" if by == "decade" else PartialDate(date.year).key()


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(names)))
