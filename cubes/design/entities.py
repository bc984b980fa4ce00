"""The entities of a sample: names, and recurring terms in lower case, with their kinds and documents."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..core.folding import base_key, split_qualifier
from ..core.lexical import STOP_WORDS
from ..extraction.words.lexicon import group, lexicon
from ..extraction.words.words import KnownNames
from .outline import SectionOutline, outline
from .sampling import Sample

__all__ = ["MOST", "Entity", "entities_of", "outlines_of"]

MOST = 800
"""Entities that are clustered, those in most documents first."""
TERM = "text"
_TERM_SHARE = (0.02, 0.5)
"""A term stands in at least and at most this share of the documents."""
_WORD = re.compile(r"[a-z]+(?![\w'’])|\S")


@dataclass(frozen=True, slots=True)
class Entity:
    """A name or term as it is mostly written; ``kind`` is "" where nothing shows it."""

    text: str
    kind: str
    documents: frozenset[str]


def outlines_of(sample: Sample) -> dict[str, list[SectionOutline]]:
    """Read the sample; returns the outlines of each document's sections by the document's id."""
    known = KnownNames()
    known.add(document.title for document in sample.documents)
    known.add(lexicon().place_of.values())
    read: dict[str, list[SectionOutline]] = {document.id: [] for document in sample.documents}
    for section in sample.sections():
        found = outline(section, known)
        if found is not None:
            read[section.document_id].append(found)
    return read


def entities_of(sample: Sample, read: Mapping[str, Sequence[SectionOutline]]) -> list[Entity]:
    """Return the sample's entities, those in most documents first."""
    common = {word for section in sample.sections() for word in _WORD.findall(section.text)}
    found = [*_names(read, common), *_terms(sample)]
    return sorted(found, key=lambda entity: (-len(entity.documents), entity.text))[:MOST]


def _names(read: Mapping[str, Sequence[SectionOutline]], common: set[str]) -> list[Entity]:
    """Names with the kind that most of their mentions show; a document's own subject says best what it is.

    A name that begins with a common noun ("Hurricane Ida") is no person's, whatever stands around it.
    """
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    spelled: dict[str, Counter[str]] = defaultdict(Counter)
    documents: dict[str, set[str]] = defaultdict(set)
    for document, outlines in read.items():
        for one in outlines[:1]:
            if one.person:
                votes[base_key(one.subject)]["person"] += 5
        for value in (value for one in outlines for value in one.values):
            if value.kind in ("date", "quantity"):
                continue
            key = base_key(value.text)
            spelled[key][value.text] += 1
            documents[key].add(document)
            if value.kind:
                votes[key][value.kind] += 1
    found = []
    for key in sorted(filter(None, spelled)):
        kind = _most(votes[key]) if votes[key] else ""
        first = key.split()[0]
        if kind == "person" and first in common and first not in group("titles"):
            kind = ""
        found.append(Entity(_most(spelled[key]), kind, frozenset(documents[key])))
    return found


def _terms(sample: Sample) -> list[Entity]:
    """Pairs of plain words that recur over documents ("storm surge"): what a corpus is about besides its names."""
    documents: dict[str, set[str]] = defaultdict(set)
    titles = {base_key(split_qualifier(document.title)[0]) for document in sample.documents}
    for section in sample.sections():
        words = _WORD.findall(section.text)
        for first, second in pairwise(words):
            if _plain(first) and _plain(second) and not second.endswith(("ing", "ly", "ed")):
                documents[f"{first} {second}"].add(section.document_id)
    least, most = (share * len(sample.documents) for share in _TERM_SHARE)
    return [
        Entity(term, TERM, frozenset(where))
        for term, where in sorted(documents.items())
        if max(3, least) <= len(where) <= max(3, most) and base_key(term) not in titles
    ]


def _plain(word: str) -> bool:
    return (
        len(word) > 3
        and word not in STOP_WORDS
        and word not in group("finite")
        and word not in group("initial")
        and not word.endswith("ly")
    )


def _most(counts: Counter[str]) -> str:
    return min(counts, key=lambda name: (-counts[name], name))


def documents_of(entities: Iterable[Entity]) -> set[str]:
    """Return the documents in which any of the entities stands."""
    return {document for entity in entities for document in entity.documents}
