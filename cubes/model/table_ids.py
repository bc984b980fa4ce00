"""How the cubes of tables are called: by the file or sheet, or by the document and the caption of a table in it."""

from __future__ import annotations

import re

from ..core.folding import words

__all__ = ["cube_id", "identifier", "is_inside", "is_table", "table_name"]

_TABLE, _IN = "table_", "__"


def cube_id(table: str, document: str = "") -> str:
    """Return the id of a table's cube, by its name and that of the document that it is in."""
    inside = f"{identifier(document)}{_IN}" if document else ""
    return f"{_TABLE}{inside}{identifier(table)}"


def table_name(cube: str) -> str:
    """Return the words that a table is called by."""
    return cube.removeprefix(_TABLE).rpartition(_IN)[2].replace("_", " ")


def is_table(cube: str) -> bool:
    """Whether a cube, by its id, is one of a table."""
    return cube.startswith(_TABLE)


def is_inside(cube: str) -> bool:
    """Whether a cube, by its id, is one of a table inside a document."""
    return is_table(cube) and _IN in cube


def identifier(name: str) -> str:
    """Return a name as ids of cubes and dimensions write it."""
    found = re.sub(r"[^a-z0-9]+", "_", " ".join(words(name))).strip("_")
    return found if found[:1].isalpha() else f"column_{found}".rstrip("_")
