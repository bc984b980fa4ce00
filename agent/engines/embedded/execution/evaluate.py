"""Evaluating a plan: what the values of its terms decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from .....cubes.core.dates import PartialDate, parse_date
from .....cubes.core.folding import fold
from .....cubes.core.quantities import parse_quantity
from ..answers.alternatives import bare, named_by
from ..plan import (
    AllClaims,
    AlternativePlans,
    Claim,
    CommonValue,
    Comparison,
    EntityChoice,
    JointQuestions,
    OpenStep,
    Part,
    Plan,
    QuestionEntity,
    RelationStep,
    SameValue,
    ShareOf,
    TermValue,
    ValueCount,
    WholeQuestion,
    YearsBetween,
)
from ..vocabulary.places import PlaceHierarchy
from .claims import ClaimChecker, all_of, keys
from .forms import answer_form
from .values import Ask, PlanResult, describe, name_of, values_of

__all__ = ["Ask", "PlanResult", "evaluate", "values_of"]

_Judged = Claim | AllClaims | EntityChoice | CommonValue
"""The plans that `evaluate` has no case for itself: where a case is missing, mypy says so."""


def evaluate(plan: Plan, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    """Evaluate a plan to its answer."""
    match plan:
        case TermValue(term):
            return _direct(term, ask, places)
        case Comparison():
            return _compare(plan, ask)
        case SameValue():
            return _same(plan, ask, places)
        case ValueCount():
            return _count(plan, ask)
        case ShareOf():
            return _share(plan, ask)
        case YearsBetween():
            return _age(plan, ask)
        case AlternativePlans(plans):
            return _first_of(plans, ask, places)
        case JointQuestions(terms):
            return _several(terms, ask, places)
        case WholeQuestion():
            return _one_of(plan, ask)
    return _judged(plan, ClaimChecker(ask, places), places)


def _judged(plan: _Judged, judge: ClaimChecker, places: PlaceHierarchy) -> PlanResult:
    match plan:
        case Claim():
            return _verdict([plan], judge)
        case AllClaims(claims):
            return _verdict(claims, judge)
        case EntityChoice():
            return _choose(plan, judge)
        case CommonValue(terms):
            common = judge.common(terms)
            if common:
                return PlanResult(answer_form(common, terms[0], places))
            return PlanResult(missing=f"what {' and '.join(name_of(term) for term in terms)} have in common")
    assert_never(plan)  # pragma: no cover


def _first_of(plans: Sequence[Plan], ask: Ask, places: PlaceHierarchy) -> PlanResult:
    """What a reading found on its way is not what a later one, of the whole question, may come to."""
    decision, passed = PlanResult(), set[str]()

    def noted(step: RelationStep | OpenStep, base: str, origin: str | None) -> Sequence[str]:
        found = ask(step, base, origin)
        if isinstance(step, RelationStep):
            passed.update(map(fold, found))
        return found

    for plan in plans:
        tried = evaluate(plan, noted, places)
        whole = isinstance(plan, TermValue) and isinstance(plan.term, OpenStep) and not plan.term.parts
        if tried.settled or (tried.text and not (whole and fold(tried.text) in passed)):
            return tried
        decision = decision if decision.missing else tried
    return decision


def _one_of(plan: WholeQuestion, ask: Ask) -> PlanResult:
    """The item that the whole question's answer names, as the question writes it."""
    found = values_of(plan.whole, ask)
    if not plan.items or not found:
        return PlanResult(found[0] if found else "", missing=describe(plan.whole))
    named = named_by(plan.items, found[0])
    return PlanResult(bare(named.name, plan.items)) if named is not None else PlanResult(missing=describe(plan.whole))


