"""Making the final answer of a question over documents from the answers of its hops (eq. 13)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ....cubes.folding import fold
from ....cubes.records import Span
from ....graphs.reasoner import FinalAnswer
from ....graphs.records import Evidence, Hop
from .across import best_of
from .amounts import Amount, amounts, equal, spell
from .forms import BLANK, Form
from .judging import bound_of, claimed_amounts, judge, meets
from .operands import Operation
from .reading import Found
from .requests import Request
from .wording import lexicon, terms

__all__ = ["decide"]

_IN_UNIT = re.compile(r"\b(?:in|how many) ([^\s,?.]+)")
_DEGREES = {"K", "°C"}  # between two temperatures there are as many of the one as of the other
_MISSING = "Nothing was found in the documents for: "
_ALIKE = 0.6  # of an option's words that an answer must hold
_UNSURE = 0.5  # of the confidence of what was read, where no option is just that


def decide(request: Request, hops: Sequence[Hop]) -> FinalAnswer:
    """Return the answer in the form that was asked for, or say what was not found."""
    hops = hops[: len(request.subqueries)]
    missing = [hop for hop in hops if not hop.answers]
    if not hops or (missing and request.task not in ("filter", "each")) or len(missing) == len(hops):
        first = missing[0] if missing else None
        note = first.notes[-1] if first is not None and first.notes else ""
        return FinalAnswer("", note=note or f"{_MISSING}{first.subquery if first is not None else request.form.stem}")
    sure = min(hop.confidence for hop in hops if hop.answers)
    text = _told(request, hops)
    if not text and request.form.kind not in ("choice", "choices"):
        return FinalAnswer("", note=f"{_MISSING}{request.form.stem}")
    if request.form.kind in ("choice", "choices"):
        return _chosen(request, hops, text, sure)
    return FinalAnswer(text, sure)


def _told(request: Request, hops: Sequence[Hop]) -> str:
    """What the hops come to, in words."""
    read = dict(zip(request.items, hops, strict=False))
    match request.task:
        case "compare":
            best = best_of({name: _found(hop) for name, hop in read.items()}, request.order or "greatest")
            if request.form.kind == "judgement":
                return _verdict(request.form, best == request.items[:1]) if best else ""
            return _joined(best)
        case "same":
            return _verdict(request.form, _all_same(hops))
        case "calculate":
            result = _calculated(request, hops)
            if request.form.kind == "judgement" and result is not None:
                claimed = claimed_amounts(request.form.stem)
                return _verdict(request.form, any(equal(result, one, 0.02) for one in claimed))
            return _listed(read) if result is None else _result(request.form, result)
        case "each":
            return _each(request, hops, read)
        case "filter" if request.items:
            return _joined([name for name, hop in read.items() if _holds(request, hop)])
        case "count" if request.items:
            return str(sum(_holds(request, hop) for hop in hops))
        case "judge":
            return _verdict(request.form, hops[0].answer == "True")
    return _joined(hops[0].answers)


def _holds(request: Request, hop: Hop) -> bool:
    """Whether a hop bears out what is asked of its item: by its verdict, or because its value meets the bound."""
    if hop.answer in ("True", "False"):
        return hop.answer == "True"
    stem, values = request.form.stem, amounts(hop.answer)
    wanted = claimed_amounts(stem)
    return bool(wanted) and all(any(meets(v, one, bound_of(stem, one)) for v in values) for one in wanted)


def _each(request: Request, hops: Sequence[Hop], read: Mapping[str, Hop]) -> str:
    if request.form.kind == "judgement":
        return _verdict(request.form, all(hop.answer == "True" for hop in hops))
    if request.form.kind == "blanks":
        return _joined([hop.answer for hop in hops])
    return _listed(read)


def _listed(read: Mapping[str, Hop]) -> str:
    return "; ".join(f"{name}: {_joined(hop.answers)}" for name, hop in read.items() if hop.answers)


def _joined(texts: Sequence[str]) -> str:
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def _verdict(form: Form, holds: bool) -> str:
    if form.yes_no:
        return "Yes" if holds else "No"
    return "True" if holds else "False"


def _found(hop: Hop) -> Found:
    """A hop's answer with the amounts it holds."""
    return Found(hop.answers, 0, Span(0, 0), hop.confidence, amounts(hop.answer))


def _all_same(hops: Sequence[Hop]) -> bool:
    first, values = hops[0], amounts(hops[0].answer)
    for hop in hops[1:]:
        others = amounts(hop.answer)
        if values and others:
            if len(values) != len(others) or not all(map(equal, values, others)):
                return False
        elif {fold(a) for a in first.answers} != {fold(a) for a in hop.answers}:
            return False
    return True


# Calculations.


def _calculated(request: Request, hops: Sequence[Hop]) -> Amount | None:
    """What the operations make of the hops' values; None where they are no amounts, or of different kinds."""
    values = [amounts(hop.answer) for hop in hops]
    if not request.operations or not all(values):
        return None
    firsts = [found[0] if len(found) == 1 else found[-1] for found in values]
    if len(request.operations) == 1 and request.operations[0] in ("sum", "average"):
        return _summed(request.operations[0], firsts)
    result: Amount | None = firsts[0]
    for operation, value in zip(request.operations, firsts[1:], strict=False):
        result = _worked(request, operation, result, value) if result is not None else None
    return result


