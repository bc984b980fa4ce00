"""Entities and relations of sections by a language model (SMART, Table 6 and Algorithm 2), beside the cubes' facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from .....cubes.core.folding import fold
from .....cubes.core.records import Fact, Section
from .....cubes.model.ontology import Ontology
from .....prompts import PromptLibrary
from ..client import ModelClient
from ..errors import UNUSABLE
from ..loop.reasoner import VERSION
from ..replies import schemas as replies
from ..replies.quotations import find, sentence_around

__all__ = ["STAGE", "LlmRelations"]

STAGE = "relations"
DIMENSION = "relationship"
"""Where such facts stand: on no dimension of a cube, so that nothing else takes them for what a cube holds."""
_KINDS = {"person": "person", "location": "place", "organization": "organization", "cultural_product": "work"}
"""The kind of value that a thing of a class is."""
_STRONGEST = 10


class LlmRelations:
    """Reads what the cubes' dimensions do not foresee: which entities a section ties, and why.

    The classes of the ontology are the types asked for. An entity that the section does not name is left out, and its
    relations with it: the model may know it, the section does not say it.
    """

    def __init__(
        self, ontology: Ontology, library: PromptLibrary, client: ModelClient, *, concurrency: int = 8
    ) -> None:
        self._prompt, self._client, self._concurrency = library["entity_relation_extraction"], client, concurrency
        self._classes = {fold(name): spec.id for spec in ontology.cubes for name in (spec.id, spec.name)}
        self._types = ", ".join(spec.name for spec in ontology.cubes)

    def read(self, sections: Sequence[Section], step: Callable[[int, int], None] = lambda _, __: None) -> list[Fact]:
        """Return the relations of all sections as facts, in the order of these; ``step`` is told how many are read.

        A section whose reply cannot be used has none. Raises ModelError where that has nothing to do with a section.
        """
        found: list[Fact] = []
        with ThreadPoolExecutor(self._concurrency) as pool:
            for number, facts in enumerate(pool.map(self._of_section, sections), 1):
                found += facts
                step(number, len(sections))
        return found

    def _of_section(self, section: Section) -> list[Fact]:
        text = "\n".join((" > ".join(section.path), section.text))
        prompt = self._prompt.fill({"entity_types": self._types, "text": text})
        try:
            reply = self._client.ask(STAGE, prompt, replies.EntityGraph)
        except UNUSABLE:
            return []
        return list(dict.fromkeys(self._facts(reply, section)))

    def _facts(self, reply: replies.EntityGraph, section: Section) -> Iterator[Fact]:
        classes = {fold(entity.name): self._classes.get(fold(entity.type), "") for entity in reply.entities}
        for said in reply.relationships:
            source, target = fold(said.source), fold(said.target)
            place = find(said.target, section.text)
            if place is None or source == target or not {source, target} <= classes.keys():
                continue
            if find(said.source, "\n".join((*section.path, section.text))) is None:
                continue
            yield Fact(
                section_id=section.id,
                cube=classes[source] or "name",
                dimension=DIMENSION,
                subject=" ".join(said.source.split()),
                relation=" ".join(said.relationship.split()),
                value=section.text[place.start : place.end],
                kind=_KINDS.get(classes[target], "name"),
                span=place,
                sentence=sentence_around(place, section.text),
                confidence=said.relationship_strength / _STRONGEST,
                origin=VERSION,
            )
