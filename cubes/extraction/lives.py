"""Dates and places of birth and death: in the brackets behind a name, and in prose."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .dates import loose_dates
from .header import Header
from .plan import Entry
from .reading import CUE, STRUCTURE, Reading, Referent
from .values import Value, names_after, skip_brackets, text_after
from .words import Sentence

__all__ = ["life_in_brackets", "lives_in_prose"]

_DASH = re.compile(r"\s?[–—]\s?|\s-+\s|-\s|\s-|(?<=\d)-(?=\D|\d{3})|\s(?:to|until)\s")
_BORN = re.compile(r"^\W*(?:born|b\.|née|nee)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|d\.|killed|executed|buried|assassinated)\b", re.IGNORECASE)
_OTHER = re.compile(r"\b(?:reign|reigned|ruled|r\.|fl\.|flourished|active|released|founded|married|crowned)\b", re.IGNORECASE)
_VERBS = {"born": "birth", "died": "death", "killed": "death", "executed": "death", "dies": "death", "assassinated": "death", "murdered": "death",
          "drowned": "death"}
_CAUSES = frozenset({"shot", "murdered", "assassinated", "executed", "drowned", "poisoned", "beheaded", "hanged", "guillotined"})


@dataclass(frozen=True, slots=True)
class _Life:
    """Which cues take dates and places of an event of a life."""

    dates: list[Entry]
    places: list[Entry]
    causes: list[Entry]


def _entries(reading: Reading, cube: str, event: str) -> _Life:
    plan = reading.plan
    causes = plan.pattern(cube, "cause_of_death") if event == "death" else []
    return _Life(plan.pattern(cube, f"{event}_date"), plan.pattern(cube, f"{event}_place"), causes)


def life_in_brackets(reading: Reading, header: Header) -> None:
    """Read "(born 5 May 1900, London – 6 June 1970, Paris)" and its many relatives behind the subject's name."""
    who = reading.subject
    if who.cube != reading.plan.person:
        return
    sentence = header.sentence
    for first, last in header.brackets:
        if first < last and _read_bracket(reading, who, sentence, sentence.starts[first], sentence.ends[last - 1]):
            return
    _unbracketed(reading, header, who)


def _read_bracket(reading: Reading, who: Referent, sentence: Sentence, start: int, end: int) -> bool:
    """Read one bracket; False when it says nothing about a life."""
    text = reading.text
    dates = loose_dates(text, start, end)
    born, died = _BORN.match(text[start:end]), _DIED.search(text, start, end)
    if not dates:
        if born:
            _emit_side(reading, who, sentence, "birth", start, end, dates)
        return bool(born)
    if _OTHER.search(text, start, dates[0][0]):
        return False
    border = _border(text, start, end, dates)
    if died and (border is None or died.start() <= border):
        border = died.start()
    if border is None:
        side = "death" if died else "birth"
        if not (born or died) and len(dates) == 1 and not _open_ended(text, start, end) and dates[0][1] - dates[0][0] <= 4:
            return False
        _emit_side(reading, who, sentence, side, start, end, dates)
        return True
    _emit_side(reading, who, sentence, "birth", start, border, [d for d in dates if d[0] < border])
    _emit_side(reading, who, sentence, "death", border, end, [d for d in dates if d[0] >= border])
    return True


def _open_ended(text: str, start: int, end: int) -> bool:
    return bool(re.search(r"[–—-]\s*(?:present)?\s*$", text[start:end]))


def _border(text: str, start: int, end: int, dates: list[tuple[int, int]]) -> int | None:
    """Where birth ends and death begins: a dash in front of the last date, or two dates side by side."""
    semicolon = text.rfind(";", start, dates[0][0])
    if dates[0][0] > start:
        leading = text[start : dates[0][0]].strip()
        if leading in ("–", "—", "-", "? –", "?–"):
            return start + 1
    if len(dates) < 2:
        return None
    for before, after in zip(dates, dates[1:], strict=False):
        between = text[before[1] : after[0]]
        dash = _DASH.search(between)
        if dash and (after == dates[-1] or _whole(text, after)):
            if semicolon > before[1] or _alternatives(text, before, after, dates):
                continue
            return before[1] + dash.end()
        if (len(between.strip()) == 0 or len(dates) == 2 and ";" not in between) and _whole(text, before) and _whole(text, after):
            return after[0]
    return None


def _whole(text: str, date: tuple[int, int]) -> bool:
    """Whether a date has a month and a year."""
    return any(c.isalpha() for c in text[date[0] : date[1]])


def _alternatives(text: str, before: tuple[int, int], after: tuple[int, int], dates: list[tuple[int, int]]) -> bool:
    """ "c. 1191–1192 – February 1237": the first dash joins two years of birth."""
    return len(dates) > 2 and after != dates[-1] and not _whole(text, before)


def _emit_side(reading: Reading, who: Referent, sentence: Sentence, event: str, start: int, end: int, dates: list[tuple[int, int]]) -> None:
    """Emit the first date and the places of one side of the bracket."""
    life = _entries(reading, who.cube, event)
    if dates:
        for entry in life.dates:
            reading.emit(who, entry, *_trim(reading.text, *dates[0]), sentence, STRUCTURE)
    confidence = STRUCTURE
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        if not start <= mention.start < end or mention.quoted:
            continue
        before = reading.text[max(start, mention.start - 12) : mention.start].rstrip()
        if not (before.endswith((",", " in", " at", "in", " near", ";")) or before == ""):
            continue
        if not dates and not before.endswith((" in", " at", " near", ",")):
            continue
        for entry in life.places:
            reading.emit(who, entry, mention.start, mention.end, sentence, confidence)
        confidence -= 0.1


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in " ,.;" and not text[start:end].endswith(("B.C.", "A.D.")):
        end -= 1
    return start, end


