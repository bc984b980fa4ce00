"""ChainRAG (Zhu et al. 2025): subquestions that are completed one by one, each answered along a graph of sentences."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....cubes.core.folding import fold
from ....cubes.core.records import Section
from ....cubes.retrieval.wording import names_in
from ....graphs.context import AnswerContext
from ....graphs.evidence import within
from ....graphs.records import Evidence, Hop, LoopSettings
from .pipeline import RetrievedSections, hop_of, milliseconds, text_evidence
from .sentence_vectors import Sentence, sentences_of, vectors_of
from .side_folders import encoder_of

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["ROUNDS", "SEEDS", "ChainRagSearch", "SentenceGraph"]

SEEDS, ADDED, ROUNDS = 10, 10, 3
"""Sentences that a subquestion begins with, those that each round adds, and rounds at most."""
_RARE = 20  # sentences that a name may stand in and still tie them


class SentenceGraph:
    """Which sentences are tied: by a name that few hold, or as neighbours in their section."""

    def __init__(self, held: Sequence[Sentence]) -> None:
        self._held = held
        self._names = [{fold(name) for name in (*names_in(one.text), one.title)} for one in held]
        self._holding: dict[str, list[int]] = {}
        for number, names in enumerate(self._names):
            for name in names:
                self._holding.setdefault(name, []).append(number)

    def around(self, number: int) -> Iterator[int]:
        """Yield the sentences that one is tied to."""
        near = (n for n in (number - 1, number + 1) if 0 <= n < len(self._held))
        yield from (n for n in near if self._held[n].section == self._held[number].section)
        for name in sorted(self._names[number]):
            holding = self._holding[name]
            yield from holding if len(holding) <= _RARE else ()


class ChainRagSearch:
    """Answers each subquestion from its nearest sentences; while these do not hold an answer, tied ones are added.

    The subquestions, with the answers before them put in, are the engine's, as are the readings; the final answer is
    composed of them (the paper's integration of answers).
    """

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Embed every sentence and tie the sentences by names."""
        self._encoder = encoder_of(asker.kb, "ChainRAG")
        self._sections: Sequence[Section] = asker.kb.sections()
        self._held = sentences_of(self._sections)
        self._vectors = vectors_of(asker.kb, self._encoder, self._held)
        self._graph = SentenceGraph(self._held)
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Walk along the question's subquestions; each is a hop."""
        hops: list[Hop] = []
        while len(hops) < settings.max_hops and not context.overdue():
            step = context.reasoner.next_step(question, hops)
            asked = {fold(hop.subquery) for hop in hops}
            if step.subquery is None or fold(step.subquery) in asked:
                break
            hops.append(self._hop(len(hops) + 1, step.subquery, context, settings))
        ranked = tuple(dict.fromkeys(e.record_id for hop in hops for e in hop.evidence))
        return RetrievedSections([], ranked, tuple(hops), is_read=True)

    def _hop(self, number: int, subquery: str, context: AnswerContext, settings: LoopSettings) -> Hop:
        """Look for one subquestion's answer, in ever more sentences."""
        began = started = time.perf_counter()
        cosines = self._vectors @ self._encoder.encode([subquery])[0]
        found = np.argsort(-cosines, kind="stable")[:SEEDS].tolist()
        took = 0.0
        for _ in range(ROUNDS):
            evidence = self._evidence(found, subquery, context)
            took += milliseconds(started)
            said = context.reasoner.answer(subquery, within(evidence, settings.context_tokens))
            started = time.perf_counter()
            tied = {n for one in found for n in self._graph.around(one)} - set(found)
            if said.answers or not tied:
                break
            found += sorted(tied, key=lambda n: (-float(cosines[n]), n))[:ADDED]
        return hop_of(number, subquery, evidence, said, took, milliseconds(began))

    def _evidence(self, found: Sequence[int], subquery: str, context: AnswerContext) -> list[Evidence]:
        """The sentences, put together by section in the order of the section's first."""
        by_section: dict[int, list[int]] = {}
        for n in found:
            by_section.setdefault(self._held[n].section, []).append(n)
        evidence = []
        for rank, (number, own) in enumerate(by_section.items(), 1):
            section, text = self._sections[number], " ".join(self._held[n].text for n in sorted(own))
            told = text_evidence(section, text, rank, 1.0 / rank, subquery, context.knowledge, "chainrag")
            evidence.append(told.model_copy(update={"title": section.title}))
        return evidence
