"""Whom a person plays, works or sits for: "a midfielder for X", "professor of law at Y", "mayor of Z"."""

from __future__ import annotations

from functools import lru_cache

from .clauses import Clauses
from .lexicon import lexicon
from .reading import CUE, Reading, Referent
from .values import Value, is_verb, kind_of, names_after
from .words import Mention, Sentence

__all__ = ["read_affiliations"]

_REACH = 9


def read_affiliations(reading: Reading, sentence: Sentence, clauses: Clauses) -> None:
    """Read memberships, employers, schools, parties and offices of whichever person each clause is about."""
    if reading.plan.person is None:
        return
    if "party" in sentence.lower:
        for mention in sentence.mentions:
            if sentence.lower[mention.last - 1] == "party":
                _party(reading, sentence, clauses, mention)
    telling = _telling()
    for at, word in enumerate(sentence.lower):
        told = telling.get(word)
        if told is None:
            continue
        named = sentence.mention_at.get(at)
        if named is None or (named.first == at and told & {"office", "school"}):
            _read_at(reading, sentence, clauses, at, told)


def _read_at(reading: Reading, sentence: Sentence, clauses: Clauses, at: int, told: frozenset[str]) -> None:
    if "office" in told:
        _office(reading, sentence, clauses, at)
    if "team" in told:
        _behind_noun(reading, sentence, clauses, at, "membership", ("for", "with"))
    if "post" in told:
        _behind_noun(reading, sentence, clauses, at, "employment", ("at", "for", "with"))
    if "play" in told:
        _playing(reading, sentence, clauses, at)
    if "school" in told:
        _schooling(reading, sentence, clauses, at)


@lru_cache(maxsize=1)
def _telling() -> dict[str, frozenset[str]]:
    """What each word may tell: an office, a team, a post, a school."""
    groups = {"team": "players", "post": "posts", "office": "offices", "school": "schooling"}
    found = dict.fromkeys(("play", "plays", "played", "playing"), frozenset({"play"}))
    for told, name in groups.items():
        for word in lexicon().group(name):
            found[word] = found.get(word, frozenset()) | {told}
    return found


def _person(reading: Reading, clauses: Clauses, at: int) -> Referent | None:
    who = clauses.at(at)
    return who if who is not None and who.cube == reading.plan.person else None


def _behind_noun(
    reading: Reading, sentence: Sentence, clauses: Clauses, at: int, pattern: str, prepositions: tuple[str, ...]
) -> None:
    """ "is a former goalkeeper for X, Y and Z", "an adjunct professor of physics at X": the body behind the noun."""
    who = _person(reading, clauses, at)
    if who is None:
        return
    step = _preposition(sentence, at + 1, prepositions)
    if step is not None:
        _emit(reading, sentence, who, pattern, step + 1, strict=pattern == "employment")


def _preposition(sentence: Sentence, at: int, wanted: tuple[str, ...]) -> int | None:
    """The preposition that joins a noun to a body: right behind it, or behind "emeritus" or "of law and history"."""
    for index in range(at, min(at + _REACH, len(sentence))):
        word = sentence.lower[index]
        if word in wanted:
            return index
        if index in sentence.mention_at and sentence.word(index - 1) not in ("of", "and", "in"):
            return None
        if (
            not word[0].isalpha()
            or is_verb(sentence, index)
            or (index > at and word in ("to", "who", "from", "on", "by"))
        ):
            return None
    return None


