"""Rights on the command line: tokens, and documents that only some groups may read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from multicube.agent.app.tokens import TokenFile
from multicube.agent.cli import app
from typer.testing import CliRunner, Result

DIRECTOR = "Who directed The Salt Lantern?"


@pytest.fixture
def kb(sample_path: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sample_path, tmp_path / "kb")


def run(kb: Path, *args: str) -> Result:
    return CliRunner().invoke(app, [*args, "--kb", str(kb)])


def test_a_token_is_shown_once_and_kept_hashed(kb: Path) -> None:
    made = run(kb, "tokens", "add", "ann", "--right", "write", "--group", "legal")
    token = made.stdout.strip()
    assert made.exit_code == 0
    assert token not in (kb / "tokens.json").read_text()
    assert (kb / "tokens.json").stat().st_mode & 0o777 == 0o600
    entry = TokenFile(kb).find(token)
    assert entry is not None
    assert (entry.name, entry.right("kb"), entry.groups) == ("ann", "write", ("legal",))
    assert token not in (listed := run(kb, "tokens", "list").stdout)
    assert "ann" in listed
    assert json.loads(run(kb, "tokens", "list", "--json").stdout)[0]["groups"] == ["legal"]
    assert run(kb, "tokens", "remove", "ann").exit_code == 0
    assert TokenFile(kb).find(token) is None


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("tokens", "add", "ann", "--right", "rule"), "rights are read, write or admin"),
        (("tokens", "add", "two words"), "names and groups are letters"),
        (("tokens", "remove", "nobody"), "There is no token 'nobody'."),
        (("docs", "permit", "s001"), "Name the groups"),
        (("docs", "permit", "s001", "two words"), "That is no rule"),
    ],
)
def test_what_is_no_right_is_refused_in_one_sentence(kb: Path, args: tuple[str, ...], said: str) -> None:
    refused = run(kb, *args)
    assert refused.exit_code != 0
    assert said in " ".join(refused.stderr.split())


def test_what_a_group_may_not_read_is_not_found_for_it(kb: Path) -> None:
    assert "Anselm Torvik" in run(kb, "ask", DIRECTOR).stdout
    said = run(kb, "docs", "permit", "s00*", "editors")
    assert "9 documents: read by editors only" in said.stdout
    assert "editors" in run(kb, "docs", "permissions").stdout
    assert "Torvik" not in run(kb, "ask", DIRECTOR, "--as", "guests").stdout
    assert "Anselm Torvik" in run(kb, "ask", DIRECTOR, "--as", "editors").stdout
    assert "Anselm Torvik" in run(kb, "ask", DIRECTOR).stdout  # whoever has the folder reads everything
    run(kb, "docs", "permit", "s00*", "--everyone")
    assert "Anselm Torvik" in run(kb, "ask", DIRECTOR, "--as", "guests").stdout
    assert "no document fits" in run(kb, "docs", "permit", "nowhere", "editors").stderr
