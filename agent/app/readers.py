"""Those who may read some of a knowledge base's documents, and what answers them: made of these documents alone."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...cubes.knowledge.permissions.base import ReadableBase
from ...cubes.knowledge.permissions.rules import Permissions, load_permissions

if TYPE_CHECKING:
    from .facade import MultiCube

__all__ = ["Reader", "Readers"]

_VIEWS = 8
"""Sets of readable documents that are kept, with all that is made of them."""
_ASKERS = 256


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks: ``name`` owns the runs, ``groups`` say what may be read.

    ``writes`` lets documents be changed. ``rules`` (an administrator) reads every document and every run.
    """

    name: str
    groups: frozenset[str] = frozenset()
    writes: bool = False
    rules: bool = False


class Readers:
    """Knowledge bases for readers: one for each set of documents that may be read, the latest few of them kept.

    Whoever holds one that is let go of goes on undisturbed.
    """

    def __init__(self, whole: MultiCube) -> None:
        self._whole = whole
        self._views: OrderedDict[str, MultiCube] = OrderedDict()
        self._askers: OrderedDict[tuple[str, str], MultiCube] = OrderedDict()
        self._lock = threading.Lock()

    def sees_all(self, reader: Reader) -> bool:
        """Whether nothing is kept from a reader; raises KnowledgeBaseError where the rules cannot be read."""
        return reader.rules or not self._permissions().restrict(reader.groups)

    def of(self, reader: Reader) -> MultiCube:
        """Return what answers a reader: the documents that they may read now, and the runs that they asked for.

        A run that was asked for under other rules may quote what may no longer be read, so it is not found either.
        Raises KnowledgeBaseError where the rules cannot be read.
        """
        if reader.rules:
            return self._whole
        permissions = self._permissions()
        scope = permissions.scope(reader.groups) if permissions.restrict(reader.groups) else ""
        with self._lock:
            asker = self._askers.pop((reader.name, scope), None) or self._asker(reader, scope, permissions)
            _keep(self._askers, (reader.name, scope), asker, _ASKERS)
        return asker

    def _asker(self, reader: Reader, scope: str, permissions: Permissions) -> MultiCube:
        asker = self._view(scope, permissions, reader.groups) if scope else self._whole
        _ = asker.reasoner  # made once, and shared
        return asker.owned(f"{reader.name}/{scope}", self._whole.run_store)

    def _view(self, scope: str, permissions: Permissions, groups: Iterable[str]) -> MultiCube:
        view = self._views.pop(scope, None)
        if view is None:
            view = self._whole.over(ReadableBase(self._whole.kb, permissions.reading([*groups])))
        _keep(self._views, scope, view, _VIEWS)
        for key in [key for key in self._askers if key[1] and key[1] not in self._views]:
            del self._askers[key]  # or it would hold what was let go of
        return view

    def _permissions(self) -> Permissions:
        return load_permissions(self._whole.kb.path)


def _keep(kept: OrderedDict, key: object, value: object, most: int) -> None:  # type: ignore[type-arg]
    kept[key] = value
    while len(kept) > most:
        kept.popitem(last=False)
