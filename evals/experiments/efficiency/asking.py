"""Asking one system a sample of questions, with a clock: the questions, the retrieval in them, memory, tokens."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....agent.engines.llm.errors import ModelError
from ....graphs.records import ModelUsage
from ...datasets.dataset import Dataset
from ...machine import load, peak_rss_mb
from ...metrics.basic import mean, percentile
from ...systems import System, engine_options, make_systems

if TYPE_CHECKING:
    from ....agent.engines.llm.engine import ModelOptions
    from ....cubes.core.encoding import Encoder

__all__ = ["Sample", "ask", "ask_alone", "milliseconds", "sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """Questions to time, and one more that is asked before them and not counted."""

    first: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Timed:
    answer: str
    ms: float
    retrieval_ms: float
    hops: int
    spent: ModelUsage
    failed: bool = False


def sample(dataset: Dataset, number: int, seed: int) -> Sample:
    """Draw questions; the first one, not counted, is one of the others where the data set has any."""
    drawn = [question.question for question in dataset.select(number, shuffle=True, seed=seed).questions]
    asked = set(drawn)
    others = (question.question for question in dataset.questions if question.question not in asked)
    return Sample(next(others, drawn[0]), tuple(drawn))


def ask(
    kb: Path,
    name: str,
    asked: Sample,
    concurrency: int = 1,
    model: ModelOptions | None = None,
    encoder: str | Encoder | None = None,
) -> dict[str, Any]:
    """Ask a system the questions, so many at a time, and return answers and times.

    The knowledge base is opened anew: nothing that another system has warmed helps this one. ``seconds`` is the
    wall-clock time of all questions together, ``cpu_seconds`` this process's processor time; ``ms`` and
    ``retrieval_ms`` are each question's own, the second summed over its hops. With a model, every reply is asked for
    anew. A question that fails is counted in ``failed`` and has no times; a model that cannot be asked raises
    `ModelError`.
    """
    from ....agent.app.facade import MultiCube

    thinking: dict[str, Any] = {"engine": "embedded"} if model is None else {"model": replace(model, cache=False)}
    began = time.perf_counter()
    with MultiCube.open(kb, encoder=encoder, engine_options=engine_options(name), **thinking) as opened:
        (system,) = make_systems([name], opened)
        _timed(system, asked.first)
        ready, used, started = time.perf_counter() - began, time.process_time(), time.perf_counter()
        timed = _side_by_side(system, asked.questions, concurrency)
        seconds, cpu = time.perf_counter() - started, time.process_time() - used
        sections = len(opened.kb.sections())
    went = [one for one in timed if not one.failed]
    return {
        "sections": sections,
        "answers": [one.answer for one in timed],
        "ms": [round(one.ms, 3) for one in went],
        "retrieval_ms": [round(one.retrieval_ms, 3) for one in went],
        "hops": mean(float(one.hops) for one in went),
        "failed": len(timed) - len(went),
        "seconds": round(seconds, 3),
        "cpu_seconds": round(cpu, 3),
        "ready_s": round(ready, 3),
        "peak_rss_mb": peak_rss_mb(),
        "load": load(),
        "spent": reduce(ModelUsage.plus, (one.spent for one in timed)).model_dump(),
    }


def ask_alone(kb: Path, name: str, asked: Sample, encoder: str | Encoder | None) -> dict[str, Any]:
    """Ask one question at a time, without a model; for a process of its own."""
    return ask(kb, name, asked, encoder=encoder)


def milliseconds(times: Sequence[float]) -> dict[str, float | None]:
    """Return mean, median and 95th percentile; None of nothing."""
    told = {"mean_ms": mean(times), "p50_ms": percentile(times, 50), "p95_ms": percentile(times, 95)}
    return {name: None if value is None else round(value, 2) for name, value in told.items()}


def _side_by_side(system: System, questions: Sequence[str], concurrency: int) -> list[_Timed]:
    """Ask as `MultiCube.batch` does: a thread for each question that is on its way."""
    if concurrency == 1:
        return [_timed(system, question) for question in questions]
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        return list(pool.map(lambda question: _timed(system, question), questions))


def _timed(system: System, question: str) -> _Timed:
    started = time.perf_counter()
    try:
        run = system.answer(question)
    except ModelError:
        raise
    except Exception:  # whatever a system raises is this question's failure; evaluations say why
        return _Timed("", 0.0, 0.0, 0, ModelUsage(), failed=True)
    ms = (time.perf_counter() - started) * 1000
    spent, failed = ModelUsage(
        **run.usage.model_dump(exclude={"stages"})
    ), run.status in ("failed", "paused", "running")
    return _Timed(run.answer, ms, sum(hop.retrieval_ms for hop in run.hops), len(run.hops), spent, failed)
