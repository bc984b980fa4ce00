"""An answer table read by the embedded engine: which things the sections tell of, and each asked value of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.wording import names_in, stems
from .....graphs.evidence import locate
from .....graphs.expansion.intents import Intents
from .....graphs.expansion.statements import AnswerCell
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..answers.scorer import ScoredSpan
from .instances import GOES_ON, Instance, Read, about_all, alike, candidates, in_text, topics_of
from .table_filling import CellCandidate, filled, overlap, whole

__all__ = ["Tabulator"]

LEAST = 0.4
"""The least that speaks for an instance, and the least confidence of what facts and plain sentences say of one."""
_SURE = 0.8
"""How sure an instance must be of which nothing that is asked was found."""
_ALONE = 0.95
"""How sure an instance must be that is named once, where others are named again and again."""
_READ = 0.15
"""The least probability of a value that the reader points at."""
_DOUBTED = 0.5
"""What a doubt leaves of that probability."""
_WORST = 0.35
"""What all doubts together leave of it: what the reader is sure of stays."""
_VALUE = 0.3
"""How sure a value must be that shows that what it names is no instance."""
_IN_SO_MANY_WORDS = 0.8
_SAYS = r"(?:is|are|was|were|includes?|included)"
_CALLED = r"(?:known|called|named|spelt|written|sold)(?: as)?"
_OTHER_NAME = re.compile(
    rf"\b(?:(?:also|otherwise) {_CALLED}|formerly(?: {_CALLED})?)(?: the)? [\"“'‘]?$", re.IGNORECASE
)
_LISTED = re.compile(r",\s*(?:and\s+)?|\s+and\s+")

Answer = Callable[[str, Sequence[Evidence]], SubAnswer]
Ranked = Callable[[str, Sequence[Evidence]], Sequence[ScoredSpan]]
"""The texts of sections that may answer a question, the likeliest first; see `HopReader.ranked`."""


class Tabulator:
    """Fills a table with one-hop answers, each read from the sections that name the instance it is about."""

    def __init__(self, answer: Answer, read: Read | None, ranked: Ranked) -> None:
        """``read`` points at words of sections, for the instances. ``ranked`` gives the texts that may be a value.

        Where these find nothing, instances and values are those of facts and of plain statements.
        """
        self._answer, self._read, self._ranked = answer, read, ranked

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> list[list[AnswerCell]]:
        """Return a row for each instance, the surest first."""
        instances = list(self._given(intents, evidence) if intents.subject else self._instances(intents, evidence))
        read = {
            one.value: [self._readings(column, one.value, intents, evidence) for column in intents.asked]
            for one in instances
        }
        rows = instances if intents.subject else _things(instances, read)
        taken = [*names_in(intents.head), *(one.value for one in rows)]
        left = [[_values(readings, taken) for readings in read[one.value]] for one in rows]
        cells = filled([one.value for one in rows], left, {e.section_id: e.text for e in evidence})
        table = [[one, *found] for one, found in zip(rows, cells, strict=True)]
        told = any(cell.value for row in table for cell in row[1:])
        sure = _SURE if told else LEAST
        return [row for row in table if row[0].confidence >= sure or any(cell.value for cell in row[1:])]

    def _given(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        """The one instance that the question names, where a section names it as well."""
        for section in _naming(intents.subject, evidence)[:1]:
            span = locate(section.text, intents.subject)
            yield AnswerCell(intents.subject, section.section_id, span.start, span.end, 1.0)

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        found = _sure_ones([one for one in candidates(intents.head, evidence, self._read) if one.score >= LEAST])
        for one in found:
            sentence = one.sentence
            yield AnswerCell(one.name, one.section_id, sentence.start, sentence.end, min(1.0, one.score))
        seen = set[str]()
        for cell in (cell for section in evidence if not found for cell in self._listed(intents.head, section)):
            key = base_key(cell.value)
            if key and key not in seen:
                seen.add(key)
                yield cell

    def _listed(self, head: str, section: Evidence) -> list[AnswerCell]:
        """The instances that a section lists which is about what the question names."""
        if f" {base_key(section.title)} " not in f" {fold(head)} " or not about_all(head, section.text):
            return []
        found = self._answer(head, [section])
        if not _is_sure(found):
            best = next(self._pointed("", head, [section], ""), None)
            cell = best.cell if best is not None else AnswerCell()
            return [replace(cell, value=part) for part in _LISTED.split(cell.value) if part]
        return [_cell(part, found) for whole in found.answers for part in _LISTED.split(whole) if part]

    def _readings(self, column: str, name: str, intents: Intents, evidence: Sequence[Evidence]) -> list[CellCandidate]:
        """What each section that names the instance tells of it by itself.

        Their order does not say which tells the value. What is said in so many words, or by a fact, needs no reader.
        """
        naming = _naming(name, evidence)
        stated = next((found for e in naming if (found := _stated(column, name, e)) is not None), None)
        if stated is not None:
            return [_placed(stated)]
        question = intents.question(column, name)
        facts = (self._answer(question, [section]) for section in naming)
        told = (f for f in facts if f.fact is not None and not overlap(f.fact.subject, f.answers[0]))
        known = max(told, key=lambda one: one.confidence, default=None)
        ruled = [_placed(_cell("; ".join(known.answers), known))] if known is not None else []
        topics = [] if intents.subject else topics_of(intents.head)
        weighed = (_weighed(one, column, name, topics, naming) for one in self._pointed(column, question, naming, name))
        return [*ruled, *(one for one in weighed if one.cell.confidence >= _READ)]

    def _pointed(self, column: str, question: str, naming: Sequence[Evidence], name: str) -> Iterator[CellCandidate]:
        """The words that the reader points at in any of the sections, the likeliest first."""
        for one in self._ranked(question, naming) if naming else ():
            span, sure = one.candidate.span, one.probability
            if sure < _READ:
                return
            section = naming[span.section]
            start, end = whole(column, section.text, span.start, span.end)
            value = section.text[start:end]
            longer = f" {fold(f'{name} {value}')} "  # the rest of a longer name is no value of its own
            if not any(longer in f" {fold(e.text)} " for e in naming):
                within = next((s for s in sentences(section.text) if s.start <= start < s.end), Span(start, end))
                yield CellCandidate(AnswerCell(value, section.section_id, within.start, within.end, sure), start, end)


def _weighed(
    one: CellCandidate, column: str, name: str, topics: Sequence[str], naming: Sequence[Evidence]
) -> CellCandidate:
    """A reading with the confidence that its sentence leaves to it.

    It is doubted where its sentence names what the question names: that says, first of all, that the thing is an
    instance. So it is where its section does not, though others that name the instance do so again and again: there the
    instance is named for another reason. And so it is where the sentence does not tell of the instance, nor has what is
    asked, and where it gives another name.
    """
    tied = {e.section_id for e in naming if topics and all(in_text(topic, f"{e.title}. {e.text}") for topic in topics)}
    held = next(e for e in naming if e.section_id == one.cell.section_id)
    text = held.text[one.cell.start : one.cell.end]
    doubts = (
        any(in_text(topic, text) for topic in topics),
        len(tied) > 1 and one.cell.section_id not in tied,
        not _tells_of(name, held.title, text) and not set(stems(column)) & set(stems(text)),
        _OTHER_NAME.search(held.text, one.cell.start, one.start) is not None,
    )
    left = one.cell.confidence * max(_DOUBTED ** sum(doubts), _WORST)
    return replace(one, cell=replace(one.cell, confidence=left))


def _tells_of(name: str, title: str, sentence: str) -> bool:
    """Whether a sentence names a thing, or goes on about it in a section of its name."""
    key = base_key(name)
    return in_text(key, sentence) or (in_text(key, title) and GOES_ON.match(sentence) is not None)


def _sure_ones(found: Sequence[Instance]) -> list[Instance]:
    """Leave out what stands once beside what the question names, where others do so again and again.

    The things sought are written alike.
    """
    again = any(len(one.sections) > 1 for one in found)
    kept = [one for one in found if not again or len(one.sections) > 1 or one.score >= _ALONE]
    return alike(kept)


def _things(instances: Sequence[AnswerCell], read: Mapping[str, Sequence[Sequence[CellCandidate]]]) -> list[AnswerCell]:
    """The instances without those that are a value of a likelier one."""
    kept: list[AnswerCell] = []
    for one in sorted(instances, key=lambda each: -each.confidence):
        values = [r.cell for other in kept for readings in read[other.value] for r in readings]
        if not any(v.confidence >= _VALUE and overlap(v.value, one.value) for v in values):
            kept.append(one)
    return [one for one in instances if one in kept]


def _values(readings: Sequence[CellCandidate], taken: Sequence[str]) -> list[CellCandidate]:
    """The readings that are neither an instance nor what the question names."""
    return [one for one in readings if not any(overlap(one.cell.value, name) for name in taken)]


def _placed(cell: AnswerCell) -> CellCandidate:
    """A value that stands somewhere in its sentence."""
    return CellCandidate(cell, cell.start, cell.end)


def _stated(column: str, name: str, section: Evidence) -> AnswerCell | None:
    """The value where a sentence says in so many words what it is: "the length of the Amber is 40 km"."""
    one = re.escape(column.removesuffix("s"))
    noun = rf"(?:{one}(?:s|es)?|{one.removesuffix('ie')}y)" if one.endswith("ie") else rf"{one}(?:s|es)?"
    called = re.compile(
        rf"\b(?:{noun} of (?:the )?{re.escape(name)}|{re.escape(name)}['’]s? {noun}) {_SAYS}\s+(?P<value>[^.;]+)",
        re.IGNORECASE,
    )
    for span in sentences(section.text):
        found = called.search(section.text[span.start : span.end])
        if found is not None:
            value = found["value"].strip()
            return AnswerCell(value, section.section_id, span.start, span.end, _IN_SO_MANY_WORDS)
    return None


def _is_sure(found: SubAnswer) -> bool:
    return bool(found.section_id) and (found.fact is not None or found.confidence >= LEAST)


def _cell(value: str, found: SubAnswer) -> AnswerCell:
    return AnswerCell(value, found.section_id or "", found.start, found.end, found.confidence)


def _naming(name: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections that name a thing: those about it first."""
    key = f" {base_key(name)} "
    titled = [e for e in evidence if key in f" {fold(e.title)} "]
    return [*titled, *(e for e in evidence if e not in titled and key in f" {fold(e.text)} ")]
