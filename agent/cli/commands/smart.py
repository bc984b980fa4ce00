"""`multicube smart`: build the abstraction trees, and look at what their nodes say (SMART)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ....cubes.core.errors import UsageError
from ....cubes.core.extras import require
from ..console import note, say, say_json
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, report_costs, takes_model
from ..options import EncoderOption, JsonOption, KbOption, flag, knowledge_base
from ..progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....cubes.knowledge.base import KnowledgeBase
    from ....cubes.knowledge.smart_trees import Read
    from ....cubes.smart.abstractions import Reporter
    from ....cubes.smart.graph import EntityGraph
    from ....cubes.smart.perspectives import Perspectives
    from ...engines.llm.engine import ModelOptions

__all__ = ["app"]

app = typer.Typer()


@app.callback(invoke_without_command=True)
def smart(context: typer.Context) -> None:
    """Abstraction trees: what no single passage says, from several perspectives."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("build")
@takes_model("read_model", "max_requests", "max_tokens", "max_cost")
def build(
    kb: KbOption = None,
    heads: Annotated[int, typer.Option("--heads", metavar="N", min=1, max=20, help="Trees: perspectives.")] = 3,
    levels: Annotated[int, typer.Option("--levels", metavar="N", min=1, max=8, help="Levels of each tree.")] = 3,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Begins the training otherwise.")] = 0,
    restarts: Annotated[
        int | None,
        typer.Option(
            "--restarts",
            metavar="N",
            min=1,
            help="Trainings begun; the lowest loss wins. 3 by default, 2 over 10,000 entities.",
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option("--threads", metavar="N", min=1, help="Processor threads; other numbers give other trees.")
    ] = 1,
    diversity: Annotated[
        float, typer.Option("--diversity", metavar="LAMBDA", min=0, help="What it costs that trees say the same.")
    ] = 1.0,
    mu: Annotated[
        float | None,
        typer.Option("--mu", metavar="MU", min=0, help="Weight of what chance keeps together; scaled by default."),
    ] = None,
    retrain: Annotated[bool, flag("--retrain", help="Learn the trees anew, although most entities are known.")] = False,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
    json: JsonOption = False,
) -> None:
    """Learn the trees, report on their nodes, and keep both; what is there is brought up to date.

    A build that was stopped goes on from its last checkpoint. A language model reads each section for relations that
    the cubes do not foresee, and writes the reports.
    """
    require("torch_geometric", "smart", "`multicube smart build`")
    import torch

    from ....cubes.knowledge.smart_trees import build as build_trees
    from ....cubes.smart.trees.training import TrainingSettings
    from ...engines.encoders.factory import encoder_factory

    model, chosen = thinking.options(), TrainingSettings(
        trees=heads, seed=seed, restarts=restarts, diversity=diversity, mu=mu
    )
    with knowledge_base(kb, encoder, embeds=True) as opened, _thinking(model, opened) as (reporter, read):
        announce(model, "extract")
        torch.set_num_threads(threads)
        embeds = encoder_factory(encoder)()
        with progress_bar(model) as progress:
            found = build_trees(
                opened, chosen, depth=levels, encoder=embeds, reporter=reporter, read=read, retrain=retrain,
                progress=progress,
            )  # fmt: skip
    known = found.perspectives
    facts = {
        "entities": len(known.graph.entities),
        "relations": len(known.graph.relations),
        "trees": [list(tree.sizes) for tree in known.trees],
        "trained": found.trained,
        "reports_written": found.written,
        "reports_kept": found.reused,
        "vectors": found.vectors,
    }
    if json:
        say_json(facts)
        return
    sizes = "; ".join(" + ".join(f"{size:,}" for size in tree.sizes) for tree in known.trees)
    how = "learnt" if found.trained else "carried over"
    say(
        [
            f"{len(known.graph.entities):,} entities, {len(known.graph.relations):,} relations",
            f"{len(known.trees)} trees {how}; nodes by level: {sizes}",
            f"reports written: {found.written:,}, kept: {found.reused:,}; vectors written: {found.vectors:,}",
        ]
    )


@app.command("apart")
def apart(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Names; none lists those kept apart.")
    ] = None,
    kb: KbOption = None,
    join: Annotated[bool, flag("--join", help="Let the names be joined to others again.")] = False,
    json: JsonOption = False,
) -> None:
    """Keep names apart that were taken for one thing, or let them be joined again.

    The next `multicube smart build` makes the graph of entities by it.
    """
    from ....cubes.smart.graph_store import kept_apart, set_apart
    from ....cubes.store.locks import write_lock

    with knowledge_base(kb) as opened:
        with write_lock(opened.path):
            changed = [name for name in names or () if set_apart(opened.path, name, apart=not join)]
        kept = kept_apart(opened.path)
    if json:
        say_json({"apart": list(kept), "changed": changed})
        return
    say(kept or ["no names are kept apart"])
    if changed:
        note("The graph of entities follows with the next: multicube smart build")


