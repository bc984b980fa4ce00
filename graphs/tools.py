"""Each cube, passages and chapters (HiQA) as LangChain tools; the answer graph runs them as tool nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Any

from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolArg, StructuredTool
from langgraph.runtime import get_runtime
from pydantic import BaseModel

from ..cubes.core.records import Component, Filters, Retrieval
from ..cubes.model.ontology import CubeSpec
from .context import AnswerContext, MakeContext, context_of
from .evidence import component_records, evidence_of
from .gathering import gathered_evidence
from .reasoner import HIQA
from .records import CellRecord, Evidence, Hop, LoopSettings

__all__ = [
    "HIQA",
    "PASSAGES",
    "cube_node",
    "cube_tool",
    "hiqa_tool",
    "looked_up",
    "passage_tool",
    "search_cube",
    "search_hiqa",
    "search_passages",
    "search_tool",
    "search_whole",
    "tool_call",
    "tool_node",
]

PASSAGES = "passages"
"""Name of the tool node for passage retrieval (by words, meaning and links)."""

Artifact = dict[str, Any]

Searching = Callable[[str, LoopSettings, dict[str, Any] | None, AnswerContext], list[Evidence]]
"""Finds evidence for a subquery, within settings and filters."""
Noting = Callable[[dict[str, Any] | None, AnswerContext], str]
"""Says what is to be noted in the trace of a search with such filters; "" where nothing is."""

_CHAPTERS = 3  # times k chapters at most, where they are short
_USUAL = 600  # characters of a usual section
_WHOLE = 10  # sections for the question as a whole: as deep as a ranking is looked at


class _Search(BaseModel):
    """What a search takes; a model that calls the tool sees the subquery alone."""

    subquery: str
    state: Annotated[dict[str, Any], InjectedToolArg]


def tool_call(name: str, position: int, subquery: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the call that is sent to a tool node; ``state`` is what the search needs besides the subquery."""
    args = {"subquery": subquery, "state": dict(state)}
    return {"type": "tool_call", "name": name, "id": f"{position:03d}:{name}", "args": args}


def tool_node(tool: StructuredTool) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return the node that runs a tool on the one call it is sent.

    The tool is invoked, so that tracers and streams of events are told of it (0.4 ms). LangGraph's own node, made for a
    model's messages of many calls, starts a thread and inspects signatures for each besides.
    """

    def run(call: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [tool.invoke(call)]}

    return run


def looked_up(tool: StructuredTool, subquery: str, state: Mapping[str, Any]) -> list[Evidence]:
    """Return what a tool finds that another node turns to, with the settings and filters of the loop's ``state``."""
    shared = {"settings": state["settings"], "filters": state.get("filters") or {}}
    message: ToolMessage = tool.invoke(tool_call(tool.name, 0, subquery, shared))
    return list(message.artifact["evidence"])


def cube_node(cube_id: str) -> str:
    """Return the tool node's name for a cube."""
    return f"cube_{cube_id}"


def cube_tool(spec: CubeSpec, default: MakeContext | None = None) -> StructuredTool:
    """Make the retriever of one cube a tool: decompose the subquery (eq. 7), match its labels (eq. 8-9), rank."""

    def search(subquery: str, state: dict[str, Any]) -> tuple[str, Artifact]:
        context = context_of(get_runtime(AnswerContext), default)
        settings: LoopSettings = state.get("settings") or LoopSettings()
        if state.get("whole"):
            gathered = gathered_evidence(subquery, spec.id, state.get("filters"), context)
            if gathered is not None:
                return _reply(gathered[0], (), cells=gathered[1])
        return _reply(*search_cube(spec, subquery, settings, state.get("filters"), context))

    return StructuredTool.from_function(
        func=search,
        name=cube_node(spec.id),
        args_schema=_Search,
        response_format="content_and_artifact",
        description=f"Look up sections in the {spec.name} cube ({spec.description}) for a one-hop question.",
    )


