"""Imports go one way, lazy and type-only ones too: between folders, inside each folder, and from file to file."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
FLOORS = ("prompts", "cubes", "graphs", "agent", "evals")
"""Each folder imports only from itself and from those before it."""
FILES = {
    tuple(file.relative_to(ROOT).with_suffix("").parts): file
    for floor in FLOORS
    for file in (ROOT / floor).rglob("*.py")
}


@cache
def imported(module: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The modules of the project that a module imports, wherever the import stands in it."""
    return tuple(_imported(module))


def _imported(module: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    package = module[:-1]
    for node in ast.walk(ast.parse(FILES[module].read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            said = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                base = (*package[: len(package) - node.level + 1], *said)
            elif said[:1] == ("multicube",):
                base = said[1:]
            else:
                continue
            yield from filter(None, (_module((*base, alias.name)) or _module(base) for alias in node.names))
        elif isinstance(node, ast.Import):
            named = (alias.name.split(".") for alias in node.names)
            yield from filter(None, (_module(tuple(path[1:])) for path in named if path[0] == "multicube"))


def apart(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many folders two modules have in common: what comes next are the members of a folder that differ."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _module(path: tuple[str, ...]) -> tuple[str, ...] | None:
    return next((each for each in (path, (*path, "__init__")) if each in FILES), None)


def test_a_folder_imports_only_from_folders_below_it() -> None:
    wrong = [
        f"{'/'.join(module)} imports {'/'.join(other)}"
        for module in FILES
        for other in imported(module)
        if FLOORS.index(other[0]) > FLOORS.index(module[0])
    ]
    assert wrong == []


def test_no_file_imports_itself_by_way_of_others() -> None:
    circle: tuple[str, ...] = ()
    try:
        TopologicalSorter({"/".join(m): {"/".join(o) for o in imported(m) if o != m} for m in FILES}).prepare()
    except CycleError as error:
        circle = tuple(error.args[1])
    assert circle == ()


def members() -> dict[tuple[str, ...], dict[str, set[str]]]:
    """For each folder, which of its members each member imports."""
    found: dict[tuple[str, ...], dict[str, set[str]]] = {}
    for module in FILES:
        for other in imported(module):
            if other != module:
                at = apart(module, other)
                found.setdefault(module[:at], {}).setdefault(module[at], set()).add(other[at])
    return found


def test_the_members_of_a_folder_import_one_way() -> None:
    circles = []
    for folder, graph in members().items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circles.append(("/".join(folder), error.args[1]))
    assert circles == []


def test_no_folder_has_more_than_eight_floors() -> None:
    deep = {}
    for folder, graph in members().items():
        floors: dict[str, int] = {}
        for member in TopologicalSorter(graph).static_order():  # what is imported comes first
            floors[member] = 1 + max((floors[other] for other in graph.get(member, ())), default=0)
        if max(floors.values()) > 8:
            deep["/".join(folder)] = max(floors.values())
    assert deep == {}


def test_no_folder_has_more_than_fourteen_modules() -> None:
    sizes = Counter(module[:-1] for module in FILES if module[-1] != "__init__")
    assert {"/".join(folder): size for folder, size in sizes.items() if size > 14} == {}


def test_every_folder_says_what_it_holds() -> None:
    folders = {module[:-1] for module in FILES}
    said = {folder: FILES.get((*folder, "__init__")) for folder in folders}
    silent = [f for f, file in said.items() if not file or not ast.get_docstring(ast.parse(file.read_text("utf-8")))]
    assert silent == []
