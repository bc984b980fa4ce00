"""What looking up an expansion costs beside looking up one query (issue: under three times, for twenty statements)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from ...graphs.evidence import evidence_of
from ...graphs.expansion import intents_of
from ...graphs.expansion.statements import Hypothesising, Statement, Wish

if TYPE_CHECKING:
    from ...agent.facade import MultiCube

__all__ = ["STATEMENTS", "Cost", "cost"]

STATEMENTS = 20
_ROUNDS, _K = 30, 10


@dataclass(frozen=True, slots=True)
class Cost:
    """Medians over expansions of ``statements`` statements, in milliseconds of processor time and of wall-clock time.

    ``one`` is a single query, hybrid; ``many`` the expansion as the loop looks it up; ``embedded`` the same with every
    statement embedded, whatever it names. ``encoded`` is the mean share of statements that ``many`` embeds.
    """

    statements: int
    rounds: int
    one_cpu_ms: float
    one_wall_ms: float
    many_cpu_ms: float
    many_wall_ms: float
    embedded_cpu_ms: float
    embedded_wall_ms: float
    encoded: float


def cost(
    kb: MultiCube, questions: Sequence[str], *, statements: int = STATEMENTS, rounds: int = _ROUNDS
) -> Cost | None:
    """Measure all three on the statements that the engine supposes for some questions, each text for the first time.

    Where a question has fewer statements, those of the next ones are added. None where there are too few in all.
    """
    retriever = kb.kb.retriever
    retriever.many(["warm the index up", "and the encoder"], k=_K)
    timed: list[tuple[tuple[float, float], ...]] = []
    shares: list[float] = []
    for question, said in _expansions(kb, questions, statements):
        texts, about = [one.text for one in said], [one.about for one in said]
        works = (
            partial(retriever.passages, question, k=_K),
            partial(retriever.many, texts, k=_K, about=about),
            partial(retriever.many, texts, k=_K),
        )
        timed.append(tuple(_timed(work) for work in works))
        shares.append(sum(not retriever.naming(name, k=_K) for name in about) / len(texts))
        if len(timed) == rounds:
            break
    if not timed:
        return None
    one_cpu, one_wall, many_cpu, many_wall, embedded_cpu, embedded_wall = (
        median(each[what][clock] for each in timed) for what in range(3) for clock in range(2)
    )
    return Cost(
        statements, len(timed), one_cpu, one_wall, many_cpu, many_wall, embedded_cpu, embedded_wall,
        sum(shares) / len(shares),
    )  # fmt: skip


def _expansions(kb: MultiCube, questions: Sequence[str], size: int) -> Iterator[tuple[str, Sequence[Statement]]]:
    """Statements, ``size`` at a time, with a question that they are of; nothing is embedded for it."""
    engine, waiting = kb.reasoner, dict[str, Statement]()
    if not isinstance(engine, Hypothesising):
        return
    for question in questions:
        found = evidence_of(kb.kb.retriever.passages(question, k=_K, mode="bm25"), question, kb.kb, "bm25")
        wish = Wish("hqg", intents_of(question), size)
        waiting |= {one.text: one for one in engine.hypotheses(question, found, wish).statements}
        if len(waiting) >= size:
            yield question, list(waiting.values())[:size]
            waiting = {}


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000
