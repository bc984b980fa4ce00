"""Every error as one sentence in JSON: ``{"error": {"message": ...}}``; under /v1 in OpenAI's form."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...cubes.core.errors import InputError, LockedError, MultiCubeError, UsageError

__all__ = [
    "RunInProgressError", "ServerBusyError", "ShuttingDownError", "add_handlers", "error_body", "error_response",
    "explained", "logged", "sentence", "status_of",
]  # fmt: skip

_log = logging.getLogger("multicube.server")
_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_CODES = {401: "invalid_api_key", 404: "not_found", 429: "rate_limit_exceeded"}


class ServerBusyError(MultiCubeError):
    """More questions wait than a server takes."""

    retryable = True


class ShuttingDownError(MultiCubeError):
    """The server ends; the run is kept and can be resumed."""

    retryable = True


class RunInProgressError(MultiCubeError):
    """Somebody follows the run already."""

    retryable = True


def error_body(path: str, status: int, message: str, param: str | None = None) -> dict[str, Any]:
    """Return the body of an error; ``param`` is the part of the request that is wrong."""
    if not _is_openai(path):
        return {"error": {"message": message}}
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    return {"error": {"message": message, "type": kind, "param": param, "code": _CODES.get(status)}}


def error_response(
    path: str, status: int, message: str, headers: Mapping[str, str] | None = None, *, param: str | None = None
) -> JSONResponse:
    """Return an error as a response."""
    return JSONResponse(error_body(path, status, message, param), status, headers)


def _is_openai(path: str) -> bool:
    return path.startswith("/v1/")


def status_of(error: MultiCubeError) -> int:
    """Return the status that tells whose fault an error is."""
    if isinstance(error, UsageError | InputError):
        return 400
    if isinstance(error, LockedError | RunInProgressError):
        return 409
    if isinstance(error, ServerBusyError):
        return 429
    return 402 if error.pauses else 503


def sentence(error: BaseException) -> str:
    """Return what to tell a client of an error: nothing of the inside where it was not raised on purpose."""
    if isinstance(error, UsageError):
        return error.plain  # who asks over HTTP types no commands
    if isinstance(error, MultiCubeError):
        return str(error)
    if isinstance(error, StarletteHTTPException):
        return str(error.detail)
    return f"A fault in multicube itself ({type(error).__name__}); the server's log says more."


def logged(doing: str, error: BaseException) -> str:
    """Return `sentence`, and write into the log what was not raised on purpose: a client is told no more of it."""
    if not isinstance(error, MultiCubeError | StarletteHTTPException):
        _log.error("%s: %s: %s", doing, type(error).__name__, error, exc_info=error)
    return sentence(error)


def explained(error: RequestValidationError) -> tuple[str, str | None]:
    """Say in a sentence what is wrong with a request, first thing first, and where; nothing of it is repeated."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    message = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
    return (f"{place}: {message}.", place) if place else (f"The request is not valid: {message}.", None)


def add_handlers(app: FastAPI) -> None:
    """Let every error of an application leave it as one sentence."""

    @app.exception_handler(MultiCubeError)
    async def _expected(request: Request, error: MultiCubeError) -> JSONResponse:
        return error_response(request.url.path, status_of(error), sentence(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        path, (message, param) = request.url.path, explained(error)
        return error_response(path, 400 if _is_openai(path) else 422, message, param=param)

    @app.exception_handler(StarletteHTTPException)
    async def _refused(request: Request, error: HTTPException) -> JSONResponse:
        return error_response(request.url.path, error.status_code, str(error.detail), error.headers)
    app.add_middleware(_Faults)


class _Faults:
    """Middleware: what nobody raised on purpose is logged, and answered with one sentence.

    A handler for every exception would have it raised again afterwards; then the server cuts the connection, now and
    then before the client has read the answer.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception as error:
            doing = f"{scope.get('method', scope['type'])} {scope.get('path', '')}"
            _log.error("%s: %s: %s", doing, type(error).__name__, error, exc_info=error)
            if begun:
                raise
            await error_response(scope.get("path", ""), 500, sentence(error))(scope, receive, send)
