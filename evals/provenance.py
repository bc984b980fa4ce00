"""Where figures come from: the entry ``run`` of ``results.json``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from .efficiency.machine import machine
from .systems import describe

if TYPE_CHECKING:
    from ..agent.llm.engine import ModelOptions
    from .options import EvalOptions
    from .workspace import Workspace

__all__ = ["command_line", "run_record"]

_FLAGS = ("shuffle", "ablate", "retrieval_only", "semantic", "download")


def run_record(workspace: Workspace, options: EvalOptions, names: Sequence[str], command: str) -> dict[str, Any]:
    """Return what the figures depend on: code, data, versions, seeds, each system's settings, and the machine.

    ``fingerprint`` changes with any of ``parts``; ``command`` gives the figures again; ``settings`` are those that
    differ from the default. How many processes and questions went side by side is told for the sake of the times.
    """
    return {
        "fingerprint": workspace.fingerprint,
        "parts": workspace.parts,
        "version": __version__,
        "command": command,
        "machine": {name: value for name, value in machine().items() if name != "load"},  # of a moment
        "asked": {
            "limit": options.limit, "shuffle": options.shuffle, "seed": options.seed,
            "jobs": options.jobs, "concurrency": options.concurrency,
        },
        "settings": {name: describe(name).differs for name in names},
    }  # fmt: skip


def command_line(options: EvalOptions) -> str:
    """Return the `multicube eval` command that does the same; of folders and files the last name, and no secret."""
    return shlex.join(["multicube", "eval", _name(options.dataset), *_words(options), "--out", "OUT"])


def _words(options: EvalOptions) -> Iterator[str]:
    systems = options.systems
    valued: dict[str, Any] = {
        "systems": systems if systems is None or isinstance(systems, str) else ",".join(systems),
        "limit": options.limit,
        "seed": options.seed or None,
        "labels": None if options.labels == "own" else options.labels,
        "ontology": options.ontology and _name(options.ontology),
        "encoder": options.encoder if isinstance(options.encoder, str) else None,
        "format": options.format,
        "jobs": None if options.jobs == 1 else options.jobs,
        "concurrency": None if options.concurrency == 1 else options.concurrency,
    }
    for option, value in valued.items():
        yield from [f"--{option}", str(value)] if value is not None else []
    for option, others in (("corpus", options.corpus), ("refusals", options.refusals)):
        yield from (word for other in others for word in (f"--{option}", _name(other)))
    yield from (f"--{flag.replace('_', '-')}" for flag in _FLAGS if getattr(options, flag))
    if options.model is not None:
        yield from _thinking(options.model)
    if options.judge is not None:
        yield from ("--judge", "--judge-model", _label(options.judge.models().reason))


def _thinking(model: ModelOptions) -> Iterator[str]:
    models = model.models()
    yield from ("--model", _label(models.reason))
    for option, other in (("--read-model", models.read), ("--extract-model", models.extract)):
        yield from () if other is models.reason else (option, _label(other))
    yield from () if model.prompts is None else ("--prompts", _name(model.prompts))


def _label(model: Any) -> str:
    """A model as the command line takes it; another program's by its class, which no command line can name."""
    return str(getattr(model, "label", type(model).__name__))


def _name(given: str | Path) -> str:
    return Path(given).name or str(given)
