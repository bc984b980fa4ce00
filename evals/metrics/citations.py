"""Citations of an answer: whether the cited sentence says it, whether every hop has one, and whether they are gold.

Precision and recall look at the run alone: they say whether an answer can be checked, not whether it is right. The two
against gold say whether the right passages are cited. Texts are compared as whole words after `metrics.normalise`.
Shares are from 0 to 1 for one answered question; what cannot be computed is None, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from .basic import mean, normalise
from .predictions import CitationSummary, HopSummary, Prediction

__all__ = ["citation_precision", "citation_recall", "gold_cited", "right_cited"]

_CLOSED = frozenset({"", "yes", "no"})
"""Answers that no sentence spells out."""


def citation_precision(row: Prediction) -> float | None:
    """Share of the citations whose sentence contains an answer of the hop it is cited for, or the final answer.

    A citation for nothing but yes or no cannot be judged and is left out. None where no citation is left.
    """
    return mean(_says(citation, row) for citation in row.citations) if row.status == "answered" else None


def citation_recall(row: Prediction) -> float | None:
    """Share of the run's answered hops that are cited: by number, or by a cited sentence that contains their answer.

    None where no hop was answered.
    """
    if row.status != "answered":
        return None
    return mean(float(_is_cited(hop, row)) for hop in row.hops if hop.status != "missing" and _answers(hop))


def right_cited(row: Prediction) -> float | None:
    """Share of the cited passages that are gold; None without gold passages or citations."""
    cited = {citation.record_id for citation in row.citations}
    if row.status != "answered" or not row.supporting or not cited:
        return None
    return len(cited & set(row.supporting)) / len(cited)


def gold_cited(row: Prediction) -> float | None:
    """Share of the gold passages that are cited; None without gold passages."""
    gold = set(row.supporting)
    if row.status != "answered" or not gold:
        return None
    return len(gold & {citation.record_id for citation in row.citations}) / len(gold)


def _says(citation: CitationSummary, row: Prediction) -> float | None:
    hops = [hop for hop in row.hops if hop.number == citation.hop]
    listed = [value for entry in row.rows or () for value in entry.values()]
    sought = _spelled([*(answer for hop in hops for answer in _answers(hop)), row.answer, *listed])
    return float(_contains(citation.sentence, sought)) if sought else None


def _is_cited(hop: HopSummary, row: Prediction) -> bool:
    sought = _spelled(_answers(hop))
    return any(citation.hop == hop.number or _contains(citation.sentence, sought) for citation in row.citations)


def _answers(hop: HopSummary) -> list[str]:
    return [answer for answer in (hop.answer, *hop.answers) if answer.strip()]


def _spelled(answers: Iterable[str]) -> set[str]:
    return {normalise(answer) for answer in answers} - _CLOSED


def _contains(sentence: str, sought: Iterable[str]) -> bool:
    text = f" {normalise(sentence)} "
    return any(f" {answer} " in text for answer in sought)