def search_cube(
    spec: CubeSpec, subquery: str, settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> tuple[list[Evidence], Sequence[Component], str, list[CellRecord]]:
    """Decompose a subquery for one cube and look its parts up.

    Returns evidence, components, what is to be noted, and the cells that were opened.
    """
    decomposed = context.reasoner.decompose(subquery, spec.id)
    off = settings.without_dimensions
    components = tuple(part for part in decomposed.components if part.dimension not in off)
    retrieval = (
        context.knowledge.retriever.cube(
            spec.id,
            components,
            subquery,
            k=settings.sections_per_hop,
            tau=settings.tau,
            filters=Filters.from_json(filters),
            exact=settings.exact,
            dense=settings.dense,
            ranking=settings.label_ranking,
        )
        if components
        else Retrieval(())
    )
    kind = "hypercube" if spec.is_hypercube else "cube"
    evidence = evidence_of(retrieval, subquery, context.knowledge, f"{kind}:{spec.id}")
    cells = [CellRecord(cube=spec.id, labels=c.labels, holds=c.documents) for c in retrieval.cells]
    return evidence, components, "; ".join(filter(None, (decomposed.note, *retrieval.notes))), cells


def search_tool(
    name: str, description: str, search: Searching, default: MakeContext | None = None, noting: Noting | None = None
) -> StructuredTool:
    """Make a search that takes no components a tool."""

    def run(subquery: str, state: dict[str, Any]) -> tuple[str, Artifact]:
        context = context_of(get_runtime(AnswerContext), default)
        settings: LoopSettings = state.get("settings") or LoopSettings()
        filters = state.get("filters")
        evidence = search(subquery, settings, filters, context)
        return _reply(evidence, (), noting(filters, context) if noting is not None else "")

    return StructuredTool.from_function(
        func=run, name=name, args_schema=_Search, response_format="content_and_artifact", description=description
    )


def passage_tool(default: MakeContext | None = None) -> StructuredTool:
    """Make passage retrieval a tool, for subqueries that fit no cube."""
    does = "Search all sections by words and meaning, and follow the names in what is found."
    return search_tool(PASSAGES, does, search_passages, default)


def hiqa_tool(default: MakeContext | None = None) -> StructuredTool:
    """Make multi-route retrieval (HiQA) a tool, for subqueries about documents, their chapters, tables and figures."""
    does = (
        "Search the chapters, tables and figures of documents such as manuals, datasheets and reports by meaning, "
        "words and critical keywords."
    )
    return search_tool(HIQA, does, _filled, default)


def _filled(
    subquery: str, settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[Evidence]:
    """Retrieve chapters until the context is filled: of short ones more than k, with no more text than k usual ones."""
    k = settings.sections_per_hop
    wider = settings.model_copy(update={"sections_per_hop": min(100, _CHAPTERS * k)})
    found = search_hiqa(subquery, wider, filters, context)
    before = accumulate((len(e.text) for e in found), initial=0)
    return [e for n, (e, length) in enumerate(zip(found, before, strict=False)) if n < k or length < k * _USUAL]


def search_hiqa(
    subquery: str, settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[Evidence]:
    """Run multi-route retrieval (HiQA equation 2) with the weights that the settings name."""
    found = context.knowledge.retriever.hiqa(
        subquery,
        k=settings.sections_per_hop,
        alpha=settings.alpha,
        beta=settings.beta,
        filters=Filters.from_json(filters),
        dense=settings.dense,
        keywords=settings.keywords,
    )
    return evidence_of(found, subquery, context.knowledge, HIQA)


def search_passages(
    subquery: str, settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[Evidence]:
    """Run passage retrieval in the mode the settings name; beside cubes it follows links between sections."""
    if settings.retrieval == "hiqa":
        return search_hiqa(subquery, settings, filters, context)
    retriever, allowed, k = context.knowledge.retriever, Filters.from_json(filters), settings.sections_per_hop
    if settings.retrieval == "cubes":
        found = retriever.linked(subquery, k=k, filters=allowed, dense=settings.dense, follow=settings.links)
        return evidence_of(found, subquery, context.knowledge, "linked")
    mode = "bm25" if settings.retrieval == "hybrid" and not settings.dense else settings.retrieval
    found = retriever.passages(subquery, k=k, mode=mode, rrf_k=settings.rrf_k, filters=allowed)
    return evidence_of(found, subquery, context.knowledge, mode)


def search_whole(
    question: str, hops: Sequence[Hop], settings: LoopSettings, filters: dict[str, Any] | None, context: AnswerContext
) -> list[str]:
    """Return record ids for the question as a whole, to fill the places in the ranking that the hops leave open.

    Where facts have answered every hop nothing is embedded: then this is only a second opinion, should the question
    have been read as another one.
    """
    if settings.retrieval != "cubes" or settings.single_shot:
        return []
    sure = bool(hops) and all(hop.fact is not None and hop.status != "missing" for hop in hops)
    found = context.knowledge.retriever.linked(
        question,
        k=_WHOLE,
        filters=Filters.from_json(filters),
        dense=settings.dense and not sure,
        follow=settings.links,
    )
    return [context.knowledge.section(hit.section_id).record_id for hit in found.hits]


def _reply(
    evidence: list[Evidence], components: Sequence[Component], note: str = "", cells: Sequence[CellRecord] = ()
) -> tuple[str, Artifact]:
    """A tool's text for a model, findings first, and the typed artifact the graph goes on with."""
    lines = [f"[{found.id}] {found.text}" for e in evidence for found in e.findings]
    lines += [f"[{e.record_id}] {e.title}: {e.sentence}" for e in evidence]
    return "\n".join(lines) or "Nothing found.", {
        "evidence": evidence,
        "components": component_records(components),
        "note": note,
        "cells": list(cells),
    }
