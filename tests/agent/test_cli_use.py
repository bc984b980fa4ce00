"""The command line before any knowledge base is opened: help, versions, wrong use, plugins, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from multicube.agent.cli import app, plugins
from typer.testing import CliRunner, Result

RUN = "import sys; from multicube.agent.cli import main; sys.argv[0] = 'multicube'; main()"
HEAVY = (
    "fastapi",
    "uvicorn",
    "torch",
    "chromadb",
    "langgraph",
    "sentence_transformers",
    "onnxruntime",
    "numpy",
    "openai",
    "langchain_openai",
    "pydantic_settings",
)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without a knowledge base."""
    monkeypatch.chdir(tmp_path)


def invoke(*args: str, **options: object) -> Result:
    return CliRunner().invoke(app, list(args), **options)  # type: ignore[arg-type]


def process(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, as a shell does."""
    return subprocess.run(
        [sys.executable, "-c", RUN, *args],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def refused(result: Result, code: int, *words: str) -> None:
    """Check that a command ended with one plain sentence on stderr, nothing on stdout, and its status."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stderr.startswith("multicube: ")
    for word in words:
        assert word in result.stderr


def test_the_package_runs_as_the_command_does() -> None:
    shown = [subprocess.run([sys.executable, *how, "--version"], capture_output=True, text=True, check=True).stdout
             for how in (("-m", "multicube"), ("-c", RUN))]  # fmt: skip
    assert shown[0] == shown[1] != ""


def test_no_arguments_show_the_help() -> None:
    result = invoke()
    assert result.exit_code == 0
    for command in ("ingest", "ask", "trace", "cube", "docs", "status", "doctor", "rebuild", "eval"):
        assert f" {command} " in result.stdout


@pytest.mark.parametrize(
    "command", ["ingest", "ask", "trace", "cube", "docs", "status", "doctor", "rebuild", "eval"]
)
def test_every_command_explains_itself(command: str) -> None:
    assert invoke(command, "--help").exit_code == 0
    assert "Usage" in invoke(command, "-h").stdout


def test_the_version_is_printed() -> None:
    assert invoke("--version").stdout.startswith("multicube 0.")


@pytest.mark.parametrize(
    "args", [["--help"], ["ingest", "--help"], ["ask", "--help"], ["eval", "--help"], ["--version"]]
)
def test_help_imports_nothing_heavy(args: list[str]) -> None:
    code = (
        f"import sys\nsys.argv = ['multicube', *{args!r}]\nfrom multicube.agent.cli import main\n"
        f"try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('HEAVY', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_an_unknown_command_is_wrong_use() -> None:
    refused(invoke("aks"), 2, "No such command 'aks'", "Did you mean 'ask'? See:")


def test_an_unknown_option_is_wrong_use() -> None:
    refused(invoke("ask", "Who?", "--frobnicate"), 2, "--frobnicate", "multicube ask --help")


def test_a_missing_argument_is_wrong_use() -> None:
    refused(invoke("ask"), 2, "question")


def test_without_a_knowledge_base_it_says_how_to_name_one() -> None:
    refused(invoke("ask", "Who?"), 2, "--kb DIR", "MULTICUBE_KB")


@pytest.mark.parametrize(
    "command", [["ask", "Who?"], ["trace"], ["cube"], ["docs", "list"], ["status"], ["rebuild"]]
)
def test_a_knowledge_base_that_is_not_there_is_one_sentence(command: list[str]) -> None:
    refused(invoke(*command, "--kb", "nowhere"), 1, "no knowledge base at", "multicube ingest")


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_refused(question: str) -> None:
    refused(invoke("ask", question), 2, "The question is empty")


def test_a_question_of_10000_characters_is_refused() -> None:
    refused(invoke("ask", "why " * 2500), 2, "9,999 characters", "4,000")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--engine", "llm"], ["--engine llm needs a model", "--model NAME", "MULTICUBE_MODEL"]),
        (["--engine", "embedded", "--model", "gpt-x"], ["embedded engine uses no model"]),
        (["--engine", "abacus"], ["no engine 'abacus'"]),
        (["--model", "http://host:1/v1"], ["which model", "http://host:1/v1#name"]),
        (["--model", "two words"], ["'two words' names no model"]),
        (["--read-model", "gpt-x"], ["--read-model is for a language model", "--model"]),
        (["--max-cost", "1"], ["--max-cost is for a language model"]),
        (["--model", "gpt-x", "--prompts", "nowhere"], ["nowhere"]),
        (["--max-tokens", "-1"], ["--max-tokens"]),
        (["--retrieval", "magic"], ["--retrieval 'magic'"]),
        (["--expand", "perhaps"], ["--expand 'perhaps'"]),
        (["--k", "0"], ["--k"]),
        (["--max-hops", "99"], ["--max-hops"]),
        (["--deadline", "-1"], ["--deadline"]),
        (["--deadline", "nan"], ["--deadline"]),
        (["--tau", "1.5"], ["--tau"]),
        (["--where", "year"], ["--where 'year'", "KEY=VALUE"]),
        (["--since", "yesterday"], ["--since 'yesterday'", "1998-05-31"]),
        (["--until", "1998-02-30"], ["--until '1998-02-30'"]),
    ],
)
def test_options_that_do_not_fit_are_one_sentence(options: list[str], words: list[str]) -> None:
    refused(invoke("ask", "Who?", *options), 2, *words)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--resume", "--replay"], "only one of"),
        (["--answer", "x"], "--fork HOP"),
        (["--fork", "1"], "--subquery or --answer"),
        (["--fork", "1", "--answer", " "], "--subquery or --answer"),
        (["--json", "--mermaid"], "only one of"),
        (["--search", "x", "--html"], "list runs"),
        (["--delete"], "trace RUN --delete"),
        (["--out", "file"], "--out"),
    ],
)
def test_trace_options_that_exclude_each_other_are_refused(options: list[str], word: str) -> None:
    refused(invoke("trace", *options, "--kb", "nowhere"), 2, word)


