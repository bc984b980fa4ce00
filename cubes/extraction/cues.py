"""Cue phrases: the value of the right kind behind an ``after`` phrase or in front of a ``before`` phrase."""

from __future__ import annotations

from .clauses import Clauses
from .lexicon import lexicon
from .plan import Entry, Phrase
from .reading import CUE, Reading, Referent
from .values import Value, is_verb, kind_of, name_before, names_after, quantity_after, quantity_before, text_after
from .words import Sentence

__all__ = ["read_by", "read_phrase"]

_NAMED = frozenset({"person", "place", "organization", "work", "event", "name"})
_OBJECTS = frozenset({"it", "the", "this", "its", "him", "her", "them", ";", ".", ",", "and", ""})
_ADVERBS = frozenset({"also", "jointly", "together", "originally", "both", "then", "co", "-", "solely", "entirely", "partly", "mostly", "first", "later"})


def read_phrase(reading: Reading, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[Phrase]) -> None:
    """Read the values of one matched phrase (characters ``start`` to ``end``) for whomever the clause is about."""
    first, last = sentence.index(start), sentence.index(end)
    if first >= len(sentence) or sentence.starts[first] != start:
        return
    mention = sentence.mention_at.get(first)
    if mention is not None and (mention.quoted or mention.known):
        return
    who = _bearer(reading, sentence, clauses, first)
    for phrase in phrases:
        entry = phrase.entry
        if who is None or entry.cube != who.cube:
            continue
        if phrase.after:
            _after(reading, sentence, who, entry, first, last, phrases)
        else:
            _before(reading, sentence, clauses, entry, first, last)


def _bearer(reading: Reading, sentence: Sentence, clauses: Clauses, first: int) -> Referent | None:
    """Whom a phrase is about: the clause's subject, unless a noun or possessive right before it claims it."""
    who = clauses.at(first)
    before = sentence.mention_at.get(first - 1)
    if before is not None and before.possessive or sentence.word(first - 1).endswith(("'s", "’s")):
        return reading.subject if before is not None and reading.is_subject(before) else None
    return None if _reduced(reading, sentence, first) else who


def _reduced(reading: Reading, sentence: Sentence, first: int) -> bool:
    """ "a company based in X": a participle right behind another noun or name describes that, not the subject."""
    word = sentence.lower[first]
    if not (word.endswith("ed") or word in ("written", "built", "held", "shot", "made", "set")) or not first:
        return False
    before = sentence.mention_at.get(first - 1)
    if before is not None:
        return not reading.is_subject(before) and word in ("based", "located", "situated", "headquartered", "founded", "built", "formed", "established", "published", "set", "written")
    word = sentence.lower[first - 1]
    if not word.isalpha() or word in lexicon().breaks or word in lexicon().finite or word in lexicon().prepositions or word.endswith(("ly", "ed", "ing")):
        return False
    if word in _ADVERBS or word in ("and", "or", "is", "was", "been", "being", "be", "later", "now", "once", "himself", "herself", "again", "in", "who", "first", "is", "often", "never", "still", "it", "he", "she", "they", "jointly", "was"):
        return False
    start = sentence.starts[first - 1]
    return not (reading.head_words[0] <= start < reading.head_words[1] or word in reading.subject.nouns or word in lexicon().parts)


def _after(reading: Reading, sentence: Sentence, who: Referent, entry: Entry, first: int, last: int, phrases: list[Phrase]) -> None:
    if _by_noun(reading, sentence, who, first, last):
        return
    for value, confidence in _values_after(reading, sentence, entry, last):
        if entry.kind in _NAMED and _other_kind(sentence, entry, value, phrases):
            continue
        reading.emit(who, entry, value.start, value.end, sentence, confidence)


def _by_noun(reading: Reading, sentence: Sentence, who: Referent, first: int, last: int) -> bool:
    """ "novel by X" credits the novel: it counts for the subject only where the subject is called a novel."""
    if sentence.word(last - 1) not in ("by", "of", "from") or last - first != 2:
        return False
    noun = sentence.word(first)
    if noun not in reading.plan.nouns or not who.main:
        return False
    head = reading.head_words
    if noun in reading.subject.nouns and {"is", "was"}.intersection(sentence.lower[max(0, first - 6) : first]):
        return False
    return not (head[0] <= sentence.starts[first] < head[1] or _credit(sentence, first))


def _credit(sentence: Sentence, first: int) -> bool:
    """ "Story by X" without an article is a credit line."""
    return sentence.word(first - 1) in ("", ",", ";", "with", "and", "the")  and sentence.word(first) in ("story", "music", "songs")


def _values_after(reading: Reading, sentence: Sentence, entry: Entry, at: int) -> list[tuple[Value, float]]:
    """The values of the entry's kind at word ``at`` with their confidence."""
    kind = entry.kind
    if kind in _NAMED:
        at = _past_coordination(sentence, at)
        values = names_after(sentence, at, kind, many=entry.cue.many or kind == "place", stop=reading.is_subject)
        if not entry.cue.many and kind != "place":
            values = values[:1]
        return [(value, max(0.5, CUE - 0.02 * n)) for n, value in enumerate(values)]
    if kind == "date":
        return [(value, CUE) for value in _date_after(sentence, at)]
    if kind == "quantity":
        quantity = quantity_after(sentence, at)
        return [(quantity, CUE)] if quantity and not _is_date(sentence, quantity) else []
    if kind == "text":
        text = text_after(sentence, at)
        return [(text, CUE)] if text and sentence.words[text.first][0].islower() | (at == text.first) else []
    return []


