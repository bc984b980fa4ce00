"""An answer table read by the embedded engine: which things the sections tell of, and each asked value of each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...cubes.folding import base_key, fold
from ...cubes.sections import sentences
from ...cubes.wording import names_in
from ...graphs.evidence import locate
from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell
from ...graphs.reasoner import SubAnswer
from ...graphs.records import Evidence
from .instances import Read, about_all, candidates

__all__ = ["Tabulator"]

LEAST = 0.5
"""The least confidence of a value that no fact states, and of an instance."""
_SURE = 0.8
"""How sure an instance must be of which nothing that is asked was found."""
_IN_SO_MANY_WORDS = 0.8
_SLOPE = 0.35
"""Of the curve from a span's margin to how likely it is right, as in `choosing`."""
_SAYS = r"(?:is|are|was|were|includes?|included)"
_LISTED = re.compile(r",\s*(?:and\s+)?|\s+and\s+")

Answer = Callable[[str, Sequence[Evidence]], SubAnswer]


class Tabulator:
    """Fills a table with one-hop answers, each read from the sections that name the instance it is about."""

    def __init__(self, answer: Answer, read: Read | None = None) -> None:
        """``read`` points at words of sections; without it values are those of facts and of plain statements."""
        self._answer, self._read = answer, read

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> list[list[Cell]]:
        """Return a row for each instance, the surest first."""
        instances = list(self._given(intents, evidence) if intents.subject else self._instances(intents, evidence))
        taken = [base_key(name) for name in names_in(intents.head)] + [base_key(one.value) for one in instances]
        rows = [
            [instance, *(self._value(column, instance, intents, evidence, taken) for column in intents.asked)]
            for instance in instances
        ]
        return [row for row in rows if row[0].confidence >= _SURE or any(cell.value for cell in row[1:])]

    def _given(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[Cell]:
        """The one instance that the question names, where a section names it as well."""
        for section in _naming(intents.subject, evidence)[:1]:
            span = locate(section.text, intents.subject)
            yield Cell(intents.subject, section.section_id, span.start, span.end, 1.0)

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[Cell]:
        found = [one for one in candidates(intents.head, evidence, self._read) if one.score >= LEAST]
        for one in found:
            sentence = one.sentence
            yield Cell(one.name, one.section_id, sentence.start, sentence.end, min(1.0, one.score))
        seen = set[str]()
        for cell in (cell for section in evidence if not found for cell in self._listed(intents.head, section)):
            key = base_key(cell.value)
            if key and key not in seen:
                seen.add(key)
                yield cell

    def _listed(self, head: str, section: Evidence) -> list[Cell]:
        """The instances that a section lists which is about what the question names."""
        if f" {base_key(section.title)} " not in f" {fold(head)} " or not about_all(head, section.text):
            return []
        found = self._answer(head, [section])
        if not _is_sure(found):
            cell = self._pointed(head, [section], ())
            return [replace(cell, value=part) for part in _LISTED.split(cell.value) if part]
        return [_cell(part, found) for whole in found.answers for part in _LISTED.split(whole) if part]

    def _value(
        self, column: str, instance: Cell, intents: Intents, evidence: Sequence[Evidence], taken: Sequence[str]
    ) -> Cell:
        """Read each section that names the instance by itself: their order does not say which tells the value.

        What the question names, and the instances, are no values.
        """
        naming = _naming(instance.value, evidence)
        for section in naming:
            stated = _stated(column, instance.value, section)
            if stated is not None:
                return stated
        question = intents.question(column, instance.value)
        facts = (self._answer(question, [section]) for section in naming)
        known = max((f for f in facts if f.fact is not None), key=lambda one: one.confidence, default=None)
        if known is not None and base_key(known.answers[0]) not in taken:
            return _cell("; ".join(known.answers), known)
        found = self._pointed(question, naming, taken)
        whole = f" {fold(f'{instance.value} {found.value}')} "  # the rest of a longer name is no value of its own
        return Cell() if any(whole in f" {fold(e.text)} " for e in naming) else found

    def _pointed(self, question: str, naming: Sequence[Evidence], taken: Sequence[str]) -> Cell:
        """The words that the reader is surest of in any of the sections."""
        if self._read is None or not naming:
            return Cell()
        spans = self._read(question, [(e.title, e.text) for e in naming])
        best = max((s for s in spans if _is_value(s.text, taken)), key=lambda span: span.margin, default=None)
        if best is None or (sure := 1 / (1 + math.exp(-_SLOPE * best.margin))) < LEAST:
            return Cell()
        section = naming[best.section]
        within = (s for s in sentences(section.text) if s.start <= best.start < s.end)
        sentence = next(within, None)
        start, end = (sentence.start, sentence.end) if sentence is not None else (best.start, best.end)
        return Cell(best.text, section.section_id, start, end, sure)


def _is_value(text: str, taken: Sequence[str]) -> bool:
    key = base_key(text)
    return bool(key) and not any(f" {key} " in f" {name} " or f" {name} " in f" {key} " for name in taken if name)


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
