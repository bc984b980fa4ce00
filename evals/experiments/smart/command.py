"""SMART's abstraction trees, measured on planted and on real graphs beside Leiden communities: see docs/smart.md."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ....cubes.smart.trees.features import Matrix
from ....cubes.smart.trees.network import WeightedGraph
from ....cubes.smart.trees.training import TrainingSettings
from ...support import application, numbers
from . import experiments
from .tables import write

__all__ = ["app"]

_Out = Annotated[Path, typer.Option(metavar="DIR", help="The folder of the figures and their page.")]
_Threads = Annotated[int, typer.Option(metavar="N", help="Processor threads that PyTorch may use.")]
_Seeds = Annotated[int, typer.Option(metavar="N", help="How many graphs.")]
_First = Annotated[int, typer.Option(metavar="N", help="The first graph's seed.")]
_Kb = Annotated[Path, typer.Argument(metavar="KB", help="The folder of the knowledge base.")]
_Epochs = Annotated[int, typer.Option(metavar="N", help="Epochs of training.")]
_Restarts = Annotated[int | None, typer.Option(metavar="N", help="Restarts of training.")]
_Texts = Annotated[bool, typer.Option(help="Whether the entities' texts are embedded.")]
_Questions = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Ask the questions of this folder, as `facts-corpus` writes it.")
]
_DOCS, _EPOCHS = Path("docs"), TrainingSettings().epochs


def planted(seeds: _Seeds = 10, first: _First = 100, out: _Out = _DOCS, threads: _Threads = 1) -> None:
    """Recover two planted partitions."""
    _threads(threads)
    _written(out, "planted", experiments.planted(range(first, first + seeds), _say))


def hierarchy(seeds: _Seeds = 10, first: _First = 100, out: _Out = _DOCS, threads: _Threads = 1) -> None:
    """Recover a planted hierarchy."""
    _threads(threads)
    _written(out, "hierarchy", experiments.hierarchies(range(first, first + seeds), _say))


def real(
    kb: _Kb, epochs: _Epochs = _EPOCHS, restarts: _Restarts = None, texts: _Texts = True, out: _Out = _DOCS,
    threads: _Threads = 1,
) -> None:  # fmt: skip
    """Find trees of a knowledge base's graph."""
    _threads(threads)
    started = time.perf_counter()
    network, meant = _graph(kb, texts)
    read_s = time.perf_counter() - started
    settings = replace(TrainingSettings(), epochs=epochs, restarts=restarts)
    _written(out, "real", [experiments.real(network, meant, _say, settings, read_s=read_s)])


def heads(
    kb: _Kb, counts: Annotated[str, typer.Option(metavar="N,N", help="Numbers of trees.")] = "2,3,4,5,6",
    questions: _Questions = None, epochs: _Epochs = _EPOCHS, restarts: _Restarts = None, texts: _Texts = True,
    out: _Out = _DOCS, threads: _Threads = 1,
) -> None:  # fmt: skip
    """Repeat Table 4's ablation on a knowledge base: how many trees, and how well they answer."""
    _threads(threads)
    wanted, settings = numbers("counts", counts, int), replace(TrainingSettings(), epochs=epochs, restarts=restarts)
    if questions is None:
        _written(out, "heads", experiments.heads(*_graph(kb, texts), wanted, _say, settings))
        return
    from ....agent.engines.encoders.factory import encoder_factory
    from ....cubes.knowledge.base import KnowledgeBase
    from ...generators.facts.writing import read_questions
    from .facts.arms import Bench
    from .facts.measuring import answered

    with KnowledgeBase.open(kb, encoder=encoder_factory(None)) as known:
        bench = Bench(known, questions)
        ask = partial(answered, bench, questions=read_questions(questions))
        meant = bench.texts if texts else None
        figures = experiments.heads(bench.graph.network, meant, wanted, _say, settings, answered=ask)
        _written(out, "heads-asked", figures)


def scaling(
    edges: Annotated[str, typer.Option(metavar="N,N", help="Sizes of the graphs.")] = "10000,100000,1000000",
    out: _Out = _DOCS, threads: _Threads = 1,
) -> None:  # fmt: skip
    """Measure the cost of training by edges."""
    _threads(threads)
    _written(out, "scaling", experiments.scaling(numbers("edges", edges, int), _say))


def facts(
    seed: Annotated[int, typer.Option(metavar="N", help="The corpus.")] = 0,
    answers: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all answers, as JSON lines.")] = None,
    ablation: Annotated[bool, typer.Option(help="Whether parts are switched off, too.")] = True,
    out: _Out = _DOCS, threads: _Threads = 1,
) -> None:  # fmt: skip
    """Ask about facts that no passage states, beside passages and Leiden communities."""
    from .facts.experiment import run

    _threads(threads)
    print(run(out, seed, _say, ablation=ablation, told=answers))


def facts_corpus(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where it is written.")],
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed writes the same files.")] = 0,
) -> None:
    """Write a corpus of planted facts and its questions."""
    from ...generators.facts.writing import write_facts

    print(f"{write_facts(folder, seed):,} passages and 60 questions: {folder}")


def questions(
    corpus: Annotated[Path, typer.Argument(metavar="DATASET", help="A folder with corpus.jsonl.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the documents and questions are written.")],
    model: Annotated[str, typer.Option(metavar="NAME", help="The language model.")],
    count: Annotated[int, typer.Option(metavar="N", help="How many are asked for.")] = 60,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed shows the same documents.")] = 0,
) -> None:
    """Let a model make questions of several perspectives from the documents of a data set."""
    from ....agent.app.settings import load_settings
    from ....agent.engines.encoders.factory import encoder_factory
    from ....agent.engines.llm.engine import LlmEngine, ModelOptions, checked
    from ...datasets.dataset import corpus_records, required_file, resolve_folder
    from ...generators.facts.by_model import groups, made
    from ...generators.facts.writing import write_questions

    source = required_file(resolve_folder(corpus), "corpus.jsonl")
    folder.mkdir(parents=True, exist_ok=True)
    engine = LlmEngine(checked(ModelOptions(model)), folder, load_settings().cache_dir)
    try:
        shown = groups(list(corpus_records(source)), encoder_factory(None)(), count, seed)
        found = write_questions(folder, made(engine.reason, engine.library["perspective_question"], shown))
    finally:
        engine.close()
    shutil.copyfile(source, folder / source.name)
    print(f"{found} questions of {count} asked for, the others were not borne out by their documents: {folder}")


def _written(out: Path, name: str, figures: Iterable[experiments.Figures]) -> None:
    """Write figures as they come, so that a killed run leaves its rows."""
    rows: list[experiments.Figures] = []
    for row in figures:
        rows.append(row)
        page = write(out, name, rows)
    print(page)


def _graph(kb_folder: Path, texts: bool) -> tuple[WeightedGraph, Matrix | None]:
    """The graph of a knowledge base's entities, and what they mean where that is wanted."""
    from ....agent.engines.encoders.factory import encoder_factory
    from ....cubes.knowledge.base import KnowledgeBase
    from ....cubes.knowledge.fact_graph import graph_of

    with KnowledgeBase.open(kb_folder) as kb:
        graph = graph_of(kb).without_lonely()
    return graph.network, encoder_factory(None)().encode(graph.texts()) if texts else None


def _threads(count: int) -> None:
    import torch

    torch.set_num_threads(count)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


app = application(planted, hierarchy, real, heads, scaling, facts, facts_corpus, questions, help=__doc__)
