"""The structures that phrases cannot express: what a thing is, who made it and when, and which prizes were won."""

from __future__ import annotations

from ...core.folding import fold
from ..header import Header
from ..plan import CueEntry
from ..section_state import CUE, STRUCTURE, SectionState
from ..words.lexicon import country_of, lexicon
from ..words.type_phrase import TypePhrase
from ..words.values import names_after
from ..words.words import Sentence
from .clauses import Clauses

__all__ = ["read_awards", "read_event_date", "read_maker", "read_type", "read_year"]

_ARTICLES = frozenset({"a", "an", "the", "one", "another", "any", "his", "her", "its", "their"})
_CLOSING = frozenset({".", ";", "who", "which", "while", "but", "nominated", "nomination", "nominations", "nominee"})
_REACH = 40  # words from a verb of winning to the last of its prizes


def read_type(state: SectionState, header: Header | None) -> None:
    """The copula phrase: kind or occupations, nationalities, languages, and the year where it names one."""
    phrase = header.phrase if header is not None else None
    if header is None or phrase is None:
        return
    who, sentence = state.subject, header.sentence
    told = _tells_kind(state, header, phrase)
    for entry in state.plan.pattern(who.cube, "type") if told else ():
        for start, end in _type_values(state, sentence, phrase, entry):
            state.emit(who, entry, start, end, sentence, STRUCTURE)
    for pattern, spans in (("origin", phrase.nationalities), ("language", phrase.languages)):
        for entry in state.plan.pattern(who.cube, pattern):
            for span in spans:
                state.emit(who, entry, *span, sentence, STRUCTURE)
    if sentence.word(phrase.end) == "from":  # "is a chess grandmaster from Mexico"
        for value in names_after(sentence, phrase.end + 1, "place", many=False)[:3]:
            for entry in state.plan.pattern(who.cube, "origin"):
                if country_of(sentence.slice(value.first, value.last)):
                    state.emit(who, entry, value.start, value.end, sentence, CUE)


def _tells_kind(state: SectionState, header: Header, phrase: TypePhrase) -> bool:
    """Whether the phrase says what a thing is, and not how it is ("is popular", "is home to"): an article, a land, a
    year or a known noun.
    """
    sentence = header.sentence
    if header.copula < 0 or phrase.start <= header.copula or phrase.nationalities or phrase.languages or phrase.years:
        return True
    opening = sentence.lower[header.copula + 1 : phrase.segments[0][1]] if phrase.segments else []
    if sentence.word(header.copula) in ("are", "were") or not _ARTICLES.isdisjoint(opening):
        return True
    return any(fold(head) in state.plan.nouns or head in lexicon().titles for head in phrase.heads(sentence))


def _type_values(state: SectionState, sentence: Sentence, phrase: TypePhrase, entry: CueEntry) -> list[tuple[int, int]]:
    """Each part on its own for persons; "film and television actor" and all else stay whole where a head
    is missing.
    """
    found: list[tuple[int, int]] = []
    pending: int | None = None
    for number, (first, last) in enumerate(phrase.segments):
        start = sentence.starts[first] if pending is None else pending
        word = sentence.lower[last - 1]
        while last - first > 1 and (
            word in lexicon().group("directions") or word[0].isdigit() or sentence.word(last - 2)[:1].isdigit()
        ):
            last -= 1
            word = sentence.lower[last - 1]
        alone = last - first == 1 and word.endswith("est")
        if alone or word in lexicon().group("no_type") or word in lexicon().kin["nouns"]:
            continue
        closed = (
            number == len(phrase.segments) - 1
            or not entry.cue.many
            or fold(word) in state.plan.nouns
            or word.endswith(("er", "or", "ist", "ian", "man", "ess"))
        )
        if not entry.cue.many and number < len(phrase.segments) - 1 and fold(word) not in state.plan.nouns:
            closed = False
        if not closed:
            pending = start
            continue
        found.append((start, sentence.ends[last - 1]))
        pending = None
    return found


