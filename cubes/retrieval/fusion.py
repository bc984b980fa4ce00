"""Reciprocal rank fusion: one ranking from several, by ranks alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

__all__ = ["rrf"]


def rrf(lists: Iterable[Sequence[str]], k: int = 60) -> list[tuple[str, float]]:
    """Fuse ranked lists: an item scores the sum over the lists that hold it of 1 / (k + rank), ranks from 1.

    Equal scores are ordered by the best rank and then by the item itself, so that the order of the lists does
    not matter. An item that stands twice in a list counts where it stands first.
    """
    shares: dict[str, list[float]] = {}
    best: dict[str, int] = {}
    for ranking in lists:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            shares.setdefault(item, []).append(1 / (k + rank))
            best[item] = min(rank, best.get(item, rank))
    # fsum: a plain sum would depend on the order of the lists in the last digits.
    scores = {item: fsum(parts) for item, parts in shares.items()}
    return sorted(scores.items(), key=lambda pair: (-pair[1], best[pair[0]], pair[0]))
