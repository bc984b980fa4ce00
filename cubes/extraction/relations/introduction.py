"""What the introducing sentence tells by its form: what a thing is, its names, its dates, where it lies."""

from __future__ import annotations

from ...core.folding import fold
from ..header import Header
from ..plan import CueEntry
from ..section_state import CUE, STRUCTURE, SectionState
from ..words.lexicon import AGENT, country_of, group, lexicon
from ..words.type_phrase import TypePhrase
from ..words.values import names_after
from .matcher import Matcher

__all__ = ["read_introduction", "read_rest"]

_ARTICLES = frozenset({"a", "an", "the", "one", "another", "any", "his", "her", "its", "their"})
_MARKS = ('"', "“", "”")
_GUESSED = 0.5  # confidence of a land that is only mentioned


def read_introduction(state: SectionState, header: Header, matcher: Matcher) -> None:
    """Emit the subject's names, and everything that the phrase after its copula says."""
    _names(state, header)
    phrase, who = header.phrase, state.subject
    if phrase is not None:
        _types(state, header, phrase)
        frame = state.plan.head(who.cube)
        if frame is not None:
            matcher.follow(who, frame, phrase.end)
        _year(state, header, phrase)


def read_rest(state: SectionState, header: Header) -> None:
    """Guess what no sentence told: an event's date, a person's land, and the maker of a song from its writer."""
    _event_date(state)
    _homeland(state, header)
    _country(state, header)
    made = [entry for pattern in ("performer", "composer") for entry in state.plan.pattern(state.subject.cube, pattern)]
    if header.phrase is not None and not group("of_performer").isdisjoint(header.phrase.heads(header.sentence)):
        for entry in made:
            _as(state, "author", entry)


def _as(state: SectionState, pattern: str, entry: CueEntry, lands: bool = False) -> None:
    """Emit the values of another cue for one that has none of its own, at low confidence."""
    known = {each.cue.relation for each in state.plan.pattern(state.subject.cube, pattern)}
    for fact in list(state.facts.values()) if not state.found(entry.cue.relation) else ():
        told = fact.relation in known and fact.subject == state.subject.label
        if told and (not lands or country_of(fact.value)):
            sentence = next(each for each in state.sentences if each.span == fact.sentence)
            state.emit(state.subject, entry, fact.span.start, fact.span.end, sentence, _GUESSED)


def _names(state: SectionState, header: Header) -> None:
    """The subject itself, its full name where the text writes it otherwise than the title, and "(German: Hingabe)"."""
    who, sentence = state.subject, header.sentence
    if who.span is None:
        return
    full = _full_name(state, header) or who.span
    named = sentence.mention_at.get(header.name[0]) if header.name else None
    who.span = full if named is not None and named.quoted and full[0] <= who.span[0] else who.span
    state.relate(who, state.plan.named(who.cube), "is", who.span, sentence, STRUCTURE)
    sites = group("organisation_words") | group("geographic")  # "Hesk Airport" is no name of Hesk
    ends = fold(state.text[full[0] : full[1]]).split()[-1:]
    if sites.isdisjoint(ends) or set(ends) & set(fold(who.label).split()):
        state.alias(full, sentence)
    for first, last in header.brackets[:2]:
        language = sentence.word(first) in lexicon().people_of or sentence.word(first) in group("languages")
        begin = first + 2 + (sentence.word(first + 2) in _MARKS)
        end = next((at for at in range(begin, last) if sentence.word(at) in (";", ",", *_MARKS)), last)
        if language and sentence.word(first + 1) == ":" and begin < end:
            state.alias((sentence.starts[begin], sentence.ends[end - 1]), sentence)


def _full_name(state: SectionState, header: Header) -> tuple[int, int] | None:
    """The leading name with a nickname in quotes inside it: 'Hiram "Hank" Williams'."""
    sentence, name = header.sentence, header.name or (0, 0)
    span: tuple[int, int] | None = None
    last = 0
    for mention in sentence.named():
        between = sentence.text[span[1] : mention.start].strip(' "“”') if span else mention.first > 2
        if between or mention.possessive:
            break
        if mention.quoted and span is not None:
            state.alias((mention.start, mention.end), sentence)
        span, last = (span[0] if span else mention.start, mention.end), mention.last
    called = {text.split()[0] for text in group("called")} & set(sentence.lower[last : name[0]])
    return span if called or name[0] < last else None


