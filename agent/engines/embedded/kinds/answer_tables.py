"""Questions with several intents: the answer table, and hypothetical answers to search with (MuISQA 4.1).

What belongs to what a question names is named together with it, again and again: a drug with the disease it is used
for. What the cubes know of the asked dimension, of the subject itself and of its neighbours, becomes statements. They
may be wrong, and mostly are: a passage that says something of the kind is nearer to a statement than to a question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from .....cubes.core.dates import CALENDAR, parse_date
from .....cubes.core.folding import base_key, fold
from .....cubes.core.quantities import claimed_amounts, is_numeric
from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .....cubes.retrieval.wording import asked_words, names_asked, names_in
from .....graphs.evidence import locate
from .....graphs.expansion.intents import Intents, is_measure
from .....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses, Statement
from .....graphs.records import Evidence
from ..context import EngineContext
from ..syntax.tree import parsed, subtree
from .hop_reader import HopReader, overlap

__all__ = ["HypothesisGenerator", "Tabulator"]

_LEAST, _LIKELY = 0.4, 0.05  # the least that speaks for an instance, and for a thing that is supposed to be one
_READ, _DOUBTED = 0.15, 0.35  # the least probability of a value, and what doubts leave of it
_SLOPE, _EVEN = 0.3, 1.2  # of the curve from a span's margin to how likely it is right, and the margin for even
_TOGETHER = 0.4  # what each further section counts that names a thing with the topic
_CALLED = r"(?:known|called|named|spelt|written|sold)(?: as)?"
_OTHER_NAME = re.compile(
    rf"\b(?:(?:also|otherwise|is|was|are) {_CALLED}|formerly(?: {_CALLED})?|call(?:s|ed)? (?:it|him|her|them))"
    r"(?: the)? [\"“'‘]?$",
    re.IGNORECASE,
)
_WHERE = re.compile(r"\b(?:in|at|near|above|below|around|outside|as far as)(?: the)? $", re.IGNORECASE)
_INSIDE = re.compile(r"[^\s.?!:] $")
_TOKEN = re.compile(r"[^\s()\[\]\"“”„,;:!?]+")
_CODE = re.compile(r"(?=\S*\d)[^\W\d_]\S{2,}")
_MEASURE = re.compile(r"^(\d\S* [^\W\d]\S*) (?:long|wide|broad|high|tall|deep|thick|old|across|in [a-z]+)$")


def instances(head: str, evidence: Sequence[Evidence], hops: HopReader, least: float) -> list[AnswerCell]:
    """Return the things that may answer ``head``, the likeliest first, each with the sentence that names it.

    The reader speaks for a thing, and so does each further section that names it with the topic; ``least`` is how much
    must. Of a name and a longer one that holds it the likelier counts.
    """
    about, found, kept = _naming(topics_of(head), evidence), dict[str, AnswerCell](), list[AnswerCell]()
    for span in hops.spans(head, about):
        section = about[span.section]
        likely = 1 / (1 + math.exp(-_SLOPE * (span.margin - _EVEN)))
        said = sentence_around(section.text, Span(span.start, span.end))
        for name in _names(section.text, span.start, span.end):
            if not overlap(name, head) and _is_name(name, evidence):
                sure = likely + _TOGETHER * (len(_naming([base_key(name)], about)) - 1)
                found.setdefault(base_key(name), AnswerCell(name, section.section_id, said.start, said.end, sure))
    for one in sorted(found.values(), key=lambda one: -one.confidence):
        if one.confidence >= least and not any(overlap(one.value, other.value) for other in kept):
            kept.append(one)
    return kept


def topics_of(head: str) -> list[str]:
    """The names that a question names, folded."""
    return [fold(name) for name in names_asked(head)]


def _naming(keys: Sequence[str], evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections in which, or in whose title, all of these folded names stand."""
    return [e for e in evidence if all(f" {key} " in f" {fold(f'{e.title}. {e.text}')} " for key in keys)]


def _names(text: str, start: int, end: int) -> Iterator[str]:
    """The names and codes in the words at a place; the reader may end within one: "714" of "c.714G>A"."""
    tokens = [token for token in _TOKEN.finditer(text) if token.start() < end and start < token.end()]
    words = {token[0].rstrip(".") for token in tokens}
    for name in names_in(text[tokens[0].start() : tokens[-1].end()] if tokens else ""):
        if words.issuperset(name.split()) and len(name) > 1 and not CALENDAR & set(fold(name).split()):
            yield name
    yield from sorted(word for word in words if _CODE.fullmatch(word))


