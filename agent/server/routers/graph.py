"""The loop that answers, as nodes and edges to draw."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from ..service import Served, Service

__all__ = ["router"]

router = APIRouter(tags=["server"])


class Node(BaseModel):
    """A step of the loop; the node of a cube has the name that events give the cube, with "cube_" before it."""

    id: str
    label: str


class Edge(BaseModel):
    """What may follow what; ``conditional`` where it is a choice."""

    source: str
    target: str
    conditional: bool


class Graph(BaseModel):
    """The compiled graph of the answer loop."""

    nodes: list[Node]
    edges: list[Edge]


@router.get("/graph")
def read_graph(served: Served) -> Graph:
    """Return the answer loop as it is compiled for this knowledge base."""
    return served.kept(("graph", served.fresh.generation), lambda: _drawn(served))


def _drawn(served: Service) -> Graph:
    drawn = served.kb.graph.get_graph()
    names = {f"cube_{cube.spec.id}": cube.spec.name for cube in served.kb.kb.cubes}
    nodes = [Node(id=node, label=names.get(node, node.strip("_").replace("_", " "))) for node in drawn.nodes]
    edges = [Edge(source=e.source, target=e.target, conditional=e.conditional) for e in drawn.edges]
    return Graph(nodes=nodes, edges=edges)