def _direct(term: Part, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    found = values_of(term, ask)
    if not found:
        return PlanResult(missing=describe(term))
    if isinstance(term, RelationStep) and term.want.plural:
        return PlanResult(", ".join(answer_form(value, term, places) for value in _distinct(found)))
    return PlanResult(answer_form(found[0], term, places))


def _several(terms: Sequence[Part], ask: Ask, places: PlaceHierarchy) -> PlanResult:
    decisions = [_direct(term, ask, places) for term in terms]
    found = [d.text for d in decisions if d.text]
    return PlanResult(", ".join(found)) if len(found) == len(terms) else next(d for d in decisions if not d.text)


def _verdict(claims: Sequence[Claim], judge: ClaimChecker) -> PlanResult:
    """Yes if all hold, no if one does not. What is not found is not denied."""
    missing = ""
    for claim in claims:
        verdict = judge.holds(claim)
        if verdict is False:
            return PlanResult("no")
        if verdict is None:
            missing = missing or describe(claim.term)
    return PlanResult(missing=missing) if missing else PlanResult("yes")


def _choose(plan: EntityChoice, judge: ClaimChecker) -> PlanResult:
    """The only item its claims hold for; one that nothing was found about is chosen only where all others fail."""
    verdicts = [all_of(judge.holds(claim) for claim in claims) for claims in plan.claims]
    for wanted in (True, None):
        chosen = [item for item, verdict in zip(plan.items, verdicts, strict=True) if verdict is wanted]
        if len(chosen) == 1 and (wanted or verdicts.count(False) == len(verdicts) - 1):
            return PlanResult(bare(chosen[0].name, plan.items))
    open_claims = [c[0] for c, verdict in zip(plan.claims, verdicts, strict=True) if verdict is None]
    names = " or ".join(item.name for item in plan.items)
    return PlanResult(missing=describe(open_claims[0].term) if open_claims else f"which of {names} is meant")


def _compare(plan: Comparison, ask: Ask) -> PlanResult:
    measured: list[tuple[float, str]] = []
    for position, (item, path) in enumerate(zip(plan.items, plan.paths, strict=True)):
        value = _measure(path, ask)
        if value is not None and plan.starts:
            start = _measure(plan.starts[position], ask)
            value = None if start is None else value - start
        if value is None:
            return PlanResult(missing=describe(path))
        measured.append((value, next(iter(values_of(item, ask)), name_of(item))))
    values = [value for value, _ in measured]
    best = min(values) if plan.order == "least" else max(values)
    if len(set(values)) == 1 and not plan.claimed:
        names = " and ".join(name for _, name in measured)
        return PlanResult(missing=f"which comes first, as {names} are equal in this", settled=True)
    if plan.claimed:
        return PlanResult("yes" if measured[0][0] == best and len(set(values)) > 1 else "no")
    winner = next(name for value, name in measured if value == best)
    return PlanResult(bare(winner, [QuestionEntity(name) for _, name in measured]))


def _measure(path: Part, ask: Ask) -> float | None:
    """The first value of a path that can be ordered: a date or a quantity, and no number where a date is asked for."""
    kind = path.want.kind if isinstance(path, RelationStep) else None
    for value in values_of(path, ask):
        date = None if kind == "quantity" else parse_date(value)  # "640" employees are no year
        if date is not None:
            return date.day_number()
        quantity = None if kind == "date" else parse_quantity(value)
        if quantity is not None:
            return quantity.value
    return None


def _same(plan: SameValue, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    groups = []
    for term in plan.terms:
        values = values_of(term, ask)
        if not values:
            return PlanResult(missing=describe(term))
        if plan.level == "place":  # two cities of one country are not in the same province for that
            values = [value for value in values if not places.is_country(value)] or values
        groups.append(values)
    roll_up = places.country_keys if plan.level == "country" else places.place_keys if plan.level == "place" else keys
    shared = set.intersection(*({key for value in values for key in roll_up(value)} for values in groups))
    alike = bool(shared) or (plan.level == "country" and places.same_stem(groups[0], groups[1]))
    return PlanResult("yes" if alike else "no")


def _count(plan: ValueCount, ask: Ask) -> PlanResult:
    """What the text counts is exact; the values known are only as many as the corpus tells of."""
    stated = values_of(plan.stated, ask)
    if stated:
        return PlanResult(stated[0])
    found = _distinct(values_of(plan.term, ask))
    return PlanResult(str(len(found))) if found else PlanResult(missing=describe(plan.stated))


def _share(plan: ShareOf, ask: Ask) -> PlanResult:
    """A percentage, with the two counts. What is not counted is not nought, and "about 4 percent" is no count."""
    counts: list[int] = []
    for term in (plan.whole, plan.part):
        found = next((int(value) for value in values_of(term, ask) if value.isdecimal()), 0)
        if not found:
            return PlanResult(missing=describe(term))
        counts.append(found)
    whole, part = counts
    told = f"{100 * part / whole:.0f} % ({part} of {whole})" if part <= whole else ""
    return PlanResult(told, missing=describe(plan.part))


def _age(plan: YearsBetween, ask: Ask) -> PlanResult:
    dates: list[PartialDate] = []
    for term in (plan.start, plan.end):
        date = next((d for value in values_of(term, ask) if (d := parse_date(value)) is not None), None)
        if date is None:
            return PlanResult(missing=describe(term))
        dates.append(date)
    start, end = dates
    before_birthday = (end.month or 12, end.day or 31) < (start.month or 1, start.day or 1)
    return PlanResult(str(end.year - start.year - before_birthday))


def _distinct(values: Sequence[str]) -> list[str]:
    """Each thing once, by its fullest name: "Princess Clothild of Tarsenne" stands for "Clothild" too."""
    parts = {value: set(fold(value).split()) for value in values}
    return [v for v in values if not any(parts[v] < parts[other] for other in values)]
