"""Comprehensive retrieval (equation 12): the hits of any retriever, and the abstractions of their entities.

Equation 12 adds every node above every entity that the hits speak of, in every tree. Here these are ranked, said once,
and given room in turns, one tree after the other, until the budget is spent: no perspective crowds out the others.

It is a plug-in: `ComprehensiveRetriever` wraps any base retriever, `comprehensive` takes hits that are there already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2

from ..retrieval.wording import CHARS_PER_TOKEN, stems
from .abstractions import Abstraction, Finding, text_of
from .extracts import OWN_WORDS
from .perspectives import Perspectives
from .query import AskedEntities, asked_about, common_of, focused

__all__ = [
    "ASKED",
    "ComprehensiveResult",
    "ComprehensiveRetriever",
    "RecalledAbstraction",
    "RecalledFinding",
    "comprehensive",
    "everything_above",
    "recall",
]

ASKED = "asked"
"""Names what was counted for those who are asked about, where a node's id stands otherwise."""
_SAME = 0.8
"""Nodes whose leaves overlap this much (Jaccard) say the same."""
_NAMED = 2.0
"""What the entities count that the query is about, beside those that the first hit speaks of."""
_LIKE_ENOUGH = 0.5
"""How like the query a node must be that no entity leads to."""
_LATER = 0.9
"""What a finding counts beside the one before it in its report."""

Base = Callable[[str], Sequence[str]]
"""A base retriever f_IR: the ids of the sections that it finds for a query, best first."""


@dataclass(frozen=True, slots=True)
class RecalledAbstraction:
    """An abstraction that was recalled, with its score and ``hits``: the sections (ids) whose entities led to it."""

    abstraction: Abstraction
    score: float
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecalledFinding:
    """A finding that was recalled: of the node ``node`` ("1.2.7") of tree ``tree``, or counted for those `ASKED` about.

    ``title`` is that of the node's report.
    """

    node: str
    title: str
    finding: Finding
    score: float
    tree: int = -1

    @property
    def length(self) -> int:
        """How many characters of a context it takes."""
        return len(self.finding.text) + len(self.finding.explanation)


@dataclass(frozen=True, slots=True)
class ComprehensiveResult:
    """What comprehensive retrieval returns: the base retriever's hits ⊕ what the abstractions of their entities say."""

    hits: tuple[str, ...]
    recalled: tuple[RecalledFinding, ...]


@dataclass(frozen=True, slots=True)
class ComprehensiveRetriever:
    """F(Q, D, f_IR) of equation 12 around any base retriever, the abstractions within ``tokens``.

    ``ranked`` False adds all of them as the equation is printed (`everything_above`), however long that is.
    """

    base: Base
    known: Perspectives
    tokens: int = 1_000
    ranked: bool = True

    def __call__(self, query: str) -> ComprehensiveResult:
        """Return the base retriever's hits for a query, and what the abstractions of their entities say."""
        hits = tuple(self.base(query))
        if not self.ranked:
            return ComprehensiveResult(hits, tuple(everything_above(self.known, hits)))
        return ComprehensiveResult(hits, tuple(comprehensive(self.known, query, hits, tokens=self.tokens)))


def everything_above(known: Perspectives, hits: Sequence[str]) -> list[RecalledFinding]:
    """Return equation 12's sum as printed: for each entity that hits speak of, the reports on every node above it.

    A report's summary stands once, with the title of its first finding. Entities come in the order of the hits, then
    trees, then levels from the leaves up. A node that several entities lead to is said once.
    """
    entities = dict.fromkeys(leaf for section in hits for leaf in known.graph.by_section.get(section, ()))
    above = dict.fromkeys(
        (number, node) for leaf in entities for number, tree in enumerate(known.trees) for node in tree.path(leaf)
    )
    said = ((tree, known.by_node[tree, node]) for tree, node in above if (tree, node) in known.by_node)
    return [
        RecalledFinding(one.id, one.title if number else f"{one.title}. {one.summary}", finding, 1.0, tree)
        for tree, one in said
        for number, finding in enumerate(one.findings)
    ]


def comprehensive(
    known: Perspectives,
    query: str,
    hits: Sequence[str],
    *,
    tokens: int = 1_000,
    near: Mapping[str, float] | None = None,
    counting: bool = True,
    recalling: bool = True,
) -> list[RecalledFinding]:
    """Return what abstractions say beside hits (ids of sections, best first), within a budget of tokens.

    Where the query is about certain things, only what holds of them is said, and of them first: what they share,
    counted on the graph (``counting``), then the findings of the nodes above them (``recalling``). Otherwise the
    findings of the nodes that `recall` ranks. Every trait is said once; the trees take turns. ``near`` are cosines of
    abstractions with the query, by digest. Findings that do not fit are left out; a token is reckoned as four
    characters.
    """
    asked = asked_about(known, query)
    direct = [
        RecalledFinding(
            ASKED, "What was asked about", finding, 1.0
        ) for finding in (common_of(known, asked) if counting else ())
    ]
    queues: dict[int, list[RecalledFinding]] = defaultdict(list)
    if recalling:
        for tree, found in _scored(known, query, hits, near, asked).items():
            each = (recalled for one in found for recalled in _told(known, one, tree, asked))
            queues[tree] = sorted(each, key=lambda recalled: (-recalled.score, recalled.node, recalled.finding.id))
    return _fitting(direct, [queues[tree] for tree in sorted(queues)], tokens * CHARS_PER_TOKEN)


