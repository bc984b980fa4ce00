"""Keeps the entity graph in a knowledge base's catalog: derived from the facts, free to be deleted.

Beside it the catalog holds the names that a person keeps apart: what was merged wrongly stays parted in every graph
that is made later, and may be merged again.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..core.errors import CorruptStoreError
from ..core.folding import fold
from ..store.catalog import CATALOG_FILE, Catalog
from ..store.database import Connection, is_there
from .graph import Entity, EntityGraph, Relation

__all__ = ["discard", "kept_apart", "load", "save", "set_apart"]

_GENERATION = "graph_generation"
_TABLES = ("entity_sections", "relation_sections", "relations", "entities")


def save(graph: EntityGraph, folder: Path) -> None:
    """Write a graph into a knowledge base's catalog in place of the former one, wholly or not at all."""
    with _opened(folder) as catalog, catalog.writing() as connection:
        _clear(connection)
        connection.executemany(
            "INSERT INTO entities VALUES (?, ?, ?, ?, ?, ?)",
            ((n, e.id, e.name, e.type, e.description, json.dumps(e.names)) for n, e in enumerate(graph.entities)),
        )
        connection.executemany(
            "INSERT INTO relations VALUES (?, ?, ?, ?, ?)",
            ((n, r.subject, r.value, r.relation, r.strength) for n, r in enumerate(graph.relations)),
        )
        spoken, told = [e.sections for e in graph.entities], [r.sections for r in graph.relations]
        for owner, said in (("entity", spoken), ("relation", told)):
            rows = ((n, place, section) for n, held in enumerate(said) for place, section in enumerate(held))
            connection.executemany(f"INSERT INTO {owner}_sections VALUES (?, ?, ?)", rows)
        catalog.set_meta(**{_GENERATION: graph.generation})


def load(folder: Path, *, generation: int) -> EntityGraph | None:
    """Read a graph back; None where none is kept, or only one of another generation.

    Raises CorruptStoreError for a damaged one.
    """
    if not is_there(folder / CATALOG_FILE):
        return None
    with _opened(folder) as catalog, catalog.reading():
        if catalog.meta(_GENERATION) != str(generation):
            return None
        spoken, said = _sections(catalog, "entity"), _sections(catalog, "relation")
        try:
            entities = tuple(
                Entity(id, name, type, description, tuple(json.loads(names)), spoken[number])
                for number, id, name, type, description, names in catalog.rows("SELECT * FROM entities ORDER BY number")
            )
        except ValueError as error:
            raise CorruptStoreError(f"The graph in {catalog.path} is damaged; run: multicube smart build") from error
        relations = tuple(
            Relation(subject, value, relation, strength, said[number])
            for number, subject, value, relation, strength in catalog.rows("SELECT * FROM relations ORDER BY number")
        )
    return EntityGraph(entities, relations, generation)


def discard(folder: Path) -> None:
    """Delete the graph: nothing of what was removed may stay. The names that are kept apart are a person's and stay."""
    if is_there(folder / CATALOG_FILE):
        with _opened(folder) as catalog, catalog.writing() as connection:
            _clear(connection)
            catalog.set_meta(**{_GENERATION: None})


def kept_apart(folder: Path) -> tuple[str, ...]:
    """Return the names that are never joined to another, in their order."""
    with _opened(folder) as catalog:
        return tuple(str(name) for (name,) in catalog.rows("SELECT name FROM apart ORDER BY name"))


def set_apart(folder: Path, name: str, *, apart: bool) -> bool:
    """Keep a name apart from all others in graphs to come, or join it again; False where nothing changed by that."""
    with _opened(folder) as catalog, catalog.writing() as connection:
        if apart:
            return connection.execute("INSERT INTO apart VALUES (?) ON CONFLICT DO NOTHING", (name,)).rowcount > 0
        held = [one for (one,) in catalog.rows("SELECT name FROM apart") if fold(one) == fold(name)]
        connection.executemany("DELETE FROM apart WHERE name = ?", [(one,) for one in held])
        return bool(held)


@contextmanager
def _opened(folder: Path) -> Iterator[Catalog]:
    with closing(Catalog.open(folder / CATALOG_FILE)) as catalog:
        yield catalog


def _clear(connection: Connection) -> None:
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table}")


def _sections(catalog: Catalog, owner: str) -> dict[int, tuple[str, ...]]:
    """The sections of each entity or relation, in order."""
    found: dict[int, list[str]] = defaultdict(list)
    for number, section in catalog.rows(f"SELECT {owner}, section FROM {owner}_sections ORDER BY {owner}, ordinal"):
        found[number].append(section)
    return defaultdict(tuple, {number: tuple(sections) for number, sections in found.items()})
