"""Judging a claim by what sections say: borne out, contradicted by another value, or not said (HiQA, "Judgement")."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .amounts import Amount, claimed_amounts, compare
from .lookup import AskedValue, scored_cells
from .statements import cells_in, told_in
from .wording import Likeness, lexicon, terms

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
_OR = re.compile(r"\s*or (?:(?P<least>more|higher)|(?P<most>less|lower))\b", re.IGNORECASE)
_MET = {"": {0}, "least": {0, 1}, "most": {-1, 0}, "over": {1}, "under": {-1}}
"""How an amount compares that a bound allows."""
_ENOUGH = 0.6  # of a claim's words that a sentence must hold to be about the same thing
_SPOKEN = 0.15  # of a claim's words, below which nothing speaks of it
_MISSING, _FEW = 0.2, 6  # of a claim's words that a sentence may put otherwise, and from how many words on
_REACH = 30  # characters before an amount in which a bound stands


def judge(
    claim: str, evidence: Sequence[Evidence], names: Collection[str] = (), likeness: Likeness | None = None
) -> SubAnswer | None:
    """Return "True" or "False" as sections bear a claim out; None where they do not speak of it.

    ``names`` are the claim's names of documents, which say where to look and not what is claimed; ``likeness`` may tell
    what labels mean. A claim is false where its document does not say it.
    """
    for name in names:
        claim = claim.replace(name, " ")
    by_amount = _by_amount(claim, evidence, likeness) if claimed_amounts(claim) else None
    return by_amount or _by_words(claim, evidence)


def _by_amount(claim: str, evidence: Sequence[Evidence], likeness: Likeness | None) -> SubAnswer | None:
    """Look up what the claim gives amounts of, in tables and in sentences."""
    claimed, rest = claimed_amounts(claim), claim
    for amount in reversed(claimed):
        rest = f"{rest[: amount.start]} {rest[amount.end :]}"
    asked = replace(AskedValue.of(rest), unit=claimed[0].unit)
    cells = [(s, c) for s, c in scored_cells(asked, evidence, likeness) if _comparable(c.amounts, claimed)]
    told = [(one.held(asked.terms), one) for one in told_in(evidence) if _comparable(one.amounts, claimed)]
    share, said = max(told, key=lambda one: one[0], default=(0.0, None))
    if cells and (share < _ENOUGH or cells[0][0] >= share):
        share, said = cells[0]
    if said is None or (said.kind == "text" and share < _ENOUGH):
        return None
    row = [a for _, cell in cells if (cell.section, cell.span) == (said.section, said.span) for a in cell.amounts]
    values = row if said.kind == "cell" and len(claimed) > 1 else said.amounts
    holds = all(any(compare(value, one) in _MET[_bound_of(claim, one)] for value in values) for one in claimed)
    denied = negates(_BOUND.sub("", claim)) != (said.kind == "text" and negates(said.text))
    return said.answer(str(holds != denied), min(1.0, share))


def _comparable(found: Sequence[Amount], claimed: Sequence[Amount]) -> bool:
    """Whether some amounts measure what is claimed."""
    return any(compare(amount, one) is not None for amount in found for one in claimed)


def _bound_of(text: str, amount: Amount) -> str:
    """How a text bounds an amount: "over", "under", "least", "most", or "" for just that amount."""
    behind = _OR.match(text, amount.end)
    before = list(_BOUND.finditer(text, max(0, amount.start - _REACH), amount.start))
    return behind.lastgroup or "" if behind is not None else before[-1].lastgroup or "" if before else ""


def _by_words(claim: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The statement that holds most of the claim's words: what it lacks is neither a name, a number nor a contrary."""
    wanted = [t for t in terms(claim) if t not in lexicon().idle]
    cells = (replace(one, own=one.own | frozenset(terms(one.text))) for one in cells_in(evidence))
    said = (*(one for one in told_in(evidence) if one.kind == "text"), *cells)
    best = max(said, key=lambda one: one.held(wanted), default=None)
    if best is None or best.held(wanted) < _SPOKEN:
        return None
    missing = [t for t in wanted if not best.held([t])]
    names = {t for word in re.findall(r"(?<!^)\b[A-Z][\w-]*", claim) for t in terms(word)}
    grave = any(t in names or any(c.isdigit() for c in t) for t in missing)
    few = len(missing) <= (_MISSING * len(wanted) if len(wanted) >= _FEW else 0)
    share, spoken = 1 - len(missing) / len(wanted), few and not grave
    holds = spoken and negates(claim) == negates(best.text)
    return best.answer(str(holds), share if spoken else 0.4 + 0.4 * share)


def negates(text: str) -> bool:
    """Return whether a text says that something is not so."""
    return _NEGATION.search(text) is not None
