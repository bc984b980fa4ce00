"""Reports without a language model: what the members of a community share, counted, and their own sentences.

A *trait* is a relation to the same thing, or from it: of nine people seven may have "occupation: painter", of five
films three may be "directed by: Ann". Counted against how common a trait is in the whole graph, traits are what a group
has in common that no single passage says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from ..folding import fold_words
from .abstractions import Community, Finding, Report
from .graph import EntityGraph, Relation

__all__ = ["ExtractiveReporter", "Shared", "Trait", "named", "shared_traits"]

_FINDINGS = 8
_NAMES = 8
_SECTIONS = 24
_SENTENCES = 2
_CHARS = 300
_RARE = 0.1
"""What a trait counts that is no commoner in the community than elsewhere."""
_KINDS = frozenset({"text", "name"})
"""Kinds of values that say nothing of what a thing is."""


class Trait(NamedTuple):
    """A relation to ``other`` (a place in the graph), or, not ``forward``, from it."""

    relation: str
    other: int
    forward: bool


Lift = Callable[[str, Trait, int, int], float]
"""How much commoner a trait is among so many of a type than everywhere."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A trait that ``holders`` have, out of ``others`` and themselves: all members of one type."""

    trait: Trait
    type: str
    holders: tuple[int, ...]
    others: tuple[int, ...]
    sections: tuple[str, ...]
    weight: float

    @property
    def among(self) -> int:
        """How many members of the type there are."""
        return len(self.holders) + len(self.others)


class ExtractiveReporter:
    """Writes reports by counting; the same for the same community and graph. It knows one graph."""

    def __init__(self, graph: EntityGraph) -> None:
        self._graph = graph
        self._types = Counter(entity.type for entity in graph.entities)
        self._common: Counter[tuple[str, Trait]] = Counter()
        for trait, held in _traits(graph.relations).items():
            for holder in held:
                self._common[graph.entities[holder].type, trait] += 1

    @property
    def version(self) -> str:
        """The way of counting."""
        return "extracts/1"

    def common(self, community: Community, without: Collection[int] = ()) -> list[Finding]:
        """Return what members share, the most telling first; traits that lead to ``without`` are left out."""
        shared = [s for s in shared_traits(community, self._lift) if s.trait.other not in without]
        return [self._finding(n, each) for n, each in enumerate(shared[:_FINDINGS], 1)]

    def report(self, community: Community) -> Report:
        """Say what the members are, what they share, and how they are tied."""
        shared = shared_traits(community, self._lift)[:_FINDINGS]
        findings = [self._finding(n, each) for n, each in enumerate(shared, 1)]
        findings += self._sentences(community, len(findings))
        leading = self._leading(community)
        title = ", ".join(self._graph.entities[n].name for n in leading[:3])
        if shared:
            title = f"{_said(shared[0].trait, self._graph)} ({title})"
        kinds = Counter(_type_name(self._graph.entities[m].type, 2) for m in community.members)
        counted = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common(4))
        told = " ".join(finding.text for finding in findings[:3])
        return Report(_short(title, 120), f"{len(community.members):,} entities: {counted}. {told}", tuple(findings))

    def _finding(self, number: int, shared: Shared) -> Finding:
        one, many, count = self._graph.entities, _type_name(shared.type, shared.among), len(shared.holders)
        everyone = f"Both {many}" if count == 2 else f"All {count:,} {many}"
        who = everyone if count == shared.among else f"{count:,} of {shared.among:,} {many}"
        told = f"{who} have in common: {_said(shared.trait, self._graph)}"
        examples = f"Stated of {named([one[n].name for n in shared.holders])}."
        absent = f" Not stated of {named([one[n].name for n in shared.others])}." if shared.others else ""
        names = named([one[n].name for n in shared.holders], 5)
        return Finding(f"f{number}", f"{told} ({names}).", examples + absent, shared.sections[:_SECTIONS])

    def _lift(self, type: str, trait: Trait, held: int, among: int) -> float:
        """How much more of the community than of the whole graph have a trait, as a logarithm."""
        share, everywhere = held / among, self._common[type, trait] / max(self._types[type], 1)
        return log(max(share / everywhere, 1.0)) if everywhere else 0.0

    def _leading(self, community: Community) -> list[int]:
        """The members by how many relations they take part in."""
        ties: Counter[int] = Counter()
        for relation in community.relations:
            ties[relation.subject] += 1
            ties[relation.value] += 1
        return sorted(community.members, key=lambda m: (-ties[m], self._graph.entities[m].id))

    def _sentences(self, community: Community, before: int) -> list[Finding]:
        """The sentences that share most words with those of the other members: what is said of them, in their words."""
        told = [self._graph.entities[m] for m in self._leading(community)[:100] if self._graph.entities[m].description]
        spelled = [set(fold_words(entity.description)) for entity in told]
        common = Counter(word for each in spelled for word in each)
        score = [sum(common[w] - 1 for w in each) / max(len(each), 6) for each in spelled]
        best = sorted(range(len(told)), key=lambda n: (-score[n], n))
        texts = dict.fromkeys(_short(told[n].description, _CHARS) for n in best)
        sections = {_short(e.description, _CHARS): e.sections[:1] for e in told}
        return [
            Finding(f"f{n}", text, "In the documents' own words.", sections[text])
            for n, text in enumerate(list(texts)[:_SENTENCES], before + 1)
        ]


