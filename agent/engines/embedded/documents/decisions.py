"""Making the final answer of a question over documents from the answers of its hops (eq. 13)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .....cubes.core.folding import fold
from .....cubes.core.records import Span
from .....graphs.reasoner import FinalAnswer
from .....graphs.records import Hop
from .amounts import Amount, amounts, claimed_amounts, equal, spell
from .claims import all_met, judge
from .forms import BLANK, QuestionForm
from .lookup import DocumentAnswer, best_of
from .operands import Operation
from .requests import DocumentQuery
from .wording import lexicon, terms

__all__ = ["decide"]

_IN_UNIT = re.compile(r"\b(?:in|how many) ([^\s,?.]+)")
_SHARE = re.compile(r"\bper ?cent(?:age)? of\b")
_MISSING = "Nothing was found in the documents for: "
_ALIKE = 0.6  # of an option's words that an answer must hold
_UNSURE = 0.5  # of the confidence of what was read, where no option is just that


def decide(request: DocumentQuery, hops: Sequence[Hop]) -> FinalAnswer:
    """Return the answer in the form that was asked for, or say what was not found."""
    hops = hops[: len(request.subqueries)]
    missing = [hop for hop in hops if not hop.answers]
    if not hops or (missing and request.task not in ("filter", "each")) or len(missing) == len(hops):
        asked = missing[0].subquery if missing else request.form.stem
        return FinalAnswer("", note=missing[0].notes[-1] if missing and missing[0].notes else f"{_MISSING}{asked}")
    sure = min(hop.confidence for hop in hops if hop.answers)
    told = _told(request, hops)
    if request.form.options:
        return _chosen(request, hops, told, sure)
    return FinalAnswer(told, sure) if told else FinalAnswer("", note=f"{_MISSING}{request.form.stem}")


def _told(request: DocumentQuery, hops: Sequence[Hop]) -> str:
    """What the hops come to, in words; of a judgement, whether it holds."""
    form, task, items = request.form, request.task, request.items
    if form.kind == "judgement":
        holds = _holds(request, hops)
        if holds is not None:
            return ("Yes" if holds else "No") if form.yes_no else str(holds)
    if task == "calculate" and (result := _calculated(request, hops)) is not None:
        return _result(form, result)
    if task == "compare":
        return _joined(_best(request, hops))
    if task == "each" and form.kind == "blanks":
        return _joined([hop.answer for hop in hops])
    if task in ("each", "calculate"):
        told = zip(items, hops, strict=False)
        return "; ".join(f"{name}: {_joined(hop.answers)}" for name, hop in told if hop.answers)
    if task in ("filter", "count") and items:
        holding = _holding(request, hops)
        return str(len(holding)) if task == "count" else _joined(holding)
    return _joined(hops[0].answers)


def _holds(request: DocumentQuery, hops: Sequence[Hop]) -> bool | None:
    """Whether what is claimed holds; None where the hops do not decide it."""
    match request.task:
        case "compare":
            best = _best(request, hops)
            return best == request.items[:1] if best else None
        case "same":
            return all(_same(hops[0], hop) for hop in hops[1:])
        case "calculate":
            result, claimed = _calculated(request, hops), claimed_amounts(request.form.stem)
            return any(equal(result, one, 0.02) for one in claimed) if result is not None else None
        case "each" | "judge":
            quoted = any(hop.form == "passage" for hop in hops)
            return None if quoted else all(hop.answer == "True" for hop in hops)
    return None


def _best(request: DocumentQuery, hops: Sequence[Hop]) -> tuple[str, ...]:
    read = zip(request.items, hops, strict=False)
    found = {name: DocumentAnswer(hop.answers, 0, Span(0, 0), 1.0, amounts(hop.answer)) for name, hop in read}
    return best_of(found, request.order or "greatest")


def _holding(request: DocumentQuery, hops: Sequence[Hop]) -> list[str]:
    """The items of which hops bear out what is asked: by a verdict, or because a value meets the bound."""
    stem, read = request.form.stem, zip(request.items, hops, strict=False)
    return [
        name
        for name, hop in read
        if hop.answer == "True" or (hop.answer != "False" and all_met(stem, claimed_amounts(stem), amounts(hop.answer)))
    ]


def _joined(texts: Sequence[str]) -> str:
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def _same(one: Hop, other: Hop) -> bool:
    left, right = amounts(one.answer), amounts(other.answer)
    if left and right:
        return len(left) == len(right) and all(map(equal, left, right))
    return set(map(fold, one.answers)) == set(map(fold, other.answers))


# Calculations.


def _calculated(request: DocumentQuery, hops: Sequence[Hop]) -> Amount | None:
    """What the operations make of the hops' values; None where they are no amounts, or of different kinds."""
    values = [amounts(hop.answer) for hop in hops]
    if not request.operations or not all(values):
        return None
    result, *others = [found[-1] for found in values]
    if request.operations in (("sum",), ("average",)):
        if len({value.measure for value in (result, *others) if value.measure}) > 1:
            return None
        total = result.base + sum(value.base for value in others)
        return _like(total / (len(values) if request.operations == ("average",) else 1), (result, *others))
    for operation, value in zip(request.operations, others, strict=False):
        worked = _worked(request, operation, result, value)
        if worked is None:
            return None
        result = worked
    return result


