"""What the README shows is what happens: its picture, its commands, its demonstration."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.cli.application import app
from multicube.cubes.ontology import load_ontology
from multicube.graphs.picture import loop_picture
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_of_the_loop_is_drawn_from_the_compiled_graph() -> None:
    drawn = re.search(r"```mermaid\n(.*?)\n```", README, re.DOTALL)
    assert drawn is not None
    assert drawn[1] == loop_picture(load_ontology("default"))


COMMANDS = sorted(set(re.findall(r"multicube (ingest|ask|trace|cube|docs|status|eval)\b", README)))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_it_names_exists(command: str) -> None:
    assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0


def test_every_option_it_names_exists() -> None:
    table = README[README.index("| command | what it does |") :]
    for command, row in re.findall(r"\| `multicube (ingest|ask|trace|cube|eval) [^`]*` \| ([^\n]*)", table):
        shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
        for option in re.findall(r"--[a-z][a-z-]+", row):
            assert option in shown, f"{command} {option}"


def test_the_demonstration_gives_the_answer_and_hops_it_shows(sample: MultiCube) -> None:
    shown = re.search(r'\$ multicube ask "([^"]+)" --kb demo-kb --trace\n(.*?)```', README, re.DOTALL)
    assert shown is not None
    run = sample.ask(shown[1], save=False)
    assert f"Answer: {run.answer}\n" in shown[2]
    assert re.findall(r"^Hop \d+: (.*)$", shown[2], re.MULTILINE) == [hop.subquery for hop in run.hops]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    source: dict[str, object] = {"__name__": "example"}
    exec(compile((ROOT / "examples" / "ask.py").read_text(encoding="utf-8"), "ask.py", "exec"), source)
    answer = source["main"]()  # type: ignore[operator]
    assert answer == "Aldric III"
    assert "[1]" in capsys.readouterr().out
