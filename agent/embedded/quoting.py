"""Answers that are quotations, definitions, enumerations or verdicts, read from the sections of a hop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from ...cubes.folding import base_key, fold
from ...cubes.passages import Block, blocks_of, introduced, passage_at
from ...cubes.records import Span
from ...cubes.sections import sentences
from ...cubes.wording import asked_words, stems
from ...graphs.reasoner import SubAnswer
from ...graphs.records import Evidence
from .documents.judging import judge
from .documents.prose import enumerated
from .questionforms import AskedForm, read_asked_form

__all__ = ["as_passage", "definition", "formed", "members", "quoted_document", "verdict"]

_DEFINING = r"(?:is|are|was|were|means?|refers? to|stands? for|denotes?|describes?|designates?)\b"
_NAMED = r"(?:\s*\([^)]{1,80}\))?(?:,[^,.]{1,80},)?"
_ENTRY = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+|\|[ \t]*)?[*_`]{0,3}(?P<name>[^:|*_`–—\n]{1,60}?)[*_`]{0,3}\s*(?:[:|–—]|--?\s)"
)
_DEFINED = 0.8  # how sure a sentence is that says what its subject is
_LISTED = 0.75  # how sure a list is whose introduction says all that is asked
_ENOUGH = 0.6  # of the asked words that the introduction of a list must hold
_DESCRIBED = 2  # words that say what a thing is; a noun alone is what is left of a sentence that says more
_JUDGED = 0.75  # how sure a verdict must be that is read from a text's words
_HEADED = 0.5  # what an asked word counts that only the heading holds
_POINTED = 0.4  # what it counts for a sentence that the reader is certain of
_CUED = 0.3  # what words count that give a reason, or a way, where one is asked for
_WHY = re.compile(r"\b(?:why|how come|reason|purpose)\b", re.IGNORECASE)
_BECAUSE = re.compile(
    r"\b(?:because|since|as|so that|so as to|in order to|due to|thus|therefore|otherwise)\b", re.IGNORECASE
)
_HOW = re.compile(r"\bhow\b", re.IGNORECASE)
_BY = re.compile(r"^(?:in order )?to\b|:\s*$|\bby [a-z]+ing\b", re.IGNORECASE)
_MARK = re.compile(r"^[ \t]*(?:[-*+•]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+")
_LEAD = re.compile(r"^[*_`]{1,3}(?P<name>[^*_`]+)[*_`]{1,3}\s*[:–—-]?\s|^(?P<plain>[^.:;,–—]{1,60})(?::|\s[–—])\s")


def formed(question: str, evidence: Sequence[Evidence], told: SubAnswer) -> SubAnswer | None:
    """Return what is read for the form of a question where few words are no answer to it; None where they are.

    ``told`` is what was read of the thing's own section and cells.
    """
    asked = read_asked_form(question)
    if asked.kind == "definition" and len(" ".join(told.answers[:1]).split()) < _DESCRIBED:
        return definition(asked, evidence)
    if told.answers:
        return None
    if asked.kind == "list":
        return members(question, asked, evidence)
    return verdict(question, evidence) if asked.kind == "verdict" else None


def as_passage(question: str, found: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
    """Return what was pointed at as the quotation around it where a question asks how, why or what something is."""
    asked = read_asked_form(question)
    if not found.answers or asked.definite or asked.kind not in ("passage", "definition"):
        return found
    best = max(_saying(question, found, evidence), key=lambda one: one[0], default=None)
    return found if best is None else _quoting(best[1], best[2], found.confidence)


def _saying(question: str, found: SubAnswer, evidence: Sequence[Evidence]) -> Iterator[tuple[float, Evidence, Span]]:
    """Yield sentences, items and rows with how much they say of what is asked; what was pointed at counts for more.

    Words that are pointed at are few, and may stand beside the sentence that says why or how.
    """
    wanted = asked_words(question)
    cue = _BECAUSE if _WHY.search(question) else _BY if _HOW.search(question) else None
    for section in evidence:
        headed = set(stems(" ".join(section.path) or section.title))
        for kind, part in ((b.kind, part) for b in blocks_of(section.text) for part in b.parts):
            text = section.text[part.start : part.end]
            held = set(stems(text))
            share = sum(1.0 if w in held else _HEADED if w in headed else 0.0 for w in wanted) / max(1, len(wanted))
            here = section.section_id == found.section_id and part.start < found.end and found.start < part.end
            steps = cue is _BY and kind in ("list", "code")
            cued = _CUED if steps or (cue is not None and cue.search(text)) else 0.0
            yield share + cued + (_POINTED * found.confidence if here else 0.0), section, part


def _quoting(section: Evidence, place: Span, sure: float) -> SubAnswer:
    passage = passage_at(section.text, place.start, place.end)
    span = passage.span
    return SubAnswer(
        (passage.text,), sure, section.section_id, span.start, span.end, cited=True, form="passage"
    )


def definition(asked: AskedForm, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Return the sentence that says what a thing is: of which it is the subject, or whose entry it heads."""
    is_one = _says_what(asked.thing, definite=asked.definite)

    def subject_of(section: Evidence) -> Span | None:
        spans = sentences(section.text)
        return next((s for s in spans if is_one.match(_MARK.sub("", section.text[s.start : s.end]))), None)

    headed = () if asked.definite else (partial(_entry_of, asked.thing), partial(_opening_of, asked.thing))
    for reads in (subject_of, *headed):
        for section in evidence:
            place = reads(section)
            if place is not None:
                return _quoting(section, place, _DEFINED)
    return None


