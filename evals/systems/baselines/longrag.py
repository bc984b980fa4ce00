"""LongRAG (Jiang et al. 2024): long retrieval units of documents that belong together, read whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ....cubes.core.folding import fold
from ....cubes.core.records import Retrieval, Section
from ....cubes.retrieval.wording import CHARS_PER_TOKEN, names_in
from ....graphs.context import AnswerContext
from ....graphs.evidence import evidence_of, within
from ....graphs.records import LoopSettings
from .pipeline import RetrievedSections, hits_of
from .side_folders import encoder_of, section_vectors

if TYPE_CHECKING:
    from ....agent.app.facade import MultiCube

__all__ = ["UNIT_TOKENS", "LongRagSearch", "units_of"]

UNIT_TOKENS = 2_000
"""The length of a unit at most; the paper's have 4,000 to 6,000 and are read by a model with room for 30,000."""


class LongRagSearch:
    """Ranks units by their nearest section (the paper's maximum over chunks), and reads units whole, best first."""

    def prepare(self, asker: MultiCube) -> MultiCube:
        """Embed every section and group documents into units."""
        kb = asker.kb
        self._encoder = encoder_of(kb, "LongRAG")
        self._sections: Sequence[Section] = kb.sections()
        self._vectors = section_vectors(kb, self._encoder)
        self._units = units_of(self._sections)
        return asker

    def find(self, question: str, context: AnswerContext, settings: LoopSettings) -> RetrievedSections:
        """Return the sections of the best units, as many as the context has room for; within a unit nearest first."""
        cosines = self._vectors @ self._encoder.encode([question])[0]
        units = sorted(self._units, key=lambda unit: -float(cosines[list(unit)].max()))
        order = [n for unit in units for n in sorted(unit, key=lambda number: -float(cosines[number]))]
        room, read = settings.context_tokens * CHARS_PER_TOKEN, list[int]()
        for number in order:
            room -= len(self._sections[number].text)
            if read and room < 0:
                break
            read.append(number)
        ranked = [(self._sections[n].id, float(cosines[n])) for n in read]
        evidence = evidence_of(Retrieval(hits_of(ranked, "longrag")), question, context.knowledge, "longrag")
        deeper = order[: len(read) + 30]
        return RetrievedSections(
            within(evidence, settings.context_tokens),
            tuple(dict.fromkeys(self._sections[n].record_id for n in deeper)),
        )


def units_of(sections: Sequence[Section], tokens: int = UNIT_TOKENS) -> list[tuple[int, ...]]:
    """Group documents that name each other's titles (the paper's Algorithm 1, with names in place of hyperlinks).

    The documents with the fewest neighbours come first; each is joined with the groups of its neighbours, the smallest
    first, as long as the whole is no longer than a unit. A unit is the ordinals of its sections.
    """
    documents: dict[str, list[int]] = {}
    for number, section in enumerate(sections):
        documents.setdefault(section.document_id, []).append(number)
    size = {d: sum(len(sections[n].text) for n in own) for d, own in documents.items()}
    beside = _neighbours(sections, documents)
    group_of: dict[str, frozenset[str]] = {}
    for document in sorted(documents, key=lambda one: len(beside[one])):
        joined = frozenset({document})
        around = {group_of[other] for other in beside[document] if other in group_of}
        for group in sorted(around, key=lambda each: (_length(each, size), min(each))):
            if _length(joined | group, size) <= tokens * CHARS_PER_TOKEN:
                joined |= group
        group_of |= dict.fromkeys(joined, joined)
    units = dict.fromkeys(group_of[document] for document in documents)
    return [tuple(sorted(n for document in unit for n in documents[document])) for unit in units]


def _length(group: frozenset[str], size: Mapping[str, int]) -> int:
    return sum(size[document] for document in group)


def _neighbours(sections: Sequence[Section], documents: Mapping[str, list[int]]) -> dict[str, set[str]]:
    """For each document those whose title it names, and those that name its title."""
    titled = {fold(sections[own[0]].title): document for document, own in documents.items()}
    beside: dict[str, set[str]] = {document: set() for document in documents}
    for section in sections:
        for name in names_in(section.text):
            other = titled.get(fold(name))
            if other is not None and other != section.document_id:
                beside[section.document_id].add(other)
                beside[other].add(section.document_id)
    return beside
