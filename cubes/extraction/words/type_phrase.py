"""The phrase that says what something is: "a 1921 American silent drama film", "an actor, director and
writer".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .lexicon import lexicon
from .words import Sentence

__all__ = ["TypePhrase", "type_phrase"]

_BEHIND_PARTICIPLE = frozenset({"and", ",", "jointly", "&", "(", "out", '"', "“"})
_ALSO_NOUNS = frozenset({"lost", "hit", "set", "stars", "cut", "lies", "plays", "works"})
_DEMONYM = re.compile(r"[A-Z][a-zà-ÿ]{2,}(?:ish|ian|an|ese|ene)")
_AROUND = frozenset({"throughout", "across", "along", "near", "around", "featuring", "sometimes", "often", "usually"})


@dataclass(frozen=True, slots=True)
class TypePhrase:
    """What a copula phrase says: ``segments`` are its coordinated parts as word ranges, ``end`` is where
    it stops.
    """

    start: int
    end: int
    segments: tuple[tuple[int, int], ...]
    nationalities: tuple[tuple[int, int], ...] = ()
    languages: tuple[tuple[int, int], ...] = ()
    years: tuple[int, ...] = ()

    def heads(self, sentence: Sentence) -> list[str]:
        """The last word of each part."""
        return [sentence.lower[last - 1] for _, last in self.segments]


def type_phrase(sentence: Sentence, start: int, limit: int | None = None) -> TypePhrase | None:
    """Read the noun phrase at ``start``: "a 1921 American silent drama film", "an actor, director and
    writer".
    """
    at = start
    while sentence.word(at) in lexicon().group("before_type") or sentence.word(at).endswith("ly"):
        at += 1
    if sentence.word(at) in ("title", "name") and sentence.word(at + 1) == "of":  # "is the title of a song by X"
        at += 2 + (sentence.word(at + 2) in ("a", "an", "the"))
    begin = at
    segments: list[tuple[int, int]] = []
    years: list[int] = []
    open_at = at
    size = len(sentence) if limit is None else limit
    while at < size:
        word = sentence.lower[at]
        mention = sentence.mention_at.get(at)
        if mention is not None and mention.known and "and" in sentence.lower[mention.first : mention.last]:
            at = mention.last
            continue
        if at in sentence.dates and word[:4].isdigit():
            years.append(at)
            at += 1
            open_at = at if open_at == at - 1 else open_at
            continue
        if word in (",", "and", "/", "or", "&") or (word == "as" and sentence.word(at + 1) == "well"):
            behind = _next_part(sentence, at)
            if behind is None:
                break
            if open_at < at:
                segments.append((open_at, at))
            at = open_at = behind
            continue
        if _stops(sentence, at, begin):
            break
        at += 1
    if open_at < at:
        segments.append((open_at, at))
    return _describe(sentence, begin, at, segments, years)


def _next_part(sentence: Sentence, at: int) -> int | None:
    """Where the next coordinated noun starts behind a comma or conjunction; None when the list is over."""
    at += 1
    while sentence.word(at) in lexicon().group("between_occupations"):
        if sentence.word(at) in ("a", "an") and sentence.word(at - 1) == ",":
            return None
        at += 1
    word = sentence.word(at)
    if (
        not word[:1].isalpha()
        or word in lexicon().breaks
        or word in lexicon().group("ends_type")
        or word.endswith("ly")
    ):
        return None
    if _participle(sentence, at) or (word.endswith("ing") and word not in lexicon().group("describing_participles")):
        return None
    mention = sentence.mention_at.get(at)
    if mention is None or sentence.slice(at, mention.last).lower() in lexicon().people_of:
        return at
    following = sentence.word(mention.last)
    described = following.isalpha() and following not in lexicon().breaks and not _participle(sentence, mention.last)
    return at if described and mention.last - at <= 2 and not mention.quoted else None


def _participle(sentence: Sentence, at: int) -> bool:
    """A participle that begins a new phrase ("directed by", "starring"), not one that describes ("retired")."""
    word = sentence.lower[at].removeprefix("co-").removeprefix("re-")
    if word in lexicon().same_thing or word in lexicon().group("describing_participles"):  # "a historic building in"
        return False
    if not (word.endswith(("ed", "ing")) or word in lexicon().group("irregular_participles")):
        adverb = word.endswith("ly") and word not in lexicon().group("families")
        return adverb and at + 1 < len(sentence) and _participle(sentence, at + 1)
    following = sentence.word(at + 1)
    if not following or following in lexicon().prepositions or following in _BEHIND_PARTICIPLE:
        return True
    named = at + 1 in sentence.mention_at and sentence.words[at + 1][0].isupper() and not word.endswith("ed")
    return named or following in lexicon().group("determining")


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    """Whether the phrase that begins at ``begin`` ends in front of ``at``."""
    word, inside = sentence.lower[at], at > begin
    if word in ("-", "'"):
        return False
    if word in ('"', "“", "”"):
        return not _quoted_attribute(sentence, at)
    if not word[0].isalnum() or word in lexicon().breaks or word in _AROUND:
        return True
    if inside and ((word in lexicon().finite and word not in _ALSO_NOUNS) or word == "starring"):
        return True
    if _participle(sentence, at) if inside else word in lexicon().group("opening_participles"):
        return True
    mention = sentence.mention_at.get(at)
    return mention is not None and mention.quoted and not _quoted_attribute(sentence, mention.first - 1)


def _quoted_attribute(sentence: Sentence, at: int) -> bool:
    """A quoted name inside the phrase, with its noun behind it: 'a 1939 "Our Gang" short film'."""
    mention = sentence.mention_at.get(at + 1) or sentence.mention_at.get(at - 1)
    if mention is None or not mention.quoted or sentence.word(mention.last) not in ('"', "”"):
        return False
    following = sentence.word(mention.last + 1)
    return following.isalpha() and following not in lexicon().breaks and following not in ("and", "directed", "written")


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
        while start < last and (
            sentence.words[start][0].isdigit()
            or sentence.words[start] == "-"
            or (start < last - 1 and sentence.words[start] in lexicon().group("type_openers"))
        ):
            start += 1
        while last - start > 1 and sentence.lower[last - 1] in lexicon().group("trailing_adverbs"):
            last -= 1
        if start < last and sentence.words[last - 1][0].isalnum():
            parts.append((start, last))
    if not parts and not told.nationalities:
        return None
    return TypePhrase(begin, end, tuple(parts), tuple(told.nationalities), tuple(told.languages), tuple(years))


class _Adjectives:
    """Nationalities and languages in front of a noun."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.nationalities: list[tuple[int, int]] = []
        self.languages: list[tuple[int, int]] = []

    def read(self, at: int, last: int) -> int:
        """If a nationality or language stands at ``at``, record it and return its length in words."""
        sentence, lower, people = self.sentence, self.sentence.lower, lexicon().people_of
        for size in (3, 2, 1) if sentence.words[at][0].isupper() else ():
            text, end = " ".join(lower[at : at + size]), at + size
            whole = at not in sentence.mention_at or sentence.mention_at[at].first == at  # not in "New England"
            land = text in lexicon().place_of and end < last and whole
            if end > min(len(sentence), last + (size > 1)) or not (text in people or land):
                continue
            behind = sentence.word(end + 1) if sentence.word(end) == "-" else ""
            if text == "roman" and sentence.word(end) == "catholic":
                return 0
            taken = self.languages if behind in ("language", "speaking") else self.nationalities
            taken.append((sentence.starts[at], sentence.ends[end - 1]))
            return size + 2 * (behind in ("language", "speaking", "born"))
        return self._compound(at) if sentence.words[at][0].isupper() else 0

    def _compound(self, at: int) -> int:
        """ "Austrian-German", "Malayalam-language", "New Zealand-born", and adjectives of lands nobody listed."""
        sentence, word, start = self.sentence, self.sentence.words[at], self.sentence.starts[at]
        lower, following = sentence.lower[at], sentence.word(at + 1)
        pieces = re.split(r"[-–]", lower)
        if len(pieces) > 1 and pieces[-1] in ("language", "speaking"):
            self.languages.append((start, start + len(pieces[0])))
            return 1
        if len(pieces) > 1:
            offsets = [start + sum(len(piece) + 1 for piece in pieces[:number]) for number in range(len(pieces))]
            found = [(o, o + len(p)) for o, p in zip(offsets, pieces, strict=True) if p in lexicon().people_of]
            self.nationalities += found
            return int(bool(found))
        if lower in lexicon().language_names:
            self.languages.append((start, start + len(word)))
            return 3 if following == "-" and sentence.word(at + 2) == "language" else 1 + (following == "language")
        unlisted = _DEMONYM.fullmatch(word) and lower not in lexicon().no_nationality and at + 1 < len(sentence)
        if unlisted and not lower.endswith("man"):
            self.nationalities.append((start, start + len(word)))
        return int(bool(unlisted) and not lower.endswith("man"))
