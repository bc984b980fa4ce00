"""The score of multi-route retrieval (HiQA equation 2) and how its routes are made comparable.

    score = α·s_v + (1 − α)·s_r + β·log(1 + |C|)

s_v and s_r are the cosine and BM25's score, each normalised over the whole ranking of its own route: the best section
has 1. BM25 has a zero of its own (no word in common), and s_r is the share of the best score. A cosine has none: the
section at `DEPTH` of the ranking (or the last, where there are fewer) has 0, those between lie in proportion, and those
below have 0. So a score does not depend on how many sections are asked for, nor on a route's own scale. |C| is the
number of the query's critical keywords that the section has, each counted once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.lexical import Integers, Scores

__all__ = ["DEPTH", "fused", "normalised", "order"]

DEPTH = 100
"""How deep the routes' rankings are that are fused, at least."""


def normalised(scores: npt.NDArray[np.floating], best: float, least: float) -> Scores:
    """Return scores mapped so that ``best`` becomes 1 and ``least`` 0; those beyond are cut off.

    Where a route tells nothing apart (best equals least) what reaches it has 1.
    """
    if best <= least:
        return (scores >= best).astype(np.float64)
    return np.clip((scores.astype(np.float64) - least) / (best - least), 0.0, 1.0)


def fused(vector: Scores, words: Scores, keywords: Integers, *, alpha: float, beta: float) -> Scores:
    """Return equation 2 for normalised route scores and numbers of keywords."""
    return np.asarray(alpha * vector + (1 - alpha) * words + beta * np.log1p(keywords), dtype=np.float64)


def order(score: Scores, vector: Scores, words: Scores) -> Integers:
    """Return positions best first: by score, ties by the raw cosine, then by BM25's raw score, then as they stand."""
    return np.lexsort([np.arange(len(score)), -words, -vector, -score])
