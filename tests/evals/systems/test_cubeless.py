"""MultiCube with fewer cubes, fewer hops, and without ranking by coverage."""

import pytest
from multicube import MultiCube
from multicube.cubes.core.errors import UsageError
from multicube.evals.systems import make_systems
from multicube.graphs.records import Run

from .conftest import Made

TWO_HOPS = "Where was the director of The Salt Lantern born?"
BORN = "Where was Anselm Karvik born?"


def _cubes(run: Run) -> set[str]:
    opened = {cube for hop in run.hops for cube in hop.cubes}
    matched = {m.cube for hop in run.hops for e in hop.evidence for m in e.matches}
    facts = {hop.fact.cube for hop in run.hops if hop.fact is not None}
    return opened | matched | facts


def test_without_a_cube_none_of_its_cells_is_opened(made: Made, questions: list[str]) -> None:
    whole = [made("multicube").answer(question) for question in questions[:5]]
    less = [made("no-cube:person").answer(question) for question in questions[:5]]
    assert any("person" in _cubes(run) for run in whole)
    assert not any("person" in _cubes(run) for run in less)
    assert any("cultural_product" in _cubes(run) for run in less)


def test_the_knowledge_base_below_keeps_all_its_cubes(made: Made, kb: MultiCube) -> None:
    before = [spec.id for spec in kb.kb.ontology.cubes]
    made("no-cube:person").answer(TWO_HOPS)
    assert [spec.id for spec in kb.kb.ontology.cubes] == before
    assert "person" in kb.kb.cubes


def test_a_preset_has_its_cubes_alone(made: Made, questions: list[str]) -> None:
    kept = {"cultural_product", "location", "person"}
    runs = [made("preset:2wiki").answer(question) for question in questions[:5]]
    assert set().union(*map(_cubes, runs)) <= kept
    less = [made("no-cube:person@2wiki").answer(question) for question in questions[:5]]
    assert set().union(*map(_cubes, less)) <= kept - {"person"}


def test_a_cube_that_is_not_there_is_told(kb: MultiCube) -> None:
    with pytest.raises(UsageError, match=r'no cube "dragon".*cultural_product'):
        make_systems(["no-cube:dragon"], kb)


def test_a_limit_of_one_asks_one_hop(made: Made) -> None:
    whole, one, two = (made(name).answer(TWO_HOPS) for name in ("multicube", "limit-1", "limit-2"))
    assert len(whole.hops) == 2
    assert len(one.hops) == 1
    assert one.stopped == "iterations"
    assert one.answer == ""
    assert (two.answer, len(two.hops)) == (whole.answer, 2)
