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
        not word
        or not word[0].isalpha()
        or word in lexicon().breaks
        or word in ("the", "best", "his", "her", "its", "one", "most", "particularly")
    ):
        return None
    if (
        _participle(sentence, at)
        or word.endswith("ly")
        or (word.endswith("ing") and word not in ("racing", "acting", "recording", "voice-acting"))
    ):
        return None
    if word in ("active", "alive", "especially", "noted", "responsible", "available", "such"):
        return None
    if (
        at in sentence.mention_at
        and sentence.slice(at, sentence.mention_at[at].last).lower() not in lexicon().people_of
    ):
        mention = sentence.mention_at[at]
        following = sentence.word(mention.last)
        return (
            at
            if following.isalpha()
            and following not in lexicon().breaks
            and not _participle(sentence, mention.last)
            and mention.last - at <= 2
            and not mention.quoted
            else None
        )
    return at


def _participle(sentence: Sentence, at: int) -> bool:
    """A participle that begins a new phrase ("directed by", "starring"), not one that describes
    ("retired").
    """
    word = sentence.lower[at].removeprefix("co-").removeprefix("re-")
    if not (word.endswith(("ed", "ing")) or word in lexicon().group("irregular_participles")):
        adverb = word.endswith("ly") and word not in lexicon().group("families")
        return adverb and at + 1 < len(sentence) and _participle(sentence, at + 1)
    if word in lexicon().same_thing:  # "a historic building in"
        return False
    following = sentence.word(at + 1)
    if following in lexicon().prepositions or following in _BEHIND_PARTICIPLE or not following:
        return True
    if following in lexicon().group("determining"):
        return True
    return (
        at + 1 in sentence.mention_at
        and not sentence.lower[at].endswith("ed")
        and sentence.words[at + 1][0].isupper()
        and word not in ("retired",)
    )


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    word = sentence.lower[at]
    if word == "-" or word == "'":
        return False
    if (
        word == "of"
        and at > begin
        and sentence.lower[at - 1] in ("series", "type", "kind", "form", "piece", "work", "member", "genus", "species")
    ):
        return True
    if word in ('"', "“", "”"):
        return not _quoted_attribute(sentence, at)
    if not word[0].isalnum():
        return True
    if (
        word in lexicon().breaks
        or word in _AROUND
        or (
            at > begin
            and word in lexicon().finite
            and word not in ("lost", "hit", "set", "stars", "cut", "lies", "plays", "works")
        )
    ):
        return True
    if at == begin and (word in lexicon().group("opening_participles")):
        return True
    if (
        at > begin
        and (word == "starring" or _participle(sentence, at))
        and word not in ("acting", "racing", "leading", "recording", "unincorporated", "animated")
    ):
        return True
    if at in sentence.mention_at:
        mention = sentence.mention_at[at]
        return mention.quoted and not _quoted_attribute(sentence, mention.first - 1)
    return False


def _quoted_attribute(sentence: Sentence, at: int) -> bool:
    """A quoted name inside the phrase, with its noun behind it: 'a 1939 "Our Gang" short film'."""
    if sentence.word(at) not in ('"', "“", "”"):
        return False
    mention = sentence.mention_at.get(at + 1)
    if mention is None or not mention.quoted:
        mention = sentence.mention_at.get(at - 1)
    if mention is None or not mention.quoted or sentence.word(mention.last) not in ('"', "”"):
        return False
    following = sentence.word(mention.last + 1)
    return (
        following.isalpha()
        and following not in lexicon().breaks
        and following not in ("and", "directed", "starring", "written")
    )


def _describe(
    sentence: Sentence, begin: int, end: int, segments: list[tuple[int, int]], years: list[int]
) -> TypePhrase | None:
    """Take nationalities and languages out of the front of each part."""
    nationalities: list[tuple[int, int]] = []
    languages: list[tuple[int, int]] = []
    parts: list[tuple[int, int]] = []
    for first, last in segments:
        start = first
        at = first
        while at < last:
            size = _adjective(sentence, at, last, nationalities, languages)
            if size:
                at += size
                start = at if at < last else start
            else:
                at += 1
        while start < last and (
            sentence.words[start][0].isdigit()
            or sentence.words[start] == "-"
            or (start < last - 1 and sentence.words[start] in lexicon().group("type_openers"))
        ):
            start += 1
        while last - start > 1 and sentence.lower[last - 1] in lexicon().group("trailing_adverbs"):
            last -= 1
        if start < last and sentence.words[last - 1][0].isalnum() and (start, last) != (first, first):
            parts.append((start, last))
    if not parts and not nationalities:
        return None
    return TypePhrase(begin, end, tuple(parts), tuple(nationalities), tuple(languages), tuple(years))


def _adjective(
    sentence: Sentence,
    at: int,
    last: int,
    nationalities: list[tuple[int, int]],
    languages: list[tuple[int, int]],
) -> int:
    """If a nationality or language stands at ``at``, record it and return its length in words."""
    word = sentence.words[at]
    if not word[0].isupper():
        return 0
    people, lower = lexicon().people_of, sentence.lower
    for size in (3, 2, 1):
        if at + size <= len(sentence) and at + size <= last + (size > 1):
            text = " ".join(lower[at : at + size])
            if text in people or (text in lexicon().place_of and at + size < last):
                if lower[at + size : at + size + 1] == ["-"] and sentence.word(at + size + 1) in (
                    "language",
                    "born",
                    "speaking",
                ):
                    taken = nationalities if sentence.word(at + size + 1) == "born" else languages
                    taken.append((sentence.starts[at], sentence.ends[at + size - 1]))
                    return size + 2
                if text == "roman" and sentence.word(at + 1) == "catholic":
                    return 0
                nationalities.append((sentence.starts[at], sentence.ends[at + size - 1]))
                return size
    return _compound(sentence, at, nationalities, languages)


def _compound(
    sentence: Sentence, at: int, nationalities: list[tuple[int, int]], languages: list[tuple[int, int]]
) -> int:
    """ "Austrian-German", "Malayalam-language", "New Zealand-born", and adjectives of lands nobody listed."""
    word, lower, start = sentence.words[at], sentence.lower[at], sentence.starts[at]
    pieces = re.split(r"[-–]", lower)
    if len(pieces) > 1 and (pieces[-1] == "language" or pieces[-1] == "speaking"):
        languages.append((start, start + len(pieces[0])))
        return 1
    if len(pieces) > 1:
        offset, hit = start, 0
        for piece in pieces:
            if piece in lexicon().people_of:
                nationalities.append((offset, offset + len(piece)))
                hit += 1
            offset += len(piece) + 1
        return 1 if hit else 0
    if lower in lexicon().language_names:
        languages.append((start, start + len(word)))
        if sentence.word(at + 1) == "-" and sentence.word(at + 2) == "language":
            return 3
        return 2 if sentence.word(at + 1) == "language" else 1
    if (
        lower not in lexicon().no_nationality
        and not lower.endswith("man")
        and re.fullmatch(r"[A-Z][a-zà-ÿ]{2,}(?:ish|ian|an|ese|ene)", word)
        and at + 1 < len(sentence)
    ):
        nationalities.append((start, start + len(word)))
        return 1
    return 0
