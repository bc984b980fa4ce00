"""Keeps the entity graph in a knowledge base's folder ``smart/``: derived from the facts, free to be deleted."""

from __future__ import annotations

import json
import os
from dataclasses import astuple
from pathlib import Path

from ..errors import CorruptStoreError
from .graph import Entity, EntityGraph, Relation

__all__ = ["GRAPH_FILE", "load", "save"]

GRAPH_FILE = Path("smart") / "graph.json"
_VERSION = 1


def save(graph: EntityGraph, folder: Path) -> Path:
    """Write a graph into a knowledge base's folder, wholly or not at all; returns the file."""
    path = folder / GRAPH_FILE
    path.parent.mkdir(exist_ok=True)
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        entities, relations = [astuple(e) for e in graph.entities], [astuple(r) for r in graph.relations]
        kept = {"version": _VERSION, "generation": graph.generation, "entities": entities, "relations": relations}
        json.dump(kept, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return path


def load(folder: Path, *, generation: int) -> EntityGraph | None:
    """Read a graph back; None where none is kept, or only one of another generation or version.

    Raises CorruptStoreError for a damaged file.
    """
    path = folder / GRAPH_FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if kept["version"] != _VERSION or kept["generation"] != generation:
            return None
        entities = tuple(
            Entity(id, name, type, description, tuple(names), tuple(held))
            for id, name, type, description, names, held in kept["entities"]
        )
        relations = tuple(
            Relation(subject, value, relation, strength, tuple(held))
            for subject, value, relation, strength, held in kept["relations"]
        )
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptStoreError(f"{path} is damaged; delete it, and it is made again.") from error
    return EntityGraph(entities, relations, generation)
