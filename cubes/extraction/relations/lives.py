"""Births and deaths in the brackets behind a person's name: "(5 May 1900, London – 6 June 1970, Paris)"."""

from __future__ import annotations

import re

from ..header import Header
from ..section_state import STRUCTURE, SectionState
from ..words.dates import loose_dates
from ..words.lexicon import country_of, group, lexicon
from ..words.values import names_place, trimmed
from ..words.words import NameSpan, Sentence

__all__ = ["life_in_brackets"]

_BORDER = re.compile(
    r"[–—]|(?<=[\d?\s])-(?=\D|\d{3}|\d\d?\s[A-Z])|-\s|\s(?:to|until)\s"
    r"|(?=\b(?:died|d\.|killed|executed|assassinated)(?!\w))"
)
_BORN = re.compile(r"\W*(?:born|b\.|née|nee)(?!\w)", re.IGNORECASE)
_PLACED = re.compile(r"(?:^|,|;|\d|\bin|\bat|\bnear|\boutside|\bdied)\s*$")
_BEHIND_DATE = re.compile(r",?\s(?:in|at|near)\s(?=[^\W\d_])")
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
    if not dates and born:
        _side(state, sentence, "birth", start, end, [])
    if not dates or _OTHER.search(text, start, dates[0][0]):
        return False
    border = _border(text, start, end, dates)
    if border is None and not born and len(dates) == 1 and sentence.word(header.copula) != "is":
        return False
    _side(state, sentence, "birth", start, end if border is None else border, dates)
    if border is not None:
        _side(state, sentence, "death", border, end, dates)
    return True


def _border(text: str, start: int, end: int, dates: list[tuple[int, int]]) -> int | None:
    """Where birth ends and death begins: a dash or "died" in front of the last date, or two dates side by side."""
    for match in _BORDER.finditer(text, start, end):
        inside = any(first <= match.start() < last for first, last in dates)
        opening = not text[start : match.start()].strip(" ?")
        dashed = match.end() <= dates[-1][0] and (opening or dates[0][1] <= match.start())
        dashed = dashed and ";" not in text[dates[0][1] : match.start()]
        if (dashed or not match.group()) and not inside:
            return match.end()
    between = text[dates[0][1] : dates[1][0]] if len(dates) == 2 else ";"
    whole = all(any(c.isalpha() for c in text[slice(*date)]) for date in dates)
    return dates[1][0] if not between.strip() or (whole and ";" not in between) else None


def _side(
    state: SectionState, sentence: Sentence, name: str, start: int, end: int, dates: list[tuple[int, int]]
) -> None:
    """Emit the first date and the places between ``start`` and ``end``."""
    text, cube = state.text, state.subject.cube
    here = [date for date in dates if start <= date[0] < end]
    for entry in state.plan.pattern(cube, f"{name}_date") if here else ():
        state.emit(state.subject, entry, *trimmed(text, *here[0]), sentence, STRUCTURE)
    begin, confidence = _last_name(text, start, end, here), STRUCTURE
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        inside = begin <= mention.start < end and not mention.quoted and _may_be_place(sentence, mention)
        before = text[start : mention.start]
        if inside and _PLACED.search(before) and (here or before.strip(" ,")):
            for entry in state.plan.pattern(cube, f"{name}_place"):
                state.emit(state.subject, entry, mention.start, mention.end, sentence, confidence)
            confidence -= 0.1


def _last_name(text: str, start: int, end: int, dates: list[tuple[int, int]]) -> int:
    """Where the other names of the person end that stand in front of the date: no place comes before.

    "(Otto Karl Marr; 5 May 1900)", "(Script: Отто; 5 May 1900)", "(Marr Otto, born 5 May 1900)", and, where the
    place is told behind the date, "(Marr, 5 May 1900 in Carse)".
    """
    if not dates:
        return start
    born = max((match.start() for match in re.finditer(r"\bborn\b", text[start : dates[0][0]])), default=-1)
    behind = dates[0][1] if _BEHIND_DATE.match(text, dates[0][1], end) else start
    return max(behind, text.rfind(";", start, dates[0][0]), start + born)


def _may_be_place(sentence: Sentence, mention: NameSpan) -> bool:
    """Whether a name in a bracket may be a place: no label ("Script:"), no abbreviation, nothing that goes on."""
    text, following = sentence.text[mention.start : mention.end], sentence.word(mention.last)
    if following == ":" or text.lower() in lexicon().people_of or any(c.isdigit() for c in text):
        return False
    if text.isupper() and len(text) > 2 and country_of(text) is None:
        return False
    goes_on = following.isalpha() and sentence.words[mention.last].islower() and following not in group("prepositions")
    goes_on = goes_on and following not in group("geographic") and following not in ("and", "or")
    return names_place(sentence, mention.first, mention.last) and not goes_on
