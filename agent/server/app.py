"""The application: routers behind the guard, the page in front of them, and an end that loses nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from ... import __version__
from .bounds import ERRORS
from .errors import add_handlers, error_response
from .guard import Guard, Keys
from .limits import Limits
from .logs import RequestLog
from .routers import ask, cubes, documents, graph, health, openai, runs, sections
from .service import Service

if TYPE_CHECKING:
    from ..app.facade import MultiCube

__all__ = ["PAGE", "add_page", "add_static", "create_app", "inner_app"]

PAGE = Path(__file__).parent / "page"
"""The files of the page, served as they are."""
_ROUTERS = (ask, runs, cubes, documents, sections, graph, health, openai)
_ABOUT = "Multi-hop question answering over a folder of documents, traced hop by hop."


def create_app(
    kb: MultiCube,
    *,
    token: str | None = None,
    host: str = "127.0.0.1",
    limits: Limits | None = None,
    warm: bool = True,
    when_warm: Callable[[], None] = lambda: None,
    log_questions: bool = False,
) -> FastAPI:
    """Return the application that serves a knowledge base; the caller closes ``kb`` afterwards.

    ``token`` is what every request must bring; without one, and without tokens of the knowledge base's own
    (`TokenFile`), only requests to loopback or to ``host``, the address that the server is bound to, are answered.
    ``warm`` loads in the background what the first question needs, and calls ``when_warm`` then. ``log_questions``
    lets the log tell what was asked.
    """
    limits = limits or Limits()
    app = inner_app(kb, limits, warm=warm, when_warm=when_warm)
    app.add_middleware(Guard, host=host, keys=Keys(kb.kb.path, token), limits=limits, kb=kb.kb.path.name)
    app.add_middleware(RequestLog, questions=log_questions)
    return app


def inner_app(
    kb: MultiCube, limits: Limits, *, warm: bool = False, when_warm: Callable[[], None] = lambda: None, root: str = ""
) -> FastAPI:
    """Return the application without the guard, for whoever guards it; ``root`` is the path that leads to it."""
    service = Service(kb, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if warm:
            service.warm(when_warm)
        yield
        await run_in_threadpool(service.close)

    app = FastAPI(
        title="MultiCube-RAG", version=__version__, description=_ABOUT, lifespan=lifespan, docs_url=None,
        redoc_url=None, servers=[{"url": root}] if root else None, redirect_slashes=not root,
    )  # fmt: skip
    app.state.service = service
    if not warm:
        service.is_warm()
    add_handlers(app)
    for part in _ROUTERS:
        app.include_router(part.router, responses=ERRORS)
    add_page(app)
    return app


class _Files(StaticFiles):
    """The page's files; a browser asks each time whether they are still the same."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        """Return a file; see the class."""
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def add_page(app: FastAPI) -> None:
    """Serve the page's own files; its policy lets it load nothing else."""

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        index = PAGE / "index.html"
        if not index.is_file():
            return error_response("/", 404, "This installation has no page; the API is described in /openapi.json.")
        return FileResponse(index, media_type="text/html; charset=utf-8", headers={"Cache-Control": "no-cache"})

    add_static(app)


def add_static(app: FastAPI) -> None:
    """Serve the files of pages, under /static."""
    if PAGE.is_dir():
        app.mount("/static", _Files(directory=PAGE), name="static")
