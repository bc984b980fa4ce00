"""`SupposingReasoner`: the embedded engine that also supposes answers to search with, and reads tables (MuISQA)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell, Hypotheses, Wish
from ...graphs.reasoner import SubAnswer
from ...graphs.records import Evidence
from .hypotheses import Supposer
from .reasoner import EmbeddedReasoner
from .span import EachAlone
from .tabulating import Tabulator

__all__ = ["SupposingReasoner"]


class SupposingReasoner(EmbeddedReasoner):
    """`EmbeddedReasoner` with `graphs.expansion.statements.Hypothesising` and `Tabulating`."""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], wish: Wish) -> Hypotheses:
        """Return statements made of what the cubes hold; see `hypotheses.Supposer`."""
        asks = self._lexicon.asks
        supposer = Supposer(self._cubes, self._linker, self._one_hop, lambda noun: asks.get(noun, ()), self._alone)
        return supposer.suppose(subquery, evidence, wish)

    def tabulate(
        self,
        question: str,  # noqa: ARG002 - its intents say it all
        intents: Intents,
        evidence: Sequence[Evidence],
    ) -> Sequence[Sequence[Cell]]:
        """Return the table that the sections fill, a row for each instance."""
        return Tabulator(self._stated, self._alone).table(intents, evidence)

    @cached_property
    def _alone(self) -> EachAlone | None:
        return EachAlone(self._spans) if self._spans is not None else None

    def _stated(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """What facts and plain sentences of the evidence answer; the span reader is asked by itself."""
        plan = self._grammar(subquery)
        return self._walked(plan, evidence) if plan is not None else SubAnswer()
