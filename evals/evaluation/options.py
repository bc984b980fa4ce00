"""What an evaluation is asked to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import __version__
from ..datasets.dataset import LABELS, resolve_folder
from ..machine import machine
from ..systems import describe

if TYPE_CHECKING:
    from ...agent.engines.llm.engine import ModelOptions
    from ...cubes.core.encoding import Encoder
    from .workspace import Workspace

__all__ = ["EvalOptions", "command_line", "labels_digest", "ontology_digest", "run_record"]

@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What `multicube eval` was asked to do. ``kb`` None builds the knowledge base inside ``out``.

    ``jobs`` processes share the questions. ``corpus`` are data sets whose corpora are merged into the searched one;
    ``refusals`` data sets whose questions are asked of it although it does not hold their answers; ``ablate`` adds
    every ablation to the systems. ``model`` thinks in place of the embedded engine. ``labels`` are "own",
    "embedded" where the embedded engine reads the documents although a model thinks, or "authors" for those of
    ``labels.jsonl``; ``ontology`` is what an ingest takes (see `MultiCube.build`).
    ``retrieval_only`` leaves the span reader out, which takes most of the time, and scores what is found. ``format``
    is the published one of ``dataset``, where it is not plain; ``download`` lets it be fetched. ``semantic`` scores
    answers by meaning too, with the encoder; ``judge`` is the model that judges them.
    """

    dataset: str | Path
    out: Path
    systems: str | Sequence[str] | None = None
    limit: int | None = None
    shuffle: bool = False
    seed: int = 0
    labels: str = "own"
    kb: Path | None = None
    concurrency: int = 1
    encoder: str | Encoder | None = None
    corpus: Sequence[str | Path] = ()
    refusals: Sequence[str | Path] = ()
    ablate: bool = False
    model: ModelOptions | None = None
    ontology: str | None = None
    retrieval_only: bool = False
    jobs: int = 1
    semantic: bool = False
    judge: ModelOptions | None = None
    format: str | None = None
    download: bool = False

    @property
    def engine(self) -> str:
        """The engine, as results and fingerprints name it."""
        return "embedded" if self.model is None else self.model.thinking


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


def labels_digest(labels: str, dataset: str | Path) -> str:
    """Return whose labels they are; the authors' with the hash of their file."""
    if labels != "authors":
        return labels
    from ...cubes.ingest.authored_labels import read_labels

    return f"{labels} {read_labels(resolve_folder(dataset) / LABELS).digest}"


def ontology_digest(name: str) -> str:
    """Return an ontology's hash; one that is designed follows from the documents, and its name says so."""
    from ...agent.app.factory import AUTO
    from ...cubes.model.ontology import load_ontology
    from ...cubes.store.folder_state import digest

    return name if name == AUTO else digest(load_ontology(name))
