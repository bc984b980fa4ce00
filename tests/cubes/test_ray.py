"""An ingest whose reading and embedding are done by workers is the ingest of one machine."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import docx
import numpy as np
import pytest
from multicube import MultiCube
from multicube.agent.cli import app
from multicube.agent.engines.encoders.factory import encoder_factory
from multicube.cubes.core.errors import MultiCubeError, UsageError
from multicube.cubes.core.records import Document, Fact, Section
from multicube.cubes.extraction.embedded import EmbeddedExtractor
from multicube.cubes.ingest.ahead import TASK_CHARS
from multicube.cubes.ingest.ray_tasks import ray_tasks
from multicube.cubes.ingest.report import IngestReport
from multicube.cubes.ingest.tasks import looking_ahead
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.ontology import load_ontology
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install -e '.[ray]'")
RECORDS = 150
PADDING = " It was shown in many towns, and the people there spoke of it for years."


class Threads:
    """Workers that are threads, told of as a cluster is; they show the order without a cluster."""

    many = 4

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self.begun: list[str] = []

    def submit(self, work: Callable[..., Any], *arguments: object) -> Future[Any]:
        self.begun.append(work.__name__)
        return self._pool.submit(work, *arguments)

    def share(self, value: Any) -> Callable[[], Any]:
        return lambda: value


@pytest.fixture
def threads() -> Iterator[Threads]:
    with ThreadPoolExecutor(1) as pool:  # an extractor of one process reads one section at a time
        yield Threads(pool)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Ray cluster on this machine: two workers of one processor each, and a head without any."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        started = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        for _ in range(2):
            started.add_node(num_cpus=1)
        yield started.address
        started.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents of each way of reading: what is converted by workers, pages, many records, and what is set aside."""
    folder = tmp_path / "docs"
    folder.mkdir()
    lines = [json.dumps(record(number)) for number in range(RECORDS)]
    (folder / "films.jsonl").write_text("\n".join([*lines[:70], "{broken", *lines[70:]]), "utf-8")
    for number in range(3):
        pdf(folder / f"kiln{number}.pdf", f"Kiln {number} was designed by Ada Bell in 19{number}0.")
        word(folder / f"mill{number}.docx", f"Mill {number} was built by Ben Carrow in Dastra.")
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "ora.html").write_text("<title>Ora Lind</title><h1>Ora Lind</h1><p>Ora Lind was born in Dastra.</p>")
    (folder / "notes.md").write_text("# Tarn\n\nTarn is a town in Dastra.\n\n## Mill\n\nThe mill was built in 1881.\n")
    return folder


def record(number: int) -> dict[str, str]:
    title = f"The Lantern {number}"
    text = f"{title} is a {1920 + number % 70} drama film directed by Mara Voss {number % 9}.{PADDING * 5}"
    return {"id": f"f{number}", "title": title, "text": text}


def pdf(path: Path, text: str) -> None:
    canvas = Canvas(str(path))
    canvas.drawString(72, 700, text)
    canvas.save()


def word(path: Path, text: str) -> None:
    written = docx.Document()
    written.add_heading(path.stem, 1)
    written.add_paragraph(text)
    written.save(str(path))


def content(kb: KnowledgeBase) -> tuple[list[dict[str, Any]], dict[tuple[str, str], bytes]]:
    """What `multicube cube --json` prints, and every vector to its last bit."""
    store = kb._store()
    held = {
        (name, id): np.asarray(vector).tobytes()
        for name in store.collections()
        for id, vector, _ in store.get(name, store.ids(name))
    }
    store.close()
    return list(kb.export()), held


def told(report: IngestReport) -> dict[str, Any]:
    return report.model_dump(exclude={"seconds"})


def alone(folder: Path, path: Path) -> tuple[Any, dict[str, Any]]:
    with MultiCube.build([folder], path) as built:
        assert built.ingest_report is not None
        return content(built.kb), told(built.ingest_report)


# Looking ahead.


def test_what_comes_next_is_drawn_as_far_as_there_is_room() -> None:
    drawn: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(6):
            drawn.append(number)
            yield number

    ahead = looking_ahead(numbers(), 2)
    assert next(ahead) == 0
    assert drawn == [0, 1, 2]
    assert [next(ahead), *ahead] == [1, 2, 3, 4, 5]


def test_without_room_nothing_is_drawn_before_its_turn() -> None:
    drawn: list[int] = []
    ahead = looking_ahead((drawn.append(n) or n for n in range(3)), 0)
    assert next(ahead) == 0
    assert drawn == [0]


def test_workers_read_and_embed_what_one_process_does(folder: Path, tmp_path: Path, threads: Threads) -> None:
    wanted, report = alone(folder, tmp_path / "alone")
    with KnowledgeBase.create(tmp_path / "kb", encoder=encoder_factory(None)) as kb:
        made = kb.ingest([folder], extractor=EmbeddedExtractor(kb.ontology), tasks=threads)
        assert content(kb) == wanted
    assert told(made) == report
    assert set(threads.begun) == {"load_content", "_extracted", "_embedded"}
    assert threads.begun.count("load_content") == 7
    assert threads.begun.count("_extracted") >= RECORDS * len(record(0)["text"]) // TASK_CHARS


