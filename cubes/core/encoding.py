"""What dense matching asks of an encoder; the implementations are made by the agent's encoder factory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

__all__ = ["BatchEncoder", "Encoder", "PaidEncoder", "Vectors"]

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


@runtime_checkable
class BatchEncoder(Protocol):
    """What an encoder has besides that can work on several requests at a time."""

    def encode_each(self, batches: Iterable[Sequence[str]]) -> Iterator[Vectors]:
        """Yield what `encode` returns for each batch, in order; the next ones may be drawn and begun meanwhile."""
        ...


@runtime_checkable
class PaidEncoder(Protocol):
    """What an encoder has besides that asks an endpoint, so that each text has its price."""

    @property
    def ledger(self) -> object:
        """What was spent."""
        ...
