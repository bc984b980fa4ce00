"""Ontologies: classes with a subject, attribute and relation dimensions (MultiCube-RAG eq. 1-5).

An ontology is a YAML file. Each class becomes one cube (eq. 5); each of its dimensions has a description,
which goes into prompts, and cues, which the embedded engine reads text and questions with. Example::

    name: medicine
    cubes:
      - id: disease
        name: Disease
        description: illnesses and conditions
        nouns: [disease, illness, condition]
        subject: {id: name, name: Disease name, description: specific disease names}
        attributes:
          - {id: symptom, name: Symptom, kind: text, description: signs of it, cues: [symptoms include]}
          - {id: medication, name: Medication, kind: name, description: names of medications}
        relations:
          - id: treatment
            name: Relation (to medication)
            target: medication
            description: what treats it
            cues:
              - {relation: treated with, after: [treated with], asks: [treatment], verbs: [treats, treat]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from yaml.constructor import SafeConstructor

from ..core.errors import OntologyError

__all__ = [
    "BUILTIN",
    "CubeSpec",
    "Cue",
    "Dimension",
    "Ontology",
    "ValueKind",
    "load_ontology",
    "parse_ontology",
]

ValueKind = Literal[
    "person", "place", "organization", "work", "event", "name", "date", "quantity", "nationality", "text"
]
"""What a value is: the first six are names of things; ``name`` is a name of any class."""

DimensionRole = Literal["subject", "attribute", "relation"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Location = tuple[int | str, ...]

BUILTIN = Path(__file__).parents[1] / "ontologies"
"""Where the ontologies that can be named without a path are."""


class _FaultAt(ValueError):  # noqa: N818 - pydantic wraps it; what leaves this module is OntologyError
    """A fault at a place inside the model that finds it."""

    def __init__(self, message: str, *at: int | str) -> None:
        super().__init__(message)
        self.at: Location = at


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cue(_Strict):
    """How the embedded engine recognises one relation phrase, in documents and in questions.

    ``relation`` is the canonical phrase and becomes a label of the dimension. In a document the value stands
    behind an ``after`` phrase ("directed by VALUE") or in front of a ``before`` phrase ("VALUE directed it").
    A question names the relation by ``asks`` ("director"; so may a text: "its director, VALUE") or ``verbs``.
    ``kind`` is the value's; left out, it is that of the dimension on which the value lies. ``inverse`` is the
    relation that the value then has to the subject (father -> child). ``pattern`` names a structure that
    phrases cannot express; see `extraction`. ``many`` says that several values may follow ("A, B and C").

    A bare string in an ontology is a cue whose phrase is the relation and stands before its value.
    """

    relation: Annotated[str, Field(min_length=1)]
    kind: ValueKind = "name"
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    inverse: str | None = None
    pattern: str | None = None
    many: bool = False


class Dimension(_Strict):
    """One axis of a cube: a map from labels to sections.

    ``role`` follows eq. 3 and comes from the list that a dimension stands in. The labels of a subject or
    attribute dimension are its values; those of a relation dimension are relation phrases, while the things
    related lie on the dimension named by ``target``. ``heads`` are the words that a name or term of the dimension
    ends with ("agreement", "Inc"); they tell what documents mention of it (see `CubeSpec.is_hypercube`).
    """

    id: Identifier
    name: str
    description: str
    kind: ValueKind = "text"
    target: Identifier | None = None
    cues: tuple[Cue, ...] = ()
    heads: tuple[str, ...] = ()
    role: DimensionRole = "attribute"


class CubeSpec(_Strict):
    """One class of subjects and the dimensions of its cube (eq. 2 and 5).

    ``nouns`` are the words that name members of the class ("film", "song"); ``examples`` are subqueries that
    the router should send here (prompt A.3).
    """

    id: Identifier
    name: str
    description: str
    nouns: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    subject: Dimension
    attributes: tuple[Dimension, ...] = ()
    relations: tuple[Dimension, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any) -> Any:
        """Fill in what a dimension's place says: its role, and the kind of value that its cues find."""
        if not isinstance(data, dict):
            return data
        kinds = _kinds(data)
        data = dict(data)
        if isinstance(data.get("subject"), dict):
            data["subject"] = _completed({"kind": "name", **data["subject"]}, "subject", kinds)
        for key, role in (("attributes", "attribute"), ("relations", "relation")):
            items = data.get(key)
            if items is None:
                data[key] = []
            elif isinstance(items, list | tuple):
                data[key] = [_completed(d, role, kinds) if isinstance(d, dict) else d for d in items]
        return data

    @model_validator(mode="after")
    def _consistent(self) -> CubeSpec:
        seen: set[str] = set()
        for place, dimension in self._placed():
            if dimension.id in seen:
                raise _FaultAt(f"cube '{self.id}' has two dimensions called '{dimension.id}'", *place, "id")
            seen.add(dimension.id)
        axes = {dimension.id for dimension in (self.subject, *self.attributes)}
        for place, dimension in self._placed():
            _check_target(dimension, axes, self.id, (*place, "target"))
        return self

    def _placed(self) -> Iterable[tuple[Location, Dimension]]:
        yield ("subject",), self.subject
        for number, dimension in enumerate(self.attributes):
            yield ("attributes", number), dimension
        for number, dimension in enumerate(self.relations):
            yield ("relations", number), dimension

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """All axes in the order of eq. 5: subject, attributes, relations."""
        return (self.subject, *self.attributes, *self.relations)

    @cached_property
    def is_hypercube(self) -> bool:
        """Whether the labels are what documents mention, whatever they say of it (Hypercube-RAG 3.1).

        Such a class has attributes alone and no cues: nothing ties a value to its document but that it stands there.
        """
        return bool(self.attributes) and not self.relations and not any(d.cues for d in self.dimensions)

    def dimension(self, dimension_id: str) -> Dimension:
        """Return one dimension; raises KeyError for an unknown id."""
        for dimension in self.dimensions:
            if dimension.id == dimension_id:
                return dimension
        raise KeyError(dimension_id)