def _unbracketed(reading: Reading, header: Header, who: Referent) -> None:
    """ "X, born in Quillon on 4 May 1931, was …" is left to the prose rules: nothing to do where no bracket tells."""


def lives_in_prose(reading: Reading, sentence: Sentence, at: int, who: Referent | None) -> None:
    """Read the adjuncts behind "born", "died", "killed": dates, places, causes, in any order."""
    event = _VERBS.get(sentence.word(at))
    if event is None or who is None or who.cube != reading.plan.person:
        return
    life = _entries(reading, who.cube, event)
    if sentence.word(at) in _CAUSES or (event == "death" and sentence.word(at) not in ("died", "dies")):
        if sentence.word(at - 1) not in ("was", "were", "is", "be", "and", "been"):
            return
    _adjuncts(reading, sentence, at + 1, who, life, _with_death(reading, sentence, at, who))


def _with_death(reading: Reading, sentence: Sentence, at: int, who: Referent) -> _Life | None:
    """ "born and died in Denmark", "born and raised in": both events share their adjuncts."""
    if sentence.word(at) == "born" and sentence.word(at + 1) == "and" and sentence.word(at + 2) == "died":
        return _entries(reading, who.cube, "death")
    return None


def _adjuncts(reading: Reading, sentence: Sentence, at: int, who: Referent, life: _Life, second: _Life | None) -> None:
    lives = [life] + ([second] if second else [])
    if sentence.word(at) == "and" and sentence.word(at + 1) in ("raised", "died", "bred", "educated", "grew", "brought"):
        at += 2
        at += 1 if sentence.word(at) == "up" else 0
    dated = placed = False
    limit = min(len(sentence), at + 40)
    while at < limit:
        word = sentence.lower[at]
        date = sentence.dates.get(at)
        if date is not None and not dated:
            dated = True
            for one in lives:
                _emit_all(reading, who, one.dates, date[0], date[1], sentence)
            at = date[2]
        elif word in ("in", "at", "near", "on", "outside") and not placed and at + 1 not in sentence.dates:
            values = names_after(sentence, at + 1, "place", many=False, stop=reading.is_subject)
            if not values or sentence.word(values[0].first) in ("he", "she"):
                after = _cause(reading, sentence, at, who, lives)
                if after is None:
                    return
                at = after
                continue
            placed = True
            for one in lives:
                _emit_places(reading, who, one.places, values, sentence)
            at = values[-1].last
        elif word in ("of", "from", "after", "by") and life.causes:
            after = _cause(reading, sentence, at, who, lives)
            if after is None:
                return
            at = after
        elif word in ("in", "on", "at", ",", "around", "about", "c", "c.", "circa", ".", "the", "night", "morning", "evening", "of", "early", "late", "prematurely", "suddenly", "peacefully",
                      "shortly", "unexpectedly", "there", "his", "her", "home", "hospital", "aged", "a", "an", "age", "sleep", "ca", "ca.", "either", "or", "probably", "day") or word.isdigit():
            at += 1
        elif word == "(":
            after_bracket = skip_brackets(sentence, at)
            if after_bracket == at:
                return
            at = after_bracket
        else:
            return


def _emit_all(reading: Reading, who: Referent, entries: list[Entry], start: int, end: int, sentence: Sentence) -> None:
    for entry in entries:
        reading.emit(who, entry, *_trim(reading.text, start, end), sentence, CUE + 0.1)


def _emit_places(reading: Reading, who: Referent, entries: list[Entry], values: list[Value], sentence: Sentence) -> None:
    confidence = CUE + 0.1
    for value in values:
        for entry in entries:
            reading.emit(who, entry, value.start, value.end, sentence, round(confidence, 2))
        confidence = max(0.5, confidence - 0.1)


def _cause(reading: Reading, sentence: Sentence, at: int, who: Referent, lives: list[_Life]) -> int | None:
    """ "of pneumonia", "from a heart attack", "in a car crash": a noun phrase in lower case is the cause."""
    if sentence.word(at) not in ("of", "from", "in", "by", "after", "at", "on"):
        return None
    value = text_after(sentence, at + 1)
    if value is None or not lives[-1].causes:
        return None
    words = sentence.lower[value.first : value.last]
    if words[0].isdigit() or words[-1] == "age" or words[0] in ("age", "home"):
        return None
    if sentence.word(at) in ("in", "at", "on", "after", "by") and not _CAUSE_WORDS.intersection(words):
        return None
    if sentence.words[value.first][0].isupper() and value.first in sentence.mention_at and sentence.word(at) != "of" and sentence.word(at) != "from":
        return None
    for entry in lives[-1].causes:
        reading.emit(who, entry, value.start, value.end, sentence, CUE)
    return value.last


_CAUSE_WORDS = frozenset({
    "accident", "crash", "attack", "fire", "explosion", "duel", "battle", "action", "collision", "shooting", "suicide", "fall", "stroke", "cancer",
    "illness", "disease", "surgery", "childbirth", "drowning", "earthquake", "avalanche", "bombing", "failure", "pneumonia", "operation", "gunshot",
})
