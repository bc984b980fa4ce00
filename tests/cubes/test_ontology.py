"""The default ontology is appendix B's, and a faulty one is refused with its file and line."""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path
from typing import get_args

import pytest
from multicube.cubes.core.errors import OntologyError
from multicube.cubes.model import ontology as module
from multicube.cubes.model.ontology import Ontology, ValueKind, load_ontology, parse_ontology

# Appendix B, each dimension by a word of its printed name.
APPENDIX_B = {
    "cultural_product": ["name", "genre", "relation (to person)", "relation (to location)", "person", "location"],
    "location": ["location name", "type", "relation"],
    "person": ["person name", "role", "behavior", "nationality", "relation (to location)", "relation (to product)"],
    "organization": ["name", "relation (to location)", "location name"],
    "politics": ["name", "date", "location"],
    "plant": ["name", "date", "location"],
    "transportation": ["name", "date", "location"],
    "machine": ["name", "attributes", "relation"],
    "weather": ["name", "date", "location"],
    "food": ["name", "attributes"],
}

SMALL = """\
name: medicine
cubes:
  - id: disease
    name: Disease
    description: illnesses
    subject: {id: name, name: Disease name, description: names}
    attributes:
      - {id: symptom, name: Symptom, description: signs, cues: [symptoms include]}
      - {id: onset, name: Onset, kind: date, description: when, cues: [began on]}
      - {id: drug, name: Drug, kind: name, description: drugs}
    relations:
      - id: treatment
        name: Treatment
        target: drug
        description: what treats it
        cues:
          - {relation: treated with, after: [treated with]}
          - cured by
"""


@pytest.fixture(scope="module")
def default() -> Ontology:
    return load_ontology("default")


def small(old: str = "", new: str = "") -> Ontology:
    assert old in SMALL
    return parse_ontology(SMALL.replace(old, new, 1), "medicine.yaml")


# The default.


def test_the_default_has_the_ten_cubes_of_appendix_b(default: Ontology) -> None:
    assert [cube.id for cube in default.cubes] == list(APPENDIX_B)


@pytest.mark.parametrize("cube_id", APPENDIX_B)
def test_every_dimension_of_appendix_b_is_there(default: Ontology, cube_id: str) -> None:
    names = [dimension.name.lower() for dimension in default.cube(cube_id).dimensions]
    for printed in APPENDIX_B[cube_id]:
        assert any(printed in name for name in names), (printed, names)


def test_every_dimension_has_what_prompts_and_rules_need(default: Ontology) -> None:
    for cube in default.cubes:
        assert cube.description
        assert cube.nouns
        assert cube.examples
        assert cube.subject.role == "subject"
        assert all(d.role == "attribute" and d.description for d in cube.attributes)
        assert all(d.role == "relation" and d.description and d.cues for d in cube.relations)
        assert all(d.target is not None for d in cube.relations)


def test_every_axis_can_be_filled(default: Ontology) -> None:
    """A dimension without cues is the target of a relation; otherwise nothing would ever lie on it."""
    for cube in default.cubes:
        targets = {relation.target for relation in cube.relations}
        assert {d.id for d in cube.attributes if not d.cues} <= targets


def test_the_kind_of_a_relations_values_fits_its_axis(default: Ontology) -> None:
    things = {"person", "place", "organization", "work", "event", "name"}
    for cube in default.cubes:
        for relation in cube.relations:
            assert relation.target is not None
            target = cube.dimension(relation.target).kind
            for cue in relation.cues:
                fits = target in ("name", cue.kind) or {cue.kind, target} <= things
                assert fits, (cube.id, relation.id, cue.relation)


def test_phrases_are_written_as_they_are_looked_for(default: Ontology) -> None:
    for cube in default.cubes:
        for dimension in cube.dimensions:
            for cue in dimension.cues:
                for phrase in (*cue.after, *cue.before, *cue.asks, *cue.verbs):
                    assert phrase == " ".join(phrase.split()) != ""


def test_dimensions_are_found_by_id(default: Ontology) -> None:
    cube = default.cube("person")
    assert cube.dimension("nationality").kind == "nationality"
    with pytest.raises(KeyError):
        cube.dimension("colour")
    with pytest.raises(KeyError):
        default.cube("colour")


# One's own.


def test_the_example_of_the_documentation_is_valid() -> None:
    documented = inspect.getdoc(module)
    assert documented is not None
    example = textwrap.dedent(documented.split("Example::", 1)[1])
    cube = parse_ontology(example, "example").cube("disease")
    assert [dimension.id for dimension in cube.dimensions] == ["name", "symptom", "medication", "treatment"]


def test_a_file_of_ones_own_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "medicine.yaml"
    path.write_text("\ufeff" + SMALL, encoding="utf-8")
    assert load_ontology(path) == load_ontology(str(path)) == small()


def test_a_bare_string_is_a_cue_that_stands_before_its_value() -> None:
    (cue,) = small().cube("disease").dimension("symptom").cues
    assert (cue.relation, cue.after, cue.asks) == ("symptoms include",) + (("symptoms include",),) * 2