def test_documents_of_another_engine_are_read_by_workers_too(
    make_kb: Any, corpus: Path, rules: Any, threads: Threads
) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    report = kb.ingest([corpus], extractor=rules("rules/2"), tasks=threads)
    assert (report.reread, report.facts) == (12, 36)
    assert threads.begun.count("_extracted") == 1


def test_what_is_unchanged_is_sent_to_no_worker(make_kb: Any, corpus: Path, rules: Any, threads: Threads) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    (corpus / "films.jsonl").touch()
    kb.ingest([corpus], extractor=rules(), tasks=threads)
    assert threads.begun == []


def test_a_fault_on_a_worker_costs_one_document(make_kb: Any, corpus: Path, rules: Any, threads: Threads) -> None:
    report = make_kb().ingest([corpus], extractor=rules(fails_on="Film C2 "), tasks=threads)
    assert report.added == 11
    assert [problem.message for problem in report.problems] == [
        "'Film C2' could not be read (ValueError: a fault in the rules)"
    ]


def test_a_worker_of_another_version_is_refused(make_kb: Any, corpus: Path, rules: Any, threads: Threads) -> None:
    threads.share = lambda _: lambda: rules("rules/0")  # type: ignore[method-assign]
    with pytest.raises(MultiCubeError, match=r"reads by the rules rules/0, not rules/1; install the same version"):
        make_kb().ingest([corpus], extractor=rules(), tasks=threads)


# On a cluster.


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path) -> None:
    monkeypatch.setattr("multicube.cubes.core.extras.find_spec", lambda _: None)
    shown = CliRunner().invoke(app, ["ingest", str(folder), "--kb", str(tmp_path / "kb"), "--ray", "auto"])
    assert isinstance(shown.exception, UsageError) or "multicube-rag[ray]" in shown.output
    with pytest.raises(UsageError, match=r"pip install 'multicube-rag\[ray\]'"), ray_tasks("auto"):
        pass


@needs_ray
def test_the_command_gives_the_same_by_ray(folder: Path, tmp_path: Path, cluster: str) -> None:
    wanted, report = alone(folder, tmp_path / "alone")
    named = ["--kb", str(tmp_path / "kb")]
    shown = CliRunner().invoke(app, ["ingest", str(folder), *named, "--ray", cluster])
    assert shown.exit_code == 0, shown.output
    assert f"documents added: {report['added']}" in shown.output
    with MultiCube.open(tmp_path / "kb") as opened:
        assert content(opened.kb) == wanted
    exports = [CliRunner().invoke(app, ["cube", "--json", "--kb", str(tmp_path / name)]) for name in ("alone", "kb")]
    assert exports[0].stdout_bytes == exports[1].stdout_bytes


@needs_ray
def test_a_killed_worker_loses_nothing(folder: Path, tmp_path: Path, cluster: str) -> None:
    """One worker is killed in the middle of a document, another while it embeds; both tasks are done again."""
    wanted, report = alone(folder, tmp_path / "alone")
    reading, embedding, here = tmp_path / "reading", tmp_path / "embedding", os.getpid()

    def kill_once(mark: Path) -> None:
        if os.getpid() != here and not mark.exists():
            mark.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)

    class Dying(EmbeddedExtractor):
        def extract(self, section: Section, document: Document) -> Sequence[Fact]:
            if document.record_id == "f80":
                kill_once(reading)
            return super().extract(section, document)

    def make() -> Any:
        encoder = encoder_factory("minilm")()

        class Watched:
            fingerprint, dimensions = encoder.fingerprint, encoder.dimensions

            def encode(self, texts: Sequence[str]) -> Any:
                if reading.exists():
                    kill_once(embedding)
                return encoder.encode(texts)

        return Watched()

    with KnowledgeBase.create(tmp_path / "kb", encoder=make) as kb, ray_tasks(cluster) as tasks:
        made = kb.ingest([folder], extractor=Dying(load_ontology("default")), tasks=tasks)
        assert content(kb) == wanted
    assert told(made) == report
    killed = {int(mark.read_text()) for mark in (reading, embedding)}
    assert len(killed) == 2
    assert not any(Path(f"/proc/{process}").exists() for process in killed)


@needs_ray
def test_what_kills_every_worker_ends_with_one_sentence(folder: Path, tmp_path: Path, cluster: str) -> None:
    class Deadly(EmbeddedExtractor):
        def extract(self, section: Section, document: Document) -> Sequence[Fact]:
            if document.record_id == "f80":
                os.kill(os.getpid(), signal.SIGKILL)
            return super().extract(section, document)

    with KnowledgeBase.create(tmp_path / "kb") as kb:
        with pytest.raises(MultiCubeError, match="begun 4 times and lost each time"), ray_tasks(cluster) as tasks:
            kb.ingest([folder], extractor=Deadly(kb.ontology), tasks=tasks)
        kb.ingest([folder], extractor=EmbeddedExtractor(kb.ontology))
        assert len(kb.documents()) == RECORDS + 8


@needs_ray
def test_what_cannot_be_sent_is_refused(tmp_path: Path, folder: Path, cluster: str) -> None:
    with pytest.raises(UsageError, match="cannot be sent to workers"):
        MultiCube.build([folder], tmp_path / "kb", encoder=encoder_factory("minilm")(), ray=cluster)
