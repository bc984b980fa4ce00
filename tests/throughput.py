"""How much faster many questions are answered side by side: `python tests/throughput.py` measures it.

A server in a process of its own leads every question through three hops and takes 200 ms for each reply. It is asked
the same number of questions one by one and side by side; no reply is asked for twice.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions

TESTS = Path(__file__).resolve().parent
SAMPLE = TESTS.parent / "evals" / "sample" / "corpus.jsonl"


@dataclass(frozen=True)
class Measured:
    """A number of questions, asked at some concurrency."""

    questions: int
    concurrency: int
    seconds: float
    processor_seconds: float
    requests: int

    def __str__(self) -> str:
        processor = f"{1000 * self.processor_seconds / self.questions:.0f} ms of processor time each"
        asked = f"{self.questions} questions, {self.concurrency} at a time"
        return f"{asked}: {self.seconds:.1f} s ({self.requests} requests, {processor})"


@contextmanager
def served(latency: float, hops: int) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "modelserver", "--latency", str(latency), "--scripted", str(hops)]
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def measured(kb: Path, url: str, questions: list[str], concurrency: int) -> Measured:
    """Ask the questions; a first one that is not counted loads what a process loads once."""
    with MultiCube.open(kb, model=ModelOptions(f"{url}#stand-in")) as opened:
        opened.ask(f"{questions[0]} And what else?")
        before, started, used = opened.spent.requests, time.perf_counter(), time.process_time()
        runs = opened.batch(questions, concurrency=concurrency)
        seconds, processor = time.perf_counter() - started, time.process_time() - used
        hops = {len(run.hops) for run in runs}
        assert hops == {3}, hops
        return Measured(len(questions), concurrency, seconds, processor, opened.spent.requests - before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--alone", type=int, help="ask so many one by one, and reckon with as many as --questions")
    parser.add_argument("--concurrency", type=int, default=10)
    parser.add_argument("--latency", type=float, default=0.2)
    options = parser.parse_args()
    alone = options.alone or options.questions
    with tempfile.TemporaryDirectory() as folder, served(options.latency, 3) as url:
        kb = Path(folder) / "kb"
        MultiCube.build([SAMPLE], kb, engine="embedded").close()
        one = measured(kb, url, [f"What is known of matter {n}?" for n in range(alone)], 1)
        print(one, flush=True)
        many = measured(kb, url, [f"What is known of case {n}?" for n in range(options.questions)], options.concurrency)
        print(many)
    print(f"{one.seconds / one.questions * many.questions / many.seconds:.1f} times as fast")


if __name__ == "__main__":
    main()
