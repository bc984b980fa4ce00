"""Whether a system refuses what it should: precision and recall of its refusals, over all questions asked."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["abstention"]


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
