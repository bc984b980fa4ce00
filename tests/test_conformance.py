"""The page of conformance names files, functions and tests that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "conformance.md").read_text("utf-8")
STATES = ("works", "in part", "not done")
PLACE = re.compile(r"\[([\w/.]+)\]\(\.\./([\w/.]+)\)((?:,? `[\w.]+`)*)")
TEST = re.compile(r"\[([\w/.]+)::(\w+)\]\(\.\./([\w/.]+)\)")


@dataclass(frozen=True)
class Row:
    """A line of a table: its cells as they stand."""

    id: str
    part: str
    says: str
    where: str
    tests: str
    state: str


def read_rows() -> list[Row]:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith(("| id ", "| ---"))]
    return [Row(*(cell.strip() for cell in line.strip("|").split(" | "))) for line in lines]


ROWS = read_rows()


@cache
def names_in(file: Path) -> frozenset[str]:
    """What a file defines: functions, classes, constants, and the methods of classes as "Class.method"."""
    return frozenset(_names(ast.parse(file.read_text("utf-8")).body, "")) if file.suffix == ".py" else frozenset()


def _names(body: list[ast.stmt], inside: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{inside}{node.name}"
        elif isinstance(node, ast.ClassDef):
            yield f"{inside}{node.name}"
            yield from _names(node.body, f"{inside}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (f"{inside}{target.id}" for target in targets if isinstance(target, ast.Name))


def test_ids_are_unique_and_the_count_is_that_of_the_rows() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS) > 0
    counted = [sum(row.state.startswith(state) for row in ROWS) for state in STATES]
    assert f"{len(ROWS)} rows: {counted[0]} work, {counted[1]} work in part, {counted[2]} are not done." in PAGE


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_files_functions_and_tests_of_a_row_exist(row: Row) -> None:
    assert all((row.part, row.says, row.where))
    assert row.state.startswith(STATES)
    assert row.state != "in part", "what is missing is not said"
    places, tests = PLACE.findall(row.where), TEST.findall(row.tests)
    assert places
    assert PLACE.sub("", row.where).replace("<br>", "") == TEST.sub("", row.tests).replace("<br>", "") == ""
    for file, target, names in places:
        assert target == file
        wanted = set(re.findall(r"`([\w.]+)`", names))
        assert (ROOT / file).is_file(), file
        assert wanted <= names_in(ROOT / file), f"{file}: {wanted - names_in(ROOT / file)}"
    assert tests or row.state.startswith("not done")
    for file, name, target in tests:
        assert target == file
        assert name.startswith("test_")
        assert (ROOT / file).is_file(), file
        assert name in names_in(ROOT / file), f"{file} has no {name}"