def _like(base: float, values: Sequence[Amount]) -> Amount:
    """An amount in the smallest unit of those that it comes from."""
    like = min(values, key=lambda value: abs(value.factor))
    return Amount(base / like.factor, like.unit, like.measure, base)


def _worked(request: DocumentQuery, operation: Operation, one: Amount, other: Amount) -> Amount | None:
    if operation == "product":
        measure = lexicon().products.get(frozenset((one.measure, other.measure)), "")
        return Amount(one.base * other.base, measure, measure, one.base * other.base)
    if one.measure and other.measure and one.measure != other.measure:
        return None
    if operation == "ratio":
        return Amount(one.base / other.base, "", "", one.base / other.base) if other.base else None
    if operation == "percent":
        return _percent(request, one.base, other.base)
    return _like(one.base + other.base if operation == "sum" else abs(one.base - other.base), (one, other))


def _percent(request: DocumentQuery, one: float, other: float) -> Amount | None:
    """A share, or the change from the first to the second; of two documents that to the first."""
    stem = request.form.stem.lower()
    share = _SHARE.search(stem) is not None
    turned = share and " of the " in stem and re.search(r" (?:is|are) ", stem) is not None
    part, whole = (one, other) if (share or len(request.mentions) > 1) != turned else (other, one)
    if not whole:
        return None
    percent = abs(part / whole if share else (part - whole) / whole) * 100
    return Amount(percent, "%", "%", percent)


def _result(form: QuestionForm, result: Amount) -> str:
    """A result in the unit that the question names; bare where the unit stands behind the gap."""
    named = (found[0] for unit in _IN_UNIT.findall(form.stem) if (found := amounts(f"1 {unit}")))
    wanted = next((unit for unit in named if unit.unit), None)
    if wanted is not None and wanted.measure == result.measure:
        return spell(result.base, wanted)
    text, behind = spell(result.base, result), form.stem.partition(BLANK)[2].lstrip()
    bare = form.kind == "blanks" and result.unit and behind.startswith(result.unit)
    return text.removesuffix(result.unit).strip() if bare else text


# Choices.


def _chosen(request: DocumentQuery, hops: Sequence[Hop], text: str, sure: float) -> FinalAnswer:
    """The option, or the options, that the hops' answer is."""
    options, several = request.form.options, request.form.kind == "choices"
    told = [text]
    if request.task == "filter" and request.items:
        told += _holding(request, hops)
    elif request.task in ("value", "filter", "extreme", "each"):
        told += [answer for hop in hops for answer in hop.answers]
    fits = {letter: max(_alike(option, answer) for answer in told) for letter, option in options}
    holding = [letter for letter, fit in fits.items() if fit >= 1.0]
    if (several and request.task == "value") or (not holding and max(fits.values()) < _ALIKE):
        standing = [letter for letter, option in options if letter not in holding and _stands(request, option, hops)]
        sure *= 1.0 if holding else _UNSURE
        holding += standing if several or not holding else []
    if not holding and max(fits.values()) <= 0:
        return FinalAnswer("", note=f"None of the options is what was found: {text or 'nothing'}.")
    ranked = sorted(holding or fits, key=lambda letter: -fits[letter])
    chosen = holding if several and holding else ranked[:1]
    return FinalAnswer("; ".join(f"{letter}: {option}" for letter, option in options if letter in chosen), sure)


def _alike(option: str, answer: str) -> float:
    """How far an option is what was found: the same amounts, the same words, or most of them."""
    if fold(option) == fold(answer):
        return 2.0
    ours, theirs = amounts(option), amounts(answer)
    if ours and theirs and len(ours) == len(theirs):
        return 1.5 if all(map(equal, ours, theirs)) else 0.0
    wanted, held = set(terms(option)), set(terms(answer))
    if (ours and not theirs) or not wanted:
        return 0.0
    return 1.0 if wanted <= held or (held and held <= wanted) else len(wanted & held) / len(wanted) * 0.9


def _stands(request: DocumentQuery, option: str, hops: Sequence[Hop]) -> bool:
    """Whether the sections that speak of what the stem asks bear it out with an option in its gap."""
    stem, names = request.form.stem, [mention.text for mention in request.mentions]
    claim = stem.replace(BLANK, option) if BLANK in stem else f"{stem.rstrip('?')} {option}"
    asked, refs = set(terms(stem)), request.refs
    evidence = [e for hop in hops for e in hop.evidence if not refs or e.document_id in refs]
    headed = [e for e in evidence if asked & {t for part in e.path[1:] for t in terms(part)}]
    found = judge(claim if amounts(option) else option, headed or evidence, names)
    return found is not None and found.texts == ("True",)
