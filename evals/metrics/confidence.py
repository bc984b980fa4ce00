"""Confidence and refusals: how far a confidence can be trusted, and whether a system refuses what it should."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

__all__ = ["COVERAGES", "Judged", "abstention", "calibration_error", "em_at_coverage", "threshold_for"]

Judged = tuple[float, float]
"""The confidence of an answer, and whether it was right (1.0) or not (0.0)."""

COVERAGES = (25, 50, 75, 100)
"""Percentages of the questions, the surest first, at which the risk-coverage line is read."""

_BINS = 10


def em_at_coverage(judged: Iterable[Judged], coverage: int) -> float | None:
    """Share of right answers among the surest ``coverage`` per cent; None of nothing.

    Among equally sure ones it is their mean that counts, so that the order of the questions does not matter.
    """
    rows = sorted(judged, key=lambda row: -row[0])
    wanted = len(rows) * coverage / 100
    if not wanted:
        return None
    right = taken = 0.0
    for _, group in groupby(rows, key=lambda row: row[0]):
        alike = [row[1] for row in group]
        part = min(len(alike), wanted - taken)
        right += sum(alike) / len(alike) * part
        taken += part
    return right / wanted


def calibration_error(judged: Iterable[Judged]) -> float | None:
    """Expected calibration error: how far confidence and the share of right answers lie apart; None of nothing.

    Ten bins of equal width, each weighted with its number of answers (Naeini et al. 2015).
    """
    rows = list(judged)
    bins: dict[int, list[Judged]] = {}
    for row in rows:
        bins.setdefault(min(_BINS - 1, int(row[0] * _BINS)), []).append(row)
    gaps = (abs(sum(confidence - right for confidence, right in group)) for group in bins.values())
    return sum(gaps) / len(rows) if rows else None


def threshold_for(refusable: Sequence[float], share: float) -> float | None:
    """Least confidence an answer must have so that ``share`` of ``refusable`` answers are refused; None of nothing.

    ``refusable`` are the confidences given to questions that should have been refused, 0 for those that were.
    """
    if not refusable:
        return None
    for bound in sorted({0.0, *(confidence + 1e-4 for confidence in refusable)}):
        if sum(confidence < bound or not confidence for confidence in refusable) >= share * len(refusable):
            return round(bound, 4)
    return None  # pragma: no cover - the last bound refuses all


def abstention(asked: Iterable[tuple[bool, bool]]) -> tuple[float | None, float | None]:
    """Return precision and recall, 0 to 1, of refusing; ``asked`` says of each question (has an answer, was refused).

    Precision is the share of the refused questions that have no answer, recall the share of those without an answer
    that were refused. Both are None where every question has an answer, for then nothing could have been right;
    precision is None where nothing was refused.
    """
    rows = list(asked)
    refused = [answerable for answerable, was_refused in rows if was_refused]
    without = [was_refused for answerable, was_refused in rows if not answerable]
    if not without:
        return None, None
    right = refused.count(False)
    return right / len(refused) if refused else None, right / len(without)
