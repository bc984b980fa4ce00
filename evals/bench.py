"""The retrieval benchmark: ``python -m multicube.evals.bench``.

Times what answers a subquery (exact cube route, cube with one dense look-up, lexical, dense) beside the
libraries one would use instead, over corpora of growing size, and the whole question. One query at a time,
warm, on this machine.
"""

from __future__ import annotations

import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..cubes.errors import MultiCubeError, UsageError
from ..cubes.lexical import tokens
from ..cubes.records import Component
from .datasets import load_dataset
from .growth import grown_corpus, write_corpus
from .metrics import percentile
from .report import table

if TYPE_CHECKING:
    from ..agent.facade import MultiCube
    from ..cubes.encoding import Encoder
    from ..cubes.knowledge import KnowledgeBase

__all__ = ["Built", "Measured", "bench", "main", "measure"]

TOP = 5
DIMENSIONS = 384
"""Of the default encoder's vectors."""
ABSENT = "no such name anywhere"


@dataclass(frozen=True, slots=True)
class Measured:
    """One corpus: how many sections it has, and figures by name, most of them milliseconds a query (p50)."""

    sections: int
    figures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Built:
    """A knowledge base and the seconds it took to build."""

    multicube: MultiCube
    seconds: float


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
) -> str:
    """Measure each size (or the data set folder ``data`` as it is) and return a Markdown report."""
    dataset = load_dataset(data or "sample")
    records = [json.loads(line) for line in dataset.corpus.read_text("utf-8").splitlines() if line.strip()]
    questions = [question.question for question in dataset.questions if question.answerable][:queries]
    measured = []
    for size in [len(records)] if data else sizes:
        with tempfile.TemporaryDirectory() as scratch:
            corpus = write_corpus(Path(scratch) / "corpus.jsonl", grown_corpus(records, size, seed=seed))
            with _build(corpus, Path(scratch) / "kb", encoder) as built:
                measured.append(measure(built, questions, queries=queries, seed=seed))
    return f"{_machine()}\n\n{_table(measured)}\n"


def measure(built: Built, questions: Sequence[str], *, queries: int, seed: int) -> Measured:
    """Time everything over one knowledge base."""
    kb = built.multicube.kb
    sections, asked = kb.sections(), _subqueries(kb, queries, seed)
    documents = [tokens(f"{section.title} {section.text}") for section in sections]
    figures = {
        "ingest, sections/s": f"{len(sections) / built.seconds:.0f}",
        **_cube_routes(kb, asked),
        **_passage_routes(kb, asked),
        **_libraries(documents, asked),
        **_brute_force(len(sections), len(asked), seed),
        **_questions(built.multicube, questions),
    }
    return Measured(len(sections), figures)


@contextmanager
def _build(corpus: Path, kb: Path, encoder: str | Encoder | None) -> Iterator[Built]:
    from ..agent.facade import MultiCube

    started = time.perf_counter()
    with MultiCube.build([corpus], kb, encoder=encoder) as multicube:
        yield Built(multicube, time.perf_counter() - started)


def _subqueries(kb: KnowledgeBase, number: int, seed: int) -> list[_Subquery]:
    """Ask for what facts of the knowledge base say, one subject and one dimension each."""
    facts = [fact for cube in kb.cubes for fact in cube.facts()]
    if not facts:
        raise UsageError("The corpus yields no fact to ask for; give another --data.")
    chosen = random.Random(seed).sample(facts, min(number, len(facts)))
    subject = {cube.spec.id: cube.spec.subject.id for cube in kb.cubes}
    return [
        _Subquery(
            f"{fact.subject} {fact.relation}", (Component(fact.cube, subject[fact.cube], fact.subject),)
        )
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
        "passages, BM25": _p50(lambda query: retriever.passages(query.text, k=TOP, mode="bm25"), asked),
        "passages, dense (encoder + Chroma)": _p50(
            lambda query: retriever.passages(f"Passage: {query.text}", k=TOP, mode="dense"), asked
        ),
        "passages, hybrid": _p50(
            lambda query: retriever.passages(f"About: {query.text}", k=TOP, mode="hybrid"), asked
        ),
    }


