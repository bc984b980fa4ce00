"""Walking the terms of a plan: which values they have so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice, product

from .....cubes.extraction.words.lexicon import country_of
from ..plan import OpenStep, Operation, Part, QuestionEntity, RelationStep, Term
from ..vocabulary.lexicon import nouns_called
from ..vocabulary.places import PlaceHierarchy

__all__ = ["Ask", "PlanResult", "describe", "name_of", "values_of"]

Ask = Callable[[RelationStep | OpenStep, str, str | None], Sequence[str]]
"""Gives the values of a step for one base; it may raise to say that the hop is still to come. The last argument is
the name the base was itself found from, which tells homonyms apart. An open step comes with its whole subquery as
its base."""

_MAX_ALTERNATIVES = 3
_NATIONAL = frozenset({"nationality", "country of origin"})


@dataclass(frozen=True, slots=True)
class PlanResult:
    """What a plan came to; ``missing`` names the part that was not found. Another way to read it is no use where it is
    ``settled``."""

    text: str = ""
    missing: str = ""
    settled: bool = False


def values_of(term: Term | OpenStep, ask: Ask, places: PlaceHierarchy | None = None) -> list[str]:
    """Return the values of a term; of several bases, the first that leads on counts."""
    if isinstance(term, QuestionEntity):
        return [term.name]
    if isinstance(term, OpenStep):
        return _open_values(term, ask, places)
    bases = _as_lands(term.base, values_of(term.base, ask, places), places)
    origin = name_of(term.base.base) if isinstance(term.base, RelationStep) else None
    for base in bases[:_MAX_ALTERNATIVES]:
        found = list(ask(term, base, origin))
        if found:
            return found
    return []


def _open_values(term: OpenStep, ask: Ask, places: PlaceHierarchy | None) -> list[str]:
    """Fill the gaps with the first values that lead on; a part that is not found stays as the question has it."""
    filled = [
        _as_lands(part, values_of(part, ask, places), places)[:_MAX_ALTERNATIVES] or [words]
        for part, words in zip(term.parts, term.words, strict=True)
    ]
    for names in islice(product(*filled), _MAX_ALTERNATIVES):
        found = list(ask(term, term.filled(names), None))
        if found:
            return found
    return []


def _as_lands(part: Part, values: Sequence[str], places: PlaceHierarchy | None) -> list[str]:
    """The countries themselves, to go on from, where the text says "Tarsennan" of what is from a country."""
    if not isinstance(part, RelationStep):
        return list(values)
    if places is not None and _NATIONAL & set(part.relations):
        return [places.country_named(value) for value in values]
    asked = part.want.noun in nouns_called("country_nouns")
    return [country_of(value) or value for value in values] if asked else list(values)


def name_of(term: Part) -> str:
    """Return the name that a term starts from."""
    while isinstance(term, (RelationStep, Operation)):
        term = term.base if isinstance(term, RelationStep) else term.parts[0]
    return term.filled(term.words) if isinstance(term, OpenStep) else term.name


def describe(term: Part) -> str:
    """Say which hop failed; a base that is itself to be found is left open."""
    if isinstance(term, QuestionEntity):
        return term.name
    if isinstance(term, Operation):
        return describe(term.parts[0])
    if isinstance(term, OpenStep):
        return term.filled(term.words)
    return term.template.replace("{}", name_of(term.base) if isinstance(term.base, QuestionEntity) else "...", 1)
