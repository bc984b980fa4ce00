"""What a person sees on stderr: bars on a terminal, sentences anywhere."""

import io

import pytest
from multicube.cubes.ingest.pipeline import Progress
from multicube.evals.evaluation.progress import ProgressWatcher
from multicube.evals.metrics.predictions import Prediction
from rich.console import Console


def _watched(terminal: bool) -> str:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=120, markup=False, color_system=None)
    right = Prediction(system="bm25", id="q1", question="?", gold=("a",), status="answered", answer="a")
    with ProgressWatcher(console) as watcher:
        watcher.say("Asking [all] questions.")
        watcher.ingest(Progress("read", 1, 2))
        watcher.begin("bm25", total=4, done=1)
        watcher.step(right)
        for number in (2, 3):
            failed = {"status": "failed", "id": f"q{number}", "error": "ValueError: no."}
            watcher.step(right.model_copy(update=failed))
    return stream.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_sentences_and_the_first_failure_are_printed(terminal: bool) -> None:
    seen = _watched(terminal)
    assert "Asking [all] questions." in seen
    assert seen.count("bm25: question q2 failed: ValueError: no.") == 1
    assert "question q3" not in seen


def test_bars_are_for_terminals_only() -> None:
    assert "4/4" in _watched(True)
    assert "2 failed" in _watched(True)
    assert "4/4" not in _watched(False)