def _kinds(cube: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the kinds of values on a cube's axes as far as they are given."""
    attributes = cube.get("attributes")
    axes = [{"kind": "name", **cube["subject"]}] if isinstance(cube.get("subject"), dict) else []
    axes += [d for d in attributes if isinstance(d, dict)] if isinstance(attributes, list | tuple) else []
    return {str(axis.get("id")): axis.get("kind", "text") for axis in axes}


def _completed(dimension: Mapping[str, Any], role: str, kinds: Mapping[Any, Any]) -> dict[str, Any]:
    """Give a dimension its role, and cues that do not say it the kind of their values."""
    axis = str(dimension.get("target" if role == "relation" else "id"))
    kind = kinds.get(axis, "name")
    cues = dimension.get("cues")
    completed = {**dimension, "role": role}
    if isinstance(cues, list | tuple):
        completed["cues"] = [_cue(cue, kind) for cue in cues]
    return completed


def _cue(cue: Any, kind: Any) -> Any:
    if isinstance(cue, str):
        return {"relation": cue, "kind": kind, "after": [cue], "asks": [cue]}
    return {"kind": kind, **cue} if isinstance(cue, dict) else cue


def _check_target(dimension: Dimension, axes: set[str], cube: str, at: Location) -> None:
    """Only relations have a target, and it is the subject or an attribute dimension of their cube (eq. 3)."""
    if dimension.target is None:
        return
    if dimension.role != "relation":
        raise _FaultAt(f"dimension '{dimension.id}' of cube '{cube}' is no relation and has no target", *at)
    if dimension.target not in axes:
        known = ", ".join(sorted(axes))
        raise _FaultAt(
            f"dimension '{dimension.id}' of cube '{cube}' targets '{dimension.target}'; targets are: {known}",
            *at,
        )


class Ontology(_Strict):
    """A set of classes (eq. 1); every class is one cube."""

    name: str
    description: str = ""
    cubes: tuple[CubeSpec, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> Ontology:
        seen: set[str] = set()
        for number, cube in enumerate(self.cubes):
            if cube.id in seen:
                raise _FaultAt(f"two cubes are called '{cube.id}'", "cubes", number, "id")
            seen.add(cube.id)
        return self

    def cube(self, cube_id: str) -> CubeSpec:
        """Return one cube's specification; raises KeyError for an unknown id."""
        for cube in self.cubes:
            if cube.id == cube_id:
                return cube
        raise KeyError(cube_id)


def load_ontology(source: str | Path) -> Ontology:
    """Load an ontology from a file, or one of the built-in ones by name ("default").

    Raises OntologyError naming the file and the line of the first fault.
    """
    return _built_in(source) if isinstance(source, str) and not Path(source).suffix else _read(Path(source), source)


@cache
def _built_in(name: str) -> Ontology:
    """One of the package's own, which nothing changes: read once."""
    return _read(BUILTIN / f"{name}.yaml", name)


def _read(path: Path, source: str | Path) -> Ontology:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        known = ", ".join(sorted(p.stem for p in BUILTIN.glob("*.yaml")))
        raise OntologyError(
            f"The ontology '{source}' cannot be read ({reason}); name a YAML file or one of: {known}."
        ) from error
    return parse_ontology(text, str(path))


def parse_ontology(text: str, where: str) -> Ontology:
    """Validate YAML text; ``where`` names it in errors. Raises OntologyError."""
    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        _refuse_duplicates(node, where, set())
        data = None if node is None else SafeConstructor().construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise OntologyError(f"{where}:{line}: this is not valid YAML ({error.problem}).") from error
    except (
        yaml.YAMLError,
        ValueError,
        RecursionError,
    ) as error:  # control characters, impossible dates, depth
        raise OntologyError(f"{where}:1: this is not valid YAML ({_first_line(error)}).") from error
    if not isinstance(data, dict):
        raise OntologyError(f"{where}:1: an ontology is a mapping with 'name' and 'cubes'.")
    data.pop("design", None)  # how a designed ontology came about (`cubes.design`), and no part of it
    try:
        return Ontology.model_validate(data)
    except ValidationError as error:
        location, message = _first_fault(error)
        raise OntologyError(f"{where}:{_line_of(node, location)}: {message}.") from error


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0].rstrip(".")


def _first_fault(error: ValidationError) -> tuple[Location, str]:
    """Return where the first fault is and what it is."""
    first = error.errors()[0]
    location: Location = first["loc"]
    cause = first.get("ctx", {}).get("error")
    if isinstance(cause, _FaultAt):
        return (*location, *cause.at), str(cause)
    place = ".".join(map(str, location))
    if first["type"] == "missing":
        return location, f"'{location[-1]}' is missing ({place})"
    if first["type"] == "extra_forbidden":
        return location, f"there is no key '{location[-1]}' here ({place})"
    return location, f"{place}: {first['msg']}" if place else str(first["msg"])


def _refuse_duplicates(node: yaml.Node | None, where: str, visited: set[int]) -> None:
    """YAML keeps the last of two equal keys in silence, and with it half of an ontology is lost."""
    if id(node) in visited:  # an alias
        return
    visited.add(id(node))
    children: list[yaml.Node] = []
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise OntologyError(
                    f"{where}:{key.start_mark.line + 1}: the key '{key.value}' stands here twice."
                )
            seen.add(str(key.value))
            children.append(value)
    elif isinstance(node, yaml.SequenceNode):
        children = node.value
    for child in children:
        _refuse_duplicates(child, where, visited)


def _line_of(node: yaml.Node | None, location: Location) -> int:
    """Walk the YAML tree along a validation error's location; the deepest node that exists gives the line."""
    line = 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == part:
                    line, node = key.start_mark.line + 1, value
                    break
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line
