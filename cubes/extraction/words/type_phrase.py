"""The phrase that says what something is: "a 1921 American silent drama film", "an actor, director and writer"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .lexicon import group, lexicon
from .words import Sentence

__all__ = ["TypePhrase", "type_phrase"]

_JOINS = frozenset({",", "and", "/", "or", "&"})
_OPENING = frozenset({"a", "an", "the", "one", "of", "also", "and", "any", "both"})
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
            if sentence.word(at + 1) in ("the", "most", "best", "one"):
                break
            _add(phrase, sentence, begin, at)
            begin = at = at + 1
        elif _stops(sentence, at, phrase.start):
            break
        else:
            at += 1
    phrase.end = at
    _add(phrase, sentence, begin, at)
    return phrase if phrase.segments or phrase.told else None


def _participle(sentence: Sentence, at: int) -> bool:
    """A participle that begins a new phrase ("directed by", "starring"), not one that describes ("retired")."""
    word, following = sentence.word(at).removeprefix("co-").removeprefix("re-"), sentence.word(at + 1)
    if not (word.endswith(("ed", "ing")) or word in group("irregular_participles")):
        return False
    listed = at + 1 in sentence.mention_at and word.endswith("ing")
    closed = following in group("breaks") | group("prepositions") | group("directions") | _OPENING
    return listed or closed or following.endswith("ly") or not following[:1].isalpha()


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    """Whether the phrase that begins at ``begin`` ends in front of ``at``."""
    word = sentence.lower[at]
    if not word[0].isalnum() or word in group("breaks") or (word.isdigit() and at > begin):
        return word != "–" or sentence.starts[at] > sentence.ends[at - 1]  # "an east–west road"
    return _participle(sentence, at) and (at > begin or not word.endswith("ing"))  # "was King of Vell"


def _add(phrase: TypePhrase, sentence: Sentence, start: int, last: int) -> None:
    """Add a part, with years, articles and adverbs left off."""
    words, openers = sentence.words, group("type_openers") | _OPENING
    while start < last - 1 and (not words[start][0].isalpha() or words[start] in openers):
        start += 1
    while last - start > 1 and (words[last - 1] in group("type_enders") or words[last - 1].endswith(("ally", "rily"))):
        last -= 1
    word = words[last - 1] if start < last else ""
    if word[:1].isalpha() and not word.endswith("ly") and word not in _OPENING:
        phrase.segments.append((start, last))


def _land_or_language(phrase: TypePhrase, sentence: Sentence, at: int, last: int) -> int:
    """Record a nationality or language at ``at``, also "Hong Kong", "Austrian-German"; its length in words or 0."""
    known, mention, told = lexicon(), sentence.mention_at.get(at), len(phrase.told)
    if not sentence.words[at][0].isupper():
        return 0
    for size in (3, 2, 1):
        text = " ".join(sentence.lower[at : at + size])
        whole = at + size < last and (mention is None or mention.first == at)  # not in "New England"
        if at + size <= last and (text in known.people_of or (whole and text in known.place_of)):
            phrase.told.append(("origin", (sentence.starts[at], sentence.ends[at + size - 1])))
            return size
    pieces = list(_PIECE.finditer(sentence.text, sentence.starts[at], sentence.ends[at]))
    unlisted = _DEMONYM.fullmatch(sentence.words[at]) and at + 1 < last
    for piece in pieces:
        word, spoken = piece[0].lower(), pieces[-1][0] in ("language", "speaking")
        if word in group("languages") or (spoken and word in known.people_of):
            phrase.told.append(("language", piece.span()))
        elif unlisted or word in known.people_of:
            phrase.told.append(("origin", piece.span()))
    return 1 + (sentence.word(at + 1) == "language") if len(phrase.told) > told else 0
