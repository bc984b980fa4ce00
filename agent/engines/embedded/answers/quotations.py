"""Answers that are quotations, enumerations, verdicts or descriptions, read from the sections of a hop.

Which sentence, item, row or code of the sections tells what is asked, or that none does, is learnt like the choice
among spans (`candidates.py`). The weights are data (`telling.yaml`), fitted by `multicube.evals.training.telling`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.folding import base_key, fold
from .....cubes.core.quantities import claimed_amounts
from .....cubes.core.records import Span
from .....cubes.core.sentences import sentences
from .....cubes.retrieval.hiqa.tables import tables_in
from .....cubes.retrieval.passages import GAP, LIMIT, TextBlock, beside, blocks_of, introduced, passage_at
from .....cubes.retrieval.wording import asked_words, names_asked, stems
from .....graphs.reasoner import SubAnswer
from .....graphs.records import AnswerForm, Evidence
from ..documents.statements import enumerated, joined, judge, negates
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.wording import Likeness
from .candidates import coverage, packaged_weights, rarity
from .span import PredictedSpan

__all__ = [
    "FEATURES", "SentencePart", "SupportingPart", "Tell", "formed", "members", "parts_of", "quoted_in_form",
    "read_description", "read_truth", "supporting_part",
]  # fmt: skip

FEATURES = ("margin", "section", "like", "told", "rank")
"""The features, in the order in which a part has them: the reader's margin within it, the best margin within its
section, how alike it is by meaning, which share of the asked words it has, its section's rank."""

