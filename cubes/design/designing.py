"""From a sample to a proposed ontology: propose, cluster, name, consolidate, merge, drop."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..core.encoding import Encoder
from ..core.sentences import sentences
from .clusters import Cluster, cluster_entities
from .entities import Entity, entities_of, outlines_of
from .merging import MERGE_AT, SALIENCE, WordSimilarity, drop_classes, drop_dimensions, merge_classes, merge_dimensions
from .outline import SectionOutline
from .proposal import CandidateClass, CandidateDimension, Decision, Proposal, Quote
from .sampling import Sample
from .statistics import kind_of_dimension

__all__ = ["DesignOptions", "Designer", "Namer", "design"]

EXAMPLES = 8
"""Members of a cluster that its dimension's description shows."""

Told = Callable[[str], None]


class Namer(Protocol):
    """Says of clusters of entities which dimensions they are (Hypercube-RAG 3.2)."""

    def name(self, clusters: Sequence[Cluster]) -> list[str]:
        """Return a short noun for each cluster, the same for clusters of one dimension; "" for noise."""
        ...


class Designer(Namer, Protocol):
    """Proposes classes from a sample: a language model, or statistics."""

    @property
    def engine(self) -> str:
        """Who proposes, for the record."""
        ...

    @property
    def rare(self) -> float:
        """The share of documents under which a class is dropped; 0 where only quoted documents are counted."""
        ...

    def propose(
        self, sample: Sample, read: Mapping[str, Sequence[SectionOutline]], entities: Sequence[Entity]
    ) -> tuple[list[CandidateClass], list[Decision]]:
        """Return classes with their dimensions, each with the quotes and documents that show it, and what was left."""
        ...

    def finish(self, idea: CandidateClass) -> None:
        """Bring a class that is kept into its last form."""
        ...


@dataclass(frozen=True, slots=True)
class DesignOptions:
    """``merge_at`` is how near classes are merged, ``salience`` the share of documents that a dimension needs."""

    name: str = "corpus"
    seed: int = 0
    merge_at: float = MERGE_AT
    salience: float = SALIENCE


def design(
    sample: Sample, designer: Designer, encoder: Encoder, options: DesignOptions | None = None, told: Told | None = None
) -> Proposal:
    """Propose an ontology for what the sample was drawn from; ``told`` hears what is being done."""
    options, told = options or DesignOptions(), told or (lambda _: None)
    told(f"reading {len(sample.documents)} of {sample.total} documents")
    read = outlines_of(sample)
    entities = entities_of(sample, read)
    told("proposing classes")
    classes, decisions = designer.propose(sample, read, entities)
    told(f"clustering {len(entities)} entities")
    clusters = cluster_entities(entities, encoder, options.seed)
    axes, told_of_clusters = _consolidated(clusters, designer.name(clusters))
    likeness = WordSimilarity(encoder)
    told("merging what is nearly equal")
    decisions += told_of_clusters
    decisions += [decision for idea in classes for decision in drop_dimensions(idea, options.salience)]
    classes, merged = merge_classes(classes, likeness, options.merge_at)
    classes, rare = drop_classes(classes, len(sample.documents), designer.rare)
    decisions += [*merged, *rare]
    quotes = _Quotes(sample)
    for idea in classes:
        idea.dimensions += [found for axis in axes if (found := axis.within(idea, quotes)) is not None]
        decisions += merge_dimensions(idea, likeness)
        _tell_apart(idea)
        decisions += drop_dimensions(idea, options.salience)
        designer.finish(idea)
        idea.count()
    classes.sort(key=lambda idea: bool(idea.nouns))  # the first class takes what no noun speaks for
    return Proposal(
        name=options.name,
        engine=designer.engine,
        encoder=encoder.fingerprint,
        seed=options.seed,
        sampled=len(sample.documents),
        total=sample.total,
        classes=classes,
        decisions=decisions,
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    """A dimension consolidated from the clusters of one name."""

    name: str
    members: tuple[Entity, ...]

    def within(self, idea: CandidateClass, quotes: _Quotes) -> CandidateDimension | None:
        """The dimension as the documents of one class show it; None where none does, or where it is the class."""
        if self.name == idea.name:
            return None
        members = [member for member in self.members if member.documents & idea.documents]
        documents = {document for member in members for document in member.documents & idea.documents}
        if len(documents) < min(2, len(idea.documents)):
            return None
        kind = kind_of_dimension(self.name, Counter(member.kind for member in self.members if member.kind))
        examples = [member.text for member in members][:EXAMPLES]
        return CandidateDimension(
            name=self.name,
            role="attribute",
            kind=kind,
            description=f"{self.name}: such as {', '.join(examples)}",
            documents=documents,
            quotes=quotes.of(members, idea.documents),
            examples=examples,
        )


def _consolidated(clusters: Sequence[Cluster], names: Sequence[str]) -> tuple[list[_Axis], list[Decision]]:
    """Clusters of one name are one dimension; those without a common meaning are left out, with the reason."""
    members: dict[str, list[Entity]] = defaultdict(list)
    decisions = []
    for cluster, name in zip(clusters, names, strict=True):
        shown = ", ".join(member.text for member in cluster.members[:5])
        plain = " ".join(name.split()).lower()
        if not plain:
            reason = f"its {len(cluster.members)} entities have no common meaning ({shown})"
            decisions.append(Decision(what=f"cluster {cluster.number}", action="dropped", reason=reason))
            continue
        if plain in members:
            reason = f"it is {plain} as well ({shown})"
            decisions.append(Decision(what=f"cluster {cluster.number}", action="merged", reason=reason))
        members[plain] += cluster.members
    ranked = {name: sorted(found, key=lambda one: (-len(one.documents), one.text)) for name, found in members.items()}
    return [_Axis(name, tuple(found)) for name, found in ranked.items()], decisions


def _tell_apart(idea: CandidateClass) -> None:
    """Members of a class that go by several nouns are told apart by an attribute (MultiCube-RAG 3.1: the genre)."""
    if len(idea.nouns) < 2 or any(dimension.name in ("type", "genre", "kind") for dimension in idea.dimensions):
        return
    idea.dimensions.insert(
        0,
        CandidateDimension(
            name="type",
            role="attribute",
            kind="text",
            description=f"which kind of {idea.name}: {', '.join(idea.nouns[:12])}",
            pattern="type",
            documents=set(idea.documents),
            quotes=idea.quotes,
            examples=idea.nouns[:EXAMPLES],
        ),
    )


class _Quotes:
    """Finds sentences of the sample in which entities stand."""

    def __init__(self, sample: Sample) -> None:
        self._sections = defaultdict(list)
        self._titles = {document.id: document.title for document in sample.documents}
        for section in sample.sections():
            self._sections[section.document_id].append(section.text)

    def of(self, members: Sequence[Entity], documents: set[str], most: int = 3) -> list[Quote]:
        """Return a sentence for each of the first members that are found, each from another document."""
        found: dict[str, Quote] = {}
        for member in members:
            for document in sorted(member.documents & documents):
                if document not in found and (told := self._sentence(document, member.text)):
                    found[document] = Quote(document=self._titles[document], text=told)
                    break
            if len(found) == most:
                break
        return list(found.values())

    def _sentence(self, document: str, wanted: str) -> str:
        for text in self._sections[document]:
            at = text.find(wanted)
            if at >= 0:
                spans = sentences(text)
                return next((" ".join(text[s.start : s.end].split()) for s in spans if s.start <= at < s.end), "")
        return ""
