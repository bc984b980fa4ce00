"""Systems that find sections in a way of their own, which the same engine then reads: one hop, or one at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from ....agent.app.factory import check_question
from ....agent.runs.store import new_run_id
from ....cubes.core.records import Hit, Retrieval
from ....graphs.context import AnswerContext, Knowledge
from ....graphs.evidence import cite, evidence_of, locate, merged_records, with_sentence, within
from ....graphs.reasoner import MeteredReasoner, SubAnswer
from ....graphs.records import Evidence, Hop, LoopSettings, Run, Usage
from ..protocols import RANKING_DEPTH

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["Pipeline", "RetrievedSections", "Search", "found_by", "hits_of", "hop_of", "milliseconds", "text_evidence"]


_SAID = ("answers", "confidence", "fact", "conflicts", "findings", "listed", "noun")
"""What a hop takes over from what was read."""


@dataclass(frozen=True, slots=True)
class RetrievedSections:
    """What a question is read from, in rank order; ``ranked`` are the corpus ids of these and of what comes below.

    ``hops`` are the look-ups that led there, where there was more than the one for the question itself; ``said`` is the
    answer where it is not read from evidence at all. With ``is_read`` the hops have answers of their own, of which the
    answer is composed.
    """

    evidence: list[Evidence]
    ranked: tuple[str, ...] = ()
    hops: tuple[Hop, ...] = ()
    said: SubAnswer | None = None
    note: str = ""
    is_read: bool = False


class TextSource(Protocol):
    """What a text is of: a section, a chunk."""

    @property
    def id(self) -> str:
        """What names it."""
        ...

    @property
    def document_id(self) -> str:
        """Its document."""
        ...

    @property
    def record_id(self) -> str:
        """Its document's corpus id."""
        ...


class Search(Protocol):
    """A way of finding sections for a question."""

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Index what is to be searched, where that is more than the knowledge base has; called once, and not timed.

        Returns what is to read: the engine given, or one over a view of its knowledge base.
        """
        ...

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Return the ``sections_per_hop`` best sections; the ranking goes on to `RANKING_DEPTH`."""
        ...


class Pipeline:
    """Finds by a search and reads by the engine, which composes and judges the answer as it does any other."""

    def __init__(
        self, name: str, asker: MultiCube, search: Search, settings: LoopSettings | None = None
    ) -> None:
        self.name = name
        self._asker, self._search = search.prepare(asker), search
        self._settings = settings or LoopSettings(single_shot=True)
        self._ranked: dict[str, tuple[str, ...]] = {}

    def answer(self, question: str) -> Run:
        """Find, read, compose."""
        started, at = time.perf_counter(), datetime.now(UTC).isoformat(timespec="milliseconds")
        question = check_question(question)
        context = self._context()
        found = self._search.find(question, context, self._settings)
        hops = list(found.hops)
        if not found.is_read:
            hops.append(_read(question, found, context, self._settings, milliseconds(started)))
        final = context.reasoner.finalize(question, hops if found.is_read else [_alone(hops[-1])])
        run_id = new_run_id()
        self._ranked[run_id] = found.ranked
        return Run(
            id=run_id,
            question=question,
            answer=final.text,
            status="answered" if final.text else "abstained",
            note=" ".join(filter(None, (found.note, final.note))),
            stopped="sufficient",
            confidence=final.confidence,
            citations=tuple(cite(hops)) if final.text else (),
            hops=tuple(hops),
            retrieved=tuple(merged_records(hops)),
            engine=context.reasoner.name,
            settings=self._settings,
            usage=context.reasoner.usage if isinstance(context.reasoner, MeteredReasoner) else Usage(),
            started_at=at,
            ms=milliseconds(started),
        )

    def ranking(self, run: Run) -> Sequence[str]:
        """Return what was found, and what the same search ranks below."""
        deeper = self._ranked.pop(run.id, ())
        return tuple(dict.fromkeys((*run.retrieved, *deeper)))[: max(RANKING_DEPTH, len(run.retrieved))]

    def _context(self) -> AnswerContext:
        engine = self._asker
        reasoner, deadline = engine.reasoner, time.monotonic() + self._settings.deadline_s
        thinks = reasoner.for_run(deadline) if isinstance(reasoner, MeteredReasoner) else reasoner
        return AnswerContext(thinks, engine.kb, deadline)


def _alone(hop: Hop) -> Hop:
    return hop.model_copy(update={"number": 1})


def _read(
    question: str, found: RetrievedSections, context: AnswerContext, settings: LoopSettings, retrieval_ms: float
) -> Hop:
    """Read the question's answer from all that was found, as a hop of the answer graph is read."""
    started = time.perf_counter()
    said = found.said or context.reasoner.answer(question, within(found.evidence, settings.context_tokens))
    own = 0.0 if found.hops else retrieval_ms  # look-ups before it have their own
    return hop_of(len(found.hops) + 1, question, found.evidence, said, own, own + milliseconds(started))


def hop_of(
    number: int, subquery: str, evidence: Sequence[Evidence], said: SubAnswer, retrieval_ms: float, ms: float
) -> Hop:
    """Record a look-up and what was read from it."""
    if said.section_id is not None:
        evidence = with_sentence(evidence, said.section_id, said.start, said.end)
    told: dict[str, Any] = {name: getattr(said, name) for name in _SAID}
    return Hop(
        number=number,
        subquery=subquery,
        evidence=tuple(evidence),
        notes=(said.note,) if said.note else (),
        answer=said.answers[0] if said.answers else "",
        status="answered" if said.answers else "missing",
        cited=said.section_id if said.cited else None,
        retrieval_ms=retrieval_ms,
        ms=ms,
        **told,
    )


def found_by(
    retrieval: Retrieval, question: str, context: AnswerContext, settings: LoopSettings, source: str
) -> RetrievedSections:
    """Return what a retrieval deeper than a hop found: the first sections to read, all of them to rank."""
    read = Retrieval(retrieval.hits[: settings.sections_per_hop])
    evidence = evidence_of(read, question, context.knowledge, source)
    ranked = tuple(context.knowledge.section(hit.section_id).record_id for hit in retrieval.hits)
    return RetrievedSections(evidence, tuple(dict.fromkeys(ranked)))


def text_evidence(
    held: TextSource, text: str, rank: int, score: float, question: str, knowledge: Knowledge, source: str
) -> Evidence:
    """Return evidence that is no section: a text of a document, without heading path and title."""
    span = locate(text, question)
    return Evidence(
        section_id=held.id,
        document_id=held.document_id,
        record_id=held.record_id,
        title="",
        source=knowledge.document(held.document_id).source,
        text=text,
        sentence=text[span.start : span.end],
        start=span.start,
        end=span.end,
        rank=rank,
        score=score,
        retriever=source,
    )


def hits_of(ranked: Sequence[tuple[str, float]], source: str) -> tuple[Hit, ...]:
    """Return hits for (section id, score) pairs in rank order."""
    return tuple(Hit(section_id, n, score, 0, 0, source=source) for n, (section_id, score) in enumerate(ranked, 1))


def milliseconds(started: float) -> float:
    """Milliseconds since a moment of `time.perf_counter`."""
    return (time.perf_counter() - started) * 1000
