"""Who plays whom: "Captain Ulf Marn (Ted Hurn)", "Ada Lind as Captain Marn", "the captain, played by Ada Lind"."""

from __future__ import annotations

from .lexicon import lexicon
from .reading import CUE, Reading, Referent, name_words
from .values import Value, kind_of
from .words import Mention, Sentence

__all__ = ["read_portrayals"]

_CAST = frozenset(
    {"starring", "starred", "stars", "features", "featuring", "played", "plays", "portrayed", "cast", "voiced"}
)


def read_portrayals(reading: Reading, sentence: Sentence) -> None:
    """Emit actor and character of a work with a cast; both must be names of persons."""
    person = reading.plan.person
    entries = reading.plan.pattern(person, "portrayal") if person else []
    cast = reading.plan.pattern(reading.subject.cube, "cast")
    if not entries or not cast or not person:
        return
    for mention in list(sentence.mentions):
        pair = _with_role(sentence, mention)
        if pair is None or not _person(reading, sentence, pair[0]) or pair[1].quoted or reading.is_subject(pair[1]):
            continue
        actor, role = pair
        who = _referent(reading, role, person)
        for entry in entries:
            reading.emit(who, entry, actor.start, actor.end, sentence, CUE - 0.1)
        for entry in cast:
            reading.emit(reading.subject, entry, actor.start, actor.end, sentence, CUE - 0.1)


def _with_role(sentence: Sentence, mention: Mention) -> tuple[Mention, Mention] | None:
    """(actor, character): "ACTOR as CHARACTER", or "CHARACTER (ACTOR)" in a text that tells a plot."""
    at = mention.last
    if sentence.word(at) == "as":
        step = at + 1 + (sentence.word(at + 1) in ("the", "a"))
        role = sentence.mention_at.get(step)
        if (
            role is not None
            and not role.possessive
            and (_CAST.intersection(sentence.lower) or sentence.span.start == 0)
        ):
            return mention, role
    inside = sentence.mention_at.get(at + 1) if sentence.word(at) == "(" else None
    if inside is not None and sentence.word(inside.last) in (")", ",") and inside.last - inside.first in (2, 3):
        return inside, mention
    return None


def _person(reading: Reading, sentence: Sentence, mention: Mention) -> bool:
    text = reading.text[mention.start : mention.end]
    value = Value(mention.start, mention.end, mention.first, mention.last)
    if mention.last - mention.first < 2 or mention.quoted or kind_of(text, sentence, value) not in (None, "person"):
        return False
    if any(word in reading.plan.nouns for word in sentence.lower[mention.first : mention.last]):
        return False
    return (
        text.lower() not in lexicon().not_places and not reading.is_subject(mention) and not any(map(str.isdigit, text))
    )


def _referent(reading: Reading, mention: Mention, person: str) -> Referent:
    label = reading.text[mention.start : mention.end]
    return Referent(label, person, (mention.start, mention.end), names=name_words(label))