def recall(
    known: Perspectives,
    query: str,
    hits: Sequence[str],
    *,
    tokens: int = 1_000,
    near: Mapping[str, float] | None = None,
) -> list[RecalledAbstraction]:
    """Return the abstractions that belong to hits (ids of sections, best first), within a budget of tokens.

    V' of equation 12 are the entities that hits speak of (f_extr), and those that the query is about. A node counts for
    as much of V' as is under it, for how much it shares with the query, in words or as ``near`` says (cosines by
    digest), and the less the more leaves it has. Of equal nodes only the best is returned. A token is reckoned as four
    characters; the trees take turns, and what does not fit is left out.
    """
    scored = _scored(known, query, hits, near, asked_about(known, query))
    return _balanced(known, scored, tokens * CHARS_PER_TOKEN)


def _scored(
    known: Perspectives, query: str, hits: Sequence[str], near: Mapping[str, float] | None, asked: AskedEntities
) -> Mapping[int, list[RecalledAbstraction]]:
    """Score every node that entities of the hits or the query lead to, by tree."""
    weights, led = _entities(known, query, hits, asked)
    scored: dict[int, list[RecalledAbstraction]] = defaultdict(list)
    words, everything = set(stems(query)), max(sum(weights.values()), 1e-9)
    for (tree, node), one in known.by_node.items():
        members = known.trees[tree].members(node).tolist()
        under = [leaf for leaf in members if leaf in weights]
        like = _likeness(one, words, near)
        if not under and like < _LIKE_ENOUGH:
            continue
        share = sum(weights[leaf] for leaf in under) / everything
        ground = tuple(dict.fromkeys(section for leaf in under for section in led.get(leaf, ())))
        scored[tree].append(RecalledAbstraction(one, (share + like) / log2(2 + len(members)), ground))
    return scored


def _told(known: Perspectives, one: RecalledAbstraction, tree: int, asked: AskedEntities) -> Iterator[RecalledFinding]:
    """Yield a node's findings with their scores: those that hold of who is asked about, by how many of them."""
    score, by = one.score, {known.graph.entities[n].name for n in asked.by}
    for finding in one.abstraction.findings:
        score *= _LATER
        if not asked.members:
            own = finding.explanation == OWN_WORDS
            yield RecalledFinding(one.abstraction.id, one.abstraction.title, finding, score / 2 if own else score, tree)
        elif (found := focused(known, finding, asked)) is not None and not any(name in finding.trait for name in by):
            said, share = found
            yield RecalledFinding(
                one.abstraction.id, one.abstraction.title, said, share + score if said.trait else score, tree
            )


def _fitting(
    direct: Sequence[RecalledFinding], queues: Sequence[list[RecalledFinding]], room: int
) -> list[RecalledFinding]:
    """Say what was counted first, then let the trees take turns, each with its best that says something new."""
    chosen: list[RecalledFinding] = []
    known: set[str] = set()

    def fits(recalled: RecalledFinding) -> bool:
        # Relations to the same thing are one trait, however a node words them.
        says = recalled.finding.trait.partition(": ")[2] or recalled.finding.trait or recalled.finding.text
        if says in known or recalled.length > room - sum(one.length for one in chosen):
            return False
        known.add(says)
        return True

    chosen.extend(recalled for recalled in direct if fits(recalled))
    waiting = [iter(queue) for queue in queues]
    while waiting:
        for queue in list(waiting):
            best = next((recalled for recalled in queue if fits(recalled)), None)
            if best is None:
                waiting.remove(queue)
            else:
                chosen.append(best)
    return chosen


def _entities(
    known: Perspectives, query: str, hits: Sequence[str], asked: AskedEntities
) -> tuple[dict[int, float], dict[int, dict[str, None]]]:
    """V' with weights, and the hits that each was met in: a hit's weight is parted among its entities."""
    weights: dict[int, float] = defaultdict(float)
    led: dict[int, dict[str, None]] = defaultdict(dict)
    for rank, section in enumerate(hits, 1):
        held = known.graph.by_section.get(section, ())
        for leaf in held:
            weights[leaf] += 1.0 / (rank * len(held))
            led[leaf][section] = None
    for leaf in {*known.named_in(query), *asked.members}:
        weights[leaf] += _NAMED
    return dict(weights), {leaf: dict(sections) for leaf, sections in led.items()}


def _likeness(one: Abstraction, asked: set[str], near: Mapping[str, float] | None) -> float:
    """How much a node's report shares with a query, 0 to 1."""
    if near is not None:
        return max(near.get(one.digest, 0.0), 0.0)
    return len(asked & set(stems(text_of(one)))) / max(len(asked), 1)


def _balanced(
    known: Perspectives, scored: Mapping[int, list[RecalledAbstraction]], room: int
) -> list[RecalledAbstraction]:
    """Let the trees take turns, each with its best that says something new and fits."""
    waiting = {tree: sorted(found, key=lambda r: (-r.score, r.abstraction.id)) for tree, found in scored.items()}
    chosen: list[RecalledAbstraction] = []
    leaves: list[frozenset[int]] = []
    while any(waiting.values()):
        for tree in sorted(waiting):
            while waiting[tree]:
                best = waiting[tree].pop(0)
                one = best.abstraction
                under = frozenset(known.trees[tree].members(one.node).tolist())
                length = len(text_of(one))
                if length <= room and not any(_overlap(under, other) >= _SAME for other in leaves):
                    room -= length
                    chosen.append(best)
                    leaves.append(under)
                    break
    return chosen


def _overlap(one: frozenset[int], other: frozenset[int]) -> float:
    return len(one & other) / len(one | other)
