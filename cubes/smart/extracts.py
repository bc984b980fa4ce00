"""Reports without a language model: what the members of a community share, counted, and their own sentences.

A *trait* is a relation to the same thing, or from it: of nine people seven may have "occupation: painter", of five
films three may be "directed by: Ann". Passages word the same relation in many ways, so that where no one relation to a
thing prevails, all are one trait: "lives in or moved to: Brask". Counted against how common a trait is in the whole
graph, traits are what a group has in common that no single passage says.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from ..core.folding import fold_words
from .abstractions import Community, Finding, Report
from .graph import EntityGraph, Relation

__all__ = [
    "OWN_WORDS",
    "ExtractiveReporter",
    "SharedTrait",
    "Trait",
    "counted",
    "named",
    "said",
    "shared_traits",
    "type_name",
]

OWN_WORDS = "In the documents' own words."
"""The explanation of a finding that is a sentence of a document."""

_FINDINGS = 8
_NAMES = 8
_SECTIONS = 24
_SENTENCES = 2
_CHARS = 300
_RARE = 0.1
"""What a trait counts that is no commoner in the community than elsewhere."""
_PREVAILS = 0.8
"""The share of those who are tied to a thing that one relation must hold of to be the trait by itself."""
_WORDINGS = 3
_KINDS = frozenset({"text", "name"})
"""Kinds of values that say nothing of what a thing is."""
_MENTIONS = "mentions"

Held = dict[int, dict[str, tuple[str, ...]]]
"""Who is tied to a thing, by which relations, and in which sections each is said."""


class Trait(NamedTuple):
    """Relations to ``other`` (a place in the graph), or, not ``forward``, from it; any one of them is meant."""

    relations: tuple[str, ...]
    other: int
    forward: bool


Lift = Callable[[str, Trait, int, int], float]
"""How much commoner a trait is among so many of a type than everywhere."""


@dataclass(frozen=True, slots=True)
class SharedTrait:
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
        self._common: Counter[tuple[str, int, bool]] = Counter()
        for (other, forward), held in _tied(graph.relations).items():
            for holder in held:
                self._common[graph.entities[holder].type, other, forward] += 1

    @property
    def version(self) -> str:
        """The way of counting."""
        return "extracts/2"

    def shared(self, community: Community) -> list[SharedTrait]:
        """Return what members share, the most telling first."""
        return shared_traits(community, self._lift)

    def report(self, community: Community) -> Report:
        """Say what the members are, what they share, and how they are tied."""
        shared = self.shared(community)[:_FINDINGS]
        findings = [self._finding(n, each) for n, each in enumerate(shared, 1)]
        findings += self._sentences(community, len(findings))
        leading = self._leading(community)
        title = ", ".join(self._graph.entities[n].name for n in leading[:3])
        if shared:
            title = f"{said(shared[0].trait, self._graph)} ({title})"
        kinds = Counter(type_name(self._graph.entities[m].type, 2) for m in community.members)
        counted = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common(4))
        told = " ".join(finding.text for finding in findings[:3])
        return Report(_short(title, 120), f"{len(community.members):,} entities: {counted}. {told}", tuple(findings))

    def _finding(self, number: int, shared: SharedTrait) -> Finding:
        one, trait = self._graph.entities, said(shared.trait, self._graph)
        told = f"{counted(len(shared.holders), shared.among, shared.type)} have in common: {trait}"
        examples = f"Stated of {named([one[n].name for n in shared.holders])}."
        absent = f" Not stated of {named([one[n].name for n in shared.others])}." if shared.others else ""
        names = named([one[n].name for n in shared.holders], 5)
        about = tuple(one[n].id for n in shared.holders)
        sections = shared.sections[:_SECTIONS]
        return Finding(f"f{number}", f"{told} ({names}).", examples + absent, sections, about, trait)

    def _lift(self, type: str, trait: Trait, held: int, among: int) -> float:
        """How much more of the community than of the whole graph have a trait, as a logarithm."""
        share = held / among
        everywhere = self._common[type, trait.other, trait.forward] / max(self._types[type], 1)
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
        whose = {_short(e.description, _CHARS): e for e in told}
        return [
            Finding(f"f{n}", text, OWN_WORDS, whose[text].sections[:1], (whose[text].id,))
            for n, text in enumerate(list(texts)[:_SENTENCES], before + 1)
        ]


def shared_traits(community: Community, lift: Lift | None = None) -> list[SharedTrait]:
    """Return the traits that at least two members of one type have by at least two sections, the most telling first.

    ``lift`` says how much commoner than elsewhere each is; without it only the number of holders counts.
    """
    entities, members = community.graph.entities, set(community.members)
    by_type: dict[str, list[int]] = defaultdict(list)
    for member in community.members:
        by_type[entities[member].type].append(member)
    found = []
    for (other, forward), everyone in _tied(community.relations).items():
        types: dict[str, Held] = defaultdict(dict)
        for holder, ways in everyone.items():
            if holder in members:
                types[entities[holder].type][holder] = ways
        for type, tied in types.items():
            for relations, held in _ways(tied):
                # Where one section says it of all of them, it is no implicit fact.
                if len(held) > 1 and len({section for each in held.values() for section in each}) > 1:
                    trait = Trait(relations, other, forward)
                    rise = lift(type, trait, len(held), len(by_type[type])) if lift is not None else 0.0
                    found.append(_shared(trait, type, by_type[type], held, rise))
    return sorted(found, key=lambda each: (-each.weight, each.trait.relations, entities[each.trait.other].id))


def _ways(tied: Held) -> Iterator[tuple[tuple[str, ...], dict[int, tuple[str, ...]]]]:
    """Yield the relations that tie a type's members to a thing as one trait, and what is said by others beside it."""
    counted = Counter(relation for ways in tied.values() for relation in ways)
    order = sorted(counted, key=lambda relation: (relation == _MENTIONS, -counted[relation], relation))
    prevails = counted[order[0]] >= _PREVAILS * len(tied)
    first = tuple(order[:1] if prevails else order[:_WORDINGS])
    yield first, {
        holder: tuple(dict.fromkeys(s for relation in first for s in ways.get(relation, ())))
        for holder, ways in tied.items()
        if not ways.keys().isdisjoint(first)
    }
    for relation in order[len(first) :]:
        if relation != _MENTIONS:
            yield (relation,), {holder: ways[relation] for holder, ways in tied.items() if relation in ways}


