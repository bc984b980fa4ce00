"""Dates and places of birth and death in the brackets behind a name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from ..header import Header
from ..plan import CueEntry
from ..section_state import STRUCTURE, SectionState
from ..words.dates import loose_dates
from ..words.kinds import names_place
from ..words.lexicon import country_of, lexicon
from ..words.words import NameSpan, Sentence

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

    dates: list[CueEntry]
    places: list[CueEntry]
    causes: list[CueEntry]


def life_entries(state: SectionState, cube: str, event: str) -> Life:
    """The cues of a class for "birth" or "death"."""
    plan = state.plan
    causes = plan.pattern(cube, "cause_of_death") if event == "death" else []
    return Life(plan.pattern(cube, f"{event}_date"), plan.pattern(cube, f"{event}_place"), causes)


def life_in_brackets(state: SectionState, header: Header) -> None:
    """Read "(born 5 May 1900, London – 6 June 1970, Paris)" and its many relatives behind the subject's name."""
    who, sentence = state.subject, header.sentence
    present = sentence.word(header.copula) == "is"
    for first, last in header.brackets if who.cube == state.plan.person else ():
        bracket = _Bracket(state, sentence, sentence.starts[first], sentence.ends[last - 1]) if first < last else None
        if bracket is not None and bracket.read(present=present):
            return


class _Bracket:
    """The characters ``start`` to ``end``, inside a bracket behind the name of a person."""

    def __init__(self, state: SectionState, sentence: Sentence, start: int, end: int) -> None:
        self.state, self.sentence, self.text = state, sentence, state.text
        self.start, self.end = start, end
        self.dates = loose_dates(self.text, start, end)

    def read(self, *, present: bool) -> bool:
        """Emit what the bracket says about a life; False when it says nothing."""
        born = _BORN.match(self.text[self.start : self.end])
        died = _DIED.search(self.text, self.start, self.end)
        if not self.dates:
            if born:
                self._side("birth", self.start, self.end)
            # Behind "(née X)" and "(born Y)" the dates may still come.
            return born is not None and _PLACED.match(self.text, self.start, self.end) is not None
        if _OTHER.search(self.text, self.start, self.dates[0][0]):
            return False
        border = self._border()
        if died and (border is None or died.start() <= border):
            border = died.start()
        if border is None:
            if not born and len(self.dates) == 1 and not present:
                return False
            self._side("birth", self.start, self.end)
            return True
        self._side("birth", self.start, border)
        self._side("death", border, self.end)
        return True

    def _border(self) -> int | None:
        """Where birth ends and death begins: a dash in front of the last date, or two dates side by side."""
        text, dates = self.text, self.dates
        if text[self.start : dates[0][0]].strip() in ("–", "—", "-", "? –", "?–"):
            return self.start + 1
        semicolon = text.rfind(";", self.start, dates[0][0])
        for before, after in pairwise(dates):
            between = text[before[1] : after[0]]
            dash = _DASH.search(between) or _TIGHT.fullmatch(between)
            if dash and (after == dates[-1] or self._whole(after)):
                if semicolon <= before[1]:
                    return before[1] + dash.end()
                continue
            beside = not between.strip() or (len(dates) == 2 and ";" not in between)
            if beside and self._whole(before) and self._whole(after):
                return after[0]
        return None

    def _whole(self, date: tuple[int, int]) -> bool:
        """Whether a date has a month and a year."""
        return any(c.isalpha() for c in self.text[date[0] : date[1]])

    def _side(self, event: str, start: int, end: int) -> None:
        """Emit the first date and the places between ``start`` and ``end``."""
        who, life = self.state.subject, life_entries(self.state, self.state.subject.cube, event)
        dates = [date for date in self.dates if start <= date[0] < end]
        for entry in life.dates if dates else ():
            self.state.emit(who, entry, *trimmed(self.text, *dates[0]), self.sentence, STRUCTURE)
        confidence, named = STRUCTURE, self._last_name(start, end, dates)
        for mention in sorted(self.sentence.mentions, key=lambda m: m.first):
            if not named <= mention.start < end or mention.quoted or not _may_be_place(self.sentence, mention):
                continue
            before = self.text[max(start, mention.start - 12) : mention.start].rstrip()
            told = before.endswith((",", " in", " at", " near"))
            if told or (dates and (not before or before.endswith(("in", ";")) or before[-4:].isdigit())):
                for entry in life.places:
                    self.state.emit(who, entry, mention.start, mention.end, self.sentence, confidence)
                confidence -= 0.1

    def _last_name(self, start: int, end: int, dates: list[tuple[int, int]]) -> int:
        """Where the other names of the person end that stand in front of the date: no place comes before.

        "(Otto Karl Marr; 5 May 1900)", "(Script: Отто; 5 May 1900)", "(Marr Otto, born 5 May 1900)", and, where the
        place is told behind the date, "(Marr, 5 May 1900 in Carse)".
        """
        if not dates:
            return start
        semicolon = self.text.rfind(";", start, dates[0][0])
        born = max((match.start() for match in _BIRTH.finditer(self.text, start, dates[0][0])), default=-1)
        placed = dates[0][1] if _PLACED_BEHIND.match(self.text, dates[0][1], end) else -1
        return max(start, semicolon, born, placed)


def _may_be_place(sentence: Sentence, mention: NameSpan) -> bool:
    """Whether a name in a bracket may be a place: no label ("Script:"), no abbreviation, nothing that goes on."""
    text, following = sentence.text[mention.start : mention.end], sentence.word(mention.last)
    if following == ":" or text.lower() in lexicon().not_places or any(c.isdigit() for c in text):
        return False
    if text.isupper() and text.isalpha() and len(text) > 2 and country_of(text) is None:
        return False
    goes_on = following.isalpha() and sentence.words[mention.last].islower()
    within = lexicon().prepositions | lexicon().group("geographic") | lexicon().group("area_nouns") | {"and", "or"}
    return names_place(sentence, mention.first, mention.last) and (not goes_on or following in within)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave punctuation off the end of a date."""
    while end > start and text[end - 1] in " ,.;" and not text[start:end].endswith(("B.C.", "A.D.")):
        end -= 1
    return start, end
