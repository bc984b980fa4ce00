"""The subject as the section names it, and its other names: full, foreign, stage and pen names."""

from __future__ import annotations

import re

from ..folding import base_key, fold
from .clauses import Clauses
from .cues import bearer
from .header import Header
from .reading import ALIAS, STRUCTURE, Reading, Referent, core_words, name_words
from .values import is_verb, names_after
from .words import Sentence

__all__ = ["read_aliases", "read_subject"]

_NAME_AHEAD = r"\s*:?,?\s*(?=[“\"]?\s?[A-ZÀ-Þ‘'])"
_HOW = (
    r"(?:also|better|commonly|professionally|usually|sometimes|often|popularly|simply|locally|formerly|best|widely"
    r"|colloquially|generally|mononymously)?,?\s?"
)
_CALLED = (
    r"(?:known|called|referred to|spelled|spelt|written|titled|transliterated|romani[sz]ed|credited|billed|nicknamed"
    r"|styled)(?:\s(?:on stage|abroad|to\s\w+|among\s\w+|professionally|simply|mononymously|popularly|commonly"
    r"|collectively|in\s\w+))?\s?"
)
_AS = r"(?:as|by (?:his|her|its|their|the)(?:\s\w+){1,3}(?:\sof)?)?"
_NAME_NOUN = (
    r"(?:aka|a\.k\.a\.|alias(?:\sof)?|née[\"”]?|nee|born(?=\s[A-ZÀ-Þ])|(?:stage|pen|birth|ring|screen|real|full"
    r"|married|maiden) name(?:\sof|\sis|\swas)?|pseudonym(?:\sof)?|nickname(?:\sof)?"
    r"|nicknamed|original title|native name)"
)
_ALSO = re.compile(rf"\b{_HOW}{_CALLED}{_AS}{_NAME_AHEAD}|\b{_NAME_NOUN}{_NAME_AHEAD}")
_TRANSLATED = re.compile(
    r"^\W*(?:[A-Z][a-zà-ÿ]+(?:\s(?:title|language))?\s?(?::|\sfor\b)"
    r"|(?:lit\.|literally|translated?(?:\sas)?|meaning|English)\s?:?)\s*"
)
_QUALIFIER = re.compile(r"^[\s\"“]*[A-ZÀ-Þ]")


def read_subject(reading: Reading, header: Header | None) -> None:
    """Emit the subject itself, and its full name where the text writes it otherwise than the title."""
    who = reading.subject
    if who.span is None or header is None:
        return
    spec = reading.plan.cubes[who.cube].subject
    start, end = who.span
    reading.relate(who, who.cube, spec.id, "is", (start, end), spec.kind, header.sentence, STRUCTURE)
    full = _full_name(reading, header)
    if full is None and not header.titled and header.name is not None:
        full = who.span
    if full is not None and fold(reading.text[full[0] : full[1]]) != fold(who.label):
        _alias(reading, who, full, header.sentence)


def _full_name(reading: Reading, header: Header) -> tuple[int, int] | None:
    """The leading name with a nickname in quotes inside it: 'Hiram "Hank" Williams'."""
    sentence = header.sentence
    leading = sorted(
        (m for m in sentence.mentions if header.copula < 0 or m.first < header.copula), key=lambda m: m.first
    )
    leading = [m for m in leading if not m.possessive and m.first <= 2]
    if not leading:
        return None
    start, end, last = leading[0].start, leading[0].end, leading[0].last
    name = header.name or (0, 0)
    for mention in leading[1:]:
        between = sentence.text[end : mention.start].strip(' "“”(),')
        if (
            between
            or mention.start - end > 4
            or "," in sentence.text[end : mention.start]
            or "(" in sentence.text[end : mention.start]
        ):
            break
        if mention.quoted:
            _alias(reading, reading.subject, (mention.start, mention.end), sentence)
        end, last = mention.end, mention.last
    if name[0] <= leading[0].first and last <= name[1] and (leading[0].first, last) != name:
        return None
    if (
        header.name is not None
        and header.name[0] >= last
        and _ALSO.search(sentence.text, end, sentence.starts[header.name[0]] + 1)
    ):
        return start, end
    if (
        header.name is not None
        and not (leading[0].first <= header.name[0] <= last)
        and not reading.subject.names.intersection(fold(sentence.text[start:end]).split())
    ):
        return None
    return start, end


def _alias(reading: Reading, who: Referent, span: tuple[int, int], sentence: Sentence) -> None:
    spec = reading.plan.cubes[who.cube].subject
    text = reading.text[span[0] : span[1]]
    if not text.strip() or fold(text) in (fold(who.label), base_key(who.label)):
        return
    reading.relate(who, who.cube, spec.id, "also known as", span, spec.kind, sentence, ALIAS)
    if who.main and len(text) < 60:
        who.names |= name_words(text)
        who.core |= core_words(text)


def read_aliases(reading: Reading, header: Header | None, sentence: Sentence, clauses: Clauses) -> None:
    """Other names: "also known as X", "(German: Hingabe)", 'née Howard', stage and pen names."""
    if header is not None and header.sentence is sentence:
        _bracketed_titles(reading, header)
    for match in _ALSO.finditer(reading.text, sentence.span.start, sentence.span.end):
        at = sentence.index(match.end())
        while sentence.word(at) in ('"', "“", "'", "‘"):
            at += 1
        who = bearer(reading, sentence, clauses, sentence.index(match.start()))  # not "a play called X"
        early = header is not None and header.sentence is sentence and _opening(header, at)
        if early:
            who = reading.subject
        mention = sentence.mention_at.get(at)
        if who is None or not who.main or mention is None or mention.first != at:
            continue
        if (
            sentence.word(sentence.index(match.start())) in ("known", "called", "best")
            and not early
            and not mention.quoted
            and "as" not in match.group().split()
        ):
            continue
        for value in names_after(sentence, at, "name", many=early):
            if not is_verb(sentence, value.last) or value.first == at:
                _alias(reading, who, (value.start, value.end), sentence)


def _opening(header: Header, at: int) -> bool:
    """Whether a word belongs to the introduction of the subject, in front of the first verb."""
    if header.copula >= 0:
        return at <= header.copula
    begin = header.name[1] if header.name is not None else 0
    return not any(is_verb(header.sentence, index) for index in range(begin, at) if index not in _bracketed(header))


def _bracketed(header: Header) -> set[int]:
    return {index for first, last in header.brackets for index in range(first, last)}


def _bracketed_titles(reading: Reading, header: Header) -> None:
    """Translations and original titles in the brackets behind the name."""
    sentence = header.sentence
    for first, last in header.brackets[:2]:
        if last <= first or any(i in sentence.dates for i in range(first, last)):
            continue
        start, end = sentence.starts[first], sentence.ends[last - 1]
        text = reading.text[start:end]
        match = _TRANSLATED.match(text)
        lead = match.end() if match else 0
        if not match and not text.lstrip().startswith(('"', "“")):
            continue
        begin = start + lead
        part = re.split(r"[;()]|,\s(?:also|lit|trans)", reading.text[begin:end])[0]
        stripped = part.strip(" \"“”,.:'")
        offset = begin + part.find(stripped)
        if stripped and len(stripped) <= 90 and _QUALIFIER.match(stripped):
            _alias(reading, reading.subject, (offset, offset + len(stripped)), sentence)
