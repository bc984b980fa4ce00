"""Comprehensive retrieval as a tool node: sections, and the abstractions of what they speak of (SMART, equation 12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.tools import StructuredTool

from ..cubes.core.records import Hit, Retrieval
from ..cubes.smart.perspectives import Perspectives
from ..cubes.smart.retrieval import RecalledFinding, comprehensive, everything_above
from .context import AnswerContext, Knowledge, MakeContext
from .evidence import evidence_of
from .reasoner import SMART
from .records import Evidence, FindingRecord, GroundRecord, LoopSettings
from .stated import grounds_of
from .tools import search_passages, search_tool

__all__ = ["finding_record", "search_smart", "smart_tool", "with_findings"]

_NEAR = 100
_SHARE = 2  # the abstractions' part of the context: one in two
_GROUNDS = 2  # sections that are brought along for a finding: those whose sentences are cited
_MOST = 40
_FILTERED = "abstractions are of all documents, so with filters only sections are searched"
_UNBUILT = "this asks for what many sections imply together; `multicube smart build` builds the trees that say it"


def smart_tool(default: MakeContext | None = None) -> StructuredTool:
    """Make comprehensive retrieval a tool, for subqueries about what many sections imply together."""
    does = (
        "Find what things have in common, key factors and overviews, which no single section states, beside the "
        "sections that are nearest."
    )
    return search_tool(SMART, does, search_smart, default, _noted)


def _noted(filters: dict[str, Any] | None, context: AnswerContext) -> str:
    if context.knowledge.perspectives is None:
        return _UNBUILT
    return _FILTERED if filters else ""


def search_smart(
    subquery: str, settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[Evidence]:
    """Return the base retriever's hits with the findings of their entities' abstractions, then what these rest on.

    The base retriever is the one that passages are searched with. Filters leave the abstractions out, since these
    are of all documents. Where none are built nothing is found.
    """
    known = context.knowledge.perspectives
    if known is None:
        return []
    hits = search_passages(subquery, settings, filters, context)
    if filters:
        return hits
    recalled = _recalled(known, subquery, [e.section_id for e in hits], settings, context)
    findings = [finding_record(told, grounds_of(told.finding, known, context.knowledge)) for told in recalled]
    return _with_grounds(with_findings(hits, findings), findings, subquery, context.knowledge)


def _recalled(
    known: Perspectives, subquery: str, hits: Sequence[str], settings: LoopSettings, context: AnswerContext
) -> list[RecalledFinding]:
    if settings.abstractions == "all":
        return everything_above(known, hits)
    near = context.knowledge.retriever.near_abstractions(subquery, _NEAR) if settings.dense else {}
    return comprehensive(known, subquery, hits, tokens=settings.context_tokens // _SHARE, near=near or None)


def with_findings(hits: Sequence[Evidence], findings: Sequence[FindingRecord]) -> list[Evidence]:
    """Return hits, the first of them with all findings in their order."""
    return [hits[0].model_copy(update={"findings": tuple(findings)}), *hits[1:]] if findings and hits else list(hits)


def _with_grounds(
    hits: Sequence[Evidence], findings: Sequence[FindingRecord], subquery: str, knowledge: Knowledge
) -> list[Evidence]:
    """The hits, and the first sections that each finding rests on; without hits, the findings are with these."""
    held = {each.section_id for each in hits}
    wanted = dict.fromkeys(s for one in findings for s in _resting(one)[:_GROUNDS] if s not in held)
    ground = Retrieval(tuple(Hit(s, len(hits) + n, 0.0, 0, 0, source=SMART) for n, s in enumerate(wanted, 1)))
    brought = evidence_of(Retrieval(ground.hits[:_MOST]), subquery, knowledge, SMART)
    return [*hits, *brought] if hits else with_findings(brought, findings)


def _resting(finding: FindingRecord) -> Sequence[str]:
    return [ground.section_id for ground in finding.grounds] or finding.sections


def finding_record(told: RecalledFinding, grounds: tuple[GroundRecord, ...] = ()) -> FindingRecord:
    """Return a recalled finding as evidence has it; the sections whose sentences may be cited come first."""
    found = told.finding
    sections = tuple(dict.fromkeys((*(ground.section_id for ground in grounds), *found.sections)))
    return FindingRecord(
        id=f"{told.node}/{found.id}", title=told.title, text=found.text, explanation=found.explanation,
        sections=sections, grounds=grounds,
    )  # fmt: skip
