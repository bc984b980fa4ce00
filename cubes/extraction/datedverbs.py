"""What ends a verb's own clause: the date and the place behind its object and its other adjuncts."""

from __future__ import annotations

from .clauses import Clauses
from .cues import about_subject, bearer
from .lexicon import lexicon
from .plan import Entry
from .reading import CUE, Reading, Referent
from .values import is_verb, names_after
from .words import Sentence

__all__ = ["read_dated_verb"]

_TAKING = frozenset({"took", "take", "takes", "taking", "taken"})


def read_dated_verb(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "released the picture on DATE", "founded it in 1871 in PLACE": what ends the verb's own clause."""
    who = bearer(reading, sentence, clauses, at)
    if (who is None or not who.main) and _object_is_subject(reading, sentence, at + 1):
        who = reading.subject
    word = sentence.lower[at]
    if who is None or at in sentence.mention_at or (word == "place" and sentence.word(at - 1) not in _TAKING):
        return
    _place_of_verb(reading, sentence, who, reading.plan.placed(who.cube, word), at + 1)
    entries = reading.plan.dated(who.cube, word)
    if not entries:
        return
    for index in range(at + 1, min(at + 14, len(sentence))):
        date = sentence.dates.get(index)
        if date is not None:
            if sentence.word(index - 1) in (
                "on",
                "in",
                ",",
                "since",
                "of",
                "during",
                "around",
                "early",
                "late",
            ):
                for entry in entries:
                    reading.emit(who, entry, date[0], date[1], sentence, CUE - 0.05)
            return
        if (
            sentence.lower[index] in (";", ".", "who", "which", "that", "but", "while", "when")
            or is_verb(sentence, index)
            or clauses.at(index) is not clauses.at(at)
        ):
            return


def _place_of_verb(reading: Reading, sentence: Sentence, who: Referent, entries: list[Entry], at: int) -> None:
    """ "formed in 1990 in X", "took place between A and B in X", "founded by Y in X": a place behind other adjuncts."""
    begin, limit = at, min(at + 16, len(sentence))
    while entries and at < limit:
        word = sentence.lower[at]
        ahead = at + 1 + (sentence.word(at + 1) == "the")
        if (
            at > begin
            and word in ("in", "at", "near")
            and ahead in sentence.mention_at
            and at + 1 not in sentence.dates
        ):
            values = names_after(sentence, at + 1, "place", many=False, stop=reading.is_subject)
            classes = reading.plan.nouns.get(sentence.lower[values[0].last - 1]) if values else None
            if classes and not any(reading.plan.holds(cube, "place") for cube in classes):  # "in the Salt War"
                at = values[0].last
                continue
            for number, value in enumerate(values):
                for entry in entries:
                    reading.emit(who, entry, value.start, value.end, sentence, CUE - 0.05 - 0.02 * number)
            return
        if at in sentence.dates:
            at = sentence.dates[at][2]
        elif at in sentence.mention_at and (sentence.word(at - 1) in ("by", "and", ",") or at > begin + 1):
            at = sentence.mention_at[at].last
        elif word in lexicon().group("between_date_and_place"):
            at += 1
        else:
            return


def _object_is_subject(reading: Reading, sentence: Sentence, at: int) -> bool:
    """ "X released the picture", "X founded it": the verb's object is what the section is about."""
    if sentence.word(at) not in ("it", "the", "this"):
        return False
    return about_subject(reading, sentence, at, opening=False)