def _is_name(name: str, evidence: Sequence[Evidence]) -> bool:
    """Whether a word is a name, and has its capital not only because a sentence begins with it.

    What stands only behind words for where something is tells where, and is nothing that is asked for.
    """
    said = list(_said(name, evidence))
    if all(_WHERE.search(text, 0, start) for text, start in said):
        return False
    if " " in name or _CODE.fullmatch(name) or any(_INSIDE.search(text, 0, start) for text, start in said):
        return True
    text, start = said[0]
    place = sentence_around(text, Span(start, start + len(name)))
    return any(t.text == name and t.tag_.startswith("NNP") for t in parsed(text[place.start : place.end]) or ())


def _said(name: str, evidence: Sequence[Evidence]) -> Iterator[tuple[str, int]]:
    """The texts in which a name stands, and where."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return ((e.text, found.start()) for e in evidence for found in word.finditer(e.text))


class Tabulator:
    """Fills a table with one-hop answers, each read from the sections that name the instance it is about."""

    def __init__(self, hops: HopReader) -> None:
        self._hops = hops

    def table(self, intents: Intents, evidence: Sequence[Evidence]) -> list[list[AnswerCell]]:
        """Return a row for each instance, the surest first.

        The surest readings fill a row, none twice, and nothing that is an instance or that the question names.
        """
        things, rows = _by_thing(self._instances(intents, evidence), evidence), list[list[AnswerCell]]()
        taken = [*names_in(intents.head), *(one.value for names in things for one in names)]
        for names in things:
            rows.append(row := [names[0], *(AnswerCell() for _ in intents.asked)])
            asked = ((at, column, one.value) for at, column in enumerate(intents.asked, start=1) for one in names)
            read = [(at, x) for at, part, name in asked for x in self._readings(part, name, intents, evidence, taken)]
            for at, cell in sorted(read, key=lambda one: -one[1].confidence):
                if not row[at].value and not any(overlap(cell.value, held.value) for held in row):
                    row[at] = cell
        return rows

    def _instances(self, intents: Intents, evidence: Sequence[Evidence]) -> Iterator[AnswerCell]:
        """The one instance that the question names, where a section does; else those that were found.

        What stands once beside the topic is none where others do so again and again.
        """
        if intents.subject:
            for section in _of_thing(intents.subject, evidence)[:1]:
                span = locate(section.text, intents.subject)
                yield AnswerCell(intents.subject, section.section_id, span.start, span.end, 1.0)
            return
        found = instances(intents.head, evidence, self._hops, _LEAST)
        about = _naming(topics_of(intents.head), evidence)
        again = {one.value for one in found if len(_naming([base_key(one.value)], about)) > 1}
        for one in found:
            if not again or one.value in again:
                yield replace(one, confidence=min(1.0, one.confidence))

    def _readings(
        self, column: str, name: str, intents: Intents, evidence: Sequence[Evidence], taken: Sequence[str]
    ) -> Iterator[AnswerCell]:
        """What the reader points at in the sections that name an instance, but for names that are ``taken``.

        What is measured has an amount. A reading is doubted where its sentence names the question's topic, and so says
        first of all that the thing is an instance; where its section does not, although others name the thing with the
        topic again and again; where it gives another name; and where it is a mere number or date.
        """
        naming, measured = _of_thing(name, evidence), is_measure(column)
        topics = [] if intents.subject else topics_of(intents.head)
        tied = _naming(topics, naming) if topics else []
        ranked = self._hops.ranked(intents.question(column, name), naming)
        able = [one for one in ranked if not any(overlap(one.text, other) for other in taken)]
        left = max(1e-9, 1 - sum(one.probability for one in ranked if one not in able))
        for one in (one for one in able if one.probability >= _READ * left):
            section, span, said = naming[one.section], one.candidate.span, one.sentence(naming)
            sentence = section.text[said.start : said.end]
            text = _phrase(sentence, span.start - said.start, span.end - said.start)
            doubts = (
                any(f" {topic} " in f" {fold(sentence)} " for topic in topics),
                len(tied) > 1 and section not in tied,
                _OTHER_NAME.search(section.text, said.start, span.start) is not None,
                not measured and (is_numeric(text) or parse_date(text.rstrip(".")) is not None),
            )
            sure = min(1.0, one.probability / left) * (_DOUBTED if any(doubts) else 1.0)
            if sure >= _READ and (not measured or claimed_amounts(text)):
                yield AnswerCell(_MEASURE.sub(r"\1", text), section.section_id, said.start, said.end, sure)


def _by_thing(found: Iterable[AnswerCell], evidence: Sequence[Evidence]) -> list[list[AnswerCell]]:
    """Names of the same thing together: those of which a section says that the thing is called so, too."""
    things = list[list[AnswerCell]]()
    for one in found:
        names = next((names for names in things if any(_same(one.value, each.value, evidence) for each in names)), [])
        if not names:
            things.append(names)
        names.append(one)
    return things


def _same(one: str, other: str, evidence: Sequence[Evidence]) -> bool:
    both = _naming([base_key(one), base_key(other)], evidence)
    return any(_OTHER_NAME.search(text, 0, start) for name in (one, other) for text, start in _said(name, both))


def _phrase(sentence: str, start: int, end: int) -> str:
    """The words at a place of a sentence: of a clause its subject alone, and no noun of several words cut short."""
    tree = parsed(sentence)
    inside = [token for token in tree or () if token.idx < end and start < token.idx + len(token)]
    subject = next((token for token in inside if token.dep_ in ("nsubj", "nsubjpass") and token.head in inside), None)
    told = [token for token in subtree(subject) if token in inside] if subject is not None else inside
    if told and told[-1].dep_ == "compound" and told[-1].head.i == told[-1].i + 1:
        told.append(told[-1].head)
    return sentence[told[0].idx : told[-1].idx + len(told[-1])] if told else sentence[start:end]


def _of_thing(name: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections that name a thing: those about it first."""
    key = fold(name)
    return sorted(_naming([key], evidence), key=lambda e: f" {key} " not in f" {fold(e.title)} ")


