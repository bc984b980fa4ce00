"""Cue phrases: the value of the right kind behind an ``after`` phrase or in front of a ``before`` phrase."""

from __future__ import annotations

from dataclasses import replace

from .clauses import Clauses
from .lexicon import lexicon
from .measures import quantity_after, quantity_before, text_after
from .plan import Entry, Phrase
from .reading import CUE, Reading, Referent
from .values import Value, is_verb, kind_of, name_before, names_after
from .words import Mention, Sentence

__all__ = ["bearer", "read_active", "read_by", "read_dated", "read_phrase", "read_roles"]

_NAMED = frozenset({"person", "place", "organization", "work", "event", "name"})


def read_phrase(
    reading: Reading, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[Phrase]
) -> None:
    """Read the values of one matched phrase (characters ``start`` to ``end``) for whomever the clause is
    about.
    """
    first, last = sentence.index(start), sentence.index(end)
    if first >= len(sentence) or sentence.starts[first] != start:
        return
    mention = sentence.mention_at.get(first)
    if mention is not None and (mention.quoted or mention.known):
        return
    who = bearer(reading, sentence, clauses, first)
    for phrase in phrases:
        entry = phrase.entry
        if who is None or entry.cube != who.cube:
            continue
        behind_head = reading.head_words[0] <= sentence.starts[max(0, first - 1)] < reading.head_words[1]
        if phrase.text in lexicon().prepositions and not behind_head:
            continue  # a bare preposition is a cue only behind what the subject is ("a band from X")
        if phrase.after:
            _after(reading, sentence, who, entry, last, phrases)
        else:
            _before(reading, sentence, clauses, entry, first, last)


def bearer(reading: Reading, sentence: Sentence, clauses: Clauses, first: int) -> Referent | None:
    """Whom a phrase is about: the clause's subject, unless a noun or possessive right before it claims it."""
    who = clauses.at(first)
    before = sentence.mention_at.get(first - 1)
    if (before is not None and before.possessive) or sentence.word(first - 1).endswith(("'s", "’s")):
        return reading.subject if before is not None and reading.is_subject(before) else None
    return _apposed(reading, sentence, first) if _reduced(reading, sentence, first) else who


def _apposed(reading: Reading, sentence: Sentence, first: int) -> Referent | None:
    """ "Gannet House Pictures, a studio founded in 1928": the participle describes the name before the comma."""
    at = next((i for i in range(first - 1, max(first - 5, 0), -1) if sentence.lower[i] in ("a", "an", "the")), 0)
    named = sentence.mention_at.get(at - 2) if sentence.word(at - 1) == "," else None
    classes = reading.plan.nouns.get(sentence.word(first - 1))
    if named is None or named.quoted or not classes:
        return None
    return reading.subject if reading.is_subject(named) else replace(reading.referent(named), cube=classes[0])


def _reduced(reading: Reading, sentence: Sentence, first: int) -> bool:
    """ "a company based in X": a participle right behind another noun or name describes that, not the
    subject.
    """
    word = sentence.lower[first]
    if not (word.endswith("ed") or word in ("written", "built", "held", "shot", "made", "set")) or not first:
        return False
    before = sentence.mention_at.get(first - 1)
    if before is not None:
        return not reading.is_subject(before) and word in lexicon().group("reducible")
    word = sentence.lower[first - 1]
    if (
        not word.isalpha()
        or word in lexicon().breaks
        or word in lexicon().finite
        or word in lexicon().prepositions
        or word.endswith(("ly", "ed", "ing"))
    ):
        return False
    if word in lexicon().group("between_participles") or word in lexicon().group("before_plain_participle"):
        return False
    start = sentence.starts[first - 1]
    return not (
        reading.head_words[0] <= start < reading.head_words[1]
        or word in reading.subject.nouns
        or word in lexicon().parts
    )


def _after(
    reading: Reading,
    sentence: Sentence,
    who: Referent,
    entry: Entry,
    last: int,
    phrases: list[Phrase],
) -> None:
    for value, confidence in _values_after(reading, sentence, entry, last):
        if entry.kind in _NAMED and _other_kind(sentence, entry, value, phrases):
            continue
        reading.emit(who, entry, value.start, value.end, sentence, confidence)


