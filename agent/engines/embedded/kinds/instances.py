"""Which things answer a question that several do: "which drugs are used for ...", each an answer instance (MuISQA).

A thing speaks for itself twice. The span reader points at it in a section; and what belongs to what a question names is
named together with it, again and again: a drug with the disease it is used for, a river with the hills it comes from. A
town or a person beside them is named once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Span
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.wording import asked_words, names_asked, names_in
from .....graphs.records import Evidence
from ..answers.span import PredictedSpan
from ..vocabulary.wordlists import CALENDAR, OPENING

__all__ = ["Instance", "Read", "candidates", "in_text", "overlap", "topics_of"]

Read = Callable[[str, Sequence[Evidence]], Sequence[PredictedSpan]]
"""Points at words of sections that answer a question; see `ExtractiveReader.spans`."""

_SLOPE, _EVEN = 0.3, 1.2
"""Of the curve from a span's margin to how likely it is right, and the margin at which that is even."""
_POINTED, _TOGETHER = 1.0, 0.4
"""What the reader's best word on a thing counts, where it is sure, and each section that names it with the topic."""
_CLEAR = 0.5
_TOKEN = re.compile(r"[^\s()\[\]\"“”„,;:!?]+")
_CODE = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])\S{3,}")
_INSIDE = re.compile(r"(?<=[^\s.?!:] )[^\W\d_a-z][\w'’-]*")
_LONGEST = 6  # words of a thing's name


@dataclass(frozen=True, slots=True)
class Instance:
    """A thing that may answer, with the sentence that speaks for it most; ``score`` grows with what speaks for it.

    ``sections`` is how many name it.
    """

    name: str
    section_id: str
    sentence: Span
    score: float
    sections: int = 1


def candidates(head: str, evidence: Sequence[Evidence], read: Read, least: float) -> list[Instance]:
    """Return the things that may answer ``head``, the likeliest first, for which ``least`` speaks.

    They are all written with a number, or all without, as what most speaks for is.
    """
    topics = topics_of(head)
    about = [e for e in evidence if all(in_text(topic, e) for topic in topics)]
    names = [list(_names(section)) for section in about]
    pointed = _pointed(head, about, names, read)
    inside = {match[0] for e in about for match in _INSIDE.finditer(_whole_text(e))}
    found: dict[str, Instance] = {}
    for name in dict.fromkeys(name for each in names for name in each):
        key = base_key(name)
        if not key or key in found or overlap(key, fold(head)) or any(overlap(topic, key) for topic in topics):
            continue
        told = [each.get(key, 0.0) for each in pointed]
        # A word with a capital because a sentence begins with it is no name, unless it is what answers.
        if " " in name or name in inside or _CODE.fullmatch(name) or max(told) >= _CLEAR:
            found[key] = _weighed(name, about, told, head)
    likely = (one for one in found.values() if one.score >= least)
    ranked = _each_once(sorted(likely, key=lambda one: -one.score))
    numbered = [one for one in ranked if any(c.isdigit() for c in one.name)]
    others = [one for one in ranked if one not in numbered]
    return max(numbered, others, key=lambda each: sum(one.score for one in each))


def topics_of(head: str) -> list[str]:
    """The names that a question names, folded."""
    return [fold(name) for name in names_asked(head)]


def in_text(key: str, section: Evidence) -> bool:
    """Whether a folded name stands in a section or its title."""
    return f" {key} " in f" {fold(_whole_text(section))} "


def overlap(value: str, other: str) -> bool:
    """Whether one text holds the other as whole words.

    >>> overlap("Dornal palsy", "the Dornal"), overlap("palsy", "Dorn")
    (True, False)
    """
    one, two = f" {base_key(value)} ", f" {base_key(other)} "
    return bool(one.strip() and two.strip()) and (one in two or two in one)


def _whole_text(section: Evidence) -> str:
    return f"{section.title}. {section.text}"


def _names(section: Evidence) -> Iterator[str]:
    """The names and codes in a section."""
    text = _whole_text(section)
    tokens = {token[0].rstrip(".") for token in _TOKEN.finditer(text)}
    for name in names_in(text):
        words = name.split()
        clear = tokens.issuperset(words) and not {fold(word) for word in words} & CALENDAR
        if clear and fold(words[0]) not in OPENING and len(name) > 1 and len(words) <= _LONGEST:
            yield name
    yield from (token for token in sorted(tokens) if _CODE.fullmatch(token) and not token[0].isdigit())


def _pointed(
    head: str, about: Sequence[Evidence], names: Sequence[Sequence[str]], read: Read
) -> list[dict[str, float]]:
    """For each section the names, by key, that stand in what the reader points at, with how likely that is right."""
    found: list[dict[str, float]] = [{} for _ in about]
    for span in read(head, about):
        likely = 1 / (1 + math.exp(-_SLOPE * (span.margin - _EVEN)))
        # A span may end within a word: "714" of "c.714G>A".
        words = [m for m in _TOKEN.finditer(about[span.section].text) if m.start() < span.end and m.end() > span.start]
        said = fold(" ".join(word[0] for word in words))
        for key in {base_key(name) for name in names[span.section]}:
            if f" {key} " in f" {said} ":
                found[span.section][key] = max(likely, found[span.section].get(key, 0.0))
    return found


def _weighed(name: str, about: Sequence[Evidence], told: Sequence[float], head: str) -> Instance:
    """What speaks for a thing in all sections, with the best sentence of the surest."""
    key = base_key(name)
    naming = [n for n, section in enumerate(about) if in_text(key, section)]
    best = max(naming, key=lambda n: (told[n], -n), default=0)
    score = _POINTED * max(told) + _TOGETHER * (len(naming) - 1)
    return Instance(name, about[best].section_id, _sentence(key, head, about[best].text), score, len(naming))


def _sentence(key: str, head: str, text: str) -> Span:
    """The sentence that names a thing with most words of the question."""
    wanted = set(asked_words(head))

    def fits(span: Span) -> tuple[bool, int]:
        said = text[span.start : span.end]
        return f" {key} " in f" {fold(said)} ", len(wanted & set(asked_words(said)))

    return max(sentences(text), key=fits, default=Span(0, len(text)))


def _each_once(ranked: Sequence[Instance]) -> list[Instance]:
    """Each thing once: of a name and a longer one that holds it, the one that more speaks for, the first."""
    kept: list[Instance] = []
    for one in ranked:
        if not any(overlap(one.name, other.name) for other in kept):
            kept.append(one)
    return kept
