"""What there should be in Chroma: passages, augmented sections, labels, and abstractions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from ..core.records import Section
from ..model.cells import CubeSet
from ..model.labels import Axis
from ..model.lookups import group_id, label_collection, label_id, stored_dimension, value_collection
from ..retrieval.hiqa.augment import augmented_parts, augmented_text, is_structured
from ..smart.abstractions import text_of
from ..store.vectors import HIQA, PASSAGES, SMART, VectorEntry

if TYPE_CHECKING:
    from ..smart.perspectives import Perspectives

__all__ = ["IndexSource", "entries", "passage_text", "section_of"]

_NUMBERED = "#"  # between the id of a section and the number of a part of it


class IndexSource(Protocol):
    """What an index is made of: one generation of a knowledge base."""

    @property
    def sections(self) -> Sequence[Section]:
        """Every section."""
        ...

    @property
    def cubes(self) -> CubeSet:
        """The cubes over them."""
        ...

    @property
    def descriptions(self) -> Mapping[str, str]:
        """What is known of figures besides their captions, by figure id."""
        ...

    @property
    def perspectives(self) -> Perspectives | None:
        """The abstractions (SMART) of this state, where they are built."""
        ...


def passage_text(section: Section) -> str:
    """Return what is embedded for a section: its heading path, then its text."""
    return f"{' > '.join(section.path)}\n{section.text}"


def entries(indexed: IndexSource) -> Iterator[VectorEntry]:
    """Yield every record there should be."""
    for section in indexed.sections:
        yield VectorEntry(PASSAGES, section.id, passage_text(section))
    yield from _augmented(indexed.sections, indexed.descriptions)
    for cube in indexed.cubes:
        for spec in cube.spec.dimensions:
            if (axis := cube.axis(spec.id)) is not None:
                yield from _labels(cube.spec.id, spec.id, axis)
    if indexed.perspectives is not None:
        for digest, abstraction in indexed.perspectives.by_digest.items():
            yield VectorEntry(SMART, digest, text_of(abstraction))


def section_of(id: str) -> str:
    """Return the id of the section that an augmented vector is of, or is of a part of."""
    return id.partition(_NUMBERED)[0]


def _augmented(sections: Sequence[Section], descriptions: Mapping[str, str]) -> Iterator[VectorEntry]:
    """Yield the augmented sections (HiQA) of structured documents, with their parts, and others that differ from their
    passages.

    For every other section the passage's vector is the same, and stands for it.
    """
    for _, group in groupby(sections, attrgetter("document_id")):
        held = list(group)
        structured = any(map(is_structured, held))
        for section in held:
            text = augmented_text(section, descriptions=descriptions)
            if structured or text != passage_text(section):
                yield VectorEntry(HIQA, section.id, text)
            for number, part in enumerate(augmented_parts(section, descriptions=descriptions) if structured else ()):
                yield VectorEntry(HIQA, f"{section.id}{_NUMBERED}{number}", part)


def _labels(cube: str, dimension: str, axis: Axis) -> Iterator[VectorEntry]:
    """Yield a dimension's labels and what lists some of them; dates and quantities are never looked up by likeness."""
    values, dimension = value_collection(cube), stored_dimension(cube, dimension)
    collection = values if axis.by_value else label_collection(cube)
    for label in axis.labels():
        yield VectorEntry(collection, label_id(dimension, label.key), label.text, dimension, label.text)
    for name, keys in axis.groups():
        yield VectorEntry(values, group_id(dimension, name), json.dumps([name, keys]), dimension, name, tuple(keys))
