"""``python -m multicube.evals.training COMMAND``: see README.md beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..support import told

__all__ = ["app"]

Reading = Annotated[Path, typer.Option(metavar="DIR", help="The examples, a SOURCE.jsonl.gz each.")]
Data = Annotated[Path, typer.Option(metavar="DIR", help="The folder of the data sets squad-dev and 2wiki-6119.")]
Own = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Examples that the commands manuals, hops and written have made.")
]
Seed = Annotated[int, typer.Option(metavar="N", help="Draws otherwise.")]
_READING, _DATA, _WORK, _SEED = Path("../shared/reading"), Path("../shared/data"), Path("out/reader"), 20

app = typer.Typer(
    add_completion=False, pretty_exceptions_enable=False, help="Train the span reader, export it, and measure it."
)


@app.command()
@told
def train(
    reading: Reading = _READING,
    data: Data = _DATA,
    work: Annotated[Path, typer.Option(metavar="DIR", help="Where the training and its reader are kept.")] = _WORK,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A reader (.pt or .onnx) to go on from, not MiniLM.")
    ] = None,
    teacher: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A reader (.pt or .onnx) to learn from besides the answers.")
    ] = None,
    own: Own = None,
    passes: Annotated[float, typer.Option(min=0.01, help="How often everything is read.")] = 1.0,
    share: Annotated[float, typer.Option(min=0.001, max=1.0, help="How much of each source is read.")] = 1.0,
    freeze: Annotated[int, typer.Option(min=0, help="Lowest layers that stay as they are.")] = 0,
    rate: Annotated[float, typer.Option(min=0.0, help="The highest learning rate.")] = 1e-4,
    batch: Annotated[int, typer.Option(min=200, help="The most tokens of a batch.")] = 2_600,
    dropout: Annotated[float, typer.Option(min=0.0, max=0.9, help="The share dropped at random.")] = 0.0,
    half: Annotated[bool, typer.Option("--half", help="Sixteen bits on a processor, too.")] = False,
    seed: Seed = _SEED,
    threads: Annotated[int | None, typer.Option(min=1, help="Processor threads; those that there are.")] = None,
) -> None:
    """Train a reader and export it to WORK/reader.onnx; goes on where the same command was killed before."""
    import torch

    from .running import Training, run
    from .train import Schedule

    if threads is not None:
        torch.set_num_threads(threads)
    schedule = Schedule(epochs=passes, rate=rate, frozen=freeze, dropout=dropout, budget=batch, seed=seed, half=half)
    run(Training(reading, data, share, start, teacher, own, schedule), work, report=_say)


@app.command()
@told
def export(
    weights: Annotated[Path, typer.Argument(metavar="WEIGHTS.pt", help="What a training has saved.")],
    target: Annotated[Path, typer.Argument(metavar="OUT.onnx", help="Where the reader goes.")],
) -> None:
    """Write weights as the ONNX file that the engine reads with."""
    from .running import exported

    exported(weights, target, report=_say)


@app.command()
@told
def average(
    target: Annotated[Path, typer.Argument(metavar="OUT.pt", help="Where the mean goes.")],
    weights: Annotated[list[Path], typer.Argument(metavar="WEIGHTS...", help="Readers (.pt or .onnx).")],
) -> None:
    """Write the mean of several readers' weights."""
    from .network import averaged

    averaged(weights, target)
    _say(str(target))


@app.command()
@told
def base(
    target: Annotated[Path, typer.Argument(metavar="OUT.pt", help="Where the weights go.")],
    layers: Annotated[int, typer.Option(min=1, max=12, help="How many of its lowest layers.")] = 9,
) -> None:
    """Write e5-small with fresh heads, a deeper network than MiniLM, for `train --start`."""
    from .base import write_base

    write_base(target, layers)
    _say(str(target))


@app.command()
@told
def encoder(
    target: Annotated[Path, typer.Argument(metavar="OUT.onnx", help="Where the encoder goes.")],
) -> None:
    """Write the encoder that comes with the package, from the original model."""
    from .encoder import write_encoder

    write_encoder(target)
    _say(str(target))


@app.command()
@told
def heldout(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the data sets go, a folder each.")],
    reading: Reading = _READING,
    data: Data = _DATA,
    most: Annotated[int, typer.Option(min=1, help="Questions of a data set at most.")] = 500,
    seed: Seed = _SEED,
) -> None:
    """Write the questions that training leaves out as data sets for `multicube eval`."""
    from .sources.heldout import FAMILIES, write_held_out, write_two_hop

    for name in FAMILIES:
        write_held_out(name, reading, data, out, most=most, seed=seed)
        _say(str(out / name))
    write_two_hop(reading, data, out / "twohop")
    _say(str(out / "twohop"))


@app.command("manuals")
@told
def write_manuals(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A folder with corpora.yaml and questions/.")],
    kb: Annotated[Path, typer.Option(metavar="DIR", help="The folder of its knowledge bases.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the examples go.")],
) -> None:
    """Write questions about manuals, each with the section that answers it, for `train --own`."""
    from .sources.manuals import write_manuals as written

    _say(f"{written(recipe, kb, out)} examples")


@app.command("written")
@told
def write_written(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the examples go.")],
    data: Data = _DATA,
) -> None:
    """Write our own questions about passages of the data sets, each with its passage, for `train --own`."""
    from .sources.written import write_written as made

    _say(f"{made(data, out)} examples")


@app.command("hops")
@told
def write_hops(
    datasets: Annotated[list[Path], typer.Argument(metavar="DATASET...", help="Folders with gold passages.")],
    kb: Annotated[Path, typer.Option(metavar="DIR", help="The folder of their knowledge bases, by their names.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the examples go.")],
) -> None:
    """Write the subqueries that the engine asks, each with the gold section that answers it, for `train --own`."""
    from .sources.hops import write_hops as written

    _say(f"{written(datasets, kb, out)} examples")


@app.command()
@told
def evaluate(
    reader: Annotated[Path, typer.Argument(metavar="READER.onnx", help="An exported reader.")],
    reading: Reading = _READING,
    data: Data = _DATA,
    limit: Annotated[int | None, typer.Option(min=1, help="Questions of a source at most.")] = None,
    seed: Seed = _SEED,
    own: Own = None,
) -> None:
    """Ask the questions that training leaves out of their own passages, and print the figures of each source."""
    from .measuring import measured_by_source, written

    _say(written(list(measured_by_source(reader, reading, data, limit=limit, seed=seed, own=own))))


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    app()
