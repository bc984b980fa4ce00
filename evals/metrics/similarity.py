"""How much of the gold answer's words an answer has, and how many of its own are gold (SMART A.5).

Words are compared whole, whatever their case (`cubes.folding.words`). Shares are from 0 to 1; what cannot be computed
is None, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...cubes.core.folding import words

__all__ = ["Encode", "is_accurate", "perspective_coverage", "semantic_scores", "word_coverage", "word_precision"]

def word_coverage(answer: str, gold: str) -> float | None:
    """Return the share of the gold answer's different words that stand in the answer; None without gold words."""
    wanted = set(words(gold))
    return len(wanted & set(words(answer))) / len(wanted) if wanted else None


def word_precision(answer: str, gold: str) -> float:
    """Return the share of the answer's words that stand in the gold answer; 0 for an empty answer."""
    said = words(answer)
    wanted = set(words(gold))
    return sum(word in wanted for word in said) / len(said) if said else 0.0


def is_accurate(answer: str, gold: str, threshold: float) -> bool:
    """Whether an answer counts for Acc@``threshold`` (.25 and .5 in the paper)."""
    return word_precision(answer, gold) >= threshold


def perspective_coverage(answer: str, perspectives: Sequence[Iterable[str]]) -> float | None:
    """Return the share of gold perspectives of which some key phrase stands in the answer; None without any.

    Phrases and answer are compared word by word, in order, whatever their case.
    """
    said = f" {' '.join(words(answer))} "
    met = [any(f" {' '.join(words(phrase))} " in said for phrase in phrases) for phrases in perspectives]
    return sum(met) / len(met) if met else None


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
