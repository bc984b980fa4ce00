"""Births and deaths in prose: the dates, places and causes behind "born", "died" and "killed"."""

from __future__ import annotations

from ..plan import LIFE_VERBS
from ..section_state import CUE, Referent, SectionState
from ..words.lexicon import lexicon
from ..words.measures import text_after
from ..words.values import is_verb, names_after, skip_brackets
from ..words.words import Sentence
from .lives import Life, life_entries, trimmed

__all__ = ["lives_in_prose"]

_SURE = CUE + 0.1
_STRUGGLES = frozenset({"battle", "struggle", "fight", "bout"})


def lives_in_prose(state: SectionState, sentence: Sentence, at: int, who: Referent | None) -> None:
    """Read the adjuncts behind the verb at ``at`` for ``who``: dates, places, causes, in any order."""
    word, event = sentence.word(at), LIFE_VERBS.get(sentence.word(at))
    if event is None or who is None or who.cube != state.plan.person:
        return
    passive = sentence.word(at - 1) in ("was", "were", "is", "be", "and", "been")
    suicide = word == "committed" and sentence.word(at + 1) == "suicide"
    if word not in ("born", "died", "dies") and not suicide and (word == "committed" or not passive):
        return
    lives = [life_entries(state, who.cube, event)]
    violent = lexicon().group("violent_deaths") | {"suicide"}
    told = [i for i in range(max(0, at - 3), at + 2) if event == "death" and sentence.word(i) in violent]
    for index in [i for i in told if i not in sentence.mention_at][:1]:  # "was shot and killed", "committed suicide"
        for entry in lives[0].causes:
            state.emit(who, entry, sentence.starts[index], sentence.ends[index], sentence, CUE - 0.1)
    if [word, sentence.word(at + 1), sentence.word(at + 2)] == ["born", "and", "died"]:
        lives.append(life_entries(state, who.cube, "death"))
    _Adjuncts(state, sentence, who, lives).read(at + 1 + suicide)


class _Adjuncts:
    """Walks over what follows the verb until something else begins."""

    def __init__(self, state: SectionState, sentence: Sentence, who: Referent, lives: list[Life]) -> None:
        self.state, self.sentence, self.who, self.lives = state, sentence, who, lives
        self.dated = self.placed = False

    def read(self, at: int) -> None:
        """Read from word ``at`` on."""
        sentence, limit = self.sentence, min(len(self.sentence), at + 40)
        if at in sentence.mention_at and at not in sentence.dates:  # "born Lidia Norling on Hesk"
            at = sentence.mention_at[at].last
        at += sentence.word(at) == "in" and sentence.word(at + 1) == "and"  # "was born in and died in X"
        if sentence.word(at) == "and" and sentence.word(at + 1) in lexicon().group("beside_birth"):
            at += 2 + (sentence.word(at + 2) in ("up", "later"))  # "born and raised in Rome"
        position: int | None = at
        while position is not None and position < limit:
            position = self._step(position)

    def _step(self, at: int) -> int | None:
        """Read one adjunct; return where the next may stand, None at the end."""
        word, date = self.sentence.lower[at], self.sentence.dates.get(at)
        if date is not None and not self.dated:
            self.dated = True
            span = trimmed(self.state.text, date[0], date[1])
            for entry in (entry for life in self.lives for entry in life.dates):
                self.state.emit(self.who, entry, *span, self.sentence, _SURE)
            return date[2]
        if word in ("in", "at", "near", "on", "outside") and not self.placed and at + 1 not in self.sentence.dates:
            return self._place(at) or self._cause(at) or self._next_adjunct(at)
        if word in ("of", "from", "after", "by") and self.lives[0].causes:
            return self._cause(at) or self._next_adjunct(at)
        if word in lexicon().group("between_adjuncts") or word.isdigit():
            return at + 1
        behind = skip_brackets(self.sentence, at)
        return behind if behind > at else self._next_adjunct(at)

    def _place(self, at: int) -> int | None:
        """The nearest place first; each that contains it is a little less sure."""
        values = names_after(self.sentence, at + 1, "place", many=False, stop=self.state.is_subject)
        if not values or self.sentence.word(values[0].first) in ("he", "she"):
            return None
        self.placed = True
        for entry in (entry for life in self.lives for entry in life.places):
            for number, value in enumerate(values):
                sure = round(max(0.5, _SURE - 0.1 * number), 2)
                self.state.emit(self.who, entry, value.start, value.end, self.sentence, sure)
        return values[-1].last

    def _next_adjunct(self, at: int) -> int | None:
        """Step over "in the city of his birth", "without issue", "to A and B" to the next date or place."""
        sentence, word = self.sentence, self.sentence.word(at)
        born_to = word in ("to", "into") and not self.lives[0].causes
        if not word.isalpha() or (word in ("and", "who", "but", "he", "she", "to") and not born_to):
            return None
        closing = (";", ".", "who", "but", "whose") if born_to else (";", ".", "and", "who", "but")
        index, limit = at + 1, min(at + (18 if born_to else 9), len(sentence))
        while index < limit:
            ahead = index + 1 + (sentence.word(index + 1) == "the")
            told = ahead in sentence.dates or ahead in sentence.mention_at
            if told and sentence.lower[index] in ("on", "in", "at", "near") and index not in sentence.mention_at:
                return index
            behind = skip_brackets(sentence, index)  # "by A (also written B) in X"
            if behind == index and (sentence.lower[index] in closing or is_verb(sentence, index)):
                return None
            limit = min(limit + behind - index, len(sentence))
            index = max(index + 1, behind)
        return None

    def _cause(self, at: int) -> int | None:
        """ "of pneumonia", "from a heart attack", "in a car crash": a noun phrase in lower case is the cause."""
        sentence, value = self.sentence, text_after(self.sentence, at + 1)
        if value is not None and sentence.lower[value.last - 1] in _STRUGGLES:  # "after a long battle with cancer"
            value = text_after(sentence, value.last + 1) if sentence.word(value.last) in ("with", "against") else None
        words = sentence.lower[value.first : value.last] if value is not None else []
        if value is None or words[0].isdigit() or words[-1] == "age" or words[0] in ("age", "home"):
            return None
        named = value.first in sentence.mention_at or lexicon().group("causes_of_death").isdisjoint(words)
        if not self.lives[-1].causes or (sentence.word(at) not in ("of", "from") and named):
            return None
        for entry in self.lives[-1].causes:
            self.state.emit(self.who, entry, value.start, value.end, sentence, CUE)
        return value.last
