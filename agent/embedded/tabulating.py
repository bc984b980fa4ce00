"""An answer table read by the embedded engine: which things the sections tell of, and each asked value of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ...cubes.folding import base_key, fold
from ...cubes.sections import sentences
from ...graphs.evidence import locate
from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell
from ...graphs.reasoner import SubAnswer
from ...graphs.records import Evidence
from .hypotheses import about_all, telling

__all__ = ["Tabulator"]

LEAST = 0.5
"""The least confidence of a value that no fact states."""
_TITLED = 0.5
"""How sure it is that a section which speaks of all that is asked is about an instance."""
_IN_SO_MANY_WORDS = 0.8
_SAYS = r"(?:is|are|was|were|includes?|included)"
_LISTED = re.compile(r",\s*(?:and\s+)?|\s+and\s+")

Answer = Callable[[str, Sequence[Evidence]], SubAnswer]


class Tabulator:
    """Fills a table with one-hop answers, each read from the sections that name the instance it is about."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> list[list[Cell]]:
        """Return a row for each instance, in the order in which the sections were found."""
        instances = self._given(intents, evidence) if intents.subject else self._instances(intents, evidence)
        return [
            [instance, *(self._value(column, instance, intents, evidence) for column in asked)]
            for instance in instances
            if (asked := intents.asked)
        ]

    def _given(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[Cell]:
        """The one instance that the question names, where a section names it as well."""
        for section in _naming(intents.subject, evidence)[:1]:
            span = locate(section.text, intents.subject)
            yield Cell(intents.subject, section.section_id, span.start, span.end, 1.0)

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[Cell]:
        seen: set[str] = set()
        for section in evidence:
            for cell in self._told(intents.head, section):
                key = base_key(cell.value)
                if key and key not in seen:
                    seen.add(key)
                    yield cell

    def _told(self, head: str, section: Evidence) -> list[Cell]:
        """The instances of one section: what it is about, or what it lists where the question names that."""
        span = telling(head, section)
        if span is not None:
            return [Cell(section.title, section.section_id, span.start, span.end, _TITLED)]
        if f" {base_key(section.title)} " not in f" {fold(head)} " or not about_all(head, section.text):
            return []
        found = self._answer(head, [section])
        values = [part for whole in found.answers for part in _LISTED.split(whole)]
        return [_cell(value, found) for value in values if value] if _is_sure(found) else []

    def _value(self, column: str, instance: Cell, intents: Intents, evidence: Sequence[Evidence]) -> Cell:
        """Read each section that names the instance by itself: their order does not say which tells the value."""
        naming = _naming(instance.value, evidence)
        stated = next(filter(None, (_stated(column, instance.value, section) for section in naming)), None)
        if stated is not None:
            return stated
        question = intents.question(column, instance.value)
        read = [self._answer(question, [section]) for section in naming]
        found = max(filter(_is_sure, read), key=lambda one: (one.fact is not None, one.confidence), default=SubAnswer())
        return _cell("; ".join(found.answers), found) if found.answers else Cell()


def _stated(column: str, name: str, section: Evidence) -> Cell | None:
    """The value where a sentence says in so many words what it is: "the length of the Amber is 40 km"."""
    noun = rf"{re.escape(column.removesuffix('s'))}(?:s|es)?"
    called = re.compile(
        rf"\b(?:{noun} of (?:the )?{re.escape(name)}|{re.escape(name)}['’]s? {noun}) {_SAYS}\s+(?P<value>[^.;]+)",
        re.IGNORECASE,
    )
    for span in sentences(section.text):
        found = called.search(section.text[span.start : span.end])
        if found is not None:
            value = found["value"].strip()
            return Cell(value, section.section_id, span.start, span.end, _IN_SO_MANY_WORDS)
    return None


def _is_sure(found: SubAnswer) -> bool:
    return bool(found.section_id) and (found.fact is not None or found.confidence >= LEAST)


def _cell(value: str, found: SubAnswer) -> Cell:
    return Cell(value, found.section_id or "", found.start, found.end, found.confidence)


def _naming(name: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections that name a thing: those about it first."""
    key = f" {base_key(name)} "
    titled = [e for e in evidence if key in f" {fold(e.title)} "]
    return [*titled, *(e for e in evidence if e not in titled and key in f" {fold(e.text)} ")]
