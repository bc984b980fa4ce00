"""The stream of one-hop subqueries that a plan asks for, each conditioned on the answers so far (eq. 10-11)."""

from __future__ import annotations

from collections.abc import Sequence

from .....cubes.core.folding import fold
from .....graphs.records import Hop
from ..plan import OpenStep, Plan, RelationStep
from ..vocabulary.linker import EntityLinker
from ..vocabulary.places import PlaceHierarchy
from .operators import evaluate
from .walk import PlanResult

__all__ = ["NextHop", "Planner"]

_LEAST = 0.1
"""The least confidence of a part's answer that the next hop goes on from (docs/ablations.md); below it, the next hop
asks in the question's words."""


class NextHop(Exception):  # noqa: N818 - a signal that ends the walk, not an error
    """The walk needs the answer of this subquery."""

    def __init__(self, subquery: str) -> None:
        super().__init__(subquery)
        self.subquery = subquery


class Planner:
    """Walks a plan along the hops already made.

    The nth new subquery of the walk is answered by the nth hop, whatever that hop's text is: so a person may
    edit a subquery or a sub-answer and the rest of the plan follows.
    """

    def __init__(self, linker: EntityLinker, places: PlaceHierarchy) -> None:
        self._linker, self._places = linker, places

    def next(self, plan: Plan, hops: Sequence[Hop]) -> str | PlanResult:
        """Return the next subquery, or what the plan came to."""
        answered: dict[str, tuple[str, ...]] = {}

        def ask(step: RelationStep | OpenStep, base: str, origin: str | None) -> tuple[str, ...]:
            subquery = self.phrase(step, base, origin)
            key = fold(subquery)
            if key not in answered:
                if len(answered) >= len(hops):
                    raise NextHop(subquery)
                hop = hops[len(answered)]
                answered[key] = _told(step, hop)
            return answered[key]

        try:
            return evaluate(plan, ask, self._places)
        except NextHop as following:
            return following.subquery

    def phrase(self, step: RelationStep | OpenStep, base: str, origin: str | None) -> str:
        """Write the subquery of a step, naming a homonym by its full label: the one whose facts have to do with the
        thing that the hop before was found from (the film), else with what it was found as (a director)."""
        if isinstance(step, OpenStep):
            return base
        if isinstance(step.base, RelationStep):
            thing = {fold(origin or "")}
            base = self._linker.by_context(self._linker.article(base), thing, {*thing, *step.base.words})
        return step.template.replace("{}", base, 1)


def _told(step: RelationStep | OpenStep, hop: Hop) -> tuple[str, ...]:
    """What a hop gives the next one to go on from: of a part, a name and nothing unlikely, but what a person said."""
    if not (isinstance(step, OpenStep) and step.inner and hop.status == "answered"):
        return hop.answers
    if hop.form == "passage":
        return (hop.bridge,) if hop.bridge else ()
    return hop.answers if hop.confidence >= _LEAST else ()
