"""Several processes share the questions: the result is the same, and a kill half-way loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from multicube.agent.engines.embedded.answers.span import PredictedSpan
from multicube.cubes.core.errors import UsageError
from multicube.evals.datasets.dataset import Question
from multicube.evals.evaluation import workers
from multicube.evals.evaluation.asking import Answered, AskingContext, QuestionBatch
from multicube.evals.evaluation.readings import SharedSpanCache, timed
from multicube.evals.evaluation.runner import EvalOptions, evaluate
from multicube.evals.evaluation.workers import WorkQueue, answer_all, shares
from multicube.evals.metrics.predictions import PredictionLog, failure
from multicube.evals.reports.results import markdown

QUESTIONS = tuple(Question(id=f"q{n}", question=f"What is thing {n}?", answers=("x",)) for n in range(7))


def test_every_question_is_in_one_share_and_empty_units_in_none() -> None:
    units = [QuestionBatch("a", QUESTIONS, QUESTIONS[:1]), QuestionBatch("b", QUESTIONS[:1]), QuestionBatch("c", ())]
    first, second = shares(units, 2)
    assert [unit.system for unit in first] == ["a", "b"]
    assert [unit.system for unit in second] == ["a"]
    assert {q.id for q in first[0].own} | {q.id for q in second[0].own} == {q.id for q in QUESTIONS}
    assert len(first[0]) + len(second[0]) == 8
    begun = [share[0].system for share in shares([QuestionBatch(name, QUESTIONS) for name in "abcd"], 2)]
    assert begun == ["a", "c"]


def test_who_is_through_helps_with_the_end_of_the_longest() -> None:
    units = [QuestionBatch(name, QUESTIONS) for name in "abc"]
    plan = WorkQueue([units[:1], units])
    asked = [plan.next(0), plan.next(1), plan.next(0), plan.next(0), plan.next(0), plan.next(1)]
    assert [unit.system if unit else None for unit in asked] == ["a", "a", "c", "b", None, None]


def test_more_processes_than_shares_end_and_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def threads(_: AskingContext, count: int) -> Iterator[list[Connection]]:
        lines = [Pipe() for _ in range(count)]
        for _, there in lines:
            Thread(target=serve, args=(there,), daemon=True).start()
        yield [here for here, _ in lines]

    def serve(line: Connection) -> None:
        while (unit := line.recv()) is not None:
            for question in unit.own:
                line.send(Answered(failure(unit.system, question, "It broke."), False))
            line.send(None)
        line.close()

    monkeypatch.setattr(workers, "_processes", threads)
    # one question of the data set and one foreign to it: by their sum two processes, but one share
    divided = shares([QuestionBatch("a", QUESTIONS[:1], QUESTIONS[1:2]), QuestionBatch("b", QUESTIONS[:1])], 2)
    assert [len(share) for share in divided] == [2, 0]
    found = list(answer_all(AskingContext(Path("kb")), [divided[0][:1], []]))
    assert [answered.row.id for answered in found] == ["q0"]
    assert len(list(answer_all(AskingContext(Path("kb")), divided))) == 2


def test_a_reading_is_made_once_and_its_time_counts_for_all() -> None:
    span, made = PredictedSpan(0, 0, 3, "Ada", 1.5), []

    def read() -> list[PredictedSpan]:
        made.append(1)
        time.sleep(0.002)
        return [span]

    kept = SharedSpanCache()
    sections = [("T", "Ada wrote."), ("U", "Bea sang.")]
    with timed() as first:
        assert kept.reading("Who?", sections, read) == [span]
    with timed() as again:
        assert kept.reading("Who?", sections, read) == [span]
    assert len(made) == 1
    assert first.seconds == 0.0
    assert again.seconds >= 0.002
    kept.reading("Who?", sections[::-1], read)
    kept.reading("Who", [("?T", "Ada wrote."), ("U", "Bea sang.")], read)
    assert len(made) == 3


@pytest.mark.parametrize(("more", "sentence"), [({"jobs": 0}, "--jobs 0"), ({"concurrency": 2}, "by --concurrency")])
def test_jobs_that_cannot_be_are_one_sentence(tmp_path: Path, more: dict[str, int], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        evaluate(EvalOptions("sample", tmp_path / "out", **{"jobs": 2, **more}))  # type: ignore[arg-type]


SYSTEMS, ASKED = "bm25,multicube", 5


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks for processes as Linux lists them")
def test_killed_half_way_and_resumed_the_results_are_the_same_and_say_where_they_come_from(tmp_path: Path) -> None:
    log = PredictionLog(tmp_path / "killed" / "predictions.jsonl")
    arguments = ["eval", "sample", "--systems", SYSTEMS, "--limit", str(ASKED), "--jobs", "2", "--out"]
    process = subprocess.Popen(
        [sys.executable, "-c", "from multicube.agent.cli import main; main()", *arguments, str(tmp_path / "killed")],
        stdout=subprocess.DEVNULL,
    )
    while process.poll() is None and (not log.path.exists() or log.path.read_bytes().count(b"\n") < 3):
        time.sleep(0.002)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGKILL)
    process.wait()
    acknowledged = log.read()
    assert 3 <= len(acknowledged) < 2 * ASKED, "it was not half-way"
    assert children
    _gone(children)

    resumed = evaluate(EvalOptions("sample", tmp_path / "killed", SYSTEMS, ASKED))
    whole = evaluate(EvalOptions("sample", tmp_path / "whole", SYSTEMS, ASKED))
    rows, others = log.read(), PredictionLog(tmp_path / "whole" / "predictions.jsonl").read()
    assert {row.id + row.system: row for row in rows}.items() >= {r.id + r.system: r for r in acknowledged}.items()
    assert [_timeless(row.model_dump()) for row in rows] == [_timeless(row.model_dump()) for row in others]
    assert [row.system for row in rows] == [name for name in SYSTEMS.split(",") for _ in range(ASKED)]
    assert _timeless(resumed) == _timeless(whole)
    assert markdown(_timeless(resumed)) == markdown(_timeless(whole))
    assert resumed["run"]["fingerprint"] == whole["run"]["fingerprint"]
    assert resumed["run"]["command"] == f"multicube eval sample --systems {SYSTEMS} --limit {ASKED} --out OUT"
    assert (tmp_path / "killed" / "errors.jsonl").read_bytes() == (tmp_path / "whole" / "errors.jsonl").read_bytes()

    run = json.loads((tmp_path / "whole" / "results.json").read_text("utf-8"))["run"]
    assert run == whole["run"]
    assert run["settings"] == {"bm25": {"retrieval": "bm25", "single_shot": True}, "multicube": {}}
    assert set(run["machine"]) == {"cpu", "cores", "system", "python"}
    assert run["parts"]["corpus"]
    assert run["asked"].items() >= {"limit": ASKED, "shuffle": False, "seed": 0, "jobs": 1}.items()

    before = {path.name: path.read_bytes() for path in (tmp_path / "killed").glob("*.*")}
    assert evaluate(EvalOptions("sample", tmp_path / "killed", SYSTEMS, ASKED)) == resumed
    assert {path.name: path.read_bytes() for path in (tmp_path / "killed").glob("*.*")} == before


def _timeless(value: Any) -> Any:
    """Set every measured time and size to the same."""
    if isinstance(value, dict):
        return {
            key: 1.0 if "_ms" in key or key in ("seconds", "sections_per_s", "kb_bytes", "peak_rss_mb", "index") else
            _timeless(each) for key, each in value.items()
        }  # fmt: skip
    return [_timeless(each) for each in value] if isinstance(value, list | tuple) else value


def _gone(children: list[str]) -> None:
    """Wait until processes whose parent was killed have ended by themselves."""
    for child in children:
        for _ in range(1000):
            try:
                state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                break
            if state == "Z":
                break
            time.sleep(0.02)
        else:
            os.kill(int(child), signal.SIGKILL)
            pytest.fail("a process outlived the one that it worked for")
