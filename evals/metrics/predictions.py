"""What an evaluation keeps of each answered question, and the file that lets a killed one continue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ...graphs.records import AnswerTable, Evidence, Hop, ModelUsage, Run
from ..datasets.dataset import Question
from ..support import RowLog

__all__ = [
    "CitationSummary",
    "HopSummary",
    "Passage",
    "Prediction",
    "PredictionLog",
    "Snippet",
    "failure",
    "from_run",
    "gold_hop_count",
    "total_spent",
]

Status = Literal["answered", "abstained", "failed"]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HopSummary(_Record):
    """A hop without the texts of its evidence: ``retrieved`` are corpus ids in rank order."""

    number: int
    subquery: str
    cubes: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    retrieved: tuple[str, ...] = ()
    fallback: str | None = None
    answer: str = ""
    answers: tuple[str, ...] = ()
    status: str = ""
    confidence: float = 0.0
    sentence: str = ""
    retrieval_ms: float = 0.0


class CitationSummary(_Record):
    """A sentence that the answer rests on: of which corpus record, and for which hop of the run."""

    record_id: str
    sentence: str = ""
    hop: int = 0


class Passage(_Record):
    """A retrieved section as it was read; ``title`` is its heading path, the document's title first."""

    record_id: str
    title: str = ""
    text: str


class Snippet(_Record):
    """Gold characters of a corpus record's text, ``end`` excluded (LegalBench-RAG)."""

    record_id: str
    start: int
    end: int


class Prediction(_Record):
    """One system's answer to one question, beside its gold.

    ``gold`` are the accepted spellings: none where the corpus does not hold the answer, None where it is not known.
    ``retrieved`` are corpus ids in rank order, each once. ``confidence`` is the engine's probability that the answer
    is right, 0 where there is none; ``stopped`` says why its loop ended. ``error`` is the one sentence of a failed
    question. ``retrieval_ms`` is the sum over the hops; both times are None for a failed question. ``usage`` is what a
    language model cost, None where none was asked.

    ``citations`` are what the answer cites, ``rows`` its table (field -> value), where it is one. ``gold_rows`` are the
    rows asked for (field -> accepted spellings), ``gold_perspectives`` key phrases of each point of view,
    ``gold_snippets`` the gold characters, ``hops_gold`` how many hops the data set says. ``passages`` are the sections
    retrieved, best first, kept where gold is looked for in their words: with ``gold_rows`` or ``gold_snippets``.
    """

    system: str
    id: str
    question: str
    type: str = ""
    gold: tuple[str, ...] | None
    supporting: tuple[str, ...] = ()
    hops_gold: int | None = None
    gold_rows: tuple[dict[str, tuple[str, ...]], ...] = ()
    gold_perspectives: tuple[tuple[str, ...], ...] = ()
    gold_snippets: tuple[Snippet, ...] = ()
    answer: str = ""
    status: Status
    confidence: float = 0.0
    note: str = ""
    stopped: str = ""
    error: str | None = None
    retrieved: tuple[str, ...] = ()
    hops: tuple[HopSummary, ...] = ()
    citations: tuple[CitationSummary, ...] = ()
    rows: tuple[dict[str, str], ...] | None = None
    passages: tuple[Passage, ...] = ()
    question_ms: float | None = None
    retrieval_ms: float | None = None
    usage: ModelUsage | None = None


def from_run(system: str, question: Question, run: Run, ranking: Iterable[str], ms: float) -> Prediction:
    """Keep what scoring and reading need of a run that took ``ms`` milliseconds."""
    if run.status in ("failed", "paused", "running"):
        return failure(system, question, run.note or "The run ended without an answer.")
    answered = run.status == "answered" and bool(run.answer.strip())
    given, found = _given(system, question), tuple(dict.fromkeys(ranking))
    return Prediction(
        **given,
        answer=run.answer if answered else "",
        status="answered" if answered else "abstained",
        confidence=round(run.confidence, 4) if answered else 0.0,
        note=run.note,
        stopped=run.stopped,
        retrieved=found,
        hops=tuple(_summary(hop) for hop in run.hops),
        citations=tuple(
            CitationSummary(record_id=c.record_id, sentence=c.sentence, hop=c.hop) for c in run.citations if answered
        ),
        rows=_rows(run.table) if answered and run.table is not None else None,
        passages=_passages(run.hops, found) if given["gold_rows"] or given["gold_snippets"] else (),
        question_ms=round(ms, 3),
        retrieval_ms=round(sum(hop.retrieval_ms for hop in run.hops), 3),
        usage=_spent(run),
    )