def _types(state: SectionState, header: Header, phrase: TypePhrase) -> None:
    """The copula phrase: kind or occupations, nationalities and languages."""
    sentence = header.sentence
    told = [("origin", span) for span in phrase.nationalities] + [("language", span) for span in phrase.languages]
    told += [("type", span) for span in _type_values(state, header, phrase)]
    if sentence.word(phrase.end) == "from":  # "is a chess grandmaster from Mexico"
        values = names_after(sentence, phrase.end + 1, "place", many=False)
        told += [("origin", (v.start, v.end)) for v in values if country_of(state.text[v.start : v.end])]
    for pattern, span in told:
        for entry in state.plan.pattern(state.subject.cube, pattern):
            state.emit(state.subject, entry, *span, sentence, STRUCTURE)


def _type_values(state: SectionState, header: Header, phrase: TypePhrase) -> list[tuple[int, int]]:
    """The parts that say what a thing is, and not how it is ("is popular"): with an article, a land, a known noun.

    For persons each part stands on its own; all else, and what lacks a head ("film and television actor"), stays whole.
    """
    sentence, plan, found = header.sentence, state.plan, list[tuple[int, int]]()
    opening = sentence.lower[header.copula + 1 : phrase.segments[0][1] if phrase.segments else 0]
    person, start = state.subject.cube == plan.person, -1
    sure = not _ARTICLES.isdisjoint(opening) or phrase.nationalities or phrase.years
    for number, (first, last) in enumerate(phrase.segments):
        last -= sentence.lower[last - 1] in group("directions")
        word, classes = sentence.lower[last - 1], plan.classes(sentence.lower[last - 1])
        if word in group("no_type") or word in plan.relatives or word in lexicon().people_of:
            continue
        start = sentence.starts[first] if start < 0 else start
        agent = person and (plan.person in classes or AGENT.match(word) or word in lexicon().titles)
        if (number == len(phrase.segments) - 1 and (sure or classes)) or agent or (classes and not person):
            found.append((start, sentence.ends[last - 1]))
            start = -1
    return found


def _year(state: SectionState, header: Header, phrase: TypePhrase) -> None:
    """ "is a 1921 film": the year, for a thing whose full date of release the section does not give."""
    bracketed = [first for first, last in header.brackets[:1] if last - first == 1 and first in header.sentence.dates]
    for entry in state.plan.pattern(state.subject.cube, "release_date"):
        for at in (phrase.years or bracketed)[:1]:
            sure = CUE - 0.1 if state.found(entry.cue.relation) else STRUCTURE
            state.emit(state.subject, entry, *header.sentence.dates[at][:2], header.sentence, sure)


def _event_date(state: SectionState) -> None:
    """An event that no phrase dates happened on the first full date of its first sentence."""
    sentence = state.sentences[0]
    full = [date for _, date in sorted(sentence.dates.items()) if date[1] - date[0] > 9]
    for entry in state.plan.pattern(state.subject.cube, "event_date"):
        for date in full[:1] if not state.found(entry.cue.relation) else ():
            state.emit(state.subject, entry, date[0], date[1], sentence, 0.6)


def _country(state: SectionState, header: Header) -> None:
    """The land that the introduction mentions, for a place that none of the places holding it is a country."""
    entries, sentence = state.plan.pattern(state.subject.cube, "containment"), header.sentence
    told = [fact.value for fact in state.facts.values() if fact.relation in {entry.cue.relation for entry in entries}]
    if not entries or header.copula < 0 or any(map(country_of, told)):
        return
    lands = list(header.phrase.nationalities) if header.phrase is not None else []
    for mention in sentence.named():
        if mention.first > header.copula and country_of(sentence.slice(mention.first, mention.last)):
            lands.append((mention.start, mention.end))
    for span in lands[:1]:
        state.emit(state.subject, entries[0], *span, sentence, 0.6)


def _homeland(state: SectionState, header: Header) -> None:
    """A person's land where the introduction gives no nationality: of office ("was King of Vell"), else of birth."""
    who, sentence = state.subject, header.sentence
    entries = state.plan.pattern(who.cube, "origin")
    if who.cube != state.plan.person or not entries or state.found(entries[0].cue.relation):
        return
    for mention in sentence.named():
        held = not group("offices").isdisjoint(sentence.lower[max(0, mention.first - 4) : mention.last])
        land = next(
            (at for at in range(mention.first, mention.last) if country_of(sentence.slice(at, mention.last))), -1
        )
        if sentence.lower[mention.first] in lexicon().people_of or (held and land >= 0):
            end = mention.end if held and land >= 0 else sentence.ends[mention.first]
            state.emit(who, entries[0], sentence.starts[max(land, mention.first)], end, sentence, _GUESSED)
            break
    _as(state, "birth_place", entries[0], lands=True)
