"""The answer graph: reason -> route -> cube tool nodes -> expand -> answer -> check -> (reason | finalize)."""

from __future__ import annotations

from typing import Any, cast

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from ..cubes.model.ontology import Ontology
from .comprehensive import smart_tool
from .context import AnswerContext, MakeContext
from .nodes import Nodes
from .state import AnswerInput, AnswerOutput, AnswerState
from .tools import cube_tool, hiqa_tool, passage_tool, tool_node

__all__ = ["STEPS_PER_HOP", "AnswerGraph", "build_answer_graph", "recursion_limit"]

AnswerGraph = CompiledStateGraph[AnswerState, AnswerContext, AnswerInput, AnswerOutput]

STEPS_PER_HOP = 6
"""Supersteps of one turn: reason, route, tool nodes, expand, answer, check."""


def recursion_limit(max_hops: int) -> int:
    """Return LangGraph's recursion limit for so many hops; our own checks end a run long before it."""
    return STEPS_PER_HOP * (max_hops + 1) + 4


def build_answer_graph(
    ontology: Ontology,
    *,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    default: MakeContext | None = None,
    served: bool = False,
) -> AnswerGraph:
    """Compile the loop for an ontology; one tool node for each of its cubes.

    ``default`` makes the context used when the graph runs inside another graph. LangGraph Server brings its own
    checkpointer, so none is compiled in unless given. ``served`` declares no context: a server that describes its
    graphs in JSON cannot describe ours, and ``default`` makes it.
    """
    nodes = Nodes([cube.id for cube in ontology.cubes], default)
    context = cast(type[AnswerContext], None if served else AnswerContext)
    graph = StateGraph(AnswerState, context_schema=context, input_schema=AnswerInput, output_schema=AnswerOutput)
    for name in ("reason", "route", "expand", "answer", "check", "finalize"):
        graph.add_node(name, getattr(nodes, name))
    tools = _add_tool_nodes(graph, ontology, default)
    graph.add_edge(START, "reason")
    graph.add_conditional_edges("reason", nodes.after_reason, ["route", "finalize"])
    graph.add_conditional_edges("route", nodes.dispatch, tools)
    for tool in tools:
        graph.add_edge(tool, "expand")
    graph.add_edge("expand", "answer")
    graph.add_edge("answer", "check")
    graph.add_conditional_edges("check", nodes.after_check, ["reason", "finalize"])
    graph.add_edge("finalize", END)
    return graph.compile(checkpointer=checkpointer, name="multicube")


def _add_tool_nodes(graph: Any, ontology: Ontology, default: MakeContext | None) -> list[str]:
    """Add a tool node per cube, for passages, for chapters (HiQA) and for abstractions (SMART); return their names."""
    tools = [*(cube_tool(spec, default) for spec in ontology.cubes), passage_tool(default), hiqa_tool(default)]
    tools.append(smart_tool(default))
    for tool in tools:
        graph.add_node(tool.name, tool_node(tool))
    return [tool.name for tool in tools]
