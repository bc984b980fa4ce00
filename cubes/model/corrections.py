"""Corrections by a person: facts struck out, changed or added, labels renamed and merged.

They lie over the facts that extraction finds, keyed by content and not by rows, so that a corrected fact
stays corrected when its document is read again, and undoing a correction brings back what was there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ..core.folding import fold
from ..core.records import Fact, Section, Span
from ..core.sentences import sentence_around
from .cells import ALIAS
from .labels import label_key
from .ontology import CubeSpec, Ontology

__all__ = ["PERSON", "Correction", "FactLocation", "overlay"]

PERSON = "person"
"""The origin of facts that a person gave or changed."""

CorrectionKind = Literal["retract", "replace", "add", "rename", "merge"]


class FactLocation(BaseModel):
    """Where a corrected fact stands: a document by its file and record, and the section's number in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    record_id: str
    ordinal: int = 0


class Correction(BaseModel):
    """What a person corrected.

    * ``retract``: the fact with this dimension, subject, relation and ``value`` at ``place`` is struck out.
    * ``replace``: that fact's value becomes ``new``.
    * ``add``: the fact is added at ``place``.
    * ``rename``: the label ``value`` of the dimension is called ``new`` wherever it stands in the cube.
    * ``merge``: the labels ``value`` and ``new`` are one, called ``new``; a merged subject keeps the
      other name as an alias.

    ``id`` and ``made_at`` are given when it is stored.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: CorrectionKind
    cube: str
    dimension: str
    value: str
    new: str = ""
    subject: str = ""
    relation: str = ""
    fact_kind: str = "name"
    place: FactLocation | None = None
    id: int = 0
    made_at: str = ""

    @classmethod
    def of_fact(
        cls, kind: Literal["retract", "replace", "add"], fact: Fact, place: FactLocation, new: str = ""
    ) -> Correction:
        """Correct one fact where it stands."""
        return cls(
            kind=kind, cube=fact.cube, dimension=fact.dimension, subject=fact.subject, relation=fact.relation,
            value=fact.value, fact_kind=fact.kind, new=new, place=place,
        )  # fmt: skip

    def __str__(self) -> str:
        """Say in a line what was corrected."""
        where = f"{self.cube}/{self.dimension}"
        said = f"{self.subject} · {self.relation} · {self.value}"
        texts = {
            "retract": f"retracted from {where}: {said}",
            "replace": f"changed in {where}: {said} → {self.new}",
            "add": f"added to {where}: {said}",
            "rename": f"renamed on {where}: {self.value} → {self.new}",
            "merge": f"merged on {where}: {self.value} into {self.new}",
        }
        return texts[self.kind]


_FactKey = tuple[str, str, str, str, str, str, str]


def overlay(
    facts: Iterable[Fact],
    corrections: Sequence[Correction],
    *,
    ontology: Ontology,
    sections: Mapping[str, Section],
    sources: Mapping[str, str],
) -> Iterator[Fact]:
    """Yield the facts as corrected; ``sources`` maps document ids to files.

    Later corrections win: they are applied in the order they were made.
    """
    facts = iter(facts)
    for run in _runs(corrections):
        if run[0].kind in ("rename", "merge"):
            facts = _rename(facts, run, ontology)
        else:
            facts = _edit(facts, run, sections, sources)
    return facts


def _runs(corrections: Sequence[Correction]) -> Iterator[list[Correction]]:
    """Group neighbouring corrections that one pass can apply: many edits of facts, or one label."""
    run: list[Correction] = []
    for correction in corrections:
        if run and (correction.kind in ("rename", "merge") or run[-1].kind in ("rename", "merge")):
            yield run
            run = []
        run.append(correction)
    if run:
        yield run


def _edit(
    facts: Iterable[Fact],
    edits: Sequence[Correction],
    sections: Mapping[str, Section],
    sources: Mapping[str, str],
) -> Iterator[Fact]:
    """Apply retractions, replacements and additions, each to what the ones before it left."""
    later: dict[_FactKey, list[tuple[int, Correction]]] = {}
    for number, edit in enumerate(edits):
        if edit.kind != "add":
            later.setdefault(_correction_key(edit), []).append((number, edit))

    def settled(fact: Fact, since: int) -> Fact | None:
        """Return what becomes of a fact that is there from edit ``since`` on; None where it is struck out."""
        while (section := sections.get(fact.section_id)) is not None:
            key = _fact_key(fact, sources.get(section.document_id, ""), section.record_id)
            found = next(((n, edit) for n, edit in later.get(key, ()) if n > since), None)
            if found is None:
                return fact
            since, edit = found
            if edit.kind == "retract":
                return None
            fact = replace(fact, value=edit.new, origin=PERSON, confidence=1.0)
        return fact

    for fact in facts:
        if (left := settled(fact, -1)) is not None:
            yield left
    for number, edit in enumerate(edits):
        added = _added(edit, sections, sources) if edit.kind == "add" else None
        if added is not None and (left := settled(added, number)) is not None:
            yield left


def _fact_key(fact: Fact, source: str, record_id: str) -> _FactKey:
    value = label_key(fact.value, fact.kind)
    return source, record_id, fact.cube, fact.dimension, fold(fact.subject), fold(fact.relation), value


def _correction_key(edit: Correction) -> _FactKey:
    source, record_id = (edit.place.source, edit.place.record_id) if edit.place is not None else ("", "")
    value = label_key(edit.value, edit.fact_kind)
    return source, record_id, edit.cube, edit.dimension, fold(edit.subject), fold(edit.relation), value


def _added(edit: Correction, sections: Mapping[str, Section], sources: Mapping[str, str]) -> Fact | None:
    """Return the fact a person added; None while its document is not there."""
    section = _section_at(edit.place, sections, sources) if edit.place is not None else None
    if section is None:
        return None
    start = max(0, section.text.find(edit.value))
    span = Span(start, start + len(edit.value)) if section.text.startswith(edit.value, start) else Span(0, 0)
    return Fact(
        section_id=section.id, cube=edit.cube, dimension=edit.dimension, subject=edit.subject,
        relation=edit.relation, value=edit.value, kind=edit.fact_kind, span=span,
        sentence=_sentence(section.text, span), origin=PERSON,
    )  # fmt: skip


def _section_at(place: FactLocation, sections: Mapping[str, Section], sources: Mapping[str, str]) -> Section | None:
    """Return the section at a place; where a changed document has fewer sections, its last one."""
    from ..documents.loaders import document_id

    document = document_id(place.source, place.record_id)
    if document not in sources:
        return None
    for ordinal in range(place.ordinal, -1, -1):
        section = sections.get(f"{document}:{ordinal}")
        if section is not None:
            return section
    return None


def _sentence(text: str, span: Span) -> Span:
    return span if span.end == span.start else sentence_around(text, span)


def _rename(facts: Iterable[Fact], run: Sequence[Correction], ontology: Ontology) -> Iterator[Fact]:
    (edit,) = run
    try:
        spec = ontology.cube(edit.cube)
        dimension = spec.dimension(edit.dimension)
    except KeyError:  # another ontology than the one the correction was made under
        yield from facts
        return
    kind = "text" if dimension.role == "relation" else dimension.kind
    key = label_key(edit.value, kind)
    aliased: set[tuple[str, str]] = set()
    for fact in facts:
        if fact.cube != edit.cube:
            yield fact
            continue
        changed = _renamed(fact, spec, edit, key, kind)
        yield changed
        merged = edit.kind == "merge" and changed.subject != fact.subject
        if merged and (fact.section_id, fact.subject) not in aliased:
            aliased.add((fact.section_id, fact.subject))
            yield replace(changed, dimension=dimension.id, relation=ALIAS, value=fact.subject, kind="name")


def _renamed(fact: Fact, spec: CubeSpec, edit: Correction, key: str, kind: str) -> Fact:
    """Return the fact with the label renamed where it lies on the dimension (see `cells.coordinates`)."""
    dimension = spec.dimension(edit.dimension)
    changes: dict[str, str] = {}
    if dimension.role == "subject" and label_key(fact.subject, kind) == key:
        changes["subject"] = edit.new
    if dimension.role == "relation" and fact.dimension == dimension.id and label_key(fact.relation, kind) == key:
        changes["relation"] = edit.new
    if _value_lies_on(fact, spec, dimension.id) and label_key(fact.value, kind) == key:
        changes["value"] = edit.new
    return replace(fact, **changes, origin=PERSON) if changes else fact  # type: ignore[arg-type]


def _value_lies_on(fact: Fact, spec: CubeSpec, dimension_id: str) -> bool:
    try:
        found = spec.dimension(fact.dimension)
    except KeyError:
        return False
    if found.role == "relation":
        return found.target == dimension_id
    return found.id == dimension_id and (found.role == "attribute" or fact.relation == ALIAS)
