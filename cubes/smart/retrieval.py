"""Comprehensive retrieval (equation 12): the hits of any retriever, and the abstractions of their entities.

Equation 12 adds every node above every entity that the hits speak of, in every tree. Here these are ranked, said once,
and given room in turns, one tree after the other, until the budget is spent: no perspective crowds out the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

from ..wording import CHARS_PER_TOKEN, stems
from .abstractions import Abstraction, Community, Finding, text_of
from .perspectives import Perspectives

__all__ = ["Recalled", "recall", "shared_by_asked"]

_SAME = 0.8
"""Nodes whose leaves overlap this much (Jaccard) say the same."""
_NAMED = 2.0
"""What an entity counts that the query names, beside those that the first hit speaks of."""
_LIKE_ENOUGH = 0.5
"""How like the query a node must be that no entity leads to."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """An abstraction that was recalled, with its score and ``hits``: the sections (ids) whose entities led to it."""

    abstraction: Abstraction
    score: float
    hits: tuple[str, ...]


def recall(
    known: Perspectives,
    query: str,
    hits: Sequence[str],
    *,
    tokens: int = 1_000,
    near: Mapping[str, float] | None = None,
) -> list[Recalled]:
    """Return the abstractions that belong to hits (ids of sections, best first), within a budget of tokens.

    V' of equation 12 are the entities that hits speak of (f_extr), and those that the query names. A node counts for
    as much of V' as is under it, for how much it shares with the query, in words or as ``near`` says (cosines by
    digest), and the less the more leaves it has. Of equal nodes only the best is returned. A token is reckoned as four
    characters; the trees take turns, and what does not fit is left out.
    """
    weights, led = _entities(known, query, hits)
    scored: dict[int, list[Recalled]] = defaultdict(list)
    asked, everything = set(stems(query)), max(sum(weights.values()), 1e-9)
    for (tree, node), one in known.by_node.items():
        members = known.trees[tree].members(node).tolist()
        under = [leaf for leaf in members if leaf in weights]
        like = _likeness(one, asked, near)
        if not under and like < _LIKE_ENOUGH:
            continue
        share = sum(weights[leaf] for leaf in under) / everything
        ground = tuple(dict.fromkeys(section for leaf in under for section in led.get(leaf, ())))
        scored[tree].append(Recalled(one, (share + like) / log2(2 + len(members)), ground))
    return _balanced(known, scored, tokens * CHARS_PER_TOKEN)


def shared_by_asked(known: Perspectives, query: str) -> list[Finding]:
    """Return what the group that a query names has in common, whatever nodes the trees have.

    A group is named by its members ("Ada and Bo"), or by what they have ("the painters born in Brask"), which is no
    finding then. Without a group of at least two there is nothing.
    """
    group, by = _asked_group(known, known.named_in(query), query)
    if len(group) < 2:
        return []
    relations = tuple(r for r in known.graph.relations if r.subject in group or r.value in group)
    return known.extracts.common(Community(known.graph, tuple(sorted(group)), relations), without=by)


def _asked_group(known: Perspectives, named: Sequence[int], query: str) -> tuple[set[int], set[int]]:
    """The members of the group that names stand for, and the names that only say who is in it."""
    entities = known.graph.entities
    spelled = [n for n in named if any(name in query for name in entities[n].names)]
    kinds = Counter(entities[n].type for n in spelled)
    if kinds and (most := kinds.most_common(1)[0])[1] > 1:
        return {n for n in spelled if entities[n].type == most[0]}, set()
    bearers = {n: {r.subject for r in known.graph.relations if r.value == n} for n in named}
    group, by = set[int](), set[int]()
    for n, held in sorted(bearers.items(), key=lambda item: (len(item[1]), item[0])):
        narrowed = group & held if group else held
        if len(narrowed) > 1:  # a word that is a name by chance leaves the group as it is
            group, by = narrowed, {*by, n}
    return group, by


def _entities(
    known: Perspectives, query: str, hits: Sequence[str]
) -> tuple[dict[int, float], dict[int, dict[str, None]]]:
    """V' with weights, and the hits that each was met in: a hit's weight is parted among its entities."""
    weights: dict[int, float] = defaultdict(float)
    led: dict[int, dict[str, None]] = defaultdict(dict)
    for rank, section in enumerate(hits, 1):
        held = known.graph.by_section.get(section, ())
        for leaf in held:
            weights[leaf] += 1.0 / (rank * len(held))
            led[leaf][section] = None
    for leaf in known.named_in(query):
        weights[leaf] += _NAMED
    return dict(weights), {leaf: dict(sections) for leaf, sections in led.items()}


def _likeness(one: Abstraction, asked: set[str], near: Mapping[str, float] | None) -> float:
    """How much a node's report shares with a query, 0 to 1."""
    if near is not None:
        return max(near.get(one.digest, 0.0), 0.0)
    return len(asked & set(stems(text_of(one)))) / max(len(asked), 1)


def _balanced(known: Perspectives, scored: Mapping[int, list[Recalled]], room: int) -> list[Recalled]:
    """Let the trees take turns, each with its best that says something new and fits."""
    waiting = {tree: sorted(found, key=lambda r: (-r.score, r.abstraction.id)) for tree, found in scored.items()}
    chosen: list[Recalled] = []
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
