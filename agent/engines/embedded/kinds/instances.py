"""Which things answer a question that several do: "which drugs are used for ...", each an answer instance (MuISQA).

A thing speaks for itself twice. The span reader, or a sentence in the question's own words, points at it in a section;
and what belongs to what a question names is named together with it, again and again: a drug with the disease it is
used for, a river with the hills it comes from. A town or a person beside them is named once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.wording import asked_words, names_asked, names_in, stems
from .....graphs.records import Evidence
from ..answers.span import PredictedSpan
from ..vocabulary.wordlists import CALENDAR, OPENING

__all__ = ["GOES_ON", "Instance", "Read", "about_all", "alike", "candidates", "in_text", "telling", "topics_of"]

Read = Callable[[str, Sequence[tuple[str, str]]], Sequence[PredictedSpan]]
"""Points at words of sections that answer a question; see `span.SpanReader.read`."""

_SLOPE, _EVEN = 0.3, 1.2
"""Of the curve from a span's margin to how likely it is right, and the margin at which that is even."""
_POINTED, _TOGETHER = 1.0, 0.4
"""What the reader's best word on a thing counts, where it is sure, and each section that names it with the topic."""
_CLEAR = 0.5
_LEAST = 0.02  # of how likely the reader is right, to be taken down
_BOTH = 0.2  # of how likely the reader is right in a section that lists two things
_TOLD = 0.6
"""How likely a section is about an instance that says so in the question's words."""
_TOKEN = re.compile(r"[^\s()\[\]\"“”„,;:!?]+")
_CODE = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])\S{3,}")
_INSIDE = re.compile(r"(?<=[^\s.?!:] )[^\W\d_a-z][\w'’-]*")
GOES_ON = re.compile(r"\s*(?:It|He|She|They|This|These|The)\b")
"""How a sentence begins that goes on about what its section is about."""
_SHARE, _NEARLY = 0.6, 0.8
"""The least share of a question's words in a text that speaks of what is asked; where the question names nothing."""
_LONGEST = 6  # words of a thing's name
_BACK = 60  # characters before a name that are looked at
_FIRST = 2  # things, the likeliest, whose way of being written tells that of the others
_PLACES = frozenset({"in", "at", "near", "above", "below", "outside", "around"})


@dataclass(frozen=True, slots=True)
class Instance:
    """A thing that may answer, with the sentence that speaks for it most; ``score`` grows with what speaks for it.

    ``sections`` are the numbers of those that name it. ``article`` is whether it is written with one ("the Rhine"),
    None where no text tells; ``placed`` whether it is only ever written as where something is ("near Cologne").
    ``pointed`` is whether the reader is sure of it.
    """

    name: str
    section_id: str
    sentence: Span
    score: float
    sections: frozenset[int] = frozenset()
    article: bool | None = None
    placed: bool = False
    pointed: bool = False


def candidates(head: str, evidence: Sequence[Evidence], read: Read | None) -> list[Instance]:
    """Return the things that may answer ``head``, the likeliest first, from sections that may hold them."""
    topics = topics_of(head)
    about = [e for e in evidence if all(in_text(topic, _whole_text(e)) for topic in topics)]
    names = _names(about)
    pointed = _pointed(head, about, names, read)
    inside = {match[0] for e in about for match in _INSIDE.finditer(_whole_text(e))}
    asked = f" {fold(head)} "
    found: dict[str, Instance] = {}
    for name in dict.fromkeys(name for each in names for name in each):
        key = base_key(name)
        of_topic = f" {key} " in asked or any(f" {topic} " in f" {key} " for topic in topics)
        # A word with a capital because a sentence begins with it is no name, unless it is what answers.
        clear = " " in name or name in inside or _CODE.fullmatch(name) or _surest(key, pointed) >= _CLEAR
        if key and key not in found and not of_topic and clear:
            found[key] = _weighed(name, key, about, pointed, head)
    return _independent(_each_once(sorted(found.values(), key=lambda one: -one.score)), pointed)


def topics_of(head: str) -> list[str]:
    """The names that a question names, folded."""
    return [fold(name) for name in names_asked(head)]


def alike(found: Sequence[Instance]) -> list[Instance]:
    """The things that are written as what most speaks for: all with a number, or all without.

    Where the likeliest ones have an article, or are not only places where something is, so must the others that the
    reader is not sure of.
    """
    numbered = [one for one in found if any(c.isdigit() for c in one.name)]
    others = [one for one in found if one not in numbered]
    kept = max(numbered, others, key=lambda each: sum(one.score for one in each))
    first = kept[:_FIRST]
    if len(first) == _FIRST and all(one.article for one in first):
        kept = [one for one in kept if one.pointed or one.article is not False]
    if len(first) == _FIRST and not any(one.placed for one in first):
        kept = [one for one in kept if one.pointed or not one.placed]
    return kept


def _independent(ranked: Sequence[Instance], pointed: Sequence[dict[str, float]]) -> list[Instance]:
    """Leave out what is only named beside likelier ones that are named elsewhere too: it belongs to those.

    Not so where a section points at both: it lists them.
    """
    kept: list[Instance] = []
    for one in ranked:
        key = base_key(one.name)
        holders = [other for other in kept if not other.sections <= one.sections]
        beside = one.sections <= frozenset(n for other in holders for n in other.sections)
        both = any(min(each.get(key, 0.0), each.get(base_key(other.name), 0.0)) >= _BOTH
                   for other in holders for each in pointed)  # fmt: skip
        if both or not beside:
            kept.append(one)
    return kept


def _surest(key: str, pointed: Sequence[dict[str, float]]) -> float:
    return max(each.get(key, 0.0) for each in pointed)