def _playing(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "currently plays as a winger for the league club X"."""
    who = _person(reading, clauses, at)
    if who is None or sentence.word(at + 1) in ("for", "a", "an"):
        return None
    for index in range(at + 1, min(at + _REACH + 3, len(sentence))):
        word = sentence.lower[index]
        if word == "for":
            return _emit(reading, sentence, who, "membership", index + 1, strict=False)
        if word in (".", ";", ",", "and", "who", "that") or is_verb(sentence, index):
            return None
    return None


def _schooling(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "received her doctorate in 1970 in physics at X", "studied law at Y", "degrees from Y and Z"."""
    who = _person(reading, clauses, at)
    if who is None:
        return None
    for index in range(at + 1, min(at + _REACH + 5, len(sentence))):
        word = sentence.lower[index]
        if word in ("at", "from") and index not in sentence.mention_at:
            return _emit(reading, sentence, who, "education", index + 1, strict=True)
        if word in (".", ";", "who", "that", "while", "where", "by") or (is_verb(sentence, index) and index > at + 1):
            return None
    return None


def _emit(reading: Reading, sentence: Sentence, who: Referent, pattern: str, at: int, *, strict: bool) -> None:
    """Emit the bodies named at ``at``; ``strict`` asks that the name itself says that it is one."""
    for entry in reading.plan.pattern(who.cube, pattern):
        for value in names_after(sentence, at, "organization", many=True, stop=reading.is_subject):
            if strict and not _is_body(sentence, value):
                return
            reading.emit(who, entry, value.start, value.end, sentence, CUE - 0.05)


def _is_body(sentence: Sentence, value: Value) -> bool:
    text = sentence.text[value.start : value.end]
    words = text.lower().split()
    return (
        kind_of(text, sentence, value) == "organization"
        or not lexicon().organisation_words.isdisjoint(words)
        or (text.isupper() and len(text) > 1 and words[0] not in lexicon().group("schooling"))
    )


def _party(reading: Reading, sentence: Sentence, clauses: Clauses, mention: Mention) -> None:
    """ "a politician of the X Party", "an X Party politician": not behind "left", "against" or "defeated"."""
    who = _person(reading, clauses, mention.first)
    before = sentence.lower[max(0, mention.first - 6) : mention.first]
    if (
        who is None
        or not who.main
        or mention.last - mention.first < 2
        or lexicon().group("opposing").intersection(before)
    ):
        return
    following = sentence.word(mention.last)
    if before[-1:] == ["the"] and not {"of", "from", "for", "with", "joined"}.intersection(before):
        return
    if following in ("'s", "candidate") or mention.possessive:
        return
    first = mention.first
    while first < mention.last - 2 and _demonym(sentence.lower[first]):
        first += 1
    for entry in reading.plan.pattern(who.cube, "membership"):
        reading.emit(who, entry, sentence.starts[first], mention.end, sentence, CUE - 0.05)


def _demonym(word: str) -> bool:
    return all(piece in lexicon().people_of for piece in word.split("-"))


def _office(reading: Reading, sentence: Sentence, clauses: Clauses, at: int) -> None:
    """ "the 25th Governor of X", "served as mayor of Y": the office with what it is over."""
    if sentence.word(at + 1) not in ("of", "for"):
        return
    ahead = at + 2 + (sentence.word(at + 2) == "the")
    behind = sentence.mention_at.get(ahead) or sentence.mention_at.get(at)
    who = _person(reading, clauses, at)
    if who is None or not who.main or behind is None or behind.quoted:
        return
    first = at
    while first and sentence.words[first - 1].lower() in lexicon().group("office_modifiers"):
        first -= 1
    if not _holds(reading, sentence, first):
        return
    for entry in reading.plan.pattern(who.cube, "office"):
        reading.emit(who, entry, sentence.starts[first], behind.end, sentence, CUE)


def _holds(reading: Reading, sentence: Sentence, first: int) -> bool:
    """Whether the office is said of the subject: behind "was", "as" or "became", or in apposition to its name."""
    at = first - 1
    while sentence.word(at) in lexicon().group("before_office_noun") or _ordinal(sentence.word(at)):
        at -= 1
    word = sentence.word(at)
    if word == ",":
        at -= 1
        if sentence.word(at) == ")":
            at = max((i for i in range(at) if sentence.lower[i] == "("), default=0) - 1
        mention = sentence.mention_at.get(at)
        return mention is not None and reading.is_subject(mention)
    return word in lexicon().group("before_office")


def _ordinal(word: str) -> bool:
    return word[:1].isdigit() and word.endswith(("st", "nd", "rd", "th"))
