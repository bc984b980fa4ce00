"""An ontology designed by a language model: prompt A.1 over batches of documents, and names for entities' clusters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from .....cubes.core.folding import fold
from .....cubes.core.records import Document
from .....cubes.design.clusters import Cluster
from .....cubes.design.designing import Namer
from .....cubes.design.entities import Entity
from .....cubes.design.outline import SectionOutline
from .....cubes.design.proposal import CandidateClass, CandidateDimension, Decision, Quote
from .....cubes.design.sampling import Sample
from .....cubes.design.statistics import kind_of_dimension
from .....cubes.ingest.report import Progress
from .....cubes.model.ontology import ValueKind
from .....prompts import PromptLibrary
from ..client import ModelClient
from ..errors import UNUSABLE
from ..loop.reasoner import VERSION
from ..replies import schemas as replies
from ..replies.quotations import find

__all__ = ["BATCH_CHARS", "ModelDesigner"]

STAGE = "design"
BATCH_CHARS = 12_000
"""Characters of documents in one request."""
DOCUMENT_CHARS = 2_000
"""How much of a document the model sees: what it is about stands at its beginning."""
SHOWN = 15
"""Entities of a cluster that the model sees, the most central first."""


class ModelDesigner:
    """Proposes classes and names clusters with a language model.

    What a quote does not show in the documents it was read from, it does not show: it is dropped, and a dimension
    without any goes with it. A batch whose reply cannot be used is left out, and said so; clusters that the model
    does not name are named by ``fallback``. ``progress`` hears how many batches are read.
    """

    rare = 0.0

    def __init__(
        self,
        library: PromptLibrary,
        client: ModelClient,
        fallback: Namer,
        *,
        concurrency: int = 4,
        progress: Callable[[Progress], None] = lambda _: None,
    ) -> None:
        self._progress = progress
        self._library, self._client, self._fallback = library, client, fallback
        self._concurrency = concurrency

    @property
    def engine(self) -> str:
        """The engine with its model and prompt."""
        return f"{VERSION} {self._client.label} {self._library['ontology_extraction'].fingerprint}"

    def propose(
        self,
        sample: Sample,
        read: Mapping[str, Sequence[SectionOutline]],  # noqa: ARG002 - the model reads for itself
        entities: Sequence[Entity],  # noqa: ARG002
    ) -> tuple[list[CandidateClass], list[Decision]]:
        """Return the classes that the model sees in the sample, those of one name together."""
        batches = list(_batches(sample.documents))
        with ThreadPoolExecutor(min(self._concurrency, len(batches))) as pool:
            proposed = []
            for done, found in enumerate(pool.map(self._batch, batches), start=1):
                proposed.append(found)
                self._progress(Progress("propose", done, len(batches)))
        classes: dict[str, CandidateClass] = {}
        decisions = []
        for found in proposed:
            if isinstance(found, Decision):
                decisions.append(found)
                continue
            for idea in found:
                known = classes.setdefault(fold(idea.name), idea)
                if known is not idea:
                    known.take(idea)
        for idea in classes.values():
            _support(idea, sample.documents)
        return list(classes.values()), decisions

    def name(self, clusters: Sequence[Cluster]) -> list[str]:
        """Return the dimension of each cluster, as the model names it; "" for noise."""
        if not clusters:
            return []
        shown = [{"id": one.number, "entities": [e.text for e in one.members[:SHOWN]]} for one in clusters]
        lines = [json.dumps(one, ensure_ascii=False) for one in shown]
        try:
            prompt = self._library["cluster_naming"].fill({"clusters": "\n".join(lines)})
            reply = self._client.ask(STAGE, prompt, replies.ClusterNames)
        except UNUSABLE:
            return self._fallback.name(clusters)
        named = {one.number: "" if one.noise else one.dimension for one in reply.clusters}
        return [named.get(cluster.number, "") for cluster in clusters]

    def finish(self, idea: CandidateClass) -> None:
        """A class is left as the model proposed it: the prompt asks for relations that are grouped already."""

    def _batch(self, documents: Sequence[Document]) -> list[CandidateClass] | Decision:
        lines = (
            json.dumps({"id": f"d{n}", "title": one.title, "text": one.text[:DOCUMENT_CHARS]}, ensure_ascii=False)
            for n, one in enumerate(documents, 1)
        )
        prompt = self._library["ontology_extraction"].fill({"documents": "\n".join(lines)})
        try:
            reply = self._client.ask(STAGE, prompt, replies.OntologyProposal)
        except UNUSABLE as error:
            what = f"{len(documents)} documents from '{documents[0].title}' on"
            return Decision(what=what, action="dropped", reason=str(error))
        return [idea for said in reply.classes if (idea := _class(said, documents)) is not None]


def _batches(documents: Sequence[Document]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    size = 0
    for document in documents:
        length = min(len(document.text), DOCUMENT_CHARS)
        if batch and size + length > BATCH_CHARS:
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += length
    if batch:
        yield batch


def _class(said: replies.ProposedClass, documents: Sequence[Document]) -> CandidateClass | None:
    name = " ".join(said.name.split()).lower()
    if not fold(name):
        return None
    dimensions = [*_attributes(said, documents), *_relations(said, documents)]
    quotes, shown = _evidence(said.quote, documents)
    shown = shown.union(*(dimension.documents for dimension in dimensions))
    return CandidateClass(
        name=name,
        description=said.description.strip() or name,
        subject_kind="person" if kind_of_dimension(name) == "person" else "name",
        nouns=[name],
        documents=shown,
        quotes=quotes,
        dimensions=dimensions,
    )


def _attributes(said: replies.ProposedClass, documents: Sequence[Document]) -> Iterator[CandidateDimension]:
    for attribute in said.attributes:
        name = " ".join(attribute.name.split()).lower()
        if fold(name):
            quotes, shown = _evidence(attribute.quote, documents)
            kind: ValueKind = kind_of_dimension(name) if attribute.kind == "name" else attribute.kind
            yield CandidateDimension(name=name, role="attribute", kind=kind, documents=shown, quotes=quotes)


def _relations(said: replies.ProposedClass, documents: Sequence[Document]) -> Iterator[CandidateDimension]:
    for relation in said.relations:
        name = " ".join(relation.name.split()).lower()
        if not fold(name):
            continue
        quotes, shown = _evidence(relation.quote, documents)
        phrases = list(dict.fromkeys(plain for p in relation.phrases if (plain := " ".join(p.split()).lower())))
        told = f"{name}: {', '.join(phrases)}" if phrases else name
        yield CandidateDimension(
            name=name,
            role="relation",
            description=told,
            target=" ".join(relation.target.split()).lower(),
            phrases=phrases,
            documents=shown,
            quotes=quotes,
        )


def _evidence(quote: str, documents: Sequence[Document]) -> tuple[list[Quote], set[str]]:
    """Return the quote as a document has it, with that document; nothing where none has it."""
    for document in documents:
        span = find(quote, document.text[:DOCUMENT_CHARS])
        if span is not None:
            found = Quote(document=document.title, text=" ".join(document.text[span.start : span.end].split()))
            return [found], {document.id}
    return [], set()


def _support(idea: CandidateClass, documents: Sequence[Document]) -> None:
    """Count for a relation also the class's documents that hold one of its phrases: a quote is only one of them."""
    for document in documents:
        if document.id not in idea.documents:
            continue
        text = document.text[:DOCUMENT_CHARS].lower()
        for dimension in idea.dimensions:
            if dimension.quotes and any(phrase in text for phrase in dimension.phrases):
                dimension.documents.add(document.id)
