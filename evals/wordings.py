"""How much of the gold answer's words an answer has, and how many of its own are gold (SMART A.5).

Words are compared whole, whatever their case (`cubes.folding.words`). Shares are from 0 to 1; what cannot be computed
is None, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..cubes.folding import words

__all__ = ["is_accurate", "perspective_coverage", "word_coverage", "word_precision"]


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
