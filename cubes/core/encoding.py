"""What dense matching asks of an encoder; the implementations are made by the agent's encoder factory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Encoder", "Vectors"]

Vectors = npt.NDArray[np.float32]


class Encoder(Protocol):
    """Turns texts into unit vectors, so that a dot product is the cosine similarity of eq. 9.

    One that can be named on the command line says so in an attribute ``name``; messages use it.
    """

    @property
    def fingerprint(self) -> str:
        """Names the model and everything that changes its vectors; stored in the knowledge base."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return an array of shape (len(texts), dimensions), rows of length 1."""
        ...
