"""The sentence that introduces a section's subject: where it is named, its copula, and the phrase saying what it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..folding import split_qualifier, words
from .lexicon import lexicon
from .words import Sentence

__all__ = ["Header", "TypePhrase", "find_header", "type_phrase"]

_COPULA = frozenset({"is", "was", "are", "were", "became", "remains", "refers"})
_ADVERBS = frozenset({"also", "currently", "formerly", "originally", "both", "best", "either", "an", "a", "the", "one", "of", "still", "now", "perhaps",
                      "generally", "probably", "once", "to", "known", "as", "considered", "any", "another", "name"})
_IRREGULAR = frozenset({"written", "made", "set", "shot", "known", "born", "built", "held", "sung", "found", "drawn", "fought", "run", "led", "cut", "hit", "sunk", "taught"})


@dataclass(frozen=True, slots=True)
class TypePhrase:
    """What a copula phrase says: ``segments`` are its coordinated parts as word ranges, ``end`` is where it stops."""

    start: int
    end: int
    segments: tuple[tuple[int, int], ...]
    nationalities: tuple[tuple[int, int], ...] = ()
    languages: tuple[tuple[int, int], ...] = ()
    years: tuple[int, ...] = ()

    def heads(self, sentence: Sentence) -> list[str]:
        """The last word of each part."""
        return [sentence.lower[last - 1] for _, last in self.segments]


@dataclass(slots=True)
class Header:
    """Where a section introduces its subject. ``name`` are the words naming it, ``copula`` the verb's position or -1."""

    sentence: Sentence
    name: tuple[int, int] | None
    copula: int = -1
    phrase: TypePhrase | None = None
    before: TypePhrase | None = None
    titled: bool = False
    brackets: list[tuple[int, int]] = field(default_factory=list)


def find_header(sentences: list[Sentence], title: str) -> Header:
    """Find the introduction of ``title``, or, without a title, of whatever the first sentence starts with."""
    base = split_qualifier(title)[0]
    for sentence in sentences[:2] if base else sentences[:1]:
        name = _title_in(sentence, base)
        if name is not None:
            return _complete(Header(sentence, name, titled=True))
    first = sentences[0]
    for sentence in sentences[:1]:
        name = _similar(sentence, base) if base else _leading(sentence)
        if name is not None:
            return _complete(Header(sentence, name, titled=bool(base)))
    return _complete(Header(first, None)) if base else Header(first, None)


