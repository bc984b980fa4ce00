"""`multicube ontology`: design an ontology from documents, list, show and check ontologies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from ....cubes.core.errors import UsageError
from ..console import note, say, say_json
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, takes_model
from ..options import EncoderOption, JsonOption, flag
from ..progress import progress_bar

if TYPE_CHECKING:
    from ....cubes.core.encoding import Encoder
    from ....cubes.design import Designer, Proposal
    from ....cubes.ingest.report import Progress
    from ....cubes.model.ontology import Ontology
    from ...engines.llm.engine import ModelOptions

__all__ = ["app"]

app = typer.Typer()

NameArgument = Annotated[str, typer.Argument(metavar="NAME|FILE", help="A built-in ontology, or a YAML file.")]
DEFAULT_FILE = Path("ontology.yaml")


@app.callback(invoke_without_command=True)
def ontology(context: typer.Context) -> None:
    """Design an ontology from documents; list, show and check ontologies."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list")
def list_ontologies(json: JsonOption = False) -> None:
    """List the ontologies that can be named without a path."""
    from ....cubes.model.ontology import BUILTIN, load_ontology

    found = [load_ontology(path.stem) for path in sorted(BUILTIN.glob("*.yaml"))]
    if json:
        say_json([{"name": o.name, "description": o.description, "cubes": [c.id for c in o.cubes]} for o in found])
        return
    for one in found:
        say([Text(one.name, style="bold").append(f"  {one.description} {len(one.cubes)} cubes.", style="default")])


@app.command("show")
def show(name: NameArgument, json: JsonOption = False) -> None:
    """Show an ontology's classes with their dimensions."""
    from ....cubes.model.ontology import load_ontology

    found = load_ontology(name)
    if json:
        say_json(found.model_dump(mode="json"))
    else:
        say(_described(found))


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The YAML file of an ontology.")],
    json: JsonOption = False,
) -> None:
    """Check an ontology file; the first fault is named with its line."""
    from ....cubes.model.ontology import load_ontology

    found = load_ontology(file)
    dimensions = sum(len(cube.dimensions) for cube in found.cubes)
    if json:
        say_json({"name": found.name, "cubes": len(found.cubes), "dimensions": dimensions})
    else:
        say([f"{file} is a valid ontology: {len(found.cubes)} cubes with {dimensions} dimensions"])


@app.command("design")
@takes_model("read_model", "extract_model")
def design(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH...", help="Files or folders to draw documents from.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to write it; to stdout without.")
    ] = None,
    sample: Annotated[int, typer.Option("--sample", metavar="N", min=1, help="Documents that are read.")] = 200,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Draws other documents.")] = 0,
    review: Annotated[
        bool, flag("--review", help="Ask for each class and dimension; goes on with a file begun before.")
    ] = False,
    yes: Annotated[bool, flag("--yes", help="With --review: accept all that is not decided yet.")] = False,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
    json: JsonOption = False,
) -> None:
    """Propose classes, attributes and relations from a sample of documents, with the evidence for each.

    With a language model, it reads the documents; without one, statistics do. What was merged or dropped is said on
    stderr with the reason, and kept in the file.
    """
    from ....cubes.design import write_design

    target = out or (DEFAULT_FILE if review else None)
    if target is not None and target.exists():
        proposal = _begun(target, paths or [], review=review)
    else:
        proposal = _designed(paths or [], sample, seed, thinking.options(), encoder, target)
        if target is not None:
            write_design(proposal, target)
    if review:
        _review(proposal, target or DEFAULT_FILE, yes=yes)
    _tell(proposal, target, json=json)


def _begun(target: Path, paths: list[Path], *, review: bool) -> Proposal:
    """Go on with a review that was begun; a file that is there is never overwritten by another design."""
    from ....cubes.design import read_design

    if not review:
        raise UsageError(f"{target} is there already; name another file, or go on with it by --review.")
    proposal = read_design(target)
    note(f"going on with {target}" + ("; the paths are not read again" if paths else ""))
    return proposal


