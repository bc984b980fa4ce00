"""What looking up an expansion costs beside looking up one query (issue: under three times, for twenty statements)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...agent.facade import MultiCube

__all__ = ["STATEMENTS", "Cost", "cost"]

STATEMENTS = 20
_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians over questions: milliseconds of processor and of wall-clock time for one query, and for an expansion.

    ``statements`` is the number of statements of each expansion.
    """

    statements: int
    rounds: int
    one_cpu_ms: float
    one_wall_ms: float
    many_cpu_ms: float
    many_wall_ms: float

    @property
    def ratio(self) -> float:
        """Processor time of an expansion over that of one query."""
        return self.many_cpu_ms / self.one_cpu_ms


def cost(kb: MultiCube, questions: Sequence[str], *, statements: int = STATEMENTS, rounds: int = _ROUNDS) -> Cost | None:
    """Measure both on questions in turn, each text for the first time; None where too few statements are made.

    One query is the whole question, hybrid; an expansion is the first ``statements`` that the engine supposes.
    """
    from ...graphs.records import LoopSettings

    retriever, one, many = kb.kb.retriever, list[tuple[float, float]](), list[tuple[float, float]]()
    retriever.passages("warm up", k=10)
    retriever.many(["warm up the index", "and the encoder"], k=10)
    settings = LoopSettings(expand="always", hypotheses=10)
    for question in questions:
        if len(one) == rounds:
            break
        run = kb.ask(question, settings=settings, save=False)
        texts = [s.text for hop in run.hops for s in hop.statements][:statements]
        if len(texts) < statements:
            continue
        one.append(_timed(lambda asked=question: retriever.passages(asked, k=10)))
        many.append(_timed(lambda said=texts: retriever.many(said, k=10)))
    if not one:
        return None
    return Cost(
        statements,
        len(one),
        *(median(each[n] for each in one) for n in (0, 1)),
        *(median(each[n] for each in many) for n in (0, 1)),
    )


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000
