"""Births and deaths: dates, places and causes in the brackets behind a name and behind the verbs of prose."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..header import Header
from ..plan import LIFE_VERBS, CueEntry
from ..section_state import CUE, STRUCTURE, Referent, SectionState
from ..words.dates import loose_dates
from ..words.lexicon import country_of, group, lexicon
from ..words.measures import text_after
from ..words.values import is_verb, names_after, names_place, skip_brackets
from ..words.words import NameSpan, Sentence

__all__ = ["life_in_brackets", "lives_in_prose"]

_SURE = CUE + 0.1
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


@dataclass(frozen=True, slots=True)
class _Event:
    """Which cues take dates and places of an event of a life."""

    dates: list[CueEntry]
    places: list[CueEntry]
    causes: list[CueEntry]


def _event(state: SectionState, name: str) -> _Event:
    """The cues of persons for "birth" or "death"."""
    pattern, cube = state.plan.pattern, state.plan.person or ""
    causes = pattern(cube, "cause_of_death") if name == "death" else []
    return _Event(pattern(cube, f"{name}_date"), pattern(cube, f"{name}_place"), causes)


def life_in_brackets(state: SectionState, header: Header) -> None:
    """Read "(born 5 May 1900, London – 6 June 1970, Paris)" and its many relatives behind the subject's name."""
    sentence = header.sentence
    for first, last in header.brackets if state.subject.cube == state.plan.person else ():
        if first < last and _read_bracket(state, header, sentence.starts[first], sentence.ends[last - 1]):
            return


