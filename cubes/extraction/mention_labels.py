"""What a section mentions, whatever it says of it: names, dates, amounts, terms on the dimensions they are values of.

A hypercube (Hypercube-RAG 3.2, eq. 1) files documents under the entities in them. A name or term whose last word is
one of a dimension's ``heads`` lies there; any other name on the first dimension of its kind. In other cubes the
attributes that no cue fills collect the names that no relation has read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from ..core.lexical import STOP_WORDS
from ..core.quantities import quantity_spans
from ..core.records import Document, Fact, Section, Span
from ..model.ontology import CubeSpec, Dimension
from .subject import MENTION, VERSION, SectionState
from .words.lexicon import group, lexicon
from .words.values import kind_of
from .words.words import NameSpan, Sentence

__all__ = ["MENTIONS", "document_label", "read_mentioned", "read_rest_of_names"]

MENTIONS = "mentions"
"""The relation of a document to what stands in it."""

_COLLECTED = frozenset({"person", "place", "organization", "work", "event", "date"})
_STORMS = frozenset({"hurricane", "storm", "typhoon", "cyclone"})  # in front of its own name: "Tropical Storm Fay"
_BEFORE = 3  # words of a term in front of its head


def document_label(document: Document) -> str:
    """Return what a document is called in a hypercube: its title, or its record where it has none of its own."""
    untitled = document.title == PurePath(document.source).stem
    return document.record_id if untitled else document.title


def read_mentioned(section: Section, label: str, sentences: Sequence[Sentence], spec: CubeSpec) -> Iterator[Fact]:
    """Yield a fact for every place at which a section mentions a value of the hypercube's dimensions."""
    return _Finder(section, label, spec, spec.attributes, {}).facts(sentences, set())


def read_rest_of_names(state: SectionState) -> Iterator[Fact]:
    """Yield each name and date that nothing else has read, once, on the dimension collecting its kind."""
    spec, who, seen = state.plan.cubes[state.subject.cube], state.subject, set[str]()
    collecting = [d for d in spec.attributes if not d.cues and d.kind in _COLLECTED]
    finder = _Finder(state.section, who.label, spec, collecting, state.plan.kinds)
    taken = {at for fact in state.facts.values() for at in range(fact.span.start, fact.span.end)}
    for fact in finder.facts(state.sentences if collecting and who.label else (), taken):
        if fact.value not in seen and not who.named_by(fact.value):
            seen.add(fact.value)
            yield fact


class _Finder:
    """Finds values by the words that they end with and by their kind, which the nouns of classes tell (``kinds``).

    Without kinds names of no known kind are labels too.
    """

    def __init__(
        self, section: Section, label: str, spec: CubeSpec, listed: Sequence[Dimension], kinds: Mapping[str, str]
    ) -> None:
        self.section, self.label, self.spec, self.kinds = section, label, spec, kinds
        self.by_head = {word.lower(): d for d in reversed(listed) for word in d.heads}
        self.by_kind: dict[str, Dimension] = {d.kind: d for d in reversed(listed)}
        self.unknown = next((d for d in listed if d.kind in ("organization", "name")), None) if not kinds else None

    def facts(self, sentences: Sequence[Sentence], taken: set[int]) -> Iterator[Fact]:
        """Facts of what sentences mention, where no other has ``taken`` a character of it."""
        for sentence in sentences:
            for dimension, start, end in self._found(sentence):
                if dimension is not None and taken.isdisjoint(range(start, end)):
                    taken.update(range(start, end))
                    yield Fact(
                        self.section.id, self.spec.id, dimension.id, self.label, MENTIONS, sentence.text[start:end],
                        dimension.kind, Span(start, end), sentence.span, MENTION, VERSION,
                    )  # fmt: skip

    def _found(self, sentence: Sentence) -> Iterator[tuple[Dimension | None, int, int]]:
        """Dates, amounts, names, and terms by their last word ("storm surge"); what is surest first."""
        for start, end, _ in dict.fromkeys(sentence.dates.values()):
            yield self.by_kind.get("date"), start, end
        if self.by_head:
            for start, end, measured in quantity_spans(sentence.text, sentence.span.start, sentence.span.end):
                yield self.by_kind.get("quantity") if measured else None, start, end
        for name in sentence.named():
            yield self._of_name(sentence, name), name.start, name.end
        for at in reversed(range(len(sentence) if self.by_head else 0)):
            if dimension := self._headed(sentence.lower[at]):
                yield dimension, sentence.starts[_first(sentence, at)], sentence.ends[at]

    def _headed(self, word: str) -> Dimension | None:
        word = word.rstrip(".")
        return self.by_head.get(word) or (self.by_head.get(word[:-1]) if word.endswith("s") else None)

    def _of_name(self, sentence: Sentence, name: NameSpan) -> Dimension | None:
        """The dimension of a name: by its last word, its form and what stands beside it, else where all others go."""
        text, lower = sentence.text[name.start : name.end], sentence.lower[name.first : name.last]
        headed, plain = self._headed(lower[-1]), (lexicon().people_of, group("languages"), STOP_WORDS)
        if headed is not None or (len(lower) == 1 and any(text.lower() in known for known in plain)):
            return headed
        several, placed = len(lower) > 1, sentence.word(name.first - 1) in group("before_places")
        personal = 2 <= len(lower) <= 4 and text.replace(" ", "").replace(".", "").isalpha()
        kinds = [kind_of(sentence, name), *(map(self.kinds.get, (lower[-1], lower[0])) if several else ()),
                 "event" if several and lower[-2] in _STORMS else None, "place" if placed else None,
                 "person" if personal and self.unknown is None else None]  # fmt: skip
        return self.by_kind.get(next(filter(None, kinds), "")) or self.unknown


def _first(sentence: Sentence, head: int) -> int:
    """Where the term that ends at ``head`` begins: the plain words in front of it belong to it."""
    at = head
    while at > max(0, head - _BEFORE) and at - 1 not in sentence.dates:
        word = sentence.lower[at - 1]
        plain = len(word) > 2 and word.replace("-", "").isalpha() and not word.endswith("ly")
        if not plain or word in group("finite") or word in group("initial"):
            break
        at -= 1
    return at
