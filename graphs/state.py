"""The state that travels through the answer graph and into its checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from langchain_core.messages import AnyMessage, ToolMessage
from typing_extensions import TypedDict  # the one whose schema pydantic can tell on Python 3.11

from .records import (
    AnswerForm,
    AnswerTable,
    CellRecord,
    Citation,
    ComponentRecord,
    Evidence,
    FactRecord,
    FigureRecord,
    Hop,
    ListedField,
    ListedRecord,
    LoopSettings,
    MatchRecord,
    PartsRecord,
    Quote,
    StatementRecord,
    TableCell,
    Usage,
)

__all__ = ["CHECKPOINT_TYPES", "AnswerInput", "AnswerOutput", "AnswerState", "gather_calls", "left_over", "merge_hops"]

CHECKPOINT_TYPES: tuple[type, ...] = (
    AnswerTable,
    CellRecord,
    Citation,
    ComponentRecord,
    Evidence,
    FactRecord,
    FigureRecord,
    Hop,
    ListedField,
    ListedRecord,
    LoopSettings,
    MatchRecord,
    PartsRecord,
    Quote,
    StatementRecord,
    TableCell,
    Usage,
)
"""Types that a checkpointer must be allowed to read back."""


def merge_hops(old: Sequence[Hop], new: Sequence[Hop] | None) -> list[Hop]:
    """Reducer: a hop replaces the one of its number, so that replaying a step never doubles it; None starts anew."""
    if new is None:
        return []
    by_number = {hop.number: hop for hop in (*old, *new)}
    return [by_number[number] for number in sorted(by_number)]


def gather_calls(old: Sequence[AnyMessage] | None, new: Sequence[AnyMessage] | AnyMessage | None) -> list[AnyMessage]:
    """Reducer: collects the tool messages of one hop in call order; None starts a new hop."""
    if new is None:
        return []
    added = list(new) if isinstance(new, Sequence) else [new]
    gathered = {m.tool_call_id: m for m in (*(old or ()), *added) if isinstance(m, ToolMessage)}
    return [gathered[key] for key in sorted(gathered)]


class AnswerInput(TypedDict, total=False):
    """What starts a run: the question, and optionally settings and filters."""

    question: str
    settings: LoopSettings
    filters: dict[str, Any]


class AnswerOutput(TypedDict, total=False):
    """What a run ends with."""

    answer: str
    form: AnswerForm
    quote: Quote | None
    confidence: float
    note: str
    stopped: str
    hops: list[Hop]
    table: AnswerTable | None
    citations: list[Citation]
    closest: list[Quote]
    retrieved: list[str]


class AnswerState(TypedDict, total=False):
    """Everything the nodes share.

    ``begun`` is the question that the hops are of. ``subquery`` to ``notes`` belong to the hop under way;
    ``pending`` is the next subquery that the sufficiency check already obtained (prompt A.2 returns it with the
    decision).
    """

    question: str
    settings: LoopSettings
    filters: dict[str, Any]
    begun: str
    hops: Annotated[list[Hop], merge_hops]
    subquery: str
    pending: str | None
    cubes: list[str]
    tools: list[str]
    route_reason: str
    messages: Annotated[list[AnyMessage], gather_calls]
    components: list[ComponentRecord]
    evidence: list[Evidence]
    fallback: str | None
    expanded: str
    statements: list[StatementRecord]
    cells: list[CellRecord]
    notes: list[str]
    started: float
    hop_started: float
    retrieval_ms: float
    stopped: str
    note: str
    answer: str
    form: AnswerForm
    quote: Quote | None
    confidence: float
    table: AnswerTable | None
    citations: list[Citation]
    closest: list[Quote]
    retrieved: list[str]


def left_over(state: AnswerState) -> bool:
    """Whether what is there of hops belongs to the question before, on a thread that is asked several."""
    return bool(state.get("stopped")) or state.get("begun", state.get("question")) != state.get("question")
