"""The command that results keep does the same when it is given again."""

import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.cubes.core.errors import UsageError
from multicube.evals import commands
from multicube.evals.evaluation import runner
from multicube.evals.evaluation.options import command_line
from multicube.evals.evaluation.runner import EvalOptions, evaluate
from typer.testing import CliRunner

OUT = Path("OUT")
MODEL = ModelOptions("http://127.0.0.1:9/v1#thinks", read="http://127.0.0.1:9/v1#reads", prompts=Path("mine"))


def again(command: str, monkeypatch: pytest.MonkeyPatch) -> EvalOptions:
    """Give a command to the command line, and return what it would have evaluated."""
    taken: list[EvalOptions] = []
    monkeypatch.setattr(commands, "_run", lambda options: taken.append(options))
    monkeypatch.setattr(commands, "_show", lambda *_: None)
    app = typer.Typer()
    app.callback()(lambda: None)
    commands.register(app)
    program, *words = shlex.split(command)
    assert program == "multicube"
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    (found,) = taken
    return found


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"limit": 20, "shuffle": True, "seed": 7, "systems": ("multicube", "no-cube:person@2wiki"), "jobs": 2},
        {"corpus": ("2wiki", "musique"), "refusals": ("hotpotqa",), "ablate": True},
        {"labels": "authors", "ontology": "scidcc-hurricane", "encoder": "some/encoder", "retrieval_only": True},
        {"format": "hotpotqa", "download": True, "semantic": True, "concurrency": 4},
    ],
)
def test_the_command_gives_the_same_options_again(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MULTICUBE_ENCODER", raising=False)
    options = EvalOptions("a set's name", OUT, **given)
    found = again(command_line(options), monkeypatch)
    assert found.systems == (",".join(given["systems"]) if "systems" in given else None)
    for name in ("dataset", "out", *(name for name in given if name != "systems")):
        assert getattr(found, name) == getattr(options, name), name


def test_models_are_named_and_places_and_keys_are_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MULTICUBE_API_KEY", "sk-secret")
    command = command_line(EvalOptions(tmp_path / "mine", OUT, model=MODEL, judge=ModelOptions("gpt-4o-mini")))
    assert command == (
        "multicube eval mine --model 'http://127.0.0.1:9/v1#thinks' --read-model 'http://127.0.0.1:9/v1#reads' "
        "--prompts mine --judge --judge-model gpt-4o-mini --out OUT"
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [({"systems": "bm52"}, 'no system "bm52"'), ({"shuffle": True}, "--shuffle draws the questions that --limit")],
)
def test_what_cannot_be_asked_is_said_before_data_are_fetched(
    tmp_path: Path, given: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "in_own_layout", lambda *_: pytest.fail("data were fetched"))
    with pytest.raises(UsageError, match=sentence):
        evaluate(EvalOptions("musique-ans", tmp_path / "out", download=True, **given))