def read_year(state: SectionState, header: Header | None) -> None:
    """ "is a 1921 film": the year, for a thing whose full date of release the section does not give."""
    if header is None or header.phrase is None:
        return
    who, sentence = state.subject, header.sentence
    years = list(header.phrase.years)
    if not years:
        for first, last in header.brackets[:1]:
            years = [i for i in range(first, last) if i in sentence.dates and last - first == 1]
    for entry in state.plan.pattern(who.cube, "release_date"):
        for at in years[:1]:
            date = sentence.dates[at]
            state.emit(
                who,
                entry,
                date[0],
                date[1],
                sentence,
                CUE - 0.1 if state.found(entry.cue.relation) else STRUCTURE,
            )


def read_maker(state: SectionState, header: Header) -> None:
    """ "is a song by X", "is a novel by X", "is the third album of the band X"; and what a song's writer also made."""
    phrase, sentence, who = header.phrase, header.sentence, state.subject
    if phrase is None:
        return
    at = phrase.end
    while at < phrase.end + 4 and sentence.word(phrase.end) == "in" and sentence.word(at) != "by":
        at += 1  # "a comedy in three acts by X"
    told = sentence.word(at)
    pattern = _maker(set(phrase.heads(sentence))) or _maker(set(sentence.lower[phrase.start : phrase.end]))
    entries = state.plan.pattern(who.cube, pattern) if pattern is not None else []
    allowed = {"by", "from", "of"} if pattern == "performer" else {"by", "from"} if pattern == "director" else {"by"}
    for entry in entries if told in allowed else ():
        for value in names_after(sentence, at + 1, entry.kind, many=entry.cue.many):
            if told == "by" or not sentence.mention_at[value.first].quoted:
                state.emit(who, entry, value.start, value.end, sentence, STRUCTURE)
    if pattern == "performer":
        for entry in (*entries, *state.plan.pattern(who.cube, "composer")):
            _as_writer(state, entry)


def _as_writer(state: SectionState, entry: CueEntry) -> None:
    """Who wrote a song also made what nobody else is named for, as it seems: at low confidence."""
    who, written = (
        state.subject,
        {entry.cue.relation for entry in state.plan.pattern(state.subject.cube, "author")},
    )
    told = [f for f in state.facts.values() if f.relation in written and f.subject == who.label]
    for fact in told if not state.found(entry.cue.relation) else ():
        sentence = next(s for s in state.sentences if s.span == fact.sentence)
        state.emit(who, entry, fact.span.start, fact.span.end, sentence, 0.5)


def _maker(nouns: set[str]) -> str | None:
    """Whether a thing of these nouns is "by" its performer, author or director."""
    patterns = ("performer", "director", "author")
    return next((pattern for pattern in patterns if nouns & lexicon().group(f"of_{pattern}")), None)


def read_awards(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    """Names of prizes behind a verb of winning: "won 6 X Awards and the Y Medal"."""
    winning, prizes = lexicon().group("winning"), lexicon().group("prizes")
    if winning.isdisjoint(sentence.lower):
        return
    for mention in sentence.mentions:
        words = sentence.lower[mention.first : mention.last]
        if sentence.word(mention.last).startswith("nomin") or not any(w.removesuffix("s") in prizes for w in words):
            continue
        begin = max(-1, mention.first - _REACH)
        told = (at for at in range(mention.first - 1, begin, -1) if at not in sentence.mention_at)
        verb = next((at for at in told if sentence.lower[at] in _CLOSING or sentence.lower[at] in winning), -1)
        who = clauses.at(verb) if verb >= 0 and sentence.lower[verb] not in _CLOSING else None
        if who is None:
            continue
        for entry in state.plan.pattern(who.cube, "award"):
            state.emit(who, entry, mention.start, mention.end, sentence, CUE)


def read_event_date(state: SectionState) -> None:
    """An event that no phrase dates happened on the first full date of its first sentence."""
    sentence = state.sentences[0]
    full = [date for _, date in sorted(sentence.dates.items()) if date[1] - date[0] > 9]
    for entry in state.plan.pattern(state.subject.cube, "event_date"):
        for date in full[:1] if not state.found(entry.cue.relation) else ():
            state.emit(state.subject, entry, date[0], date[1], sentence, 0.6)
