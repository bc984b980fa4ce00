"""A knowledge base as plain records, in an order that depends on its content alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..core.records import Fact, Section
from ..model.cells import CubeSet
from ..model.corrections import Correction
from .catalog import DocumentInfo

__all__ = ["exported"]


def exported(
    documents: Sequence[DocumentInfo],
    sections: Sequence[Section],
    cubes: CubeSet,
    corrections: Sequence[Correction],
) -> Iterator[dict[str, Any]]:
    """Yield documents, sections, labels, facts and corrections; ``type`` says which each record is.

    Times and row numbers are left out, so that two knowledge bases of the same content give the same records.
    """
    for document in sorted(documents, key=lambda d: (d.source, d.record_id)):
        yield {
            "type": "document", "id": document.id, "source": document.source, "record_id": document.record_id,
            "title": document.title, "language": document.language,
            "metadata": dict(sorted(document.metadata.items())),
            "content_hash": document.content_hash, "sections": list(document.sections),
        }  # fmt: skip
    order = {section.id: n for n, section in enumerate(sorted(sections, key=lambda s: (s.document_id, s.ordinal)))}
    for section in sorted(sections, key=lambda s: order[s.id]):
        yield {
            "type": "section", "id": section.id, "record_id": section.record_id, "path": list(section.path),
            "start": section.start, "text": section.text,
        }  # fmt: skip
    yield from _labels(cubes, order)
    facts = (fact for cube in cubes for fact in cube.facts())
    for fact in sorted(facts, key=lambda f: (order[f.section_id], *_place(f))):
        yield _fact(fact)
    for correction in corrections:
        yield {
            "type": "correction",
            **correction.model_dump(mode="json", exclude={"id", "made_at"}, exclude_defaults=True),
        }


def _labels(cubes: CubeSet, order: dict[str, int]) -> Iterator[dict[str, Any]]:
    for cube in cubes:
        for dimension in cube.spec.dimensions:
            for label in cube.labels(dimension.id):
                counts = {id: label.sections[id] for id in sorted(label.sections, key=lambda id: order[id])}
                yield {
                    "type": "label", "class": cube.spec.id, "dimension": dimension.id, "label": label.text,
                    "sections": counts,
                }  # fmt: skip


def _place(fact: Fact) -> tuple[str | int, ...]:
    span = fact.span
    return (
        fact.cube,
        fact.dimension,
        span.start,
        span.end,
        fact.subject,
        fact.relation,
        fact.value,
        fact.origin,
    )


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "type": "fact", "section": fact.section_id, "class": fact.cube, "dimension": fact.dimension,
        "subject": fact.subject, "relation": fact.relation, "value": fact.value, "kind": fact.kind,
        "span": [fact.span.start, fact.span.end], "sentence": [fact.sentence.start, fact.sentence.end],
        "confidence": round(fact.confidence, 6), "origin": fact.origin,
    }  # fmt: skip
