"""The structures that phrases cannot express: what a thing is, its other names, where it lies, what it
is based on.
"""

from __future__ import annotations

from ..folding import fold
from .header import Header
from .lexicon import country_of, lexicon
from .plan import Entry
from .reading import CUE, STRUCTURE, Reading
from .typephrase import TypePhrase
from .values import Value, is_verb, names_after, skip_brackets
from .words import Sentence

__all__ = ["read_containment", "read_event_date", "read_maker", "read_type", "read_year"]


def read_type(reading: Reading, header: Header | None) -> None:
    """The copula phrase: kind or occupations, nationalities, languages, and the year where it names one."""
    if header is None:
        return
    who, sentence = reading.subject, header.sentence
    for phrase in (header.phrase, header.before):
        if phrase is None:
            continue
        for entry in reading.plan.pattern(who.cube, "type"):
            for start, end in _type_values(reading, sentence, phrase, entry):
                reading.emit(who, entry, start, end, sentence, STRUCTURE)
        for entry in reading.plan.pattern(who.cube, "origin"):
            for span in phrase.nationalities:
                reading.emit(who, entry, *span, sentence, STRUCTURE)
        for entry in reading.plan.pattern(who.cube, "language"):
            for span in phrase.languages:
                reading.emit(who, entry, *span, sentence, STRUCTURE)
    _origin_from(reading, header)


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
        if (
            last - first == 1 and (word in lexicon().group("no_type") or word.endswith("est"))
        ) or word in lexicon().kin["nouns"]:
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


def read_containment(reading: Reading, header: Header | None) -> None:
    """ "is a village in A, B, Iran": one fact per containing place, nearest first."""
    if header is None or (header.phrase is None and header.copula < 0):
        return
    who, sentence = reading.subject, header.sentence
    entries = reading.plan.pattern(who.cube, "containment")
    if not entries:
        return
    confidence = STRUCTURE
    begin = header.phrase.end if header.phrase is not None else header.copula + 1
    for value in _containing(sentence, begin):
        for entry in entries:
            reading.emit(who, entry, value.start, value.end, sentence, round(confidence, 3))
        confidence = max(0.75, confidence - 0.02)
    _country_of(reading, sentence, header, begin, entries)


def _containing(sentence: Sentence, at: int) -> list[Value]:
    """The places behind the type phrase; descriptions between them are stepped over ("an entity of",
    "state").
    """
    found: list[Value] = []
    outside = False
    limit = min(len(sentence), at + 70)
    while at < limit:
        at = skip_brackets(sentence, at)
        word = sentence.word(at)
        if word in ("in", "of", "at", "within", "from", "on", "near"):
            outside = word in ("on", "near") or (outside and word == "of")
            values = names_after(sentence, at + 1, "place", many=False)
            if not values:
                at += 1
                continue
            if outside:  # "on the island of X, Indonesia": the country still holds it
                found += [value for value in values if country_of(sentence.text[value.start : value.end])]
            else:
                found += [part for value in values for part in _parts(sentence, value)]
            at = values[-1].last
        elif (
            at in sentence.mention_at
            or word in lexicon().group("after_places")
            or (is_verb(sentence, at) and word not in ("located", "situated", "based"))
        ):
            if at not in sentence.mention_at or sentence.word(at - 1) != "or":
                break
            at = sentence.mention_at[at].last
        else:
            at += 1
    return found


def _parts(sentence: Sentence, value: Value) -> list[Value]:
    """ "Central District of Andika County" lies in Andika County, which is a place of its own."""
    for at in range(value.first + 1, value.last - 1):
        if sentence.lower[at] != "of":
            continue
        if country_of(sentence.slice(at + 1, value.last)) or sentence.lower[at - 1] in lexicon().group(
            "administrative"
        ):
            return [value, Value(sentence.starts[at + 1], value.end, at + 1, value.last)]
    return [value]


def _country_of(reading: Reading, sentence: Sentence, header: Header, begin: int, entries: list[Entry]) -> None:
    """A nationality or country elsewhere in the introducing sentence, where no containing place is a
    country.
    """
    known = [
        f
        for f in reading.facts.values()
        if f.relation == entries[0].cue.relation and f.subject == reading.subject.label
    ]
    if any(fold(fact.value) in lexicon().place_of for fact in known):
        return
    spans = list(header.phrase.nationalities) if header.phrase is not None else []
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        if mention.first >= begin:
            whole = Value(mention.start, mention.end, mention.first, mention.last)
            spans += [
                (part.start, part.end)
                for part in _parts(sentence, whole)
                if country_of(reading.text[part.start : part.end])
            ]
    for start, end in spans[:1]:
        for entry in entries:
            reading.emit(reading.subject, entry, start, end, sentence, 0.6)


def read_maker(reading: Reading, header: Header | None) -> None:
    """ "is a song by X", "is a novel by X", "is the third album of the band X"."""
    if header is None or header.phrase is None:
        return
    who, sentence, phrase = reading.subject, header.sentence, header.phrase
    begin, made = _maker_at(reading, sentence, phrase.end)
    if begin is None:
        return
    nouns = set(sentence.lower[phrase.start : phrase.end])
    nouns |= {other for noun in phrase.heads(sentence) for other in lexicon().same_thing.get(noun, ())}
    for pattern in ("performer", "author"):
        for entry in reading.plan.pattern(who.cube, pattern):
            kinds = {p.split()[0] for p in entry.cue.after if len(p.split()) == 2 and p.endswith(" by")}
            if not nouns & kinds or (made and (pattern != "performer" or reading.found(entry.cue.relation))):
                continue
            for value in names_after(sentence, begin + 1, entry.kind, many=entry.cue.many):
                if sentence.word(begin) == "by" or not sentence.mention_at[value.first].quoted:
                    reading.emit(who, entry, value.start, value.end, sentence, 0.5 if made else STRUCTURE)


def _maker_at(reading: Reading, sentence: Sentence, end: int) -> tuple[int | None, bool]:
    """Where "by" stands behind the type phrase, and whether a participle ("written") stands before it.

    "A song written by X", no performer being named, is most likely X's own: read so, at low confidence.
    """
    at, made = end, False
    while at < end + 5 and sentence.word(at) not in ("by", "from", "of", ",", ".", ""):
        if at in sentence.mention_at or is_verb(sentence, at):
            return None, made
        made = made or sentence.word(at).endswith("ed") or bool(reading.plan.participle(sentence.word(at)))
        at += 1
    if sentence.word(at) == "by" or (at == end and sentence.word(at) in ("from", "of")):
        return at, made
    return None, made
