"""The command line over a real knowledge base: the bundled sample, and small ones made here."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from multicube.agent.cli import app
from typer.testing import CliRunner, Result

RUN = "from multicube.agent.cli import main; main()"
CHAIN = "Where was the director of the film The Salt Lantern born?"
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@pytest.fixture
def kb(sample_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the sample's knowledge base that a test may change; it is the default one."""
    path = tmp_path / "own"
    shutil.copytree(sample_path, path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MULTICUBE_KB", str(path))
    return path


@pytest.fixture
def films(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small corpus, in the folder that a test runs in."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "films.jsonl", film("a", "Dune Song", "Ada Bell"), film("b", "Red Kiln", "Bo Cray"))
    return tmp_path / "films.jsonl"


def film(id: str, title: str, director: str) -> dict[str, str]:
    return {"id": id, "title": title, "text": f"{title} is a 1931 drama film directed by {director}."}


def write(path: Path, *records: Any) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def invoke(*args: str | Path, **options: Any) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], **options)


def done(*args: str | Path, **options: Any) -> Result:
    """Run a command that must succeed."""
    result = invoke(*args, **options)
    assert result.exit_code == 0, result.output
    return result


def data(*args: str | Path) -> Any:
    return json.loads(done(*args, "--json").stdout)


def refused(result: Result, code: int, *words: str) -> None:
    """Check for one plain sentence on stderr and the right status."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr
    assert result.stderr.startswith("multicube: ")
    for word in words:
        assert word in result.stderr


# ingest


def test_ingest_says_what_it_did_and_only_reads_what_is_new(films: Path) -> None:
    first = done("ingest", films, "--kb", "kb").stdout
    assert "documents added: 2" in first
    assert "sections: 2" in first
    assert re.search(r"^facts: [1-9]", first, re.MULTILINE)
    again = done("ingest", films).stdout
    assert "documents added: 0" in again
    assert "documents unchanged: 2" in again


def test_ingest_reports_as_json(films: Path) -> None:
    report = data("ingest", films, "--kb", "kb")
    assert (report["added"], report["problems"]) == (2, [])


def test_what_cannot_be_read_is_set_aside_with_file_and_line(films: Path) -> None:
    with films.open("a", encoding="utf-8") as file:
        file.write("{broken\n")
        file.writelines('{"title": "no text"}\n' for _ in range(30))
    result = done("ingest", films, "--kb", "kb")
    assert "documents added: 2" in result.stdout
    assert "set aside: 31" in result.stdout
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"{films.resolve()}:3: ")
    assert lines[20] == "... and 11 more: multicube status"
    assert len(lines) == 21
    assert "set aside: 31" in done("status").stdout


def test_a_dry_run_changes_nothing(films: Path, tmp_path: Path) -> None:
    result = done("ingest", films, "--kb", "new", "--dry-run")
    assert "documents would be added: 2" in result.stdout
    assert not (tmp_path / "new").exists()
    done("ingest", films, "--kb", "kb")
    write(films, film("a", "Dune Song", "Cy Dorn"))
    assert "documents would be updated: 1" in done("ingest", films, "--dry-run").stdout
    assert data("status")["documents"] == 2


def test_documents_whose_file_is_gone_are_removed_when_asked(films: Path, tmp_path: Path) -> None:
    write(tmp_path / "more.jsonl", film("c", "Third", "Di Eve"))
    done("ingest", tmp_path / "more.jsonl", films, "--kb", "kb")
    (tmp_path / "more.jsonl").unlink()
    kept = done("ingest", tmp_path, "--kb", "kb").stdout
    assert "files gone: 1 (--prune" in kept
    assert "documents removed: 1" in done("ingest", tmp_path, "--kb", "kb", "--prune").stdout


def test_a_document_in_another_language_is_warned_of(films: Path) -> None:
    text = "Der Film wurde von einer bekannten Regisseurin gedreht und im Herbst in den Kinos gezeigt. " * 3
    write(films, {"id": "x", "title": "Wüstenlied", "text": text})
    assert "German" in done("ingest", films, "--kb", "kb").stderr


def test_an_empty_folder_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(invoke("ingest", tmp_path / "empty", "--kb", tmp_path / "kb"), 1, "nothing to read")


def test_a_folder_of_other_things_is_no_knowledge_base(films: Path, tmp_path: Path) -> None:
    refused(invoke("ingest", films, "--kb", tmp_path), 1, "name another folder")
    assert films.exists()


def test_an_ontology_that_is_not_there_is_one_sentence(films: Path) -> None:
    refused(invoke("ingest", films, "--kb", "kb", "--ontology", "nonesuch"), 1, "'nonesuch'", "default")


def test_a_fault_in_an_ontology_names_its_line(films: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("name: own\ncubes:\n  - id: BAD\n", encoding="utf-8")
    refused(invoke("ingest", films, "--kb", "kb", "--ontology", own), 1, "own.yaml:3")


def test_progress_is_drawn_where_a_person_watches(films: Path) -> None:
    result = done("ingest", films, "--kb", "kb", env={"FORCE_COLOR": "1"})
    assert "read" in result.stderr
    assert "2/2" in result.stderr
    assert done("ingest", films, "--kb", "other").stderr == ""  # no bar


# ask


def test_an_answer_comes_with_citations(kb: Path) -> None:
    result = done("ask", CHAIN)
    lines = result.stdout.splitlines()
    assert lines[0] == "Skarholt"
    assert lines[2].startswith("[1] The Salt Lantern: It was directed by Anselm Torvik")
    assert lines[3].startswith("[2] Anselm Torvik: Born in Skarholt")
    assert "engine" not in result.stderr  # said only where a model thinks


def test_the_trace_prints_every_hop(kb: Path) -> None:
    shown = done("ask", CHAIN, "--trace").stdout
    assert "Hop 1: " in shown
    assert "Hop 2: Where was Anselm Torvik born?" in shown
    assert "cultural_product/name: The Salt Lantern → The Salt Lantern (exact)" in shown
    assert "Born in **Skarholt**" in shown


def test_json_is_the_whole_run(kb: Path) -> None:
    run = data("ask", CHAIN)
    assert run["answer"] == "Skarholt"
    assert [hop["answer"] for hop in run["hops"]] == ["Anselm Torvik", "Skarholt"]
    for hop in run["hops"]:
        assert hop["subquery"]
        assert hop["cubes"]
        assert hop["evidence"][0]["matches"]
        assert hop["evidence"][0]["sentence"]


def test_an_abstention_says_why_and_is_no_failure(kb: Path) -> None:
    result = done("ask", "Who is the king of Foo?")
    assert result.stdout.startswith("No answer: ")


def test_sections_are_shown_in_full_when_asked(kb: Path) -> None:
    assert "Gannet House Pictures released the picture" in done("ask", CHAIN, "--show").stdout


def test_a_question_is_read_from_stdin(kb: Path) -> None:
    assert done("ask", "-", input=f"{CHAIN}\n").stdout.startswith("Skarholt")


def test_an_unsaved_question_leaves_no_run(kb: Path) -> None:
    before = len(data("trace"))
    done("ask", CHAIN, "--no-save")
    assert len(data("trace")) == before


def test_filters_and_settings_reach_the_loop(kb: Path) -> None:
    where = ["--where", "kind=film", "--since", "1934", "--until", "1934-12", "--source", "*.jsonl"]
    run = data("ask", CHAIN, *where, "--k", "3", "--max-hops", "2", "--tau", "0.9")
    assert run["filters"]["metadata"] == {"kind": "film"}
    assert run["filters"]["sources"] == ["*.jsonl"]
    assert (run["filters"]["since"], run["filters"]["until"]) == ("1934", "1934-12")
    assert run["settings"]["sections_per_hop"] == 3
    assert run["settings"]["tau"] == 0.9
    assert len(run["hops"]) <= 2
    run = data("ask", CHAIN, "--fusion", "plain", "--abstractions", "all")
    assert (run["settings"]["fusion"], run["settings"]["abstractions"]) == ("plain", "all")


def test_the_same_loop_runs_without_cubes(kb: Path) -> None:
    run = data("ask", CHAIN, "--retrieval", "bm25")
    assert run["settings"]["retrieval"] == "bm25"
    assert {e["retriever"] for hop in run["hops"] for e in hop["evidence"]} == {"bm25"}


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"COLUMNS": "20"}])
def test_piped_output_is_plain_and_never_cut(kb: Path, environment: dict[str, str]) -> None:
    shown = done("ask", CHAIN, "--trace", env=environment)
    assert not CONTROL.search(shown.output)
    assert any(len(line) > 120 for line in shown.stdout.splitlines())


def test_colour_is_for_terminals(kb: Path) -> None:
    assert "\x1b[" in done("ask", CHAIN, env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).stdout


def test_markup_and_escapes_in_documents_are_only_text(films: Path) -> None:
    write(
        films,
        {
            "id": "a",
            "title": "Dune [bold]Song[/bold]\x1b[31m",
            "text": "Dune is a film directed by Ada [red]Bell\x1b[0m.\x07",
        },
    )
    done("ingest", films, "--kb", "kb")
    for command in (["docs", "list"], ["docs", "show", "a"], ["cube", "--section", "a"], ["cube", "--json"]):
        shown = done(*command)
        assert not CONTROL.search(shown.output)
    assert "[bold]Song[/bold]" in done("docs", "list").stdout


# trace


def test_runs_are_listed_and_shown(kb: Path) -> None:
    run = data("ask", CHAIN)["id"]
    assert run in done("trace").stdout
    assert data("trace", run[:6])["id"] == run
    assert data("trace", "latest")["id"] == run
    assert "Hop 2" in done("trace", run).stdout
    assert data("trace")[0]["id"] == run


def test_runs_are_searched(kb: Path) -> None:
    run = data("ask", CHAIN)["id"]
    data("ask", "Who directed the film The Tin Cathedral?")
    assert [each["id"] for each in data("trace", "--search", "skarholt torvik")] == [run]
    assert run not in done("trace", "--status", "abstained").stdout
    assert "1 more" in done("trace", "--limit", "1", "--since", "2020").stderr
    assert "no run fits" in done("trace", "--until", "1999").stderr
    refused(invoke("trace", "--status", "done"), 2, "no status 'done'")


def test_a_run_is_exported_and_deleted(kb: Path, tmp_path: Path) -> None:
    run = data("ask", CHAIN)["id"]
    page = done("trace", run, "--html").stdout
    done("trace", run, "--html", "--out", tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == page
    assert "Skarholt" in page
    done("trace", run, "--json", "--out", tmp_path / "run.json")
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["id"] == run
    assert invoke("trace", run, "--delete", input="n\n").exit_code == 1
    refused(invoke("trace", run, "--delete", "--html"), 2, "--delete")
    assert run in done("trace").stdout
    done("trace", run, "--delete", "--yes")
    refused(invoke("trace", run), 2, f"no run '{run}'")


def test_a_knowledge_base_without_runs_says_so(films: Path) -> None:
    done("ingest", films, "--kb", "kb")
    assert "no runs yet" in done("trace").stderr
    refused(invoke("trace", "latest"), 2, "no runs yet")


def test_a_run_that_is_not_there_is_one_sentence(kb: Path) -> None:
    refused(invoke("trace", "zzz"), 2, "no run 'zzz'")


def test_a_run_is_drawn_as_a_flowchart(kb: Path) -> None:
    done("ask", CHAIN)
    source = done("trace", "--mermaid").stdout
    assert source.startswith("flowchart TD\n")
    assert "Skarholt" in source


def test_a_run_is_forked_with_an_edited_answer(kb: Path) -> None:
    run = data("ask", CHAIN)["id"]
    result = done("trace", run, "--fork", "1", "--answer", "Imre Saldane")
    assert f"from run {run}" in result.stderr
    assert "Where was Imre Saldane born?" in result.stdout
    assert data("trace", "latest")["forked_from"] == run


def test_a_run_is_replayed_and_a_finished_one_is_not_resumed(kb: Path) -> None:
    run = data("ask", CHAIN)["id"]
    again = data("trace", run, "--replay")
    assert again["id"] != run
    assert again["answer"] == "Skarholt"
    assert data("trace", run, "--resume")["id"] == run


def test_a_fork_at_a_hop_that_is_not_there_is_one_sentence(kb: Path) -> None:
    run = data("ask", CHAIN)["id"]
    refused(invoke("trace", run, "--fork", "9", "--answer", "x"), 2, "hops 1 to 2")


# cube


def test_classes_dimensions_labels_and_cells(kb: Path) -> None:
    assert "cultural_product" in done("cube").stdout
    assert {row["dimension"] for row in data("cube", "cultural_product")} >= {
        "name",
        "genre",
        "date",
        "to_person",
    }
    labels = data("cube", "cultural_product", "name", "--like", "salt")
    assert [row["label"] for row in labels] == ["The Salt Lantern"]
    cell = data("cube", "cultural_product", "name", "the salt lantern")
    assert [row["record"] for row in cell["sections"]] == ["s001"]
    assert "Anselm Torvik" in {fact["value"] for fact in cell["facts"]}
    assert "directed by" in done("cube", "cultural_product", "to_person", "directed by").stdout


def test_long_lists_say_how_much_more_there_is(kb: Path) -> None:
    result = done("cube", "person", "name", "--limit", "3")
    assert len(result.stdout.splitlines()) == 4
    assert "more; --limit N" in result.stderr


def test_all_cells_of_a_section(kb: Path) -> None:
    shown = data("cube", "--section", "s001")
    assert {
        "class": "cultural_product",
        "dimension": "name",
        "label": "The Salt Lantern",
        "count": 1,
    } in shown["cells"]
    assert shown["facts"]


def test_films_per_genre_and_decade(kb: Path) -> None:
    shown = done("cube", "cultural_product", "--roll-up", "genre,date", "--by", "decade").stdout
    assert "1930s" in shown.splitlines()[0]
    rows = data("cube", "cultural_product", "--roll-up", "genre,date", "--by", "decade")
    assert {"genre": "drama film", "date": "1930s", "subjects": 1, "sections": 1} in rows
    assert set(data("cube", "cultural_product", "--roll-up", "date")[0]) == {"date", "subjects", "sections"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["opera"], ["no class 'opera'", "cultural_product"]),
        (["person", "nme"], ["no dimension 'nme'", "nationality"]),
        (["person", "name", "Anselm Torvick"], ["no label 'Anselm Torvick'", "Anselm Torvik"]),
        (["--section", "s999"], ["no section or record 's999'"]),
        (["--roll-up", "genre"], ["which class"]),
        (["cultural_product", "--roll-up", "genre,"], ["--roll-up 'genre,'"]),
        (["cultural_product", "--roll-up", "genre,when"], ["no dimension 'when'"]),
        (["cultural_product", "--roll-up", "genre", "--by", "week"], ["--by 'week'"]),
        (["--section", "s001", "--export", "x.csv"], ["--section alone"]),
        (["--export", "x.docx"], ["'x.docx'", ".csv"]),
        (["--export", "nowhere/x.csv"], ["no folder 'nowhere'"]),
        (["--retract", "zzz"], ["no fact 'zzz'"]),
        (["--set", "zzz", " "], ["not empty"]),
        (["person", "name", "--rename", "x"], ["which label"]),
        (["person", "name", "Nobody", "--rename", "x"], ["no label 'Nobody'"]),
        (["person", "--add", "a", "b", "c"], ["where the fact belongs"]),
        (["--undo", "99"], ["no correction '99'"]),
        (["--undo", "1", "--corrections"], ["one correction at a time"]),
    ],
)
def test_wrong_looks_into_the_cubes_are_one_sentence(kb: Path, args: list[str], words: list[str]) -> None:
    refused(invoke("cube", *args), 2, *words)


def test_everything_comes_as_json_in_a_stable_order(kb: Path) -> None:
    first, second = done("cube", "--json").stdout, done("cube", "--json").stdout
    assert first == second
    assert {item["type"] for item in json.loads(first)} == {"document", "section", "label", "fact"}


def test_facts_are_exported(kb: Path, tmp_path: Path) -> None:
    assert "facts written to facts.csv" in done("cube", "person", "--export", "facts.csv").stderr
    with (tmp_path / "facts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["class"] for row in rows} == {"person"}
    assert all(row["sentence"][:1] for row in rows)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["facts.csv", "own"]


def test_parquet_needs_its_library(kb: Path, tmp_path: Path) -> None:
    result = invoke("cube", "--export", "facts.parquet")
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        refused(result, 1, "pyarrow", ".csv")
    else:
        assert (tmp_path / "facts.parquet").stat().st_size


# corrections


def fact_of(subject: str, relation: str) -> str:
    facts = data("cube", "cultural_product", "name", subject)["facts"]
    return next(str(fact["fact"]) for fact in facts if fact["relation"] == relation)


def test_a_corrected_fact_changes_the_answer_until_it_is_undone(kb: Path) -> None:
    made = done("cube", "--set", fact_of("The Salt Lantern", "directed by"), "Imre Saldane").stdout
    assert made.startswith("correction 1: changed in cultural_product/to_person")
    assert done("ask", "Who directed The Salt Lantern?").stdout.splitlines()[0] == "Imre Saldane"
    assert data("cube", "--corrections")[0]["new"] == "Imre Saldane"
    assert "Imre Saldane" in done("cube", "--corrections").stdout
    done("cube", "--undo", "1")
    assert done("ask", "Who directed The Salt Lantern?").stdout.splitlines()[0] == "Anselm Torvik"


def test_a_fact_is_struck_out(kb: Path) -> None:
    gone = fact_of("The Salt Lantern", "released on")
    assert data("cube", "--retract", gone)[0]["kind"] == "retract"
    assert gone not in done("cube", "cultural_product", "name", "The Salt Lantern").stdout


def test_a_fact_is_added_to_a_section(kb: Path) -> None:
    done(
        "cube",
        "cultural_product",
        "to_person",
        "--section",
        "s001",
        "--add",
        "The Salt Lantern",
        "produced by",
        "Ada Bell",
    )
    facts = data("cube", "--section", "s001")["facts"]
    assert [(f["value"], f["origin"]) for f in facts if f["relation"] == "produced by"] == [
        ("Ada Bell", "person")
    ]


def test_labels_are_renamed_and_merged(kb: Path) -> None:
    done("cube", "cultural_product", "genre", "drama film", "--merge", "drama")
    labels = {row["label"]: row["sections"] for row in data("cube", "cultural_product", "genre")}
    assert labels["drama film"] == 2
    assert "drama" not in labels
    done("cube", "cultural_product", "genre", "drama film", "--rename", "Drama")
    assert "Drama" in {row["label"] for row in data("cube", "cultural_product", "genre")}


# docs


def test_documents_are_listed_shown_and_removed(kb: Path) -> None:
    found = data("docs", "list", "--like", "salt lantern")
    assert [(d["record_id"], d["title"]) for d in found] == [("s001", "The Salt Lantern")]
    assert "Gannet House Pictures" in done("docs", "show", "s001").stdout
    assert data("docs", "show", found[0]["id"])["text"][0]["text"].startswith("The Salt Lantern is")
    assert done("docs", "remove", "s001", "--yes").stdout == "removed 1 document\n"
    assert data("docs", "list", "--like", "salt lantern") == []
    assert "s001" not in {item.get("record_id") for item in json.loads(done("cube", "--json").stdout)}


def test_removing_asks_first(kb: Path) -> None:
    no = invoke("docs", "remove", "s001", input="n\n")
    assert (no.exit_code, no.stdout) == (1, "")
    assert "The Salt Lantern" in no.stderr
    assert no.stderr.endswith("stopped; nothing was changed.\n")
    nobody = invoke("docs", "remove", "s001", input="")
    assert (nobody.exit_code, "--yes" in nobody.stderr) == (2, True)
    assert done("docs", "remove", "s001", input="y\n").stdout == "removed 1 document\n"


def test_a_file_of_many_records_is_removed_whole_but_not_shown(kb: Path) -> None:
    file = data("docs", "show", "s001")["source"]
    refused(invoke("docs", "show", file), 2, "name one by its id")
    assert done("docs", "remove", file, "-y").stdout.startswith("removed 6")
    assert data("status")["documents"] == 0


def test_a_document_that_is_not_there_is_one_sentence(kb: Path) -> None:
    refused(invoke("docs", "show", "zzz"), 2, "no document 'zzz'")
    refused(invoke("docs", "remove", "zzz", "--yes"), 2, "no document 'zzz'")


# status, rebuild, doctor


def test_status_says_what_is_there(kb: Path) -> None:
    shown = done("status").stdout
    assert "  engine: embedded/" in shown
    assert "  encoder: all-MiniLM" in shown
    status = data("status")
    assert status["documents"] > 60
    assert status["indexed"] is True


def test_the_index_is_rebuilt(kb: Path) -> None:
    before = data("status")["vectors"]
    shutil.rmtree(kb / "chroma")
    assert "not in step" in done("status").stdout
    assert done("rebuild").stdout == f"{before:,} vectors derived anew from the catalog\n"
    assert data("status")["indexed"] is True


def test_a_lost_store_is_said_by_ask_and_doctor_whether_labels_are_cached_or_not(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(kb / "chroma")
    for columns in ("on", "off"):
        monkeypatch.setenv("MULTICUBE_COLUMNS", columns)
        asked = invoke("ask", CHAIN)
        assert (asked.exit_code, asked.stdout) == (1, "")
        assert f"multicube rebuild --kb {kb}" in asked.stderr.splitlines()[-1]
        doctor = invoke("doctor", "--quick")
        assert doctor.exit_code == 1
        assert "failed   collections" in doctor.stdout
        assert f"multicube rebuild --kb {kb}" in doctor.stdout
    done("rebuild")
    assert "ok       collections" in done("doctor", "--quick").stdout
    assert "Skarholt" in done("ask", CHAIN).stdout


def test_the_doctor_looks_at_the_knowledge_base_and_the_encoder(kb: Path) -> None:
    checks = {check["check"]: check for check in data("doctor")}
    assert checks["knowledge base"]["state"] == "ok"
    assert "384 dimensions" in checks["encoder"]["detail"]


def test_a_damaged_catalog_is_one_sentence(kb: Path) -> None:
    for name in ("catalog.sqlite-wal", "catalog.sqlite-shm"):
        (kb / name).unlink(missing_ok=True)
    (kb / "catalog.sqlite").write_bytes(b"this is no database" * 500)
    refused(invoke("status"), 1, "catalog")
    doctor = invoke("doctor", "--quick")
    assert doctor.exit_code == 1
    assert "failed   knowledge base" in doctor.stdout


# whole processes


def start(*args: str | Path, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUN, *map(str, args)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **{**pipes, **options})


def test_a_reader_that_closes_the_pipe_is_no_failure(kb: Path) -> None:
    process = start("cube", "--json")
    assert process.stdout is not None
    assert process.stdout.readline() == "[\n"
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    assert process.wait(60) == 0


def test_ctrl_c_ends_with_one_line_and_status_130(kb: Path) -> None:
    # A shell that runs the tests in the background leaves Ctrl-C ignored, and children inherit that.
    process = start("docs", "remove", "s001", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert process.stderr is not None
    while "?" not in (read := process.stderr.read(1)) and read:
        pass  # until it has asked its question
    process.send_signal(signal.SIGINT)
    rest = process.stderr.read()
    assert process.wait(60) == 130
    assert "Traceback" not in rest
    assert "multicube: interrupted" in rest


def test_an_ascii_terminal_gets_escapes_not_errors(films: Path) -> None:
    write(films, {"id": "a", "title": "Żuławski", "text": "Żuławski is a Polish director.\x85"})
    done("ingest", films, "--kb", "kb")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    process = start("docs", "show", "a", "--json", env=environment)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, "")
    assert out.isascii()
    assert json.loads(out)["title"] == "Żuławski"


def test_names_complete(kb: Path) -> None:
    run = data("ask", CHAIN)["id"]
    for words, at, wanted in (
        (f"multicube trace {run[:4]}", 2, run),
        ("multicube cube cult", 2, "cultural_product"),
    ):
        environment = {
            **os.environ,
            "_MULTICUBE_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(at),
        }
        process = start(env=environment)
        out, _ = process.communicate(timeout=60)
        assert wanted in out