def _values_after(reading: Reading, sentence: Sentence, entry: Entry, at: int) -> list[tuple[Value, float]]:
    """The values of the entry's kind at word ``at`` with their confidence."""
    kind = entry.kind
    if kind in _NAMED:
        at = (
            _past_date(sentence, _past_coordination(sentence, at))
            if kind == "organization"
            else _past_coordination(sentence, at)
        )
        values = names_after(sentence, at, kind, many=entry.cue.many or kind == "place", stop=reading.is_subject)
        if not entry.cue.many and kind != "place":
            values = values[:1]
        return [(value, max(0.5, CUE - 0.02 * n)) for n, value in enumerate(values)]
    if kind == "date":
        return [(value, CUE) for value in _date_after(sentence, at)]
    if kind == "quantity":
        quantity = quantity_after(sentence, at)
        return [(quantity, CUE)] if quantity and quantity.first not in sentence.dates else []
    if kind == "text":
        text = text_after(sentence, at)
        return [(text, CUE)] if text and sentence.words[text.first][0].islower() | (at == text.first) else []
    return []


def _past_date(sentence: Sentence, at: int) -> int:
    """ "aired on 15 May on the X Network": the name stands behind the date."""
    date = sentence.dates.get(at + (sentence.word(at) in lexicon().group("calendar")))
    if date is None or sentence.word(date[2]) not in ("on", "by", "at"):
        return at
    return date[2] + 1


def _past_coordination(sentence: Sentence, at: int) -> int:
    """ "directed by, written by, and starring X": the value stands behind the last participle."""
    while sentence.word(at) in ("and", ",", "&"):
        step = at + 1
        while sentence.word(step) in ("and", "&"):
            step += 1
        if sentence.word(step) in ("starring", "featuring", "starred", "stars"):
            return step + 1
        behind = next((step + n for n in (2, 3) if sentence.word(step + n - 1) == "by"), None)
        if behind is None or step in sentence.mention_at:
            return at
        at = behind
    return at


def _date_after(sentence: Sentence, at: int) -> list[Value]:
    while sentence.word(at) in lexicon().group("before_date"):
        at += 1
    if at in sentence.mention_at and at not in sentence.dates:
        at = sentence.mention_at[at].last
        while sentence.word(at) == "," and at + 1 in sentence.mention_at:
            at = sentence.mention_at[at + 1].last
        at += sentence.word(at) in ("on", "in", ",")
    date = sentence.dates.get(at)
    if date is None or sentence.starts[at] != date[0]:
        return []
    return [Value(date[0], date[1], at, date[2])]


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
        if quantity and who is not None and quantity.first not in sentence.dates:
            reading.emit(who, entry, quantity.start, quantity.end, sentence, CUE)


def read_active(
    reading: Reading, sentence: Sentence, clauses: Clauses, start: int, end: int, phrases: list[Phrase]
) -> None:
    """ "Teodor Lasz wrote the score", "Radek Ossory directed": the value is the clause's own subject."""
    first, last = sentence.index(start), sentence.index(end)
    if (
        first >= len(sentence)
        or sentence.starts[first] != start
        or sentence.word(last) == "by"
        or first in sentence.mention_at
    ):
        return
    who = reading.subject
    entries = [p.entry for p in phrases if not p.after and p.entry.cube == who.cube and p.entry.kind in _NAMED]
    if any(low <= first < high and zone is None for low, high, zone in clauses.zones):
        return
    nearest = name_before(sentence, first) if entries else None
    if nearest is None or not entries:
        return
    mention = _acting(sentence, nearest)
    if sentence.word(last - 1) in lexicon().parts:
        clauses.zones.append((first, last, None))
    elif not reading.plan.pattern(who.cube, "event_date"):
        opening = mention.first < 2 or sentence.word(mention.first - 1) in (";", ":", ",")
        if not about_subject(reading, sentence, last, opening=opening):
            return
    if mention.quoted or mention.possessive or reading.is_subject(mention):
        return
    names = _coordinated(sentence, mention)
    for entry in entries:
        for name in names:
            reading.emit(who, entry, name.start, name.end, sentence, CUE - 0.05)


def _acting(sentence: Sentence, mention: Mention) -> Mention:
    """ "Sabine Okterran of the Civic Union defeated": the name before the "of" is the one that acts."""
    at = mention.first - 1
    at -= sentence.word(at) == "the"
    other = sentence.mention_at.get(at - 1) if sentence.word(at) == "of" else None
    return other if other is not None and not other.quoted else mention


