"""Comprehensive retrieval as a tool node: sections, and the abstractions of what they speak of (SMART, equation 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.tools import StructuredTool

from ..cubes.records import Hit, Retrieval
from ..cubes.smart.abstractions import Finding
from ..cubes.smart.retrieval import recall, shared_by_asked
from .context import AnswerContext, MakeContext
from .evidence import evidence_of
from .reasoner import SMART
from .records import Evidence, FindingRecord, LoopSettings
from .tools import search_passages, search_tool

__all__ = ["search_smart", "smart_tool"]

_NEAR = 100
_SHARE = 2  # the abstractions' part of the context: one in two
_GROUNDS = 2  # sections that are brought along for a finding
_MOST = 40
_FILTERED = "abstractions are of all documents, so with filters only sections are searched"


def smart_tool(default: MakeContext | None = None) -> StructuredTool:
    """Make comprehensive retrieval a tool, for subqueries about what many sections imply together."""
    does = (
        "Find what things have in common, key factors and overviews, which no single section states, beside the "
        "sections that are nearest."
    )
    return search_tool(SMART, does, search_smart, default, filtered=_FILTERED)


def search_smart(
    subquery: str, settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[Evidence]:
    """Return the base retriever's hits with the findings of their entities' abstractions, then what these rest on.

    The base retriever is the one that passages are searched with. Filters leave the abstractions out, since these
    are of all documents.
    """
    hits, known = search_passages(subquery, settings, filters, context), context.knowledge.perspectives
    if known is None or filters:
        return hits
    near = context.knowledge.retriever.near_abstractions(subquery, _NEAR) if settings.dense else {}
    room = settings.context_tokens // _SHARE
    recalled = recall(known, subquery, [e.section_id for e in hits], tokens=room, near=near or None)
    told = [_record("asked", "What was asked about", each) for each in shared_by_asked(known, subquery)]
    placed: dict[str, list[FindingRecord]] = {}
    first = hits[0].section_id if hits else ""
    placed[first] = list(told)
    for one in recalled:
        records = [_record(one.abstraction.id, one.abstraction.title, each) for each in one.abstraction.findings]
        placed.setdefault(one.hits[0] if one.hits else first, []).extend(records)
        told += records
    return _with_grounds(hits, placed, told, subquery, context)


def _record(node: str, title: str, found: Finding) -> FindingRecord:
    id = f"{node}/{found.id}"
    return FindingRecord(
        id=id, title=title, text=found.text, explanation=found.explanation, sections=found.sections
    )


def _with_grounds(
    hits: Sequence[Evidence],
    placed: dict[str, list[FindingRecord]],
    told: Sequence[FindingRecord],
    subquery: str,
    context: AnswerContext,
) -> list[Evidence]:
    """The hits with their findings, and the first sections that each finding rests on."""
    held = {each.section_id for each in hits}
    wanted = dict.fromkeys(s for found in told for s in found.sections[:_GROUNDS] if s not in held)
    ground = Retrieval(tuple(Hit(s, len(hits) + n, 0.0, 0, 0, source=SMART) for n, s in enumerate(wanted, 1)))
    brought = evidence_of(Retrieval(ground.hits[:_MOST]), subquery, context.knowledge, SMART)
    everything = [*hits, *brought]
    if not hits and everything:
        placed = {everything[0].section_id: [each for found in placed.values() for each in found]}
    return [
        each.model_copy(update={"findings": tuple(placed[each.section_id])}) if placed.get(each.section_id) else each
        for each in everything
    ]
