"""Open relations: (subject, verb phrase, name) for what the ontology does not foresee, kept apart by low
confidence.
"""

from __future__ import annotations

from .clauses import Clauses
from .lexicon import country_of, lexicon
from .plan import Plan
from .reading import OPEN, Reading, Referent
from .values import Value, is_verb, kind_of
from .words import Mention, Sentence

__all__ = ["read_open"]


def read_open(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Emit triples of the section's subject; a name that a cue has already read is left alone."""
    taken = [(f.span.start, f.span.end) for f in reading.facts.values() if f.subject == reading.subject.label]
    finite = lexicon().finite
    for at, word in enumerate(sentence.lower):
        if not (word in finite or word.endswith("ed")) or not _starts_verb(sentence, at):
            continue
        who = clauses.at(at)
        if who is None or not who.main:
            continue
        end = _verb_phrase(sentence, at)
        mention = _object(sentence, end)
        if mention is None or reading.is_subject(mention):
            continue
        if any(start < mention.end and mention.start < end for start, end in taken):
            continue
        _emit(reading, sentence, who, at, end, mention)
        taken.append((mention.start, mention.end))


def _starts_verb(sentence: Sentence, at: int) -> bool:
    """A finite full verb, or an auxiliary with its participle."""
    if at in sentence.mention_at or not is_verb(sentence, at):
        return False
    word, before = sentence.lower[at], sentence.word(at - 1)
    if not (
        before in lexicon().group("before_verb")
        or before.endswith("ly")
        or at - 1 in sentence.mention_at
        or word in lexicon().group("auxiliaries")
    ):
        return False
    if (
        before in lexicon().group("auxiliaries")
        or (before.endswith("ly") and sentence.word(at - 2) in lexicon().group("auxiliaries"))
        or before in ("to", "the", "a", "an", "of", "by", "in")
    ):
        return False
    if word in lexicon().group("auxiliaries"):
        following = sentence.word(at + 1)
        return following.endswith(("ed", "en")) or (
            following in lexicon().finite and following not in lexicon().group("auxiliaries")
        )
    return word not in lexicon().group("not_open")


def _verb_phrase(sentence: Sentence, at: int) -> int:
    """The end (exclusive) of the verb phrase: verb, participle, particle and one preposition."""
    end = at + 1
    while (
        end < len(sentence)
        and end < at + 4
        and (is_verb(sentence, end) or (sentence.lower[end].endswith(("ed", "ly")) and sentence.words[end].islower()))
    ):
        end += 1
    if (
        sentence.word(end) in ("up", "out", "off", "away", "back", "down", "over", "on")
        and sentence.word(end + 1) in lexicon().prepositions
    ):
        end += 1
    if sentence.word(end) in lexicon().prepositions:
        end += 1
    return end


def _object(sentence: Sentence, end: int) -> Mention | None:
    """The name right behind the phrase, an article or "the city of" between at most."""
    at = end
    while sentence.word(at) in lexicon().group("before_object") and at < end + 3:
        at += 1
    mention = sentence.mention_at.get(at)
    return mention if mention is not None and mention.first == at and not mention.possessive else None


def _emit(reading: Reading, sentence: Sentence, who: Referent, first: int, end: int, mention: Mention) -> None:
    text = reading.text[mention.start : mention.end]
    if text.lower() in lexicon().people_of or text.lower() in lexicon().language_names:
        return
    kind = (
        "place"
        if country_of(text)
        else kind_of(text, sentence, Value(mention.start, mention.end, mention.first, mention.last))
    )
    if kind is None and sentence.lower[end - 1] in lexicon().group("place_prepositions"):
        kind = "place" if sentence.lower[end - 1] in ("in", "near") else None
    dimension = _dimension(reading.plan, who.cube, kind)
    if dimension is None:
        return
    relation = sentence.slice(first, end)
    if len(relation) <= 40:
        reading.relate(who, who.cube, dimension, relation, (mention.start, mention.end), kind or "name", sentence, OPEN)


def _dimension(plan: Plan, cube: str, kind: str | None) -> str | None:
    """A relation dimension whose target holds such names; one for names of any kind where nothing fits
    better.
    """
    spec = plan.cubes[cube]
    open_ended: str | None = None
    for dimension in spec.relations:
        target = spec.dimension(dimension.target).kind if dimension.target else dimension.kind
        if kind is not None and target == kind:
            return dimension.id
        if target == "name" and open_ended is None:
            open_ended = dimension.id
    return open_ended
