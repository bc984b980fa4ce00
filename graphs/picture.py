"""A picture of the loop as Mermaid, drawn from the compiled graph itself."""

from __future__ import annotations

from ..cubes.model.ontology import Ontology
from .answer import build_answer_graph
from .reasoner import HIQA, SMART
from .tools import PASSAGES

__all__ = ["loop_picture"]

_ENDS = {"__start__": "question([question])", "__end__": "cited([answer with citations])"}


def loop_picture(ontology: Ontology) -> str:
    """Return the answer graph of an ontology as a Mermaid flowchart; conditional edges are dotted."""
    drawn = build_answer_graph(ontology).get_graph()
    names = {"__start__": "question", "__end__": "cited"}
    lines = [
        "flowchart TD",
        *(f"    {shape}" for shape in _ENDS.values()),
        "    subgraph tools [one tool node per cube, for passages, chapters and abstractions]",
    ]
    others = (PASSAGES, HIQA, SMART)
    lines += [f"        {name}" for name in drawn.nodes if name.startswith("cube_") or name in others]
    lines.append("    end")
    for edge in drawn.edges:
        arrow = "-.->" if edge.conditional else "-->"
        lines.append(f"    {names.get(edge.source, edge.source)} {arrow} {names.get(edge.target, edge.target)}")
    return "\n".join(lines)
