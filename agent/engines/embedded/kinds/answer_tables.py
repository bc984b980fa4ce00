"""An answer table read by the embedded engine: which things the sections tell of, and each asked value of each.

A thing speaks for itself twice. The span reader points at it; and what belongs to what a question names is named
together with it, again and again: a drug with the disease it is used for. A sentence mostly says one thing of one
instance: the readings of all cells go into them by how sure the reader is of them, none of them twice in a row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .....cubes.retrieval.wording import names_asked, names_in
from .....graphs.evidence import locate
from .....graphs.expansion.intents import Intents
from .....graphs.expansion.statements import AnswerCell
from .....graphs.records import Evidence
from ..answers.scorer import ScoredSpan
from ..answers.span import PredictedSpan
from ..vocabulary.wordlists import CALENDAR

__all__ = ["Instance", "Tabulator", "instances", "overlap", "topics_of"]

_LEAST = 0.4
"""The least that speaks for an instance."""
_SURE = 0.8
"""How sure an instance must be of which nothing that is asked was found."""
_ALONE = 0.95
"""How sure an instance must be that is named once, where others are named again and again."""
_READ, _VALUE = 0.15, 0.3
"""The least probability of a value, and of one that shows that what it names is no instance."""
_DOUBTED, _WORST = 0.5, 0.35
"""What a doubt leaves of that probability, and what all doubts together leave: what the reader is sure of stays."""
_SLOPE, _EVEN = 0.3, 1.2
"""Of the curve from a span's margin to how likely it is right, and the margin at which that is even."""
_CLEAR = 0.5
"""How likely a word is right that may have its capital only because a sentence begins with it."""
_TOGETHER = 0.4
"""What each further section counts that names a thing with the topic."""
_CALLED = r"(?:known|called|named|spelt|written|sold)(?: as)?"
_OTHER_NAME = re.compile(
    rf"\b(?:(?:also|otherwise) {_CALLED}|formerly(?: {_CALLED})?)(?: the)? [\"“'‘]?$", re.IGNORECASE
)
_TOKEN = re.compile(r"[^\s()\[\]\"“”„,;:!?]+")
_CODE = re.compile(r"(?=\S*\d)[^\W\d_]\S{2,}")
_MEASURE = re.compile(r"^(\d\S* [^\W\d]\S*) (?:long|wide|broad|high|tall|deep|thick|old|across|in [a-z]+)$")

Read = Callable[[str, Sequence[Evidence]], Sequence[PredictedSpan]]
"""Points at words of sections that answer a question, the surest first; see `HopReader.spans`."""
Ranked = Callable[[str, Sequence[Evidence]], Sequence[ScoredSpan]]
"""The texts of sections that may answer a question, the likeliest first; see `HopReader.ranked`."""


Readings = Mapping[str, Sequence[Sequence[AnswerCell]]]
"""What may stand in the cells of each instance, by its name: for each column the readings, the surest first."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A thing that may answer, with the sentence that speaks for it most; ``sections`` is how many name it."""

    name: str
    section_id: str
    sentence: Span
    likely: float
    sections: int

    @property
    def score(self) -> float:
        """What speaks for it: the reader, and each section that names it with the topic again."""
        return self.likely + _TOGETHER * (self.sections - 1)


def instances(head: str, evidence: Sequence[Evidence], read: Read, least: float) -> list[Instance]:
    """Return the things that may answer ``head``, the likeliest first, for which ``least`` speaks.

    They are all written with a number, or all without, as what most speaks for is. Of a name and a longer one that
    holds it, the likelier counts.
    """
    topics = topics_of(head)
    about = [e for e in evidence if all(_in_text(topic, e) for topic in topics)]
    found: dict[str, Instance] = {}
    for span in read(head, about):
        section = about[span.section]
        likely = 1 / (1 + math.exp(-_SLOPE * (span.margin - _EVEN)))
        for name in _names(section.text, span.start, span.end):
            key = base_key(name)
            if key and key not in found and not overlap(key, head) and (likely >= _CLEAR or _is_name(name, about)):
                sentence = sentence_around(section.text, Span(span.start, span.end))
                naming = sum(_in_text(key, each) for each in about)
                found[key] = Instance(name, section.section_id, sentence, likely, naming)
    kept: list[Instance] = []
    for one in sorted(found.values(), key=lambda one: -one.score):
        if one.score >= least and not any(overlap(one.name, other.name) for other in kept):
            kept.append(one)
    numbered = [one for one in kept if any(c.isdigit() for c in one.name)]
    others = [one for one in kept if one not in numbered]
    return max(numbered, others, key=lambda each: sum(one.score for one in each))


def _is_name(name: str, about: Sequence[Evidence]) -> bool:
    """Whether a word is a name, and has its capital not only because a sentence begins with it."""
    inside = re.compile(rf"[^\s.?!:] {re.escape(name)}(?!\w)")
    return " " in name or _CODE.fullmatch(name) is not None or any(inside.search(e.text) for e in about)


