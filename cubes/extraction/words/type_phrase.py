"""The phrase that says what something is: "a 1921 American silent drama film", "an actor, director and writer"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .lexicon import group, lexicon
from .words import Sentence

__all__ = ["TypePhrase", "type_phrase"]

_JOINS = (",", "and", "/", "or", "&")
_BEHIND_PARTICIPLE = frozenset({"and", ",", "jointly", "&", "(", "out", '"', "“", ""})
_ALSO_NOUNS = frozenset({"lost", "hit", "set", "stars", "cut", "lies", "plays", "works", "left"})
_DEMONYM = re.compile(r"[A-Z][a-zà-ÿ]{2,}(?:ish|ian|an|ese|ene)")
_AROUND = frozenset(
    {"throughout", "across", "along", "near", "around", "featuring", "sometimes", "often", "usually", "starring"}
)


@dataclass(frozen=True, slots=True)
class TypePhrase:
    """What a copula phrase says: ``segments`` are its coordinated parts as word ranges, ``end`` is where it stops."""

    start: int
    end: int
    segments: tuple[tuple[int, int], ...]
    nationalities: tuple[tuple[int, int], ...] = ()
    languages: tuple[tuple[int, int], ...] = ()
    years: list[int] = field(default_factory=list)

    def heads(self, sentence: Sentence) -> list[str]:
        """The last word of each part."""
        return [sentence.lower[last - 1] for _, last in self.segments]


def type_phrase(sentence: Sentence, start: int, limit: int | None = None) -> TypePhrase | None:
    """Read the noun phrase at ``start``."""
    at, size = start, len(sentence) if limit is None else limit
    while sentence.word(at) in group("before_type") or sentence.word(at).endswith("ly"):
        at += 1
    begin = open_at = at
    segments: list[tuple[int, int]] = []
    years: list[int] = []
    while at < size:
        word = sentence.lower[at]
        if at in sentence.dates and word[:4].isdigit():
            years.append(at)
            at += 1
            open_at = at if open_at == at - 1 else open_at
        elif word in _JOINS and at not in sentence.mention_at:  # not in "Trinidad and Tobago"
            behind = _next_part(sentence, at + 1)
            if behind is None:
                break
            segments.append((open_at, at))
            at = open_at = behind
        elif _stops(sentence, at, begin):
            break
        else:
            at += 1
    return _describe(sentence, begin, at, [*segments, (open_at, at)], years)


def _next_part(sentence: Sentence, at: int) -> int | None:
    """Where the next coordinated noun starts behind a comma or conjunction; None when the list is over."""
    while sentence.word(at) in group("between_occupations"):
        if sentence.word(at) in ("a", "an") and sentence.word(at - 1) == ",":
            return None
        at += 1
    word, mention = sentence.word(at), sentence.mention_at.get(at)
    over = not word[:1].isalpha() or word in group("breaks") or word in group("ends_type") or word.endswith("ly")
    if over or _participle(sentence, at) or (word.endswith("ing") and word not in group("describing_participles")):
        return None
    if mention is None or sentence.slice(at, mention.last).lower() in lexicon().people_of:
        return at
    following = sentence.word(mention.last)
    return at if following.isalpha() and following not in group("breaks") and mention.last - at <= 2 else None


def _participle(sentence: Sentence, at: int) -> bool:
    """A participle that begins a new phrase ("directed by", "starring"), not one that describes ("retired")."""
    word, following = sentence.lower[at].removeprefix("co-").removeprefix("re-"), sentence.word(at + 1)
    if word in lexicon().same_thing or word in group("describing_participles"):  # "a historic building in"
        return False
    if word.endswith("ly") and word != "family" and following:
        return _participle(sentence, at + 1)
    if not (word.endswith(("ed", "ing")) or word in group("irregular_participles")):
        return False
    named = at + 1 in sentence.mention_at and not word.endswith("ed")
    closed = following in lexicon().prepositions | group("directions") or following in _BEHIND_PARTICIPLE
    return closed or named or following in group("determining")


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    """Whether the phrase that begins at ``begin`` ends in front of ``at``."""
    word = sentence.lower[at]
    if word == "'" or (word == "–" and sentence.starts[at] == sentence.ends[at - 1]):
        return False
    if word in ('"', "“", "”"):
        return not _quoted_attribute(sentence, at)
    if not word[0].isalnum() or word in group("breaks") or word in _AROUND:
        return True
    if at == begin:
        return word in group("opening_participles")
    return (word in lexicon().finite and word not in _ALSO_NOUNS) or _participle(sentence, at)


def _quoted_attribute(sentence: Sentence, at: int) -> bool:
    """A quoted name inside the phrase, with its noun behind it: 'a 1939 "Our Gang" short film'."""
    mention = sentence.mention_at.get(at + 1) or sentence.mention_at.get(at - 1)
    following = sentence.word(mention.last + 1) if mention is not None and mention.quoted else ""
    return following.isalpha() and following not in group("breaks") and following not in ("and", "directed", "written")


def _describe(
    sentence: Sentence, begin: int, end: int, segments: list[tuple[int, int]], years: list[int]
) -> TypePhrase | None:
    """Take nationalities and languages out of the front of each part."""
    told = _Adjectives(sentence)
    parts: list[tuple[int, int]] = []
    for first, last in segments:
        start = at = first
        while at < last:
            size = told.read(at, last)
            at += size or 1
            start = at if size and at < last else start
        while start < last - 1 and (
            not sentence.words[start][0].isalpha() or sentence.words[start] in group("type_openers")
        ):
            start += 1
        while last - start > 1 and sentence.lower[last - 1] in group("trailing_adverbs"):
            last -= 1
        if start < last and sentence.words[last - 1][0].isalpha():
            parts.append((start, last))
    if not parts and not told.nationalities:
        return None
    return TypePhrase(begin, end, tuple(parts), tuple(told.nationalities), tuple(told.languages), years)


class _Adjectives:
    """Nationalities and languages in front of a noun."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.nationalities: list[tuple[int, int]] = []
        self.languages: list[tuple[int, int]] = []

    def read(self, at: int, last: int) -> int:
        """If a nationality or language stands at ``at``, record it and return its length in words."""
        sentence, known = self.sentence, lexicon()
        for size in (3, 2, 1) if sentence.words[at][0].isupper() else ():
            text, end = " ".join(sentence.lower[at : at + size]), at + size
            whole = at not in sentence.mention_at or sentence.mention_at[at].first == at  # not in "New England"
            land = text in known.place_of and end < last and whole
            if end > last or not (text in known.people_of or land):
                continue
            self.nationalities.append((sentence.starts[at], sentence.ends[end - 1]))
            return size
        return self._compound(at) if sentence.words[at][0].isupper() else 0

    def _compound(self, at: int) -> int:
        """ "Austrian-German", "Hong Kong–Chinese", "Malayalam-language", and languages."""
        sentence = self.sentence
        pieces = list(re.finditer(r"[^\W\d_]+", sentence.slice(at, at + 1)))
        spans = [(sentence.starts[at] + piece.start(), sentence.starts[at] + piece.end()) for piece in pieces]
        ending = pieces[-1].group() if len(pieces) > 1 else ""
        if pieces and pieces[0].group().lower() in group("languages") and ending in ("", "language", "speaking"):
            self.languages.append(spans[0])
            return 1 + (sentence.word(at + 1) == "language")
        told = [span for span, piece in zip(spans, pieces, strict=True) if piece.group().lower() in lexicon().people_of]
        word = sentence.words[at]
        unlisted = _DEMONYM.fullmatch(word) and word.lower() not in group("no_nationality") and at + 1 < len(sentence)
        if unlisted and not word.endswith("man"):
            told = spans
        self.nationalities += told if ending or unlisted else []
        return int(bool(told))
