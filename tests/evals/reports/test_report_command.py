"""The command `multicube report`: what it writes, and what it says when it cannot."""

import json
import re
from pathlib import Path

import pytest
import typer
from evaluated import HOSTILE, Make, figures
from multicube.cubes.core.errors import UsageError
from multicube.evals.metrics.measures import of_snippets
from multicube.evals.reports.commands import register
from typer.testing import CliRunner


def run(*words: object) -> str:
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_both_files_go_beside_what_the_evaluation_wrote(made: Make) -> None:
    folder = made()
    (folder / "report.md").write_text("the evaluation's own")
    said = run(folder)
    assert said.split() == [str(folder / "full-report.md"), str(folder / "full-report.html")]
    assert (folder / "report.md").read_text() == "the evaluation's own"
    assert (folder / "full-report.md").read_text().startswith("# Evaluation: 2wiki\n")


def test_only_what_is_named_is_written(made: Make, tmp_path: Path) -> None:
    folder = made()
    run(folder, "--md", tmp_path / "docs" / "page.md", "--title", "Ours", "--note", "Look at <b>this</b> first.")
    assert (tmp_path / "docs" / "page.md").read_text().startswith("# Ours\n\nLook at &lt;b&gt;this&lt;/b&gt; first. ")
    assert not list(folder.glob("full-report.*"))
    assert not list(tmp_path.rglob("*.part"))


def test_json_prints_the_tables_and_writes_nothing(made: Make) -> None:
    folder = made()
    printed = json.loads(run(folder, "--json"))
    assert {"in-short", "answers-2wiki"} <= {table["id"] for table in printed["tables"]}
    assert not list(folder.glob("full-report.*"))


def test_a_difference_goes_by_its_own_name(made: Make, tmp_path: Path) -> None:
    run("--diff", made("a"), made("b"), "--out", tmp_path / "o")
    assert "## What changed" in (tmp_path / "o" / "difference.md").read_text()


def test_markdown_shows_the_pictures_and_takes_no_markup_from_the_data(made: Make, tmp_path: Path) -> None:
    other = made("b", answers={"multicube": ("Oren Vass", "no", "| [x](http://there) `y` *z*", "1911")})
    run(made("a"), "--md", tmp_path / "docs" / "r.md", "--pictures", tmp_path / "docs" / "pictures", "--diff",
        tmp_path / "a", other)  # fmt: skip
    text = (tmp_path / "docs" / "r.md").read_text()
    assert "](pictures/latency-2wiki.svg)" in text
    assert "<svg" in (tmp_path / "docs" / "pictures" / "latency-2wiki.svg").read_text()
    assert HOSTILE not in text
    assert "<script" not in text
    assert "\u202e" not in text
    assert r"\| \[x\](http://there) \`y\` \*z\*" in text


def test_lines_that_are_no_predictions_are_counted_and_left_out(made: Make) -> None:
    folder = made()
    with (folder / "predictions.jsonl").open("a") as file:
        file.write('{"system": "multicube"}\n[1]\n{"half')
    assert "lines not read: 3" in (run(folder) and (folder / "full-report.md").read_text())


def test_what_the_run_was_is_said(made: Make) -> None:
    settings = {"multicube": {}, "bm25": {"k": 5}}
    asked = {"limit": 4, "shuffle": True, "seed": 3}
    about = {"fingerprint": "beef", "machine": {"cpu": "A", "cores": 2}, "settings": settings, "asked": asked}
    folder = made(run=about)
    run(folder)
    text = (folder / "full-report.md").read_text()
    assert "- fingerprint: `beef`" in text
    assert "- machine: A, 2 cores" in text
    assert "- settings: bm25: k 5\n" in text
    assert "- command: `multicube eval 2wiki --systems multicube,hybrid,no-loop --limit 4 --seed 3 --shuffle" in text
    kept = made("kept", run={**about, "command": "multicube eval 2wiki --jobs 2 --out OUT"})
    run(kept)
    assert "- command: `multicube eval 2wiki --jobs 2 --out OUT`" in (kept / "full-report.md").read_text()


def test_runs_of_one_data_set_have_places_and_pictures_of_their_own(made: Make, tmp_path: Path) -> None:
    a, b = made("a"), made("b", systems={"multicube": figures(90.0, 5.0)})
    run(a, b, a, "--md", tmp_path / "r.md", "--html", tmp_path / "r.html", "--pictures", tmp_path / "p")
    drawn = {path.name: path.read_text() for path in (tmp_path / "p").glob("latency-*.svg")}
    assert set(drawn) == {"latency-2wiki-a.svg", "latency-2wiki-b.svg"}
    assert len(set(drawn.values())) == 2
    places = re.findall(r' id="([^"]*2wiki[^"]*)"', (tmp_path / "r.html").read_text())
    assert len(places) == len(set(places))
    text = (tmp_path / "r.md").read_text()
    assert text.startswith("# Evaluation: 2wiki\n")
    assert "2wiki (a)" in text
    assert "2wiki (b)" in text


def test_options_that_do_nothing_are_refused(made: Make, tmp_path: Path) -> None:
    folder = made("a")
    for words, sentence in (
        ((folder, "--traces", "multicub"), 'No run has a system "multicub"'),
        ((folder, "--html", tmp_path / "r.html", "--pictures", tmp_path / "p"), "--pictures are those of the Markdown"),
    ):
        with pytest.raises(UsageError, match=sentence):
            run(*words)


def test_snippets_are_shown_at_depths_that_are_measured(made: Make) -> None:
    measured = dict.fromkeys(of_snippets({}), 12.5)
    folder = made(systems={"multicube": figures(50.0, **measured)})
    tables = {table["id"]: table for table in json.loads(run(folder, "--json"))["tables"]}
    assert sum("snippet" in column for column in tables["ranks-2wiki"]["columns"]) == 3


def test_what_is_not_there_is_said_in_a_sentence(made: Make, tmp_path: Path) -> None:
    folder = made()
    with pytest.raises(UsageError, match="Give a folder that multicube eval wrote"):
        run()
    with pytest.raises(UsageError, match="There is no folder"):
        run(tmp_path / "nowhere")
    (folder / "run.json").write_text("{")
    with pytest.raises(UsageError, match=r"run\.json cannot be read as JSON"):
        run(folder)
    (folder / "run.json").unlink()
    (folder / "file").write_text("")
    with pytest.raises(UsageError, match=r"page\.md cannot be written"):
        run(folder, "--md", folder / "file" / "page.md")
    (folder / "results.json").unlink()
    with pytest.raises(UsageError, match=r"holds no results\.json; let multicube eval finish"):
        run(folder)


def test_an_evaluation_of_before_without_predictions_and_metrics_is_read(made: Make) -> None:
    folder = made(systems={"multicube": {"em": 50.0, "f1": 51.0}})
    for name in ("predictions.jsonl", "errors.jsonl", "run.json"):
        (folder / name).unlink()
    run(folder)
    assert "| multicube | 50.0 |" in " ".join((folder / "full-report.md").read_text().split())
