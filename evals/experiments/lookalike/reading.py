"""One reader for every variant: the loop of the embedded engine, with a variant's ranking in place of its retrieval.

The sections given to the reader are those at the top of the ranking that a context budget has room for, as in HiQA
(2,000 tokens; its Table 7 varies it).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ....cubes.core.folding import fold
from ....cubes.core.records import Section
from ....graphs.evidence import cite, locate, merged_records, with_sentence, within
from ....graphs.reasoner import Reasoner
from ....graphs.records import Evidence, Hop, LoopSettings, Run
from .arms import Arm

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["BUDGETS", "ArmSystem", "WholeSystem"]

BUDGETS = (2_000, 4_000, 8_000)
_DEEPEST = 120
"""Segments that are looked at; the budget cuts far above."""


@dataclass(frozen=True)
class ArmSystem:
    """A variant that answers questions under a budget; a system as the other evaluations' are.

    ``pools`` are the documents that a question (by its text) is looked for in, where not in all.
    """

    arm: Arm
    reasoner: Reasoner
    budget: int = BUDGETS[0]
    pools: Mapping[str, frozenset[str]] = field(default_factory=dict)
    among: int | None = None

    @property
    def name(self) -> str:
        """The variant, its budget, and among how many documents it looks, if not among all."""
        return f"{self.arm.spec.name} @{self.budget}" + (f" of {self.among}" if self.among is not None else "")

    def answer(self, question: str) -> Run:
        """Run the loop: subquery, ranking, reading, until the engine has enough."""
        started, hops = time.perf_counter(), list[Hop]()
        for _ in range(LoopSettings().max_hops):
            step = self.reasoner.next_step(question, hops)
            if step.subquery is None or fold(step.subquery) in {fold(hop.subquery) for hop in hops}:
                break
            hops.append(self._hop(question, len(hops) + 1, step.subquery))
        final = self.reasoner.finalize(question, hops)
        return Run(
            id="",
            question=question,
            answer=final.text,
            status="answered" if final.text else "abstained",
            note=final.note,
            confidence=final.confidence,
            citations=tuple(cite(hops)) if final.text else (),
            hops=tuple(hops),
            retrieved=tuple(merged_records(hops)),
            ms=(time.perf_counter() - started) * 1000,
        )

    def ranking(self, run: Run) -> Sequence[str]:
        """The documents cited, then those retrieved."""
        return _cited_first(run)

    def _hop(self, question: str, number: int, subquery: str) -> Hop:
        started = time.perf_counter()
        evidence = [_located(item, subquery) for item in within(self._evidence(question, subquery), self.budget)]
        taken = (time.perf_counter() - started) * 1000
        found = self.reasoner.answer(subquery, evidence)
        if found.section_id is not None:
            evidence = with_sentence(evidence, found.section_id, found.start, found.end)
        return Hop(
            number=number,
            subquery=subquery,
            evidence=tuple(evidence),
            answer=found.answers[0] if found.answers else "",
            answers=found.answers,
            status="answered" if found.answers else "missing",
            confidence=found.confidence,
            fact=found.fact,
            cited=found.section_id if found.cited else None,
            notes=(found.note,) if found.note else (),
            retrieval_ms=taken,
        )

    def _evidence(self, question: str, subquery: str) -> list[Evidence]:
        ranked = self.arm.rank(subquery, self.pools.get(question), most=_DEEPEST)
        return [
            _evidence(self.arm.segments[each.ordinal], place, each.score) for place, each in enumerate(ranked, start=1)
        ]


@dataclass(frozen=True)
class WholeSystem:
    """What a user gets: `MultiCube.ask`, whose router may ask the cubes as well."""

    kb: MultiCube
    name: str = "MultiCube.ask"

    def answer(self, question: str) -> Run:
        """Ask it."""
        return self.kb.ask(question, save=False)

    def ranking(self, run: Run) -> Sequence[str]:
        """The documents cited, then those retrieved."""
        return _cited_first(run)


def _cited_first(run: Run) -> Sequence[str]:
    return tuple(dict.fromkeys((*(each.record_id for each in run.citations), *run.retrieved)))


def _evidence(segment: Section, rank: int, score: float) -> Evidence:
    return Evidence(
        section_id=segment.id,
        document_id=segment.document_id,
        record_id=segment.record_id,
        title=segment.title,
        path=segment.path,
        text=segment.text,
        rank=rank,
        score=score,
        retriever="hiqa",
    )


def _located(item: Evidence, subquery: str) -> Evidence:
    """Mark the sentence that fits the subquery best."""
    span = locate(item.text, subquery)
    return item.model_copy(
        update={"sentence": item.text[span.start : span.end], "start": span.start, "end": span.end}
    )
