"""Births and deaths in prose: the dates, places and causes behind "born", "died" and "killed"."""

from __future__ import annotations

from .lexicon import lexicon
from .lives import Life, life_entries, trimmed
from .measures import text_after
from .plan import LIFE_VERBS, Entry
from .reading import CUE, Reading, Referent
from .values import Value, is_verb, names_after, skip_brackets
from .words import Sentence

__all__ = ["lives_in_prose"]

_SURE = CUE + 0.1
_STRUGGLES = frozenset({"battle", "struggle", "fight", "bout"})


def lives_in_prose(reading: Reading, sentence: Sentence, at: int, who: Referent | None) -> None:
    """Read the adjuncts behind the verb at ``at`` for ``who``: dates, places, causes, in any order."""
    word = sentence.word(at)
    event = LIFE_VERBS.get(word)
    if event is None or who is None or who.cube != reading.plan.person:
        return
    passive = sentence.word(at - 1) in ("was", "were", "is", "be", "and", "been")
    suicide = word == "committed" and sentence.word(at + 1) == "suicide"
    if word not in ("born", "died", "dies") and not suicide and (word == "committed" or not passive):
        return
    lives = [life_entries(reading, who.cube, event)]
    if suicide:
        for entry in lives[0].causes:
            reading.emit(who, entry, sentence.starts[at + 1], sentence.ends[at + 1], sentence, CUE)
        at += 1
    elif event == "death":
        _violent(reading, sentence, at, who, lives[0])
    if [sentence.word(at), sentence.word(at + 1), sentence.word(at + 2)] == ["born", "and", "died"]:
        lives.append(life_entries(reading, who.cube, "death"))
    _Adjuncts(reading, sentence, who, lives).read(at + 1)


def _violent(reading: Reading, sentence: Sentence, at: int, who: Referent, life: Life) -> None:
    """ "was shot and killed": the participle beside the verb is the cause."""
    causes = (i for i in range(max(0, at - 3), at + 2) if sentence.word(i) in lexicon().group("violent_deaths"))
    for index in [i for i in causes if i not in sentence.mention_at][:1]:
        for entry in life.causes:
            reading.emit(who, entry, sentence.starts[index], sentence.ends[index], sentence, CUE - 0.1)


class _Adjuncts:
    """Walks over what follows the verb until something else begins."""

    def __init__(self, reading: Reading, sentence: Sentence, who: Referent, lives: list[Life]) -> None:
        self.reading, self.sentence, self.who, self.lives = reading, sentence, who, lives
        self.dated = self.placed = False

    def read(self, at: int) -> None:
        """Read from word ``at`` on."""
        position: int | None = self._skip_name_and_verb(at)
        limit = min(len(self.sentence), at + 40)
        while position is not None and position < limit:
            position = self._step(position)

    def _skip_name_and_verb(self, at: int) -> int:
        """ "born Lidia Norling on Hesk", "born and raised in Rome"."""
        sentence = self.sentence
        if at in sentence.mention_at and at not in sentence.dates:
            at = sentence.mention_at[at].last
        if sentence.word(at) == "in" and sentence.word(at + 1) == "and":  # "was born in and died in X"
            at += 1
        if sentence.word(at) == "and" and sentence.word(at + 1) in lexicon().group("beside_birth"):
            at += 2
            at += sentence.word(at) in ("up", "later")
        return at

    def _step(self, at: int) -> int | None:
        """Read one adjunct; return where the next may stand, None at the end."""
        word = self.sentence.lower[at]
        date = self.sentence.dates.get(at)
        if date is not None and not self.dated:
            return self._date(date)
        if word in ("in", "at", "near", "on", "outside") and not self.placed and at + 1 not in self.sentence.dates:
            return self._place(at)
        if word in ("of", "from", "after", "by") and self.lives[0].causes:
            return self._cause(at) or self._next_adjunct(at)
        if word in lexicon().group("between_adjuncts") or word.isdigit():
            return at + 1
        behind = skip_brackets(self.sentence, at)
        return behind if behind > at else self._next_adjunct(at)

    def _date(self, date: tuple[int, int, int]) -> int:
        self.dated = True
        start, end = trimmed(self.reading.text, date[0], date[1])
        for life in self.lives:
            for entry in life.dates:
                self.reading.emit(self.who, entry, start, end, self.sentence, _SURE)
        return date[2]

    def _place(self, at: int) -> int | None:
        values = names_after(self.sentence, at + 1, "place", many=False, stop=self.reading.is_subject)
        if not values or self.sentence.word(values[0].first) in ("he", "she"):
            return self._cause(at) or self._next_adjunct(at)
        self.placed = True
        for life in self.lives:
            self._places(life.places, values)
        return values[-1].last

    def _places(self, entries: list[Entry], values: list[Value]) -> None:
        """The nearest place first; each that contains it is a little less sure."""
        confidence = _SURE
        for value in values:
            for entry in entries:
                self.reading.emit(self.who, entry, value.start, value.end, self.sentence, round(confidence, 2))
            confidence = max(0.5, confidence - 0.1)

    def _next_adjunct(self, at: int) -> int | None:
        """Step over "in the city of his birth", "without issue", "at his home" to the next date or place."""
        sentence = self.sentence
        if not sentence.word(at).isalpha() or sentence.word(at) in ("and", "who", "but", "he", "she", "to"):
            return None
        index, limit = at + 1, min(at + 9, len(sentence))
        while index < limit:
            if sentence.lower[index] in ("on", "in", "at", "near"):
                ahead = index + 1 + (sentence.word(index + 1) == "the")
                if ahead in sentence.dates or ahead in sentence.mention_at:
                    return index
            behind = skip_brackets(sentence, index)  # "by A (also written B) in X"
            if behind > index:
                index, limit = behind, min(limit + behind - index, len(sentence))
                continue
            if sentence.lower[index] in (";", ".", "and", "who", "but") or is_verb(sentence, index):
                return None
            index += 1
        return None

    def _cause(self, at: int) -> int | None:
        """ "of pneumonia", "from a heart attack", "in a car crash": a noun phrase in lower case is the
        cause.
        """
        sentence, preposition = self.sentence, self.sentence.word(at)
        value = text_after(sentence, at + 1)
        if value is not None and sentence.lower[value.last - 1] in _STRUGGLES:  # "after a long battle with cancer"
            value = text_after(sentence, value.last + 1) if sentence.word(value.last) in ("with", "against") else None
        if value is None or not self.lives[-1].causes:
            return None
        words = sentence.lower[value.first : value.last]
        if words[0].isdigit() or words[-1] == "age" or words[0] in ("age", "home"):
            return None
        if preposition not in ("of", "from"):
            named = value.first in sentence.mention_at
            if named or not lexicon().group("causes_of_death").intersection(words):
                return None
        for entry in self.lives[-1].causes:
            self.reading.emit(self.who, entry, value.start, value.end, sentence, CUE)
        return value.last
