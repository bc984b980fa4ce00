"""The structures that phrases cannot express: what a thing is and when it was made."""

from __future__ import annotations

from ..folding import fold
from .header import Header
from .lexicon import lexicon
from .plan import Entry
from .reading import CUE, STRUCTURE, Reading
from .typephrase import TypePhrase
from .values import names_after
from .words import Sentence

__all__ = ["read_event_date", "read_type", "read_year"]

_ARTICLES = frozenset({"a", "an", "the", "one", "another", "any", "his", "her", "its", "their"})


def read_type(reading: Reading, header: Header | None) -> None:
    """The copula phrase: kind or occupations, nationalities, languages, and the year where it names one."""
    if header is None:
        return
    who, sentence = reading.subject, header.sentence
    for phrase in (header.phrase, header.before):
        if phrase is None:
            continue
        told = phrase is not header.phrase or _tells_kind(reading, header, phrase)
        for entry in reading.plan.pattern(who.cube, "type") if told else ():
            for start, end in _type_values(reading, sentence, phrase, entry):
                reading.emit(who, entry, start, end, sentence, STRUCTURE)
        for entry in reading.plan.pattern(who.cube, "origin"):
            for span in phrase.nationalities:
                reading.emit(who, entry, *span, sentence, STRUCTURE)
        for entry in reading.plan.pattern(who.cube, "language"):
            for span in phrase.languages:
                reading.emit(who, entry, *span, sentence, STRUCTURE)
    _origin_from(reading, header)


def _tells_kind(reading: Reading, header: Header, phrase: TypePhrase) -> bool:
    """Whether the phrase says what a thing is, and not how it is ("is popular", "is home to"): an article, a land, a
    year or a known noun.
    """
    sentence = header.sentence
    if header.copula < 0 or phrase.start <= header.copula or phrase.nationalities or phrase.languages or phrase.years:
        return True
    opening = sentence.lower[header.copula + 1 : phrase.segments[0][1]] if phrase.segments else []
    if sentence.word(header.copula) in ("are", "were") or not _ARTICLES.isdisjoint(opening):
        return True
    return any(fold(head) in reading.plan.nouns or head in lexicon().titles for head in phrase.heads(sentence))


def _type_values(reading: Reading, sentence: Sentence, phrase: TypePhrase, entry: Entry) -> list[tuple[int, int]]:
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
            or fold(word) in reading.plan.nouns
            or word.endswith(("er", "or", "ist", "ian", "man", "ess"))
        )
        if not entry.cue.many and number < len(phrase.segments) - 1 and fold(word) not in reading.plan.nouns:
            closed = False
        if not closed:
            pending = start
            continue
        found.append((start, sentence.ends[last - 1]))
        pending = None
    return found


def _origin_from(reading: Reading, header: Header) -> None:
    """ "is a chess grandmaster from Mexico": a country behind "from" right after the type phrase."""
    phrase, sentence, who = header.phrase, header.sentence, reading.subject
    if phrase is None or sentence.word(phrase.end) not in ("from", "in"):
        return
    if sentence.word(phrase.end) == "in" and who.cube == reading.plan.person:
        return
    for value in names_after(sentence, phrase.end + 1, "place", many=False)[:3]:
        if fold(reading.text[value.start : value.end]) in lexicon().place_of:
            for entry in reading.plan.pattern(who.cube, "origin"):
                reading.emit(who, entry, value.start, value.end, sentence, CUE)


def read_year(reading: Reading, header: Header | None) -> None:
    """ "is a 1921 film": the year, for a thing whose full date of release the section does not give."""
    if header is None or header.phrase is None:
        return
    who, sentence = reading.subject, header.sentence
    years = list(header.phrase.years)
    if not years:
        for first, last in header.brackets[:1]:
            years = [i for i in range(first, last) if i in sentence.dates and last - first == 1]
    for entry in reading.plan.pattern(who.cube, "release_date"):
        for at in years[:1]:
            date = sentence.dates[at]
            reading.emit(
                who,
                entry,
                date[0],
                date[1],
                sentence,
                CUE - 0.1 if reading.found(entry.cue.relation) else STRUCTURE,
            )


def read_event_date(reading: Reading) -> None:
    """An event that no phrase dates happened on the first full date of its first sentence."""
    who = reading.subject
    if not reading.sentences:
        return
    sentence = reading.sentences[0]
    for entry in reading.plan.pattern(who.cube, "event_date"):
        if reading.found(entry.cue.relation):
            continue
        full = [date for _, date in sorted(sentence.dates.items()) if date[1] - date[0] > 9]
        for date in full[:1]:
            reading.emit(who, entry, date[0], date[1], sentence, 0.6)
