"""The things that a question names as its possible answers ("Which of them is ..., A or B?")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .....cubes.core.folding import base_key, fold, split_qualifier
from .....graphs.records import Evidence
from ..plan import QuestionEntity
from .scorer import ScoredSpan

__all__ = ["bare", "best_supported", "named_by"]


def best_supported(
    items: Sequence[QuestionEntity], found: Sequence[ScoredSpan], evidence: Sequence[Evidence]
) -> tuple[str, ScoredSpan] | None:
    """Return the item that most speaks for: a span speaks for the one that it, its sentence or its section names.

    It comes with the likeliest of its spans, which has the probability of all of them.
    """
    best: dict[str, ScoredSpan] = {}
    for one in found:
        section, place = evidence[one.section], one.sentence(evidence)
        places = (one.text, section.text[place.start : place.end], section.title)
        item = next((item for text in places if (item := named_by(items, text)) is not None), None)
        if item is not None:
            name = bare(item.name, items)
            sum_of = one.probability + (best[name].probability if name in best else 0.0)
            best[name] = replace(best.get(name, one), probability=sum_of)
    return max(best.items(), key=lambda pair: pair[1].probability, default=None)


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
