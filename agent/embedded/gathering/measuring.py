"""Superlatives of a question: "the longest", "most populous", "was released first", "has the largest population"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....cubes.folding import fold
from ..lexicon import Comparative, Lexicon, ranks
from .request import Measure

__all__ = ["measure_of"]

_SUP = r"(?P<sup>(?:most|least|best)[ -](?!of )[a-z]+|[a-z]{2,}est|first|last|final|debut|second|third|fourth|fifth)"
_BY = r"(?: by (?P<what>[a-z ]+?))?"
_HAS = rf"(?P<rest>.+?) (?:has|have|had|with) the {_SUP[:-1]}|most|fewest|least) (?P<what>[a-z][a-z ]*)"
_FORMS = (
    _HAS,
    rf"(?P<rest>.+?) (?:(?:was|were|is|are) )?(?P<event>[a-z]+(?: out| place)?) (?:the )?{_SUP[:-1]}|most recently)",
    rf"(?P<rest>.+?),? (?:is|was|are|were) (?:the )?{_SUP}(?: of (?:all|them))?{_BY}",
    rf"(?:the )?{_SUP} (?:of )?(?P<rest>.+?){_BY}",
    rf"(?P<owner>.+?'s? ){_SUP} (?P<rest>[a-z].*?){_BY}",
)
_GREATEST = re.compile(r"^(?:larg|long|high|bigg|great|deep|tall|broad|wid|fast|heavi|most)")
_DATED = ("released on", "founded on", "opened on", "launched on", "built on", "introduced on", "took place on",
          "happened on", "described on", "born on")


def measure_of(text: str, lexicon: Lexicon) -> tuple[str, Measure] | None:
    """Take the superlative out of a question's noun phrase, and say what it goes by; None without one."""
    for form in _FORMS:
        found = re.fullmatch(form, text)
        got = found.groupdict() if found is not None else {}
        if got and fold(got.get("event") or "") in ("", *lexicon.events):
            said = got["sup"].replace("-", " ")
            relations, place = _by(said, got.get("what") or "", fold(got.get("event") or ""), lexicon)
            rest = f"{got.get('owner') or ''}{got['rest']}"
            return (rest, Measure(relations, place, said)) if relations and place is not None else None
    return None


def _by(said: str, what: str, event: str, lexicon: Lexicon) -> tuple[tuple[str, ...], int | None]:
    """The relations that a superlative may go by, and the place in their order that it names."""
    if event:
        return lexicon.events[event], _place(said)
    told = _comparative(f"{said} {what}".strip(), lexicon)
    if told is not None:
        return () if told.starts and not what else told.relations, 0 if told.order == "least" else -1
    if what:
        names = lexicon.asks.get(fold(what), ())
        measured = (n for n in names if any(r.kind in ("quantity", "date") for r in lexicon.relations[n]))
        return tuple(measured), -1 if _GREATEST.match(said) else 0
    return tuple(name for name in _DATED if name in lexicon.relations and said in ranks()), _place(said)


def _comparative(words: str, lexicon: Lexicon) -> Comparative | None:
    """The comparing phrase itself, or in its other degree: "longest running time" goes by "longer running time"."""
    return next((lexicon.comparatives[form] for form in _degrees(words) if form in lexicon.comparatives), None)


def _degrees(words: str) -> Iterator[str]:
    first, _, others = words.partition(" ")
    stem = first.removesuffix("est")
    more = {"most": "more", "least": "fewer", "fewest": "fewer"}.get(first, f"{stem}er")
    yield from (fold(form) for form in (words, f"{more} {others}", f"{stem}r {others}"))


def _place(word: str) -> int | None:
    rank = ranks().get(fold(word))
    if rank is None:
        return -1 if word == "most recently" else None
    return rank - 1 if rank > 0 else rank