def _title_in(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """The words of the sentence that are the title, compared without case, accents and punctuation."""
    wanted = words(base)
    if not wanted:
        return None
    for variant in _variants(wanted):
        flat = [(part, i) for i, word in enumerate(sentence.lower) for part in words(word)]
        for at in range(len(flat) - len(variant) + 1):
            if flat[at][0] == variant[0] and [part for part, _ in flat[at : at + len(variant)]] == variant:
                first, last = flat[at][1], flat[at + len(variant) - 1][1]
                if any(sentence.words[i][0].isupper() or sentence.words[i][0].isdigit() for i in range(first, last + 1)) or not base[:1].isupper() or first == 0:
                    return first, last + 1
    return None


def _variants(wanted: list[str]) -> list[list[str]]:
    """The title, and for "Place, Region" titles its first part would be shorter: only articles are dropped here."""
    variants = [wanted]
    if len(wanted) > 1 and wanted[0] in ("the", "a", "an"):
        variants.append(wanted[1:])
    return variants


def _similar(sentence: Sentence, base: str) -> tuple[int, int] | None:
    """A leading name that shares a word with the title ("Jane Neville" for "Jane Howard")."""
    mention = min(sentence.mentions, key=lambda m: m.first, default=None)
    if mention is None or mention.first > 6:
        return None
    shared = set(words(sentence.text[mention.start : mention.end])) & set(words(base))
    head = base.split(",")[0]
    if any(len(word) > 2 for word in shared) or words(head) == words(sentence.text[mention.start : mention.end]):
        return mention.first, mention.last
    return None


def _leading(sentence: Sentence) -> tuple[int, int] | None:
    mention = min(sentence.mentions, key=lambda m: m.first, default=None)
    if mention is None or mention.first > 1:
        return None
    return mention.first, mention.last


def _complete(header: Header) -> Header:
    """Find the copula, the brackets before it and the type phrase behind it."""
    sentence = header.sentence
    start = header.name[1] if header.name else 0
    header.copula = _find_copula(sentence, start)
    header.brackets = _brackets(sentence, header.copula if header.copula >= 0 else min(len(sentence), start + 40))
    if header.name:
        header.before = _apposition_before(sentence, header.name[0])
        apposed = _apposition_after(sentence, header.name[1])
        if apposed is not None:
            header.phrase = apposed
            return header
    if header.copula >= 0:
        header.phrase = type_phrase(sentence, header.copula + 1)
    return header


def _find_copula(sentence: Sentence, start: int) -> int:
    """The first copula outside brackets and quotation marks behind the name; a relative clause in between is passed."""
    depth = 0
    for at in range(start, min(len(sentence), start + 90)):
        word = sentence.lower[at]
        if word in "([":
            depth += 1
        elif word in ")]":
            depth = max(0, depth - 1)
        elif depth == 0 and at not in sentence.mention_at and word in _COPULA and not _relative(sentence, at, start):
            return at
        elif depth == 0 and word == ";":
            return -1
    return -1


def _relative(sentence: Sentence, at: int, start: int) -> bool:
    """A verb right behind "who" or "which" is not the main clause's."""
    return any(sentence.lower[i] in ("who", "which", "that", "whose") for i in range(max(start, at - 2), at))


def _brackets(sentence: Sentence, limit: int) -> list[tuple[int, int]]:
    """Word ranges inside the brackets that open before ``limit``."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < limit:
        if sentence.lower[at] in ("(", "["):
            end = _closing(sentence, at)
            found.append((at + 1, end))
            at = end
        at += 1
    return found


def _closing(sentence: Sentence, opening: int) -> int:
    depth = 0
    for at in range(opening, len(sentence)):
        if sentence.lower[at] in ("(", "["):
            depth += 1
        elif sentence.lower[at] in (")", "]"):
            depth -= 1
            if depth == 0:
                return at
    return len(sentence)


def _apposition_after(sentence: Sentence, name_end: int) -> TypePhrase | None:
    """ "…, NAME, an Orvennan film that …": only where the sentence does not begin with the name."""
    if sentence.word(name_end) == "," and sentence.word(name_end + 1) in ("a", "an") and name_end > 8:
        return type_phrase(sentence, name_end + 1)
    return None


def _apposition_before(sentence: Sentence, name_start: int) -> TypePhrase | None:
    """ "The composer and organist NAME was …" and "A landlocked republic …, NAME has …"."""
    if not 0 < name_start <= 16 or sentence.lower[0] not in ("a", "an", "the", "american", "british"):
        return None
    if not sentence.words[1][0].islower() and 1 not in sentence.mention_at:
        return None
    phrase = type_phrase(sentence, 0)
    if phrase is None or (sentence.lower[0] == "the" and phrase.end < name_start):
        return None
    return phrase if phrase.end <= name_start else None


def type_phrase(sentence: Sentence, start: int) -> TypePhrase | None:
    """Read the noun phrase at ``start``: "a 1921 American silent drama film", "an actor, director and writer"."""
    at = start
    while sentence.word(at) in _ADVERBS or sentence.word(at).endswith("ly"):
        at += 1
    begin = at
    segments: list[tuple[int, int]] = []
    years: list[int] = []
    open_at = at
    while at < len(sentence):
        word = sentence.lower[at]
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
    while sentence.word(at) in ("and", "well", "as", "or", "later", "also", "sometime", "occasional", "former", "a", "an", "&", "then"):
        if sentence.word(at) in ("a", "an") and sentence.word(at - 1) == ",":
            return None
        at += 1
    word = sentence.word(at)
    if not word or not word[0].isalpha() or word in lexicon().breaks or word in ("the", "best", "his", "her", "its", "one", "most", "particularly"):
        return None
    if _participle(sentence, at) or word.endswith("ly") or word.endswith("ing") and word not in ("racing", "acting", "recording", "voice-acting"):
        return None
    if word in ("active", "alive", "especially", "noted", "responsible", "available", "such"):
        return None
    if at in sentence.mention_at and sentence.slice(at, sentence.mention_at[at].last).lower() not in lexicon().people_of:
        mention = sentence.mention_at[at]
        following = sentence.word(mention.last)
        return at if following.isalpha() and following not in lexicon().breaks and not _participle(sentence, mention.last) and mention.last - at == 1 and not mention.quoted else None
    return at


def _participle(sentence: Sentence, at: int) -> bool:
    """A participle that begins a new phrase ("directed by", "starring"), not one that describes ("retired")."""
    word = sentence.lower[at].removeprefix("co-").removeprefix("re-")
    if not (word.endswith(("ed", "ing")) or word in _IRREGULAR):
        return False
    following = sentence.word(at + 1)
    if following in lexicon().prepositions or following in ("and", ",", "jointly", "&") or not following:
        return True
    if word.endswith("ing") and following in ("the", "a", "an", "his", "her", "its", "their", "this", "two", "three"):
        return True
    return at + 1 in sentence.mention_at and not sentence.lower[at].endswith("ed") and sentence.words[at + 1][0].isupper() and word not in ("retired",)


def _stops(sentence: Sentence, at: int, begin: int) -> bool:
    word = sentence.lower[at]
    if word == "-" or word == "'":
        return False
    if word == "of" and at > begin and sentence.lower[at - 1] in ("series", "type", "kind", "form", "piece", "work", "member", "genus", "species"):
        return True
    if word in ('"', "“", "”"):
        return not _quoted_attribute(sentence, at)
    if not word[0].isalnum():
        return True
    if word in lexicon().breaks or at > begin and word in lexicon().finite and word not in ("lost", "hit", "set", "stars", "cut", "lies", "plays", "works"):
        return True
    if at == begin and word in ("situated", "located", "based", "known", "born", "set", "written", "directed", "named", "found", "best"):
        return True
    if at > begin and (word == "starring" or _participle(sentence, at)) and word not in ("acting", "racing", "leading", "recording", "unincorporated", "animated"):
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
    return following.isalpha() and following not in lexicon().breaks and following not in ("and", "directed", "starring", "written")


def _describe(sentence: Sentence, begin: int, end: int, segments: list[tuple[int, int]], years: list[int]) -> TypePhrase | None:
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
        if start < last and sentence.words[last - 1][0].isalnum() and (start, last) != (first, first):
            parts.append((start, last))
    if not parts and not nationalities:
        return None
    return TypePhrase(begin, end, tuple(parts), tuple(nationalities), tuple(languages), tuple(years))


def _adjective(sentence: Sentence, at: int, last: int, nationalities: list[tuple[int, int]], languages: list[tuple[int, int]]) -> int:
    """If a nationality or language stands at ``at``, record it and return its length in words."""
    word = sentence.words[at]
    if not word[0].isupper():
        return 0
    people, lower = lexicon().people_of, sentence.lower
    for size in (3, 2, 1):
        if at + size <= len(sentence) and at + size <= last + (size > 1):
            text = " ".join(lower[at : at + size])
            if text in people or text in lexicon().place_of and at + size < last:
                if lower[at + size : at + size + 1] == ["-"] and sentence.word(at + size + 1) in ("language", "born", "speaking"):
                    taken = nationalities if sentence.word(at + size + 1) == "born" else languages
                    taken.append((sentence.starts[at], sentence.ends[at + size - 1]))
                    return size + 2
                if text == "roman" and sentence.word(at + 1) == "catholic":
                    return 0
                nationalities.append((sentence.starts[at], sentence.ends[at + size - 1]))
                return size
    return _compound(sentence, at, nationalities, languages)


def _compound(sentence: Sentence, at: int, nationalities: list[tuple[int, int]], languages: list[tuple[int, int]]) -> int:
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
        return 2 if sentence.word(at + 1) == "language" else 1
    if lower not in lexicon().no_nationality and re.fullmatch(r"[A-Z][a-zà-ÿ]{2,}(?:ish|ian|an|ese|ene)", word) and at + 1 < len(sentence):
        nationalities.append((start, start + len(word)))
        return 1
    return 0


