"""Matching a subquery's components with labels: exact first, dense where exact finds none (eq. 8-9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..core.lexical import Mask
from ..core.records import Component, Match, MatchRoute
from ..model.cells import CubeSet, Label
from ..model.labels import Ordinals
from .ranking import ComponentCover

__all__ = ["DENSE_CANDIDATES", "NAME_KINDS", "DenseIndex", "MatchedComponent", "match", "near_labels"]

DENSE_CANDIDATES = 20
"""Labels asked of the dense index per component; filters may rule out the first ones."""

NEAR_CANDIDATES = 100
"""Labels asked of it where every near one counts: "rain" comes after eighty phrases with "rainfall" in them."""

NAME_KINDS = frozenset({"name", "person", "place", "organization", "work", "event"})
"""Kinds of dimensions that hold names."""


class DenseIndex(Protocol):
    """Nearest labels and sections by embedding; the store implements it."""

    def labels(self, cube: str, dimension: str, text: str, k: int) -> Sequence[tuple[str, float]]:
        """Return the ``k`` labels of a dimension nearest to a text, as (label text, cosine)."""
        ...

    def passages(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        """Return the ``k`` sections nearest to a text, as (section id, cosine), best first."""
        ...

    def passages_of_many(self, texts: Sequence[str], k: int) -> Sequence[Sequence[tuple[str, float]]]:
        """Return the ``k`` sections nearest to each text, as `passages` does, for the price of about one."""
        ...

    def augmented(self, text: str, k: int, also: Sequence[str]) -> Mapping[str, float]:
        """Return the cosines of the ``k`` augmented sections (see `hiqa`) nearest to a text, and of those named."""
        ...

    def abstractions(self, text: str, k: int) -> Sequence[tuple[str, float]]:
        """Return the ``k`` abstractions (see `smart`) nearest to a text, as (digest, cosine), best first."""
        ...


@dataclass(frozen=True, slots=True)
class MatchedComponent:
    """One component with the labels it met, all by the same route; no labels where it met none."""

    component: Component
    labels: tuple[Label, ...] = ()
    route: MatchRoute = "exact"
    similarity: float = 1.0

    def cover(self, allowed: Mask | None = None) -> ComponentCover:
        """Return the sections of the labels, the best label counting where several tag a section."""
        ordinals, counts = _union([(label.sections.ordinals, label.sections.counts) for label in self.labels])
        if allowed is not None:
            keep = allowed[ordinals]
            ordinals, counts = ordinals[keep], counts[keep]
        return ComponentCover(ordinals, counts)

    def explain(self, section_id: str) -> Match | None:
        """Say which label tags a section: the one counted most, the closest among equals."""
        counted = [(label.sections.get(section_id), label) for label in self.labels]
        tagging = [(count, label) for count, label in counted if count is not None]
        if not tagging:
            return None
        count, label = max(tagging, key=lambda pair: pair[0])
        cube, dimension, entity = self.component.cube, self.component.dimension, self.component.entity
        return Match(cube, dimension, entity, label.text, self.route, self.similarity, count)


def match(
    cubes: CubeSet, component: Component, *, dense: DenseIndex | None, tau: float, allowed: Mask | None = None,
    exact: bool = True,
) -> MatchedComponent:
    """Match one component within its dimension.

    Exact (eq. 8): the label that equals the entity, or its base name, and labels that aliases lead to. Only
    where no allowed section has such a label, dense (eq. 9): the most similar label of the dimension if its
    cosine is at least ``tau``. Dates and quantities match by value only. An unknown cube or dimension matches
    nothing. ``exact`` False leaves the exact route out (an ablation).
    """
    named = exact_labels(cubes, component) if exact else []
    found = tuple(label for label in named if _reachable(label, allowed))
    if found or dense is None:
        return MatchedComponent(component, found)
    return _dense(cubes, component, dense, tau, allowed) or MatchedComponent(component)


def exact_labels(cubes: CubeSet, component: Component) -> list[Label]:
    """Return the labels that a component names exactly, the closest first: equal, base name, other names."""
    axis = cubes[component.cube].axis(component.dimension) if component.cube in cubes else None
    if axis is None:
        return []
    found = {label.key: label for label in axis.lookup(component.entity)}
    if axis.dimension.kind in NAME_KINDS and axis.dimension.role != "relation":
        for name in cubes.other_names(component.entity):
            for label in axis.lookup(name):
                found.setdefault(label.key, label)
    return list(found.values())


def near_labels(
    cubes: CubeSet, component: Component, dense: DenseIndex, tau: float, allowed: Mask | None = None
) -> list[MatchedComponent]:
    """Return every label whose cosine with a component is at least ``tau`` (Hypercube-RAG eq. 3-5), the nearest first.

    At most `NEAR_CANDIDATES` are looked at. Dates and quantities are never near, and equal ones are not repeated.
    """
    axis = cubes[component.cube].axis(component.dimension) if component.cube in cubes else None
    if axis is None or axis.by_value or not len(axis):
        return []
    nearest = dense.labels(component.cube, component.dimension, component.entity, NEAR_CANDIDATES)
    named = {label.key for label in exact_labels(cubes, component)}
    return [
        MatchedComponent(component, (label,), "dense", float(similarity))
        for text, similarity in sorted(nearest, key=lambda pair: (-pair[1], pair[0]))
        if similarity >= tau
        and (label := axis.find(text)) is not None
        and label.key not in named
        and _reachable(label, allowed)
    ]


def _dense(
    cubes: CubeSet, component: Component, dense: DenseIndex, tau: float, allowed: Mask | None
) -> MatchedComponent | None:
    axis = cubes[component.cube].axis(component.dimension) if component.cube in cubes else None
    if axis is None or axis.by_value or not len(axis):
        return None
    nearest = dense.labels(component.cube, component.dimension, component.entity, DENSE_CANDIDATES)
    for text, similarity in sorted(nearest, key=lambda pair: (-pair[1], pair[0])):
        if similarity < tau:
            return None
        label = axis.find(text)
        if label is not None and _reachable(label, allowed):
            return MatchedComponent(component, (label,), "dense", float(similarity))
    return None


def _reachable(label: Label, allowed: Mask | None) -> bool:
    return allowed is None or bool(allowed[label.sections.ordinals].any())


def _union(parts: Sequence[tuple[Ordinals, Ordinals]]) -> tuple[Ordinals, Ordinals]:
    """Merge sections with counts; a section named twice keeps the largest count."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    ordinals, where = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
    counts = np.zeros(len(ordinals), dtype=np.int64)
    np.maximum.at(counts, where, np.concatenate([part[1] for part in parts]))
    return ordinals, counts