def test_a_cue_takes_the_kind_of_the_axis_its_value_lies_on() -> None:
    cube = small().cube("disease")
    assert [cube.dimension(d).cues[0].kind for d in ("symptom", "onset")] == ["text", "date"]
    assert [cue.kind for cue in cube.dimension("treatment").cues] == ["name", "name"]
    person = small("kind: name, description: drugs", "kind: person, description: drugs")
    assert [cue.kind for cue in person.cube("disease").dimension("treatment").cues] == ["person", "person"]
    said = small("{relation: treated with,", "{relation: treated with, kind: work,")
    assert said.cube("disease").dimension("treatment").cues[0].kind == "work"


def test_lists_may_be_left_out() -> None:
    bare = small(SMALL[SMALL.index("    attributes:") :], "    attributes:\n    relations:\n")
    assert [dimension.id for dimension in bare.cube("disease").dimensions] == ["name"]


def test_an_ontology_is_not_changed_by_accident(default: Ontology) -> None:
    with pytest.raises(ValueError, match="frozen"):
        default.name = "other"  # type: ignore[misc]


# Faults.

SECOND = SMALL[SMALL.index("  - id: disease") :]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("name: medicine\n", "", 1, "'name' is missing"),
        ("    description: illnesses\n", "", 3, "'description' is missing (cubes.0.description)"),
        ("    name: Disease\n", "    name: Disease\n    colour: red\n", 5, "there is no key 'colour' here"),
        ("description: when, cues", "colour: red, description: when, cues", 9, "there is no key 'colour' here"),
        ("{relation: treated with,", "{relation: treated with, befor: [x],", 17, "there is no key 'befor' here"),
        ("kind: date", "kind: moment", 9, "cubes.0.attributes.1.kind: Input should be 'person'"),
        ("id: disease", "id: Disease of man", 3, "cubes.0.id: String should match pattern"),
        ("target: drug", "target: colour", 14, "targets 'colour'; targets are: drug, name, onset, symptom"),
        ("target: drug", "target: treatment", 14, "targets 'treatment'; targets are"),
        ("{id: onset,", "{id: onset, target: drug,", 9, "'onset' of cube 'disease' is no relation and has no target"),
        ("{id: onset,", "{id: symptom,", 9, "cube 'disease' has two dimensions called 'symptom'"),
        ("id: treatment", "id: drug", 12, "cube 'disease' has two dimensions called 'drug'"),
        ("          - cured by\n", "          - cured by\n" + SECOND, 19, "two cubes are called 'disease'"),
        ("    name: Disease\n", "    name: Disease\n    name: Illness\n", 5, "the key 'name' stands here twice"),
        ("          - cured by\n", "          - 7\n", 18, "cubes.0.relations.0.cues.1"),
        ("    attributes:\n", "    attributes: some\n    x:\n", 7, "cubes.0.attributes"),
        ("name: medicine", "name: medicine: x", 1, "this is not valid YAML (mapping values are not allowed"),
        ("name: medicine", "name: medi\x07cine", 1, "this is not valid YAML"),
        ("name: medicine", "name: 2020-13-45", 1, "this is not valid YAML"),
        ("description: illnesses", "description: &a [*a]", 5, "cubes.0.description: Input should be a valid string"),
    ],
)
def test_a_fault_is_one_sentence_with_file_and_line(old: str, new: str, line: int, says: str) -> None:
    with pytest.raises(OntologyError) as caught:
        small(old, new)
    message = str(caught.value)
    assert message.startswith(f"medicine.yaml:{line}: ")
    assert says in message
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize("text", ["", "# nothing", "- a\n- b\n", "just words", "7"])
def test_what_is_no_mapping_is_no_ontology(text: str) -> None:
    with pytest.raises(OntologyError, match=re.escape("f.yaml:1: an ontology is a mapping with 'name' and 'cubes'.")):
        parse_ontology(text, "f.yaml")


def test_an_ontology_needs_a_cube() -> None:
    with pytest.raises(OntologyError, match=r"f\.yaml:2: cubes: "):
        parse_ontology("name: x\ncubes: []\n", "f.yaml")


def test_aliases_are_not_multiplied_out() -> None:
    """Nine levels of ten aliases each would be a thousand million nodes."""
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10))
    with pytest.raises(OntologyError, match=r"is missing|no key"):
        parse_ontology(f"a0: &a0 [x]\n{levels}\n", "f.yaml")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(OntologyError, match=r"'nothing' cannot be read .*name a YAML file or one of: .*default"):
        load_ontology("nothing")


def test_unreadable_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match=r"gone\.yaml' cannot be read \(No such file or directory\)"):
        load_ontology(tmp_path / "gone.yaml")
    (tmp_path / "a.yaml").write_bytes(b"name: caf\xe9")
    with pytest.raises(OntologyError, match="it is not UTF-8 text"):
        load_ontology(tmp_path / "a.yaml")


def test_every_kind_is_accepted() -> None:
    for kind in get_args(ValueKind):
        assert small("kind: date", f"kind: {kind}").cube("disease").dimension("onset").kind == kind
