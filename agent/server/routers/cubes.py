"""The cubes: their dimensions, the labels on one, the sections of a cell, and rolling up and drilling down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel

from ....cubes.core.records import Fact
from ....cubes.model.cells import Cube, coordinates
from ....cubes.model.dimension_tree import LabelSubtree, nested
from ..bounds import Identifier, Limit, Offset, Search
from ..service import Served, Service

__all__ = ["router"]

router = APIRouter(prefix="/cubes", tags=["cubes"])

_RESERVED = frozenset({"by", "level", "limit", "offset", "relation", "within"})
_CELL = {
    "parameters": [
        {
            "name": "coordinates",
            "in": "query",
            "description": "One parameter for each dimension, with a label on it: `?genre=film&date=1993`.",
            "style": "form",
            "explode": True,
            "schema": {"type": "object", "additionalProperties": {"type": "string"}},
        }
    ]
}


class DimensionInfo(BaseModel):
    """A dimension of a cube: the kind of its values, its role ("subject", "attribute", "relation"), its labels."""

    id: str
    name: str
    description: str
    kind: str
    role: str
    labels: int


class CubeInfo(BaseModel):
    """A class of things, with how many facts it holds; ``share`` is that of all sections which have one of them."""

    id: str
    name: str
    description: str
    facts: int
    share: float
    dimensions: list[DimensionInfo]


class CubeList(BaseModel):
    """Every cube of the ontology."""

    ontology: str
    cubes: list[CubeInfo]


class LabelInfo(BaseModel):
    """A label and how many sections it tags."""

    label: str
    sections: int


class LabelPage(BaseModel):
    """Some labels of a dimension, those of most sections first, of ``total``."""

    labels: list[LabelInfo]
    total: int


class CellSection(BaseModel):
    """A section that has the labels asked for, and the sentence that says so (``start`` to ``end`` in its text)."""

    id: str
    record_id: str
    title: str
    path: tuple[str, ...]
    count: int
    sentence: str = ""
    start: int = 0
    end: int = 0


class CellFact(BaseModel):
    """A fact that put a section into the cell; ``start`` and ``end`` locate the value in the section's text."""

    section: str
    subject: str
    dimension: str
    relation: str
    value: str
    origin: str
    confidence: float
    start: int
    end: int
    sentence: str


class CellPage(BaseModel):
    """The sections that share labels, best first, of ``total``, and the facts that say so."""

    cell: dict[str, str]
    sections: list[CellSection]
    facts: list[CellFact]
    total: int


class RollUpRow(BaseModel):
    """A label with what lies below it.

    ``cell`` names the cell to open, where there is one. ``subjects`` and ``sections`` count all below it as well; of
    its ``below`` labels the first are ``children``.
    """

    label: str
    subjects: int
    sections: int
    cell: dict[str, str] | None = None
    below: int = 0
    children: list[RollUpRow] = []


class RollUpPage(BaseModel):
    """Some rows of a roll-up, of ``total``."""

    by: str
    kind: str
    rows: list[RollUpRow]
    total: int


@router.get("")
def list_cubes(served: Served) -> CubeList:
    """List the cubes with their dimensions."""
    kb = served.fresh
    return CubeList(ontology=kb.ontology.name, cubes=[_cube_facts(cube, len(kb.sections())) for cube in kb.cubes])


def _cube_facts(cube: Cube, sections: int) -> CubeInfo:
    dimensions = [
        DimensionInfo(
            id=each.id, name=each.name, description=each.description, kind=each.kind, role=each.role,
            labels=len(cube.axis(each.id) or ()),
        )
        for each in cube.spec.dimensions
    ]  # fmt: skip
    spec, facts = cube.spec, cube.facts()
    held = len({fact.section_id for fact in facts})
    return CubeInfo(
        id=spec.id, name=spec.name, description=spec.description, facts=len(facts), share=held / max(sections, 1),
        dimensions=dimensions,
    )  # fmt: skip


@router.get("/{cube}/dimensions/{dimension}")
def list_labels(
    cube: Identifier, dimension: Identifier, served: Served, query: Search = "", limit: Limit = 50, offset: Offset = 0
) -> LabelPage:
    """List the labels of a dimension, those of most sections first; with ``query`` those that contain it."""
    chosen, wanted = _cube(served, cube), query.casefold()
    _check_dimension(chosen, dimension)
    found = [label for label in chosen.labels(dimension) if wanted in label.text.casefold()]
    found.sort(key=lambda label: (-len(label.sections), label.text))
    page = [LabelInfo(label=label.text, sections=len(label.sections)) for label in found[offset : offset + limit]]
    return LabelPage(labels=page, total=len(found))


@router.get("/{cube}/cells", openapi_extra=_CELL)
def read_cell(cube: Identifier, request: Request, served: Served, limit: Limit = 50, offset: Offset = 0) -> CellPage:
    """Return the sections that share a label on each dimension named, and the facts that put them there."""
    chosen = _cube(served, cube)
    asked = _coordinates(request)
    if not asked:
        raise HTTPException(422, "Name the cell by labels on dimensions, for example ?genre=film&date=1993.")
    keys = _keys(chosen, asked)
    counts = chosen.cell(asked)
    page = [*counts.items()][offset : offset + limit]
    sections, facts = [], []
    for section_id, count in page:
        section, here = served.kb.kb.section(section_id), _facts_there(chosen, section_id, keys)
        said = [(fact, section.text[fact.sentence.start : fact.sentence.end]) for fact in here]
        facts += [_fact(fact, sentence) for fact, sentence in said]
        first = {"sentence": said[0][1], "start": here[0].sentence.start, "end": here[0].sentence.end} if here else {}
        sections.append(
            CellSection(
                id=section.id, record_id=section.record_id, title=section.title, path=section.path, count=count,
                **first,
            )
        )  # fmt: skip
    return CellPage(cell=asked, sections=sections, facts=facts, total=len(counts))


