"""Questions to several servers at once: ``python -m multicube.evals serving DATASET``.

First the same questions go to one server over files and to one over PostgreSQL and a Chroma server, which says what
the services cost. Then two servers over the services answer side by side, while a third process ingests batch after
batch and one of the two is killed half-way: every question that was acknowledged must be answered or resumed, and no
answer may hold what its generation does not.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import httpx
import typer

from ...cubes.core.errors import UsageError
from ...cubes.store.postgres import URL_VARIABLE as DATABASE_VARIABLE
from ...cubes.store.vectors import URL_VARIABLE as CHROMA_VARIABLE
from ..datasets.load import load_dataset
from ..generators.growth import write_corpus
from ..machine import machine
from ..metrics.basic import percentile
from ..support import application

__all__ = ["app"]

_SERVICES = (DATABASE_VARIABLE, CHROMA_VARIABLE)
_MULTICUBE = [sys.executable, "-m", "multicube"]
_PATIENCE_S = 300.0
_BATCHES = 3


def _command(
    dataset: Annotated[Path, typer.Argument(metavar="DATASET", help="A folder with corpus.jsonl and questions.jsonl.")],
    questions: Annotated[int, typer.Option(metavar="N", help="Questions, asked anew where there are fewer.")] = 200,
    concurrency: Annotated[int, typer.Option(metavar="N", help="Questions under way at once.")] = 20,
    sections: Annotated[int, typer.Option(metavar="N", help="Records of the corpus to begin with.")] = 3_000,
    added: Annotated[int, typer.Option(metavar="N", help="Records that are ingested meanwhile.")] = 600,
) -> None:
    """Ask one server over files, one over services, and two while one is killed; prints a JSON line for each."""
    if not all(os.environ.get(name) for name in _SERVICES):
        raise UsageError(f"Name the services that are to be asked, in {' and '.join(_SERVICES)}.")
    data = load_dataset(dataset)
    asked = [data.questions[n % len(data.questions)].question for n in range(questions)]
    lines = (dataset / "corpus.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines[: sections + added]]
    with TemporaryDirectory() as folder:
        kbs, base, later = Path(folder), records[:sections], records[sections:]
        corpus = write_corpus(kbs / "corpus.jsonl", iter(base))
        for name, env in (("files", _without_services()), ("services", dict(os.environ))):
            typer.echo(json.dumps({"over": name} | _one(kbs / f"{kbs.name}-{name}", corpus, asked, concurrency, env)))
        shared = kbs / f"{kbs.name}-services"
        typer.echo(json.dumps(_two(shared, kbs / "other" / shared.name, asked, concurrency, later)))
    typer.echo(json.dumps({"machine": machine()}, default=str))


def _without_services() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _SERVICES}


def _one(kb: Path, corpus: Path, asked: Sequence[str], concurrency: int, env: Mapping[str, str]) -> dict[str, Any]:
    """Ingest, then ask one server one question after another, and so many at once."""
    began = time.perf_counter()
    _run(env, "ingest", str(corpus), "--kb", str(kb))
    ingest = time.perf_counter() - began
    with _served(kb, env) as server:
        alone = [_asked([server.url], question).ms for question in asked]
        began = time.perf_counter()
        with ThreadPoolExecutor(concurrency) as pool:
            many = [told.ms for told in pool.map(lambda question: _asked([server.url], question), asked)]
        seconds = time.perf_counter() - began
    return {
        "ingest_s": round(ingest, 1), "questions": len(asked), "alone_ms": _spread(alone),
        "at_once": concurrency, "at_once_ms": _spread(many), "questions_per_s": round(len(asked) / seconds, 1),
    }  # fmt: skip


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {f"p{q:g}": round(percentile(values, q) or 0.0, 1) for q in (50, 95)}


@dataclass(slots=True)
class _Server:
    url: str
    process: subprocess.Popen[str]


@dataclass(frozen=True, slots=True)
class _Told:
    """How a question ended: answered, resumed (its server went), asked again (before it was acknowledged), lost.

    ``said`` are the refusals of the servers that answered.
    """

    how: str
    ms: float
    run: Mapping[str, Any] = field(default_factory=dict)
    said: Sequence[str] = ()


def _two(one: Path, two: Path, asked: Sequence[str], concurrency: int, later: Sequence[Any]) -> dict[str, Any]:
    """Ask two servers while a third process ingests; one of the two is killed half-way."""
    env = dict(os.environ)
    with ExitStack() as stack:
        servers = [stack.enter_context(_served(kb, env)) for kb in (one, two)]
        done, half = Counter[str](), len(asked) // 2

        def ask(number: int) -> _Told:
            urls = [server.url for server in servers]
            told = _asked(urls[number % 2 :] + urls[: number % 2], asked[number])
            done["questions"] += 1
            if done["questions"] == half:
                servers[0].process.send_signal(signal.SIGKILL)
            return told

        with ThreadPoolExecutor(concurrency + 1) as pool:
            batches = pool.submit(_ingested, one.parent / "third" / one.name, later, env)
            told = list(pool.map(ask, range(len(asked))))
            generations = batches.result()
    return {
        "over": "services, two servers, one killed", "questions": len(asked), "at_once": concurrency,
        **Counter(each.how for each in told), "ms": _spread([each.ms for each in told]),
        "generations": dict(Counter(str(each.run.get("generation")) for each in told)),
        "batches": sorted(set(generations.values())), "mixed": sum(_mixes(each.run, generations) for each in told),
        "refusals": [said for each in told for said in each.said],
    }  # fmt: skip


def _ingested(kb: Path, later: Sequence[Any], env: Mapping[str, str]) -> dict[str, int]:
    """Ingest batch after batch; return the generation with which each record came."""
    came: dict[str, int] = {}
    for n in range(_BATCHES):
        batch = later[n::_BATCHES]
        corpus = write_corpus(kb.parents[1] / f"batch-{n}.jsonl", iter(batch))
        _run(env, "ingest", str(corpus), "--kb", str(kb))
        generation = json.loads(_run(env, "status", "--json", "--kb", str(kb)))["generation"]
        came |= {record["id"]: generation for record in batch}
    return came


def _mixes(run: Mapping[str, Any], came: Mapping[str, int]) -> bool:
    """Whether a run found a record that came after its generation."""
    return any(came.get(record, 0) > run.get("generation", 0) for record in run.get("retrieved", ()))


def _asked(urls: Sequence[str], question: str) -> _Told:
    """Ask the first server; where that goes away, go on at the next with what was acknowledged."""
    began, run_id, how, said = time.perf_counter(), "", "answered", list[str]()
    for url in urls:
        try:
            found = _resumed(url, run_id) if run_id else None
            for name, data in () if found else _events(url, question):
                run_id = data["run"] if name == "started" else run_id
                found = data["run"] if name == "final" else found
                said += [data["message"]] if name == "failure" else []
            if found:
                return _Told(how, (time.perf_counter() - began) * 1000, found)
        except httpx.HTTPStatusError as error:
            said.append(error.response.text)
        except httpx.HTTPError as error:
            said.append(repr(error))
        how = "resumed" if run_id else "asked again"
    return _Told("lost", (time.perf_counter() - began) * 1000, said=said)


def _resumed(url: str, run_id: str) -> dict[str, Any]:
    reply = httpx.post(f"{url}/runs/{run_id}/resume", timeout=_PATIENCE_S).raise_for_status()
    found: dict[str, Any] = reply.json()
    return found


def _events(url: str, question: str) -> Iterator[tuple[str, dict[str, Any]]]:
    headers = {"Accept": "text/event-stream"}
    with httpx.stream("POST", f"{url}/ask", json={"question": question}, headers=headers, timeout=_PATIENCE_S) as reply:
        if reply.is_error:
            reply.read()
            reply.raise_for_status()
        name = ""
        for line in reply.iter_lines():
            what, _, said = line.partition(": ")
            name = said if what == "event" else name
            if what == "data":
                yield name, json.loads(said)


@contextmanager
def _served(kb: Path, env: Mapping[str, str]) -> Iterator[_Server]:
    """Serve a knowledge base in a process of its own, until the end of the block."""
    command = [*_MULTICUBE, "serve", "--kb", str(kb), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as running:
        assert running.stderr is not None
        said = next((line for line in running.stderr if "serving on" in line), "")
        threading.Thread(target=running.stderr.read, daemon=True).start()  # or it would wait for a reader
        try:
            yield _Server(said.split()[2], running)
        finally:
            running.kill()


def _run(env: Mapping[str, str], *arguments: str) -> str:
    """Run a command of ours to its end, and return what it prints."""
    return subprocess.run([*_MULTICUBE, *arguments], check=True, capture_output=True, text=True, env=env).stdout


app = application(_command)