def _summed(operation: Operation, values: Sequence[Amount]) -> Amount | None:
    if len({value.measure for value in values if value.measure}) > 1:
        return None
    base = sum(value.base for value in values) / (len(values) if operation == "average" else 1)
    return _like(base, values)


def _like(base: float, values: Sequence[Amount]) -> Amount:
    """An amount in the smallest unit of those that it comes from."""
    like = min(values, key=lambda value: abs(value.factor))
    return Amount(base / like.factor, like.unit, like.measure, base)


def _worked(request: Request, operation: Operation, one: Amount, other: Amount) -> Amount | None:
    if operation == "product":
        base = one.base * other.base
        measure = lexicon().products.get(frozenset((one.measure, other.measure)), "")
        return Amount(base, measure, measure, base)
    if one.measure and other.measure and one.measure != other.measure:
        return None
    if operation in ("ratio", "percent"):
        return _relative(request, operation, (one, other))
    base = one.base + other.base if operation == "sum" else abs(one.base - other.base)
    return _like(base, (one, other))


def _relative(request: Request, operation: Operation, values: Sequence[Amount]) -> Amount | None:
    """A ratio, or a share or change in per cent."""
    one, other = values[0].base, values[-1].base
    if operation == "ratio":
        return Amount(one / other, "", "", one / other) if other else None
    stem = request.form.stem.lower()
    if "percentage of" in stem or "per cent of" in stem or "percent of" in stem:
        one, other = (other, one) if " of the " in stem and (" is " in stem or " are " in stem) else (one, other)
        share = one / other if other else None
    elif request.mentions and len(request.mentions) > 1:
        share = (one - other) / other if other else None
    else:
        share = (other - one) / one if one else None
    return Amount(abs(share) * 100, "%", "%", abs(share) * 100) if share is not None else None


def _result(form: Form, result: Amount) -> str:
    """A result in the unit that the question names; bare where the unit stands behind the gap."""
    wanted = next((a for unit in _IN_UNIT.findall(form.stem) if (a := amounts(f"1 {unit}")) and a[0].unit), ())
    if wanted and (wanted[0].measure == result.measure or {wanted[0].measure, result.measure} == _DEGREES):
        return spell(result.base, wanted[0])
    text = spell(result.base, result)
    if form.kind == "blanks" and result.unit and form.stem.partition(BLANK)[2].lstrip().startswith(result.unit):
        return text.removesuffix(result.unit).strip()
    return text


# Choices.


def _chosen(request: Request, hops: Sequence[Hop], text: str, sure: float) -> FinalAnswer:
    """The option, or the options, that the hops' answer is."""
    options, several = request.form.options, request.form.kind == "choices"
    several_told = request.task in ("value", "filter", "extreme", "each")
    told = [a for h in hops for a in h.answers] if several_told else [text]
    if request.task == "filter" and request.items:
        told = [name for name, hop in zip(request.items, hops, strict=False) if _holds(request, hop)]
    told.append(text)
    fits = {letter: max(_alike(option, answer) for answer in told) for letter, option in options}
    holding = [letter for letter, fit in fits.items() if fit >= 1.0]
    if several and request.task == "value":
        holding += [letter for letter, option in options if letter not in holding and _stands(request, option, hops)]
    if not holding:
        best = max(fits, key=lambda letter: fits[letter])
        if fits[best] < _ALIKE:
            standing = next((letter for letter, option in options if _stands(request, option, hops)), "")
            if not standing and fits[best] <= 0:
                return FinalAnswer("", note=f"None of the options is what was found: {text or 'nothing'}.")
            best, sure = standing or best, sure * _UNSURE
        holding = [best]
    if not several:
        holding = sorted(holding, key=lambda letter: -fits[letter])[:1]
    chosen = [(letter, option) for letter, option in options if letter in holding]
    return FinalAnswer("; ".join(f"{letter}: {option}" for letter, option in chosen), sure)


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
    if wanted <= held or (held and held <= wanted):
        return 1.0
    return len(wanted & held) / len(wanted) * 0.9


def _stands(request: Request, option: str, hops: Sequence[Hop]) -> bool:
    """Whether the evidence bears the stem out with an option in its gap."""
    stem, names = request.form.stem, [mention.text for mention in request.mentions]
    claim = stem.replace(BLANK, option) if BLANK in stem else f"{stem.rstrip('?')} {option}"
    books = {book.id for mention in request.mentions for book in mention.books}
    evidence = [e for hop in hops for e in hop.evidence if not books or e.document_id in books]
    found = judge(option if not amounts(option) else claim, _about(request, evidence), names)
    return found is not None and found.holds


def _about(request: Request, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections that speak of what the stem asks: an application is not looked for among the order codes."""
    asked = set(terms(request.form.stem))
    headed = [e for e in evidence if asked & {t for part in e.path[1:] for t in terms(part)}]
    return headed or list(evidence)
