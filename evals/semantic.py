"""The semantic score of an answer: how near its meaning is to the gold answer's (Hypercube-RAG 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["Encode", "semantic_scores"]

Encode = Callable[[Sequence[str]], Any]
"""Embeds texts: a row each, of any length."""


def semantic_scores(pairs: Sequence[tuple[str, Sequence[str]]], encode: Encode) -> list[float]:
    """Return for each (answer, gold answers) the cosine of their embeddings, 0 to 1, with the gold it is nearest to.

    No answer, no gold and an angle beyond the right one score 0.
    """
    texts = list(dict.fromkeys(text for answer, golds in pairs if answer.strip() for text in (answer, *golds)))
    if not texts:
        return [0.0] * len(pairs)
    rows = np.asarray(encode(texts), dtype=np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    at = {text: n for n, text in enumerate(texts)}
    return [
        max((0.0, *(float(rows[at[answer]] @ rows[at[gold]]) for gold in golds))) if answer.strip() else 0.0
        for answer, golds in pairs
    ]
