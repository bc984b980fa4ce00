"""How ingest by Ray grows with its workers: ``python -m multicube.evals scale CORPUS --sections N``.

The workers are those of a cluster that is started on this machine, each with one processor; 0 workers is the plain
ingest. The corpus grows by copies under other names.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from ...agent.app.facade import MultiCube
from ...cubes.core.extras import require
from ...cubes.knowledge.base import KnowledgeBase
from ..generators.growth import grown_corpus, write_corpus
from ..support import application, numbers

__all__ = ["app", "exported_hash", "measured"]


def _command(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A data set's corpus.jsonl.")],
    sections: Annotated[int, typer.Option(metavar="N", help="Records to grow or cut the corpus to.")] = 3_000,
    workers: Annotated[str, typer.Option(metavar="N,N", help="How many workers; 0 is the plain ingest.")] = "0,1,2",
) -> None:
    """Time ingest by Ray; prints a JSON line for each number of workers, with a hash of the export."""
    with TemporaryDirectory() as folder:
        records = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
        grown = write_corpus(Path(folder) / "corpus.jsonl", grown_corpus(records, sections))
        for many in numbers("workers", workers, int):
            typer.echo(json.dumps(measured(grown, Path(folder) / f"kb-{many}", many)))


def measured(corpus: Path, path: Path, workers: int) -> dict[str, Any]:
    """Ingest a corpus by so many workers; the cluster has started before the clock does."""
    with _cluster(workers) as address:
        load, cpu, started = os.getloadavg()[0], time.process_time(), time.perf_counter()
        with MultiCube.build([corpus], path, ray=address) as built:
            seconds, writer = time.perf_counter() - started, time.process_time() - cpu
            report = built.ingest_report
            assert report is not None
            return {
                "workers": workers, "sections": report.sections, "vectors": report.vectors,
                "seconds": round(seconds, 1), "sections_per_s": round(report.sections / seconds, 1),
                "writer_cpu_s": round(writer, 1), "load_before": round(load, 1), "stages": report.seconds,
                "export": exported_hash(built.kb),
            }  # fmt: skip


def exported_hash(kb: KnowledgeBase) -> str:
    """Return the hash of everything that `multicube cube --json` prints of a knowledge base."""
    digest = hashlib.sha256()
    for record in kb.export():
        digest.update(json.dumps(record, ensure_ascii=False).encode() + b"\n")
    return digest.hexdigest()


@contextmanager
def _cluster(workers: int) -> Iterator[str | None]:
    """Start a cluster whose head has no processor; its workers' processes are the only ones that read and embed."""
    if not workers:
        yield None
        return
    require("ray", "ray", "Measuring ingest by Ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    started: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(workers):
            started.add_node(num_cpus=1)
        yield started.address
    finally:
        started.shutdown()


app = application(_command)
