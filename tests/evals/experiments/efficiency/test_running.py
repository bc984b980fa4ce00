"""Measuring at tiny sizes: what is written, and that a second call goes on where the first stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import LockedError, UsageError
from multicube.evals.experiments.efficiency import questions
from multicube.evals.experiments.efficiency.options import Crowd, Options
from multicube.evals.experiments.efficiency.running import FILE, run

SYSTEMS = ("multicube", "bm25")
KEYS = {"machine", "retrieval", "question", "growth", "noise", "index", "ingest", "cold_start", "spent"}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, words_encoder: Encoder) -> tuple[Options, dict[str, Any]]:
    """Two calls into one folder, with everything but the cold start."""
    other = tmp_path_factory.mktemp("chess")
    rows = [{"id": str(n), "title": f"Opening {n}", "text": f"Opening {n} is a chess opening."} for n in range(9)]
    (other / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    crowd = Crowd("sample", (other,), size=70, questions=5)
    options = Options(
        ("sample",), tmp_path_factory.mktemp("out"), ("growth", "noise"), ("multicube",), 4, (1, 3), (60, 100), crowd,
        encoder=words_encoder,
    )  # fmt: skip
    run(options, _silent)
    timing = replace(options, parts=("retrieval", "question", "index"), systems=SYSTEMS)
    return timing, run(timing, _silent)


def _silent(sentence: str) -> None:
    """Say nothing."""


def _log(options: Options) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (options.out / "figures.jsonl").read_text("utf-8").splitlines()]


def test_every_table_has_its_rows(measured: tuple[Options, dict[str, Any]]) -> None:
    options, figures = measured
    assert set(figures) >= KEYS
    assert json.loads((options.out / FILE).read_text("utf-8")) == figures
    assert [(row["system"], row["questions"]) for row in figures["retrieval"]] == [("multicube", 4), ("bm25", 4)]
    assert [(row["system"], row["concurrency"]) for row in figures["question"]] == [
        ("multicube", 1), ("multicube", 3), ("bm25", 1),
    ]  # fmt: skip
    for row in (*figures["retrieval"], *figures["question"]):
        assert 0 < row["p50_ms"] <= row["p95_ms"]
        assert row["mean_ms"] > 0
        assert row["failed"] == 0
    assert figures["cold_start"] == []
    page = (options.out / "efficiency.md").read_text("utf-8")
    for title in ("Retrieval alone", "Whole questions", "Growing corpora", "Off-topic documents", "On the disk"):
        assert f"## {title}" in page
    assert "## Cold start" not in page


def test_several_questions_at_a_time_are_answered_as_one_by_one(measured: tuple[Options, dict[str, Any]]) -> None:
    rows = [line["row"] for line in _log(measured[0]) if line["kind"] == "asked"]
    asked = [row for row in rows if row["system"] == "multicube"]
    assert [row["concurrency"] for row in asked] == [1, 3]
    assert asked[0]["answers"] == asked[1]["answers"]
    assert sum(map(bool, asked[0]["answers"])) >= 3


def test_a_grown_corpus_keeps_the_answers_of_the_originals(measured: tuple[Options, dict[str, Any]]) -> None:
    options, figures = measured
    found = {(row["by"], row["sections"]): row for row in figures["growth"]}
    assert set(found) == {("copies", 60), ("copies", 64), ("copies", 100), ("documents", 64), ("documents", 70)}
    smallest, largest = found["copies", 60], found["copies", 100]
    assert largest["same_answers"] == 1.0
    assert largest["ingest_per_s"] is None
    assert smallest["ingest_per_s"] > 0
    assert largest["kb_bytes"] > smallest["kb_bytes"]
    assert "sample, 100 sections" in figures["index"]
    assert not list((options.work).glob("kb-sample-1*"))


def test_noise_scores_the_same_questions_at_both_sizes(measured: tuple[Options, dict[str, Any]]) -> None:
    rows = [row for row in measured[1]["noise"] if row["system"] == "multicube"]
    assert {row["metric"] for row in rows} == {"semantic", "f1"}
    assert len({row["documents"] for row in rows}) == 2
    assert max(row["documents"] for row in rows) == 70
    assert {row["questions"] for row in rows} == {5}
    assert all(50 < row["score"] <= 100 for row in rows)
    for small, large in zip(rows[:2], rows[2:], strict=True):
        assert (small["metric"], small["lost"], small["lost_ci95"]) == (large["metric"], None, None)
        assert large["lost"] == pytest.approx(small["score"] - large["score"], abs=0.02)
        assert large["lost_ci95"][0] <= large["lost"] <= large["lost_ci95"][1]


def test_the_index_adds_up(measured: tuple[Options, dict[str, Any]]) -> None:
    _, figures = measured
    own = next(row for row in figures["ingest"] if row["dataset"] == "sample")
    assert sum(figures["index"]["sample"].values()) == own["kb_bytes"]
    assert own["sections_per_s"] == pytest.approx(own["sections"] / own["seconds"], rel=0.05)


def test_a_second_call_measures_nothing_and_writes_the_same(
    measured: tuple[Options, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    options, figures = measured
    before = (options.out / "figures.jsonl").read_bytes()
    monkeypatch.setattr(questions, "ask", _refuse)
    said: list[str] = []
    again = run(options, said.append)
    assert said == []
    assert {**again, "machine": None} == {**figures, "machine": None}
    assert (options.out / "figures.jsonl").read_bytes() == before


def test_a_call_that_was_killed_goes_on_with_what_is_missing(
    measured: tuple[Options, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    options, figures = measured
    log = options.out / "figures.jsonl"
    whole = log.read_text("utf-8")
    lines = whole.splitlines(keepends=True)
    kept = [line for line in lines if json.loads(line)["kind"] != "asked" or '"concurrency": 3' not in line]
    log.write_text("".join(kept) + lines[0][:40], encoding="utf-8")
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(questions, "ask", _counting(asked))
    again = run(options, _silent)
    assert asked == [("multicube", 3)]
    assert again["retrieval"] == figures["retrieval"]
    assert len(again["question"]) == len(figures["question"])
    log.write_text(whole, encoding="utf-8")


def test_other_questions_are_measured_anew(
    measured: tuple[Options, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(questions, "ask", _counting(asked))
    log = measured[0].out / "figures.jsonl"
    whole = log.read_text("utf-8")
    figures = run(replace(measured[0], parts=("retrieval",), queries=2, systems=("bm25",)), _silent)
    assert asked == [("bm25", 1)]
    assert {row["system"]: row["questions"] for row in figures["retrieval"]} == {"multicube": 4, "bm25": 2}
    log.write_text(whole, encoding="utf-8")


def test_wrong_wishes_are_said_in_one_sentence(tmp_path: Path) -> None:
    for options in ({"parts": ("speed",)}, {"queries": 0}, {"concurrency": (0,)}, {"sizes": (-1,)}, {"datasets": ()}):
        with pytest.raises(UsageError):
            Options(**{"datasets": ("sample",), "out": tmp_path, **options})
    with pytest.raises(UsageError, match="no system"):
        run(Options(("sample",), tmp_path, systems=("magic",)), _silent)
    with pytest.raises(UsageError, match="give --crowd"):
        run(Options((), tmp_path / "out", ("noise",)), _silent)


def test_one_process_measures_into_a_folder(measured: tuple[Options, dict[str, Any]]) -> None:
    from filelock import FileLock

    with FileLock(measured[0].out / ".lock"), pytest.raises(LockedError):
        run(measured[0], _silent)


def _refuse(*_: object) -> None:
    raise AssertionError("nothing is to be asked")


def _counting(asked: list[tuple[str, int]]) -> Callable[..., dict[str, Any]]:
    real = questions.ask

    def ask(kb: Path, name: str, sample: Any, concurrency: int, *more: Any) -> dict[str, Any]:
        asked.append((name, concurrency))
        return real(kb, name, sample, concurrency, *more)

    return ask
