"""What a section mentions, for hypercubes: names, dates, amounts and terms on the dimensions they are values of.

A hypercube (Hypercube-RAG 3.2, eq. 1) files documents under the entities in them, whatever is said of these. A name or
term whose last word is one of a dimension's ``heads`` lies there; any other name on the first dimension of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePath

from ..core.lexical import STOP_WORDS
from ..core.records import Document, Fact, Section, Span
from ..model.ontology import CubeSpec, Dimension
from .section_state import MENTION, VERSION
from .words.lexicon import group, lexicon
from .words.name_parts import pieces, serving_words
from .words.values import ValueSpan, kind_of
from .words.words import Sentence

__all__ = ["MENTIONS", "document_label", "read_mentioned"]

MENTIONS = "mentions"
"""The relation of a document to what stands in it."""

_MEASURE = re.compile(
    r"(?<![\w.])(?P<money>(?:US)?[$£€]\s?)?\d[\d,]*(?:\.\d+)?(?:\s(?:hundred|thousand|million|billion|trillion))?"
    r"(?P<unit>\s?%|\s(?:percent|per cent|dollars|euros|pounds|miles|feet|inches|meters|metres|kilometers|kilometres|"
    r"km|mph|acres|tons|gallons|days|weeks|months|years|hours|degrees|mg|kg|ml|mm|cm))?"
)
_PLACED = frozenset({"in", "at", "near", "across", "throughout", "outside"})
_STORMS = frozenset({"hurricane", "storm", "typhoon", "cyclone"})
"""What stands in front of a storm's own name, the last word: "Tropical Storm Fay"."""
_ACTING = frozenset({"who", "whose", "said", "says", "told", "wrote", "writes"})
"""What stands behind the name of a person who acts."""
_BEFORE = 3  # words of a term in front of its head
_ABBREVIATED = 5  # letters that an abbreviation has at most
_LINKS = frozenset({"of", "and", "or", "to", "for"})


def document_label(document: Document) -> str:
    """Return what a document is called in a hypercube: its title, or its record where it has none of its own."""
    untitled = document.title == PurePath(document.source).stem
    return document.record_id if untitled else document.title


def read_mentioned(
    section: Section, label: str, sentences: Sequence[Sentence], spec: CubeSpec, plain: frozenset[str]
) -> Iterator[Fact]:
    """Yield a fact for every place at which a section mentions a value of the hypercube's dimensions.

    ``plain`` are the words that its document also writes without a capital (`pieces.plain_words`).
    """
    dimensions = _Dimensions(spec)
    for sentence in sentences:
        taken: list[tuple[int, int]] = []
        for dimension, start, end in _found(sentence, dimensions, plain):
            if dimension is None or any(start < other_end and other < end for other, other_end in taken):
                continue
            taken.append((start, end))
            yield Fact(
                section.id, spec.id, dimension.id, label, MENTIONS, section.text[start:end], dimension.kind,
                Span(start, end), sentence.span, MENTION, VERSION,
            )  # fmt: skip


class _Dimensions:
    """The dimensions of a hypercube by the words that their values end with, and by the kind of these."""

    def __init__(self, spec: CubeSpec) -> None:
        self.by_head = {word.lower(): d for d in reversed(spec.attributes) for word in d.heads}
        self.by_kind: dict[str, Dimension] = {d.kind: d for d in reversed(spec.attributes)}
        plain = next((d for d in spec.attributes if d.kind == "organization" or d.kind == "name"), None)
        self.unknown = plain

    def headed(self, word: str) -> Dimension | None:
        word = word.lower().rstrip(".")
        return self.by_head.get(word) or (self.by_head.get(word[:-1]) if word.endswith("s") else None)


def _found(
    sentence: Sentence, dimensions: _Dimensions, plain: frozenset[str]
) -> Iterator[tuple[Dimension | None, int, int]]:
    """Everything that may be a value, what is surest first."""
    for start, end, _ in dict.fromkeys(sentence.dates.values()):
        yield dimensions.by_kind.get("date"), start, end
    for match in _MEASURE.finditer(sentence.text, sentence.span.start, sentence.span.end):
        if match["money"] or match["unit"]:
            money = dimensions.headed("payment") if match["money"] else None
            yield money or dimensions.by_kind.get("quantity"), match.start(), match.end()
    for mention in sorted(sentence.mentions, key=lambda m: m.first):
        for first, last in pieces(sentence, mention, plain):
            end = mention.end if last == mention.last else sentence.ends[last - 1]
            name = ValueSpan(sentence.starts[first], end, first, last)
            yield _named(sentence, name, dimensions), name.start, name.end
    for index in reversed(range(len(sentence))):  # of "storm surge" the last word is the head
        dimension = dimensions.headed(sentence.lower[index])
        if dimension is not None:
            yield dimension, sentence.starts[_first(sentence, index)], sentence.ends[index]


def _named(sentence: Sentence, mention: ValueSpan, dimensions: _Dimensions) -> Dimension | None:
    """The dimension of a name: by its last word, by its form and what stands before it, else where all others go."""
    headed = dimensions.headed(sentence.lower[mention.last - 1])
    text = sentence.text[mention.start : mention.end]
    if headed is not None or len(text) < 2:
        return headed
    if mention.last - mention.first == 1 and text.lower() in STOP_WORDS:
        return None
    event = dimensions.by_kind.get("event")
    if event is not None and mention.last - mention.first > 1 and sentence.lower[mention.last - 2] in _STORMS:
        return event
    kind = kind_of(text, sentence, mention)
    if kind is None:
        kind = "place" if sentence.word(mention.first - 1) in _PLACED else _person(sentence, mention)
    return dimensions.by_kind.get(kind) or dimensions.unknown


def _person(sentence: Sentence, mention: ValueSpan) -> str:
    """A person's name has two to four words, and what stands beside it says what only persons are or do."""
    before, after = sentence.word(mention.first - 1).rstrip("."), sentence.word(mention.last)
    several = 2 <= mention.last - mention.first <= 4
    return "person" if several and (before in _person_words() or after in _ACTING) else ""


@lru_cache(maxsize=1)
def _person_words() -> frozenset[str]:
    """What a person is called in front of the name: by title, trade, office or kinship."""
    words = lexicon()
    return group("courtesy") | words.titles | group("offices") | {*group("occupations"), *words.sex_of_word}


def _first(sentence: Sentence, head: int) -> int:
    """Where the term that ends at ``head`` begins: the plain words in front of it belong to it.

    A heading in capitals is over where they end.
    """
    at, shouted = head, sentence.words[head].isupper()
    while at > 0 and head - at < _BEFORE and _is_part(sentence.lower[at - 1]) and (at - 1) not in sentence.dates:
        before = sentence.words[at - 1]
        if len(before) > _ABBREVIATED and before.isupper() and not shouted:
            break
        at -= 1
    return at


def _is_part(word: str) -> bool:
    plain = word.replace("-", "").isalpha() and len(word) > 2
    said = word in STOP_WORDS or word in _LINKS or word in lexicon().finite or word.endswith("ly")
    return plain and not said and word not in lexicon().initial and word not in serving_words()
