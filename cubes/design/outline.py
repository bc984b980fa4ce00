"""What a section says without any ontology: what its subject is called and is, and which values it ties to it how.

This is what ontologies are designed from (`multicube.cubes.design`): type nouns, names with the kinds that their form
shows, dates, quantities, and the phrases in front of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..core.folding import fold, split_qualifier
from ..core.quantities import quantity_spans
from ..core.records import Section
from ..extraction.embedded import read_sentences
from ..extraction.subject import find_header
from ..extraction.words.lexicon import group
from ..extraction.words.values import kind_of
from ..extraction.words.words import KnownNames, NameSpan, Sentence, is_verb

__all__ = ["FoundValue", "SectionOutline", "outline"]

_PERSONAL = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
_EMPTY = frozenset(
    {"is", "was", "are", "were", "be", "been", "being", "has", "have", "had", "became", "said", "says", "say", "told",
     "tells", "explained", "explains", "added", "adds", "noted", "notes", "called", "named", "known"}
)  # fmt: skip
"""Verbs that tie nothing to anything."""
_PARTICIPLES = frozenset({"born", "starring"})
_SKIPPED = frozenset({"the", "a", "an", "his", "her", "its", "their", "about", "around", "some", "early", "late"})
_LONGEST_PHRASE = 4
"""Words of a phrase at most: a verb, an adverb and two prepositions."""


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value, the kind that its form shows ("" if it does not), and the phrase in front of it ("" for none)."""

    text: str
    kind: str
    phrase: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SectionOutline:
    """A section: what it is about, the nouns that say what that is, and the values in it.

    ``said`` is the sentence that says what the subject is. ``person`` says that it is spoken of as a person.
    """

    subject: str
    types: tuple[str, ...]
    said: str
    person: bool
    values: tuple[FoundValue, ...]


def outline(section: Section, known: KnownNames) -> SectionOutline | None:
    """Read a section; ``known`` are names that are found even where they hold lower-case words. None if it is empty."""
    sentences = read_sentences(section, known)
    if not sentences:
        return None
    types, said = _types(sentences, section.title)
    subject = frozenset(fold(split_qualifier(section.title)[0]).split())
    values = [value for sentence in sentences for value in _values(sentence, subject)]
    personal = len(_PERSONAL.findall(section.text))
    person = personal >= 2 and personal >= len(sentences) / 3
    return SectionOutline(section.title, types, said, person, tuple(values))


def _types(sentences: list[Sentence], title: str) -> tuple[tuple[str, ...], str]:
    """The nouns behind "is a", with the sentence; else what the title's bracket says."""
    header = find_header(sentences, title)
    last_words = (sentences[0].lower[last - 1] for _, last in header.phrase.segments)
    heads = [head for head in last_words if head.isalpha() and len(head) > 2]
    if heads:
        return tuple(dict.fromkeys(heads)), _told(sentences[0])
    qualifier = split_qualifier(title)[1].lower().split()
    if qualifier and qualifier[-1].isalpha():
        return (qualifier[-1],), title
    return (), ""


def _values(sentence: Sentence, subject: frozenset[str]) -> Iterator[FoundValue]:
    told = _told(sentence)
    for mention in sentence.named():
        text = sentence.text[mention.start : mention.end]
        if frozenset(fold(text).split()) <= subject or len(text) < 2:
            continue
        phrase = _phrase(sentence, mention.first)
        yield FoundValue(text, _kind(sentence, mention, phrase), phrase, told)
    for first, (start, end) in sorted(_first_words(sentence).items()):
        yield FoundValue(sentence.text[start:end], "date", _phrase(sentence, first), told)
    for start, end, measured in quantity_spans(sentence.text, sentence.span.start, sentence.span.end):
        first = sentence.index(start)
        if measured and first not in sentence.dates and first not in sentence.mention_at:
            yield FoundValue(sentence.text[start:end], "quantity", _phrase(sentence, first), told)


def _first_words(sentence: Sentence) -> dict[int, tuple[int, int]]:
    """Where each date of a sentence begins and ends, by its first word."""
    found: dict[tuple[int, int], int] = {}
    for index, (start, end, _) in sentence.dates.items():
        found[start, end] = min(index, found.get((start, end), index))
    return {index: span for span, index in found.items()}


def _kind(sentence: Sentence, mention: NameSpan, phrase: str) -> str:
    kind = kind_of(sentence, mention)
    if kind is not None:
        return kind
    before, placed = sentence.word(mention.first - 1), group("before_places")
    if before in placed or (before == "the" and sentence.word(mention.first - 2) in placed):
        return "place"
    return "person" if phrase.endswith(" by") and 2 <= mention.last - mention.first <= 4 else ""


def _phrase(sentence: Sentence, first: int) -> str:
    """The verb or noun with its prepositions in front of a word: "directed by", "born in", "capital of", "wrote"."""
    end = first
    while end > max(0, first - 3) and (sentence.word(end - 1) in _SKIPPED or not sentence.lower[end - 1][0].isalnum()):
        end -= 1
    at = end
    while at > 0 and sentence.word(at - 1) in group("prepositions") and at > end - 2:
        at -= 1
    if at == 0 or at - 1 in sentence.mention_at or at - 1 in sentence.dates:
        return ""
    word = sentence.word(at - 1)
    if not word.isalpha() or word in _EMPTY or not sentence.words[at - 1].islower():
        return ""
    tied = at < end
    verb = is_verb(sentence, at - 1) or word.endswith("ed") or word in _PARTICIPLES
    noun = tied and sentence.word(end - 1) == "of" and word not in group("initial")
    if verb or word in group("irregular_participles") or noun:
        return " ".join(sentence.lower[max(at - 1, end - _LONGEST_PHRASE) : end])
    return ""


def _told(sentence: Sentence) -> str:
    return " ".join(sentence.text[sentence.span.start : sentence.span.end].split())
