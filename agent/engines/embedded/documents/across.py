"""Questions over all documents: each document's sections are read by themselves, then compared, filtered or counted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .....graphs.records import Evidence
from .lookup import DocumentAnswer, best_of
from .requests import DocumentQuery
from .section_reader import SectionReader

__all__ = ["across"]


def across(
    request: DocumentQuery, evidence: Sequence[Evidence], names: Mapping[str, str], reader: SectionReader
) -> tuple[DocumentAnswer | None, int]:
    """Answer a wide question, and say from how many documents; ``names`` are the documents' names by id.

    The fewer of the documents speak of it, the less sure is the answer: the one that was meant may not be among them.
    """
    read: dict[str, DocumentAnswer] = {}
    for document in dict.fromkeys(e.document_id for e in evidence if e.document_id in names):
        numbers = [n for n, section in enumerate(evidence) if section.document_id == document]
        one = _one(request, [evidence[n] for n in numbers], reader)
        if one is not None:
            read[names[document]] = replace(one, section=numbers[one.section])
    found = _made(request, read) if read else None
    sure = math.sqrt(len(read) / max(1, len(names)))
    return replace(found, sure=found.sure * sure) if found is not None else None, len(read)


def _one(request: DocumentQuery, evidence: Sequence[Evidence], reader: SectionReader) -> DocumentAnswer | None:
    """What one document says."""
    if request.task == "extreme":
        found = reader.value(f"What is the {request.measure}?", evidence)
        return found if found is not None and found.values else None
    return reader.verdict(request.measure, evidence)


def _made(request: DocumentQuery, read: Mapping[str, DocumentAnswer]) -> DocumentAnswer | None:
    """What the documents' answers come to."""
    if request.task == "extreme":
        best = best_of(read, request.order or "greatest")
        return replace(read[best[0]], texts=best) if best else None
    holding = tuple(name for name, found in read.items() if found.texts[0] == "True")
    texts = (str(len(holding)),) if request.task == "count" else holding
    return replace(read[holding[0]] if holding else next(iter(read.values())), texts=texts) if texts else None
