"""Comprehensive retrieval (equation 12): what is asked about decides what is said, each trait once, within a budget."""

from __future__ import annotations

import pytest
from multicube.cubes.smart.abstractions import report_on
from multicube.cubes.smart.extracts import ExtractiveReporter
from multicube.cubes.smart.perspectives import Perspectives
from multicube.cubes.smart.query import asked_about
from multicube.cubes.smart.retrieval import ASKED, ComprehensiveRetriever, comprehensive, everything_above

from .conftest import graph, trees


@pytest.fixture(scope="module")
def known() -> Perspectives:
    found = graph()
    grown = trees(found)
    return Perspectives(found, grown, tuple(report_on(found, grown, ExtractiveReporter(found))), "state-1")


@pytest.mark.parametrize(
    ("query", "members", "by"),
    [
        ("What do Bea and Dora have in common?", {"Bea", "Dora"}, set()),
        ("Give an overview of the people born in Tolm.", {"Emil", "Fay", "Gus", "Hanna"}, {"Tolm"}),
        ("What do the painters of Brask have in common?", {"Ann", "Carl"}, {"Brask", "painter"}),
        ("What do the smiths share?", {"Bea", "Dora", "Fay", "Hanna"}, {"smith"}),
        ("Who has something in common with Ann?", {"Ann"}, set()),
        ("What are the key factors?", set(), set()),
    ],
)
def test_things_groups_and_single_things_are_asked_about(
    known: Perspectives, query: str, members: set[str], by: set[str]
) -> None:
    asked = asked_about(known, query)
    assert {known.graph.entities[n].name for n in asked.members} == members
    assert {known.graph.entities[n].name for n in asked.by} == by


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (
            "What do Bea and Dora have in common?",
            {"Both persons have in common: occupation: smith (Bea and Dora).",
             "Both persons have in common: born in: Brask (Bea and Dora)."},
        ),
        (
            "Give an overview of the people born in Tolm.",
            {"2 of 4 persons have in common: occupation: painter (Emil and Gus). Not stated of Fay and Hanna.",
             "2 of 4 persons have in common: occupation: smith (Fay and Hanna). Not stated of Emil and Gus."},
        ),
        (
            "Who has something in common with Ann?",
            {"Ann has in common with Carl, Emil and Gus: occupation: painter.",
             "Ann has in common with Bea, Carl and Dora: born in: Brask."},
        ),
    ],
)  # fmt: skip
def test_what_they_share_is_counted_and_said_once(known: Perspectives, query: str, told: set[str]) -> None:
    found = comprehensive(known, query, [])
    counted = [one.finding.text for one in found if one.node == ASKED]
    assert set(counted) == told
    assert [one.node for one in found[: len(counted)]] == [ASKED] * len(counted)
    traits = [one.finding.trait for one in found if one.finding.trait]
    assert len(traits) == len(set(traits))


def test_trees_alone_say_it_of_those_who_are_asked_about_in_turns(known: Perspectives) -> None:
    found = comprehensive(known, "What do Bea and Dora have in common?", [], counting=False)
    assert [one.tree for one in found[:2]] == [0, 1]
    assert {one.finding.text for one in found[:2]} == {
        "Bea and Dora have in common: occupation: smith.", "Bea and Dora have in common: born in: Brask.",
    }  # fmt: skip
    assert not any("painter" in one.finding.trait for one in found)
    assert not comprehensive(known, "What do Bea and Dora have in common?", [], counting=False, recalling=False)


def test_it_plugs_into_any_retriever_and_keeps_within_the_budget(known: Perspectives) -> None:
    asked: list[str] = []

    def base(query: str) -> list[str]:
        asked.append(query)
        return ["Bea-1", "Ann-2"]

    found = ComprehensiveRetriever(base, known, tokens=60)("What are the key factors?")
    assert asked == ["What are the key factors?"]
    assert found.hits == ("Bea-1", "Ann-2")
    assert found.recalled
    assert sum(one.length for one in found.recalled) <= 240
    more = ComprehensiveRetriever(base, known)("What are the key factors?")
    assert len(more.recalled) > len(found.recalled)


def test_equation_12_as_printed_says_all_that_is_above_the_entities_of_the_hits(known: Perspectives) -> None:
    told = everything_above(known, ["Bea-1", "Bea-2"])
    entities = {known.graph.entities[leaf].name for leaf in known.graph.by_section["Bea-1"]} | {"Brask"}
    assert {"Bea", "smith"} <= entities
    leaves = [n for n, entity in enumerate(known.graph.entities) if entity.name in entities]
    wanted = {
        (tree, one.id, finding.id)
        for (tree, node), one in known.by_node.items()
        for finding in one.findings
        if set(known.trees[tree].members(node).tolist()) & set(leaves)
    }
    assert {(one.tree, one.node, one.finding.id) for one in told} == wanted
    assert len(told) == len(wanted)
    reports = {one.id: one for one in known.abstractions}
    for node in {one.node for one in told}:
        titles = " ".join(one.title for one in told if one.node == node)
        assert titles.count(reports[node].summary) == 1, "the whole description of a node is told, and once"
    assert tuple(told) == ComprehensiveRetriever(lambda _: ["Bea-1", "Bea-2"], known, 1, ranked=False)("Any?").recalled
    assert everything_above(known, ["nowhere"]) == []