_LOOKED_AT = 5  # parts that are compared by meaning, which costs most
_LOWEST, _SCALE = -12.0, 8.0  # of the reader's margins
_BESIDE = 0.35  # of the probability of what tells it best, from which on a passage is quoted beside it
_LISTED = 0.75  # how sure a list is whose introduction says all that is asked
_ENOUGH = 0.6  # of the asked words that the introduction of a list must hold
_JUDGED = 0.79  # how sure a verdict must be that is read from a text's amounts and words
_IN_OTHER_WORDS = 0.9  # how sure a part must be that has no word of the question but its section's title
_SO = 0.8  # how often what tells it says yes or no as its words do
_SAYS = re.compile(r"\W*(?:(?:a|answer)\W+)?(yes|no)\b(?=\W*$|[,.;:!–—])", re.IGNORECASE)
_MARK = re.compile(r"^[ \t]*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
_LEAD = re.compile(r"^[*_`]{1,3}(?P<name>[^*_`]+)[*_`]{1,3}\s*[:–—-]?\s|^(?P<plain>[^.:;,–—]{1,60})(?::|\s[–—])\s")
_DEFINED = re.compile(r"\b(?:is|was|are|were)\s+(?:(?:also|originally|formerly)\s+)?(?:an?|the|one of the)\s+(?=\w)")
_ENDS = re.compile(
    r"[;:(]|,(?= (?:which|who|whose|where|and (?:is|was|the)|best|known|born|located|situated|published|released))"
    r"|\s(?:that|which|who|whom|whose|where|when|located|situated|lying|directed|written|released|produced|published"
    r"|founded|formed|established|based|known|born|featuring|starring|created|developed|composed|recorded|designed"
    r"|native|endemic|owned|manufactured|operated|found|from|by|in|on|at|near|between|during|since|with(?:in)?)\b"
)
_SEVERAL = re.compile(
    r"(?:what|which) (?:[\w'’/-]+ ){0,3}?(?P<noun>[\w'’/-]*[a-z]s)(?<!ss) "
    r"(?:are|were|do|does|did|can|could|may|might|must|should|will|would|have|has|come|exist)\b",
    re.IGNORECASE,
)
_SHEET = re.compile(r"\.(?:csv|xlsx)\b", re.IGNORECASE)
_COUNTS = frozenset(stems("two three four five six seven eight nine ten eleven twelve all list name give enumerate"))
_OPENING = 2  # sentences in which a section says what its thing is
_DESCRIBED = 0.3  # how sure a description is


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A sentence, item, row or code of a section with its features, in the order of `FEATURES`."""

    section: int
    place: Span
    text: str
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class SupportingPart:
    """The part that tells best what is asked, and the probability that any part does."""

    section: int
    place: Span
    any: float
    enough: bool  # whether it is likely enough that any part does
    shares: tuple[tuple[Span, float], ...]  # the parts of its section, each with the probability that it tells it

    def within(self, passage: Span) -> float:
        """Return the probability that a part tells it that lies in a passage of the section."""
        return sum(share for place, share in self.shares if place.start < passage.end and passage.start < place.end)


Tell = Callable[[str, Sequence[Evidence]], SupportingPart | None]  # finds what of sections tells best what is asked


def supporting_part(
    question: str, evidence: Sequence[Evidence], spans: Sequence[PredictedSpan], like: Likeness
) -> SupportingPart | None:
    """Return the part of the sections that tells best what is asked; None where there is none."""
    parts = parts_of(question, evidence, spans, like)
    if not parts:
        return None
    scorer, read = packaged_weights("telling.yaml", FEATURES)
    scores = scorer.scores([part.features for part in parts])
    shares, any_of_them = scorer.shares(scores)
    best = parts[scores.index(max(scores))]
    own = tuple((part.place, share) for part, share in zip(parts, shares, strict=True) if part.section == best.section)
    return SupportingPart(best.section, best.place, any_of_them, any_of_them >= float(read["least"]), own)


def parts_of(
    question: str, evidence: Sequence[Evidence], spans: Sequence[PredictedSpan], like: Likeness
) -> list[SentencePart]:
    """Return the parts that hold most of the asked words, or that the reader points at, with their features."""
    parts = [part for number, section in enumerate(evidence) for part in _said(number, section)]
    held = [frozenset(stems(part.text)) for part in parts]
    weights = rarity(question, held)
    total = sum(weights.values()) or 1.0

    def features(part: SentencePart, own: frozenset[str]) -> tuple[float, ...]:
        here = [s for s in spans if s.section == part.section]
        inside = (s.margin for s in here if s.start < part.place.end and part.place.start < s.end)
        margin, best = max((_LOWEST, *inside)), max((_LOWEST, *(s.margin for s in here)))
        told = sum(weight for word, weight in weights.items() if word in own) / total
        return margin / _SCALE, best / _SCALE, told, 1 / (1 + part.section)

    rows = [(part, features(part, own)) for part, own in zip(parts, held, strict=True)]
    rows = sorted(rows, key=lambda row: -(row[1][0] + row[1][2]))[:_LOOKED_AT]
    alike = like(question, [part.text for part, _ in rows]) or [0.0] * len(rows)
    return [replace(one, features=(*row[:2], c, *row[2:])) for (one, row), c in zip(rows, alike, strict=True)]


def _said(number: int, section: Evidence) -> Iterator[SentencePart]:
    """The parts of a section but its questions, which answer none; code is told as a whole."""
    for block in blocks_of(section.text):
        for place in (block.span,) if block.kind == "code" else block.parts:
            text = section.text[place.start : place.end]
            if not text.rstrip().endswith("?"):
                yield SentencePart(number, place, text)


# Answers in the form of their question -----------------------------------------------------------------------------


def quoted_passage(evidence: Sequence[Evidence], told: SupportingPart, *, whole: bool) -> SubAnswer:
    """Return the passage around what tells it best; it is as sure as it is that something in it does.

    A second passage of the section that is a third as likely or more stands beside it where there is room.
    """
    section = evidence[told.section]
    found = (passage_at(section.text, place.start, place.end, whole=whole) for place, _ in told.shares)
    first, *others = sorted(found, key=lambda passage: -told.within(passage.span))
    text, sure, span = first.text, told.within(first.span), first.span
    likely = (p for p in others if told.within(p.span) >= _BESIDE * sure and len(p.text) + len(text) <= LIMIT)
    apart = (p for p in likely if p.span.end <= span.start or span.end <= p.span.start)
    second = next((p for p in apart if p.text.split(GAP)[0] not in text), None)
    if second is not None:
        text, sure = beside(section.text, first, second), sure + told.within(second.span)
    return SubAnswer((text,), sure, section.section_id, span.start, span.end, cited=True, form="passage")


def members(question: str, evidence: Sequence[Evidence], number: int | None = None) -> SubAnswer | None:
    """Return the members of the list, the column or the sentence that is introduced in the words of the question, just
    that ``number`` of them if there is one."""
    wanted = [word for word in asked_words(question) if word not in _COUNTS]
    best, found = 0.0, None
    for section in evidence:
        headed = " ".join(section.path) or section.title
        noun = wanted[0] if wanted else ""
        for place, intro, names in (*_lists(section), *_columns(section, noun), *_enumerating(section, noun)):
            held, own = set(stems(f"{intro} {headed}")), set(stems(intro))
            share = sum(word in held for word in wanted) / len(wanted) if wanted else 0.0
            score = share + 0.1 * sum(word in own for word in wanted)
            counted = len(names) > 1 and number in (None, len(names))
            if counted and share >= _ENOUGH and score > best:
                sure, best = _LISTED * share, score
                found = SubAnswer(names, sure, section.section_id, place.start, place.end, cited=True, form="list")
    return found


def listed_at(question: str, evidence: Sequence[Evidence], told: SupportingPart) -> SubAnswer | None:
    """Return all of a list, or of a piece of code, where a question for several asks for what the list is introduced
    as, and what tells it best is in the list or its introduction."""
    section = evidence[told.section]
    for place, names in _asked_lists(question, section) if told.enough else ():
        if place.start < told.place.end and told.place.start < place.end:
            texts = (joined(names),)
            return SubAnswer(texts, told.any, section.section_id, place.start, place.end, cited=True, form="list")
    return None


def _asked_lists(question: str, section: Evidence) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Yield the lists of a section whose introductions have the noun and most words of a question for several."""
    asked = _SEVERAL.match(question)
    if asked is None:
        return
    for place, intro, names in _lists(section):
        said = set(stems(intro))
        if not said.isdisjoint(stems(asked["noun"])) and coverage(question, said) >= _ENOUGH:
            yield place, names


def _lists(section: Evidence) -> Iterator[tuple[Span, str, tuple[str, ...]]]:
    """Yield the lists of a section, and its pieces of code: where, in what words it is introduced, and the members."""
    text = section.text
    for number, block in enumerate(blocks_of(text)):
        intro = introduced(text, number) or Span(block.span.start, block.span.start)
        place, said = Span(intro.start, block.span.end), text[intro.start : intro.end]
        if block.kind == "list":
            yield place, said, tuple(_names(text, block))
        elif block.kind == "code":
            code = text[block.span.start : block.span.end].strip("`~ \n")
            yield place, said, (" ".join(code.split()),)


def _columns(section: Evidence, noun: str) -> Iterator[tuple[Span, str, tuple[str, ...]]]:
    """Yield the columns of a section's tables that are called by a noun: where, in what words, and the cells."""
    for table in tables_in(section.text):
        for at, column in enumerate(table.columns):
            if noun in stems(column):
                cells = dict.fromkeys(row[at] for row in table.rows if row[at].strip())
                yield table.span, f"{table.title} {column}", tuple(cells)


def _enumerating(section: Evidence, noun: str) -> Iterator[tuple[Span, str, tuple[str, ...]]]:
    """Yield the sentences that enumerate what they, or the ones before them, call by a noun: where, in what words, and
    the members."""
    text = section.text
    for block in (block for block in blocks_of(text) if block.kind == "text"):
        for before, part in zip((block.parts[0], *block.parts), block.parts, strict=False):
            said = text[before.start : part.end]
            if not noun or noun in stems(said):
                yield part, said, enumerated(text[part.start : part.end])


def _names(text: str, block: TextBlock) -> Iterator[str]:
    """The members of a list, by what heads each of them: "Gate valve: closes the pipe"."""
    for part in block.parts:
        said = " ".join(_MARK.sub("", text[part.start : part.end]).split())
        lead = _LEAD.match(said)
        yield (lead["name"] or lead["plain"] if lead is not None else said).strip(" .;:,")


def verdict(question: str, evidence: Sequence[Evidence], told: SupportingPart | None) -> SubAnswer | None:
    """Return yes or no, as the likeliest part that speaks of all names asked about says so or denies it; None where no
    part tells it."""
    found = judge(question, evidence) if claimed_amounts(question) else None
    if found is not None and found.confidence >= _JUDGED:
        return replace(found, answers=("yes" if found.answers == ("True",) else "no",), form="verdict")
    if told is None or not told.enough:
        return None
    section = evidence[told.section]
    asked = set(asked_words(question)) - set(stems(" ".join((section.title, *section.path))))
    for place, _ in sorted(told.shares, key=lambda each: -each[1]):
        said = section.text[place.start : place.end]
        word = _SAYS.match(said)
        if word is not None or _speaks_of(question, section.heading, said):
            if word is None and asked.isdisjoint(stems(said)) and told.any < _IN_OTHER_WORDS:
                return None
            answer = word[1].lower() if word is not None else "no" if negates(said) != negates(question) else "yes"
            sure, span = told.any * _SO, (place.start, place.end)
            return SubAnswer((answer,), sure, section.section_id, *span, cited=True, form="verdict")
    return None


def _speaks_of(question: str, heading: str, said: str) -> bool:
    """Whether a sentence, or the heading above it, has all names that a question asks about, at least by their ends."""
    known = f" {fold(f'{heading} {said}')} "
    return all(f" {fold(name).split()[-1]} " in known for name in names_asked(question) if fold(name))


def formed(question: str, evidence: Sequence[Evidence], tell: Tell) -> SubAnswer | None:
    """Return the verdict or the members that a question asks for; None where it asks for neither, or none is told."""
    asked = read_asked_form(question)
    if asked.kind == "verdict":
        return verdict(question, evidence, tell(question, evidence))
    found = members(question, evidence, asked.number) if asked.kind == "list" else None
    return replace(found, answers=(joined(found.answers),)) if found is not None else None


def quoted_in_form(
    question: str, evidence: Sequence[Evidence], tell: Tell, read: SubAnswer, *, quoting: bool = False
) -> SubAnswer:
    """Return what tells it best in the form of the question: a passage, or all of a list; else what was ``read``.

    A passage that is unsure counts only beside something read, or where one is to be quoted (``quoting``) however
    unsure; then it also stands for a short answer that nothing was read of.
    """
    asked = read_asked_form(question)
    if asked.kind == "passage":  # no row of a table says how or why
        evidence = [e for e in evidence if not _SHEET.search(e.source)]
    # For a short answer it need not be looked for.
    wanted = quoting or asked.is_passage or any(any(_asked_lists(question, section)) for section in evidence)
    told = tell(question, evidence) if wanted else None
    if told is None or not (told.enough or quoting or read.answers):
        return read
    found = listed_at(question, evidence, told) or formed(question, evidence, tell) or read
    if asked.is_passage or (quoting and told.enough and not found.answers):
        return replace(quoted_passage(evidence, told, whole=asked.kind == "passage"), held=read.held)
    return found


# What a thing's own section says it is, and whether it says something of it at all -----------------------------------


def read_description(base: str, evidence: Sequence[Evidence]) -> SubAnswer:
    """Return the words after "X is a", up to where a clause or a place begins."""
    for section in _own(base, evidence):
        for span in sentences(section.text)[:_OPENING]:
            text = section.text[span.start : span.end]
            opening = _DEFINED.search(text)
            value = _ENDS.split(text[opening.end() :].rstrip(" .!"), maxsplit=1)[0].strip(" ,") if opening else ""
            if value:
                return SubAnswer((value,), _DESCRIBED, section.section_id, span.start, span.end)
    return SubAnswer()


def read_truth(base: str, words: Sequence[str], evidence: Sequence[Evidence]) -> SubAnswer:
    """Say "yes" where the thing's own section holds all the words in some form, unless their sentence denies it.

    It is "no" where the section holds only some of them: it tells of something else. Where it holds none, no sentence
    says so, and "no" is no verdict.
    """
    claim, own = " ".join(words), _own(base, evidence)
    if not own:
        return SubAnswer()
    most, section = max(((coverage(claim, set(stems(e.text))), e) for e in own), key=lambda each: each[0])
    said = ((coverage(claim, set(stems(section.text[s.start : s.end]))), s) for s in sentences(section.text))
    share, place = max(said, key=lambda each: each[0])
    whole = most == 1.0
    told = "yes" if whole and not negates(section.text[place.start : place.end]) else "no"
    form: AnswerForm = "verdict" if share else "short"
    sure = _DESCRIBED if whole else _DESCRIBED / 2
    return SubAnswer((told,), sure, section.section_id, place.start, place.end, cited=True, form=form)


def _own(base: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The sections of a thing's name: of its title, or a chapter's heading."""
    return [e for e in evidence if e.text.strip() and base_key(base) in map(base_key, (e.title, *e.path[-1:]))]
