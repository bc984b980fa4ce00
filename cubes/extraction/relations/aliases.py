"""The subject as the section names it, and its other names: full, foreign, stage and pen names."""

from __future__ import annotations

import re

from ...core.folding import base_key, fold
from ..header import Header
from ..section_state import ALIAS, STRUCTURE, SectionState, core_words, name_words
from ..words.lexicon import group
from ..words.values import is_verb, names_after
from ..words.words import Sentence
from .clauses import Clauses
from .cues import bearer

__all__ = ["read_aliases", "read_subject"]

_NAME_AHEAD = r"\s*:?,?\s*(?=[“\"]?\s?[A-ZÀ-Þ‘'])"
_CALLED = (
    r"\b(?:known|called|referred to|spel(?:led|t)|written|titled|romani[sz]ed|credited|billed|nicknamed|styled)"
    r"(?:\s(?:on stage|abroad|(?:to|among|in)\s\w+|professionally|simply|mononymously|popularly|commonly"
    r"|collectively))?\s?(?:as|by (?:his|her|its|their|the)(?:\s\w+){1,3}(?:\sof)?)?"
)
_NAME_NOUN = (
    r"\b(?:aka|a\.k\.a\.|alias(?:\sof)?|née[\"”]?|nee|born(?=\s[A-ZÀ-Þ])|(?:stage|pen|birth|ring|screen|real|full"
    r"|married|maiden) name(?:\sof|\sis|\swas)?|pseudonym(?:\sof)?|nickname(?:\sof)?|original title|native name)"
)
_ALSO = re.compile(rf"(?:{_CALLED}|{_NAME_NOUN}){_NAME_AHEAD}")
_TRANSLATED = re.compile(
    r"^\W*(?:[A-Z][a-zà-ÿ]+\s?(?:title\s?)?(?::|\sfor\b)|(?:lit\.|literally|meaning)\s?:?)\s*[\"“]?\s?(?=[A-ZÀ-Þ])"
)


def read_subject(state: SectionState, header: Header) -> None:
    """Emit the subject itself, and its full name where the text writes it otherwise than the title."""
    who = state.subject
    if who.span is None:
        return
    spec = state.plan.cubes[who.cube].subject
    state.relate(who, who.cube, spec.id, "is", who.span, spec.kind, header.sentence, STRUCTURE)
    full = _full_name(state, header) or (who.span if not header.titled else None)
    ends = fold(state.text[full[0] : full[1]]).split()[-1:] if full is not None else []
    sites = group("organisation_words") | group("geographic")  # "Hesk Airport" is no name of Hesk
    if full is not None and (sites.isdisjoint(ends) or set(ends) & set(fold(who.label).split())):
        _alias(state, full, header.sentence)


def _full_name(state: SectionState, header: Header) -> tuple[int, int] | None:
    """The leading name with a nickname in quotes inside it: 'Hiram "Hank" Williams'."""
    sentence, name = header.sentence, header.name
    before = [m for m in sentence.mentions if header.copula < 0 or m.first < header.copula]
    leading = sorted(before, key=lambda m: m.first)
    if name is None or not leading or leading[0].first > 2 or leading[0].possessive:
        return None
    start, end, last = leading[0].start, leading[0].end, leading[0].last
    for mention in leading[1:]:
        if sentence.text[end : mention.start].strip(' "“”'):
            break
        if mention.quoted:
            _alias(state, (mention.start, mention.end), sentence)
        end, last = mention.end, mention.last
    if name[0] <= leading[0].first and last <= name[1] and (leading[0].first, last) != name:
        return None
    shared = state.subject.names.intersection(fold(sentence.text[start:end]).split())
    called = name[0] >= last and _ALSO.search(sentence.text, end, sentence.starts[name[0]] + 1)
    return (start, end) if leading[0].first <= name[0] <= last or shared or called else None


def _alias(state: SectionState, span: tuple[int, int], sentence: Sentence) -> None:
    who, text = state.subject, state.text[span[0] : span[1]]
    spec = state.plan.cubes[who.cube].subject
    if fold(text) in (fold(who.label), base_key(who.label)):
        return
    state.relate(who, who.cube, spec.id, "also known as", span, spec.kind, sentence, ALIAS)
    if len(text) < 60:
        who.names |= name_words(text)
        who.core |= core_words(text)


def read_aliases(state: SectionState, header: Header, sentence: Sentence, clauses: Clauses) -> None:
    """Other names: "also known as X", "(German: Hingabe)", 'née Howard', stage and pen names."""
    introducing = header.sentence is sentence
    for first, last in header.brackets[:2] if introducing else ():
        _translated(state, sentence, first, last)
    for match in _ALSO.finditer(state.text, sentence.span.start, sentence.span.end):
        begin, at = sentence.index(match.start()), sentence.index(match.end())
        at += sentence.word(at) in ('"', "“", "'", "‘")
        early = introducing and (at <= header.copula or any(first <= at < last for first, last in header.brackets))
        who = state.subject if early else bearer(state, sentence, clauses, begin)  # not "a play called X"
        mention = sentence.mention_at.get(at)
        if who is None or not who.main or mention is None or mention.first != at:
            continue
        bare = sentence.word(begin) in ("known", "called") and "as" not in match.group().split()
        if bare and not early and not mention.quoted:
            continue
        for value in names_after(sentence, at, "name", many=early):
            if not is_verb(sentence, value.last) or value.first == at:
                _alias(state, (value.start, value.end), sentence)


def _translated(state: SectionState, sentence: Sentence, first: int, last: int) -> None:
    """The original title or its translation in a bracket behind the name."""
    if last <= first or any(index in sentence.dates for index in range(first, last)):
        return
    begin, end = sentence.starts[first], sentence.ends[last - 1]
    match = _TRANSLATED.match(state.text[begin:end])
    if match is None:
        return
    told = re.split(r"[;()\"“”]|,\s(?:also|lit|trans)", state.text[begin + match.end() : end])[0].rstrip(" ,.:'")
    if told and len(told) <= 90:
        start = begin + match.end()
        _alias(state, (start, start + len(told)), sentence)
