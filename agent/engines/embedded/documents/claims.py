"""Judging a claim by what sections say: borne out, contradicted by another value, or not said (HiQA, "Judgement")."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from .....cubes.core.records import Span
from .....graphs.records import Evidence
from .amounts import Amount, claimed_amounts, equal
from .asked import LabelQuery, read_label_query
from .lookup import DocumentAnswer, TableMatch, look_up
from .prose import term_coverage, units_of
from .wording import lexicon, terms

__all__ = ["all_met", "judge"]

_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|n['’]t)\b|n['’]t\b", re.IGNORECASE)
_BOUNDED = re.compile(r"\bno(?:t)? (?:more|less|fewer)\b")
_ENOUGH = 0.6  # of a claim's words that a sentence must hold to be about the same thing
_SPOKEN = 0.15  # of a claim's words, below which nothing speaks of it
_MISSING = 0.2  # of a claim's words that a sentence may put otherwise
_FEW = 6  # words of a claim from which on one may be put otherwise
_REACH = 30  # characters before an amount in which a bound stands

Look = Callable[[LabelQuery, str], Sequence[TableMatch]]
"""Looks cells up for what is asked, which is also given in the claim's words."""


def judge(
    claim: str, evidence: Sequence[Evidence], names: Collection[str] = (), look: Look | None = None, *,
    asked: bool = False
) -> DocumentAnswer | None:
    """Return "True" or "False" as sections bear a claim out; None where they do not speak of it.

    ``names`` are the claim's names of documents, which say where to look and not what is claimed. ``look`` looks
    cells up, by default by their labels' words. A claim is false where its document does not say it. What is
    ``asked`` by yes or no of any document is not false then, since nobody says that it tells all, as a data sheet does.
    """
    for name in names:
        claim = claim.replace(name, " ")
    by_amount = _by_amount(claim, evidence, look) if claimed_amounts(claim) else None
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


def _by_amount(claim: str, evidence: Sequence[Evidence], look: Look | None) -> DocumentAnswer | None:
    """Look up what the claim gives amounts of, in tables and in sentences."""
    claimed = claimed_amounts(claim)
    rest = claim
    for amount in reversed(claimed):
        rest = f"{rest[: amount.start]} {rest[amount.end :]}"
    asked, measures = read_label_query(rest), {amount.measure for amount in claimed if amount.measure}
    asked = replace(asked, units=frozenset(measures) or asked.units)
    looked = look(asked, rest) if look is not None else look_up(asked, evidence)
    cells = [cell for cell in looked if _comparable(cell.amounts, measures)]
    negated = _negates(_BOUNDED.sub("", claim))
    held = (u for u in units_of(evidence) if not u.tabular and _comparable(claimed_amounts(u.text), measures))
    said = max(held, key=lambda u: term_coverage(asked.terms, u), default=None)
    share = term_coverage(asked.terms, said) if said is not None else 0.0
    if cells and (share < _ENOUGH or cells[0].score >= share):
        best = cells[0]
        row = [a for c in cells if (c.row, c.section) == (best.row, best.section) for a in c.amounts]
        holds = all_met(claim, claimed, row if len(claimed) > 1 else best.amounts)
        return _verdict(holds != negated, best.section, best.row, min(1.0, best.score))
    if said is None or share < _ENOUGH:
        return None
    holds = all_met(claim, claimed, claimed_amounts(said.text))
    return _verdict(holds != (negated != _negates(said.text)), said.section, said.span, share)


def _verdict(holds: bool, section: int, span: Span, sure: float) -> DocumentAnswer:
    return DocumentAnswer((str(holds),), section, span, sure)


def _negates(text: str) -> bool:
    return _NEGATION.search(text) is not None


def _comparable(found: Sequence[Amount], measures: set[str]) -> bool:
    return bool(found) and (not measures or any(not a.measure or a.measure in measures for a in found))


def _by_words(claim: str, evidence: Sequence[Evidence], *, asked: bool) -> DocumentAnswer | None:
    """The unit that holds most of the claim's words: what it lacks must be neither a name, a number nor a contrary."""
    wanted = [t for t in terms(claim) if t not in lexicon().idle]
    best = max(units_of(evidence), key=lambda u: (term_coverage(wanted, u), -u.section), default=None)
    if best is None or term_coverage(wanted, best) < _SPOKEN:
        return None
    missing = [t for t in wanted if t not in best.terms | best.context]
    names = {t for word in re.findall(r"(?<!^)\b[A-Z][\w-]*", claim) for t in terms(word)}
    grave = any(t in names or any(c.isdigit() for c in t) for t in missing)
    few = len(missing) <= (_MISSING * len(wanted) if len(wanted) >= _FEW else 0)
    share, spoken = 1 - len(missing) / len(wanted), few and not grave
    if asked and not spoken:
        return None
    holds = spoken and _negates(claim) == _negates(best.text)
    return _verdict(holds, best.section, best.span, share if spoken else 0.4 + 0.4 * share)
