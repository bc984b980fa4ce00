"""`SupposingReasoner`: the embedded engine that also supposes answers to search with, and reads tables (MuISQA)."""

from __future__ import annotations

from collections.abc import Sequence

from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell, Hypotheses, Wish
from ...graphs.records import Evidence
from .hypotheses import Supposer
from .reasoner import EmbeddedReasoner
from .tabulating import Tabulator

__all__ = ["SupposingReasoner"]


class SupposingReasoner(EmbeddedReasoner):
    """`EmbeddedReasoner` with `graphs.expansion.statements.Hypothesising` and `Tabulating`."""

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], wish: Wish) -> Hypotheses:
        """Return statements made of what the cubes hold; see `hypotheses.Supposer`."""
        asks = self._lexicon.asks
        read = self._spans.read if self._spans is not None else None
        supposer = Supposer(self._cubes, self._linker, self._one_hop, lambda noun: asks.get(noun, ()), read)
        return supposer.suppose(subquery, evidence, wish)

    def tabulate(
        self,
        question: str,  # noqa: ARG002 - its intents say it all
        intents: Intents,
        evidence: Sequence[Evidence],
    ) -> Sequence[Sequence[Cell]]:
        """Return the table that the sections fill, a row for each instance."""
        read = self._spans.read if self._spans is not None else None
        return Tabulator(self.answer, read).table(intents, evidence)
