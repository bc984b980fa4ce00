"""``python -m multicube.evals.hypercube DATASET``: see docs/evaluation-hypercube.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...cubes.errors import MultiCubeError
from .running import EXPERIMENTS, Options, run


def main() -> int:
    """Read the command line and run the experiments."""
    given = _parser().parse_args()
    options = Options(
        given.dataset, given.out, given.work, given.ontology, given.experiments, given.labels, given.limit, given.taus,
        given.grow, given.size, given.question,
    )  # fmt: skip
    try:
        page = run(options, lambda sentence: print(sentence, file=sys.stderr, flush=True))
    except (MultiCubeError, OSError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(page.read_text(encoding="utf-8"))
    return 0


def _parser() -> argparse.ArgumentParser:
    defaults = Options(Path(), Path(), Path())
    parser = argparse.ArgumentParser(
        prog="python -m multicube.evals.hypercube",
        description="Ablations, dimensions, threshold, growth and explanation of hypercubes on a data set.",
    )
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="a folder with corpus, questions and labels")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="the folder of the page and its pictures")
    parser.add_argument("--work", type=Path, required=True, help="where knowledge bases and answers are kept")
    parser.add_argument("--ontology", default=defaults.ontology, help="the hypercube: a preset, a file or auto")
    parser.add_argument("--experiments", nargs="+", choices=EXPERIMENTS, default=list(EXPERIMENTS))
    parser.add_argument("--labels", nargs="+", choices=("own", "authors"), default=list(defaults.labels))
    parser.add_argument("--limit", type=_positive, metavar="N", help="ask a random sample of N questions (seed 0)")
    parser.add_argument("--taus", type=_share, nargs="+", default=list(defaults.taus), help="thresholds, ascending")
    parser.add_argument(
        "--grow", type=Path, nargs="*", default=[], metavar="OTHER", help="data sets of unrelated documents"
    )
    parser.add_argument("--size", type=_positive, default=defaults.size, help="documents of the grown corpus")
    parser.add_argument("--question", default=defaults.question, help="the question that is explained")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
