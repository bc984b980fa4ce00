"""Superlatives of a question: "the longest", "most populous", "was released first", "has the largest population"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ....cubes.folding import fold
from ..lexicon import Comparative, Lexicon, ranks
from .request import Measure

__all__ = ["Measured", "measure_of"]

_SUP = r"(?:(?:most|least|best)[ -](?!of )[a-z]+|[a-z]{2,}est|first|last|final|debut|second|third|fourth|fifth)"
_BY = r"(?: by (?P<by>[a-z ]+?))?"
_HAS = re.compile(
    rf"^(?P<rest>.+?) (?:has|have|had|with) the (?P<sup>{_SUP}|most|fewest|least) (?P<what>[a-z][a-z ]*)$"
)
_EVENT = re.compile(
    r"^(?P<rest>.+?) (?:(?:was|were|is|are) )?(?P<event>[a-z]+(?: out| place)?) (?:the )?"
    rf"(?P<sup>{_SUP}|most recently)$"
)
_TAIL = re.compile(rf"^(?P<rest>.+?),? (?:is|was|are|were) (?:the )?(?P<sup>{_SUP})(?: of (?:all|them))?{_BY}$")
_HEAD = re.compile(rf"^(?:the )?(?P<sup>{_SUP}) (?:of (?P<of>.+?)|(?P<rest>.+?)){_BY}$")
_OWNED = re.compile(rf"^(?P<owner>.+?'s?) (?P<sup>{_SUP}) (?P<rest>[a-z].*?){_BY}$")
_GREATEST = re.compile(r"^(?:larg|long|high|bigg|great|deep|tall|broad|wid|fast|heavi|most)")
_DATED = ("released on", "founded on", "opened on", "launched on", "built on", "introduced on", "took place on",
          "happened on", "described on", "born on")


@dataclass(frozen=True, slots=True)
class Measured:
    """A question without its superlative, and what that goes by."""

    text: str
    measure: Measure


def measure_of(text: str, lexicon: Lexicon) -> Measured | None:
    """Take the superlative out of a question's noun phrase; None without one."""
    found = _HAS.match(text)
    if found is not None:
        return _made(found["rest"], found["sup"], lexicon, what=found["what"])
    found = _EVENT.match(text)
    if found is not None and fold(found["event"]) in lexicon.events:
        return _made(found["rest"], found["sup"], lexicon, event=found["event"])
    found = _TAIL.match(text)
    if found is not None:
        return _made(found["rest"], found["sup"], lexicon, what=found["by"] or "")
    found = _HEAD.match(text)
    if found is not None:
        return _made(found["of"] or found["rest"], found["sup"], lexicon, what=found["by"] or "")
    found = _OWNED.match(text)
    if found is not None:
        return _made(f"{found['owner']} {found['rest']}", found["sup"], lexicon, what=found["by"] or "")
    return None


def _made(rest: str, sup: str, lexicon: Lexicon, what: str = "", event: str = "") -> Measured | None:
    sup = sup.replace("-", " ")
    if event:
        relations, place = lexicon.events[fold(event)], _place(sup)
    elif what:
        told = _comparative(f"{sup} {what}", lexicon)
        relations = told.relations if told is not None else _quantities(what, lexicon)
        place = _end(told) if told is not None else (-1 if _GREATEST.match(sup) else 0)
    else:
        told = _comparative(sup, lexicon)
        if told is None and sup not in ranks():
            return None
        relations = told.relations if told is not None and not told.starts else () if told is not None else tuple(
            r for r in _DATED if r in lexicon.relations)
        place = _end(told) if told is not None else _place(sup)
    return Measured(rest, Measure(relations, place, sup)) if relations and place is not None else None


def _comparative(words: str, lexicon: Lexicon) -> Comparative | None:
    """The comparing phrase itself, or in its other degree: "longest running time" goes by "longer running time"."""
    first, _, others = words.partition(" ")
    degrees = {"most": "more", "least": "fewer", "fewest": "fewer"}
    stem = first.removesuffix("est")
    forms = (words, f"{degrees.get(first, f'{stem}er')} {others}".strip(), f"{stem}r {others}".strip())
    return next((found for form in forms if (found := lexicon.comparatives.get(fold(form))) is not None), None)


def _quantities(noun: str, lexicon: Lexicon) -> tuple[str, ...]:
    names = lexicon.asks.get(fold(noun), ())
    return tuple(n for n in names if any(r.kind in ("quantity", "date") for r in lexicon.relations[n]))


def _end(told: Comparative) -> int:
    return 0 if told.order == "least" else -1


def _place(word: str) -> int | None:
    rank = ranks().get(fold(word))
    if rank is None:
        return -1 if word == "most recently" else None
    return rank - 1 if rank > 0 else rank
