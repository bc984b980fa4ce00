"""Reading a question that compares or chooses as a whole, where its plan finds nothing of what it asks."""

from __future__ import annotations

from .....cubes.core.folding import fold
from ..plan import AlternativePlans, OpenStep, Operation, Plan, RelationStep, TermValue, alternatives_of, over_cubes
from ..syntax.question_forms import read_asked_form
from ..vocabulary.wordlists import YES_NO

__all__ = ["asks_for_span", "takes_form", "tells", "with_whole"]


def with_whole(plan: Plan, question: str) -> Plan:
    """Return a plan with the whole question to fall back on; yes-or-no questions have no words to point at."""
    if not isinstance(plan, Operation) or not (alternatives_of(plan) or plan.operator == "common"):
        return plan
    whole = Operation("one of", (OpenStep(question),), alternatives_of(plan))
    return whole if plan.operator == "one of" else AlternativePlans((plan, whole))


def asks_for_span(subquery: str, plan: Plan | None) -> bool:
    """Whether words of a section can be the answer: not where a verdict is asked for, or what a thing is."""
    if plan is None:
        return fold(subquery.split(" ", 1)[0]) not in YES_NO
    if isinstance(plan, Operation):
        return plan.operator in ("common", "one of") or bool(plan.items)
    term = plan.term if isinstance(plan, TermValue) else None
    return term is not None and not (isinstance(term, RelationStep) and term.want.kind in ("class", "truth"))


def takes_form(plan: Plan | None) -> bool:
    """Whether sentences may say in their own way what is asked: not where cells are to judge or to hold it."""
    if not isinstance(plan, TermValue):
        return plan is None
    return not over_cubes(plan.term) or (isinstance(plan.term, RelationStep) and plan.term.want.kind == "class")


def tells(subquery: str, plan: Plan | None) -> bool:
    """Whether how or why is asked: no cell says so, but the one that holds a cause."""
    step = plan.term if isinstance(plan, TermValue) else None
    causal = isinstance(step, RelationStep) and any(name.startswith("cause") for name in step.relations)
    return read_asked_form(subquery).kind == "passage" and not causal
