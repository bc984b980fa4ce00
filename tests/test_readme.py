"""What the README and the pages behind it show is what happens: commands, options, links, the demonstration."""

from __future__ import annotations

import contextlib
import re
import shlex
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.cli.application import app
from multicube.cubes.model.ontology import Ontology, load_ontology
from multicube.graphs.answer import build_answer_graph
from multicube.graphs.reasoner import HIQA, SMART
from multicube.graphs.tools import PASSAGES
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")}
_LINK = re.compile(r"\]\((?!https?://)([^)#\s]+)(?:#[^)]*)?\)")
_MOST_WORDS = 700
_ENDS = {"__start__": "question([question])", "__end__": "cited([answer with citations])"}


def test_it_is_short() -> None:
    assert len(README.split()) <= _MOST_WORDS


@pytest.mark.parametrize("page", ["../README.md", "README.md", "how-it-works.md", "engine.md", "cli.md", "models.md"])
def test_links_lead_somewhere(page: str) -> None:
    text = README if page.startswith("..") else PAGES[page]
    folder = (ROOT / "docs" / page).parent
    assert [link for link in _LINK.findall(text) if not (folder / link).exists()] == []


def test_the_index_leads_to_every_page() -> None:
    listed = set(_LINK.findall(PAGES["README.md"]))
    assert {name for name in PAGES if not name.startswith(("README", "evaluation-"))} <= listed


def test_the_picture_of_the_loop_is_drawn_from_the_compiled_graph() -> None:
    drawn = re.search(r"```mermaid\n(.*?)\n```", PAGES["how-it-works.md"], re.DOTALL)
    assert drawn is not None
    assert drawn[1] == _picture(load_ontology("default"))


def _picture(ontology: Ontology) -> str:
    """Return the answer graph of an ontology as a Mermaid flowchart; conditional edges are dotted."""
    drawn = build_answer_graph(ontology).get_graph()
    names = {"__start__": "question", "__end__": "cited"}
    lines = [
        "flowchart TD",
        *(f"    {shape}" for shape in _ENDS.values()),
        "    subgraph tools [one tool node per cube, for passages, chapters and abstractions]",
    ]
    others = (PASSAGES, HIQA, SMART)
    lines += [f"        {name}" for name in drawn.nodes if name.startswith("cube_") or name in others]
    lines.append("    end")
    for edge in drawn.edges:
        arrow = "-.->" if edge.conditional else "-->"
        lines.append(f"    {names.get(edge.source, edge.source)} {arrow} {names.get(edge.target, edge.target)}")
    return "\n".join(lines)


COMMANDS = sorted(set(re.findall(r"(?:`|\$ )multicube ([a-z]+)\b", README + PAGES["cli.md"])))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_it_names_exists(command: str) -> None:
    assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0


def test_every_option_it_names_exists() -> None:
    page = PAGES["cli.md"]
    table = page[page.index("| command | what it does |") :]
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


def test_what_it_tells_to_do_with_files_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE_DIR", str(tmp_path / "cache"))
    lines = re.findall(r"^\$ multicube ((?:ingest|ask) [^#\n]*)", README[README.index("## Use it") :], re.MULTILINE)
    assert [line.split()[0] for line in lines[:3]] == ["ask", "ingest", "ask"]
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "FOLDER" / "notes.md").write_text("# Ora Lind\n\nOra Lind was born in Dastra in 1901.\n", "utf-8")
    with contextlib.chdir(tmp_path):
        for line in lines[:3]:
            words = [word.replace("QUESTION", "Where was Ora Lind born?") for word in shlex.split(line)]
            told = CliRunner().invoke(app, words)
            assert told.exit_code == 0, told.output
            assert "ask" not in line or "Dastra" in told.output


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    source: dict[str, object] = {"__name__": "example"}
    exec(compile((ROOT / "examples" / "ask.py").read_text(encoding="utf-8"), "ask.py", "exec"), source)
    answer = source["main"]()  # type: ignore[operator]
    assert answer == "Aldric III"
    assert "[1]" in capsys.readouterr().out
