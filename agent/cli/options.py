"""Options that several commands share, what they mean, and their completion."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...cubes.core.errors import UsageError

if TYPE_CHECKING:
    from ...cubes.core.records import Filters
    from ...cubes.knowledge.base import KnowledgeBase
    from ..app.facade import MultiCube
    from ..engines.llm.engine import ModelOptions

__all__ = [
    "EncoderOption",
    "JsonOption",
    "KbOption",
    "complete_class",
    "complete_run",
    "filters",
    "flag",
    "kb_named",
    "knowledge_base",
    "locate",
    "multicube",
    "unknown_variables",
]

def complete_class(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a class of the knowledge base's ontology."""
    try:
        with_kb = knowledge_base(context.params.get("kb"))
        return [cube.id for cube in with_kb.ontology.cubes if cube.id.startswith(incomplete)]
    except Exception:
        return []  # A completion that fails must not disturb the person's command line.


def complete_run(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Complete the id of one of the latest runs, with its question as help."""
    try:
        with multicube(context.params.get("kb")) as opened:
            return [(run.id, run.question) for run in opened.runs(30) if run.id.startswith(incomplete)]
    except Exception:
        return []


def flag(*names: str, **how: Any) -> Any:
    """Declare a yes/no option; its help shows no value, because it takes none."""
    return typer.Option(*names, metavar=" ", **how)


KbOption = Annotated[
    Path | None,
    typer.Option(
        "--kb",
        metavar="DIR",
        envvar="MULTICUBE_KB",
        help="The knowledge base's folder; ./kb where that exists.",
    ),
]
JsonOption = Annotated[bool, flag("--json", help="Print JSON for machines.")]
EncoderOption = Annotated[
    str | None,
    typer.Option(
        "--encoder",
        metavar="NAME",
        envvar="MULTICUBE_ENCODER",
        help="What embeds: minilm, a sentence-transformers name or folder, openai:NAME or URL#NAME.",
    ),
]


def locate(kb: Path | None) -> Path:
    """Return the knowledge base's folder: as given, or ./kb if that exists; else raises UsageError."""
    if kb is not None:
        return kb
    if Path("kb").is_dir():
        return Path("kb")
    raise UsageError("Say which knowledge base with --kb DIR, or set MULTICUBE_KB.")


def kb_named(kb: Path | None) -> str:
    """Return what a printed command must add to reach the same knowledge base; nothing for ./kb."""
    return "" if kb is None else f" --kb {quote(str(kb))}"


def knowledge_base(kb: Path | None, encoder: str | None = None, *, embeds: bool = False) -> KnowledgeBase:
    """Open a knowledge base without the parts that answer; no model is needed unless it ``embeds``."""
    from ...cubes.knowledge.base import KnowledgeBase
    from ..engines.encoders.factory import encoder_factory

    return KnowledgeBase.open(locate(kb), encoder=encoder_factory(encoder) if embeds else None)


def multicube(kb: Path | None, encoder: str | None = None, model: ModelOptions | None = None) -> MultiCube:
    """Open a knowledge base to ask it; without ``model`` the embedded engine thinks."""
    folder = locate(kb)
    from ..app.facade import MultiCube

    return MultiCube.open(folder, encoder=encoder, model=model, engine=None if model else "embedded")


def filters(sources: list[str], where: list[str], since: str | None, until: str | None) -> Filters | None:
    """Build the restriction on documents that --source, --where, --since and --until describe, if any."""
    from ...cubes.core.records import Filters

    wanted = Filters(
        sources=tuple(sources),
        metadata=dict(_pair(item) for item in where),
        since=_date(since, "--since"),
        until=_date(until, "--until"),
    )
    return wanted if wanted else None


def _pair(item: str) -> tuple[str, str]:
    key, equals, value = item.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"--where '{item}' is not of the form KEY=VALUE.")
    return key.strip(), value.strip()


def _date(text: str | None, option: str) -> str | None:
    """Return an ISO date as it was given; a year or a month means all of it."""
    try:
        if text is not None:
            date.fromisoformat(text + "-01-01"[len(text) - 4 :] if len(text) in (4, 7) else text)
    except ValueError:
        message = f"{option} '{text}' is not a date; write it as 1998, 1998-05 or 1998-05-31."
        raise UsageError(message) from None
    return text


def unknown_variables() -> list[str]:
    """Return MULTICUBE_ environment variables that nothing reads: most likely misspelt."""
    from ..app.settings import Settings

    of_evaluations = ("DATA", "JUDGE_MODEL")
    known = {f"MULTICUBE_{name.upper()}" for name in (*Settings.model_fields, *of_evaluations)}
    return sorted(name for name in os.environ if name.startswith("MULTICUBE_") and name not in known)