@app.command("tree")
def tree(
    kb: KbOption = None,
    number: Annotated[int | None, typer.Option("--tree", metavar="N", min=1, help="Only this tree.")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Draw the trees as a page.")] = None,
    json: JsonOption = False,
) -> None:
    """Show the trees: every node with how many entities it has and what they are about."""
    from ...views import tree_views as treeviews

    with knowledge_base(kb) as opened:
        known = _known(opened)
        chosen = _chosen(known, number)
        if html is not None:
            html.write_text(treeviews.page(known, chosen, opened), encoding="utf-8")
            note(f"written: {html}")
        elif json:
            say_json(treeviews.trees_json(known, chosen))
        else:
            say(treeviews.outline(known, chosen))


@app.command("node")
def node(
    name: Annotated[str, typer.Argument(metavar="NODE", help="Tree, level and number: 1.2.7.")],
    kb: KbOption = None,
    json: JsonOption = False,
) -> None:
    """Show what a node says, its entities, and the sections it rests on."""
    from ...views import tree_views as treeviews

    with knowledge_base(kb) as opened:
        known = _known(opened)
        one = known.find(name)
        if json:
            say_json(treeviews.node_json(known, one))
        else:
            say(treeviews.node_lines(known, one, opened))


@app.command("path")
def path(
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="A name, as the documents have it.")],
    kb: KbOption = None,
    json: JsonOption = False,
) -> None:
    """Show an entity's way up each tree."""
    from ...views import tree_views as treeviews

    with knowledge_base(kb) as opened:
        known = _known(opened)
        places = known.entities(entity)
        if not places:
            raise UsageError(f"No entity is called '{entity}'; `multicube smart node` shows those of a node.")
        if json:
            say_json([treeviews.path_json(known, place) for place in places])
        else:
            say(line for place in places for line in treeviews.path_lines(known, place))


def _known(opened: KnowledgeBase) -> Perspectives:
    """The abstractions of a knowledge base; raises UsageError that says how to build them, or that they are old."""
    from ....cubes.smart.perspectives import kept

    if (found := opened.perspectives) is not None:
        return found
    if kept(opened.path) is not None:
        raise UsageError("The documents have changed since the trees were built; bring them up to date: multicube "
                         f"smart build --kb {opened.path}")  # fmt: skip
    raise UsageError(f"No abstraction trees are built; build them with: multicube smart build --kb {opened.path}")


def _chosen(known: Perspectives, number: int | None) -> list[int]:
    """The trees asked for, from 0."""
    if number is not None and number > len(known.trees):
        raise UsageError(f"There is no tree {number}; there are {len(known.trees)}.")
    return list(range(len(known.trees))) if number is None else [number - 1]


@contextmanager
def _thinking(
    model: ModelOptions | None, opened: KnowledgeBase
) -> Iterator[tuple[Callable[[EntityGraph], Reporter], Read | None]]:
    """Yield what makes the writer of reports, and what reads relations; what a model cost is said at the end."""
    from ....cubes.smart.extracts import ExtractiveReporter

    if model is None:
        yield ExtractiveReporter, None
        return
    from ...app.settings import load_settings
    from ...engines.llm.engine import LlmEngine
    from ...engines.llm.ingest.relations import LlmRelations
    from ...engines.llm.loop.reporter import LlmReporter

    engine = LlmEngine(model, opened.path, load_settings().cache_dir)
    try:
        relations = LlmRelations(opened.ontology, engine.library, engine.extract)
        yield lambda graph: LlmReporter(engine.library, engine.extract, ExtractiveReporter(graph)), relations.read
    finally:
        report_costs(engine.usage)
        engine.close()
