"""Births and deaths in the brackets behind a person's name: "(5 May 1900, London – 6 June 1970, Paris)"."""

from __future__ import annotations

import re

from ..header import Header
from ..section_state import STRUCTURE, SectionState
from ..words.dates import loose_dates
from ..words.lexicon import lexicon
from ..words.values import names_place, trimmed
from ..words.words import NameSpan, Sentence

__all__ = ["life_in_brackets"]

_BORDER = re.compile(r"[–—-]|\b(?:to|until)\b|(?=\b(?:died|d\.|killed|executed|assassinated)(?!\w))")
_BORN = re.compile(r"\W*(?:born|b\.|née|nee)(?!\w)", re.IGNORECASE)
_PLACED = re.compile(r"(?:^|,|;|\d|\bin|\bat|\bnear|\boutside|\bdied)\s*$")
_BEHIND = frozenset({"and", "or", "in", "at", "on", "near", "to", "by"})
_OTHER = re.compile(
    r"\b(?:reign|reigned|ruled|r\.|fl\.|flourished|active|released|founded|married|crowned)(?!\w)", re.IGNORECASE
)


def life_in_brackets(state: SectionState, header: Header) -> None:
    """Read the first bracket behind the subject's name that tells of a life."""
    sentence = header.sentence
    for first, last in header.brackets if state.subject.cube == state.plan.person else ():
        if first < last and _read_bracket(state, header, sentence.starts[first], sentence.ends[last - 1]):
            return


def _read_bracket(state: SectionState, header: Header, start: int, end: int) -> bool:
    """Emit what a bracket says about a life; False when it says nothing and another bracket may."""
    text, sentence = state.text, header.sentence
    dates, born = loose_dates(text, start, end), _BORN.match(text, start, end)
    if dates and _OTHER.search(text, start, dates[0][0]):
        return False
    border = _border(text, start, dates) if dates else None
    if border is None and not born and (len(dates) != 1 or sentence.word(header.copula) != "is"):
        return False
    _side(state, sentence, "birth", (start, end if border is None else border), dates)
    if border is not None:
        _side(state, sentence, "death", (border, end), dates)
    return bool(dates)


def _border(text: str, start: int, dates: list[tuple[int, int]]) -> int | None:
    """Where death begins: at a dash or "died" in front of the last date, or at a second date beside the first."""
    alone = len(dates) == 1
    begin, end = (start if alone else dates[0][1]), dates[-1][0]
    for match in reversed(list(_BORDER.finditer(text, begin, end))):
        before = text[begin : match.start()].strip(" ?")
        if not match.group() or not (before if alone else ";" in before):
            return match.end()
    whole = all(any(c.isalpha() for c in text[slice(*date)]) for date in dates)
    between = text[begin:end].strip()
    return end if not alone and (not between or (whole and ";" not in between)) else None


def _side(
    state: SectionState, sentence: Sentence, name: str, part: tuple[int, int], dates: list[tuple[int, int]]
) -> None:
    """Emit the first date and the places of one part of the bracket."""
    text, cube, (start, end) = state.text, state.subject.cube, part
    here = [date for date in dates if start <= date[0] < end]
    for entry in state.plan.pattern(cube, f"{name}_date") if here else ():
        state.emit(state.subject, entry, *trimmed(text, *here[0]), sentence, STRUCTURE)
    begin, confidence = _last_name(text, start, here), STRUCTURE
    for mention in sentence.named():
        inside = begin <= mention.start < end and not mention.quoted and _may_be_place(sentence, mention)
        before = text[start : mention.start]
        if inside and _PLACED.search(before) and (here or before.strip(" ,")):
            for entry in state.plan.pattern(cube, f"{name}_place"):
                state.emit(state.subject, entry, mention.start, mention.end, sentence, confidence)
            confidence -= 0.1


def _last_name(text: str, start: int, dates: list[tuple[int, int]]) -> int:
    """Where the other names of the person end that stand in front of the date: no place comes before.

    "(Otto Karl Marr; 5 May 1900)", "(Marr Otto, born 5 May 1900)", and "(Marr, 5 May 1900 in Carse)".
    """
    if not dates:
        return start
    if re.match(r",?\s(?:in|at|near)\s", text[dates[0][1] : dates[0][1] + 6]):
        return dates[0][1]
    return max(start, text.rfind(";", start, dates[0][0]), text.rfind("born", start, dates[0][0]))


def _may_be_place(sentence: Sentence, mention: NameSpan) -> bool:
    """Whether a name in a bracket may be a place: no label ("Script:"), no abbreviation, nothing that goes on."""
    text, following = sentence.text[mention.start : mention.end], sentence.word(mention.last)
    named = not (text.isupper() and len(text) > 2) and not any(c.isdigit() for c in text)
    goes_on = following[:1].isalpha() and sentence.words[mention.last].islower() and following not in _BEHIND
    told = named and text.lower() not in lexicon().people_of and following != ":" and not goes_on
    return told and names_place(sentence, mention.first, mention.last)
