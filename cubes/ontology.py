"""Ontologies: classes with a subject, attribute and relation dimensions (MultiCube-RAG eq. 1-5).

An ontology is a YAML file. Each class becomes one cube (eq. 5); each of its dimensions has a description, which
goes into prompts, and cues, which the embedded engine reads text and questions with. Example::

    name: medicine
    cubes:
      - id: disease
        name: Disease
        description: illnesses and conditions
        nouns: [disease, illness, condition]
        subject: {id: name, name: Disease name, description: specific disease names}
        attributes:
          - {id: symptom, name: Symptom, kind: text, description: signs of it, cues: [symptoms include]}
        relations:
          - id: treatment
            name: Relation (to medication)
            target: medication
            description: what treats it
            cues:
              - {relation: treated with, kind: name, after: [treated with], asks: [treatment, treats]}
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from .errors import OntologyError

__all__ = ["BUILTIN", "Cue", "CubeSpec", "Dimension", "Ontology", "ValueKind", "load_ontology"]

ValueKind = Literal[
    "person", "place", "organization", "work", "event", "name", "date", "quantity", "nationality", "text"
]
"""What a value is: the first six are names of things; ``name`` is a name of any class."""

DimensionRole = Literal["subject", "attribute", "relation"]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]

BUILTIN = Path(__file__).parent / "ontologies"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cue(_Strict):
    """How the embedded engine recognises one relation phrase, in documents and in questions.

    ``relation`` is the canonical phrase and becomes a label of the dimension. In a document the value stands behind
    an ``after`` phrase ("directed by VALUE") or in front of a ``before`` phrase ("VALUE directed it"). A question
    names the relation by one of ``asks`` ("director"). ``verb`` asks take the subject as object ("who directed X").
    ``inverse`` is the relation that the value then has to the subject (father -> child). ``pattern`` names a
    structure that phrases cannot express; see `extraction.patterns`.
    """

    relation: str
    kind: ValueKind = "name"
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    inverse: str | None = None
    pattern: str | None = None
    many: bool = False


def _as_cue(value: Any) -> Any:
    """A bare string is a cue whose phrase is the relation and stands before its value."""
    if isinstance(value, str):
        return {"relation": value, "after": [value], "asks": [value]}
    return value


class Dimension(_Strict):
    """One axis of a cube: a map from labels to sections.

    ``role`` follows eq. 3. The labels of a subject or attribute dimension are its values; those of a relation
    dimension are relation phrases, while the things related lie on the dimension named by ``target``.
    """

    id: Identifier
    name: str
    description: str
    kind: ValueKind = "text"
    target: Identifier | None = None
    cues: tuple[Annotated[Cue, BeforeValidator(_as_cue)], ...] = ()
    role: DimensionRole = "attribute"


class CubeSpec(_Strict):
    """One class of subjects and the dimensions of its cube (eq. 2 and 5).

    ``nouns`` are the words that name members of the class ("film", "song"); ``examples`` are subqueries that the
    router should send here (prompt A.3).
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
    def _name_roles(cls, data: Any) -> Any:
        """The list a dimension stands in says its role."""
        if not isinstance(data, dict):
            return data
        data = dict(data)
        if isinstance(data.get("subject"), dict):
            data["subject"] = {"kind": "name", **data["subject"], "role": "subject"}
        for key, role in (("attributes", "attribute"), ("relations", "relation")):
            items = data.get(key) or []
            data[key] = [{**d, "role": role} if isinstance(d, dict) else d for d in items]
        return data

    @model_validator(mode="after")
    def _consistent(self) -> CubeSpec:
        ids = [d.id for d in self.dimensions]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise ValueError(f"cube '{self.id}' has two dimensions called '{twice[0]}'")
        for dimension in self.relations:
            if dimension.target is not None and dimension.target not in ids:
                raise ValueError(f"dimension '{dimension.id}' of cube '{self.id}' targets '{dimension.target}', which is not one of its dimensions")
        return self

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """All axes in the order of eq. 5: subject, attributes, relations."""
        return (self.subject, *self.attributes, *self.relations)

    def dimension(self, dimension_id: str) -> Dimension:
        """Return one dimension; raises KeyError for an unknown id."""
        for dimension in self.dimensions:
            if dimension.id == dimension_id:
                return dimension
        raise KeyError(dimension_id)


class Ontology(_Strict):
    """A set of classes (eq. 1); every class is one cube."""

    name: str
    description: str = ""
    cubes: tuple[CubeSpec, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> Ontology:
        ids = [cube.id for cube in self.cubes]
        for cube_id in ids:
            if ids.count(cube_id) > 1:
                raise ValueError(f"two cubes are called '{cube_id}'")
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
    path = BUILTIN / f"{source}.yaml" if isinstance(source, str) and not Path(source).suffix else Path(source)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        known = ", ".join(sorted(p.stem for p in BUILTIN.glob("*.yaml")))
        raise OntologyError(f"The ontology '{source}' cannot be read ({error.__class__.__name__}); name a YAML file or one of: {known}.") from error
    return parse_ontology(text, str(path))


def parse_ontology(text: str, where: str) -> Ontology:
    """Validate YAML text; ``where`` names it in errors."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise OntologyError(f"{where}:{line}: this is not valid YAML ({error.problem}).") from error
    if not isinstance(data, dict):
        raise OntologyError(f"{where}:1: an ontology is a mapping with 'name' and 'cubes'.")
    try:
        return Ontology.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        line = _line_of(node, first["loc"])
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise OntologyError(f"{where}:{line}: {place}: {first['msg'].removeprefix('Value error, ')}.") from error


def _line_of(node: yaml.Node | None, location: tuple[int | str, ...]) -> int:
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
