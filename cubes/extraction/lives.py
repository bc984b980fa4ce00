"""Dates and places of birth and death in the brackets behind a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from .dates import loose_dates
from .header import Header
from .kinds import names_place
from .lexicon import country_of, lexicon
from .plan import Entry
from .reading import STRUCTURE, Reading, Referent
from .words import Mention, Sentence

__all__ = ["Life", "life_entries", "life_in_brackets", "trimmed"]

_DASH = re.compile(r"\s?[–—]\s?|\s-+\s|-\s|\s-|(?<=\d)-(?=\D|\d{3})|\s(?:to|until)\s")
_TIGHT = re.compile(r"-(?:c\.\s?)?")  # "1897-1963"
_BORN = re.compile(r"^\W*(?:born|b\.|née|nee)\b", re.IGNORECASE)
_PLACED = re.compile(r"\W*born\s+(?:in|at|near)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|d\.|killed|executed|buried|assassinated)\b", re.IGNORECASE)
_BIRTH = re.compile(r"\bborn\b", re.IGNORECASE)
_PLACED_BEHIND = re.compile(r",?\s(?:in|at|near)\s(?=[^\W\d_])")
_OTHER = re.compile(
    r"\b(?:reign|reigned|ruled|r\.|fl\.|flourished|active|released|founded|married|crowned)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Life:
    """Which cues take dates and places of an event of a life."""

    dates: list[Entry]
    places: list[Entry]
    causes: list[Entry]


def life_entries(reading: Reading, cube: str, event: str) -> Life:
    """The cues of a class for "birth" or "death"."""
    plan = reading.plan
    causes = plan.pattern(cube, "cause_of_death") if event == "death" else []
    return Life(plan.pattern(cube, f"{event}_date"), plan.pattern(cube, f"{event}_place"), causes)


def life_in_brackets(reading: Reading, header: Header) -> None:
    """Read "(born 5 May 1900, London – 6 June 1970, Paris)" and its many relatives behind the subject's
    name.
    """
    who = reading.subject
    if who.cube != reading.plan.person:
        return
    sentence = header.sentence
    present = sentence.word(header.copula) == "is"
    for first, last in header.brackets:
        if first < last and _read_bracket(
            reading, who, sentence, sentence.starts[first], sentence.ends[last - 1], present=present
        ):
            return


def _read_bracket(reading: Reading, who: Referent, sentence: Sentence, start: int, end: int, *, present: bool) -> bool:
    """Read one bracket; False when it says nothing about a life."""
    text = reading.text
    dates = loose_dates(text, start, end)
    born, died = _BORN.match(text[start:end]), _DIED.search(text, start, end)
    if not dates:
        if born:
            _emit_side(reading, who, sentence, "birth", start, end, dates)
        # Behind "(née X)" and "(born Y)" the dates may still come.
        return born is not None and _PLACED.match(text, start, end) is not None
    if _OTHER.search(text, start, dates[0][0]):
        return False
    border = _border(text, start, dates)
    if died and (border is None or died.start() <= border):
        border = died.start()
    if border is None:
        side = "death" if died else "birth"
        if not (born or died) and len(dates) == 1 and not present:
            return False
        _emit_side(reading, who, sentence, side, start, end, dates)
        return True
    _emit_side(reading, who, sentence, "birth", start, border, [d for d in dates if d[0] < border])
    _emit_side(reading, who, sentence, "death", border, end, [d for d in dates if d[0] >= border])
    return True


def _border(text: str, start: int, dates: list[tuple[int, int]]) -> int | None:
    """Where birth ends and death begins: a dash in front of the last date, or two dates side by side."""
    semicolon = text.rfind(";", start, dates[0][0])
    if dates[0][0] > start:
        leading = text[start : dates[0][0]].strip()
        if leading in ("–", "—", "-", "? –", "?–"):
            return start + 1
    if len(dates) < 2:
        return None
    for before, after in pairwise(dates):
        between = text[before[1] : after[0]]
        dash = _DASH.search(between) or _TIGHT.fullmatch(between)
        if dash and (after == dates[-1] or _whole(text, after)):
            if semicolon > before[1]:
                continue
            return before[1] + dash.end()
        if (
            (len(between.strip()) == 0 or (len(dates) == 2 and ";" not in between))
            and _whole(text, before)
            and _whole(text, after)
        ):
            return after[0]
    return None


def _whole(text: str, date: tuple[int, int]) -> bool:
    """Whether a date has a month and a year."""
    return any(c.isalpha() for c in text[date[0] : date[1]])


def _emit_side(
    reading: Reading,
    who: Referent,
    sentence: Sentence,
    event: str,
    start: int,
    end: int,
    dates: list[tuple[int, int]],
) -> None:
    """Emit the first date and the places of one side of the bracket."""
    life = life_entries(reading, who.cube, event)
    named = _last_name(reading.text, start, end, dates)
    if dates:
        for entry in life.dates:
            reading.emit(who, entry, *trimmed(reading.text, *dates[0]), sentence, STRUCTURE)
    confidence = STRUCTURE
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        if not max(start, named) <= mention.start < end or mention.quoted or not _may_be_place(sentence, mention):
            continue
        before = reading.text[max(start, mention.start - 12) : mention.start].rstrip()
        if not (before.endswith((",", " in", " at", "in", " near", ";")) or before == "" or before[-4:].isdigit()):
            continue
        if not dates and not before.endswith((" in", " at", " near", ",")):
            continue
        for entry in life.places:
            reading.emit(who, entry, mention.start, mention.end, sentence, confidence)
        confidence -= 0.1


def _last_name(text: str, start: int, end: int, dates: list[tuple[int, int]]) -> int:
    """Where the other names of the person end that stand in front of the date: no place comes before.

    "(Otto Karl Marr; 5 May 1900)", "(Script: Отто; 5 May 1900)", "(Marr Otto, born 5 May 1900)", and, where the place
    is told behind the date, "(Marr, 5 May 1900 in Carse)".
    """
    if not dates:
        return start
    semicolon = text.rfind(";", start, dates[0][0])
    born = max((match.start() for match in _BIRTH.finditer(text, start, dates[0][0])), default=-1)
    placed = dates[0][1] if _PLACED_BEHIND.match(text, dates[0][1], end) else -1
    return max(start, semicolon, born, placed)


def _may_be_place(sentence: Sentence, mention: Mention) -> bool:
    """Whether a name in a bracket may be a place: no label ("Script:"), no abbreviation, nothing that goes on."""
    text = sentence.text[mention.start : mention.end]
    following = sentence.word(mention.last)
    if following == ":" or text.lower() in lexicon().not_places or any(c.isdigit() for c in text):
        return False
    if text.isupper() and text.isalpha() and len(text) > 2 and country_of(text) is None:
        return False
    goes_on = following.isalpha() and sentence.words[mention.last].islower()
    within = lexicon().prepositions | lexicon().group("geographic") | lexicon().group("area_nouns")
    return names_place(sentence, mention.first, mention.last) and (not goes_on or following in within | {"and", "or"})


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave punctuation off the end of a date."""
    while end > start and text[end - 1] in " ,.;" and not text[start:end].endswith(("B.C.", "A.D.")):
        end -= 1
    return start, end
