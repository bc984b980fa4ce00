"""A design without a language model: what things are called, which kinds of values they have, and in which phrases.

Classes come from the nouns that say what documents are about ("is a 1962 film"); attributes from the kinds of values
that stand in their documents; relations from the phrases in front of names, by how many documents hold them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast

from ..core.encoding import Encoder
from ..core.folding import base_key
from ..extraction.words.lexicon import group, lexicon
from ..model.ontology import ValueKind, load_ontology
from .clusters import Cluster
from .entities import TERM, Entity
from .merging import RARE_CLASS
from .outline import FoundValue, SectionOutline
from .proposal import CandidateClass, CandidateDimension, Decision, Quote
from .sampling import Sample

__all__ = ["DIMENSION_OF", "StatisticalDesigner"]

DIMENSION_OF: Mapping[str, str] = {
    "person": "person",
    "place": "location",
    "organization": "organization",
    "work": "work",
    "event": "event",
    "date": "date",
    "quantity": "quantity",
    TERM: "theme",
}
"""What the dimension with values of a kind is called."""
EVERYTHING = "document"
"""The class of documents that no noun says anything of."""
_LEAST = 2
"""A noun or a phrase in fewer documents is no pattern."""
_PHRASES = 12
"""Relation phrases that one class is given at most."""
_NAMES = ("person", "place", "organization", "work", "event")
_MAJORITY = 0.5
_ENOUGH = 3
"""Members of one kind that speak for a whole cluster."""
_SAME_CLASS = 0.5
"""Nouns this like mean things of one class ("city", "town")."""
_COMMON = re.compile(r"\b[a-z]{4,}\b")
_SHARED_WORD = 0.3
"""A word that so many members of a cluster begin or end with names it."""


@dataclass
class _Shown:
    """The documents that show one thing, with a few quotes and values."""

    documents: set[str] = field(default_factory=set)
    quotes: dict[str, Quote] = field(default_factory=dict)
    values: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, document: str, quote: Quote, value: FoundValue, kind: str) -> None:
        self.documents.add(document)
        self.quotes.setdefault(document, quote)
        self.values[value.text] += 1
        self.kinds[kind] += 1

    def idea(self, **about: Any) -> CandidateDimension:
        examples = sorted(self.values, key=lambda text: (-self.values[text], text))[:5]
        quotes = [self.quotes[document] for document in sorted(self.quotes)][:3]
        return CandidateDimension(documents=self.documents, quotes=quotes, examples=examples, **about)


class StatisticalDesigner:
    """Designs by counting; the same for the same sample. ``encoder`` tells which nouns mean about the same."""

    engine = "embedded"
    rare = RARE_CLASS

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._common: set[str] = set()

    def propose(
        self, sample: Sample, read: Mapping[str, Sequence[SectionOutline]], entities: Sequence[Entity]
    ) -> tuple[list[CandidateClass], list[Decision]]:
        """Return a class for each noun that several documents are said to be, with its dimensions."""
        titles = {document.id: document.title for document in sample.documents}
        kinds = {base_key(entity.text): entity.kind for entity in entities}
        self._common = {word for document in sample.documents for word in _COMMON.findall(document.text)}
        groups = self._groups({document: outlines[0] for document, outlines in read.items() if outlines})
        return [_class(name, members, read, titles, kinds) for name, members in groups.items()], []

    def name(self, clusters: Sequence[Cluster]) -> list[str]:
        """Return the dimension that each cluster's entities are values of; "" for one without a common meaning."""
        return [_kind_name(cluster) or self._word_name(cluster) for cluster in clusters]

    def finish(self, idea: CandidateClass) -> None:
        """Put the relations to things of one kind on one dimension, as the paper's cubes do."""
        grouped: dict[str, CandidateDimension] = {}
        kept = []
        for dimension in idea.dimensions:
            if dimension.role != "relation":
                kept.append(dimension)
            elif (known := grouped.get(dimension.target)) is not None:
                known.take(dimension)
            else:
                name = f"relation to {dimension.target}"
                grouped[dimension.target] = dimension.model_copy(update={"name": name}, deep=True)
        for dimension in grouped.values():
            dimension.description = f"how it is related to {dimension.target}: {', '.join(dimension.phrases)}"
        idea.dimensions = [*kept, *grouped.values()]

    def _groups(self, read: Mapping[str, SectionOutline]) -> dict[str, dict[str, SectionOutline]]:
        """The documents by the noun that says what they are about; persons are one group, whatever they do."""
        persons = _person_nouns(read.values())
        leaders = self._leaders(Counter(one.types[0] for one in read.values() if one.types[:1] and not persons(one)))
        groups: dict[str, dict[str, SectionOutline]] = defaultdict(dict)
        for document, one in read.items():
            noun = leaders.get(one.types[0], "") if one.types else ""
            groups["person" if persons(one) else noun or EVERYTHING][document] = one
        for name in [name for name, members in groups.items() if len(members) < _LEAST and name != EVERYTHING]:
            groups[EVERYTHING].update(groups.pop(name))
        return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))

    def _leaders(self, nouns: Counter[str]) -> dict[str, str]:
        """The noun that speaks for each: the most frequent one that means about the same."""
        ranked = sorted(nouns, key=lambda noun: (-nouns[noun], noun))
        if not ranked:
            return {}
        vectors = self._encoder.encode(ranked)
        led: dict[str, str] = {}
        leaders: list[int] = []
        for number, noun in enumerate(ranked):
            near = max(leaders, key=lambda other: float(vectors[number] @ vectors[other]), default=None)
            if near is None or float(vectors[number] @ vectors[near]) < _SAME_CLASS:
                leaders.append(near := number)
            led[noun] = ranked[near]
        return led

    def _word_name(self, cluster: Cluster) -> str:
        """A plain word that many members begin or end with ("Hurricane Ida", "Hurricane Maria")."""
        words: Counter[str] = Counter()
        for member in cluster.members:
            parts = member.text.lower().split()
            if len(parts) > 1:
                words.update({parts[0], parts[-1]} & self._common)
        count, word = max(((count, word) for word, count in words.items()), default=(0, ""))
        return word if count >= max(3, _SHARED_WORD * len(cluster.members)) else ""


