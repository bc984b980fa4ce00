"""Names of systems: groups, aliases, and a sentence for what is none."""

from pathlib import Path

import pytest
from multicube.cubes.core.errors import UsageError
from multicube.evals.ablations import ABLATIONS
from multicube.evals.systems import GROUPS, LIMITS, SYSTEMS, all_names, describe, parse_names, settings
from multicube.evals.systems.__main__ import listing
from multicube.graphs.records import LoopSettings


def test_groups_mix_with_names_and_each_system_comes_once() -> None:
    assert parse_names("multicube, limits,limit-2") == ("multicube", *LIMITS)
    assert parse_names("ablations,families") == tuple(ABLATIONS)
    baselines = parse_names("baselines")
    assert set(baselines) == set(SYSTEMS) - {"multicube"}
    new = {"none", "rank_bm25", "naive", "rewrite", "hyde", "core-subq", "ircot", "hypercube", "smart"}
    assert new | {"raptor", "longrag", "chainrag"} <= set(baselines)


def test_the_matrix_is_everything_that_can_run_here() -> None:
    matrix = parse_names("matrix")
    assert matrix[0] == "multicube"
    assert set(matrix) == {*SYSTEMS, *ABLATIONS, *LIMITS, *parse_names("cubes")} - set(parse_names("families"))


def test_cubes_are_those_of_the_ontology_or_of_a_preset() -> None:
    assert len(parse_names("cubes")) == 10
    assert parse_names("cubes", ontology=["ship", "port"]) == ("no-cube:ship", "no-cube:port")
    assert parse_names("bm25,cubes", ontology="scifact") == ("bm25",)
    assert parse_names("bm25,cubes", ontology="auto") == ("bm25",)
    assert parse_names("cubes:2wiki") == (
        "preset:2wiki", "no-cube:cultural_product@2wiki", "no-cube:location@2wiki", "no-cube:person@2wiki",
    )  # fmt: skip
    assert [len(parse_names(f"cubes:{name}")) - 1 for name in ("lveval", "musique", "hotpotqa")] == [3, 4, 10]


def test_names_of_before_lead_to_the_ones_of_now() -> None:
    assert parse_names("no-exact,no-expansion,no-lexical") == ("no-lexical", "no-hqg")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bm52", "Did you mean bm25"),
        ("hypercubes", "Did you mean hypercube"),
        ("limit-7", 'no system "limit-7"'),
        ("no-cube:politics@2wiki", 'no system "no-cube:politics@2wiki"'),
        ("preset:3wiki", "Did you mean preset:2wiki|no system"),
        ("no-cube:", "no system"),
        ("no-cube:person@", "no system"),
    ],
)
def test_an_unknown_name_is_told_what_there_is(name: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse_names(f"multicube,{name}")


def test_every_name_has_a_sentence_and_settings_that_say_how_it_differs() -> None:
    names = [name for name in all_names() if name not in GROUPS]
    assert {"limit-3", "no-cube:person", "raptor"} <= set(names)
    for name in names:
        found = describe(name)
        assert found.name == name
        assert found.says.endswith(".")
        assert found.says.count(". ") == 0, found.says
        assert settings(name) == found.settings == LoopSettings(**found.settings.model_dump())
    assert describe("multicube").differs == {}
    assert describe("limit-2").differs == {"max_hops": 2}
    assert describe("no-chains").differs == {"chains": False}
    assert describe("no-chains").embedded
    assert not describe("no-dense").embedded


def test_the_page_lists_what_there_is() -> None:
    page = (Path(__file__).parents[3] / "docs" / "systems.md").read_text("utf-8")
    assert listing() in page
    for name in GROUPS:
        assert f"`{name}`" in page