def in_text(key: str, text: str) -> bool:
    """Whether a folded name stands in a text."""
    return f" {key} " in f" {fold(text)} "


def _whole_text(section: Evidence) -> str:
    return f"{section.title}. {section.text}"


def _names(about: Sequence[Evidence]) -> list[list[str]]:
    """The names and codes in each section; not words that others write small."""
    texts = [_whole_text(section) for section in about]
    plain = {word for text in texts for word in text.split() if word.islower()}
    found = [list(dict.fromkeys(_capitals_and_codes(text))) for text in texts]
    return [[name for name in names if name.lower() not in plain] for names in found]


def _capitals_and_codes(text: str) -> Iterator[str]:
    tokens = {token[0].rstrip(".") for token in _TOKEN.finditer(text)}
    for name in names_in(text):
        words = name.split()
        clear = tokens.issuperset(words) and not {fold(word) for word in words} & CALENDAR
        if clear and fold(words[0]) not in OPENING and len(name) > 1 and len(words) <= _LONGEST:
            yield name
    yield from (token for token in sorted(tokens) if _CODE.fullmatch(token) and not token[0].isdigit())


def _pointed(
    head: str, about: Sequence[Evidence], names: Sequence[Sequence[str]], read: Read | None
) -> list[dict[str, float]]:
    """For each section the names, by key, that stand in what the reader points at, with how likely that is right."""
    found: list[dict[str, float]] = [{} for _ in about]
    for span in read(head, [(e.title, e.text) for e in about]) if read is not None and about else ():
        said = fold(_snapped(about[span.section].text, span.start, span.end))
        likely = 1 / (1 + math.exp(-_SLOPE * (span.margin - _EVEN)))
        for key in {base_key(name) for name in names[span.section]}:
            if f" {key} " in f" {said} " and likely >= _LEAST:
                found[span.section][key] = max(likely, found[span.section].get(key, 0.0))
    for n, section in enumerate(about):
        key = base_key(section.title)
        if telling(head, section) is not None and key in {base_key(name) for name in names[n]}:
            found[n][key] = max(_TOLD, found[n].get(key, 0.0))
    return found


def _snapped(text: str, start: int, end: int) -> str:
    """The span with the rest of the words it begins and ends in."""
    held = [m for m in _TOKEN.finditer(text) if m.start() < end and m.end() > start]
    return text[held[0].start() : held[-1].end()] if held else ""


def _weighed(
    name: str, key: str, about: Sequence[Evidence], pointed: Sequence[dict[str, float]], head: str
) -> Instance:
    """What speaks for a thing in all sections, with the best sentence of the surest."""
    naming = [n for n, e in enumerate(about) if in_text(key, _whole_text(e))]
    told = {n: pointed[n].get(key, 0.0) for n in naming}
    best = max(naming, key=lambda n: (told[n], -n), default=0)
    score = _POINTED * max(told.values(), default=0.0) + _TOGETHER * (len(naming) - 1)
    sentence = _sentence(key, head, about[best].text)
    before = _words_before(name, [about[n].text for n in naming])
    article = 2 * before.count("the") > len(before) if before else None
    placed = bool(before) and _PLACES.issuperset(before)
    sure = max(told.values(), default=0.0) >= _CLEAR
    return Instance(name, about[best].section_id, sentence, score, frozenset(naming), article, placed, sure)


def _words_before(name: str, texts: Sequence[str]) -> list[str]:
    """The word before each mention of a name, "" where there is none.

    Mentions with what the thing is are left out: "the river Crane" has no article of its own, nor is it bare.
    """
    mention = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    starts = ((text, found.start()) for text in texts for found in mention.finditer(text))
    before = (text[max(0, start - _BACK) : start].split()[-2:] for text, start in starts)
    return [words[-1].lower() if words else "" for words in before if not _is_class(words)]


def _is_class(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[0].lower() == "the" and words[1].islower()



def _sentence(key: str, head: str, text: str) -> Span:
    """The sentence that names a thing with most words of the question."""
    spans, wanted = list(sentences(text)), set(asked_words(head))

    def fits(span: Span) -> tuple[bool, int]:
        said = text[span.start : span.end]
        return in_text(key, said), len(wanted & set(asked_words(said)))

    return max(spans, key=fits, default=Span(0, len(text)))


def _each_once(ranked: Sequence[Instance]) -> list[Instance]:
    """Each thing once: of a name and a longer one that holds it, the one that more speaks for, the first."""
    kept: list[Instance] = []
    for one in ranked:
        key = f" {base_key(one.name)} "
        others = (f" {base_key(other.name)} " for other in kept)
        if not any(key in other or other in key for other in others):
            kept.append(one)
    return kept


def about_all(question: str, text: str) -> bool:
    """Whether a text speaks of everything that a question names, and of most of what it says of it.

    Where it names nothing, its words are all there is to go by, and nearly all must be there.
    """
    asked, names, said = set(asked_words(question)), list(names_in(question)), f" {fold(text)} "
    if not asked or any(f" {fold(name)} " not in said for name in names):
        return False
    return len(asked & set(stems(text))) >= (_SHARE if names else _NEARLY) * len(asked)


def telling(question: str, section: Evidence) -> Span | None:
    """Return the sentence by which a section says of what it is about that it is what the question asks for.

    It speaks of nearly all that is asked, and names the section's title or goes on about it ("It is used for ..."):
    what a section says of other things makes it no answer.
    """
    title, asked = base_key(section.title), f" {fold(question)} "
    if not title or f" {title} " in asked:
        return None
    for span in sentences(section.text):
        said = section.text[span.start : span.end]
        own = f" {title} " in f" {fold(said)} " or GOES_ON.match(said) is not None
        if own and about_all(question, f"{section.title} {said}"):
            return span
    return None