def shared_traits(community: Community, lift: Lift | None = None) -> list[Shared]:
    """Return the traits that at least two members of one type have by at least two sections, the most telling first.

    ``lift`` says how much commoner than elsewhere each is; without it only the number of holders counts.
    """
    entities, members = community.graph.entities, set(community.members)
    by_type: dict[str, list[int]] = defaultdict(list)
    for member in community.members:
        by_type[entities[member].type].append(member)
    found = []
    for trait, held in _traits(community.relations).items():
        types: dict[str, list[int]] = defaultdict(list)
        for holder in held:
            if holder in members:
                types[entities[holder].type].append(holder)
        for type, holders in types.items():
            # Where one section says it of all of them, it is no implicit fact.
            if len(holders) > 1 and len({section for holder in holders for section in held[holder]}) > 1:
                rise = lift(type, trait, len(holders), len(by_type[type])) if lift is not None else 0.0
                found.append(_shared(trait, type, holders, by_type[type], held, rise))
    return sorted(found, key=lambda each: (-each.weight, each.trait.relation, entities[each.trait.other].id))


def _shared(
    trait: Trait,
    type: str,
    holders: list[int],
    all_of_type: list[int],
    held: Mapping[int, tuple[str, ...]],
    rise: float,
) -> Shared:
    holding = set(holders)
    others = tuple(m for m in all_of_type if m not in holding)
    # One section of each holder first, so that what is cited speaks of as many of them as it can.
    rows = [held[holder] for holder in sorted(holders)]
    first = [row[0] for row in rows if row]
    sections = tuple(dict.fromkeys([*first, *(section for row in rows for section in row)]))
    weight = min(len(holders), len(sections)) * (_RARE + rise) * (0.5 + 0.5 * len(holders) / len(all_of_type))
    return Shared(trait, type, tuple(sorted(holders)), others, sections, weight)


def _traits(relations: Iterable[Relation]) -> dict[Trait, dict[int, tuple[str, ...]]]:
    """Every trait with who has it, and where that is said."""
    found: dict[Trait, dict[int, tuple[str, ...]]] = defaultdict(dict)
    for each in relations:
        found[Trait(each.relation, each.value, True)][each.subject] = each.sections
        found[Trait(each.relation, each.subject, False)][each.value] = each.sections
    return found


def _said(trait: Trait, graph: EntityGraph) -> str:
    other = graph.entities[trait.other].name
    return f"{trait.relation}: {other}" if trait.forward else f"{other} ({trait.relation})"


def named(names: Sequence[str], most: int = _NAMES) -> str:
    """Return names as a sentence has them; of many the first, and how many more there are."""
    shown, more = list(names[:most]), len(names) - most
    if more > 0:
        return f"{', '.join(shown)} and {more:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _type_name(type: str, count: int) -> str:
    """Return what members of a type are called."""
    name = "thing" if type in _KINDS else type.replace("_", " ")
    if count == 1:
        return name
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"


def _short(text: str, most: int) -> str:
    squeezed = " ".join(text.split())
    return squeezed if len(squeezed) <= most else f"{squeezed[: most - 1].rstrip()}…"