def test_a_path_to_ingest_that_is_not_there_is_named() -> None:
    refused(invoke("ingest", "missing.md", "--kb", "kb"), 2, "missing.md")
    assert not Path("kb").exists()


def _plugin(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setattr(plugins, "entry_points", lambda group: [EntryPoint("extra", value, group)])


def test_a_broken_plugin_costs_one_sentence_and_the_rest_works(monkeypatch: pytest.MonkeyPatch) -> None:
    _plugin(monkeypatch, "no_such_package:register")
    result = invoke("--help")
    assert result.exit_code == 0
    assert " ask " in result.stdout
    assert result.stderr.startswith(
        "multicube: the command 'extra' (no_such_package:register) cannot be loaded"
    )


def test_a_built_in_command_never_loads_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    _plugin(monkeypatch, "no_such_package:register")
    refused(invoke("ask", ""), 2, "empty")


def test_a_plugin_adds_its_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    _plugin(monkeypatch, "multicube.evals.commands:register")
    assert "DATASET" in invoke("eval", "--help").stdout


def test_debugging_shows_where_an_error_comes_from() -> None:
    result = invoke("ask", "", env={"MULTICUBE_DEBUG": "1"})
    assert result.exit_code == 2
    assert "Traceback" in result.stderr


def test_a_real_process_ends_with_the_same_status_and_sentence() -> None:
    done = process("ask", " ")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("multicube: The question is empty")
    assert "Traceback" not in done.stderr


def test_completion_for_a_shell_is_printed() -> None:
    done = process(
        "ingest", "--kb", "x", _MULTICUBE_COMPLETE="complete_bash", COMP_WORDS="multicube sta", COMP_CWORD="1"
    )
    assert "status" in done.stdout


def test_the_doctor_finds_this_machine_usable() -> None:
    result = invoke("doctor", "--quick")
    assert result.exit_code == 0
    assert "ok       python:" in result.stdout
    assert "no language model" in result.stdout


def test_the_doctor_names_misspelt_variables() -> None:
    result = invoke("doctor", "--quick", env={"MULTICUBE_ENCODR": "x", "MULTICUBE_DATA": "sets"})
    assert "nothing reads MULTICUBE_ENCODR;" in result.stdout
    assert "warning" in result.stdout


def test_the_doctor_fails_on_a_setting_that_does_not_fit() -> None:
    result = invoke("doctor", "--quick", "--json", env={"MULTICUBE_ENGINE": "abacus"})
    assert result.exit_code == 1
    assert "MULTICUBE_ENGINE" in result.stdout


PLUGIN = """
import errno, warnings
def register(app):
    @app.command("bug")
    def bug(): raise ValueError("two and two is five")
    @app.command("full")
    def full(): raise OSError(errno.ENOSPC, "No space left on device")
    @app.command("denied")
    def denied(): raise PermissionError(errno.EACCES, "Permission denied", "/root/kb")
    @app.command("warned")
    def warned(): warnings.warn("this is slow")
    @app.command("stopped")
    def stopped(): raise KeyboardInterrupt
    @app.command("closed")
    def closed(): raise BrokenPipeError(errno.EPIPE, "Broken pipe")
"""


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin whose commands end badly, each in its own way."""
    (tmp_path / "faulty_plugin.py").write_text(PLUGIN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    _plugin(monkeypatch, "faulty_plugin:register")


@pytest.mark.usefixtures("faulty")
@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("bug", 1, ["a fault in multicube itself: ValueError: two and two is five", "MULTICUBE_DEBUG=1"]),
        ("full", 1, ["the disk is full"]),
        ("denied", 1, ["Permission denied: /root/kb"]),
        ("stopped", 130, ["interrupted"]),
    ],
)
def test_whatever_goes_wrong_is_one_sentence(command: str, code: int, words: list[str]) -> None:
    refused(invoke(command), code, *words)


@pytest.mark.usefixtures("faulty")
def test_a_warning_is_one_line_and_no_failure() -> None:
    result = invoke("warned")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "note: this is slow\n")


@pytest.mark.usefixtures("faulty")
def test_a_closed_pipe_is_silent() -> None:
    result = invoke("closed")
    assert (result.exit_code, result.output) == (0, "")
