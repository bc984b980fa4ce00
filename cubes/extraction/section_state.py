"""What is known about one section while it is read: its sentences, its subject, and the facts found so
far.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.folding import base_key, fold, words
from ..core.records import Fact, Section, Span
from .plan import CueEntry, ExtractionPlan
from .subject import Header, Referent, name_words, sex_of
from .words.values import without_courtesy
from .words.words import NameSpan, Sentence

__all__ = ["ALIAS", "CUE", "MENTION", "STRUCTURE", "VERSION", "SectionState"]

VERSION = "embedded/9"
STRUCTURE, ALIAS, CUE, MENTION = 0.95, 0.9, 0.8, 0.3
"""How sure a fact is: read from a structure, a name given as another name, a cue phrase, a mere mention."""


@dataclass
class SectionState:
    """The state of reading one section."""

    section: Section
    plan: ExtractionPlan
    sentences: list[Sentence]
    subject: Referent
    header: Header
    facts: dict[tuple[str, str, str, str, int, int], Fact] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The section's text."""
        return self.section.text

    def emit(self, who: Referent, entry: CueEntry, start: int, end: int, sentence: Sentence, confidence: float) -> None:
        """Record that the characters ``start`` to ``end`` are the entry's value for ``who``, and the inverse.

        Nothing is its own value; only the subject has other names.
        """
        value, text = (start, end), self.text[start:end]
        if entry.cue.pattern == "alias":
            if who.main:
                self.alias(value, sentence)
            return
        named = self.text[who.span[0] : who.span[1]] if who.span is not None else who.label
        if entry.kind == "person" and fold(text) in (fold(who.label), base_key(who.label), fold(named)):
            return
        self.relate(who, entry, entry.cue.relation, value, sentence, confidence)
        span, inverses = who.span, self.plan.inverses(entry)
        told = [each for each in inverses if each.sex in (None, who.sex)] or inverses
        if told and span is not None and span != value:
            self.relate(Referent(text, told[0].cube), told[0], told[0].cue.relation, span, sentence, confidence * 0.9)

    def alias(self, span: tuple[int, int], sentence: Sentence) -> None:
        """Record another name of the subject, by which it is known from here on."""
        who, text = self.subject, self.text[span[0] : span[1]]
        if fold(text) not in (fold(who.label), base_key(who.label)):
            self.relate(who, self.plan.named(who.cube), "also known as", span, sentence, ALIAS)
            who.names |= name_words(text)

    def is_subject(self, mention: NameSpan) -> bool:
        """Whether a mention names the section's subject."""
        return self.subject.named_by(words(self.text[mention.start : mention.end]))

    def referent(self, mention: NameSpan, sentence: Sentence) -> Referent:
        """The thing that a mention names, without courtesy titles: the subject, or what its last word tells, or a person."""
        if self.is_subject(mention):
            return self.subject
        first = without_courtesy(sentence, mention.first, mention.last)
        start = sentence.starts[first] if first > mention.first else mention.start
        label = self.text[start : mention.end]
        told = self.plan.nouns.get(sentence.lower[mention.last - 1], ()) if mention.last - first > 1 else ()
        cube = told[0] if told else self.plan.person or self.plan.default  # "Pellam Bridge"
        return Referent(label, cube, (start, mention.end), sex=sex_of(label), names=name_words(label))

    def found(self, relation: str) -> bool:
        """Whether the subject has a fact with this relation already."""
        return any(fact.relation == relation and fact.subject == self.subject.label for fact in self.facts.values())

    def relate(
        self, who: Referent, entry: CueEntry, relation: str, span: tuple[int, int], sentence: Sentence,
        confidence: float,
    ) -> None:  # fmt: skip
        """Record a fact; where it is known already, the surer one stays."""
        key = (entry.cube, entry.dimension.id, who.label, relation, *span)
        known = self.facts.get(key)
        if known is None or known.confidence < confidence:
            self.facts[key] = Fact(
                self.section.id, entry.cube, entry.dimension.id, who.label, relation, self.text[span[0] : span[1]],
                entry.kind, Span(*span), sentence.span, round(confidence, 3), VERSION,
            )  # fmt: skip
