"""Ablations are systems that differ from the whole by one setting, and come to one table."""

from pathlib import Path
from typing import get_args

from multicube.agent.engines.embedded.options import EngineOptions, Family
from multicube.cubes.core.encoding import Encoder
from multicube.evals.ablations import ABLATIONS
from multicube.evals.evaluation.runner import EvalOptions, evaluate
from multicube.evals.systems import engine_options, parse_names
from multicube.graphs.records import LoopSettings


def test_each_differs_from_the_whole_by_one_setting() -> None:
    for name, ablation in ABLATIONS.items():
        loop, whole = ablation.settings.model_dump(), LoopSettings().model_dump()
        engine, all_on = ablation.options.model_dump(), EngineOptions().model_dump()
        changed = [k for k in loop if loop[k] != whole[k]] + [k for k in engine if engine[k] != all_on[k]]
        assert len(changed) == 1, name


def test_every_part_of_the_engine_has_its_ablation() -> None:
    for part in EngineOptions.model_fields:
        assert any(not getattr(ablation.options, part) for ablation in ABLATIONS.values()), part
    assert {family for ablation in ABLATIONS.values() for family in ablation.options.without} == {*get_args(Family)}


def test_they_can_be_named_as_systems() -> None:
    assert parse_names("multicube,no-chains") == ("multicube", "no-chains")
    assert engine_options("no-chains") == EngineOptions(chains=False)
    assert engine_options("bm25") == EngineOptions()


def test_one_command_makes_the_table(tmp_path: Path, words_encoder: Encoder) -> None:
    options = EvalOptions("sample", tmp_path / "out", limit=5, encoder=words_encoder, ablate=True)
    results = evaluate(options)
    parts = parse_names("ablations")
    assert set(results["systems"]) == {"multicube", *parts}
    systems = results["systems"]
    assert systems["no-chains"]["em"] < systems["multicube"]["em"]
    report = (tmp_path / "out" / "report.md").read_text("utf-8")
    for name in parts:
        assert f"| {ABLATIONS[name].part} " in report
