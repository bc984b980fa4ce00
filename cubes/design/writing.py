"""A proposal as an ontology file: the evidence stands above each class and dimension, as comments.

What the design needs to go on with stands under the key ``design``, which is no part of the ontology.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ..core.errors import OntologyError
from ..core.folding import fold
from ..model.ontology import Cue, ValueKind
from .cues import cue_of
from .proposal import CandidateClass, CandidateDimension, Proposal, Quote, identifier
from .statistics import DIMENSION_OF, kind_of_dimension

__all__ = ["ontology_text", "read_design", "write_design"]

QUOTE_CHARS = 160
_SUBJECT = "name"
_HEAD = """\
# {name}: an ontology designed from {sampled} of {total} documents ({engine}, seed {seed}).
# Above each class and dimension stands what shows it. Use it with `multicube ingest --ontology FILE`.
"""
_DESIGN = """
# How it was designed, for `multicube ontology design --review`; nothing else reads it, and it may be deleted.
"""


def write_design(proposal: Proposal, path: Path) -> None:
    """Write a proposal as an ontology file, in one step."""
    whole = path.with_name(f".{path.name}.new")
    whole.write_text(ontology_text(proposal), encoding="utf-8")
    os.replace(whole, path)


def read_design(path: Path) -> Proposal:
    """Return the proposal that a designed ontology was written from; raises OntologyError where there is none."""
    try:
        data = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        found = data.get("design") if isinstance(data, dict) else None
        if found is None:
            raise OntologyError(f"{path} was not designed by multicube, or its key 'design' was deleted.")
        return Proposal.model_validate(found)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise OntologyError(f"{path} cannot be read ({' '.join(str(error).split())[:200]}).") from error
    except ValidationError as error:
        raise OntologyError(f"{path}: what stands under 'design' is not what multicube wrote there.") from error


def ontology_text(proposal: Proposal) -> str:
    """Return the YAML of a proposal: an ontology of what was not dropped, with the evidence, and the design."""
    lines = [_HEAD.format(**proposal.model_dump(include={"name", "sampled", "total", "engine", "seed"}))]
    lines += [f"name: {_scalar(identifier(proposal.name))}"]
    described = f"Designed from {proposal.sampled} of {proposal.total} documents."
    lines += [f"description: {_scalar(described)}"]
    kept = [idea for idea in proposal.classes if idea.state != "dropped"]
    lines += ["cubes:" if kept else "cubes: []"]
    taken: set[str] = set()
    nouns = {noun for idea in kept if idea.subject_kind == "person" for noun in idea.nouns}
    for idea in kept:
        lines += _class(idea, _unique(idea.id, taken), nouns)
    dumped = yaml.safe_dump(
        {"design": proposal.model_dump(mode="json")}, allow_unicode=True, sort_keys=False, width=120
    )
    return "\n".join(lines) + "\n" + _DESIGN + dumped


def _class(idea: CandidateClass, cube: str, nouns: Collection[str]) -> Iterator[str]:
    yield from _evidence("  ", f"{idea.shown} documents", idea.quotes)
    yield f"  - id: {cube}"
    yield f"    name: {_scalar(idea.name.capitalize())}"
    yield f"    description: {_scalar(idea.description or idea.name)}"
    if idea.nouns:
        yield f"    nouns: [{', '.join(map(_scalar, idea.nouns))}]"
    yield "    subject:"
    yield f"      id: {_SUBJECT}"
    yield f"      name: {_scalar(f'{idea.name.capitalize()} name')}"
    yield f"      kind: {idea.subject_kind}"
    yield f"      description: {_scalar(f'names of a {idea.name}')}"
    axes = _Axes(idea)
    relations = [(dimension, *axes.relation(dimension)) for dimension in _kept(idea, "relation")]
    if axes.attributes:
        yield "    attributes:"
    for dimension, key in axes.attributes:
        yield from _dimension(idea, dimension, key, dimension.kind, nouns)
    if relations:
        yield "    relations:"
    for dimension, key, target in relations:
        yield from _dimension(idea, dimension, key, axes.kind(target), nouns, target)


class _Axes:
    """The identifiers of a class's dimensions; a relation whose target is no axis yet brings one with it."""

    def __init__(self, idea: CandidateClass) -> None:
        self._idea = idea
        self._taken = {_SUBJECT}
        self.attributes = [(d, _unique(d.id, self._taken)) for d in _kept(idea, "attribute")]

    def relation(self, dimension: CandidateDimension) -> tuple[str, str]:
        """Return the identifiers of a relation and of its target."""
        target = self._target(dimension.target)
        return _unique(dimension.id, self._taken), target

    def kind(self, key: str) -> ValueKind:
        """Return the kind of value on an axis."""
        kinds = {known: attribute.kind for attribute, known in self.attributes}
        return kinds.get(key, self._idea.subject_kind)

    def _target(self, wanted: str) -> str:
        if fold(wanted) in {fold(self._idea.name), *map(fold, self._idea.nouns)}:
            return _SUBJECT
        wanted = " ".join(wanted.split()).removesuffix(" name")
        kind = kind_of_dimension(wanted)
        names = {identifier(wanted), identifier(f"{wanted} name"), DIMENSION_OF.get(kind, "")}
        for attribute, key in self.attributes:
            if key in names or (attribute.kind == kind and kind != "name"):
                return key
        plain = wanted if wanted and fold(wanted) != _SUBJECT else "related"
        told = f"names of what a {self._idea.name} is related to"
        added = CandidateDimension(name=f"{plain} name", role="attribute", kind=kind, description=told)
        self.attributes.append((added, _unique(added.id, self._taken)))
        return self.attributes[-1][1]


