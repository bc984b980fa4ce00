"""Making corrections from what a person points at, and refusing those that point at nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ..core.errors import UsageError
from ..core.folding import base_key, fold
from ..core.records import Fact, Section, Span
from ..model.cells import CubeSet
from ..model.corrections import Correction, FactLocation
from ..model.ontology import Dimension
from .catalog import DocumentInfo

__all__ = ["add", "checked", "merge", "rename", "replace_value", "retract"]


class Correctable(Protocol):
    """What corrections look at in a knowledge base."""

    @property
    def cubes(self) -> CubeSet:
        """Its cubes."""
        ...

    def section(self, section_id: str) -> Section:
        """Return a section."""
        ...

    def document(self, document_id: str) -> DocumentInfo:
        """Return a document."""
        ...

    def sections(self) -> Sequence[Section]:
        """Return every section."""
        ...


def retract(kb: Correctable, fact: Fact) -> Correction:
    """Strike a fact out."""
    return Correction.of_fact("retract", fact, _place(kb, fact.section_id))


def replace_value(kb: Correctable, fact: Fact, value: str) -> Correction:
    """Give a fact another value."""
    return Correction.of_fact("replace", fact, _place(kb, fact.section_id), value)


def add(
    kb: Correctable,
    cube: str,
    dimension: str,
    subject: str,
    relation: str,
    value: str,
    *,
    section_id: str | None = None,
) -> Correction:
    """Add a fact; without a section it goes to the first one about its subject.

    Raises UsageError where the class or dimension is not there, or no section is about the subject.
    """
    spec = _dimension(kb.cubes, cube, dimension)
    kinds = {fold(cue.relation): cue.kind for cue in spec.cues}
    kind = kinds.get(fold(relation), _target_kind(kb.cubes, cube, spec))
    section = section_id or _section_about(kb, cube, subject)
    fact = Fact(section, cube, dimension, subject, relation, value, kind, Span(0, 0), Span(0, 0))
    return Correction.of_fact("add", fact, _place(kb, section))


def rename(kb: Correctable, cube: str, dimension: str, label: str, name: str) -> Correction:
    """Call a label something else wherever it stands in its cube."""
    return _of_label(kb, "rename", cube, dimension, label, name)


def merge(kb: Correctable, cube: str, dimension: str, label: str, other: str) -> Correction:
    """Say that two labels mean the same: ``other`` becomes ``label``."""
    if fold(label) == fold(other):
        raise UsageError(f"'{label}' and '{other}' are one label already.")
    return _of_label(kb, "merge", cube, dimension, other, label)


def checked(correction: Correction, kb: Correctable) -> None:
    """Raise UsageError where a correction points at a class, dimension, label or fact that is not there."""
    spec = _dimension(kb.cubes, correction.cube, correction.dimension)
    if correction.kind != "retract" and not (correction.new if correction.kind != "add" else correction.value).strip():
        raise UsageError("A correction needs a name or value that is not empty.")
    if correction.kind in ("rename", "merge"):
        if kb.cubes[correction.cube].find(spec.id, correction.value) is None:
            raise UsageError(f"There is no label '{correction.value}' on dimension '{spec.id}' of '{correction.cube}'.")
    elif correction.place is None:
        raise UsageError("A correction of a fact says in which document it stands.")


def _of_label(kb: Correctable, kind: str, cube: str, dimension: str, value: str, new: str) -> Correction:
    spec = _dimension(kb.cubes, cube, dimension)
    label = kb.cubes[cube].find(spec.id, value)
    made = Correction.model_validate({"kind": kind, "cube": cube, "dimension": dimension, "value": value, "new": new})
    return made.model_copy(update={"value": label.text}) if label is not None else made


def _place(kb: Correctable, section_id: str) -> FactLocation:
    section = kb.section(section_id)
    document = kb.document(section.document_id)
    return FactLocation(source=document.source, record_id=document.record_id, ordinal=section.ordinal)


def _dimension(cubes: CubeSet, cube: str, dimension: str) -> Dimension:
    if cube not in cubes:
        raise UsageError(f"There is no class '{cube}'; the classes are: {', '.join(each.spec.id for each in cubes)}.")
    spec = cubes[cube].spec
    try:
        return spec.dimension(dimension)
    except KeyError:
        known = ", ".join(each.id for each in spec.dimensions)
        raise UsageError(f"The class '{cube}' has no dimension '{dimension}'; its dimensions are: {known}.") from None


def _target_kind(cubes: CubeSet, cube: str, spec: Dimension) -> str:
    """The kind of a value whose relation no cue names: that of the dimension it will lie on."""
    if spec.role == "relation":
        return cubes[cube].spec.dimension(spec.target).kind if spec.target is not None else "name"
    return spec.kind


def _section_about(kb: Correctable, cube: str, subject: str) -> str:
    """Return the section that says most about a subject: of its label, of its title, or one that names it."""
    spec = kb.cubes[cube].spec
    label = kb.cubes[cube].find(spec.subject.id, subject)
    if label is not None:
        ranked: Mapping[str, int] = label.sections
        return max(ranked, key=lambda id: (fold(kb.section(id).title) == label.key, ranked[id]))
    key, base = fold(subject), base_key(subject)
    titled = [section for section in kb.sections() if fold(section.title) == key]
    titled = titled or [section for section in kb.sections() if base_key(section.title) == base]
    named = titled or [section for section in kb.sections() if subject in section.text]
    if not named:
        raise UsageError(f"No section is about '{subject}'; name one that says so, or ingest a document that does.")
    return named[0].id