def total_spent(predictions: Iterable[Prediction]) -> ModelUsage:
    """Return what the language models cost in all."""
    return reduce(ModelUsage.plus, (row.usage for row in predictions if row.usage is not None), ModelUsage())


def _spent(run: Run) -> ModelUsage | None:
    if not (run.usage.requests or run.usage.cached):
        return None
    return ModelUsage(**run.usage.model_dump(exclude={"stages"}))


def gold_hop_count(question: Question) -> int | None:
    """Return over how many hops a question goes, as far as its data set says: by number, or by the gold chain."""
    if question.hops is not None:
        return question.hops
    chains = (chain for chain in (question.decomposition, question.evidences) if isinstance(chain, Sequence))
    return next((len(chain) for chain in chains if chain and not isinstance(chain, str)), None)


def failure(system: str, question: Question, error: str) -> Prediction:
    """Record that a system failed on a question, with the sentence that says why."""
    return Prediction(**_given(system, question), status="failed", error=error)


class PredictionLog(RowLog[Prediction]):
    """``predictions.jsonl``: one line per system and question."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Prediction)


def _given(system: str, question: Question) -> dict[str, Any]:
    return {
        "system": system,
        "id": question.id,
        "question": question.question,
        "type": question.type,
        "gold": question.answers,
        "supporting": question.supporting,
        "hops_gold": gold_hop_count(question),
        "gold_rows": tuple(map(_spelled, question.rows)),
        "gold_perspectives": _perspectives(question.perspectives),
        "gold_snippets": tuple(
            Snippet(record_id=record, start=start, end=end) for record, start, end in question.snippets
        ),
    }


def _perspectives(given: Any) -> tuple[tuple[str, ...], ...]:
    """Return the key phrases of each point of view, in whichever form the data set has them."""
    listed = given if isinstance(given, Sequence) else ()
    told = [each.get("keys") if isinstance(each, Mapping) else each for each in listed]
    return tuple(
        (keys,) if isinstance(keys, str) else tuple(map(str, keys)) for keys in told if isinstance(keys, str | Sequence)
    )


def _spelled(row: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return a gold row with the accepted spellings of each field; none where it has no value."""
    return {
        field: (value,) if isinstance(value, str) else tuple(map(str, value or ())) for field, value in row.items()
    }


def _rows(table: AnswerTable) -> tuple[dict[str, str], ...]:
    """Return a table's rows by field; a column's name that stands there already gets its place behind it."""
    names: list[str] = []
    for place, column in enumerate(table.columns, start=1):
        names.append(f"{column} ({place})" if column in names else column)
    return tuple(dict(zip(names, (cell.value for cell in row), strict=False)) for row in table.rows)


def _passages(hops: Sequence[Hop], ranking: Sequence[str]) -> tuple[Passage, ...]:
    """Return the sections of all hops, each once, in the order of their records in the ranking."""
    across: Iterable[Evidence | None] = (found for row in zip_longest(*(hop.evidence for hop in hops)) for found in row)
    first: dict[str, Evidence] = {}
    for found in across:
        if found is not None:
            first.setdefault(found.section_id, found)
    places = {record: place for place, record in enumerate(ranking)}
    ordered = sorted(first.values(), key=lambda found: places.get(found.record_id, len(places)))
    return tuple(
        Passage(record_id=e.record_id, title=" ".join(dict.fromkeys((e.title, *e.path))), text=e.text) for e in ordered
    )


def _summary(hop: Hop) -> HopSummary:
    evidence = hop.evidence
    return HopSummary(
        number=hop.number,
        subquery=hop.subquery,
        cubes=hop.cubes,
        components=tuple(f"{part.cube}.{part.dimension} = {part.entity}" for part in hop.components),
        retrieved=tuple(dict.fromkeys(found.record_id for found in evidence)),
        fallback=hop.fallback,
        answer=hop.answer,
        answers=hop.answers,
        status=hop.status,
        confidence=round(hop.confidence, 4),
        sentence=hop.fact.sentence if hop.fact else "",
        retrieval_ms=round(hop.retrieval_ms, 3),
    )
