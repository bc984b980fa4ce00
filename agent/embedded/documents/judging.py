"""Judging a claim by what sections say: borne out, contradicted by another value, or not said (HiQA, "Judgement")."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from ....graphs.records import Evidence
from .amounts import Amount, amounts, equal
from .asked import Asked, read_asked
from .lookup import Cell, look_up
from .prose import Unit, told, units_of
from .wording import lexicon, terms

__all__ = ["Verdict", "bound_of", "claimed_amounts", "judge", "meets", "unbounded"]

_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|n['’]t)\b|n['’]t\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_ENOUGH = 0.6  # of a claim's words that a sentence must hold to be about the same thing
_SPOKEN = 0.15  # of a claim's words, below which nothing speaks of it
_MISSING = 0.2  # of a claim's words that a sentence may put otherwise
_FEW = 6  # words of a claim from which on one may be put otherwise
_REACH = 30  # characters before an amount in which a bound stands


Look = Callable[[Asked, str], Sequence[Cell]]
"""Looks cells up for what is asked, which is also given in the claim's words."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a claim holds, and the section and span that say so; ``sure`` is between 0 and 1."""

    holds: bool
    section: int
    start: int
    end: int
    sure: float
    said: str


def judge(
    claim: str, evidence: Sequence[Evidence], names: Collection[str] = (), look: Look | None = None
) -> Verdict | None:
    """Return whether sections bear a claim out; None where they do not speak of it.

    ``names`` are the claim's names of documents, which say where to look and not what is claimed. ``look`` looks
    cells up, by default by their labels' words.
    """
    bare = claim
    for name in names:
        bare = bare.replace(name, " ")
    claimed = claimed_amounts(bare)
    if claimed:
        found = _by_amount(bare, claimed, evidence, look)
        if found is not None:
            return found
    return _by_words(bare, evidence)


def claimed_amounts(text: str) -> list[Amount]:
    """Return a text's amounts without its years, which say when and not how much."""
    return [a for a in amounts(text) if a.unit or not (_YEAR.fullmatch(text[a.start : a.end]))]


def unbounded(text: str) -> str:
    """Return a text without its amounts and the words that bound them."""
    for amount in reversed(claimed_amounts(text)):
        text = f"{text[: amount.start]} ; {text[amount.end :]}"
    for phrases in lexicon().bounds.values():
        for phrase in phrases:
            text = re.sub(rf"\b{re.escape(phrase)}\b", " ", text)
    return text


def bound_of(text: str, amount: Amount) -> str:
    """Return how a text bounds an amount: "over", "under", "from", "to", or "" for just that amount."""
    before = f" {text[max(0, amount.start - _REACH) : amount.start].lower()} "
    behind = f" {text[amount.end : amount.end + _REACH].lower()} "
    for name in ("from", "to", "under", "over"):  # "no more than" before "more than"
        for phrase in lexicon().bounds[name]:
            if f" {phrase} " in before or (phrase.startswith("or ") and behind.lstrip().startswith(phrase)):
                return name
    return ""


def meets(amount: Amount, wanted: Amount, bound: str) -> bool:
    """Whether an amount meets a bound."""
    if amount.measure and wanted.measure and amount.measure != wanted.measure:
        return False
    left, right = (amount.base, wanted.base) if amount.measure and wanted.measure else (amount.value, wanted.value)
    if bound == "":
        return equal(amount, wanted)
    if bound in ("from", "to") and equal(amount, wanted):
        return True
    return left > right if bound in ("over", "from") else left < right


def _by_amount(
    claim: str, claimed: Sequence[Amount], evidence: Sequence[Evidence], look: Look | None
) -> Verdict | None:
    """Look up what the claim gives amounts of."""
    rest = claim
    for amount in reversed(claimed):
        rest = f"{rest[: amount.start]} {rest[amount.end :]}"
    asked = read_asked(rest)
    measures = {amount.measure for amount in claimed if amount.measure}
    asked = replace(asked, units=frozenset(measures)) if measures else asked
    held = look(asked, rest) if look is not None else look_up(asked, evidence)
    cells = [c for c in held if c.amounts and _comparable(c.amounts, measures)]
    negated = _NEGATION.search(re.sub(r"\bno(?:t)? (?:more|less|fewer)\b", "", claim)) is not None
    sentence = _sentence_with(asked.terms, measures, evidence)
    if cells and (sentence is None or cells[0].score >= told(asked.terms, sentence)):
        best = cells[0]
        values = [a for c in cells if c.row == best.row and c.section == best.section for a in c.amounts]
        values = values if len(claimed) > 1 else list(best.amounts)
        holds = all(any(meets(value, one, bound_of(claim, one)) for value in values) for one in claimed)
        return Verdict(holds != negated, best.section, best.row.start, best.row.end, min(1.0, best.score), best.text)
    if sentence is None:
        return None
    values = claimed_amounts(sentence.text)
    holds = all(any(meets(value, one, bound_of(claim, one)) for value in values) for one in claimed)
    denied = negated != (_NEGATION.search(sentence.text) is not None)
    sure = told(asked.terms, sentence)
    return Verdict(holds != denied, sentence.section, sentence.span.start, sentence.span.end, sure, sentence.text)


def _comparable(found: Sequence[Amount], measures: set[str]) -> bool:
    return not measures or any(not a.measure or a.measure in measures for a in found)


def _sentence_with(asked: Sequence[str], measures: set[str], evidence: Sequence[Evidence]) -> Unit | None:
    """The sentence that tells most of what is asked and holds an amount of the kind."""
    held = [
        unit
        for unit in units_of(evidence)
        if "|" not in evidence[unit.section].text[unit.span.start : unit.span.end]
        and (found := claimed_amounts(unit.text))
        and _comparable(found, measures)
    ]
    best = max(held, key=lambda u: told(asked, u), default=None)
    return best if best is not None and told(asked, best) >= _ENOUGH else None


def _by_words(claim: str, evidence: Sequence[Evidence]) -> Verdict | None:
    """The unit that holds most of the claim's words: what it lacks must be neither a name, a number nor a contrary."""
    wanted = [t for t in terms(claim) if t not in lexicon().idle]
    if not wanted:
        return None
    best = max(units_of(evidence), key=lambda u: (told(wanted, u), -u.section), default=None)
    if best is None or told(wanted, best) < _SPOKEN:
        return None
    held = best.terms | best.context
    missing = [t for t in wanted if t not in held]
    names = {t for word in re.findall(r"(?<!^)\b[A-Z][\w-]*", claim) for t in terms(word)}
    grave = [t for t in missing if t in names or any(c.isdigit() for c in t)]
    few = len(missing) <= (_MISSING * len(wanted) if len(wanted) >= _FEW else 0)
    same = (_NEGATION.search(claim) is None) == (_NEGATION.search(best.text) is None)
    share = 1 - len(missing) / len(wanted)
    spoken = few and not grave
    sure = share if spoken else 0.4 + 0.4 * share
    return Verdict(spoken and same, best.section, best.span.start, best.span.end, sure, best.text)
