"""What all encoders share: the vectors of the latest single texts are kept, and every vector has length 1."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ....cubes.core.encoding import Vectors

__all__ = ["REMEMBERED", "CachingEncoder", "unit"]

REMEMBERED = 4096


class CachingEncoder:
    """Keeps the vectors of the latest single texts: a loop asks for the same entities again and again."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._guard = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, one row for each text; a single text is remembered."""
        if len(texts) != 1:
            return self._encode(texts)
        with self._guard:
            if texts[0] in self._known:
                self._known.move_to_end(texts[0])
                return self._known[texts[0]]
        vector = self._encode(texts)
        vector.setflags(write=False)
        with self._guard:
            self._known[texts[0]] = vector
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return vector

    def _encode(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError


def unit(vectors: Vectors) -> Vectors:
    """Return the rows brought to length 1, so that a dot product is the cosine similarity."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)
