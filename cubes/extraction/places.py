"""Where a place lies and where a person comes from: the places that contain it, and the land they belong to."""

from __future__ import annotations

from ..folding import fold
from .header import Header
from .lexicon import country_of, lexicon
from .plan import Entry
from .reading import STRUCTURE, Reading
from .values import Value, is_verb, names_after, skip_brackets
from .words import Sentence

__all__ = ["read_containment", "read_homeland"]


def read_containment(reading: Reading, header: Header | None) -> None:
    """ "is a village in A, B, Iran": one fact per containing place, nearest first."""
    if header is None:
        return
    who, sentence = reading.subject, header.sentence
    entries = reading.plan.pattern(who.cube, "containment")
    behind = skip_brackets(sentence, header.name[1]) if header.name is not None else -1
    ahead = behind if sentence.word(behind) == "in" else None
    if not entries or (ahead is None and header.phrase is None and header.copula < 0):
        return
    confidence = STRUCTURE
    begin = header.phrase.end if header.phrase is not None else header.copula + 1
    before = names_after(sentence, ahead + 1, "place", many=False) if ahead is not None else []
    told = header.phrase is not None or header.copula >= 0
    for value in [*before, *(_containing(sentence, begin) if told else [])]:
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
            inside = values[1:] if outside else values  # "on the river X, Indonesia": what is behind the river holds it
            found += [part for value in inside for part in _parts(sentence, value)]
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
        inner = at + 1 + (sentence.lower[at + 1] == "the")
        if country_of(sentence.slice(inner, value.last)) or sentence.lower[at - 1] in lexicon().group("administrative"):
            rest = Value(sentence.starts[inner], value.end, inner, value.last)
            whole = value if at + 1 == inner else Value(value.start, sentence.ends[at - 1], value.first, at)
            return [whole, *_parts(sentence, rest)]
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


def read_homeland(reading: Reading, header: Header) -> None:
    """ "a former wrestler from X": where a person comes from; and the land that the introduction tells of a person
    whose nationality it does not give ("was King of Vell", "Otmar, Prince of Carse").
    """
    who = reading.subject
    if who.cube != reading.plan.person:
        return
    entries = reading.plan.pattern(who.cube, "origin")
    if not entries or reading.found(entries[0].cue.relation):
        return
    if header.copula < 0 or not _introduced_land(reading, header, entries):
        _born_country(reading, entries)


def _introduced_land(reading: Reading, header: Header, entries: list[Entry]) -> bool:
    who, sentence = reading.subject, header.sentence
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        bracketed = any(first <= mention.first < last for first, last in header.brackets)  # "(Chinese: ...)"
        if mention.quoted or bracketed:
            continue
        for first in range(mention.first, mention.last):
            span = _land(sentence, first, mention.last)
            named = mention.first < header.copula and "of" in sentence.lower[max(0, first - 2) : first]
            if span is not None and (named or _tells_land(sentence, mention.first, first)):
                for entry in entries:
                    reading.emit(who, entry, *span, sentence, 0.5)
                return True
    return False


def _born_country(reading: Reading, entries: list[Entry]) -> None:
    """Who is told to be born in a country, and no more, most likely belongs to it."""
    who = reading.subject
    births = {entry.cue.relation for entry in reading.plan.pattern(who.cube, "birth_place")}
    for fact in [f for f in reading.facts.values() if f.relation in births and f.subject == who.label]:
        if country_of(fact.value):
            sentence = next((s for s in reading.sentences if s.span == fact.sentence), reading.sentences[0])
            for entry in entries:
                reading.emit(who, entry, fact.span.start, fact.span.end, sentence, 0.45)
            return


def _land(sentence: Sentence, first: int, last: int) -> tuple[int, int] | None:
    """A country's name that ends the mention ("King of Vell"), or the demonym it begins with."""
    if sentence.word(last) in lexicon().group("states"):  # "the Vell dynasty"
        return sentence.starts[first], sentence.ends[last]
    if country_of(sentence.slice(first, last)):
        return sentence.starts[first], sentence.ends[last - 1]
    if sentence.lower[first] in lexicon().people_of:
        return sentence.starts[first], sentence.ends[first]
    return None


def _tells_land(sentence: Sentence, begin: int, first: int) -> bool:
    """A land behind a title or office, not one that somebody travelled to."""
    before = sentence.lower[max(0, first - 4) : first]
    told = lexicon().titles | lexicon().group("offices") | lexicon().group("posts")
    return bool(told.intersection(before)) or (sentence.lower[first] in lexicon().people_of and first == begin)
