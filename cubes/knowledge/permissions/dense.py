"""The vectors of a knowledge base, asked by those who may read some of it: what they may not read is passed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...model.cells import CubeSet
from ...retrieval.matching import DenseIndex

__all__ = ["ReadableIndex"]

_MORE = 4
"""How many times as much is asked for where too little of what was nearest may be read."""
_LABELS = 16
"""How many times as many labels are asked for at most: beyond these hardly one is near."""

Near = Sequence[tuple[str, float]]


class ReadableIndex:
    """Nearest labels and sections of what may be read (`matching.DenseIndex`); ``total`` counts all sections.

    More is asked for until enough may be read, so that what may not takes no place from the rest.
    """

    def __init__(self, below: DenseIndex, cubes: CubeSet, total: int) -> None:
        self._below, self._cubes, self._total = below, cubes, total

    def labels(self, cube: str, dimension: str, text: str, k: int) -> Near:
        """Return the ``k`` nearest labels that stand in a section which may be read."""
        axis = self._cubes[cube].axis(dimension) if cube in self._cubes else None
        if axis is None:
            return []
        return _enough(
            lambda n: self._below.labels(cube, dimension, text, n), lambda label: axis.find(label) is not None,
            min(k, len(axis)), k * _LABELS,
        )  # fmt: skip

    def passages(self, text: str, k: int) -> Near:
        """Return the ``k`` nearest sections that may be read."""
        held = self._cubes.texts.ordinals
        return _enough(lambda n: self._below.passages(text, n), held.__contains__, min(k, len(held)), self._total)

    def passages_of_many(self, texts: Sequence[str], k: int) -> Sequence[Near]:
        """Return the ``k`` nearest sections of each text that may be read."""
        return [self.passages(text, k) for text in texts]

    def augmented(self, text: str, k: int, also: Sequence[str]) -> Mapping[str, float]:
        """Return the cosines of the ``k`` nearest augmented sections that may be read, and of those named."""
        held = self._cubes.texts.ordinals
        named = [each for each in also if each in held]
        near = _enough(
            lambda n: [*self._below.augmented(text, n, named).items()], held.__contains__,
            min(k + len(named), len(held)), self._total,
        )  # fmt: skip
        return dict(near)

    def abstractions(self, text: str, k: int) -> Near:  # noqa: ARG002 (those of a view are not embedded)
        """Return nothing: the abstractions of what may be read are found by their words."""
        return []


def _enough(ask: Callable[[int], Near], readable: Callable[[str], bool], k: int, total: int) -> list[tuple[str, float]]:
    """Ask for more until ``k`` of what comes may be read, or all has come."""
    depth = k
    while k > 0:
        near = ask(depth)
        found = [each for each in near if readable(each[0])]
        if len(found) >= k or depth >= total:
            return found[:k]
        depth = min(depth * _MORE, total)
    return []
