"""What the introducing sentence tells by its form: names and a life, what its subject is, and what one may guess."""

from __future__ import annotations

import re

from ...core.dates import date_spans
from ..subject import ALIAS, STRUCTURE, Referent, SectionState
from ..words.lexicon import AGENT, country_of, group
from ..words.values import QUOTES
from .matcher import Matcher

__all__ = ["Introduction"]

_ARTICLES = frozenset({"a", "an", "the", "one", "another", "any", "his", "her", "its", "their"})
_NAMED_FIRST = frozenset({";", ":", "born", "née", "nee"})  # behind these stands another name and no place
_GUESSED = 0.5  # confidence of what is only mentioned
_NEAR = 5  # words from an owner to what is owned
_BORDER = re.compile(r"[–—-]|\b(?:to|until)\b|(?=\b(?:died|d\.|killed|executed|assassinated)(?!\w))")
_YEAR = re.compile(r"(?<![\w$,.])\d{3,4}(?:\s?/\s?\d{1,4})?(?!\w|,\d{3})")  # any such number in brackets behind a name


class Introduction(Matcher):
    """Reads the sentence that introduces the section's subject."""

    def __init__(self, state: SectionState) -> None:
        self.header, self.who = state.header, state.subject
        super().__init__(state, state.sentences[0], state.header.copula if state.header.name[1] else 0)

    def read(self) -> None:
        """Emit the subject's names, its life, all that the phrase after its copula says, and what a sentence may."""
        self._names()
        any(self._life(first, last) for first, last in self.header.brackets)
        if self.header.phrase.segments or self.header.phrase.told:
            self._types(self.header.phrase.segments, [*self.header.phrase.told])
            self.follow(self.who, self.plan.forms["is", self.who.cube], self.header.phrase.end)
        super().read()

    def bearer(self, at: int, *, verb: bool) -> Referent:
        """Whom a phrase is said of; a noun behind the copula is the subject's ("a 1992 Vellish film by")."""
        own = not verb and self.header.copula < at < self.header.phrase.end
        return self.who if own else super().bearer(at, verb=verb)

    def guess(self) -> None:
        """Guess what no sentence told: an event's date, a land, and the maker of a song from its writer."""
        patterns, cube, land = self.plan.patterns, self.who.cube, self._land()
        own = [fact for fact in self.state.facts.values() if fact.subject == self.who.label]
        full = [date[:2] for _, date in sorted(self.sentence.dates.items()) if date[1] - date[0] > 9]
        guesses = [(entry, *date) for date in full[:1] for entry in patterns[cube, "event_date"]]
        songs = group("of_performer")
        if not songs.isdisjoint(self.who.nouns):
            owned = (name for name in self.sentence.named() if name.possessive)  # "X's second album", "from X's album"
            near = ((name, self.sentence.lower[name.last : name.last + _NEAR]) for name in owned)
            owners = [(name.start, name.end) for name, words in near if not songs.isdisjoint(words)][:1]
            writers = {entry.cue.relation for entry in patterns[cube, "author"]}
            made = [(fact.span.start, fact.span.end) for fact in own if fact.relation in writers]
            for role, makers in (("performer", owners or made), ("composer", made)):
                guesses += [(entry, *span) for entry in patterns[cube, role] for span in makers]
        lying = patterns[cube, "origin" if cube == self.plan.person else "containment"][:1]
        guesses += [(entry, *land) for entry in lying if land is not None]
        for entry, start, end in guesses:
            told = [fact.value for fact in own if fact.relation == entry.cue.relation]
            if not (any(map(country_of, told)) if entry in lying else told):
                sentence = next(each for each in self.state.sentences if start < each.span.end)
                self.state.emit(self.who, entry, start, end, sentence, _GUESSED)

    def _land(self) -> tuple[int, int] | None:
        """The first country or people that is named behind the copula: "King of Vell", "the Vellish Navy"."""
        begin, sentence = self.header.copula, self.sentence
        for at, mention in sorted(sentence.mention_at.items()) if begin >= 0 else ():
            for last in (mention.last, at + 1):
                if at >= begin and country_of(sentence.slice(at, last)):
                    return sentence.starts[at], min(sentence.ends[last - 1], mention.end)
        return None

    def _names(self) -> None:
        """The subject itself, its full name where the text writes it otherwise than the title, nicknames in quotes."""
        who, sentence, (first, last) = self.who, self.sentence, self.header.name
        if who.span is None:
            return
        quoted = sentence.mention_at.get(first)
        while first - 1 in sentence.mention_at or self.word(first - 1) in QUOTES:
            first -= 1
        while last in sentence.mention_at or (self.word(last) in QUOTES and last + 1 in sentence.mention_at):
            last += 1
        first += self.word(first) in QUOTES
        full = sentence.starts[first], sentence.ends[last - 1]
        who.span = full if quoted is not None and quoted.quoted else who.span
        self.state.relate(who, self.plan.named(who.cube, "is"), who.span, sentence, STRUCTURE)
        also = [(each.start, each.end) for each in sentence.named() if each.quoted and first < each.first < last - 1]
        leading, called = sentence.mention_at.get(0), {text.split()[0] for text in group("called")}
        if leading is not None and not called.isdisjoint(sentence.lower[leading.last : first]):  # "X, known as NAME"
            also.append((leading.start, leading.end))
        for start, end in (full, *also):
            self.state.emit(who, self.plan.named(who.cube), start, end, sentence, ALIAS)

    def _life(self, first: int, last: int) -> bool:
        """ "(5 May 1900, Carse – 6 June 1970, Vell)": each side is read like what stands behind "born" or "died"."""
        text, sentence = self.state.text, self.sentence
        start, end = sentence.starts[first], sentence.ends[last - 1]
        dates = list[tuple[int, int]]()
        spans = {*(found.span() for found in _YEAR.finditer(text, start, end)), *date_spans(text, start, end)}
        for one in sorted(spans, key=lambda span: (span[0], -span[1])):
            dates += [one] if not dates or one[1] > dates[-1][1] else []
        several = len(dates) > 1
        marks = list(_BORDER.finditer(text, dates[0][1] if several else start, dates[-1][0])) if dates else []
        placed = self.word(first) == "born" and not self._other_name(first, last)  # "(born Carse, Vell)"
        if not several and not marks and not placed and (not dates or self.word(self.header.copula) != "is"):
            return False
        sentence.date(dates)
        middle = sentence.index(marks[-1].end() if marks else dates[-1][0]) if several or marks else last
        for side, begin, close in (("birth", first, middle), ("death", middle, last)):
            # A side begins at its date behind other names ("Marr Otto, born 1900"), else at its place.
            dated = next((at for at in range(begin, close) if at in sentence.dates), close)
            named = () if self._other_name(begin, dated) else range(begin, dated)
            at = next((at for at in named if at in sentence.mention_at), dated)
            self.follow(self.who, self.plan.forms[side, self.who.cube], at, close)
        return True

    def _other_name(self, begin: int, end: int) -> bool:
        """Whether words of a life give another name: "born Marr Otto, 1900", but not a place: "born Carse, 1900"."""
        mention = self.sentence.mention_at.get(begin + 1) if self.word(begin) == "born" else None
        if mention is None:
            return not _NAMED_FIRST.isdisjoint(self.sentence.lower[begin:end])
        behind, alone = mention.last + (self.word(mention.last) == ","), mention.last - mention.first == 1
        placed = behind > mention.last and behind in self.sentence.mention_at
        return not placed and not (alone and behind in self.sentence.dates)

    def _types(self, segments: list[tuple[int, int]], told: list[tuple[str, tuple[int, int]]]) -> None:
        """The phrase's kind or occupations, nationalities, languages, and the year that stands in it or in brackets.

        A part says what a thing is, and not how it is ("is popular"), with an article, a land or a known noun. For
        persons each part stands on its own, but "film and television actor" is one.
        """
        sentence, plan, start = self.sentence, self.plan, -1
        opening = sentence.lower[self.header.copula + 1 : segments[0][1] if segments else 0]
        sure, person = not _ARTICLES.isdisjoint(opening), self.who.cube == plan.person
        for first, last in segments:
            word, classes = sentence.lower[last - 1], plan.classes(sentence.lower[last - 1])
            if word in group("no_type") or word in plan.relatives:
                continue
            start = sentence.starts[first] if start < 0 else start
            own = plan.person in classes or AGENT.match(word) if person else classes
            if own or (first == segments[-1][0] and (sure or classes)):
                told.append(("type", (start, sentence.ends[last - 1])))
                start = -1
        dated = (sentence.dates.get(first) for first, _ in self.header.brackets[:1])
        told += [("release_date", date[:2]) for date in dated if date is not None]
        for pattern, span in told:
            for entry in plan.patterns[self.who.cube, pattern]:
                self.state.emit(self.who, entry, *span, sentence, STRUCTURE)