def _dimension(
    idea: CandidateClass,
    dimension: CandidateDimension,
    key: str,
    kind: ValueKind,
    nouns: Collection[str],
    target: str | None = None,
) -> Iterator[str]:
    share = f"{dimension.shown} of {idea.shown} documents" if dimension.shown else "added as the target of a relation"
    yield from _evidence("      ", share, dimension.quotes, dimension.examples)
    yield f"      - id: {key}"
    yield f"        name: {_scalar(dimension.name.capitalize())}"
    yield f"        description: {_scalar(dimension.description or dimension.name)}"
    if target is None:
        yield f"        kind: {dimension.kind}"
    else:
        yield f"        target: {target}"
    cues = [cue_of(phrase, kind, nouns) for phrase in dimension.phrases]
    if dimension.pattern:
        cues.append(Cue(relation=dimension.name, kind=kind, pattern=dimension.pattern, asks=(dimension.name,)))
    if cues:
        yield "        cues:"
    for cue in cues:
        told = (f"{name}: {_flow(value)}" for name, value in cue.model_dump(exclude_defaults=True).items())
        yield f"          - {{{', '.join(told)}}}"


def _flow(value: str | tuple[str, ...]) -> str:
    return _scalar(value) if isinstance(value, str) else f"[{', '.join(map(_scalar, value))}]"


def _kept(idea: CandidateClass, role: str) -> list[CandidateDimension]:
    return [d for d in idea.dimensions if d.role == role and d.state != "dropped"]


def _evidence(indent: str, share: str, quotes: Sequence[Quote], examples: Sequence[str] = ()) -> Iterator[str]:
    shown = f"; e.g. {', '.join(map(_line, examples[:5]))}" if examples else ""
    yield f"{indent}# {share}{shown}"
    for quote in quotes:
        yield f'{indent}#   "{_line(quote.text)}" ({_line(quote.document)})'


def _line(text: str) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= QUOTE_CHARS else f"{plain[: QUOTE_CHARS - 1]}…"


def _scalar(text: str) -> str:
    dumped: Any = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=10**6)
    return str(dumped).strip()


def _unique(key: str, taken: set[str]) -> str:
    number, found = 1, key
    while found in taken:
        number += 1
        found = f"{key}_{number}"
    taken.add(found)
    return found
