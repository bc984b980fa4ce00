"""An answer table read by the embedded engine: which things the sections tell of, and each asked value of each.

A sentence mostly says one thing of one instance. The readings of all cells go into them by how sure the reader is of
them, none of them twice in a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from .....cubes.core.folding import fold
from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .....cubes.retrieval.wording import names_in, stems
from .....graphs.evidence import locate
from .....graphs.expansion.intents import Intents
from .....graphs.expansion.statements import AnswerCell
from .....graphs.records import Evidence
from ..answers.scorer import ScoredSpan
from .instances import Instance, Read, candidates, in_text, overlap, topics_of

__all__ = ["Tabulator", "whole"]

_LEAST = 0.4
"""The least that speaks for an instance."""
_SURE = 0.8
"""How sure an instance must be of which nothing that is asked was found."""
_ALONE = 0.95
"""How sure an instance must be that is named once, where others are named again and again."""
_READ = 0.15
"""The least probability of a value that the reader points at."""
_DOUBTED, _WORST = 0.5, 0.35
"""What a doubt leaves of that probability, and what all doubts together leave: what the reader is sure of stays."""
_VALUE = 0.3
"""How sure a value must be that shows that what it names is no instance."""
_CALLED = r"(?:known|called|named|spelt|written|sold)(?: as)?"
_OTHER_NAME = re.compile(
    rf"\b(?:(?:also|otherwise) {_CALLED}|formerly(?: {_CALLED})?)(?: the)? [\"“'‘]?$", re.IGNORECASE
)
_NEXT_SMALL = re.compile(r" ([a-z][a-z-]+)\b")
_MEASURE = re.compile(r"(\d\S* [^\W\d]\S*) (?:long|wide|broad|high|tall|deep|thick|old|across|in [a-z]+)$")
_CAPITAL_BEFORE = re.compile(r"(?<=[a-z,] )([^\W\d_a-z][\w'’-]+) $")

Ranked = Callable[[str, Sequence[Evidence]], Sequence[ScoredSpan]]
"""The texts of sections that may answer a question, the likeliest first; see `HopReader.ranked`."""
Readings = Mapping[str, Sequence[Sequence[AnswerCell]]]
"""What may stand in the cells of each instance, by its name: for each column the readings, the surest first."""


class Tabulator:
    """Fills a table with one-hop answers, each read from the sections that name the instance it is about."""

    def __init__(self, read: Read, ranked: Ranked) -> None:
        """``read`` points at words of sections, for the instances. ``ranked`` gives the texts that may be a value."""
        self._read, self._ranked = read, ranked

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> list[list[AnswerCell]]:
        """Return a row for each instance, the surest first."""
        instances = list(self._given(intents, evidence) if intents.subject else self._instances(intents, evidence))
        read = {
            one.value: [self._readings(column, one.value, intents, evidence) for column in intents.asked]
            for one in instances
        }
        rows = instances if intents.subject else _things(instances, read)
        taken = [*names_in(intents.head), *(one.value for one in rows)]
        table = [[one, *_filled(read[one.value], taken)] for one in rows]
        sure = _SURE if any(cell.value for row in table for cell in row[1:]) else _LEAST
        return [row for row in table if row[0].confidence >= sure or any(cell.value for cell in row[1:])]

    def _given(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        """The one instance that the question names, where a section names it as well."""
        for section in _naming(intents.subject, evidence)[:1]:
            span = locate(section.text, intents.subject)
            yield AnswerCell(intents.subject, section.section_id, span.start, span.end, 1.0)

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        for one in _again(candidates(intents.head, evidence, self._read, _LEAST)):
            yield AnswerCell(
                one.name, one.section_id, one.sentence.start, one.sentence.end, min(1.0, one.score)
            )

    def _readings(self, column: str, name: str, intents: Intents, evidence: Sequence[Evidence]) -> list[AnswerCell]:
        """What the reader points at in the sections that name an instance, the likeliest first."""
        naming = _naming(name, evidence)
        topics = [] if intents.subject else topics_of(intents.head)
        tied = [e for e in naming if topics and all(in_text(topic, e) for topic in topics)]
        found = []
        for one in self._ranked(intents.question(column, name), naming) if naming else ():
            span = one.candidate.span
            section = naming[span.section]
            start, end = whole(column, section.text, span.start, span.end)
            value = section.text[start:end]
            said = sentence_around(section.text, Span(start, end))
            sentence = fold(section.text[said.start : said.end])
            doubts = (
                # What names the question's topic says, first of all, that the thing is an instance.
                any(f" {topic} " in f" {sentence} " for topic in topics),
                # Where others name it with the topic again and again, this one names it for another reason.
                len(tied) > 1 and section not in tied,
                _OTHER_NAME.search(section.text, said.start, start) is not None,
            )
            sure = one.probability * max(_DOUBTED ** sum(doubts), _WORST)
            # The rest of a longer name is no value of its own.
            longer = any(f" {fold(f'{name} {value}')} " in f" {fold(e.text)} " for e in naming)
            if sure >= _READ and not longer:
                found.append(AnswerCell(value, section.section_id, said.start, said.end, sure))
        return found


def _again(found: Sequence[Instance]) -> list[Instance]:
    """Leave out what stands once beside what the question names, where others do so again and again."""
    again = any(one.sections > 1 for one in found)
    return [one for one in found if not again or one.sections > 1 or one.score >= _ALONE]


def _things(instances: Sequence[AnswerCell], read: Readings) -> list[AnswerCell]:
    """The instances without those that are a value of a likelier one."""
    kept: list[AnswerCell] = []
    for one in sorted(instances, key=lambda each: -each.confidence):
        values = [cell for other in kept for cells in read[other.value] for cell in cells]
        if not any(cell.confidence >= _VALUE and overlap(cell.value, one.value) for cell in values):
            kept.append(one)
    return [one for one in instances if one in kept]


def _filled(columns: Sequence[Sequence[AnswerCell]], taken: Sequence[str]) -> list[AnswerCell]:
    """The cells of a row: the surest readings first, none twice, and nothing that is an instance or is ``taken``."""
    row = [AnswerCell() for _ in columns]
    wanted = [(cell, column) for column, cells in enumerate(columns) for cell in cells]
    for cell, column in sorted(wanted, key=lambda one: -one[0].confidence):
        others = (*taken, *(held.value for held in row))
        if not row[column].value and not any(overlap(cell.value, other) for other in others):
            row[column] = cell
    return row


def _naming(name: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections that name a thing: those about it first."""
    key = fold(name)
    return sorted(
        (e for e in evidence if in_text(key, e)), key=lambda e: f" {key} " not in f" {fold(e.title)} "
    )


def whole(column: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place of a value as it is written: of the whole name that it is part of, and of that alone.

    A name goes on with the noun that a column asks for ("Dornal" of "Dornal disease"), and a noun is the rest of the
    name before it ("palsy" of "Dornal palsy"). A measure is one without what is measured ("40 km" of "40 km long").
    """
    value = text[start:end]
    measure = _MEASURE.match(value)
    if measure is not None:
        return start, start + measure.end(1)
    behind, before = _NEXT_SMALL.match(text, end), _CAPITAL_BEFORE.search(text, 0, start)
    if value[:1].isupper() and behind is not None and set(stems(behind[1])) & set(stems(column)):
        return start, behind.end()
    return before.start(1) if before is not None and value.islower() and " " not in value else start, end
