"""The phrase that says what something is: "a 1921 American silent drama film", "an actor, director and writer"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .lexicon import group, lexicon
from .words import Sentence

__all__ = ["TypePhrase", "type_phrase"]

_JOINS = frozenset({",", "and", "/", "or", "&"})
_BEHIND_PARTICIPLE = frozenset({"a", "an", "the", "and", ",", "jointly", "&", "(", "out", '"', "“", ""})
_OPENING = frozenset({"a", "an", "the", "one", "of", "also", "any", "both"})
_DEMONYM = re.compile(r"[A-Z][a-zà-ÿ]{2,}(?:ish|ian|(?<!m)an|ese|ene)")
_PIECE = re.compile(r"[^\W\d_]+")


@dataclass(slots=True)
class TypePhrase:
    """What a copula phrase says: its coordinated parts as word ranges, and where it stops.

    ``told`` are characters with the pattern of the cue that they fill: origin, language, release_date.
    """

    start: int
    end: int = 0
    segments: list[tuple[int, int]] = field(default_factory=list)
    told: list[tuple[str, tuple[int, int]]] = field(default_factory=list)

    def heads(self, sentence: Sentence) -> list[str]:
        """The last word of each part."""
        return [sentence.lower[last - 1] for _, last in self.segments]


def type_phrase(sentence: Sentence, start: int, limit: int | None = None) -> TypePhrase | None:
    """Read the noun phrase at ``start``: what its nouns are, and the years, nationalities and languages before them."""
    at, size = start, len(sentence) if limit is None else limit
    while sentence.word(at) in _OPENING or sentence.word(at).endswith("ly"):
        at += 1
    phrase = TypePhrase(at)
    begin = at
    while at < size:
        behind = _land_or_language(phrase, sentence, at, size)
        if behind:
            begin = at = at + behind
        elif at in sentence.dates and sentence.word(at)[:4].isdigit():
            phrase.told.append(("release_date", sentence.dates[at][:2]))
            at += 1
        elif sentence.lower[at] in _JOINS and at not in sentence.mention_at:  # not in "Trinidad and Tobago"
            following = _next_part(sentence, at + 1)
            if following is None:
                break
            _add(phrase, sentence, begin, at)
            begin = at = following
        elif _stops(sentence, at, phrase.start):
            break
        else:
            at += 1
    phrase.end = at
    _add(phrase, sentence, begin, at)
    return phrase if phrase.segments or phrase.told else None


def _next_part(sentence: Sentence, at: int) -> int | None:
    """Where the next coordinated noun starts behind a comma or conjunction; None when the list is over."""
    while sentence.word(at) in group("between_occupations"):
        at += 1
    word = sentence.word(at)
    over = not word[:1].isalpha() or word in group("breaks") or word in group("ends_type") or word.endswith("ly")
    return None if over or _participle(sentence, at) else at


def _participle(sentence: Sentence, at: int) -> bool:
    """A participle that begins a new phrase ("directed by", "starring"), not one that describes ("retired")."""
    word, following = sentence.lower[at].removeprefix("co-").removeprefix("re-"), sentence.word(at + 1)
    if not (word.endswith(("ed", "ing")) or word in group("irregular_participles")):
        return False
    listed = at + 1 in sentence.mention_at and word.endswith("ing")
    closed = following in group("prepositions") | group("directions") or following in _BEHIND_PARTICIPLE
    return listed or closed or following.endswith("ly") or following[:1].isdigit()


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    """Whether the phrase that begins at ``begin`` ends in front of ``at``."""
    word = sentence.lower[at]
    if word == "–" and sentence.starts[at] == sentence.ends[at - 1]:  # "an east–west road"
        return False
    if not word[0].isalnum() or word in group("breaks") or (word.isdigit() and at > begin):
        return True
    return _participle(sentence, at) and (at > begin or not word.endswith("ing"))  # "was King of Vell"


def _add(phrase: TypePhrase, sentence: Sentence, start: int, last: int) -> None:
    """Add a part, with years and adverbs left off."""
    words = sentence.words
    while start < last - 1 and (not words[start][0].isalpha() or words[start] in group("type_openers")):
        start += 1
    while last - start > 1 and (words[last - 1] in group("type_enders") or words[last - 1].endswith(("ally", "rily"))):
        last -= 1
    if start < last and words[last - 1][0].isalpha():
        phrase.segments.append((start, last))


def _land_or_language(phrase: TypePhrase, sentence: Sentence, at: int, last: int) -> int:
    """Record a nationality or language at ``at``, also "Hong Kong", "Austrian-German"; its length in words or 0."""
    known, mention = lexicon(), sentence.mention_at.get(at)
    if not sentence.words[at][0].isupper():
        return 0
    for size in (3, 2, 1):
        text = " ".join(sentence.lower[at : at + size])
        whole = mention is None or mention.first == at  # not in "New England"
        if at + size <= last and (text in known.people_of or (text in known.place_of and at + size < last and whole)):
            phrase.told.append(("origin", (sentence.starts[at], sentence.ends[at + size - 1])))
            return size
    pieces = [(piece.group(), piece.start()) for piece in _PIECE.finditer(sentence.words[at])]
    spans = [(sentence.starts[at] + start, sentence.starts[at] + start + len(piece)) for piece, start in pieces]
    lower, ending = [piece.lower() for piece, _ in pieces], pieces[-1][0] if len(pieces) > 1 else ""
    spoken = pieces and (lower[0] in group("languages") or (ending and lower[0] in known.people_of))
    if spoken and ending in ("", "language", "speaking"):
        phrase.told.append(("language", spans[0]))
        return 1 + (sentence.word(at + 1) == "language")
    unlisted = _DEMONYM.fullmatch(sentence.words[at]) and at + 1 < last
    told = [span for span, piece in zip(spans, lower, strict=True) if unlisted or piece in known.people_of]
    phrase.told += [("origin", span) for span in told if ending or unlisted]
    return int(bool(told))
