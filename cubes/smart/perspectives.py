"""What SMART knows of one state of a knowledge base: graph, trees and abstractions.

Trees and abstractions are files in ``KB/smart/``, the graph is in the catalog. All of it is derived and may be deleted.
``perspectives.json`` says which state of the catalog the files are of and is written last; what is of another state is
only used to build the next from.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import CorruptStoreError, UsageError
from ..core.folding import base_key, fold
from ..store.database import publish, published, withdraw
from ..store.postgres import database_url
from . import graph_store as keeping
from .abstractions import Abstraction, Finding, node_id
from .extracts import ExtractiveReporter
from .graph import Entity, EntityGraph
from .trees.encoding_trees import EncodingTree, TreeNode

__all__ = ["CHECKPOINT", "FOLDER", "Perspectives", "discard", "is_kept", "keep", "kept"]

FOLDER = "smart"
CHECKPOINT = Path(FOLDER) / "training.pt"
_STATE, _TREES = "perspectives.json", "abstractions.json"
_VERSION = 2
_LONGEST = 8  # words of a name


@dataclass(frozen=True, eq=False)
class Perspectives:
    """Several trees over one graph, with what their nodes say.

    ``state`` names the content of the catalog that they were made of; ``settings`` are those of the training.
    """

    graph: EntityGraph
    trees: tuple[EncodingTree, ...]
    abstractions: tuple[Abstraction, ...]
    state: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def by_node(self) -> Mapping[tuple[int, TreeNode], Abstraction]:
        """The abstraction of each node of each tree (from 0)."""
        return {(one.tree, one.node): one for one in self.abstractions}

    @cached_property
    def by_digest(self) -> Mapping[str, Abstraction]:
        """The abstractions by digest; of equal ones the first."""
        return {one.digest: one for one in reversed(self.abstractions)}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each entity (its id) stands in the graph."""
        return {entity.id: place for place, entity in enumerate(self.graph.entities)}

    @cached_property
    def extracts(self) -> ExtractiveReporter:
        """What counts the things that any group of entities shares."""
        return ExtractiveReporter(self.graph)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The ids of the trees' leaves, in order."""
        return tuple(entity.id for entity in self.graph.entities)

    def above(self, leaf: int) -> list[Abstraction]:
        """Return the abstractions of an entity (its place) in all trees, of each the finest first."""
        paths = ((n, node) for n, tree in enumerate(self.trees) for node in tree.path(leaf))
        return [self.by_node[each] for each in paths if each in self.by_node]

    def members(self, one: Abstraction) -> list[Entity]:
        """Return the entities under a node."""
        return [self.graph.entities[leaf] for leaf in self.trees[one.tree].members(one.node)]

    def sections(self, one: Abstraction) -> tuple[str, ...]:
        """Return the sections (ids) that a node's entities are spoken of in (f_sour of all its leaves)."""
        return tuple(dict.fromkeys(section for entity in self.members(one) for section in entity.sections))

    def find(self, name: str) -> Abstraction:
        """Return the abstraction of a node by its id ("1.2.7"); raises UsageError where there is none."""
        for one in self.abstractions:
            if one.id == name:
                return one
        shape = "; ".join(
            f"{node_id(n, TreeNode(level, 0))} to {node_id(n, TreeNode(level, size - 1))}"
            for n, tree in enumerate(self.trees)
            for level, size in enumerate(tree.sizes, 1)
        )
        raise UsageError(f"No report of a node '{name}'; nodes are named by tree, level and number: {shape}.")

    def entities(self, name: str) -> list[int]:
        """Return the places of the entities of a name, in any of their spellings, with or without a qualifier."""
        return list(self._called.get(fold(name), ())) or list(self._called.get(base_key(name), ()))

    def named_in(self, text: str) -> list[int]:
        """Return the places of the entities that a text names, the longest names first; parts of names are none."""
        words, found = fold(text).split(), dict[int, None]()
        taken: set[int] = set()
        for length in range(min(len(words), _LONGEST), 0, -1):
            for start in range(len(words) - length + 1):
                run = range(start, start + length)
                held = self._meant(" ".join(words[start : start + length]))
                if held and taken.isdisjoint(run):
                    taken.update(run)
                    found.update(dict.fromkeys(held))
        return list(found)

    def _meant(self, name: str) -> tuple[int, ...]:
        """What a name as it is compared stands for: "sculptors" are what a "sculptor" is."""
        held = self._called.get(name, ())
        return held if held or not name.endswith("s") else self._called.get(name[:-1], ())

    @cached_property
    def _called(self) -> Mapping[str, tuple[int, ...]]:
        """Name, as it is compared -> the places of what is called by it."""
        found: dict[str, dict[int, None]] = defaultdict(dict)
        for place, entity in enumerate(self.graph.entities):
            for name in (*map(fold, entity.names), base_key(entity.name)):
                found[name][place] = None
        return {name: tuple(places) for name, places in found.items() if name}


