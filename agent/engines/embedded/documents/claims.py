"""Judging a claim by what sections say: borne out, contradicted by another value, or not said (HiQA, "Judgement")."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from .....graphs.records import Evidence
from .amounts import Amount, claimed_amounts, equal
from .section_reader import AskedValue, DocumentAnswer, scored_cells
from .statements import Statement, cells_in, told_in
from .wording import Likeness, lexicon, terms

__all__ = ["all_met", "judge"]

_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor)\b(?!-)|n['’]t\b", re.IGNORECASE)
_BOUNDED = re.compile(r"\bno(?:t)? (?:more|less|fewer)\b")
_ENOUGH = 0.6  # of a claim's words that a sentence must hold to be about the same thing
_SPOKEN = 0.15  # of a claim's words, below which nothing speaks of it
_MISSING, _FEW = 0.2, 6  # of a claim's words that a sentence may put otherwise, and from how many words on
_REACH = 30  # characters before an amount in which a bound stands


def judge(
    claim: str, evidence: Sequence[Evidence], names: Collection[str] = (), likeness: Likeness | None = None, *,
    asked: bool = False,
) -> DocumentAnswer | None:
    """Return "True" or "False" as sections bear a claim out; None where they do not speak of it.

    ``names`` are the claim's names of documents, which say where to look and not what is claimed; ``likeness`` may tell
    what labels mean. A claim is false where its document does not say it. What is ``asked`` by yes or no of any
    document is not false then, since nobody says that it tells all, as a data sheet does.
    """
    for name in names:
        claim = claim.replace(name, " ")
    by_amount = _by_amount(claim, evidence, likeness) if claimed_amounts(claim) else None
    return by_amount or _by_words(claim, evidence, asked=asked)


def all_met(text: str, wanted: Sequence[Amount], values: Sequence[Amount]) -> bool:
    """Whether each amount of a text is met by one of the values, as the text bounds it; never without amounts."""
    return bool(wanted) and all(any(_meets(value, one, _bound_of(text, one)) for value in values) for one in wanted)


def _bound_of(text: str, amount: Amount) -> str:
    """How a text bounds an amount: "over", "under", "from", "to", or "" for just that amount."""
    before = f" {text[max(0, amount.start - _REACH) : amount.start].lower()} "
    behind = text[amount.end : amount.end + _REACH].lower().lstrip()
    for name in ("from", "to", "under", "over"):  # "no more than" before "more than"
        for phrase in lexicon().bounds[name]:
            if f" {phrase} " in before or (phrase.startswith("or ") and behind.startswith(phrase)):
                return name
    return ""


def _meets(amount: Amount, wanted: Amount, bound: str) -> bool:
    measured = amount.measure and wanted.measure
    if measured and amount.measure != wanted.measure:
        return False
    if bound in ("", "from", "to") and equal(amount, wanted):
        return True
    left, right = (amount.base, wanted.base) if measured else (amount.value, wanted.value)
    return bool(bound) and (left > right if bound in ("over", "from") else left < right)


def _by_amount(claim: str, evidence: Sequence[Evidence], likeness: Likeness | None) -> DocumentAnswer | None:
    """Look up what the claim gives amounts of, in tables and in sentences."""
    claimed, rest = claimed_amounts(claim), claim
    for amount in reversed(claimed):
        rest = f"{rest[: amount.start]} {rest[amount.end :]}"
    asked = replace(AskedValue.of(rest), unit=claimed[0].unit)
    cells = [(s, c) for s, c in scored_cells(asked, evidence, likeness) if _comparable(c.amounts, claimed)]
    told = [(one.held(asked.terms), one) for one in told_in(evidence) if _comparable(one.amounts, claimed)]
    share, said = max(told, key=lambda one: one[0], default=(0.0, None))
    negated = _negates(_BOUNDED.sub("", claim))
    if cells and (share < _ENOUGH or cells[0][0] >= share):
        score, best = cells[0]
        row = [a for _, c in cells if (c.span, c.section) == (best.span, best.section) for a in c.amounts]
        holds = all_met(claim, claimed, row if len(claimed) > 1 else best.amounts)
        return _verdict(holds != negated, best, min(1.0, score))
    if said is None or share < _ENOUGH:
        return None
    return _verdict(all_met(claim, claimed, said.amounts) != (negated != _negates(said.text)), said, share)


def _comparable(found: Sequence[Amount], claimed: Sequence[Amount]) -> bool:
    measures = {amount.measure for amount in claimed if amount.measure}
    return bool(found) and (not measures or any(not a.measure or a.measure in measures for a in found))


def _by_words(claim: str, evidence: Sequence[Evidence], *, asked: bool) -> DocumentAnswer | None:
    """The statement that holds most of the claim's words: what it lacks is neither a name, a number nor a contrary."""
    wanted = [t for t in terms(claim) if t not in lexicon().idle]
    said = (*(one for one in told_in(evidence) if one.kind == "text"), *cells_in(evidence))
    best = max(said, key=lambda one: (_held(wanted, one), -one.section), default=None)
    if best is None or _held(wanted, best) < _SPOKEN:
        return None
    missing = [t for t in wanted if t not in best.said | best.above | frozenset(terms(best.text))]
    names = {t for word in re.findall(r"(?<!^)\b[A-Z][\w-]*", claim) for t in terms(word)}
    grave = any(t in names or any(c.isdigit() for c in t) for t in missing)
    few = len(missing) <= (_MISSING * len(wanted) if len(wanted) >= _FEW else 0)
    share, spoken = 1 - len(missing) / len(wanted), few and not grave
    if asked and not spoken:
        return None
    return _verdict(spoken and _negates(claim) == _negates(best.text), best, share if spoken else 0.4 + 0.4 * share)


def _held(wanted: Sequence[str], one: Statement) -> float:
    """How much of what is wanted a sentence holds, or a cell with its labels."""
    own = one if one.kind == "text" else replace(one, own=one.own | frozenset(terms(one.text)))
    return own.held(wanted)


def _verdict(holds: bool, said: Statement, sure: float) -> DocumentAnswer:
    return DocumentAnswer((str(holds),), said.section, said.span, sure)


def _negates(text: str) -> bool:
    return _NEGATION.search(text) is not None
