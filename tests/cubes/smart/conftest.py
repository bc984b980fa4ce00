"""A small graph with two groupings of the same people: by trade and by town."""

from __future__ import annotations

from multicube.cubes.core.records import Fact, Section, Span
from multicube.cubes.smart.graph import EntityGraph, entity_graph
from multicube.cubes.smart.trees.encoding_trees import EncodingTree

PEOPLE = ("Ann", "Bea", "Carl", "Dora", "Emil", "Fay", "Gus", "Hanna")
TRADES = {name: "painter" if n % 2 == 0 else "smith" for n, name in enumerate(PEOPLE)}
TOWNS = {name: "Brask" if n < 4 else "Tolm" for n, name in enumerate(PEOPLE)}


def fact(section: str, subject: str, relation: str, value: str, kind: str) -> Fact:
    return Fact(section, "person", relation, subject, relation, value, kind, Span(0, 1), Span(0, 40), 0.9)


def facts(*people: str) -> list[Fact]:
    trades = [fact(f"{name}-1", name, "occupation", TRADES.get(name, "painter"), "text") for name in people]
    towns = [fact(f"{name}-2", name, "born in", TOWNS.get(name, "Brask"), "place") for name in people]
    return [*trades, *towns]


def graph(*people: str, generation: int = 0) -> EntityGraph:
    held = facts(*(people or PEOPLE))
    ids = dict.fromkeys(each.section_id for each in held)
    sections = {i: Section(i, i, i, 0, (i,), f"{i} is told of in this sentence here. More.") for i in ids}
    return entity_graph(held, sections, {"person": "name"}, generation=generation)


def trees(found: EntityGraph) -> tuple[EncodingTree, EncodingTree]:
    """One tree by trade, one by town; what neither knows goes with the first group."""
    names = [entity.name for entity in found.entities]
    by_trade = [int(TRADES.get(name, name) == "smith") for name in names]
    by_town = [int(TOWNS.get(name, name) == "Tolm") for name in names]
    return EncodingTree.of(by_trade, [0] * len(names)), EncodingTree.of(by_town, [0] * len(names))
