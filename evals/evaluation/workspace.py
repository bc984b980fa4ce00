"""The folder an evaluation writes: which run it holds, whether a rerun may continue it, who is writing it.

``run.json`` holds the run's fingerprint (data, questions chosen, code, versions), so that nothing computed
under other conditions is ever mixed in.
"""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from ...cubes.core.errors import LockedError, MultiCubeError, UsageError
from ..datasets.dataset import Dataset
from ..metrics.predictions import Prediction, PredictionLog
from ..support import write_whole

__all__ = ["IngestFigures", "Workspace", "fingerprint_parts"]

_PACKAGE = Path(__file__).resolve().parents[2]
_CODE = (
    *("prompts", "cubes", "graphs", "agent", "evals/systems", "evals/ablations.py", "evals/metrics/predictions.py"),
    *("evals/evaluation/asking.py", "evals/evaluation/readings.py"),
    *("evals/datasets/dataset.py", "evals/datasets/load.py"),
)
_KB_CODE = ("cubes", "agent/engines/encoders")
_OF_KB = ("corpus", "engine", "labels", "ontology", "encoder", "kb_code", "python", "versions")
_SUFFIXES = {".py", ".yaml", ".md", ".json", ".onnx"}
_STARTING_ANEW = (
    "The data, the code or the settings have changed: starting anew "
    "(the earlier answers are in predictions.previous.jsonl)."
)
_DISTRIBUTIONS = (
    "bm25s",
    "chromadb",
    "langgraph",
    "numpy",
    "onnxruntime",
    "rank-bm25",
    "sentence-transformers",
    "tokenizers",
    "torch",
)


class IngestFigures(BaseModel):
    """What building the knowledge base cost: the whole corpus, in the process that evaluates.

    ``seconds`` and ``sections_per_s`` are None where the knowledge base was there before: what was read then
    is not the whole corpus. ``index`` are the bytes on disk by part, None where they were not told apart.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seconds: float | None
    sections_per_s: float | None
    kb_bytes: int
    peak_rss_mb: float | None
    index: dict[str, int] | None = None


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    fingerprint: str
    parts: dict[str, Any]
    kb: str
    ingest: IngestFigures | None = None
    sections: int = 0


class Workspace:
    """An evaluation's output folder. Use `locked` around everything that writes."""

    def __init__(self, out: Path, kb: Path | None = None) -> None:
        self.out = out
        self.own_kb = kb is None
        self.kb = out / "kb" if kb is None else kb
        self.log = PredictionLog(out / "predictions.jsonl")
        self.refusals = PredictionLog(out / "refusals.jsonl")
        self._manifest: _Manifest | None = None

    @property
    def ingest(self) -> IngestFigures | None:
        """What building the knowledge base cost, where this run has built it already."""
        return self._manifest.ingest if self._manifest else None

    @property
    def sections(self) -> int:
        """How many sections the knowledge base holds, where this run has built it already."""
        return self._manifest.sections if self._manifest else 0

    @property
    def fingerprint(self) -> str:
        """The hash of `parts`."""
        assert self._manifest is not None
        return self._manifest.fingerprint

    @property
    def parts(self) -> dict[str, Any]:
        """Everything that the predictions depend on; see `fingerprint_parts`."""
        assert self._manifest is not None
        return self._manifest.parts

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Make the folder and hold it.

        Raises LockedError where another process does, UsageError where it cannot be written.
        """
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            with FileLock(self.out / ".lock", timeout=0):
                yield
        except Timeout as error:
            raise LockedError(
                f"Another evaluation is writing {self.out}; wait for it or give another --out."
            ) from error
        except MultiCubeError:
            raise
        except (FileExistsError, NotADirectoryError, PermissionError) as error:
            raise UsageError(
                f"The folder {self.out} cannot be written ({error.strerror}); give another --out."
            ) from error

    def begin(self, parts: Mapping[str, Any]) -> str | None:
        """Continue the run of this fingerprint, or start anew; returns a sentence if work was set aside."""
        fingerprint = _hash(json.dumps(parts, sort_keys=True).encode())
        earlier = self._read()
        if earlier and earlier.fingerprint == fingerprint and earlier.kb == str(self.kb):
            self._manifest = earlier
            return None
        if earlier is None:
            self._refuse_foreign()
        same_kb = earlier is not None and earlier.kb == str(self.kb) and _kb_parts(earlier.parts) == _kb_parts(parts)
        built = (
            {"ingest": earlier.ingest, "sections": earlier.sections} if earlier is not None and same_kb else {}
        )
        self._manifest = _Manifest(fingerprint=fingerprint, parts=dict(parts), kb=str(self.kb), **built)
        return self._set_aside(had_kb=earlier is not None)

    def kept(self) -> list[Prediction]:
        """Return the predictions of an earlier, interrupted run under the same fingerprint."""
        return self.log.load()

    def clear_kb(self) -> None:
        """Remove the knowledge base inside the output folder, if there is one; never one given by --kb."""
        if self.own_kb and self.kb.exists():
            shutil.rmtree(self.kb)

    def built(self, figures: IngestFigures, sections: int = 0) -> None:
        """Remember that the knowledge base is whole, what it cost, and how many sections it holds."""
        assert self._manifest is not None
        self._manifest = self._manifest.model_copy(update={"ingest": figures, "sections": sections})
        self._save()

    def write(self, name: str, text: str) -> Path:
        """Write a file of the folder, all or nothing."""
        path = self.out / name
        write_whole(path, text)
        return path

    def _refuse_foreign(self) -> None:
        """Without a manifest nothing here is ours, and what is not ours is never overwritten or removed."""
        for path in (self.log.path, self.refusals.path, *([self.kb] if self.own_kb else [])):
            if path.exists():
                raise UsageError(f"{self.out} holds a {path.name} that no evaluation made; give another --out.")

    def _set_aside(self, *, had_kb: bool) -> str | None:
        if had_kb and self.ingest is None:
            self.clear_kb()
        note = None
        if self.log.path.exists():
            self.log.path.replace(self.out / "predictions.previous.jsonl")
            note = _STARTING_ANEW
        for name in ("results.json", "report.md", "errors.jsonl", self.refusals.path.name):
            (self.out / name).unlink(missing_ok=True)
        self._save()
        return note

    def _read(self) -> _Manifest | None:
        path = self.out / "run.json"
        if not path.exists():
            return None
        try:
            return _Manifest.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise UsageError(
                f"{path} was not written by this version of multicube eval; give another --out."
            ) from error

    def _save(self) -> None:
        assert self._manifest is not None
        self.write("run.json", self._manifest.model_dump_json(indent=2) + "\n")


def fingerprint_parts(dataset: Dataset, *, engine: str, labels: str, encoder: str | None = None) -> dict[str, Any]:
    """Everything that predictions depend on, in a form a person can compare."""
    return {
        "corpus": dataset.corpus_digest,
        "questions": dataset.questions_digest,
        "chosen": _hash("\n".join(question.id for question in dataset.questions).encode()),
        "engine": engine,
        "labels": labels,
        "encoder": encoder,
        "code": _code_digest(_CODE),
        "kb_code": _code_digest(_KB_CODE),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in _DISTRIBUTIONS},
    }


def _kb_parts(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: parts.get(name) for name in _OF_KB}


def _code_digest(names: Sequence[str]) -> str:
    found = hashlib.blake2b(digest_size=16)
    for path in sorted(_code_files(names)):
        found.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def _code_files(names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        root = _PACKAGE / name
        files = [root] if root.is_file() else root.rglob("*")
        yield from (path for path in files if path.suffix in _SUFFIXES and "cli" not in path.parts)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
