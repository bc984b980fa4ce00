"""Model calls, tokens and money: read from predictions, and counted by a server that answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from modelserver import ModelServer
from modelserver.scripted import Scripted
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import UsageError
from multicube.evals.experiments.efficiency.options import Options
from multicube.evals.experiments.efficiency.running import run
from multicube.evals.experiments.efficiency.spent import rows_of
from multicube.evals.metrics.predictions import Prediction, PredictionLog
from multicube.graphs.records import ModelUsage


def _evaluation(folder: Path, engine: str, usages: list[ModelUsage | None]) -> Path:
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps({"parts": {"engine": engine}}), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps({"dataset": "films", "engine": engine}), encoding="utf-8")
    log = PredictionLog(folder / "predictions.jsonl")
    for number, usage in enumerate(usages):
        told = {"system": "multicube", "id": f"q{number}", "question": "Who?", "gold": ("Ann",)}
        log.append(Prediction(**told, status="answered", answer="Ann", usage=usage))
    log.append(Prediction(**{**told, "id": "broken"}, status="failed", error="TimeoutError."))
    return folder


def test_predictions_say_what_a_question_cost(tmp_path: Path) -> None:
    usages = [
        ModelUsage(requests=4, input_tokens=1000, output_tokens=100, cost_usd=0.002),
        ModelUsage(requests=2, input_tokens=500, output_tokens=51, cost_usd=0.001, cached=1),
    ]
    (row,) = rows_of(_evaluation(tmp_path / "out", "llm gpt", [*usages]))
    assert row == {
        "dataset": "films", "engine": "llm gpt", "system": "multicube", "questions": 2, "requests": 3.0,
        "cached": 0.5, "input_tokens": 750.0, "output_tokens": 75.5, "usd": 0.0015,
    }  # fmt: skip


def test_what_is_not_known_is_none_and_the_embedded_engine_asks_nobody(tmp_path: Path) -> None:
    unpriced = [ModelUsage(requests=1, input_tokens=10, output_tokens=1, cost_usd=None)]
    (row,) = rows_of(_evaluation(tmp_path / "unpriced", "llm own", [*unpriced]))
    assert (row["requests"], row["usd"]) == (1.0, None)
    (row,) = rows_of(_evaluation(tmp_path / "embedded", "embedded", [None, None]))
    assert (row["questions"], row["requests"], row["input_tokens"], row["usd"]) == (2, 0, 0, 0)
    (row,) = rows_of(_evaluation(tmp_path / "silent", "llm gpt", [None]))
    assert (row["requests"], row["usd"]) == (None, None)
    with pytest.raises(UsageError, match="There are no predictions"):
        list(rows_of(tmp_path))


def test_timed_questions_cost_what_the_server_counted(tmp_path: Path, words_encoder: Encoder) -> None:
    with ModelServer(Scripted(2), latency=0.02) as server:
        model = ModelOptions(f"{server.url}#stand-in")
        options = Options(
            ("sample",), tmp_path / "out", ("retrieval", "question", "spent"), ("multicube",), 2, (1, 2),
            encoder=words_encoder, model=model, predictions=(_evaluation(tmp_path / "films", "embedded", [None]),),
        )  # fmt: skip
        figures = run(options, lambda sentence: None)
        asked, (read, written), at_once = len(server.chats), server.usage, server.most_at_once
    films, timed = figures["spent"]
    assert films["dataset"] == "films"
    assert (timed["dataset"], timed["system"], timed["engine"]) == ("sample", "multicube", f"llm {model.identity}")
    runs = 2 * (2 + 1)  # at each concurrency, two questions and one that does not count
    assert timed["requests"] == pytest.approx(asked / runs, rel=0.01)
    assert timed["input_tokens"] == pytest.approx(read / runs, rel=0.1)
    assert timed["output_tokens"] == pytest.approx(written / runs, rel=0.1)
    assert at_once > 1
    assert [row["concurrency"] for row in figures["question"]] == [1, 2]
    assert figures["retrieval"] == []  # a model's time is no retrieval's
    page = (options.out / "efficiency.md").read_text("utf-8")
    assert "multicube (llm " in page
