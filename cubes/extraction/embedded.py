"""The embedded extractor: one pass of rules over a section for all dimensions of all cubes (MultiCube-
RAG eq. 6).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..core.language import detect
from ..core.records import Document, Fact, Section
from ..model.ontology import Ontology
from .header import Header, find_header
from .mention_labels import document_label, read_mentioned
from .plan import LIFE_VERBS, CuePhrase, ExtractionPlan
from .relations.aliases import read_aliases, read_subject
from .relations.clauses import Clauses, read_clauses
from .relations.cues import read_active, read_by, read_dated, read_phrase, read_roles
from .relations.kin import read_kin
from .relations.lives import life_in_brackets, lives_in_prose
from .relations.mentions import read_mentions
from .relations.patterns import (
    read_awards,
    read_containment,
    read_event_date,
    read_homeland,
    read_maker,
    read_type,
    read_year,
)
from .section_state import VERSION, Referent, SectionState
from .sentence_split import section_sentences
from .subject import find_subject
from .words.dates import date_spans
from .words.lexicon import group, lexicon
from .words.name_parts import plain_words
from .words.names import KnownNames, spot_names
from .words.words import Sentence, split_words

__all__ = ["EmbeddedExtractor", "read_sentences"]


class EmbeddedExtractor:
    """Reads facts by rules and word lists: no model, no network, the same facts every time.

    Titles seen by `prepare` are found in text as names. Everything else comes from the ontology's nouns and
    cues.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._hypercubes = tuple(cube for cube in ontology.cubes if cube.is_hypercube)
        others = tuple(cube for cube in ontology.cubes if not cube.is_hypercube)
        self._plan = ExtractionPlan(ontology.model_copy(update={"cubes": others})) if others else None
        self._plain: tuple[str, frozenset[str]] = ("", frozenset())
        self._language: tuple[str, str] = ("", "en")
        self._known = KnownNames()
        self._known.add(lexicon().countries)

    @property
    def version(self) -> str:
        """Name and version of the rules; facts carry it as their origin."""
        return VERSION

    def prepare(self, documents: Sequence[Document]) -> None:
        """Learn the documents' titles as names."""
        self._known.add(document.title for document in documents)

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        """Return the facts of one section in the order of the text; every value is ``text[start:end]``.

        English rules read nothing true from another language, so there are none of such a document.
        """
        if self._language_of(document) != "en":
            return []
        sentences = read_sentences(section, self._known)
        if not sentences:
            return []
        label = document_label(document)
        plain = self._plain_words(document) if self._hypercubes else frozenset()
        found = [fact for cube in self._hypercubes for fact in read_mentioned(section, label, sentences, cube, plain)]
        if self._plan is not None:
            found += self._read(section, sentences, self._plan)
        return sorted(found, key=_order)

    def _language_of(self, document: Document) -> str:
        """The language of a document; its sections come one after the other."""
        if self._language[0] != document.id:
            self._language = document.id, detect(document.text)
        return self._language[1]

    def _plain_words(self, document: Document) -> frozenset[str]:
        """The words that a document writes without a capital; its sections come one after the other."""
        if self._plain[0] != document.id:
            self._plain = document.id, plain_words(document.text)
        return self._plain[1]

    def _read(self, section: Section, sentences: list[Sentence], plan: ExtractionPlan) -> Collection[Fact]:
        """Read what a section says of its subject and of others."""
        header = find_header(sentences, section.title)
        subject = find_subject(section, header, sentences, plan)
        phrase, starts = header.phrase, header.sentence.starts
        head = (starts[phrase.start], starts[phrase.end - 1] + 1) if phrase is not None else (0, 0)
        state = SectionState(section, plan, sentences, subject, head)
        read_subject(state, header)
        life_in_brackets(state, header)
        read_type(state, header)
        self._read_sentences(state, header)
        read_containment(state, header)
        read_homeland(state, header)
        read_maker(state, header)
        read_event_date(state)
        read_year(state, header)
        read_mentions(state)
        return state.facts.values()

    def _read_sentences(self, state: SectionState, header: Header) -> None:
        lowered = _lower(state.text)
        matches = state.plan.find(lowered)
        previous: Referent | None = state.subject
        at = 0
        for sentence in state.sentences:
            clauses = read_clauses(state, sentence, previous, header if header.sentence is sentence else None)
            read_kin(state, sentence, clauses)
            read_aliases(state, header, sentence, clauses)
            read_roles(state, sentence, clauses)
            read_awards(state, sentence, clauses)
            _read_verbs(state, sentence, clauses)
            here: list[tuple[int, int, list[CuePhrase]]] = []
            while at < len(matches) and matches[at][0] < sentence.span.end:
                start, end, phrases = matches[at]
                at += 1
                if start >= sentence.span.start:
                    here.append((start, end, phrases))
            for start, end, phrases in sorted(here, key=lambda match: match[0] - match[1]):
                read_active(state, sentence, clauses, start, end, phrases)
                read_phrase(state, sentence, clauses, start, end, phrases)
            previous = clauses.who[0] if clauses.who else state.subject


def read_sentences(section: Section, known: KnownNames) -> list[Sentence]:
    """Return a section's sentences as words, with names and dates marked."""
    found: list[Sentence] = []
    dates = date_spans(section.text)
    familiar = frozenset(section.title.lower().split()) - group("common_in_titles")
    for span in section_sentences(section):
        sentence = split_words(section.text, span)
        if not len(sentence):
            continue
        _mark_dates(sentence, dates)
        spot_names(sentence, known, familiar)
        found.append(sentence)
    return found


def _mark_dates(sentence: Sentence, dates: list[tuple[int, int]]) -> None:
    for start, end in dates:
        if sentence.span.start <= start < sentence.span.end:
            first, last = sentence.index(start), sentence.index(end)
            for index in range(first, max(last, first + 1)):
                if index < len(sentence):
                    sentence.dates[index] = (start, end, max(last, first + 1))


def _read_verbs(state: SectionState, sentence: Sentence, clauses: Clauses) -> None:
    for at, word in enumerate(sentence.lower):
        if word == "by" or (word == "starring" and sentence.word(at - 1) == "and"):
            read_by(state, sentence, clauses, at)
        elif (state.subject.cube, word) in state.plan.dated and at not in sentence.mention_at:
            read_dated(state, sentence, clauses, at)
        elif word in LIFE_VERBS:
            lives_in_prose(state, sentence, at, clauses.at(at))


def _lower(text: str) -> str:
    """Lower case of the same length, so that positions stay true ("İ" would grow)."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _order(fact: Fact) -> tuple[int, int, str, str, str, str]:
    return (fact.span.start, fact.span.end, fact.cube, fact.dimension, fact.relation, fact.subject)
