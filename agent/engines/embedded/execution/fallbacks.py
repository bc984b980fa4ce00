"""Reading a question that compares or chooses as a whole, where its plan finds nothing of what it asks."""

from __future__ import annotations

from .....cubes.core.folding import fold
from ..answers.alternatives import alternatives_of
from ..plan import Attempts, Choice, Comparison, Direct, OneOf, Open, Plan, Shared, Step
from ..questions.open_plans import over_cubes
from ..questions.reading import YES_NO
from ..syntax.question_forms import read_asked_form

__all__ = ["asks_for_span", "takes_form", "tells", "with_whole"]


def with_whole(plan: Plan, question: str) -> Plan:
    """Return a plan with the whole question to fall back on; yes-or-no questions have no words to point at."""
    match plan:
        case Choice() | Comparison():
            names = alternatives_of(plan)
            return Attempts((plan, OneOf(Open(question), names))) if names else plan
        case OneOf(_, names):
            return OneOf(Open(question), names)
        case Shared():
            return Attempts((plan, OneOf(Open(question))))
    return plan


def asks_for_span(subquery: str, plan: Plan | None) -> bool:
    """Whether words of a section can be the answer: not where a verdict is asked for, or what a thing is."""
    if plan is None:
        return fold(subquery.split(" ", 1)[0]) not in YES_NO
    if isinstance(plan, (Choice, OneOf, Shared, Comparison)):
        return not (isinstance(plan, Comparison) and plan.claimed)
    return isinstance(plan, Direct) and not (isinstance(plan.term, Step) and plan.term.want.kind in ("class", "truth"))


def takes_form(plan: Plan | None) -> bool:
    """Whether sentences may say in their own way what is asked: not where cells are to judge or to hold it."""
    if not isinstance(plan, Direct):
        return plan is None
    return not over_cubes(plan.term) or (isinstance(plan.term, Step) and plan.term.want.kind == "class")


def tells(subquery: str, plan: Plan | None) -> bool:
    """Whether how or why is asked: no cell says so, but the one that holds a cause."""
    step = plan.term if isinstance(plan, Direct) else None
    causal = isinstance(step, Step) and any(name.startswith("cause") for name in step.relations)
    return read_asked_form(subquery).kind == "passage" and not causal
