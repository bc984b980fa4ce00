"""The stream of one-hop subqueries that a plan asks for, each conditioned on the answers so far (eq. 10-11)."""

from __future__ import annotations

from collections.abc import Sequence

from .....cubes.core.folding import fold
from .....cubes.model.cells import CubeSet
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

    def __init__(self, cubes: CubeSet, linker: EntityLinker, places: PlaceHierarchy) -> None:
        self._cubes = cubes
        self._linker = linker
        self._places = places

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
        """Write the subquery of a step, naming a homonym by its full label."""
        if isinstance(step, OpenStep):
            return base
        name = self._in_context(base, step, origin) if isinstance(step.base, RelationStep) else base
        return step.template.replace("{}", name, 1)

    def _in_context(self, name: str, step: RelationStep, origin: str | None) -> str:
        """Of several subjects called so, take the one whose facts have to do with the hop before: with the thing it was
        found from (the film) rather than with what it was found as (a director)."""
        name = self._linker.article(name)
        subjects = self._linker.link(name)
        labels = {s.label for s in subjects}
        if len(labels) < 2:
            return name
        thing = {fold(origin)} if origin is not None else set()
        role = set(step.base.words) if isinstance(step.base, RelationStep) else set()
        ranked = sorted(subjects, key=lambda s: (-self._ties(s.key, thing), -self._ties(s.key, role | thing)))
        return ranked[0].label if self._ties(ranked[0].key, role | thing) else name

    def _ties(self, key: str, before: set[str]) -> int:
        """How many of a subject's facts speak of the things before."""
        facts = self._cubes.facts_about(key)
        return sum(1 for f in facts if fold(f.value) in before or before & set(fold(f.value).split()))


def _told(step: RelationStep | OpenStep, hop: Hop) -> tuple[str, ...]:
    """What a hop gives the next one to go on from: of a part, a name and nothing unlikely, but what a person said."""
    if not (isinstance(step, OpenStep) and step.inner and hop.status == "answered"):
        return hop.answers
    if hop.form == "passage":
        return (hop.bridge,) if hop.bridge else ()
    return hop.answers if hop.confidence >= _LEAST else ()
