"""What the introducing sentence tells by its form: names and a life, what its subject is, and what one may guess."""

from __future__ import annotations

import re

from ...core.dates import date_spans
from ..subject import ALIAS, STRUCTURE, Header, SectionState
from ..words.lexicon import AGENT, country_of, group, lexicon
from ..words.values import QUOTES, TypePhrase
from ..words.words import Sentence
from .matcher import Matcher

__all__ = ["read_guesses", "read_introduction"]

_ARTICLES = frozenset({"a", "an", "the", "one", "another", "any", "his", "her", "its", "their"})
_NAMED_FIRST = frozenset({";", ":", "born", "née", "nee"})
"""Behind what another name of the person stands and no place."""
_GUESSED = 0.5  # confidence of what is only mentioned
_BORDER = re.compile(r"[–—-]|\b(?:to|until)\b|(?=\b(?:died|d\.|killed|executed|assassinated)(?!\w))")
_YEAR = re.compile(r"(?<![\w$,.])\d{3,4}(?:\s?/\s?\d{1,4})?(?!\w|,\d{3})")  # any such number in brackets behind a name


def read_introduction(state: SectionState, matcher: Matcher) -> None:
    """Emit the subject's names, its life, and everything that the phrase after its copula says."""
    header = state.header
    _names(state, header)
    any(_life(state, header, matcher, first, last) for first, last in header.brackets if first < last)
    if header.phrase is not None:
        _types(state, header, header.phrase)
        matcher.follow(state.subject, state.plan.forms["is", state.subject.cube], header.phrase.end)


def read_guesses(state: SectionState) -> None:
    """Guess what no sentence told: an event's date, a land, and the maker of a song from its writer."""
    plan, who, land = state.plan, state.subject, _land(state.header)
    own = [fact for fact in state.facts.values() if fact.subject == who.label]
    full = [date[:2] for _, date in sorted(state.header.sentence.dates.items()) if date[1] - date[0] > 9]
    guesses = [(entry, *date) for date in full[:1] for entry in plan.pattern(who.cube, "event_date")]
    if not group("of_performer").isdisjoint(who.nouns):
        writers = {entry.cue.relation for entry in plan.pattern(who.cube, "author")}
        makers = [(fact.span.start, fact.span.end) for fact in own if fact.relation in writers]
        performers = [*plan.pattern(who.cube, "performer"), *plan.pattern(who.cube, "composer")]
        guesses += [(entry, *maker) for entry in performers for maker in makers]
    lying = plan.pattern(who.cube, "origin" if who.cube == plan.person else "containment")[:1]
    guesses += [(entry, *land) for entry in lying if land is not None]
    for entry, start, end in guesses:
        told = [fact.value for fact in own if fact.relation == entry.cue.relation]
        if not (any(map(country_of, told)) if entry in lying else told):
            sentence = next(each for each in state.sentences if start < each.span.end)
            state.emit(who, entry, start, end, sentence, _GUESSED)


def _land(header: Header) -> tuple[int, int] | None:
    """The first country or people that is named behind the copula: "King of Vell", "the Vellish Navy"."""
    sentence = header.sentence
    for mention in sentence.named() if header.copula >= 0 else ():
        for at in range(max(mention.first, header.copula), mention.last):
            whole = at == mention.first or sentence.word(at - 1) == "of"
            if whole and country_of(sentence.slice(at, mention.last)):
                return sentence.starts[at], mention.end
            if sentence.lower[at] in lexicon().people_of:
                return sentence.starts[at], sentence.ends[at]
    return None


