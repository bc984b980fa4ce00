"""What the extractor tells of a text, for tests of its wordings."""

from __future__ import annotations

from functools import lru_cache

from multicube.cubes.core.records import Document, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.model.ontology import load_ontology

__all__ = ["told"]

Told = set[tuple[str, str, str]]


@lru_cache(maxsize=1)
def _extractor() -> EmbeddedExtractor:
    return EmbeddedExtractor(load_ontology("default"))


def told(title: str, text: str) -> Told:
    section = Section("d:0", "d", "d", 0, (title,), text)
    facts = _extractor().extract(section, Document("d", "s", "d", title, text, "h"))
    return {(fact.subject, fact.relation, fact.value) for fact in facts}
