"""A supervisor of several specialists, each a graph of its own; the one for documents is ours, as a subgraph.

Run: ``python examples/supervisor.py [KB]``; without a knowledge base it builds one from the bundled sample. The
supervisor here decides by a rule; a model could decide just as well. It shares with our graph what has the same name
in both states (``question``, ``answer``, ``citations``), and has a context of its own.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict

import multicube
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from multicube import MultiCube

SAMPLE = Path(multicube.__file__).parent / "evals" / "sample" / "corpus.jsonl"
QUESTIONS = ("What is 17 + 25?", "Where was the director of the film The Salt Lantern born?")
SUM = re.compile(r"(\d+)\s*\+\s*(\d+)")


class State(TypedDict, total=False):
    question: str
    answer: str
    citations: list[Any]
    report: str


@dataclass
class Context:
    """The supervisor's own context: who asks."""

    user: str


def choose(state: State) -> Literal["sums", "documents"]:
    """Send a question to the specialist that it is for."""
    return "sums" if SUM.search(state["question"]) else "documents"


def sums(state: State) -> State:
    """A specialist that needs no documents."""
    found = SUM.search(state["question"])
    return {"answer": str(int(found[1]) + int(found[2])) if found else "", "citations": []}


def report(state: State, runtime: Runtime[Context]) -> State:
    """Say what came out, with its sources."""
    sources = "".join(f"\n  [{c.number}] {c.title}: {c.sentence}" for c in state["citations"])
    return {"report": f"{runtime.context.user}, the answer is: {state['answer'] or 'not known'}{sources}"}


def supervisor(kb: MultiCube) -> Any:
    """Compile the graph around ours."""
    graph = StateGraph(State, context_schema=Context)
    graph.add_node("sums", sums)
    graph.add_node("documents", kb.graph)
    graph.add_node("report", report)
    graph.add_conditional_edges(START, choose)
    graph.add_edge("sums", "report")
    graph.add_edge("documents", "report")
    graph.add_edge("report", END)
    return graph.compile()


def main(kb: MultiCube, questions: tuple[str, ...] = QUESTIONS) -> list[str]:
    """Ask the supervisor, and return its reports."""
    graph, reports = supervisor(kb), []
    for question in questions:
        state = graph.invoke({"question": question}, context=Context(user="Ann"))
        print(f"{question}\n{state['report']}")
        reports.append(state["report"])
    return reports


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with MultiCube.open(sys.argv[1]) as opened:
            main(opened)
    else:
        with tempfile.TemporaryDirectory() as folder, MultiCube.build([SAMPLE], Path(folder) / "kb") as built:
            main(built)