def _read_bracket(state: SectionState, header: Header, start: int, end: int) -> bool:
    """Emit what a bracket says about a life; False when it says nothing and another bracket may."""
    text, sentence = state.text, header.sentence
    dates, born = loose_dates(text, start, end), _BORN.match(text, start, end)
    if not dates:
        if born:
            _side(state, sentence, "birth", start, end, [])
        return False
    if _OTHER.search(text, start, dates[0][0]):
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
    event, text = _event(state, name), state.text
    here = [date for date in dates if start <= date[0] < end]
    for entry in event.dates if here else ():
        state.emit(state.subject, entry, *_trimmed(text, *here[0]), sentence, STRUCTURE)
    begin, confidence = _last_name(text, start, end, here), STRUCTURE
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        inside = begin <= mention.start < end and not mention.quoted and _may_be_place(sentence, mention)
        before = text[start : mention.start]
        if inside and _PLACED.search(before) and (here or before.strip(" ,")):
            for entry in event.places:
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


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave punctuation off the end of a date."""
    while end > start and text[end - 1] in " ,.;" and not text[start:end].endswith(("B.C.", "A.D.")):
        end -= 1
    return start, end


def lives_in_prose(state: SectionState, sentence: Sentence, at: int, who: Referent | None) -> None:
    """Read the adjuncts behind the verb at ``at`` for ``who``: dates, places, causes, in any order."""
    word, name = sentence.word(at), LIFE_VERBS.get(sentence.word(at))
    if name is None or who is None or who.cube != state.plan.person:
        return
    passive = sentence.word(at - 1) in ("was", "were", "is", "be", "and", "been")
    suicide = word == "committed" and sentence.word(at + 1) == "suicide"
    if word not in ("born", "died", "dies") and not suicide and (word == "committed" or not passive):
        return
    events = [_event(state, name)]
    violent = [i for i in (at - 2, at, at + 1) if sentence.word(i) in group("violent_deaths")]
    for index in violent[:1]:  # "was shot and killed", "committed suicide"
        for entry in events[0].causes:
            state.emit(who, entry, sentence.starts[index], sentence.ends[index], sentence, CUE - 0.1)
    if sentence.lower[at + 1 : at + 3] == ["and", "died"] and word == "born":
        events.append(_event(state, "death"))
    _Adjuncts(state, sentence, who, events).read(at + 1 + suicide)


class _Adjuncts:
    """Walks over what follows the verb until something else begins."""

    def __init__(self, state: SectionState, sentence: Sentence, who: Referent, events: list[_Event]) -> None:
        self.state, self.sentence, self.who, self.events = state, sentence, who, events
        self.dated = self.placed = False

    def read(self, at: int) -> None:
        """Read from word ``at`` on."""
        sentence, limit = self.sentence, min(len(self.sentence), at + 40)
        if at in sentence.mention_at and at not in sentence.dates:  # "born Lidia Norling on Hesk"
            at = sentence.mention_at[at].last
        if sentence.word(at) == "and" and sentence.word(at + 1) in group("beside_birth"):
            at += 2 + (sentence.word(at + 2) in ("up", "later"))  # "born and raised in Rome"
        position: int | None = at
        while position is not None and position < limit:
            position = self._step(position)

    def _step(self, at: int) -> int | None:
        """Read one adjunct; return where the next may stand, None at the end."""
        word, date = self.sentence.lower[at], self.sentence.dates.get(at)
        if date is not None and not self.dated:
            self.dated = True
            for entry in (entry for event in self.events for entry in event.dates):
                self.state.emit(self.who, entry, *_trimmed(self.state.text, *date[:2]), self.sentence, _SURE)
            return date[2]
        if word in ("in", "at", "near", "on", "outside") and not self.placed and at + 1 not in self.sentence.dates:
            return self._place(at) or self._cause(at) or self._next_adjunct(at)
        if word in ("of", "from", "after", "by") and self.events[0].causes:
            return self._cause(at) or self._next_adjunct(at)
        if word in group("between_adjuncts") or word.isdigit():
            return at + 1
        behind = skip_brackets(self.sentence, at)
        return behind if behind > at else self._next_adjunct(at)

    def _place(self, at: int) -> int | None:
        """The nearest place first; each that contains it is a little less sure."""
        values = names_after(self.sentence, at + 1, "place", many=False, stop=self.state.is_subject)
        if not values:
            return None
        self.placed = True
        for entry in (entry for event in self.events for entry in event.places):
            for number, value in enumerate(values):
                sure = round(max(0.5, _SURE - 0.1 * number), 2)
                self.state.emit(self.who, entry, value.start, value.end, self.sentence, sure)
        return values[-1].last

    def _next_adjunct(self, at: int) -> int | None:
        """Step over "in the city of his birth", "without issue", "to A and B" to the next date or place."""
        sentence, word = self.sentence, self.sentence.word(at)
        born_to = word in ("to", "into") and not self.events[0].causes
        if not word.isalpha() or (word in ("and", "who", "but", "he", "she", "to") and not born_to):
            return None
        index, limit = at + 1, min(at + (18 if born_to else 9), len(sentence))
        while index < limit:
            ahead = index + 1 + (sentence.word(index + 1) == "the")
            told = ahead in sentence.dates or ahead in sentence.mention_at
            if told and sentence.lower[index] in ("on", "in", "at", "near") and index not in sentence.mention_at:
                return index
            behind = skip_brackets(sentence, index)  # "by A (also written B) in X"
            closes = sentence.lower[index] in (";", ".", "who", "but", "whose") + (() if born_to else ("and",))
            if behind == index and (closes or is_verb(sentence, index)):
                return None
            limit = min(limit + behind - index, len(sentence))
            index = max(index + 1, behind)
        return None

    def _cause(self, at: int) -> int | None:
        """ "of pneumonia", "from a heart attack", "in a car crash": a noun phrase in lower case is the cause."""
        sentence, value = self.sentence, text_after(self.sentence, at + 1)
        if value is not None and sentence.lower[value.last - 1] == "battle":  # "after a long battle with cancer"
            value = text_after(sentence, value.last + 1) if sentence.word(value.last) in ("with", "against") else None
        words = sentence.lower[value.first : value.last] if value is not None else []
        if value is None or words[0].isdigit() or words[-1] == "age" or words[0] in ("age", "home"):
            return None
        named = value.first in sentence.mention_at or group("causes_of_death").isdisjoint(words)
        if not self.events[-1].causes or (sentence.word(at) not in ("of", "from") and named):
            return None
        for entry in self.events[-1].causes:
            self.state.emit(self.who, entry, value.start, value.end, sentence, CUE)
        return value.last
