"""Questions over all documents: each document's sections are read by themselves, then compared, filtered or counted."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....graphs.records import Evidence
from .amounts import Amount
from .asked import read_asked
from .judging import all_met, claimed_amounts, unbounded
from .lookup import Found, look_up
from .operands import measure_of_text
from .reading import Reader
from .requests import Request
from .wording import Order

__all__ = ["across", "best_of"]

_WIDTH = re.compile(r"\b(?:wide|narrow)\w*\b.*\brange\b", re.IGNORECASE)


def across(
    request: Request, evidence: Sequence[Evidence], names: Mapping[str, str], reader: Reader
) -> tuple[Found | None, int]:
    """Answer a wide question, and say from how many documents; ``names`` are the documents' names by id.

    The fewer of the documents speak of it, the less sure is the answer: the one that was meant may not be among them.
    """
    read: dict[str, Found] = {}
    for document in dict.fromkeys(e.document_id for e in evidence if e.document_id in names):
        numbers = [n for n, section in enumerate(evidence) if section.document_id == document]
        one = _one(request, [evidence[n] for n in numbers], reader)
        if one is not None:
            read[names[document]] = replace(one, section=numbers[one.section])
    found = _made(request, read, evidence) if read else None
    sure = math.sqrt(len(read) / max(1, len(names)))
    return replace(found, sure=found.sure * sure) if found is not None else None, len(read)


def _one(request: Request, evidence: Sequence[Evidence], reader: Reader) -> Found | None:
    """What one document says."""
    if request.task == "extreme":
        found = reader.value(f"What is the {request.measure}?", evidence)
        return found if found is not None and found.values else None
    return _bounded(request.form.stem, evidence) or reader.verdict(request.measure, evidence)


def _bounded(stem: str, evidence: Sequence[Evidence]) -> Found | None:
    """Whether a value meets the bound that the question sets: "a maximum supply voltage above 10 V"."""
    wanted = claimed_amounts(stem)
    asked = read_asked(measure_of_text(unbounded(stem)))
    cell = next((cell for cell in look_up(asked, evidence) if cell.amounts), None) if wanted else None
    if cell is None:
        return None
    met = str(all_met(stem, wanted, cell.amounts))
    return Found((met,), cell.section, cell.row, min(0.95, cell.score), cell.amounts)


def _made(request: Request, read: Mapping[str, Found], evidence: Sequence[Evidence]) -> Found | None:
    """What the documents' answers come to."""
    if request.task == "extreme":
        alike = _homologous(read, evidence)
        best = best_of(alike, request.order or "greatest", wide=_WIDTH.search(request.form.stem) is not None)
        return replace(alike[best[0]], texts=best) if best else None
    holding = tuple(name for name, found in read.items() if found.texts[0] == "True")
    texts = (str(len(holding)),) if request.task == "count" else holding
    return replace(read[holding[0]] if holding else next(iter(read.values())), texts=texts) if texts else None


def _homologous(read: Mapping[str, Found], evidence: Sequence[Evidence]) -> Mapping[str, Found]:
    """Keep what stands in chapters of the same name as the surest: homologous ones can be compared (C.4)."""
    surest = max(read.values(), key=lambda found: found.sure)
    name = evidence[surest.section].path[1:]
    alike = {each: found for each, found in read.items() if evidence[found.section].path[1:] == name}
    return alike if len(alike) > 1 else read


def best_of(read: Mapping[str, Found], order: Order, *, wide: bool = False) -> tuple[str, ...]:
    """Return the names with the greatest or least value; several where they are equal, none where none compares.

    Of a range its end is compared, or its width where that is asked for.
    """
    sizes = {name: _size(found.values, order, wide=wide) for name, found in read.items() if found.values}
    measures = [amount.measure for amount in sizes.values()]
    common = max(set(measures), key=measures.count, default="")
    values = {name: a.base for name, a in sizes.items() if a.measure in (common, "")}
    best = (max if order == "greatest" else min)(values.values(), default=0.0)
    return tuple(name for name, value in values.items() if value == best)


def _size(values: Sequence[Amount], order: Order, *, wide: bool) -> Amount:
    ends = sorted(values, key=lambda amount: amount.base)
    if wide and len(ends) > 1:
        return replace(ends[-1], base=ends[-1].base - ends[0].base)
    return ends[-1] if order == "greatest" else ends[0]