def _past_coordination(sentence: Sentence, at: int) -> int:
    """ "directed by and starring X": the value stands behind the second participle."""
    while sentence.word(at) in ("and", ",", "&") and (sentence.word(at + 1) in ("starring", "featuring", "starred", "stars") or sentence.word(at + 2) == "by"):
        at += 3 if sentence.word(at + 2) == "by" else 2
    return at


def _date_after(sentence: Sentence, at: int) -> list[Value]:
    while sentence.word(at) in ("the", "in", "on", "around", "about", "early", "late", "c.", "c", "circa", "year", "last", "mid", "-", "of", "morning", "night", "its", "spring", "summer", "autumn", "fall", "winter"):
        at += 1
    date = sentence.dates.get(at)
    if date is None or sentence.starts[at] != date[0]:
        return []
    return [Value(date[0], date[1], at, date[2])]


def _is_date(sentence: Sentence, value: Value) -> bool:
    date = sentence.dates.get(value.first)
    return date is not None and date[1] >= value.end and (date[1] - date[0] > 4 or value.end - value.start == 4 and sentence.word(value.last) in ("", ".", ",", "and", "in"))


def _other_kind(sentence: Sentence, entry: Entry, value: Value, phrases: list[Phrase]) -> bool:
    """A phrase that two cues share goes to the one whose kind the name looks like ("released by")."""
    wanted = {phrase.entry.kind for phrase in phrases if phrase.after and phrase.entry.cube == entry.cube}
    guess = kind_of(sentence.text[value.start : value.end], sentence, value)
    if guess is None or guess == entry.kind or entry.kind == "name":
        return False
    if guess in wanted:
        return True
    return entry.kind == "person" and guess == "work" and sentence.mention_at[value.first].quoted


def _before(reading: Reading, sentence: Sentence, clauses: Clauses, entry: Entry, first: int, last: int) -> None:
    """ "VALUE directed it": the object must be the section's subject, or nothing."""
    if sentence.word(last) == "by":
        return
    if entry.kind == "quantity":
        quantity = quantity_before(sentence, first)
        who = clauses.at(first)
        if quantity and who is not None and not _is_date(sentence, quantity):
            reading.emit(who, entry, quantity.start, quantity.end, sentence, CUE)


def read_active(reading: Reading, sentence: Sentence, start: int, end: int, phrases: list[Phrase]) -> None:
    """ "Teodor Lasz wrote the score", "Radek Ossory directed": the value is the clause's own subject."""
    first, last = sentence.index(start), sentence.index(end)
    if first >= len(sentence) or sentence.starts[first] != start or sentence.word(last) == "by" or first in sentence.mention_at:
        return
    who = reading.subject
    entries = [p.entry for p in phrases if not p.after and p.entry.cube == who.cube and p.entry.kind in _NAMED]
    mention = name_before(sentence, first) if entries else None
    if mention is None or not _about_subject(reading, sentence, last, opening=mention.first < 2 or sentence.word(mention.first - 1) in (";", ":")):
        return
    if mention is None or mention.quoted or mention.possessive or reading.is_subject(mention):
        return
    names = _coordinated(sentence, mention)
    for entry in entries:
        for name in names:
            reading.emit(who, entry, name.start, name.end, sentence, CUE - 0.05)


def _coordinated(sentence: Sentence, mention: object) -> list[Value]:
    """The name before the verb and those joined to it by "and"."""
    from .words import Mention

    assert isinstance(mention, Mention)
    names = [Value(mention.start, mention.end, mention.first, mention.last)]
    at = mention.first - 1
    while sentence.word(at) in ("and", ",", "&") and len(names) < 6:
        step = at - 1 if sentence.word(at - 1) != "," else at - 2
        other = sentence.mention_at.get(step)
        if other is None or other.quoted:
            break
        names.append(Value(other.start, other.end, other.first, other.last))
        at = other.first - 1
    return names


def _about_subject(reading: Reading, sentence: Sentence, last: int, *, opening: bool) -> bool:
    """Whether what follows the verb is the section's subject, a part of it, or nothing."""
    word = sentence.word(last)
    if word in ("it", ";", ".", "", "and"):
        return True
    if word in ("from", "as"):
        return opening
    if word in ("the", "this", "its"):
        at = last + 1
        while at < min(last + 5, len(sentence)):
            noun = sentence.word(at)
            if noun in reading.subject.nouns or noun in ("music", "score", "soundtrack", "screenplay", "script", "lyrics", "songs", "story", "libretto", "words"):
                return True
            if noun in ("and", ",") or at in sentence.mention_at:
                break
            at += 1
    mention = sentence.mention_at.get(last) or sentence.mention_at.get(last + 1)
    return mention is not None and reading.is_subject(mention)


def read_by(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "written, directed and produced by X": every participle of the list before "by" takes the values."""
    entries: list[Entry] = []
    index = at - 1
    if index in sentence.mention_at and sentence.word(sentence.mention_at[index].first - 1) == "in":
        index = sentence.mention_at[index].first - 2  # "performed in French by"
    steps = 0
    while index >= 0 and steps < 12:
        word = sentence.lower[index].removeprefix("co-")
        found = reading.plan.participle(word)
        if found:
            entries += found
        elif not (word in (",", "and", "&", "/", "or") or word in _ADVERBS or word.endswith("ly") or (word.endswith("ed") and not entries)):
            break
        elif word.endswith("ed") and index < at - 1 and not entries:
            break
        index, steps = index - 1, steps + 1
    who = clauses.at(at)
    if who is None or not entries:
        return
    for entry in entries:
        if entry.cube != who.cube:
            continue
        same = [Phrase(other, "", True) for other in entries]
        for value, confidence in _values_after(reading, sentence, entry, at + 1):
            if not _other_kind(sentence, entry, value, same):
                reading.emit(who, entry, value.start, value.end, sentence, confidence)
