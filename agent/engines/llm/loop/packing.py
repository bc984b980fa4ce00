"""Sections packed to what a model's context window has room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from .....graphs.evidence import within
from .....graphs.records import Evidence
from .....prompts import Rendered
from ..client import ModelClient
from ..errors import ContextLengthError

__all__ = ["packed"]

T = TypeVar("T")
Fill = Callable[[Sequence[Evidence]], Rendered]

_SPARE = 0.85
"""The share of a window that is reckoned with: tokens are estimated."""
_LEAST = 60
"""Tokens of sections below which nothing is worth asking."""


def packed(evidence: Sequence[Evidence], fill: Fill, client: ModelClient, ask: Callable[[Rendered], T]) -> T:
    """Ask with the best sections that the model has room for; raises what ``ask`` raises.

    How large a window is its endpoint says when it refuses a request, if at all; where that does not help, half as much
    is given until it fits.
    """
    kept = _fitting(evidence, fill, client)
    while True:
        try:
            return ask(fill(kept))
        except ContextLengthError:
            room = _tokens(kept, client) // 2
            if room < _LEAST:
                raise
            fitting = _fitting(kept, fill, client)
            kept = fitting if _tokens(fitting, client) < _tokens(kept, client) else within(kept, room)


def _fitting(evidence: Sequence[Evidence], fill: Fill, client: ModelClient) -> list[Evidence]:
    if client.window is None:
        return list(evidence)
    bare = fill(())
    room = int(_SPARE * client.window) - bare.max_tokens - client.tokens_of(bare.system + bare.user)
    return within(evidence, max(_LEAST, room))


def _tokens(evidence: Sequence[Evidence], client: ModelClient) -> int:
    return sum(client.tokens_of(e.text) for e in evidence)
