"""Relations told by a role or a prize: "its director, X", "a naturalised French citizen", "won the X
Prize".
"""

from __future__ import annotations

from .clauses import Clauses
from .lexicon import lexicon
from .reading import CUE, Reading, Referent
from .values import names_after
from .words import Mention, Sentence

__all__ = ["read_awards", "read_citizenship", "read_roles"]

_OWN = frozenset({"its", "their", "his", "her"})
_CITIZENS = frozenset({"citizen", "citizenship", "national", "nationality"})
_GIVEN = frozenset({"nominated", "nomination", "nominations", "nominee"})


def read_roles(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """ "its director, X", "the film's composer was X": the role noun names the relation."""
    nouns = reading.plan.role_nouns
    for at, word in enumerate(sentence.lower):
        if at == 0 or word not in nouns or (at in sentence.mention_at and sentence.words[at][0].isupper()):
            continue
        who = _owner(reading, sentence, clauses, at)
        if who is None:
            continue
        index = at + 1
        while sentence.word(index) in (",", "is", "was", "the", ":"):
            index += 1
        for entry in reading.plan.roles(who.cube, word):
            values = names_after(sentence, index, entry.kind, many=False)[:1]
            for value in values:
                if value.first - index <= 3:
                    reading.emit(who, entry, value.start, value.end, sentence, CUE - 0.05)


def _owner(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> Referent | None:
    """Whose role it is: "its", "the film's", or the section's subject by name."""
    before = at - 1
    while sentence.word(before) in lexicon().group("before_role"):
        before -= 1
    word = sentence.word(before)
    if word in _OWN:
        who = clauses.at(before)
        return who if who is not None and (who.cube != reading.plan.person) == (word in ("its", "their")) else None
    if word.endswith(("'s", "’s")):
        mention = sentence.mention_at.get(before)
        if mention is not None:
            return reading.subject if reading.is_subject(mention) else None
        noun = word[:-2]
        return (
            reading.subject if noun in reading.subject.nouns and sentence.word(before - 1) in ("the", "this") else None
        )
    return None


def read_citizenship(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """ "became a French citizen", "of Danish nationality"."""
    if _CITIZENS.isdisjoint(sentence.lower):
        return
    for at, word in enumerate(sentence.lower):
        if word not in _CITIZENS:
            continue
        mention = sentence.mention_at.get(at - 1)
        who = clauses.at(at)
        if (
            mention is None
            or who is None
            or sentence.slice(mention.first, mention.last).lower() not in lexicon().people_of
        ):
            continue
        for entry in reading.plan.pattern(who.cube, "origin"):
            reading.emit(who, entry, mention.start, mention.end, sentence, CUE)


def read_awards(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Names of prizes behind a verb of winning: "won 6 X Awards and the Y Medal", "inducted into the X
    Hall of Fame".
    """
    winning = lexicon().group("winning")
    for at, word in enumerate(sentence.lower):
        if word not in winning or (at in sentence.mention_at and sentence.words[at][0].isupper()):
            continue
        who = clauses.at(at)
        if who is None or _GIVEN.intersection(sentence.lower[max(0, at - 1) : at + 2]):
            continue
        for entry in reading.plan.pattern(who.cube, "award"):
            for mention in _prizes(sentence, at + 1):
                reading.emit(who, entry, mention.start, mention.end, sentence, CUE)


def _prizes(sentence: Sentence, at: int) -> list[Mention]:
    """The prizes up to the end of the clause."""
    found: list[Mention] = []
    limit = min(len(sentence), at + 40)
    while at < limit and sentence.lower[at] not in (
        ".",
        ";",
        "who",
        "which",
        "while",
        "but",
        "nominated",
        "nomination",
        "nominations",
    ):
        mention = sentence.mention_at.get(at)
        if mention is None:
            at += 1
            continue
        prize = any(
            word.removesuffix("s") in lexicon().group("prizes") for word in sentence.lower[mention.first : mention.last]
        )
        if prize and sentence.word(mention.last) not in ("nomination", "nominations", "nominee", "-"):
            found.append(mention)
        at = mention.last
    return found
