"""What is compared: one query's retrieval, the loop without hypothetical queries and with them, and other strategies.

Every arm reads as many sections, ``top_k``, of one knowledge base with one engine, and has its table read by it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....graphs.expansion import intents_of
from ....graphs.records import AnswerTable, Evidence, LoopSettings, Run

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["ARMS", "LOOP", "SINGLE", "Answered", "Arm", "arms"]

SINGLE = "one query, hybrid"
LOOP = "loop, never"
HQG = "loop, HQG auto"


@dataclass(frozen=True, slots=True)
class Answered:
    """What an arm made of a question: its queries, the sections it read, best first, and the rows it answered with.

    A row's values are in the order of ``columns``; a value that was not found is "".
    """

    queries: tuple[str, ...]
    sections: tuple[Evidence, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to answer, under its settings."""

    name: str
    settings: LoopSettings

    def answer(self, kb: MultiCube, question: str) -> Answered:
        """Ask a question; nothing is saved."""
        run = kb.ask(question, settings=self.settings, save=False)
        sections = _read_from(run)[: self.settings.top_k]
        columns, rows = _cells(run.table) if run.table is not None else self._tabulated(kb, question, sections)
        return Answered(_queries(run), sections, columns, rows)

    def _tabulated(
        self, kb: MultiCube, question: str, sections: Sequence[Evidence]
    ) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """The table that the engine reads off the sections of a single query, which makes none of its own."""
        from ....graphs.expansion.statements import TableReasoner

        intents, engine = intents_of(question), kb.reasoner
        if not self.settings.single_shot or intents is None or not isinstance(engine, TableReasoner):
            return (), ()
        rows = engine.tabulate(question, intents, sections)
        return intents.columns, tuple(tuple(cell.value for cell in row) for row in rows)


def arms(top_k: int = 10, rrf_k: int = 60) -> list[Arm]:
    """Return every arm, each with ``top_k`` sections to read from."""
    same = LoopSettings(top_k=top_k, sections_per_hop=top_k, rrf_k=rrf_k)
    made: Mapping[str, Mapping[str, object]] = {
        "one query, bm25": {"retrieval": "bm25", "single_shot": True},
        "one query, dense": {"retrieval": "dense", "single_shot": True},
        SINGLE: {"retrieval": "hybrid", "single_shot": True},
        LOOP: {"expand": "never"},
        "loop, query rewriting": {"expand": "always", "strategy": "rewrite"},
        "loop, HyDE": {"expand": "always", "strategy": "hyde"},
        "loop, Core-SubQ": {"expand": "always", "strategy": "core_subq"},
        HQG: {"expand": "auto"},
        "loop, HQG always": {"expand": "always"},
    }
    return [Arm(name, same.model_copy(update=dict(changed))) for name, changed in made.items()]


ARMS = tuple(arm.name for arm in arms())


def _read_from(run: Run) -> tuple[Evidence, ...]:
    """The sections of all hops, in the order of the run's merged ranking."""
    held = {e.record_id: e for hop in reversed(run.hops) for e in reversed(hop.evidence)}
    return tuple(held[record] for record in dict.fromkeys(run.retrieved) if record in held)


def _queries(run: Run) -> tuple[str, ...]:
    """The sentences of everything that was searched with (H_mix is over the sentences of a query)."""
    asked = [hop.subquery for hop in run.hops if not hop.statements]
    said = [statement.text for hop in run.hops for statement in hop.statements]
    found = (part for text in (*asked, *said) for part in re.split(r"(?<=[.?!])\s+(?=[A-Z])", text))
    return tuple(dict.fromkeys(part for part in found if part.strip()))


def _cells(table: AnswerTable) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    return table.columns, tuple(tuple(cell.value for cell in row) for row in table.rows)