def _libraries(documents: Sequence[list[str]], asked: Sequence[_Subquery]) -> dict[str, str]:
    """Time rank_bm25 and bm25s over the same words."""
    import bm25s
    import numpy as np
    from rank_bm25 import BM25Okapi

    reference, quick = BM25Okapi(documents), bm25s.BM25()
    quick.index(list(documents), show_progress=False)
    return {
        "rank_bm25": _p50(lambda q: np.argpartition(-reference.get_scores(tokens(q.text)), TOP), asked),
        "bm25s": _p50(lambda q: quick.retrieve([tokens(q.text)], k=TOP, show_progress=False), asked),
    }


def _brute_force(sections: int, queries: int, seed: int) -> dict[str, str]:
    """Time numpy over random unit vectors: its cost does not depend on what they are."""
    import numpy as np

    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((sections, DIMENSIONS), dtype=np.float32)
    asked = rng.standard_normal((queries, DIMENSIONS), dtype=np.float32)
    best = _p50(lambda query: np.argpartition(-(vectors @ query), TOP), list(asked))
    return {"vectors alone, numpy": best}


def _questions(multicube: MultiCube, questions: Sequence[str]) -> dict[str, str]:
    times = _times(lambda question: multicube.ask(question, save=False), questions)
    return {f"whole question, p{q}": _ms(percentile(times, q)) for q in (50, 95)}


def _p50(call: Callable[[Any], object], arguments: Sequence[Any]) -> str:
    return _ms(percentile(_times(call, arguments), 50))


def _times(call: Callable[[Any], object], arguments: Sequence[Any]) -> list[float]:
    """Return milliseconds per call; the first is made once before, so that nothing loads while timing."""
    if arguments:
        call(arguments[0])
    return [_timed(call, argument) for argument in arguments]


def _timed(call: Callable[[Any], object], argument: Any) -> float:
    started = time.perf_counter()
    call(argument)
    return (time.perf_counter() - started) * 1000


def _ms(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if value < 1 else f"{value:.1f}"


def _table(measured: Sequence[Measured]) -> str:
    header = ["ms a query (p50)", *(f"{one.sections:,} sections" for one in measured)]
    names = measured[0].figures if measured else ()
    return table(header, [[name, *(one.figures[name] for one in measured)] for name in names])


def _machine() -> str:
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}."
    )


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "Unknown processor"


def _sizes(text: str) -> list[int]:
    with suppress(ValueError):
        sizes = [int(part) for part in text.split(",")]
        if sizes and min(sizes) > TOP:
            return sizes
    raise UsageError(f"--sizes {text} is not a list of numbers above {TOP}; write for example 1000,6000.")


def main(arguments: Iterable[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    typer.main.get_command(_app())(args=None if arguments is None else list(arguments))


def _app() -> typer.Typer:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(_command)
    return app


def _command(
    sizes: Annotated[
        str, typer.Option(metavar="N,N", help="Sections of the copies of the bundled sample.")
    ] = "1000,6000",
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Measure this data set folder instead.")
    ] = None,
    queries: Annotated[int, typer.Option(min=1, metavar="N", help="Subqueries and questions timed.")] = 100,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed of the copies and of the choice of subqueries.")
    ] = 0,
    encoder: Annotated[str | None, typer.Option(metavar="NAME", help="The model that embeds.")] = None,
) -> None:
    """Time retrieval and whole questions over growing corpora; prints a Markdown table."""
    try:
        typer.echo(bench(_sizes(sizes), queries=queries, data=data, seed=seed, encoder=encoder))
    except MultiCubeError as error:
        print(f"multicube: {error}", file=sys.stderr)
        raise typer.Exit(2 if isinstance(error, UsageError) else 1) from error


if __name__ == "__main__":
    main()