@lru_cache(maxsize=1)
def _person_words() -> frozenset[str]:
    """The words for persons that are known beforehand, by trade, rank or kinship."""
    nouns = set(load_ontology("default").cube("person").nouns)
    return frozenset(nouns.union(group("occupations"), lexicon().sex_of_word))


def _person_nouns(outlines: Iterable[SectionOutline]) -> Callable[[SectionOutline], bool]:
    """Whether an outline is a person's: by what its noun mostly is in the sample, else by its own pronouns."""
    votes: dict[str, Counter[bool]] = defaultdict(Counter)
    for one in outlines:
        votes[one.types[0] if one.types else ""][one.person] += 1

    def is_person(one: SectionOutline) -> bool:
        noun = one.types[0] if one.types else ""
        if noun in _person_words():
            return True
        counts = votes[noun]
        return counts[True] > counts[False] if noun and counts.total() >= _ENOUGH else one.person

    return is_person


def _class(
    name: str,
    members: Mapping[str, SectionOutline],
    read: Mapping[str, Sequence[SectionOutline]],
    titles: Mapping[str, str],
    kinds: Mapping[str, str],
) -> CandidateClass:
    nouns = Counter(noun for one in members.values() for noun in one.types[:1])
    said = [Quote(document=titles[document], text=one.said) for document, one in members.items() if one.said]
    phrases: dict[tuple[str, str], _Shown] = defaultdict(_Shown)
    values: dict[str, _Shown] = defaultdict(_Shown)
    for document in members:
        for value in (value for one in read[document] for value in one.values):
            kind = value.kind if value.kind in ("date", "quantity") else kinds.get(base_key(value.text)) or value.kind
            quote = Quote(document=titles[document], text=value.sentence)
            values[kind or "name"].add(document, quote, value, kind)
            if value.phrase:
                phrases[value.phrase, _target(kind)].add(document, quote, value, kind)
    return CandidateClass(
        name=name,
        description=_described(name, nouns),
        subject_kind="person" if name == "person" else "name",
        nouns=[noun for noun, _ in nouns.most_common()] if name != EVERYTHING else [],
        documents=set(members),
        quotes=said[:3] or [Quote(document=titles[d], text=titles[d]) for d in list(members)[:1]],
        dimensions=[*_attributes(values, phrases), *_relations(phrases)],
    )