def is_kept(folder: Path, state: str | None) -> bool:
    """Whether a knowledge base's folder keeps perspectives of this state. Cheap."""
    return state is not None and _about(folder).get("state") == state


def kept(folder: Path, state: str | None = None) -> Perspectives | None:
    """Return the perspectives that a knowledge base's folder keeps; None where there are none, or not of ``state``.

    ``state`` None takes those of any state, to build the next from. Raises CorruptStoreError for damaged files.
    """
    about = _about(folder)
    if not about or (state is not None and about["state"] != state):
        return None
    path = folder / FOLDER / _TREES
    try:
        graph = keeping.load(folder, generation=about["generation"])
        held = json.loads(_text(folder, _TREES))
        if graph is None or held["state"] != about["state"]:
            return None  # a writer was killed between its files
        trees = tuple(EncodingTree(tuple(np.array(level, dtype=np.int64) for level in tree)) for tree in held["trees"])
        abstractions = tuple(_abstraction(one) for one in held["abstractions"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, UsageError) as error:
        raise CorruptStoreError(f"{path} is damaged; delete it and run: multicube smart build") from error
    return Perspectives(graph, trees, abstractions, about["state"], about["settings"])


def keep(found: Perspectives, folder: Path) -> None:
    """Write perspectives into a knowledge base's folder; a reader finds the former ones, the new ones, or none."""
    abstractions = [
        [one.tree, one.level, one.number, one.digest, one.title, one.summary,
         [[f.id, f.text, f.explanation, f.sections, f.about, f.trait] for f in one.findings]]
        for one in found.abstractions
    ]  # fmt: skip
    trees = [[level.tolist() for level in tree.levels] for tree in found.trees]
    (folder / FOLDER).mkdir(exist_ok=True)
    keeping.save(found.graph, folder)
    _write(folder, _TREES, {"state": found.state, "trees": trees, "abstractions": abstractions})
    about = {"version": _VERSION, "state": found.state, "generation": found.graph.generation}
    _write(folder, _STATE, {**about, "settings": dict(found.settings)})


def discard(folder: Path) -> None:
    """Delete all that was derived: nothing of what was removed may stay."""
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    withdraw(folder, f"{FOLDER}/")
    keeping.discard(folder)


def _abstraction(row: list[Any]) -> Abstraction:
    tree, level, number, digest, title, summary, findings = row
    told = tuple(
        Finding(id, text, explanation, tuple(sections), tuple(about), trait)
        for id, text, explanation, sections, about, trait in findings
    )
    return Abstraction(tree, level, number, digest, title, summary, told)


def _about(folder: Path) -> dict[str, Any]:
    """What is kept, and of which state; nothing where it cannot be read or is of another version."""
    try:
        found = json.loads(_text(folder, _STATE))
        whole = found["version"] == _VERSION and {"state", "generation", "settings"} <= found.keys()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return dict(found) if whole else {}


def _text(folder: Path, name: str) -> str:
    """A file as it was written last: by any server, where PostgreSQL keeps what they share."""
    if database_url() is None:
        return (folder / FOLDER / name).read_text(encoding="utf-8")
    data = published(folder, f"{FOLDER}/{name}")
    if data is None:
        raise FileNotFoundError(name)
    return data.decode("utf-8")


def _write(folder: Path, name: str, data: dict[str, Any]) -> None:
    path = folder / FOLDER / name
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(data, file, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    publish(folder, {f"{FOLDER}/{name}": path.read_bytes()})