def _coordinated(sentence: Sentence, mention: Mention) -> list[Value]:
    """The name before the verb and those joined to it by "and"."""
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


def _before_adjuncts(sentence: Sentence, index: int) -> int:
    """Step back over "in French", "in 1926", "at Paris" between a participle and its "by"."""
    for _ in range(3):
        if index in sentence.mention_at:
            first = sentence.mention_at[index].first
        elif index in sentence.dates:
            first = sentence.index(sentence.dates[index][0])
        else:
            break
        if sentence.word(first - 1) not in ("in", "on", "at", "around", "about"):
            break
        index = first - 2
    return index


def about_subject(reading: Reading, sentence: Sentence, last: int, *, opening: bool) -> bool:
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
            if noun in reading.subject.nouns or noun in lexicon().group("credited_parts"):
                return True
            if noun in ("and", ",") or at in sentence.mention_at:
                break
            at += 1
    mention = sentence.mention_at.get(last) or sentence.mention_at.get(last + 1)
    return mention is not None and reading.is_subject(mention)


def read_by(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "written, directed and produced by X": every participle of the list before "by" takes the values."""
    entries: list[Entry] = []
    index = _before_adjuncts(sentence, at - 1)
    steps = 0
    while index >= 0 and steps < 12:
        word = sentence.lower[index].removeprefix("co-")
        found = reading.plan.participle(word)
        if word == ")":  # "directed (and co-scripted) by X"
            index = max((i for i in range(index) if sentence.lower[i] == "("), default=0) - 1
            continue
        if found:
            entries += found
        elif not (
            word in (",", "and", "&", "/", "or")
            or word in lexicon().group("between_participles")
            or word.endswith("ly")
            or (word.endswith("ed") and (not entries or sentence.word(index + 1) in ("and", ",", "&")))
        ) or (word.endswith("ed") and index < at - 1 and not entries):
            break
        index, steps = index - 1, steps + 1
    who = clauses.at(at)
    if who is None or not entries:
        return
    starring = sentence.lower[at] != "by"
    for entry in entries:
        if entry.cube != who.cube:
            continue
        same = [Phrase(other, "", True) for other in entries]
        values = _values_after(reading, sentence, entry, at + 1)
        for value, confidence in values[:1] if starring else values:  # "written, directed and starring X, with Y"
            if not _other_kind(sentence, entry, value, same):
                reading.emit(who, entry, value.start, value.end, sentence, confidence)


def read_dated(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "released the picture on DATE", "founded by A and B in 1871": the date that ends the verb's own clause."""
    who, word = bearer(reading, sentence, clauses, at), sentence.lower[at]
    if (who is None or not who.main) and about_subject(reading, sentence, at + 1, opening=False):
        who = reading.subject
    entries = reading.plan.dated.get((who.cube, word), []) if who is not None else []
    for index in range(at + 1, min(at + 14, len(sentence))) if entries else ():
        date = sentence.dates.get(index)
        if date is not None and sentence.word(index - 1) in lexicon().group("before_clause_date") and who is not None:
            for entry in entries:
                reading.emit(who, entry, date[0], date[1], sentence, CUE - 0.05)
        ends = sentence.lower[index] in lexicon().group("after_clause") or is_verb(sentence, index)
        if date is not None or ends or clauses.at(index) is not clauses.at(at):
            return


def read_roles(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """ "its director, X", "the film's composer was X": the role noun names the relation."""
    for at in range(1, len(sentence)):
        before, noun = sentence.lower[at - 1], sentence.lower[at]
        who = reading.subject
        if before in ("its", "their"):
            who = clauses.at(at - 1) or who
        elif not before.endswith(("'s", "’s")) or not (before[:-2] in who.nouns or _names(reading, sentence, at - 1)):
            continue
        index = at + 1
        while sentence.word(index) in (",", "is", "was", "the", ":"):
            index += 1
        for entry in reading.plan.roles.get((who.cube, noun), ()) if who.cube != reading.plan.person else ():
            for value in names_after(sentence, index, entry.kind, many=False)[:1]:
                if value.first - index <= 3:
                    reading.emit(who, entry, value.start, value.end, sentence, CUE - 0.05)


def _names(reading: Reading, sentence: Sentence, at: int) -> bool:
    mention = sentence.mention_at.get(at)
    return mention is not None and reading.is_subject(mention)
