"""Judging a claim by what sections say: borne out, contradicted by another value, or not said (HiQA, "Judgement")."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from .....cubes.core.quantities import Amount, claimed_amounts, compare
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .statements import AskedValue, best_said, cells_in, scored_cells, told_in
from .wording import listed, terms

__all__ = ["judge", "negates"]

_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|without|neither|nor|none|nobody|nothing|unable|impossible)\b(?!-)|n['’]t\b", re.I
)
_BOUND = re.compile(
    r"\b(?:(?P<least>at least|not? less than)|(?P<most>at most|not? more than|does not exceed)"
    r"|(?P<over>above|over|exceed(?:s|ing)?|(?:more|greater|higher|larger|longer) than)"
    r"|(?P<under>below|under|(?:less|lower|smaller|fewer|shorter) than))\b",
    re.IGNORECASE,
)
_MET = {"": {0}, "least": {0, 1}, "most": {-1, 0}, "over": {1}, "under": {-1}}
"""How an amount compares that a bound allows."""
_ENOUGH = 0.6  # of a claim's words that a sentence must hold to be about the same thing
_SPOKEN = 0.15  # of a claim's words, below which nothing speaks of it
_REACH = 30  # characters before an amount in which a bound stands


def judge(claim: str, evidence: Sequence[Evidence], names: Collection[str] = ()) -> SubAnswer | None:
    """Return "True" or "False" as sections bear a claim out; None where they do not speak of it.

    ``names`` are the claim's names of documents, which say where to look and not what is claimed. A claim is false
    where its document does not say it.
    """
    for name in names:
        claim = claim.replace(name, " ")
    claimed = claimed_amounts(claim)
    return (_by_amount(claim, claimed, evidence) if claimed else None) or _by_words(claim, evidence)


def _by_amount(claim: str, claimed: Sequence[Amount], evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Look up what the claim gives amounts of, in tables and in sentences."""
    rest = claim
    for amount in reversed(claimed):
        rest = f"{rest[: amount.start]} {rest[amount.end :]}"
    asked = replace(AskedValue.of(rest), unit=claimed[0].unit)
    cells = [each for each in scored_cells(asked, evidence) if each[1].amounts]
    share, best = next(iter(cells), None) or best_said((o for o in told_in(evidence) if o.amounts), asked.terms) or (0.0, None)
    if best is None or (best.kind == "text" and share < _ENOUGH):
        return None
    holds = all(any(compare(value, one) in _MET[_bound_of(claim, one)] for value in best.amounts) for one in claimed)
    denied = negates(_BOUND.sub("", claim)) != (best.kind == "text" and negates(best.text))
    return best.answer(str(holds != denied), sure=min(1.0, share))


def _bound_of(text: str, amount: Amount) -> str:
    """How a text bounds an amount: "over", "under", "least", "most", or "" for just that amount."""
    before = [found.lastgroup or "" for found in _BOUND.finditer(text, max(0, amount.start - _REACH), amount.start)]
    return before[-1] if before else ""


def _by_words(claim: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The statement that holds most of the claim's words: it must hold all of them, and deny what the claim denies."""
    wanted = [t for t in terms(claim) if t not in listed("idle")]
    cells = (replace(one, own=one.own | frozenset(terms(one.text))) for one in cells_in(evidence))
    share, best = best_said((*told_in(evidence), *cells), wanted) or (0.0, None)
    if best is None or share < _SPOKEN:
        return None
    missing = [t for t in wanted if not best.held([t])]
    holds = not missing and negates(claim) == negates(best.text)
    return best.answer(str(holds), sure=0.4 + 0.4 * (1 - len(missing) / len(wanted)) if missing else 1.0)


def negates(text: str) -> bool:
    """Return whether a text says that something is not so."""
    return _NEGATION.search(text) is not None
