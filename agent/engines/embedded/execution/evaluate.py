"""Evaluating a plan: what the values of its terms decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from .....cubes.core.folding import fold
from ..answers.alternatives import bare, named_by
from ..plan import AlternativePlans, OpenStep, Operation, Plan, RelationStep, TermValue, WholeQuestion
from ..vocabulary.places import PlaceHierarchy
from .comparing import distinct
from .forms import answer_form
from .operators import Walk
from .values import Ask, PlanResult, describe, values_of

__all__ = ["Ask", "PlanResult", "evaluate", "values_of"]


def evaluate(plan: Plan, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    """Evaluate a plan to its answer."""
    match plan:
        case TermValue():
            return _direct(plan, ask, places)
        case Operation():
            return Walk(ask, places).result(plan)
        case WholeQuestion():
            return _one_of(plan, ask)
        case AlternativePlans():
            return _first_of(plan, ask, places)
    assert_never(plan)  # pragma: no cover


def _direct(plan: TermValue, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    term = plan.term
    found = values_of(term, ask, places)
    if not found:
        return PlanResult(missing=describe(term))
    if isinstance(term, RelationStep) and term.want.plural:
        return PlanResult(", ".join(answer_form(value, term, places) for value in distinct(found)))
    return PlanResult(answer_form(found[0], term, places))


def _one_of(plan: WholeQuestion, ask: Ask) -> PlanResult:
    """The item that the whole question's answer names, as the question writes it."""
    found = values_of(plan.whole, ask)
    if not plan.items or not found:
        return PlanResult(found[0] if found else "", missing=describe(plan.whole))
    named = named_by(plan.items, found[0])
    return PlanResult(bare(named.name, plan.items)) if named is not None else PlanResult(missing=describe(plan.whole))


def _first_of(plans: Iterable[Plan], ask: Ask, places: PlaceHierarchy) -> PlanResult:
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
