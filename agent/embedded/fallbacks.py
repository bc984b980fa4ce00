"""Reading a question that compares or chooses as a whole, where its plan finds nothing of what it asks."""

from __future__ import annotations

from ...cubes.folding import fold
from .plan import Attempts, Choice, Comparison, Direct, Entity, OneOf, Open, Plan, Shared, Step
from .questions import YES_NO

__all__ = ["asks_for_span", "with_whole"]


def with_whole(plan: Plan, question: str) -> Plan:
    """Return a plan with the whole question to fall back on; yes-or-no questions have no words to point at."""
    match plan:
        case Choice(items) | Comparison(items, claimed=False):
            names = tuple(item for item in items if isinstance(item, Entity))
            whole = OneOf(Open(question), names)
            return Attempts((plan, whole)) if len(names) == len(items) else plan
        case Shared():
            return Attempts((plan, OneOf(Open(question))))
    return plan


def asks_for_span(subquery: str, plan: Plan | None) -> bool:
    """Whether words of a section can be the answer: not where a verdict is asked for, or what a thing is."""
    if plan is None:
        return fold(subquery.split(" ", 1)[0]) not in YES_NO
    if isinstance(plan, (Choice, Shared, Comparison)):
        return not (isinstance(plan, Comparison) and plan.claimed)
    return isinstance(plan, Direct) and not (isinstance(plan.term, Step) and plan.term.want.kind in ("class", "truth"))