def _says_what(thing: str, *, definite: bool) -> re.Pattern[str]:
    """How a sentence begins that says what a thing is: "An X is ..."; of "the X" it must call it something."""
    name = r"\s+".join(map(re.escape, thing.split()))
    calls = r"\s+(?:an?|the|one of|any)\b" if definite else ""
    return re.compile(
        rf"^(?:(?:In|For|On|At|Within)\s[^,]{{1,60}},\s)?(?:an?|the)?\s*[\"“'*_`]{{0,3}}{name}(?:e?s)?[\"”'*_`]{{0,3}}"
        rf"{_NAMED}\s+(?:also\s)?{_DEFINING}{calls}",
        re.IGNORECASE,
    )


def _entry_of(thing: str, section: Evidence) -> Span | None:
    """The item or row of a glossary or of a table that the thing heads."""
    for block in blocks_of(section.text):
        for part in block.parts if block.kind in ("list", "table") else ():
            entry = _ENTRY.match(section.text[part.start : part.end])
            if entry is not None and base_key(entry["name"]) == base_key(thing):
                return part
    return None


def _opening_of(thing: str, section: Evidence) -> Span | None:
    """The first sentence of the section that has the thing's name for its heading."""
    heading = section.path[-1] if section.path else section.title
    if base_key(heading) != base_key(thing):
        return None
    block = next((b for b in blocks_of(section.text) if b.kind == "text"), None)
    return block.parts[0] if block is not None else None


def members(question: str, asked: AskedForm, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Return the members of the list, or of the sentence, that is introduced in the words of the question."""
    wanted = [word for word in asked_words(question) if word not in _COUNTS]
    best: tuple[float, Evidence, Span, tuple[str, ...]] | None = None
    for section in evidence:
        for place, intro, names in _lists(section):
            if len(names) < 2 or (asked.number is not None and len(names) != asked.number):
                continue
            held = set(stems(f"{intro} {' '.join(section.path) or section.title}"))
            share = sum(word in held for word in wanted) / len(wanted) if wanted else 0.0
            own = 0.1 * sum(word in set(stems(intro)) for word in wanted)
            if share >= _ENOUGH and (best is None or share + own > best[0]):
                best = share + own, section, place, names
    if best is None:
        return None
    share, section, place, names = best
    sure = _LISTED * min(1.0, share)
    joined = ("; " if any("," in name for name in names) else ", ").join(names)
    return SubAnswer((joined,), sure, section.section_id, place.start, place.end, cited=True, form="list")


_COUNTS = frozenset(stems("two three four five six seven eight nine ten eleven twelve all list name give enumerate"))


def _lists(section: Evidence) -> Iterator[tuple[Span, str, tuple[str, ...]]]:
    """Yield what a section enumerates: where, in what words it is introduced, and the members."""
    text = section.text
    blocks = blocks_of(text)
    for number, block in enumerate(blocks):
        if block.kind == "list":
            intro = introduced(text, number)
            place = block.parts[0] if intro is None else Span(intro.start, block.parts[-1].end)
            yield place, text[intro.start : intro.end] if intro is not None else "", tuple(_names(text, block))
        elif block.kind == "text":
            for part in block.parts:
                said = text[part.start : part.end]
                yield part, said, enumerated(said)


def _names(text: str, block: Block) -> Iterator[str]:
    """The members of a list, by what heads each of them: "Gate valve: closes the pipe"."""
    for part in block.parts:
        said = " ".join(_MARK.sub("", text[part.start : part.end]).split())
        lead = _LEAD.match(said)
        yield (lead["name"] or lead["plain"] if lead is not None else said).strip(" .;:,")


def verdict(question: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Return yes or no where a sentence says what is asked, or denies it, in so many words."""
    found = judge(question, evidence)
    if found is None or found.sure < _JUDGED:
        return None
    section = evidence[found.section]
    said = "yes" if found.holds else "no"
    return SubAnswer((said,), found.sure, section.section_id, found.start, found.end, cited=True, form="verdict")


def quoted_document(question: str, found: SubAnswer, evidence: Sequence[Evidence]) -> SubAnswer:
    """Return what was told of a document in the form of its question.

    Where what is told stops at a list, rows or code, these are quoted; other sentences are told as they were.
    """
    section = next((e for e in evidence if e.section_id == found.section_id), None)
    asked = read_asked_form(question).kind
    if section is None or not found.answers or len(found.answers) > 1:
        return replace(found, form="list") if asked == "list" and len(found.answers) > 1 else found
    said = section.text[found.start : found.end]
    if asked not in ("passage", "definition") or fold(found.answers[0]) not in fold(" ".join(said.split())):
        return found
    quoted = _quoting(section, Span(found.start, found.end), found.confidence)
    whole = fold(found.answers[0]) in fold(quoted.answers[0])
    return quoted if whole else replace(found, form="passage", cited=True)
