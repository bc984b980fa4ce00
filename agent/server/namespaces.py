"""Many knowledge bases behind one server: each folder of a folder under /kb/NAME, opened when it is first asked for."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import FastAPI, Request
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ... import __version__
from ...cubes.core.errors import KnowledgeBaseError, MultiCubeError, UsageError
from ...cubes.store.catalog import CATALOG_FILE
from ...cubes.store.database import is_there
from ..app.tokens import TokenFile
from .app import PAGE, add_page, add_static, inner_app
from .errors import add_handlers, error_response, sentence, status_of
from .guard import READER, Guard, Keys
from .limits import Limits
from .logs import RequestLog
from .routers.health import Ready

if TYPE_CHECKING:
    from ..app.facade import MultiCube

__all__ = ["Namespaces", "create_namespaces_app"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ABOUT = "Several knowledge bases; each is described in /kb/NAME/openapi.json."


class KbInfo(BaseModel):
    """A knowledge base and what whoever asks may do there."""

    name: str
    right: str


class KbList(BaseModel):
    """The knowledge bases that whoever asks may read."""

    kbs: list[KbInfo]


class Namespaces:
    """The knowledge bases in the folders of a folder; ``open`` opens one."""

    def __init__(self, folder: Path, open: Callable[[Path], MultiCube], limits: Limits) -> None:
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder; --kbs names one whose folders are knowledge bases.")
        self.folder, self._open, self._limits = folder, open, limits
        self._apps: dict[str, tuple[MultiCube, FastAPI]] = {}
        self._lock = threading.Lock()
        self._page = FastAPI(openapi_url=None)
        add_page(self._page)

    def names(self) -> list[str]:
        """Return the names of the knowledge bases that are there now."""
        inside = (path.name for path in self.folder.iterdir() if path.is_dir() and _named(path.name))
        return sorted(name for name in inside if is_there(self.folder / name / CATALOG_FILE))

    def app(self, name: str) -> FastAPI | None:
        """Return the application of a knowledge base; None where there is none of this name."""
        folder = self.folder / name
        if not _named(name) or not is_there(folder / CATALOG_FILE):
            return None
        if TokenFile(folder).exists():
            raise KnowledgeBaseError(f"{name} has tokens of its own, which count where it is served alone.")
        with self._lock:
            if name not in self._apps:
                kb = self._open(folder)
                self._apps[name] = kb, inner_app(kb, self._limits, root=f"/kb/{name}")
            return self._apps[name][1]

    def stop(self) -> None:
        """Let everything under way end at its next step; may be called from a signal handler."""
        for _, app in [*self._apps.values()]:
            app.state.service.stop()

    def close(self) -> None:
        """End what is under way, wait for it, and close the knowledge bases."""
        for kb, app in self._apps.values():
            app.state.service.close()
            kb.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to /kb/NAME/..., whose guard has said who asks and that they may."""
        if scope["type"] != "http":
            return
        name, slash, local = scope["path"].removeprefix("/kb/").partition("/")
        answer = await self._answering(name, f"/{local}", asked=READER in scope) if slash else None
        answer = answer or RedirectResponse(f"/kb/{quote(name)}/")
        await answer({**scope, "path": f"/{local}", "raw_path": None, "root_path": ""}, receive, send)

    async def _answering(self, name: str, path: str, *, asked: bool) -> ASGIApp:
        """Return what answers; the page, which nobody is ``asked`` for a token for, is the same for every name."""
        if not asked:
            return self._page
        try:
            found = await run_in_threadpool(self.app, name)
        except MultiCubeError as error:
            return error_response(path, status_of(error), sentence(error))
        return found or error_response(path, 404, f"There is no knowledge base '{name[:100]}' here.")


def _named(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def create_namespaces_app(
    kbs: Namespaces, *, token: str | None = None, host: str = "127.0.0.1", limits: Limits | None = None,
    log_questions: bool = False,
) -> FastAPI:  # fmt: skip
    """Return the application that serves many knowledge bases, which it closes at its end; see `create_app`."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(kbs.close)

    app = FastAPI(
        title="MultiCube-RAG", version=__version__, description=_ABOUT, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.service = kbs
    add_handlers(app)
    app.add_middleware(Guard, host=host, keys=Keys(kbs.folder, token), limits=limits or Limits(), kb=None)
    app.add_middleware(RequestLog, questions=log_questions)

    @app.get("/kb", tags=["server"])
    def list_kbs(request: Request) -> KbList:
        """List the knowledge bases that whoever asks may read."""
        who = request.scope[READER]
        readers = ((name, who(name)) for name in kbs.names())
        return KbList(kbs=[
            KbInfo(name=name, right="admin" if reader.rules else "write" if reader.writes else "read")
            for name, reader in readers if reader is not None
        ])  # fmt: skip

    @app.get("/ready", tags=["server"])
    def ready() -> Ready:
        """Say that questions may be sent here; a knowledge base is loaded when it is first asked for."""
        return Ready()

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        return FileResponse(PAGE / "kbs.html", media_type="text/html; charset=utf-8")

    add_static(app)
    app.mount("/kb", kbs)
    return app
