"""Supposing answers to search with, and reading tables, with the parts that the engine has for it (MuISQA)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell, Hypotheses, Wish
from ...graphs.records import Evidence
from .basis import Basis
from .hopreading import HopReader
from .hypotheses import Supposer
from .span import EachAlone
from .tabulating import Tabulator

__all__ = ["Supposing"]


class Supposing:
    """Makes statements of what the cubes hold; ``labels_alone`` says that no relation ties what they hold."""

    def __init__(self, basis: Basis, reader: HopReader, *, labels_alone: bool) -> None:
        self._basis, self._hops, self._labels_alone = basis, reader, labels_alone

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], wish: Wish) -> Hypotheses:
        """Return statements that an answer might make (MuISQA eq. 7).

        There are none where no relation says what could be so: what only repeats a subquery finds what its words
        find, and not what its labels are on.
        """
        if self._labels_alone and wish.strategy == "hqg" and wish.intents is None:
            return Hypotheses(())
        basis, asks = self._basis, self._basis.lexicon.asks
        supposer = Supposer(basis.cubes, basis.linker, basis.one_hop, lambda noun: asks.get(noun, ()), self._alone)
        return supposer.suppose(subquery, evidence, wish)

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[Cell]]:
        """Return the table that the sections fill, a row for each instance."""
        return Tabulator(self._hops.stated, self._alone).table(intents, evidence)

    @cached_property
    def _alone(self) -> EachAlone | None:
        return EachAlone(self._basis.spans) if self._basis.spans is not None else None