class HypothesisGenerator:
    """Makes the statements of every strategy."""

    def __init__(self, context: EngineContext, hops: HopReader) -> None:
        self._context, self._cubes, self._hops = context, context.cubes, hops

    def generate(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return the statements that a strategy makes of a subquery and what it found (MuISQA eq. 7); over hypercubes
        none: what only repeats a subquery finds what its words find, and not what its labels are on."""
        if expansion.strategy != "hqg":
            return Hypotheses(tuple(_compared(subquery, evidence, expansion)))
        if expansion.intents is not None:
            return Hypotheses(tuple(self._several(expansion.intents, evidence, expansion.number)))
        said = () if self._context.hypercubes_alone else self._single(subquery, evidence, expansion.number)
        return Hypotheses(tuple(Statement(text, hypothesis=n) for n, text in enumerate(said, start=1)))

    def _single(self, subquery: str, evidence: Sequence[Evidence], number: int) -> Iterator[str]:
        """What is asked, then each value that it may have, of its own or of what was found."""
        yield subquery
        step, entity = self._context.one_hop(subquery) or (None, "")
        if step is None or not step.relations:
            titles = dict.fromkeys(e.title for e in evidence if f" {fold(e.title)} " not in f" {fold(subquery)} ")
            yield from (f"{title}: {subquery}" for title in islice(titles, number))
            return
        found = (fact for e in evidence for fact in self._cubes.facts_of_section(e.section_id))
        near = [*self._context.linker.facts_of(entity), *found]
        for relation in step.relations:
            said = f"The {relation} of {entity}"
            values = {fold(fact.value): fact.value for fact in near if fact.relation == relation}
            values.pop(fold(entity), None)
            yield from (said, *(f"{said}: {value}" for value in islice(values.values(), number)))

    def _several(self, intents: Intents, evidence: Sequence[Evidence], number: int) -> Iterator[Statement]:
        """What is asked of each thing that may be an instance; of none where there is none."""
        names = [intents.subject] if intents.subject else self._supposed(intents, evidence)[:number]
        for n, name in enumerate(names, start=1):
            if not intents.subject:
                yield Statement(f"{name}: {intents.head}", intents.columns[0], n, name)
            yield from (Statement(f"The {column} of {name}.", column, n, name) for column in intents.asked)
        if not names:
            yield from (Statement(f"{column}: {intents.head}", column, 1) for column in intents.columns)

    def _supposed(self, intents: Intents, evidence: Sequence[Evidence]) -> list[str]:
        """Things that may be instances: what is read in the sections, what the cubes tie to it, what was found."""
        near = [one.value for one in instances(intents.head, evidence, self._hops, _LIKELY)]
        tied = (fact.subject for topic in topics_of(intents.head) for fact in self._cubes.facts_valued(topic))
        names = [*near, *(one for one in tied if not any(overlap(one, name) for name in near))]
        told = (name for name in names or [e.title for e in evidence] if not overlap(name, intents.head))
        return list({base_key(name): name for name in told}.values())


def _compared(subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Iterator[Statement]:
    """The strategies that MuISQA compares with: other words (rewriting), one passage (HyDE), sub-questions."""
    intents = expansion.intents
    if expansion.strategy == "hyde":
        yield Statement(" ".join([subquery, *(e.sentence for e in evidence[:3])]))
    elif expansion.strategy == "rewrite":
        yield Statement(" ".join(asked_words(subquery)), hypothesis=1)
    else:
        yield Statement(intents.head if intents is not None else subquery, "core", 1)
        yield from (Statement(f"What is {name}?", "background", 1) for name in dict.fromkeys(names_in(subquery)))
        for column in intents.asked if intents is not None else ():
            yield Statement(f"What is known of the {column}: {subquery}", "follow-up", 1)