def _designed(
    paths: list[Path], count: int, seed: int, model: ModelOptions | None, encoder: str | None, target: Path | None
) -> Proposal:
    from ....cubes import design
    from ...engines.encoders.factory import encoder_factory

    if not paths:
        raise UsageError("Name files or folders to draw documents from.")
    announce(model, "reason")
    drawn = design.sample_documents(paths, count, seed)
    for problem in drawn.problems[:20]:
        note(str(problem), style="yellow")
    name = target.stem if target is not None else "corpus"
    options = design.DesignOptions(name=name, seed=seed)
    made = encoder_factory(encoder)()
    with progress_bar(model) as progress, _designer(model, made, progress) as designer:
        proposal = design.design(drawn, designer, made, options, lambda doing: note(f"{doing} ..."))
    for decision in proposal.decisions:
        note(str(decision))
    return proposal


@contextmanager
def _designer(
    model: ModelOptions | None, encoder: Encoder, progress: Callable[[Progress], None]
) -> Iterator[Designer]:
    """The model's designer, or statistics; says at the end, also where it is an error, what the model cost."""
    from ....cubes.design import StatisticalDesigner

    statistics = StatisticalDesigner(encoder)
    if model is None:
        yield statistics
        return
    from ...app.settings import load_settings
    from ...engines.llm.engine import LlmEngine
    from ...engines.llm.ingest.designer import ModelDesigner
    from ..engine_options import report_costs

    cache = load_settings().cache_dir
    folder = cache / "design"
    folder.mkdir(parents=True, exist_ok=True)
    engine = LlmEngine(model, folder, cache)
    try:
        client = engine.reason.for_run(model.ingest_caps)
        yield ModelDesigner(engine.library, client, statistics, concurrency=model.concurrency, progress=progress)
    finally:
        report_costs(engine.usage)
        engine.close()


def _review(proposal: Proposal, target: Path, *, yes: bool) -> None:
    from ....cubes.design import write_design
    from .ontology_review import accept_all, review

    if yes:
        accept_all(proposal)
        write_design(proposal, target)
    elif not review(proposal, lambda: write_design(proposal, target)):
        note(f"saved; go on with: multicube ontology design --review --out {target}")


def _tell(proposal: Proposal, target: Path | None, *, json: bool) -> None:
    """Print what came of it: the ontology itself where no file holds it."""
    from ....cubes.design.writing import ontology_text
    from ....cubes.model.ontology import parse_ontology

    text = ontology_text(proposal)
    if not any(idea.state != "dropped" for idea in proposal.classes):
        raise UsageError("Every class was dropped, and an ontology needs one; accept some.")
    found = parse_ontology(text, str(target or "the design"))
    if json:
        say_json(_record(proposal, found, target))
    elif target is None:
        typer.echo(text, nl=False)
    else:
        say(_described(found))
        say([Text(f"written to {target}; use it with: multicube ingest PATH --ontology {target}", style="dim")])


def _record(proposal: Proposal, found: Ontology, target: Path | None) -> dict[str, Any]:
    return {
        "file": str(target) if target is not None else None,
        "ontology": found.model_dump(mode="json"),
        "design": proposal.model_dump(mode="json"),
    }


def _described(found: Ontology) -> Iterator[Text]:
    yield Text(found.name, style="bold").append(f"  {found.description}", style="dim")
    for cube in found.cubes:
        yield Text(f"\n{cube.id}", style="bold").append(f"  {cube.description}", style="default")
        for dimension in cube.dimensions:
            what = f"to {dimension.target}" if dimension.target else dimension.kind
            cues = ", ".join(cue.relation for cue in dimension.cues[:6])
            yield Text(f"  {dimension.id}").append(f"  {dimension.role}, {what}{f': {cues}' if cues else ''}", "dim")
