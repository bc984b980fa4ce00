"""What a query is about: things it names, or a group that has what it names; and how findings are said of these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from .abstractions import Community, Finding
from .extracts import SharedTrait, counted, named, said
from .graph import EntityGraph
from .perspectives import Perspectives

__all__ = ["AskedEntities", "asked_about", "common_of", "focused"]

_WITHIN = re.compile(r"\b(?:of|in|at|for|by|from|under|on|near|received|won|joined|attended)\s+(?:the\s+)?\Z")
"""What stands before the name of a thing that a group has to do with: "the pupils of", "those born in"."""
_QUALITIES = frozenset({"text", "nationality"})
"""Kinds of values that things have and that are none themselves: "sculptor", "Danish"."""
_MOST = 8
_NAMES, _ALL_NAMES = 8, 32
"""Names that a finding lists at least where there are more, and that all findings of one thing list together."""
_LEAST = 0.5
"""The share of those asked about that a finding of a node must hold of."""


@dataclass(frozen=True, slots=True)
class AskedEntities:
    """The entities (places) that a query is about, and ``by``, those it only names them by: no finding speaks of them.

    A single one is asked for what it has in common with others.
    """

    members: tuple[int, ...] = ()
    by: frozenset[int] = frozenset()


def asked_about(known: Perspectives, query: str) -> AskedEntities:
    """Return whom or what a query is about; nobody where it names nothing that the graph knows.

    A group is named by its members ("Ada and Bo"), or by what they have ("the painters born in Brask"); one thing
    by itself is meant itself, unless the words before it say that others have to do with it ("the pupils of Ada").
    """
    names = known.named_in(query)
    spelled = {n: place for n in names if (place := _place(known, n, query)) is not None}
    inside = {
        n for n, place in spelled.items()
        if known.graph.entities[n].type in _QUALITIES or _WITHIN.search(query[:place])
    }  # fmt: skip
    kinds = Counter(known.graph.entities[n].type for n in spelled if n not in inside)
    if kinds and (most := kinds.most_common(1)[0])[1] > 1:
        return AskedEntities(tuple(sorted(n for n in spelled if known.graph.entities[n].type == most[0])))
    group, by = _bearing(known, [n for n in names if n in inside or n not in spelled or not inside])
    single = [n for n in spelled if n not in inside]
    if single and (len(group) < 2 or not inside):
        return AskedEntities((single[0],))
    return AskedEntities(tuple(sorted(group)), frozenset(by)) if len(group) > 1 else AskedEntities()


def common_of(known: Perspectives, asked: AskedEntities) -> list[Finding]:
    """Return what those who are asked about share, counted on the graph whatever nodes the trees have."""
    members = set(asked.members)
    if not members:
        return []
    if len(members) == 1:
        members |= _co_holders(known.graph, asked.members[0])
    relations = tuple(r for r in known.graph.relations if r.subject in members or r.value in members)
    shared = known.extracts.shared(Community(known.graph, tuple(sorted(members)), relations))
    held = [s for s in shared if s.trait.other not in asked.by and not set(asked.members).isdisjoint(s.holders)][:_MOST]
    names = max(_NAMES, _ALL_NAMES // max(len(held), 1))  # who they are is what is asked for: as many as there is room
    return [replace(_of_asked(known.graph, asked, each, names), id=f"f{n}") for n, each in enumerate(held, 1)]


def focused(known: Perspectives, finding: Finding, asked: AskedEntities) -> tuple[Finding, float] | None:
    """Return a node's finding said of those who are asked about, with their share in it; None where it tells little.

    What a model or a document said in words of its own is left as it is.
    """
    holders = [known.places[id] for id in finding.about if id in known.places]
    inside = [n for n in asked.members if n in holders]
    share = len(inside) / len(asked.members)
    if not inside or share < _LEAST or (len(asked.members) > 1 and len(inside) < 2):
        return None
    if not finding.trait:
        return finding, share
    names = [known.graph.entities[n].name for n in inside]
    if len(asked.members) == 1:
        others = [known.graph.entities[n].name for n in holders if n not in inside]
        return replace(finding, text=_of_one(names[0], others, finding.trait)), share
    # The node knows of its own members alone: of whom else it is stated is not said here.
    return replace(finding, text=f"{named(names)} have in common: {finding.trait}."), share


def _of_asked(graph: EntityGraph, asked: AskedEntities, shared: SharedTrait, names: int) -> Finding:
    inside = [n for n in asked.members if n in shared.holders]
    others = [n for n in shared.holders if n not in inside]
    trait = said(shared.trait, graph)
    about = tuple(graph.entities[n].id for n in shared.holders)
    stated = f"Stated of {named([graph.entities[n].name for n in (*inside, *others)])}."
    return Finding("f1", _text(graph, asked, inside, others, trait, names), stated, shared.sections[:24], about, trait)


def _text(
    graph: EntityGraph, asked: AskedEntities, inside: Sequence[int], others: Sequence[int], trait: str, most: int
) -> str:
    """Say a trait of those who are asked about; of whom of them it is not stated is said, too."""
    names = [graph.entities[n].name for n in inside]
    if len(asked.members) == 1:
        return _of_one(names[0], [graph.entities[n].name for n in others], trait, most)
    of_type = [n for n in asked.members if graph.entities[n].type == graph.entities[inside[0]].type]
    who = counted(len(inside), len(of_type), graph.entities[inside[0]].type)
    left = [graph.entities[n].name for n in of_type if n not in inside]
    absent = f" Not stated of {named(left)}." if left else ""
    return f"{who} have in common: {trait} ({named(names)}).{absent}"


def _of_one(name: str, others: Sequence[str], trait: str, most: int = _NAMES) -> str:
    return f"{name} has in common with {named(others, most)}: {trait}."


def _place(known: Perspectives, n: int, query: str) -> int | None:
    """Where a query spells one of an entity's names; None where it only has its words."""
    spellings = (re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", query) for name in known.graph.entities[n].names)
    return min((found.start() for found in spellings if found is not None), default=None)


def _bearing(known: Perspectives, names: Collection[int]) -> tuple[set[int], set[int]]:
    """Those who have all of what names stand for, and which of the names say so."""
    bearers: dict[int, set[int]] = {n: set() for n in names}
    for relation in known.graph.relations if bearers else ():
        if relation.value in bearers:
            bearers[relation.value].add(relation.subject)
    group, by = set[int](), set[int]()
    for n, held in sorted(bearers.items(), key=lambda item: (len(item[1]), item[0])):
        narrowed = group & held if group else held
        if len(narrowed) > 1:  # a word that is a name by chance leaves the group as it is
            group, by = narrowed, {*by, n}
    return group, by


def _co_holders(graph: EntityGraph, one: int) -> set[int]:
    """Those who are tied to something that an entity is tied to in the same direction."""
    ahead = {r.value for r in graph.relations if r.subject == one}
    behind = {r.subject for r in graph.relations if r.value == one}
    return {r.subject for r in graph.relations if r.value in ahead} | {
        r.value for r in graph.relations if r.subject in behind
    }
