"""Every sentence of a knowledge base with its vector, for systems whose unit is the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ....cubes.core.records import Section
from ....cubes.documents.sections import sentences
from .side_folders import vectors_beside

if TYPE_CHECKING:
    from ....cubes.core.encoding import Encoder, Vectors
    from ....cubes.knowledge.base import KnowledgeBase

__all__ = ["Sentence", "sentences_of", "vectors_of"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the ordinal of the section that it stands in."""

    section: int
    title: str
    text: str


def sentences_of(sections: Sequence[Section]) -> list[Sentence]:
    """Return the sentences of all sections in their order; a section without any is one sentence."""
    return [
        Sentence(number, section.title, text)
        for number, section in enumerate(sections)
        for text in _cut(section) or [section.text]
    ]


def _cut(section: Section) -> list[str]:
    return [text for span in sentences(section.text) if (text := section.text[span.start : span.end].strip())]


def vectors_of(kb: KnowledgeBase, encoder: Encoder, held: Sequence[Sentence]) -> Vectors:
    """Return the sentences' vectors; each is embedded with its title, without which "he" could be anyone."""
    return vectors_beside(kb, "sentences", encoder, [f"{one.title}. {one.text}" for one in held])