def _coordinates(request: Request) -> dict[str, str]:
    """Return the labels on dimensions that a request names."""
    return {name: label for name, label in request.query_params.items() if name not in _RESERVED}


def _keys(cube: Cube, asked: dict[str, str]) -> dict[str, set[str]]:
    """Return the keys of the labels that are asked for; refuses what the cube does not have."""
    keys = {}
    for dimension, label in asked.items():
        _check_dimension(cube, dimension)
        keys[dimension] = {found.key for found in cube.lookup(dimension, label)}
        if not keys[dimension]:
            raise HTTPException(404, f"There is no label '{label[:100]}' on '{dimension}' of cube '{cube.spec.id}'.")
    return keys


def _facts_there(cube: Cube, section_id: str, keys: dict[str, set[str]]) -> list[Fact]:
    """Return the facts of a section that lie on the labels asked for; those on most of them first."""
    found: list[tuple[int, int, Fact]] = []
    for fact in cube.facts(section_id=section_id):
        on = [(axis, cube.find(axis, text)) for axis, text in coordinates(fact, cube.spec) if axis in keys]
        met = sum(label is not None and label.key in keys[axis] for axis, label in on)
        if met:
            found.append((-met, len(found), fact))
    most = min((met for met, _, _ in found), default=0)
    return [fact for met, _, fact in sorted(found, key=lambda each: each[:2]) if met == most]


def _fact(fact: Fact, sentence: str) -> CellFact:
    return CellFact(
        section=fact.section_id, subject=fact.subject, dimension=fact.dimension, relation=fact.relation,
        value=fact.value, origin=fact.origin, confidence=fact.confidence, start=fact.span.start, end=fact.span.end,
        sentence=sentence,
    )  # fmt: skip


@router.get("/{cube}/rollup", openapi_extra=_CELL)
def roll_up(
    cube: Identifier,
    request: Request,
    served: Served,
    by: Annotated[str, Query(max_length=200, description="The dimension.")],
    within: Annotated[
        list[str], Query(max_length=8, description="Drill down: labels of the tree, the widest first.")
    ] = [],  # noqa: B006 (never changed)
    level: Annotated[int, Query(ge=0, le=8, description="Begin so many levels below the top.")] = 0,
    relation: Annotated[str | None, Query(max_length=200, description="Only values that stand in it.")] = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> RollUpPage:
    """Roll a dimension up: dates into years and decades, places into what holds them; and drill down again.

    Labels on dimensions (`?genre=film`) restrict it to what their cell holds.
    """
    chosen = _cube(served, cube)
    _check_dimension(chosen, by)
    rows = _tree(served, chosen, by, relation, _coordinates(request))
    for label in within:
        held = next((row.children for row in rows if row.label == label), None)
        if held is None:
            raise HTTPException(404, f"There is nothing called '{label[:100]}' at this level of '{by}'.")
        rows = held
    for _ in range(level):
        rows = tuple(child for row in rows for child in (row.children or (row,)))
    page = [_row(chosen, by, row, limit) for row in rows[offset : offset + limit]]
    return RollUpPage(by=by, kind=chosen.spec.dimension(by).kind, rows=page, total=len(rows))


def _row(cube: Cube, by: str, row: LabelSubtree, limit: int) -> RollUpRow:
    """Return a row with the first of what lies below it; the rest is drilled down to."""
    children = [_row(cube, by, child, limit) for child in row.children[:limit]]
    opens = row.own or (cube.spec.dimension(by).kind == "date" and bool(cube.lookup(by, row.label)))
    return RollUpRow(
        label=row.label, subjects=row.subjects, sections=row.sections, below=len(row.children), children=children,
        cell={by: row.label} if opens else None,
    )  # fmt: skip


def _tree(
    served: Service, cube: Cube, dimension: str, relation: str | None, cell: dict[str, str]
) -> Sequence[LabelSubtree]:
    """Return a dimension's tree, of a cell where one is named; the last few of this generation are kept."""
    kb = served.kb.kb
    _keys(cube, cell)
    return served.kept(
        ("nested", kb.generation, cube.spec.id, dimension, relation, tuple(sorted(cell.items()))),
        lambda: nested(kb.cubes, cube, dimension, relation=relation, within=cube.cell(cell) if cell else None),
    )


def _cube(served: Service, cube: str) -> Cube:
    cubes = served.fresh.cubes
    if cube not in cubes:
        raise HTTPException(404, f"There is no cube '{cube}'; GET /cubes lists them.")
    return cubes[cube]


def _check_dimension(cube: Cube, dimension: str) -> None:
    known = [spec.id for spec in cube.spec.dimensions]
    if dimension not in known:
        raise HTTPException(
            404, f"The cube '{cube.spec.id}' has no dimension '{dimension[:100]}'; it has: {', '.join(known)}."
        )
