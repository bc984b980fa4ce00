"""The shape of the loop: the paper's nodes, one tool node per cube of whatever ontology is loaded."""

from __future__ import annotations

from multicube.cubes.model.ontology import load_ontology, parse_ontology
from multicube.graphs.answer import build_answer_graph, recursion_limit
from multicube.graphs.records import Evidence, Hop
from multicube.graphs.state import merge_hops

CUSTOM = """
name: medicine
cubes:
  - id: disease
    name: Disease
    description: illnesses
    subject: {id: name, name: Disease name, description: names of diseases}
"""


def test_the_loop_has_the_papers_nodes_and_a_tool_node_for_each_of_the_ten_cubes() -> None:
    ontology = load_ontology("default")
    nodes = set(build_answer_graph(ontology).get_graph().nodes)
    assert {"reason", "route", "expand", "answer", "check", "finalize", "passages", "hiqa", "smart"} <= nodes
    assert {f"cube_{cube.id}" for cube in ontology.cubes} == {n for n in nodes if n.startswith("cube_")}
    assert len(ontology.cubes) == 10


def test_another_ontology_brings_its_own_tool_nodes() -> None:
    nodes = build_answer_graph(parse_ontology(CUSTOM, "medicine.yaml")).get_graph().nodes
    assert [n for n in nodes if n.startswith("cube_")] == ["cube_disease"]


def test_every_way_through_the_loop_ends_in_finalize() -> None:
    edges = {(e.source, e.target) for e in build_answer_graph(load_ontology("default")).get_graph().edges}
    assert ("reason", "route") in edges
    assert ("answer", "check") in edges
    assert {target for source, target in edges if source == "check"} == {"reason", "finalize"}
    assert ("finalize", "__end__") in edges


def test_the_recursion_limit_leaves_room_for_every_hop() -> None:
    assert recursion_limit(6) > 6 * 6


def test_a_hop_replaces_the_one_of_its_number() -> None:
    first, second = Hop(number=1, subquery="a"), Hop(number=2, subquery="b")
    edited = Hop(number=1, subquery="c")
    assert [h.subquery for h in merge_hops([first, second], [edited])] == ["c", "b"]


def test_evidence_is_frozen() -> None:
    evidence = Evidence(section_id="s", document_id="d", record_id="r", title="t")
    assert evidence.model_dump()["rank"] == 0
