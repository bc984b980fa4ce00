"""Questions over all documents: each document's sections are read by themselves, then compared, filtered or counted."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....graphs.records import Evidence
from .amounts import Amount
from .asked import read_asked
from .judging import bound_of, claimed_amounts, meets
from .lookup import Cell, look_up
from .operands import measure_of_text
from .reading import Found, Reader
from .requests import Request
from .wording import Order

__all__ = ["across", "best_of", "size_of"]

_WIDTH = re.compile(r"\b(?:wide|narrow)\w*\b.*\brange\b", re.IGNORECASE)


def across(
    request: Request, evidence: Sequence[Evidence], names: Mapping[str, str], reader: Reader
) -> tuple[Found | None, int]:
    """Answer a wide question, and say from how many documents; ``names`` are the documents' names by id.

    The fewer of the documents speak of it, the less sure is the answer: the one that was meant may not be among them.
    """
    groups: dict[str, list[int]] = {}
    for number, section in enumerate(evidence):
        if section.document_id in names:
            groups.setdefault(section.document_id, []).append(number)
    read: Mapping[str, Found] = {
        names[document]: found
        for document, numbers in groups.items()
        if (found := _one(request, [evidence[n] for n in numbers], numbers, reader)) is not None
    }
    found = _made(request, read, evidence) if read else None
    if found is None:
        return None, len(read)
    return replace(found, sure=found.sure * math.sqrt(len(read) / len(names))), len(read)


def _made(request: Request, read: Mapping[str, Found], evidence: Sequence[Evidence]) -> Found | None:
    """What the documents' answers come to."""
    if request.task == "extreme":
        alike = _homologous(read, evidence)
        best = best_of(alike, request.order or "greatest", wide=_WIDTH.search(request.form.stem) is not None)
        return replace(alike[best[0]], texts=best) if best else None
    holding = [name for name, found in read.items() if found.texts[0] == "True"]
    first = read[holding[0]] if holding else next(iter(read.values()))
    if request.task == "count":
        return replace(first, texts=(str(len(holding)),))
    return replace(first, texts=tuple(holding)) if holding else None


def _homologous(read: Mapping[str, Found], evidence: Sequence[Evidence]) -> Mapping[str, Found]:
    """Keep what stands in chapters of the same name as the surest: homologous ones can be compared (C.4)."""
    surest = max(read.values(), key=lambda found: found.sure)
    name = evidence[surest.section].path[1:]
    alike = {each: found for each, found in read.items() if evidence[found.section].path[1:] == name}
    return alike if len(alike) > 1 else read


def best_of(read: Mapping[str, Found], order: Order, *, wide: bool = False) -> tuple[str, ...]:
    """Return the names with the greatest or least value; several where they are equal, none where none compares."""
    sizes = {name: size for name, found in read.items() if (size := size_of(found, order, wide=wide)) is not None}
    measures = [amount.measure for amount in sizes.values()]
    if not sizes:
        return ()
    common = max(set(measures), key=measures.count)
    values = {name: a.base for name, a in sizes.items() if a.measure in (common, "")}
    best = max(values.values()) if order == "greatest" else min(values.values())
    return tuple(name for name, value in values.items() if value == best)


def size_of(found: Found, order: Order, *, wide: bool = False) -> Amount | None:
    """The amount by which an answer is compared: of a range its end, or its width where that is asked for."""
    if not found.values:
        return None
    ends = sorted(found.values, key=lambda amount: amount.base)
    if wide and len(ends) > 1:
        return replace(ends[-1], base=ends[-1].base - ends[0].base)
    return ends[-1] if order == "greatest" else ends[0]


def _one(request: Request, evidence: Sequence[Evidence], numbers: Sequence[int], reader: Reader) -> Found | None:
    """What one document says, with the section's number among all."""
    stem = request.form.stem
    if request.task == "extreme":
        found = reader.value(f"What is the {request.measure}?", evidence)
        found = found if found is not None and found.values else None
    else:
        found = _bounded(stem, evidence) or reader.verdict(request.measure, evidence)
    return None if found is None else replace(found, section=numbers[found.section])


def _bounded(stem: str, evidence: Sequence[Evidence]) -> Found | None:
    """Whether a value meets the bound that the question sets: "a maximum supply voltage above 10 V"."""
    wanted = claimed_amounts(stem)
    if not wanted:
        return None
    rest = stem
    for amount in reversed(wanted):
        rest = f"{rest[: amount.start]} ; {rest[amount.end :]}"
    asked = read_asked(measure_of_text(rest))
    cells = [cell for cell in look_up(asked, evidence) if cell.amounts]
    if not cells:
        return None
    return _weighed(stem, wanted, cells[0])


def _weighed(stem: str, wanted: Sequence[Amount], cell: Cell) -> Found:
    holds = all(any(meets(value, one, bound_of(stem, one)) for value in cell.amounts) for one in wanted)
    return Found(("True" if holds else "False",), cell.section, cell.row, min(0.95, cell.score), cell.amounts)