def _described(name: str, nouns: Counter[str]) -> str:
    if name == EVERYTHING:
        return "what no other class holds"
    others = [noun for noun, _ in nouns.most_common(_PHRASES) if noun != name]
    return f"{name}, such as {', '.join(others)}" if others else f"anything that is a {name}"


def _target(kind: str) -> str:
    return kind if kind in ("date", "quantity") else DIMENSION_OF.get(kind, "name") if kind in _NAMES else "name"


def _attributes(
    values: Mapping[str, _Shown], phrases: Mapping[tuple[str, str], _Shown]
) -> Iterator[CandidateDimension]:
    for kind in (*_NAMES, "date", "quantity"):
        shown = values.get(kind)
        if shown is None or len(shown.documents) < _LEAST:
            continue
        name = DIMENSION_OF[kind]
        asked = _frequent(phrases, kind) if kind in ("date", "quantity") else []
        told = f"{'names' if kind in _NAMES else 'values'} such as {', '.join(list(shown.values)[:3])}"
        yield shown.idea(name=name, role="attribute", kind=kind, description=f"{name}: {told}", phrases=asked)


def _frequent(phrases: Mapping[tuple[str, str], _Shown], target: str) -> list[str]:
    found = [(shown, phrase) for (phrase, to), shown in phrases.items() if to == target]
    found = [(shown, phrase) for shown, phrase in found if len(shown.documents) >= _LEAST]
    return [phrase for _, phrase in sorted(found, key=lambda one: (-len(one[0].documents), one[1]))][:_PHRASES]


def _relations(phrases: Mapping[tuple[str, str], _Shown]) -> Iterator[CandidateDimension]:
    """A phrase is a relation to what most of its values are; those of which nothing is known count for it."""
    targets: dict[str, Counter[str]] = defaultdict(Counter)
    for (phrase, target), shown in phrases.items():
        if target not in ("date", "quantity"):
            targets[phrase][target] += len(shown.documents) * (1 if target == "name" else 3)
    found = []
    for phrase, counts in targets.items():
        target = min(counts, key=lambda name: (-counts[name], name))
        whole = _Shown()
        for other in counts:
            part = phrases[phrase, other]
            whole.documents |= part.documents
            whole.quotes = {**part.quotes, **whole.quotes}
            whole.values += part.values
        if len(whole.documents) >= _LEAST:
            found.append((phrase, target, whole))
    for phrase, target, shown in sorted(found, key=lambda one: (-len(one[2].documents), one[0]))[:_PHRASES]:
        told = f"{phrase}: to a {target} such as {', '.join(list(shown.values)[:3])}"
        yield shown.idea(name=phrase, role="relation", target=target, description=told, phrases=[phrase])


def _kind_name(cluster: Cluster) -> str:
    """What dimensions with values of the kind of most members are called."""
    kinds = cluster.kinds()
    kind, count = min(kinds.items(), key=lambda item: (-item[1], item[0]), default=("", 0))
    most = count >= _MAJORITY * len(cluster.members) or (count >= _MAJORITY * kinds.total() and count >= _ENOUGH)
    return DIMENSION_OF.get(kind, "") if most else ""


def kind_of_dimension(name: str, kinds: Counter[str] | None = None) -> ValueKind:
    """Return the kind of value that a dimension of this name holds, by its name, else by its members."""
    name = name.lower().removesuffix("s").removesuffix(" name")
    for kind, known in DIMENSION_OF.items():
        if name in (kind, known):
            return cast(ValueKind, kind)
    counts = kinds or Counter()
    told = [kind for kind, count in counts.most_common(1) if count >= max(_ENOUGH, _MAJORITY * counts.total())]
    return cast(ValueKind, told[0]) if told else "name"
