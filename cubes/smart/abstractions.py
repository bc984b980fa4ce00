"""What the internal nodes of the trees say (equation 11): title, summary and findings, with what they rest on.

A node is reported as a *community*: its leaves, what is said of them, and the reports of the nodes below. Who writes is
a `Reporter`: the extractive one (see `extracts`), or a language model by Table 6's prompt. A report depends on its
community alone, whose `digest` says when it has to be written again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from .graph import EntityGraph, Relation
from .trees.encoding_trees import EncodingTree, TreeNode

__all__ = ["Abstraction", "Community", "Finding", "Report", "Reporter", "node_id", "report_on", "text_of"]

Step = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Finding:
    """One insight: ``text`` says it in a sentence, ``explanation`` with examples; ``sections`` (ids) are its ground.

    ``id`` names it within its report ("f1"). ``about`` are the entities (ids) it holds of, where that is known;
    ``trait`` is what these have in common ("born in: Brask"), where that was counted.
    """

    id: str
    text: str
    explanation: str
    sections: tuple[str, ...]
    about: tuple[str, ...] = ()
    trait: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a reporter says of a community."""

    title: str
    summary: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Abstraction:
    """An internal node with its report. Trees are numbered from 0, levels from 1, right above the leaves.

    ``digest`` is that of its community and reporter.
    """

    tree: int
    level: int
    number: int
    digest: str
    title: str
    summary: str
    findings: tuple[Finding, ...]

    @property
    def node(self) -> TreeNode:
        """The node of its tree."""
        return TreeNode(self.level, self.number)

    @property
    def id(self) -> str:
        """What a person calls it: tree, level and number ("1.2.7"), trees counted from 1."""
        return node_id(self.tree, self.node)

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that its findings rest on, those of the first finding first."""
        return tuple(dict.fromkeys(section for finding in self.findings for section in finding.sections))


@dataclass(frozen=True, eq=False)
class Community:
    """A node's leaves (``members``, places in the graph), and the ``relations`` that one of them takes part in.

    ``below`` are the reports of the nodes right below, largest first.
    """

    graph: EntityGraph
    members: tuple[int, ...]
    relations: tuple[Relation, ...]
    below: tuple[Abstraction, ...] = ()

    @property
    def digest(self) -> str:
        """Changes with its members, what is said of them, and where; not with the numbers that a graph gives them."""
        entities, digest = self.graph.entities, hashlib.blake2b(digest_size=16)
        for one in sorted((entities[m] for m in self.members), key=lambda e: e.id):
            digest.update(repr((one.id, one.name, one.type, one.description)).encode())
        said = (
            (entities[r.subject].id, r.relation, entities[r.value].id, entities[r.value].name, r.strength, r.sections)
            for r in self.relations
        )
        for line in sorted(map(repr, said)):
            digest.update(line.encode())
        return digest.hexdigest()


class Reporter(Protocol):
    """Writes the reports of communities (equation 11's M)."""

    @property
    def version(self) -> str:
        """What its reports depend on besides their communities."""
        ...

    def report(self, community: Community) -> Report:
        """Write one report."""
        ...


def node_id(tree: int, node: TreeNode) -> str:
    """Return what a person calls a node: tree (from 1), level and number."""
    return f"{tree + 1}.{node.level}.{node.number}"


def text_of(abstraction: Abstraction) -> str:
    """Return what is embedded of a node, and what is read as its description (equation 11)."""
    return "\n".join([abstraction.title, abstraction.summary, *(finding.text for finding in abstraction.findings)])


def report_on(
    graph: EntityGraph,
    trees: Sequence[EncodingTree],
    reporter: Reporter,
    *,
    known: Mapping[str, Abstraction] | None = None,
    step: Step | None = None,
) -> Iterator[Abstraction]:
    """Yield the abstraction of every internal node of every tree, the lowest levels first.

    ``known`` are earlier abstractions by digest: what has not changed is not written again. Equal communities, of
    several trees or levels, are written once. ``step`` is told how many of how many are done. A node of one leaf says
    no more than the leaf and has none.
    """
    written = dict(known or {})
    touching = _touching(graph)
    nodes = [(n, node) for n, tree in enumerate(trees) for node in tree.internals() if len(tree.members(node)) > 1]
    done: dict[tuple[int, TreeNode], Abstraction] = {}
    for count, (number, node) in enumerate(nodes, 1):
        below = [done[number, child] for child in trees[number].children(node) if (number, child) in done]
        community = _community(graph, trees[number], node, touching, below)
        digest = hashlib.blake2b(f"{community.digest}/{reporter.version}".encode(), digest_size=16).hexdigest()
        found = written.get(digest)
        told: Report | Abstraction = found if found is not None else reporter.report(community)
        made = Abstraction(number, node.level, node.number, digest, told.title, told.summary, told.findings)
        written[digest] = done[number, node] = made
        yield made
        if step is not None:
            step(count, len(nodes))


def _community(
    graph: EntityGraph,
    tree: EncodingTree,
    node: TreeNode,
    touching: Sequence[Sequence[int]],
    below: Sequence[Abstraction],
) -> Community:
    members = tuple(int(leaf) for leaf in tree.members(node))
    said = sorted({place for member in members for place in touching[member]})
    largest = sorted(below, key=lambda one: (-len(tree.members(one.node)), one.number))
    return Community(graph, members, tuple(graph.relations[place] for place in said), tuple(largest))


def _touching(graph: EntityGraph) -> list[list[int]]:
    """Of every entity the places of the relations it takes part in."""
    found: list[list[int]] = [[] for _ in graph.entities]
    for place, relation in enumerate(graph.relations):
        for end in {relation.subject, relation.value}:
            found[end].append(place)
    return found
