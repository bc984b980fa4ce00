"""What looking up an expansion costs beside looking up one query (issue: under three times, for twenty statements)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from statistics import quantiles
from typing import TYPE_CHECKING

from ....graphs.evidence import evidence_of
from ....graphs.expansion import intents_of
from ....graphs.expansion.statements import ExpansionRequest, HypothesisReasoner, Statement

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["STATEMENTS", "Cost", "Quartiles", "Times", "cost"]

STATEMENTS = 20
_EXPANSIONS, _ROUNDS, _K = 20, 5, 10
_TICK = 1e-3  # ms: a coarse clock may see nothing pass


@dataclass(frozen=True, slots=True)
class Quartiles:
    """The middle of many figures and the bounds of their middle half."""

    low: float
    median: float
    high: float


@dataclass(frozen=True, slots=True)
class Times:
    """What one look-up took, in milliseconds, and how many times what one query took just before or after it.

    ``cpu`` is processor time, of all threads, ``wall`` wall-clock time.
    """

    cpu: Quartiles
    wall: Quartiles
    times_cpu: Quartiles
    times_wall: Quartiles


@dataclass(frozen=True, slots=True)
class Cost:
    """What ``expansions`` expansions of ``statements`` statements cost, each looked up ``rounds`` times.

    ``one`` is a single query, hybrid; ``many`` the expansion as the loop looks it up; ``embedded`` the same with every
    statement embedded, whatever it names. ``encoded`` is the mean share of statements that ``many`` embeds.
    """

    statements: int
    expansions: int
    rounds: int
    one: Times
    many: Times
    embedded: Times
    encoded: float


def cost(
    kb: MultiCube, questions: Sequence[str], *, statements: int = STATEMENTS, rounds: int = _ROUNDS,
    expansions: int = _EXPANSIONS,
) -> Cost | None:  # fmt: skip
    """Measure all three on the statements that the engine supposes for some questions, in turns and in changing order.

    All are measured in one state: the index and the encoder warm, by a first round that does not count, and no text
    embedded before. An encoder remembers the vectors of single texts, so a question asked twice would cost less than
    it does; each time, a text has one blank more behind it. Where a question has fewer statements, those of
    the next ones are added. None where there are too few in all.
    """
    retriever = kb.kb.retriever
    given = list(islice(_expansions(kb, questions, statements), expansions))
    if not given:
        return None
    spent: dict[str, list[tuple[float, float]]] = {"one": [], "many": [], "embedded": []}
    for number in range(rounds + 1):
        for place, (question, said) in enumerate(given):
            texts = [one.text + " " * (number + 1) for one in said]
            works: list[tuple[str, Callable[[], object]]] = [
                ("one", partial(retriever.passages, question + " " * (number + 1), k=_K)),
                ("many", partial(retriever.many, texts, k=_K, about=[one.about for one in said])),
                ("embedded", partial(retriever.many, texts, k=_K)),
            ]
            turn = (number + place) % len(works)
            for name, work in (*works[turn:], *works[:turn]):
                spent[name].append(_timed(work))
    counted = {name: found[len(given) :] for name, found in spent.items()}
    times = {name: _times(found, counted["one"]) for name, found in counted.items()}
    shares = [not retriever.naming(one.about, k=_K) for _, said in given for one in said]
    return Cost(statements, len(given), rounds, **times, encoded=sum(shares) / len(shares))


def _times(found: Sequence[tuple[float, float]], single: Sequence[tuple[float, float]]) -> Times:
    pairs = list(zip(found, single, strict=True))
    return Times(
        *(_quartiles([each[clock] for each in found]) for clock in range(2)),
        *(_quartiles([each[clock] / max(one[clock], _TICK) for each, one in pairs]) for clock in range(2)),
    )


def _quartiles(values: Sequence[float]) -> Quartiles:
    return Quartiles(*quantiles(values, n=4, method="inclusive"))


def _expansions(kb: MultiCube, questions: Sequence[str], size: int) -> Iterator[tuple[str, Sequence[Statement]]]:
    """Statements, ``size`` at a time, with a question that they are of; nothing is embedded for it."""
    engine, waiting = kb.reasoner, dict[str, Statement]()
    if not isinstance(engine, HypothesisReasoner):
        return
    for question in questions:
        found = evidence_of(kb.kb.retriever.passages(question, k=_K, mode="bm25"), question, kb.kb, "bm25")
        expansion = ExpansionRequest("hqg", intents_of(question), size)
        waiting |= {one.text: one for one in engine.hypotheses(question, found, expansion).statements}
        if len(waiting) >= size:
            yield question, list(waiting.values())[:size]
            waiting = {}


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000