def _shared(
    trait: Trait, type: str, all_of_type: list[int], held: Mapping[int, tuple[str, ...]], rise: float
) -> SharedTrait:
    others = tuple(m for m in all_of_type if m not in held)
    # One section of each holder first, so that what is cited speaks of as many of them as it can.
    rows = [held[holder] for holder in sorted(held)]
    first = [row[0] for row in rows if row]
    sections = tuple(dict.fromkeys([*first, *(section for row in rows for section in row)]))
    weight = min(len(held), len(sections)) * (_RARE + rise) * (0.5 + 0.5 * len(held) / len(all_of_type))
    return SharedTrait(trait, type, tuple(sorted(held)), others, sections, weight)


def _tied(relations: Iterable[Relation]) -> dict[tuple[int, bool], Held]:
    """Everything that things are tied to, or from, with who is, how, and where that is said."""
    found: dict[tuple[int, bool], Held] = defaultdict(lambda: defaultdict(dict))
    for each in relations:
        found[each.value, True][each.subject][each.relation] = each.sections
        found[each.subject, False][each.value][each.relation] = each.sections
    return found


def said(trait: Trait, graph: EntityGraph) -> str:
    """Return a trait in words: "lives in or moved to: Brask"."""
    other = graph.entities[trait.other].name
    ways = ["has to do with" if relation == _MENTIONS else relation for relation in trait.relations]
    how = ways[0] if len(ways) == 1 else f"{', '.join(ways[:-1])} or {ways[-1]}"
    return f"{how}: {other}" if trait.forward else f"{other} ({how})"


def counted(count: int, among: int, type: str) -> str:
    """Return how many of a type: "Both persons", "All 4 films", "3 of 4 things"."""
    many = type_name(type, among)
    if count < among:
        return f"{count:,} of {among:,} {many}"
    return f"Both {many}" if count == 2 else f"All {count:,} {many}"


def named(names: Sequence[str], most: int = _NAMES) -> str:
    """Return names as a sentence has them; of many the first, and how many more there are."""
    shown, more = list(names[:most]), len(names) - most
    if more > 0:
        return f"{', '.join(shown)} and {more:,} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def type_name(type: str, count: int) -> str:
    """Return what members of a type are called."""
    name = "thing" if type in _KINDS else type.replace("_", " ")
    if count == 1:
        return name
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"


def _short(text: str, most: int) -> str:
    squeezed = " ".join(text.split())
    return squeezed if len(squeezed) <= most else f"{squeezed[: most - 1].rstrip()}…"
