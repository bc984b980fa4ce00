"""`docs show --outline` and figures in answers, over a page made here."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from multicube.agent.cli import app
from multicube.agent.views import terminal as rendering
from multicube.graphs.records import Citation, Evidence, FigureRecord, Hop, Run
from typer.testing import CliRunner


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 40, 40, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * 40) * 40)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PAGE = f"""<title>x</title><h1>The Kiln</h1><h2>1 Use</h2><h3>1.1 Heat</h3><p>The Kiln was designed by Ada Bell.</p>
<figure><img alt="a wall" src="data:image/png;base64,{base64.b64encode(png()).decode()}"><figcaption>Figure 1: Wall
[old]</figcaption></figure><h2>2 Care</h2><p>Sweep it.</p>"""


@pytest.fixture
def kb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MULTICUBE_KB", str(tmp_path / "kb"))
    (tmp_path / "kiln.html").write_text(PAGE)
    assert done("ingest", tmp_path / "kiln.html").count("documents added: 1") == 1
    return tmp_path / "kb"


def done(*args: str | Path) -> str:
    result = CliRunner().invoke(app, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_knowledge_base_may_be_named_before_or_behind_the_command(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MULTICUBE_KB")
    listed = done("docs", "list", "--kb", kb)
    assert "The Kiln" in listed
    assert done("docs", "--kb", kb) == done("docs", "--kb", kb, "list") == listed
    assert "Usage" in done("docs")


def test_the_outline_and_the_figures_of_a_document(kb: Path) -> None:
    shown = done("docs", "show", "kiln", "--outline")
    (path,) = (kb / "figures").iterdir()
    assert f"figure {path.stem[:8]}: Figure 1: Wall [old]: {path}" in shown
    assert shown.split("\n\n", 1)[1].splitlines() == [
        "The Kiln",
        "  1 Use",
        "    1.1 Heat  (100 characters)",
        f"      [figure {path.stem[:8]}]",
        "  2 Care  (9 characters)",
    ]
    found = json.loads(done("docs", "show", "kiln", "--outline", "--json"))
    assert [chapter["path"][1:] for chapter in found["outline"]] == [[], ["1 Use"], ["1 Use", "1.1 Heat"], ["2 Care"]]
    assert [chapter["figures"] for chapter in found["outline"]] == [[], [], [path.stem], []]
    assert found["media_type"] == "text/html"
    assert found["figures"][0] | {"path": str(path), "description": "a wall"} == found["figures"][0]
    assert "Sweep it." in done("docs", "show", "kiln")
    assert "text" in json.loads(done("docs", "show", "kiln", "--json"))


def test_an_answer_names_the_files_of_the_figures_it_cites(kb: Path) -> None:
    (path,) = (kb / "figures").iterdir()
    run: dict[str, Any] = json.loads(done("ask", "Who designed The Kiln?", "--json"))
    assert run["answer"] == "Ada Bell"
    (figure,) = run["citations"][0]["figures"]
    assert figure == {"id": path.stem, "caption": "Figure 1: Wall [old]", "description": "a wall", "path": str(path)}
    assert f"figure: Figure 1: Wall [old]: {path}" in done("ask", "Who designed The Kiln?", "--show")
    done("docs", "remove", "kiln", "--yes")
    assert not path.exists()


def test_runs_that_quote_what_is_removed_are_told_of_and_purged(kb: Path) -> None:
    (kb.parent / "oven.md").write_text("# The Oven\n\nThe Oven was designed by Bo Rusk.\n")
    done("ingest", kb.parent / "oven.md")
    for question in ("Who designed The Kiln?", "Who designed The Oven?"):
        assert done("ask", question)
    result = CliRunner().invoke(app, ["docs", "remove", "kiln", "--yes"])
    assert "text of theirs stays in 1 run of runs.sqlite" in result.stderr
    assert "multicube docs remove --purge-runs" in result.stderr
    assert "deleted 1 run that quoted what is gone" in done("docs", "remove", "--purge-runs", "--yes")
    assert "Ada Bell" not in "".join(file.read_bytes().decode("latin-1") for file in kb.glob("runs.sqlite*"))
    assert "Bo Rusk" in done("trace", "latest")
    assert "deleted 1 run that quoted them" in done("docs", "remove", "oven", "--purge-runs", "--yes")
    assert CliRunner().invoke(app, ["trace", "latest"]).exit_code != 0


def test_figures_are_rendered_below_their_citation_and_section() -> None:
    figure = FigureRecord(id="f", caption="", description="A\x1b[31m plan", path="/kb/figures/f.png")
    evidence = Evidence(section_id="s", document_id="d", record_id="r", title="T", text="Text.", figures=(figure,))
    citation = Citation(
        number=1, hop=1, section_id="s", document_id="d", record_id="r", title="T", sentence="Text.", figures=(figure,)
    )
    hop = Hop(number=1, subquery="q", evidence=(evidence,))
    run = Run(id="1", question="q", answer="a", citations=(citation,), hops=(hop,))
    for lines in (rendering.answer(run), rendering.trace(run), rendering.sections(run)):
        text = "\n".join(line.plain for line in lines)
        assert "    figure: A" in text
        assert ": /kb/figures/f.png" in text
        assert "\x1b" not in text
