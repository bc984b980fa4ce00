"""The systems compared: the hypercube as it is, and the same with one part off or another threshold.

Every part is switched off by a setting that the loop itself has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....graphs.records import LoopSettings

__all__ = ["FULL", "Variant", "dimensions", "parts", "thresholds"]

FULL = "full"


@dataclass(frozen=True, slots=True)
class Variant:
    """A system by its name in the tables, with its settings."""

    name: str
    settings: LoopSettings


def parts() -> Iterator[Variant]:
    """Yield the whole system and that without a way of matching or ranking (Hypercube-RAG, Figure 6).

    "No ranking" lists documents by how often the labels stand in them (eq. 2 alone); "plain coverage" counts components
    (eq. 6-7) where the whole system lets rare ones count for more.
    """
    yield Variant(FULL, LoopSettings())
    yield Variant("no sparse", LoopSettings(exact=False))
    yield Variant("no dense", LoopSettings(dense=False))
    yield Variant("no ranking", LoopSettings(label_ranking="frequency"))
    yield Variant("plain coverage", LoopSettings(label_ranking="coverage"))


def dimensions(names: Sequence[str]) -> Iterator[Variant]:
    """Yield the system without each dimension in turn (Table 8)."""
    for name in names:
        yield Variant(f"no {name}", LoopSettings(without_dimensions=(name,)))


def thresholds(taus: Sequence[float]) -> Iterator[Variant]:
    """Yield the system with each threshold of similarity (Figure 7)."""
    for tau in taus:
        yield Variant(f"tau {tau:.2f}", LoopSettings(tau=tau))
