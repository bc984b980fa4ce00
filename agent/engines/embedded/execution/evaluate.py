"""Evaluating a plan: what the values of its terms decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .....cubes.core.folding import fold
from ..plan import AlternativePlans, OpenStep, Operation, Plan, RelationStep, TermValue
from ..vocabulary.places import PlaceHierarchy
from . import operators as operators
from .forms import answer_form
from .values import Ask, PlanResult, Walk, describe

__all__ = ["Ask", "PlanResult", "evaluate"]


def evaluate(plan: Plan, ask: Ask, places: PlaceHierarchy) -> PlanResult:
    """Evaluate a plan to its answer."""
    if isinstance(plan, AlternativePlans):
        return _first_of(plan, ask, places)
    walk = Walk(ask, places)
    if isinstance(plan, Operation):
        return walk.result(plan)
    term, found = plan.term, walk.values(plan.term)
    if not found:
        return PlanResult(missing=describe(term))
    told = found if isinstance(term, RelationStep) and term.want.plural else found[:1]
    return PlanResult(", ".join(answer_form(value, term, places) for value in told))


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
