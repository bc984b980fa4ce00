"""When an answer is held back: spans are found in the wrong documents too."""

from __future__ import annotations

from .confidence import calibration
from .signals import AnswerSignals

__all__ = ["refusal"]


def refusal(signals: AnswerSignals, least: float | None = None) -> str:
    """Say why an answer with these signals is held back; "" where it is given.

    ``least`` is the least probability that the documents hold an answer at all, by default what the evaluation chose;
    0 holds nothing back.
    """
    fitted = calibration()
    bound = fitted.least if least is None else least
    if bound <= 0 or fitted.answerable.probability(signals.shares()) >= bound:
        return ""
    if not signals.unknown:
        return "What was found has too little to do with the question."
    return f"What was found does not speak of {_listed(signals.unknown)}."


def _listed(names: tuple[str, ...]) -> str:
    quoted = [f"'{name}'" for name in names]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
