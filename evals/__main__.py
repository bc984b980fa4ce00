"""The experiments: ``python -m multicube.evals NAME --help`` says what each measures and what it takes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from importlib import import_module

import typer

__all__ = ["EXPERIMENTS", "main"]

EXPERIMENTS: Mapping[str, tuple[str, str]] = {
    "figures": ("figures", "repeat every published figure, or a quick sample of each"),
    "matrix": ("matrix", "every system on every data set, with one report of all"),
    "pages": ("pages", "one page for each evaluation: refusals, larger corpora"),
    "bench": ("bench", "time retrieval over growing knowledge bases"),
    "scale": ("scaling", "ingest by the workers of a Ray cluster"),
    "serving": ("serving", "questions to several servers, one of which is killed"),
    "efficiency": ("efficiency.command", "time, memory, disk, model calls and money"),
    "calibrate": ("calibration.command", "record the signals of answers, and fit their confidence"),
    "hypercube": ("hypercube.command", "Hypercube-RAG: parts, dimensions, threshold, explanation"),
    "intents": ("intents.command", "MuISQA: questions with several intents"),
    "lookalike": ("lookalike.command", "HiQA: look-alike documents"),
    "realdocs": ("realdocs.command", "a hundred questions about real documents"),
    "smart": ("smart.command", "SMART: abstraction trees on planted and real graphs"),
}
"""The module of each experiment in `experiments`, and what it is in a few words."""


def main(arguments: Iterable[str] | None = None) -> None:
    """Run an experiment's command; only its own modules are loaded."""
    name, *rest = [*(sys.argv[1:] if arguments is None else arguments), ""]
    if name not in EXPERIMENTS:
        wanted = name in ("", "-h", "--help")
        print("\n".join(_listed(name, wanted)), file=sys.stdout if wanted else sys.stderr)
        raise SystemExit(0 if wanted else 2)
    app: typer.Typer = import_module(f".experiments.{EXPERIMENTS[name][0]}", __package__).app
    typer.main.get_command(app)(args=rest[:-1], prog_name=f"python -m multicube.evals {name}")


def _listed(name: str, wanted: bool) -> Iterable[str]:
    if not wanted:
        yield f'multicube: There is no experiment "{name}"; choose one of these.'
    yield "Usage: python -m multicube.evals NAME [OPTIONS]\n"
    yield from (f"  {each:<12}{said}" for each, (_, said) in EXPERIMENTS.items())


if __name__ == "__main__":
    main()
