"""The checks of `multicube doctor`: each says what it found, and what to do where that will not do."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ...cubes.core.errors import MultiCubeError, UsageError
from ...cubes.store.database import shared
from ...cubes.store.postgres import database_url, place_of
from .engine_options import AS_CONFIGURED, EngineArguments
from .options import knowledge_base, unknown_variables

if TYPE_CHECKING:
    from ..engines.llm.engine import ModelOptions

__all__ = ["Check", "run_checks"]

State = Literal["ok", "warning", "failed"]
_PACKAGES = ("langgraph", "chromadb", "onnxruntime", "tokenizers", "pydantic", "numpy")


@dataclass(frozen=True, slots=True)
class Check:
    """What one check found."""

    name: str
    state: State
    detail: str


def run_checks(
    kb: Path | None, encoder: str | None, thinking: EngineArguments = AS_CONFIGURED, *, quick: bool
) -> Iterator[Check]:
    """Run the checks in turn; ``quick`` leaves out those that load the encoder or ask a model."""
    yield _python()
    yield _packages()
    yield _sqlite()
    if database_url() is not None:
        yield _caught("database", _database)
    yield _settings()
    try:
        model = thinking.options()
    except UsageError as error:
        yield Check("engine", "failed", str(error))
    else:
        yield from _engine(model, quick=quick)
        yield from _leaving(model, encoder)
    if not quick:
        yield _caught("encoder", lambda: _encoder(encoder))
    if kb is not None or Path("kb").is_dir():
        yield _caught("knowledge base", lambda: _knowledge_base(kb))
        yield _caught("collections", lambda: _collections(kb))
        if not quick:
            yield _caught("vectors", lambda: _vectors(kb, encoder))


def _caught(name: str, check: Callable[[], Check]) -> Check:
    """Run a check whose failure, of whatever kind, is a finding."""
    try:
        return check()
    except MultiCubeError as error:
        return Check(name, "failed", str(error))
    except Exception as error:
        return Check(name, "failed", f"{type(error).__name__}: {error}")


def _engine(model: ModelOptions | None, *, quick: bool) -> Iterator[Check]:
    if model is None:
        yield Check("engine", "ok", "embedded: rules over the cubes, no language model and no key needed")
        return
    from .model_checks import check_models

    told = {
        "llm": "llm: the same loop and cubes, with a language model that decides, reads and extracts",
        "both": "both: the embedded engine proposes each step, and a language model confirms or corrects it",
    }
    yield Check("engine", "ok", told[model.engine])
    for work, usable, found in check_models(model, quick=quick):
        yield Check(f"model ({work})", "ok" if usable else "failed", found)


def _leaving(model: ModelOptions | None, encoder: str | None) -> Iterator[Check]:
    """Say which texts are sent where, a line for each step, and what the libraries add."""
    from .egress import flows, libraries

    sent = [Check("sent", "ok", str(flow)) for flow in flows(model, encoder)]
    yield from sent or [Check("sent", "ok", "nothing: no text leaves this machine at any step")]
    quiet, told = libraries(model, encoder)
    yield Check("libraries", "ok" if quiet else "warning", told)


def _python() -> Check:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    found = f"{python} on {platform.system()} {platform.machine()}"
    return Check("python", "ok", f"{found}, {os.cpu_count()} processors")


def _packages() -> Check:
    found, missing = [], []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Check("packages", "failed", f"missing: {', '.join(missing)}; install multicube-rag again")
    return Check("packages", "ok", ", ".join(found))


def _sqlite() -> Check:
    if sqlite3.sqlite_version_info < (3, 35):
        return Check("sqlite", "failed", f"{sqlite3.sqlite_version}; 3.35 or newer is needed")
    return Check("sqlite", "ok", sqlite3.sqlite_version)


def _database() -> Check:
    """Ask PostgreSQL which version it is, and whether tables may be made there."""
    session, url = shared(Path("kb")), database_url()
    assert session is not None
    assert url is not None
    with closing(session):
        asked = "SELECT current_setting('server_version'), has_database_privilege(current_database(), 'CREATE')"
        ((version, may),) = session.execute(asked).fetchall()
    if not may:
        return Check("database", "failed", f"{place_of(url)}: its user may make no schema there; grant it CREATE")
    return Check("database", "ok", f"PostgreSQL {version} at {place_of(url)} keeps catalogs, runs and replies")


def _settings() -> Check:
    from ..app.settings import load_settings

    try:
        load_settings()
    except MultiCubeError as error:
        return Check("settings", "failed", str(error))
    unknown = unknown_variables()
    if unknown:
        return Check("settings", "warning", f"nothing reads {', '.join(unknown)}; check the spelling")
    return Check("settings", "ok", "the MULTICUBE_ variables are understood")


def _encoder(name: str | None) -> Check:
    from ..engines.encoders.factory import encoder_factory

    started = time.perf_counter()
    encoder = encoder_factory(name)()
    encoder.encode(["Who directed the film?"])
    seconds = time.perf_counter() - started
    detail = f"{encoder.fingerprint}, {encoder.dimensions} dimensions, first text after {seconds:.1f} s"
    return Check("encoder", "ok", detail)


def _vectors(kb: Path | None, encoder: str | None) -> Check:
    """Look one text up: a lost or damaged index shows only when it is asked."""
    from .options import multicube

    with multicube(kb, encoder) as opened:
        sections = opened.kb.status().sections
        if sections:
            opened.kb.retriever.passages("Who directed the film?", k=1, mode="dense")
    return Check("vectors", "ok", f"dense look-up answers over {sections} sections")


def _collections(kb: Path | None) -> Check:
    """Compare what Chroma holds with what the catalog lists."""
    with knowledge_base(kb) as opened:
        return Check("collections", "ok", f"Chroma holds the {opened.check_store():,} records that the catalog lists")


def _knowledge_base(kb: Path | None) -> Check:
    with knowledge_base(kb) as opened:
        status = opened.status()
        writable = os.access(opened.path, os.W_OK)
    if not writable:
        return Check("knowledge base", "warning", f"{opened.path} can be read but not written")
    aside = len(status.problems)
    if aside:
        return Check("knowledge base", "warning", f"{opened.path}: {aside} records are set aside; see multicube status")
    return Check("knowledge base", "ok", f"{opened.path}: {status.documents} documents, {status.sections} sections")
