"""``python -m multicube.evals.smart EXPERIMENT``: see docs/smart.md."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from ...cubes.errors import MultiCubeError
from ...cubes.smart.features import Matrix
from ...cubes.smart.network import Network
from ...cubes.smart.training import Settings
from . import experiments
from .tables import write


def main() -> int:
    """Read the command line and run one experiment."""
    arguments = _parser().parse_args()
    try:
        if arguments.experiment == "facts-corpus":
            from .plantedfacts.writing import write_facts

            print(f"{write_facts(arguments.folder, arguments.seed):,} passages and 60 questions: {arguments.folder}")
            return 0
        import torch

        torch.set_num_threads(arguments.threads)
        if arguments.experiment == "facts":
            from .plantedfacts.experiment import run

            ablation = not arguments.no_ablation
            print(run(arguments.out, arguments.seed, _say, ablation=ablation, told=arguments.answers))
            return 0
        rows: list[experiments.Figures] = []
        for row in _EXPERIMENTS[arguments.experiment](arguments):  # written as they come: a killed run leaves its rows
            rows.append(row)
            page = write(arguments.out, arguments.experiment, rows)
    except (MultiCubeError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(page)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m multicube.evals.smart", description="Measure SMART's trees beside Leiden communities."
    )
    parser.add_argument("--out", type=Path, default=Path("docs"), help="the folder of the figures and their page")
    parser.add_argument("--threads", type=int, default=1, help="processor threads that PyTorch may use")
    kinds = parser.add_subparsers(dest="experiment", required=True)
    for name, said in (("planted", "two planted partitions"), ("hierarchy", "a planted hierarchy")):
        kind = kinds.add_parser(name, help=said)
        kind.add_argument("--seeds", type=int, default=10, help="how many graphs")
        kind.add_argument("--first", type=int, default=100, help="the first graph's seed")
    for name, said in (("real", "a knowledge base's graph"), ("heads", "Table 4's ablation on such a graph")):
        kind = kinds.add_parser(name, help=said)
        kind.add_argument("kb", type=Path, help="the folder of the knowledge base")
        kind.add_argument("--epochs", type=int, default=Settings().epochs)
        kind.add_argument("--restarts", type=int)
        kind.add_argument("--no-texts", action="store_true", help="without embeddings of the entities' texts")
        if name == "heads":
            kind.add_argument("--counts", type=int, nargs="+", default=[2, 3, 4, 5, 6], help="numbers of trees")
    kind = kinds.add_parser("facts-corpus", help="write a corpus of planted facts and its questions")
    kind.add_argument("folder", type=Path, help="where to write them")
    kind.add_argument("--seed", type=int, default=0)
    kind = kinds.add_parser("facts", help="questions about planted facts, beside passages and Leiden communities")
    kind.add_argument("--seed", type=int, default=0, help="the corpus")
    kind.add_argument("--answers", type=Path, help="a file for all answers, as JSON lines")
    kind.add_argument("--no-ablation", action="store_true", help="only the systems that are compared")
    kind = kinds.add_parser("scaling", help="cost by edges")
    kind.add_argument("--edges", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    return parser


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _graph(arguments: argparse.Namespace) -> tuple[Network, Matrix | None]:
    """The graph of a knowledge base's entities, and what they mean where that is wanted."""
    from ...agent.encoders import encoder_factory
    from ...cubes.knowledge import KnowledgeBase
    from ...cubes.smart.graph import graph_of

    with KnowledgeBase.open(arguments.kb) as kb:
        graph = graph_of(kb).without_lonely()
    return graph.network, None if arguments.no_texts else encoder_factory(None)().encode(graph.texts())


def _chosen(arguments: argparse.Namespace) -> Settings:
    return replace(Settings(), epochs=arguments.epochs, restarts=arguments.restarts)


def _seeds(arguments: argparse.Namespace) -> range:
    return range(arguments.first, arguments.first + arguments.seeds)


def _real(arguments: argparse.Namespace) -> Iterator[experiments.Figures]:
    started = time.perf_counter()
    read = _graph(arguments)
    yield experiments.real(*read, _say, _chosen(arguments), read_s=time.perf_counter() - started)


_EXPERIMENTS: dict[str, Callable[[argparse.Namespace], Iterator[experiments.Figures]]] = {
    "planted": lambda a: experiments.planted(_seeds(a), _say),
    "hierarchy": lambda a: experiments.hierarchies(_seeds(a), _say),
    "real": _real,
    "heads": lambda a: experiments.heads(*_graph(a), a.counts, _say, _chosen(a)),
    "scaling": lambda a: experiments.scaling(a.edges, _say),
}


if __name__ == "__main__":
    sys.exit(main())
