"""Scores: exact match and F1 as the official scripts compute them, retrieval at k, percentiles, intervals.

Every function speaks of one question or one list of numbers and returns shares from 0 to 1 (times in the unit
given). What cannot be computed is None, never 0.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

__all__ = [
    "best_over",
    "bootstrap_interval",
    "exact_match",
    "f1",
    "mean",
    "normalise",
    "percentile",
    "perfect_at",
    "precision_at",
    "precision_classic_at",
    "recall_at",
]

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CLOSED = frozenset({"yes", "no", "noanswer"})
_CELLS = 4_000_000  # of a table of resamples held in memory at once


def normalise(answer: str) -> str:
    """Normalise as the SQuAD, HotpotQA and 2Wiki scripts do: no case, punctuation, articles or extra spaces.

    >>> normalise("The  Prairie-King!")
    'prairieking'
    """
    return " ".join(_ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split())


def exact_match(prediction: str, gold: str) -> float:
    """1.0 where the normalised texts are equal."""
    return float(normalise(prediction) == normalise(gold))


def f1(prediction: str, gold: str) -> float:
    """Harmonic mean of word precision and recall; yes, no and noanswer match only themselves (HotpotQA).

    Two texts without any word (such as "the" and "The") are equal and score 1, as in SQuAD 2.0's script.
    """
    said, wanted = normalise(prediction), normalise(gold)
    if said == wanted:
        return 1.0
    if said in _CLOSED or wanted in _CLOSED:
        return 0.0
    said_words, wanted_words = said.split(), wanted.split()
    shared = sum((Counter(said_words) & Counter(wanted_words)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(said_words), shared / len(wanted_words)
    return 2 * precision * recall / (precision + recall)


def best_over(score: Callable[[str, str], float], prediction: str, golds: Iterable[str]) -> float:
    """Score against each accepted spelling and keep the best; 0.0 where none is given."""
    return max((score(prediction, gold) for gold in golds), default=0.0)


def recall_at(ranked: Sequence[str], gold: Iterable[str], k: int) -> float | None:
    """Share of the gold passages among the first ``k`` distinct ones; None without gold."""
    wanted = set(gold)
    return len(wanted & set(_first(ranked, k))) / len(wanted) if wanted else None


def perfect_at(ranked: Sequence[str], gold: Iterable[str], k: int) -> float | None:
    """1.0 where all gold passages are among the first ``k``; None without gold."""
    found = recall_at(ranked, gold, k)
    return None if found is None else float(found == 1.0)


def precision_at(ranked: Sequence[str], gold: Iterable[str], k: int) -> float | None:
    """Share of gold among the documents returned, at most ``k``; 0.0 of none, None without gold."""
    wanted, first = set(gold), _first(ranked, k)
    if not wanted:
        return None
    return len(wanted & set(first)) / len(first) if first else 0.0


def precision_classic_at(ranked: Sequence[str], gold: Iterable[str], k: int) -> float | None:
    """The classical form: gold among the first ``k``, over ``k`` itself; None without gold."""
    wanted = set(gold)
    return len(wanted & set(_first(ranked, k))) / k if wanted else None


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of the values that could be computed; None where none could."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def percentile(values: Iterable[float], q: float) -> float | None:
    """The ``q``-th percentile (0 to 100), interpolated linearly; None of nothing."""
    known = list(values)
    return float(np.percentile(known, q)) if known else None


def bootstrap_interval(
    values: Iterable[float | None], *, seed: int = 0, resamples: int = 2000, level: float = 0.95
) -> tuple[float, float] | None:
    """Percentile bootstrap interval of the mean over questions; the same seed gives the same interval.

    A resample is drawn as how often each question is in it, so that all means are one product.
    """
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    if not known.size:
        return None
    rng, chance = np.random.default_rng(seed), np.full(known.size, 1 / known.size)
    at_once = max(1, _CELLS // known.size)
    sizes = [min(at_once, resamples - start) for start in range(0, resamples, at_once)]
    means = np.concatenate([rng.multinomial(known.size, chance, size) @ known for size in sizes]) / known.size
    tail = (1 - level) / 2 * 100
    low, high = np.percentile(means, [tail, 100 - tail])
    return float(low), float(high)


def _first(ranked: Sequence[str], k: int) -> list[str]:
    return list(dict.fromkeys(ranked))[:k]
