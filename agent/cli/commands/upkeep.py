"""`multicube status`, `rebuild` and `doctor`: what is built, building it anew, what this machine can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from ....cubes.core.errors import MultiCubeError
from ...views.text import clean
from ..console import say, say_json
from ..engine_options import AS_CONFIGURED, EngineArguments, takes_model
from ..options import EncoderOption, JsonOption, KbOption, flag, knowledge_base
from ..progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....cubes.knowledge.base import Status

__all__ = ["doctor", "rebuild", "status"]


def status(kb: KbOption = None, json: JsonOption = False) -> None:
    """Show what a knowledge base holds, what was set aside, and what is out of date."""
    with knowledge_base(kb) as opened:
        found = opened.status()
    if json:
        say_json(status_record(found))
    else:
        say(_described(found))


def rebuild(kb: KbOption = None, encoder: EncoderOption = None) -> None:
    """Derive the vector index anew from the catalog, for instance with another encoder."""
    with knowledge_base(kb, encoder, embeds=True) as opened, progress_bar() as progress:
        opened.rebuild(progress)
        vectors = opened.status().vectors
    say([f"{vectors:,} vectors derived anew from the catalog"])


@takes_model("max_requests", "max_tokens", "max_cost", "no_cache")
def doctor(
    kb: KbOption = None,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
    json: JsonOption = False,
    quick: Annotated[bool, flag("--quick", help="Load no encoder and ask no model.")] = False,
) -> None:
    """Check whether this machine, its settings, the models and the knowledge base are usable; status 1 where not.

    It also says which texts leave the machine at which step, and where they go.
    """
    from ..checks import run_checks

    checks = list(run_checks(kb, encoder, thinking, quick=quick))
    if json:
        say_json([{"check": c.name, "state": c.state, "detail": c.detail} for c in checks])
    else:
        styles = {"ok": "green", "warning": "yellow", "failed": "bold red"}
        say(
            Text(c.state.ljust(9), style=styles[c.state]).append(f"{c.name}: {clean(c.detail)}", style="default")
            for c in checks
        )
    failed = sum(c.state == "failed" for c in checks)
    if failed:
        raise MultiCubeError(f"{failed} {'check' if failed == 1 else 'checks'} failed; the lines above say what to do.")


def status_record(found: Status) -> dict[str, Any]:
    """Return a status as JSON-ready data."""
    from dataclasses import asdict

    return {
        **asdict(found),
        "path": str(found.path),
        "problems": [str(problem) for problem in found.problems],
    }


def _described(found: Status) -> Iterator[Text]:
    """Render a status: what is there, what it was made with, what is left to do."""
    yield Text(str(found.path), style="bold")
    for name in ("documents", "sections", "facts", "vectors", "corrections", "generation"):
        yield Text(f"  {name}: {getattr(found, name):,}")
    yield Text(f"  engine: {found.engine or 'none yet'}")
    yield Text(f"  ontology: {clean(found.ontology)}")
    yield Text(f"  encoder: {clean(found.encoder or 'none yet')}")
    sizes = ", ".join(f"{clean(part)} {_size(size)}" for part, size in sorted(found.bytes.items()))
    yield Text(f"  on disk: {_size(sum(found.bytes.values()))} ({sizes})")
    for sentence in _to_do(found):
        yield Text(f"  {sentence}", style="yellow")
    if found.problems:
        yield Text(f"  set aside: {len(found.problems):,}", style="yellow")
    for problem in found.problems:
        yield Text(f"    {clean(str(problem))}")


def _to_do(found: Status) -> Iterator[str]:
    if not found.complete:
        yield "an ingest has not finished: run it again to go on"
    if not found.indexed:
        yield "the vectors are not in step with the catalog: run multicube ingest or multicube rebuild"
    if found.outdated:
        yield f"out of date: {found.outdated:,} documents, read by another version; ingest them again"


def _size(count: int) -> str:
    """Render bytes as a person reads them."""
    size = float(count)
    for unit in ("B", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
