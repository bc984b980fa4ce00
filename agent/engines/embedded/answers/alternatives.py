"""Choosing among the things that a question names as its possible answers ("Which of them is ..., A or B?")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .....cubes.core.folding import base_key, fold, split_qualifier
from .....graphs.records import Evidence
from ..plan import QuestionEntity, alternatives_of
from .choice import ChosenSpan

__all__ = ["alternatives_of", "bare", "best_supported", "named_by"]


def best_supported(
    items: Sequence[QuestionEntity], found: Sequence[ChosenSpan], evidence: Sequence[Evidence]
) -> ChosenSpan | None:
    """Return the item that most speaks for: a span speaks for the one that it, its sentence or its section names."""
    sections = {e.section_id: e for e in evidence}
    sums: dict[str, ChosenSpan] = {}
    for one in found:
        section = sections[one.section_id]
        places = (one.text, section.text[one.start : one.end], section.title)
        item = next((item for place in places if (item := named_by(items, place)) is not None), None)
        if item is not None:
            best = sums.get(item.name) or replace(one, text=bare(item.name, items), probability=0.0)
            sums[item.name] = replace(best, probability=best.probability + one.probability)
    return max(sums.values(), key=lambda one: one.probability, default=None)


def named_by(items: Sequence[QuestionEntity], text: str) -> QuestionEntity | None:
    """The one item that a text names, in full or by a part of its name; None where it names several."""
    said, words = f" {base_key(text)} ", f" {fold(text)} "
    names = {f" {base_key(item.name)} ": item for item in items}
    full = [item for name, item in names.items() if name in words]
    named = full or [item for name, item in names.items() if said.strip() and said in name]
    return named[0] if len(named) == 1 else None


def bare(name: str, items: Sequence[QuestionEntity]) -> str:
    """A name without the brackets that tell it from homonyms, unless one of them is among the items."""
    alike = [base_key(item.name) for item in items].count(base_key(name)) > 1
    return name if alike else split_qualifier(name)[0]
