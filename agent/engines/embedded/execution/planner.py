"""The stream of one-hop subqueries that a plan asks for, each conditioned on the answers so far (eq. 10-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from .....cubes.core.folding import fold
from .....graphs.records import Hop
from ..plan import AlternativePlans, OpenStep, Operation, Plan, RelationStep, alternatives_of
from ..vocabulary.linker import EntityLinker
from ..vocabulary.places import PlaceHierarchy
from ..vocabulary.question_forms import read_asked_form
from .operators import PlanResult, answer_form, evaluate

__all__ = ["NextHop", "Planner", "asks_for_span", "going_on", "odds", "tells", "with_whole"]

_LEAST = 0.2
"""The least confidence of a part's answer that the next hop goes on from (docs/ablations.md); below it, the next hop
asks in the question's words."""
_DOUBTFUL, _SURER = 0.25, 2.7
"""How sure all hops of a question taken apart are together, below which it is asked as a whole, too; and how many times
as good the odds of that must be to count."""


class NextHop(Exception):  # noqa: N818 - a signal that ends the walk, not an error
    """The walk needs the answer of this subquery."""


class Planner:
    """Walks a plan along the hops already made.

    The nth new subquery of the walk is answered by the nth hop, whatever that hop's text is: so a person may
    edit a subquery or a sub-answer and the rest of the plan follows.
    """

    def __init__(self, linker: EntityLinker, places: PlaceHierarchy) -> None:
        self._linker, self._places = linker, places

    def next(self, plan: Plan, hops: Sequence[Hop], *, doubting: bool = True) -> str | PlanResult:
        """Return the next subquery, or what the plan came to; ``doubting`` asks the whole question besides where the
        answers of its parts are doubtful (docs/ablations.md), and the much surer one counts."""
        answered: dict[str, tuple[str, ...]] = {}

        def ask(step: RelationStep | OpenStep, base: str, origin: str | None) -> tuple[str, ...]:
            subquery = self.phrase(step, base, origin)
            key = fold(subquery)
            if key not in answered:
                if len(answered) >= len(hops):
                    raise NextHop(subquery)
                hop = hops[len(answered)]
                answered[key] = going_on(hop) if isinstance(step, OpenStep) and step.inner else hop.answers
            return answered[key]

        try:
            found = replace(evaluate(plan, ask, self._places), hops=hops[: len(answered)])
            whole = _doubted(plan, found) if doubting else None
            if whole is None or not (told := ask(whole, whole.template, None)):
                return found
            hop = hops[[*answered].index(fold(whole.template))]
            surer = hop.form == "short" and odds(hop.confidence) > _SURER * odds(_together(found))
            return PlanResult(answer_form(told[0], whole, self._places), hops=(hop,)) if surer else found
        except NextHop as following:
            return str(following)

    def phrase(self, step: RelationStep | OpenStep, base: str, origin: str | None) -> str:
        """Write the subquery of a step, naming a homonym by its full label: the one whose facts have to do with the
        thing that the hop before was found from (the film), else with what it was found as (a director)."""
        if isinstance(step, OpenStep):
            return base
        if isinstance(step.base, RelationStep):
            thing = {fold(origin or "")}
            base = self._linker.by_context(self._linker.article(base), thing, {*thing, *step.base.words})
        return step.template.replace("{}", base, 1)


def _doubted(plan: Plan, found: PlanResult) -> OpenStep | None:
    """The whole question as one hop, where it was taken apart and what that came to is doubtful; not where a person
    changed a hop, nor where a cell answers the first one: then it was taken apart rightly."""
    sure = any(hop.status == "edited" for hop in found.hops) or any(hop.fact for hop in found.hops[:1])
    doubtful = bool(found.text) and len(found.hops) > 1 and _together(found) < _DOUBTFUL and not sure
    if not doubtful or not isinstance(plan, AlternativePlans):
        return None
    return next((part for part in plan if isinstance(part, OpenStep) and not part.parts), None)


def _together(found: PlanResult) -> float:
    """How sure all hops that were answered are together."""
    return prod(hop.confidence for hop in found.hops if hop.answers)


def odds(probability: float) -> float:
    """Return how many times as likely a thing is as not."""
    return probability / max(1e-3, 1 - probability)


def going_on(hop: Hop) -> tuple[str, ...]:
    """Return what a hop that asks for a part found to go on from: a name and no verdict, nor anything unlikely, but
    what a person said."""
    if hop.status != "answered":
        return hop.answers
    if hop.form == "passage":
        return (hop.bridge,) if hop.bridge else ()
    return hop.answers if hop.confidence >= _LEAST and hop.form != "verdict" else ()


def with_whole(plan: Plan, question: str) -> Plan:
    """Return a plan with the whole question to fall back on; yes-or-no questions have no words to point at."""
    if not isinstance(plan, Operation) or not (alternatives_of(plan) or plan.operator == "common"):
        return plan
    whole = Operation("one of", (OpenStep(question),), alternatives_of(plan))
    return whole if plan.operator == "one of" else AlternativePlans((plan, whole))


def asks_for_span(subquery: str, plan: Plan | None) -> bool:
    """Whether words of a section can be the answer: not where a verdict is asked for."""
    if isinstance(plan, Operation):
        return plan.operator in ("common", "one of") or bool(plan.items)
    return plan is not None or read_asked_form(subquery).kind != "verdict"


def tells(subquery: str, plan: Plan | None) -> bool:
    """Whether how or why is asked: no cell says so, but the one that holds a cause."""
    return read_asked_form(subquery).kind == "passage" and not _is_causal(plan)


def _is_causal(plan: Plan | None) -> bool:
    return isinstance(plan, RelationStep) and any(name.startswith("cause") for name in plan.relations)