def topics_of(head: str) -> list[str]:
    """The names that a question names, folded."""
    return [fold(name) for name in names_asked(head)]


def overlap(value: str, other: str) -> bool:
    """Whether one text holds the other as whole words.

    >>> overlap("Dornal palsy", "the Dornal"), overlap("palsy", "Dorn")
    (True, False)
    """
    one, two = f" {base_key(value)} ", f" {base_key(other)} "
    return bool(one.strip() and two.strip()) and (one in two or two in one)


class Tabulator:
    """Fills a table with one-hop answers, each read from the sections that name the instance it is about."""

    def __init__(self, read: Read, ranked: Ranked) -> None:
        """``read`` points at words of sections, for the instances. ``ranked`` gives the texts that may be a value."""
        self._read, self._ranked = read, ranked

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> list[list[AnswerCell]]:
        """Return a row for each instance, the surest first."""
        rows = list(self._given(intents, evidence) if intents.subject else self._found(intents, evidence))
        read = {
            one.value: [self._readings(column, one.value, intents, evidence) for column in intents.asked]
            for one in rows
        }
        rows = _things(rows, read)
        taken = [*names_in(intents.head), *(one.value for one in rows)]
        table = [[one, *_filled(read[one.value], taken)] for one in rows]
        sure = _SURE if any(cell.value for row in table for cell in row[1:]) else _LEAST
        return [row for row in table if row[0].confidence >= sure or any(cell.value for cell in row[1:])]

    def _given(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        """The one instance that the question names, where a section names it as well."""
        for section in _naming(intents.subject, evidence)[:1]:
            span = locate(section.text, intents.subject)
            yield AnswerCell(intents.subject, section.section_id, span.start, span.end, 1.0)

    def _found(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        """The instances, without what stands once beside the topic where others do so again and again."""
        found = instances(intents.head, evidence, self._read, _LEAST)
        again = any(one.sections > 1 for one in found)
        for one in found:
            if not again or one.sections > 1 or one.score >= _ALONE:
                yield AnswerCell(one.name, one.section_id, one.sentence.start, one.sentence.end, min(1.0, one.score))

    def _readings(self, column: str, name: str, intents: Intents, evidence: Sequence[Evidence]) -> list[AnswerCell]:
        """What the reader points at in the sections that name an instance, the likeliest first."""
        naming = _naming(name, evidence)
        topics = [] if intents.subject else topics_of(intents.head)
        tied = [e for e in naming if topics and all(_in_text(topic, e) for topic in topics)]
        found = []
        for one in self._ranked(intents.question(column, name), naming) if naming else ():
            span = one.candidate.span
            section = naming[span.section]
            value = _MEASURE.sub(r"\1", span.text)
            said = sentence_around(section.text, Span(span.start, span.end))
            sentence = fold(section.text[said.start : said.end])
            # What names the question's topic says, first of all, that the thing is an instance; where others name it
            # with the topic again and again, this one names it for another reason.
            doubts = (
                any(f" {topic} " in f" {sentence} " for topic in topics),
                len(tied) > 1 and section not in tied,
                _OTHER_NAME.search(section.text, said.start, span.start) is not None,
            )
            sure = one.probability * max(_DOUBTED ** sum(doubts), _WORST)
            if sure >= _READ:
                found.append(AnswerCell(value, section.section_id, said.start, said.end, sure))
        return found


def _things(instances: Sequence[AnswerCell], read: Readings) -> list[AnswerCell]:
    """The instances, the likeliest first, without those that are a value of a likelier one."""
    kept: list[AnswerCell] = []
    for one in sorted(instances, key=lambda each: -each.confidence):
        values = (cell for other in kept for cells in read[other.value] for cell in cells)
        if not any(cell.confidence >= _VALUE and overlap(cell.value, one.value) for cell in values):
            kept.append(one)
    return kept


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
    return sorted((e for e in evidence if _in_text(key, e)), key=lambda e: f" {key} " not in f" {fold(e.title)} ")


def _in_text(key: str, section: Evidence) -> bool:
    """Whether a folded name stands in a section or its title."""
    return f" {key} " in f" {fold(f'{section.title}. {section.text}')} "


def _names(text: str, start: int, end: int) -> Iterator[str]:
    """The names and codes in the words at a place; the reader may end within one: "714" of "c.714G>A"."""
    tokens = [token for token in _TOKEN.finditer(text) if token.start() < end and start < token.end()]
    words = {token[0].rstrip(".") for token in tokens}
    for name in names_in(text[tokens[0].start() : tokens[-1].end()] if tokens else ""):
        if words.issuperset(name.split()) and len(name) > 1 and not CALENDAR & set(fold(name).split()):
            yield name
    yield from sorted(word for word in words if _CODE.fullmatch(word))
