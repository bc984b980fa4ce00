"""The retrieval benchmark: ``python -m multicube.evals bench`` (``make bench``).

Times what answers a subquery (exact cube route, cube with one dense look-up, linked passages, lexical, dense) beside
the libraries one would use instead, over knowledge bases of growing size, and whole questions, with the memory they
take. One query at a time, warm, on this machine, each size in a process of its own.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...cubes.core.errors import UsageError
from ...cubes.core.lexical import tokens
from ...cubes.core.records import Component
from ...cubes.store.catalog import CATALOG_FILE, Catalog
from ...cubes.store.vectors import VectorStore
from ..datasets.load import load_dataset
from ..generators.copies import LABELS_EMBEDDED, copied
from ..generators.growth import write_corpus
from ..machine import machine, peak_rss_mb
from ..metrics.basic import percentile
from ..reports.tables import table
from ..support import application, numbers, write_whole

if TYPE_CHECKING:
    from ...agent.app.facade import MultiCube
    from ...cubes.core.encoding import Encoder
    from ...cubes.knowledge.base import KnowledgeBase

__all__ = ["Measured", "app", "bench", "measure"]

TOP = 5
ABSENT = "no such name anywhere"
_PAGE = """# Benchmark

Written by `make bench`, which measures everything anew on the machine it runs on.

{report}

