"""Making the final answer of a question over documents from the answers of its hops (eq. 13)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from .....cubes.core.quantities import Amount, amounts, claimed_amounts, equal, spell
from .....graphs.reasoner import FinalAnswer
from .....graphs.records import Hop
from .claims import judge
from .requests import BLANK, DocumentQuery, QuestionForm
from .statements import joined
from .wording import terms

__all__ = ["decide"]

_IN_UNIT = re.compile(r"\b(?:in|how many) ([^\s,?.]+)")
_SHARE = re.compile(r"\bper ?cent(?:age)? of\b", re.IGNORECASE)
_MISSING = "Nothing was found in the documents for: "
_ALIKE = 0.6  # of an option's words that an answer must hold
_UNSURE = 0.5  # of the confidence of what was read, where no option is just that


def decide(request: DocumentQuery, hops: Sequence[Hop]) -> FinalAnswer:
    """Return the answer in the form that was asked for, or say what was not found."""
    hops = hops[: len(request.subqueries)]
    missing = [hop for hop in hops if not hop.answers]
    if not hops or (missing and request.operator not in ("which", "each")) or len(missing) == len(hops):
        asked = missing[0].subquery if missing else request.form.stem
        return FinalAnswer("", note=missing[0].notes[-1] if missing and missing[0].notes else f"{_MISSING}{asked}")
    sure = min(hop.confidence for hop in hops if hop.answers)
    told = _told(request, hops)
    if request.form.options:
        return _chosen(request, hops, told, sure)
    return FinalAnswer(told, sure) if told else FinalAnswer("", note=f"{_MISSING}{request.form.stem}")


def _told(request: DocumentQuery, hops: Sequence[Hop]) -> str:
    """What the hops come to, in words; of a judgement, whether it holds, where they decide that."""
    form, items, holds = request.form, request.items, None
    told = joined([answer for hop in hops for answer in hop.answers])
    match request.operator:
        case "calculate" if (result := _calculated(request, hops)) is not None:
            told, holds = _result(form, result), any(equal(result, one, 0.02) for one in claimed_amounts(form.stem))
        case "best":
            best = _best(request, hops)
            told, holds = joined(best), best == items[:1] if best else None
        case "same":
            holds = all(_alike(joined(hops[0].answers), joined(hop.answers)) > 1 for hop in hops[1:])
        case "judge" if all(hop.form != "passage" for hop in hops):
            holds = all(hop.answer in ("True", "yes") for hop in hops)
        case "which" | "count":
            holding = [name for name, hop in zip(items, hops, strict=False) if hop.answer == "True"]
            told = joined(holding) if request.operator == "which" else str(len(holding))
        case "each" | "calculate" if items:
            answered = ((name, hop.answers) for name, hop in zip(items, hops, strict=False) if hop.answers)
            told = "; ".join(f"{name}: {joined(answers)}" for name, answers in answered)
    if form.kind != "judgement" or holds is None:
        return told
    return ("Yes" if holds else "No") if form.yes_no else str(holds)


def _best(request: DocumentQuery, hops: Sequence[Hop]) -> tuple[str, ...]:
    """The names with the greatest or least value, of a range its end; several where they are equal."""
    end = min if request.order == "least" else max
    read = {name: amounts(hop.answer) for name, hop in zip(request.items, hops, strict=False)}
    sizes = {name: end(amount.base for amount in found) for name, found in read.items() if found}
    return tuple(name for name, size in sizes.items() if size == end(sizes.values()))


def _calculated(request: DocumentQuery, hops: Sequence[Hop]) -> Amount | None:
    """What the operation makes of the hops' values; None where they are no amounts, or of different kinds."""
    values = [found[-1] for hop in hops if (found := amounts(hop.answer))]
    bases, operation = [value.base for value in values], request.operation
    if operation == "product":  # in the base unit that the question asks for, for all base units fit one another
        return Amount(math.prod(bases), "", "", math.prod(bases)) if len(values) == len(hops) else None
    if len(values) < len(hops) or len({value.measure for value in values if value.measure}) > 1:
        return None
    if operation in ("ratio", "percent"):
        part, whole = bases[:2]
        if operation == "percent" and _SHARE.search(request.form.stem):
            part, whole = sorted((part, whole), key=abs)
        elif operation == "percent":  # the change from the first to the second
            part, whole = abs(whole - part), part
        unit, share = ("%", 100) if operation == "percent" else ("", 1)
        return Amount(part / whole * share, unit, unit, part / whole * share) if whole else None
    like = min(values, key=lambda value: abs(value.factor))  # the smallest unit of those that it comes from
    base = abs(bases[0] - bases[1]) if operation == "difference" else sum(bases)
    base = base / len(bases) if operation == "average" else base
    return replace(like, value=base / like.factor, base=base)


def _result(form: QuestionForm, result: Amount) -> str:
    """A result in the unit that the question names."""
    named = (found[0] for unit in _IN_UNIT.findall(form.stem) if (found := amounts(f"1 {unit}")))
    wanted = next((unit for unit in named if unit.unit), None)
    fits = wanted is not None and result.measure in ("", wanted.measure)
    return spell(result.base, wanted if fits else result)


def _chosen(request: DocumentQuery, hops: Sequence[Hop], text: str, sure: float) -> FinalAnswer:
    """The option, or the options, that the hops' answer is, else those that the text bears out."""
    options, several = dict(request.form.options), request.form.kind == "choices"
    read = [answer for hop in hops for answer in hop.answers if request.operator != "best"]
    fits = {letter: max(_alike(option, told) for told in (text, *read)) for letter, option in options.items()}
    chosen = [letter for letter, fit in fits.items() if fit >= 1.0]
    if request.operator == "value" and (several or (not chosen and max(fits.values()) < _ALIKE)):
        sure *= 1.0 if chosen else _UNSURE
        chosen += [letter for letter in fits if letter not in chosen and _stands(request, options[letter], hops)]
    if not chosen and max(fits.values()) <= 0:
        return FinalAnswer("", note=f"None of the options is what was found: {text or 'nothing'}.")
    if not several or not chosen:
        chosen = [max(chosen or fits, key=fits.__getitem__)]
    return FinalAnswer("; ".join(f"{letter}: {options[letter]}" for letter in sorted(chosen)), sure)


def _alike(option: str, answer: str) -> float:
    """How far an option is what was found: the same text, the same amounts, or which share of its words."""
    if fold(option) == fold(answer):
        return 2.0
    ours, theirs = amounts(option), amounts(answer)
    if ours and theirs and len(ours) == len(theirs):
        return 1.5 if all(map(equal, ours, theirs)) else 0.0
    wanted, held = set(terms(option)), set(terms(answer))
    return len(wanted & held) / max(1, len(wanted))


def _stands(request: DocumentQuery, option: str, hops: Sequence[Hop]) -> bool:
    """Whether the sections bear out what the stem asks with an option in its gap."""
    stem = request.form.stem
    claim = stem.replace(BLANK, option) if BLANK in stem else f"{stem.rstrip('?')} {option}"
    evidence = [e for hop in hops for e in hop.evidence if not request.refs or e.document_id in request.refs]
    found = judge(claim, evidence, request.names)
    return found is not None and found.answers == ("True",)
