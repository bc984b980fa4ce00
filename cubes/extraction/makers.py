"""Who made a work, as the phrase that says what it is tells: "a song by X", "a 1970 X film", "a novel from X"."""

from __future__ import annotations

from ..folding import fold, split_qualifier
from .header import Header
from .lexicon import country_of, lexicon
from .plan import Entry
from .reading import CUE, STRUCTURE, Reading
from .values import Value, is_verb, kind_of, names_after, skip_brackets
from .words import Mention, Sentence

__all__ = ["read_album_artist", "read_maker", "read_songwriter"]

_SONGS = frozenset({"song", "single", "track", "ballad", "duet", "hymn", "anthem", "carol", "standard", "tune"})
_ALBUM = 0.6  # confidence
_ALBUMS = frozenset({"album", "albums", "ep", "lp", "record", "mixtape"})


def read_maker(reading: Reading, header: Header | None) -> None:
    """ "is a song by X", "is a novel by X", "is the third album of the band X"."""
    if header is None or header.phrase is None:
        return
    who, sentence, phrase = reading.subject, header.sentence, header.phrase
    pattern = _makers(set(phrase.heads(sentence))) or _makers(set(sentence.lower[phrase.start : phrase.end]))
    entries = reading.plan.pattern(who.cube, pattern) if pattern is not None else []
    _inside_phrase(reading, header, entries)
    begin, made = _maker_at(reading, sentence, phrase.end)
    word = sentence.word(begin) if begin is not None else ""
    if begin is None or (word == "of" and pattern != "performer") or (word == "from" and pattern == "author"):
        return
    for entry in entries:
        if made and (pattern != "performer" or reading.found(entry.cue.relation)):
            continue
        for value in names_after(sentence, begin + 1, entry.kind, many=entry.cue.many):
            if word == "by" or not sentence.mention_at[value.first].quoted:
                reading.emit(who, entry, value.start, value.end, sentence, 0.5 if made else STRUCTURE)


def _inside_phrase(reading: Reading, header: Header, entries: list[Entry]) -> None:
    """ "is a 1970 Ada Marr song", "(Ada Marr song)" in the title: the name of a person in front of the noun."""
    phrase, sentence = header.phrase, header.sentence
    qualifier = fold(split_qualifier(reading.subject.label)[1])
    for mention in sentence.mentions if phrase is not None and entries else ():
        text = reading.text[mention.start : mention.end]
        titled = qualifier.startswith(fold(text) + " ") and not country_of(text)
        inside = phrase is not None and phrase.start <= mention.first and mention.last < phrase.end
        if mention.quoted or not (titled or (inside and _personal(reading, sentence, mention, text))):
            continue
        for entry in entries:
            reading.emit(reading.subject, entry, mention.start, mention.end, sentence, CUE if inside else STRUCTURE)
        return


def _personal(reading: Reading, sentence: Sentence, mention: Mention, text: str) -> bool:
    """A given name and a surname that the text uses again, right in front of what the thing is called."""
    value = Value(mention.start, mention.end, mention.first, mention.last)
    parts = text.split()
    return (
        len(parts) in (2, 3)
        and text.replace(" ", "").replace(".", "").isalpha()
        and kind_of(text, sentence, value) in (None, "person")
        and not any(word in lexicon().not_places or word in reading.plan.nouns for word in text.lower().split())
        and _makers({sentence.word(mention.last)}) is not None
        and reading.text.count(parts[-1]) > 1
    )


def read_songwriter(reading: Reading) -> None:
    """A song that somebody wrote, no composer being named, has its music from the writer too: at low confidence."""
    who = reading.subject
    composed = reading.plan.pattern(who.cube, "composer")
    written = reading.plan.pattern(who.cube, "author")
    if not composed or not written or not _SONGS & who.nouns or reading.found(composed[0].cue.relation):
        return
    relation = written[0].cue.relation
    told = [f for f in reading.facts.values() if f.relation == relation and f.subject == who.label]
    for fact in told:
        sentence = next((s for s in reading.sentences if s.span == fact.sentence), reading.sentences[0])
        reading.emit(who, composed[0], fact.span.start, fact.span.end, sentence, 0.5)


def read_album_artist(reading: Reading) -> None:
    """ "first released on Lind's 1973 album": who made the album performs the song, no performer being named."""
    who = reading.subject
    entries = reading.plan.pattern(who.cube, "performer")
    told = [f for f in reading.facts.values() if entries and f.relation == entries[0].cue.relation]
    if not entries or not _SONGS & who.nouns or any(f.confidence > _ALBUM and f.subject == who.label for f in told):
        return
    for sentence in reading.sentences:
        for mention in sentence.mentions:
            behind = sentence.lower[mention.last : mention.last + 6]
            if not mention.possessive or mention.quoted or sentence.word(mention.first - 1) not in ("on", "from"):
                continue
            at = next((i for i, word in enumerate(behind) if word in _ALBUMS), None)
            if at is None or {",", ";", "and", "("} & set(behind[:at]):
                continue
            whole, place = _whole_name(reading, mention, sentence)
            for entry in entries:
                reading.emit(who, entry, whole.start, whole.end, place, _ALBUM)
            return


def _whole_name(reading: Reading, mention: Mention, sentence: Sentence) -> tuple[Mention, Sentence]:
    """The first fuller name in the section that ends like a mention, or the mention itself."""
    text = reading.text[mention.start : mention.end]
    for other in reading.sentences:
        for fuller in sorted(other.mentions, key=lambda m: m.first):
            if not fuller.quoted and reading.text[fuller.start : fuller.end].endswith(f" {text}"):
                return fuller, other
    return mention, sentence


def _makers(nouns: set[str]) -> str | None:
    """Whether a thing of these nouns is "by" its performer, author or director."""
    for pattern in ("performer", "director", "author"):
        if nouns & lexicon().group(f"of_{pattern}"):
            return pattern
    return None


def _maker_at(reading: Reading, sentence: Sentence, end: int) -> tuple[int | None, bool]:
    """Where "by" stands behind the type phrase, and whether a participle ("written") stands before it.

    "A song written by X", no performer being named, is most likely X's own: read so, at low confidence.
    """
    at, made = end, False
    if sentence.word(at) == "from" and at + 1 in sentence.dates:  # "a song from 1982 by X"
        at = skip_brackets(sentence, sentence.dates[at + 1][2])
    while at < end + 5 and sentence.word(at) not in ("by", "from", "of", ",", ".", ""):
        if at in sentence.mention_at or is_verb(sentence, at):
            return None, made
        made = made or sentence.word(at).endswith("ed") or bool(reading.plan.participle(sentence.word(at)))
        at += 1
    if sentence.word(at) == "by" or (at == end and sentence.word(at) in ("from", "of")):
        return at, made
    return None, made