def _names(state: SectionState, header: Header) -> None:
    """The subject itself, its full name where the text writes it otherwise than the title, nicknames in quotes."""
    who, sentence, name = state.subject, header.sentence, header.name
    if who.span is None or name is None:
        return
    first, last = name  # 'Hiram "Hank" Williams' of "Hank Williams"
    while first > 0 and (first - 1 in sentence.mention_at or sentence.word(first - 1) in QUOTES):
        first -= 1
    while last in sentence.mention_at or (sentence.word(last) in QUOTES and last + 1 in sentence.mention_at):
        last += 1
    first += sentence.word(first) in QUOTES
    full, quoted = (sentence.starts[first], sentence.ends[last - 1]), sentence.mention_at.get(name[0])
    who.span = full if quoted is not None and quoted.quoted else who.span
    state.relate(who, state.plan.named(who.cube, "is"), who.span, sentence, STRUCTURE)
    also = [(each.start, each.end) for each in sentence.named() if each.quoted and first < each.first < last - 1]
    also += [full] if sentence.word(last - 1) not in group("organisation_words") else []  # "Hesk Airport" is not Hesk
    leading, called = sentence.mention_at.get(0), {text.split()[0] for text in group("called")}
    if leading is not None and not called.isdisjoint(sentence.lower[leading.last : first]):  # "X, known as NAME"
        also.append((leading.start, leading.end))
    for start, end in also:
        state.emit(who, state.plan.named(who.cube), start, end, sentence, ALIAS)


def _life(state: SectionState, header: Header, matcher: Matcher, first: int, last: int) -> bool:
    """ "(5 May 1900, Carse – 6 June 1970, Vell)": each side is read like what stands behind "born" or "died"."""
    text, sentence = state.text, header.sentence
    start, end = sentence.starts[first], sentence.ends[last - 1]
    dates = list[tuple[int, int]]()
    spans = {*(found.span() for found in _YEAR.finditer(text, start, end)), *date_spans(text, start, end)}
    for one in sorted(spans, key=lambda span: (span[0], -span[1])):
        dates += [one] if not dates or one[1] > dates[-1][1] else []
    several = len(dates) > 1
    marks = list(_BORDER.finditer(text, dates[0][1] if several else start, dates[-1][0])) if dates else []
    if not several and not marks and (not dates or sentence.word(header.copula) != "is"):
        return False
    sentence.date(dates)
    middle = sentence.index(marks[-1].end() if marks else dates[-1][0]) if several or marks else last
    for side, begin, close in (("birth", first, middle), ("death", middle, last)):
        form = state.plan.forms[side, state.subject.cube]
        matcher.follow(state.subject, form, _behind_names(sentence, begin, close), close)
    return True


def _behind_names(sentence: Sentence, begin: int, end: int) -> int:
    """Where a side of a life begins: at its date behind other names ("Marr Otto, born 1900"), else at its place."""
    dated = next((at for at in range(begin, end) if at in sentence.dates), end)
    named = () if _NAMED_FIRST.intersection(sentence.lower[begin:dated]) else range(begin, dated)
    return next((at for at in named if at in sentence.mention_at), dated)


def _types(state: SectionState, header: Header, phrase: TypePhrase) -> None:
    """The phrase's kind or occupations, nationalities, languages, and the year that stands in it or in brackets.

    A part says what a thing is, and not how it is ("is popular"), with an article, a land or a known noun. For persons
    each part stands on its own, but "film and television actor" is one.
    """
    sentence, plan, told = header.sentence, state.plan, list(phrase.told)
    opening = sentence.lower[header.copula + 1 : phrase.segments[0][1] if phrase.segments else 0]
    sure = not _ARTICLES.isdisjoint(opening) or bool(phrase.told)
    person, start = state.subject.cube == plan.person, -1
    for first, last in phrase.segments:
        word, classes = sentence.lower[last - 1], plan.classes(sentence.lower[last - 1])
        if word in group("no_type") or word in plan.relatives or word in lexicon().people_of:
            continue
        start = sentence.starts[first] if start < 0 else start
        agent = person and (plan.person in classes or AGENT.match(word) or word in group("titles"))
        if (first == phrase.segments[-1][0] and (sure or classes)) or agent or (classes and not person):
            told.append(("type", (start, sentence.ends[last - 1])))
            start = -1
    bracketed = [first for first, last in header.brackets[:1] if last - first == 1 and first in sentence.dates]
    told += [("release_date", sentence.dates[first][:2]) for first in bracketed]
    for pattern, span in told:
        for entry in plan.pattern(state.subject.cube, pattern):
            state.emit(state.subject, entry, *span, sentence, STRUCTURE)