How it is measured: knowledge bases grown from `{name}`. Up to the data set's own size its first sections are ingested,
which gives the ingest rate; beyond it the facts, labels and vectors of the whole data set are copied under other names,
so that labels grow with the sections (in a copy at most {labels:,} labels of a cube have a vector). Each
size has a process of its own; its peak memory is that of MultiCube alone, everything loaded and every route asked,
before the other libraries get their turn. One query at a time, warm, after one that is not counted; all times but the
ingest's are processor time, so that other work on the machine counts little. Questions that no cell answers are read by
the span reader, which takes longer: p95 shows them.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One corpus: how many sections it has, and figures by name, most of them milliseconds a query (p50)."""

    sections: int
    figures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Subquery:
    text: str
    components: tuple[Component, ...]


def bench(
    sizes: Sequence[int],
    *,
    queries: int = 100,
    data: Path | None = None,
    seed: int = 0,
    encoder: str | Encoder | None = None,
    base: Path | None = None,
    step: Callable[[str], None] | None = None,
) -> str:
    """Measure each size and return a Markdown report; ``step`` is called with the report after every size.

    Up to the size of the data set its first sections are ingested; beyond it the knowledge base of the whole data set
    is copied under other names; ``base`` is that one, where it is built already.
    """
    dataset = load_dataset(data or "sample")
    records = [json.loads(line) for line in dataset.corpus.read_text("utf-8").splitlines() if line.strip()]
    measured: list[Measured] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for size in sizes:
            kb, ingested = _knowledge_base(folder, records, size, seed, encoder, base)
            held = {record["id"] for record in records[:size]}
            asked = [q.question for q in dataset.questions if q.answerable and held.issuperset(q.supporting)]
            figures = _apart(measure, kb, asked[:queries], queries, seed, encoder)
            measured.append(Measured(size, {"ingest, sections/s": ingested, **figures}))
            report = f"{_machine()}\n\n{_table(measured)}\n"
            if step is not None:
                step(report)
    return report


def _knowledge_base(
    folder: Path,
    records: Sequence[Mapping[str, Any]],
    size: int,
    seed: int,
    encoder: str | Encoder | None,
    base: Path | None,
) -> tuple[Path, str]:
    """A knowledge base of so many sections, and how fast it was ingested ("–" where it was copied)."""
    if size <= len(records):
        return _ingested(folder, records[:size], encoder)
    base = base or folder / f"kb-{len(records)}"
    if not base.exists():
        _ingested(folder, records, encoder)
    return copied(base, folder / f"kb-{size}", size, seed=seed, encoder=encoder), "–"


def _ingested(folder: Path, records: Sequence[Mapping[str, Any]], encoder: str | Encoder | None) -> tuple[Path, str]:
    from ...agent.app.facade import MultiCube

    corpus = write_corpus(folder / "corpus.jsonl", iter([dict(record) for record in records]))
    kb, started = folder / f"kb-{len(records)}", time.perf_counter()
    with MultiCube.build([corpus], kb, encoder=encoder):
        return kb, f"{len(records) / (time.perf_counter() - started):.0f}"


def _apart(
    work: Callable[..., dict[str, str]], kb: Path, questions: Sequence[str], queries: int, seed: int, encoder: Any
) -> dict[str, str]:
    """Measure in a process of its own, so that its memory is that of this size; an encoder object cannot travel."""
    if encoder is not None and not isinstance(encoder, str):
        return work(kb, questions, queries, seed, encoder)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, kb, questions, queries, seed, encoder).result()


def measure(
    path: Path, questions: Sequence[str], queries: int, seed: int, encoder: str | Encoder | None
) -> dict[str, str]:
    """Time everything over one knowledge base; our own parts first, while the memory is theirs alone."""
    from ...agent.app.facade import MultiCube
    from ...agent.engines.encoders.factory import encoder_factory

    make = encoder_factory(encoder)
    started = time.process_time()
    with MultiCube.open(path, encoder=make()) as multicube:
        kb = multicube.kb
        opened = {"opening, s (once)": f"{_opening(multicube, started):.1f}"}
        sections, asked = kb.sections(), _subqueries(kb, queries, seed)
        cells = {**_cube_routes(kb, asked), **_questions(multicube, questions)}
        passages = _passage_routes(kb, asked)
        peak = peak_rss_mb()
        taken = {"peak memory, MB": "–" if peak is None else f"{peak:.0f}"}
        alone = {**_vectors_alone(path, len(sections), make(), asked, seed)}
        documents = [tokens(f"{section.title} {section.text}") for section in sections]
        return {**opened, **taken, **cells, **passages, **alone, **_libraries(documents, asked)}


def _opening(multicube: MultiCube, started: float) -> float:
    """Seconds of processor time until everything in memory is loaded."""
    multicube.kb.retriever.linked("anything", k=1, dense=False)
    _ = multicube.reasoner
    return time.process_time() - started


def _subqueries(kb: KnowledgeBase, number: int, seed: int) -> list[_Subquery]:
    """Ask for what facts of the knowledge base say, one subject and one dimension each."""
    each = [cube.facts() for cube in kb.cubes]
    ends = list(accumulate(map(len, each)))
    if not ends[-1]:
        raise UsageError("The corpus yields no fact to ask for; give another --data.")
    places = random.Random(seed).sample(range(ends[-1]), min(number, ends[-1]))
    chosen = [each[cube][place - ends[cube]] for place in places for cube in (bisect_right(ends, place),)]
    subject = {cube.spec.id: cube.spec.subject.id for cube in kb.cubes}
    return [
        _Subquery(f"{fact.subject} {fact.relation}", (Component(fact.cube, subject[fact.cube], fact.subject),))
        for fact in chosen
    ]


def _cube_routes(kb: KnowledgeBase, asked: Sequence[_Subquery]) -> dict[str, str]:
    retriever = kb.retriever

    def cube(query: _Subquery, components: tuple[Component, ...]) -> None:
        retriever.cube(components[0].cube, components, query.text, k=TOP, tau=0.75)

    def unknown(query: _Subquery) -> tuple[Component, ...]:
        """Name something that no label equals, new each time, so that it is embedded and looked up."""
        first = query.components[0]
        return (Component(first.cube, first.dimension, f"{ABSENT}, {query.text}"),)

    return {
        "cube, exact": _p50(lambda query: cube(query, query.components), asked),
        "cube, one dense look-up": _p50(lambda query: cube(query, unknown(query)), asked),
    }


def _passage_routes(kb: KnowledgeBase, asked: Sequence[_Subquery]) -> dict[str, str]:
    retriever = kb.retriever
    return {
        "passages, linked (words and links)": _p50(
            lambda query: retriever.linked(query.text, k=TOP, dense=False), asked
        ),
        "passages, linked (words, meaning and links)": _p50(
            lambda query: retriever.linked(f"On: {query.text}", k=TOP), asked
        ),
        "passages, BM25": _p50(lambda query: retriever.passages(query.text, k=TOP, mode="bm25"), asked),
        "passages, dense (encoder + Chroma)": _p50(
            lambda query: retriever.passages(f"Passage: {query.text}", k=TOP, mode="dense"), asked
        ),
        "passages, hybrid": _p50(lambda query: retriever.passages(f"About: {query.text}", k=TOP, mode="hybrid"), asked),
    }


def _libraries(documents: Sequence[list[str]], asked: Sequence[_Subquery]) -> dict[str, str]:
    """Time rank_bm25 and bm25s over the same words."""
    import numpy as np

    try:
        import bm25s
        from rank_bm25 import BM25Okapi
    except ImportError as error:
        raise UsageError(f"There is no {error.name} to compare with: pip install 'multicube-rag[dev]'.") from error

    reference, quick = BM25Okapi(documents), bm25s.BM25()
    quick.index(list(documents), show_progress=False)
    return {
        "rank_bm25": _p50(lambda q: np.argpartition(-reference.get_scores(tokens(q.text)), TOP), asked),
        "bm25s": _p50(lambda q: quick.retrieve([tokens(q.text)], k=TOP, show_progress=False), asked),
    }


def _vectors_alone(
    path: Path, sections: int, encoder: Encoder, asked: Sequence[_Subquery], seed: int
) -> dict[str, str]:
    """Time the parts of a dense look-up: the encoder; Chroma; numpy over as many vectors, whatever they are."""
    import numpy as np

    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((sections, encoder.dimensions), dtype=np.float32)
    queries = [encoder.encode([query.text])[0] for query in asked]
    with closing(Catalog.open(path / CATALOG_FILE)) as catalog:
        store = VectorStore(path, catalog.meta("kb_id") or "")
    figures = {
        "query encoding alone": _p50(lambda query: encoder.encode([f"Alone: {query.text}"]), asked),
        "Chroma alone": _p50(lambda vector: store.passages(vector, TOP), queries),
        "dense brute force alone (numpy)": _p50(lambda vector: np.argpartition(-(vectors @ vector), TOP), queries),
    }
    store.close()
    return figures


def _questions(multicube: MultiCube, questions: Sequence[str]) -> dict[str, str]:
    """Time whole questions; those that facts of cells answered apart from all."""
    timed = []
    for question in [*questions[:1], *questions]:
        started = time.process_time()
        run = multicube.ask(question, save=False)
        taken = (time.process_time() - started) * 1000
        timed.append((taken, bool(run.hops) and all(hop.fact is not None for hop in run.hops)))
    times, by_cells = [ms for ms, _ in timed[1:]], [ms for ms, cells in timed[1:] if cells]
    return {
        "whole question answered by cells": _ms(percentile(by_cells, 50)),
        "whole question, all": _ms(percentile(times, 50)),
        "whole question, all, p95": _ms(percentile(times, 95)),
        "questions answered by cells": f"{len(by_cells)} of {len(times)}",
    }


def _p50(call: Callable[[Any], object], arguments: Sequence[Any]) -> str:
    return _ms(percentile(_times(call, arguments), 50))


def _times(call: Callable[[Any], object], arguments: Sequence[Any]) -> list[float]:
    """Return milliseconds per call; the first is made once before, so that nothing loads while timing."""
    if arguments:
        call(arguments[0])
    return [_timed(call, argument) for argument in arguments]


def _timed(call: Callable[[Any], object], argument: Any) -> float:
    """Milliseconds of processor time, of all threads: what else the machine does at the time counts little."""
    started = time.process_time()
    call(argument)
    return (time.process_time() - started) * 1000


def _ms(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def _table(measured: Sequence[Measured]) -> str:
    measured = sorted(measured, key=lambda one: one.sections)
    header = ["ms a query (p50), where not said otherwise", *(f"{one.sections:,} sections" for one in measured)]
    names = measured[0].figures if measured else ()
    return table(header, [[name, *(one.figures[name] for one in measured)] for name in names])


def _machine() -> str:
    told = machine()
    load = "" if told["load"] is None else f"; load average {told['load']}"
    return f"{told['cpu']}, {told['cores']} cores, {told['system']}, Python {told['python']}{load}."


def _sizes(text: str) -> Sequence[int]:
    sizes = numbers("sizes", text, int)
    if not sizes or min(sizes) <= TOP:
        raise UsageError(f"--sizes {text} is not a list of numbers above {TOP}; write for example 1000,6000.")
    return sizes


def _command(
    sizes: Annotated[str, typer.Option(metavar="N,N", help="How many sections.")] = "1000,6000,20000,100000",
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data set to grow from; the bundled sample by default.")
    ] = None,
    queries: Annotated[int, typer.Option(min=1, metavar="N", help="Subqueries and questions timed.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the copies and of the choice of subqueries.")] = 0,
    encoder: Annotated[str | None, typer.Option(metavar="NAME", help="The model that embeds.")] = None,
    base: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data set's knowledge base, where it is built already.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the page of the docs, after every size.")
    ] = None,
) -> None:
    """Time retrieval and whole questions over growing knowledge bases; prints a Markdown table."""

    def step(report: str) -> None:
        if page is not None:
            name = data.name if data is not None else "sample"
            write_whole(page, _PAGE.format(report=report.strip(), name=name, labels=LABELS_EMBEDDED))

    typer.echo(bench(_sizes(sizes), queries=queries, data=data, seed=seed, encoder=encoder, base=base, step=step))


app = application(_command)
