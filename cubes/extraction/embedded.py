"""The embedded extractor: one pass of rules over a section for all dimensions of all cubes (MultiCube-RAG eq. 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..core.dates import date_spans
from ..core.folding import split_qualifier
from ..core.language import detect
from ..core.records import Document, Fact, Section, Span
from ..core.sentences import sentences
from ..model.ontology import Ontology
from .mention_labels import document_label, read_mentioned, read_rest_of_names
from .plan import ExtractionPlan
from .relations.introduction import Introduction
from .relations.matcher import Matcher
from .subject import VERSION, SectionState
from .words.lexicon import lexicon
from .words.words import KnownNames, Sentence, split_words, spot_names

__all__ = ["EmbeddedExtractor", "read_sentences"]

_CODE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)|\Z)", re.MULTILINE | re.DOTALL)
_BRACKETS = r"\([^()]{0,160}\)"
_language = lru_cache(maxsize=1)(detect)  # sections of a document come one after the other
_compiled = lru_cache(maxsize=8)(ExtractionPlan)  # an ingest of a few documents reads them faster than this is made


class EmbeddedExtractor:
    """Reads facts by rules and word lists: no model, no network, the same facts every time.

    Titles seen by `prepare` are found in text as names. All else comes from the ontology's nouns and cues.
    """

    def __init__(self, ontology: Ontology) -> None:
        self._hypercubes = tuple(cube for cube in ontology.cubes if cube.is_hypercube)
        others = tuple(cube for cube in ontology.cubes if not cube.is_hypercube)
        self._plan = _compiled(ontology.model_copy(update={"cubes": others})) if others else None
        self._known = KnownNames()
        self._known.add(lexicon().place_of.values())

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
        found_in = read_sentences(section, self._known) if _language(document.text) == "en" else []
        if not found_in:
            return []
        label = document_label(document)
        found = [fact for cube in self._hypercubes for fact in read_mentioned(section, label, found_in, cube)]
        if self._plan is not None:
            state = SectionState(section, self._plan, found_in)
            introduction = Introduction(state)
            introduction.read()
            for sentence in found_in[1:]:
                Matcher(state, sentence).read()
            introduction.guess()
            found += [*state.facts.values(), *read_rest_of_names(state)]
        return sorted(found, key=lambda f: (f.span.start, f.span.end, f.cube, f.dimension, f.relation, f.subject))


def read_sentences(section: Section, known: KnownNames) -> list[Sentence]:
    """Return a section's sentences as words, with names and dates marked."""
    found = [split_words(section.text, span) for span in _prose(section)]
    for sentence in found:
        sentence.date(date_spans(section.text, sentence.span.start, sentence.span.end))
        spot_names(sentence, known)
    return found


def _prose(section: Section) -> list[Span]:
    """The sentences of a section's prose, not of tables, figures and code. None ends in brackets or in its title."""
    text, title = section.text, "".join(split_qualifier(section.title)[0].split())
    letters = r"\s*".join(map(re.escape, title))
    whole = re.compile(rf"{_BRACKETS}|{letters}(?:\s*(?=\())?" if re.search("[.!?]", title) else _BRACKETS)
    kept = [found.span() for found in whole.finditer(text)]
    code = [found.span() for found in _CODE.finditer(text)]
    prose: list[Span] = []
    for span in sentences(text):
        if text.startswith(("|", "!["), span.start) or any(start <= span.start < end for start, end in code):
            continue
        inside = any(start < span.start <= end for start, end in kept)
        begin = prose.pop().start if prose and inside else span.start
        prose.append(Span(begin, span.end))
    return prose
