"""What is counted and timed of runs and requests, as a collector gets it over OTLP."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from apiserver import Halting, serving, wait_until
from collecting import Collector, collecting, flushed
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube import MultiCube, MultiCubeError
from multicube.agent.cli.egress import libraries
from multicube.agent.runs.otlp import collector
from multicube.agent.server.limits import Limits

CHAIN = "Where was the director of the film The Salt Lantern born?"


@pytest.fixture
def otlp(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """A collector that the environment names for metrics alone."""
    with collecting() as kept:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", f"{kept.url}/v1/metrics")
        yield kept


def counted(otlp: Collector, name: str, *keys: str) -> dict[Any, int]:
    """How often something was measured, by some of its attributes."""
    flushed()
    found: dict[Any, int] = {}
    for said, point in otlp.points()[name]:
        key = tuple(said.get(key) for key in keys)
        found[key] = found.get(key, 0) + point.count
    return found


def test_questions_are_timed_by_how_they_ended_and_nodes_by_name(sample: MultiCube, otlp: Collector) -> None:
    sample.warm()
    sample.ask(CHAIN, save=False)
    sample.ask("Who tamed the moon of Nowhere Bay?", save=False)
    events = sample.stream(CHAIN, save=False)
    next(events)
    events.close()  # type: ignore[attr-defined]
    ended = counted(otlp, "multicube.question.duration", "multicube.engine", "multicube.status")
    assert ended == {(sample.reasoner.name, status): 1 for status in ("answered", "abstained", "paused")}
    nodes = counted(otlp, "multicube.node.duration", "multicube.node")
    assert nodes[("finalize",)] == 2
    assert {("reason",), ("route",), ("cube_person",), ("expand",), ("answer",), ("check",)} <= set(nodes)
    assert otlp.spans() == []
    assert not any(b"Salt Lantern" in body or b"Skarholt" in body for _, body in otlp.posted)


def test_an_error_is_counted_by_its_name(sample: MultiCube, otlp: Collector) -> None:
    def fail(*args: Any) -> None:
        raise MultiCubeError("The engine is broken.")

    sample.reasoner.route = fail  # type: ignore[method-assign]
    with pytest.raises(MultiCubeError, match="The engine is broken"):
        sample.ask(CHAIN, save=False)
    ended = counted(otlp, "multicube.question.duration", "multicube.status", "error.type")
    assert ended == {("failed", "MultiCubeError"): 1}
    assert counted(otlp, "multicube.node.duration", "multicube.node", "error.type")[("route", "MultiCubeError")] == 1


def test_tokens_and_exchanges_are_counted_by_model_and_stage(
    sample: MultiCube, sample_path: Path, otlp: Collector
) -> None:
    with ModelServer(Competent()) as server, MultiCube.open(sample_path, model=f"{server.url}#stand-in") as kb:
        run = kb.ask(CHAIN, save=False)
    flushed()
    points = otlp.points()
    tokens = {"input": 0, "output": 0}
    for said, point in points["gen_ai.client.token.usage"]:
        assert said["gen_ai.request.model"] == "stand-in"
        tokens[said["gen_ai.token.type"]] += int(point.sum)
    assert tokens == {"input": run.usage.input_tokens, "output": run.usage.output_tokens}
    exchanges = counted(otlp, "gen_ai.client.operation.duration", "multicube.stage")
    assert sum(exchanges.values()) == run.usage.requests > 0
    assert exchanges[("answer",)] == 2


def test_the_queue_and_the_requests_of_a_server_are_measured(
    sample_path: Path, tmp_path: Path, otlp: Collector
) -> None:
    folder = shutil.copytree(sample_path, tmp_path / "kb")
    with Halting.open(folder) as kb, serving(kb, limits=Limits(asks=1), warm=False) as running:
        with ThreadPoolExecutor(3) as pool:
            asked = [pool.submit(running.ask) for _ in range(3)]
            kb.halted.wait(60)
            wait_until(lambda: running.client.get("/health").json()["asks"] == 3)
            flushed()
            now = {said["multicube.state"]: p.as_int for said, p in otlp.points()["multicube.queue.questions"]}
            kb.go_on.set()
            assert all(each.result()["answer"] == "Skarholt" for each in asked)
        running.client.get("/sections/none")
    assert now == {"answering": 1, "waiting": 2}
    assert counted(otlp, "multicube.queue.duration") == {(): 3}
    requests = counted(
        otlp, "http.server.request.duration", "http.request.method", "http.route", "http.response.status_code"
    )
    assert requests[("POST", "/ask", 200)] == 3
    assert requests[("GET", "/sections/{section_id}", 404)] == 1


def test_a_process_sends_at_its_end_what_it_counted(sample_path: Path, otlp: Collector) -> None:
    script = f"from multicube import MultiCube; MultiCube.open({str(sample_path)!r}).ask({CHAIN!r}, save=False)"
    subprocess.run([sys.executable, "-c", script], check=True)
    assert [point.count for _, point in otlp.points()["multicube.question.duration"]] == [1]


def test_without_a_collector_nothing_of_it_is_imported(sample_path: Path) -> None:
    script = (
        "import sys; from multicube import MultiCube\n"
        f"MultiCube.open({str(sample_path)!r}).ask({CHAIN!r}, save=False)\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk.metrics')])"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_the_usual_variables_switch_each_signal_by_itself(otlp: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    assert collector() is None
    assert collector(signal="metrics") == f"{otlp.url}/v1/metrics"
    assert "counts and times" in libraries(None, None)[1]
    assert otlp.url in libraries(None, None)[1]
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", "none")
    assert collector(signal="metrics") is None
    assert "counts" not in libraries(None, None)[1]
