"""What a request must bring before anything looks at it, and the headers of every response.

A server on loopback is reached by every page that a browser on this machine has open, so a request must name the
server itself as its host (a rebound domain name does not), and what changes something must not come from a page of
another origin. A server that others reach demands a token instead of the host, and so does one with tokens of its own
(`tokens.json`), each of which says who asks and what they may do.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...cubes.core.errors import MultiCubeError
from ..app.readers import Reader
from ..app.tokens import TokenFile
from .errors import error_response
from .limits import Limits

__all__ = ["CONTENT_POLICY", "READER", "Guard", "Keys", "is_loopback"]

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load: its own files and nothing else; nothing inline runs."""
_HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_OPEN = ("/", "/favicon.ico", "/ready")  # the page itself asks for the token; a balancer has none
_UPLOADS = "/documents"
_MANY = re.compile(r"/kb/(?P<kb>[^/]*)(?P<local>/.*)?", re.DOTALL)
_READERS_CHANGE = re.compile(r"/ask|/v1/chat/completions|/runs/.*", re.DOTALL)
"""What readers may post to or delete: questions, and runs, which are their own. All else that changes is writing."""
READER = "multicube.reader"
"""Where a request's scope holds the `Reader` that asks; where a server has many knowledge bases, what says who it is
in one of them."""
_OWNER = Reader("", writes=True, rules=True)
"""Who reaches a server without tokens, or has the one that it was started with."""

Where = Callable[[str], Reader | None]
"""Says who somebody is in a knowledge base, by its name; None where they have no right there."""


class Keys:
    """Whom a token lets in: the one that the server was started with, or one of ``tokens.json`` in a folder."""

    def __init__(self, folder: Path | None, token: str | None) -> None:
        self._file = TokenFile(folder) if folder is not None else None
        self._token = token.encode() if token else None

    @property
    def demanded(self) -> bool:
        """Whether a request must bring a token."""
        return self._token is not None or (self._file is not None and self._file.exists())

    def who(self, given: str) -> Where | None:
        """Return who has a token; None where it is none. Raises KnowledgeBaseError where that cannot be read."""
        # Compared in full whatever is wrong with it, so that the time taken says nothing.
        if self._token is not None and hmac.compare_digest(given.encode("utf-8", "replace"), self._token):
            return _owner
        entry = self._file.find(given) if self._file is not None and given else None
        return entry.reader if entry is not None else None


def _owner(_: str) -> Reader:
    return _OWNER


class Guard:
    """Middleware: lets through what may be answered, and nothing else.

    ``kb`` is the name of the knowledge base behind it; None where there are many, each under /kb/NAME.
    """

    def __init__(self, app: ASGIApp, *, host: str, keys: Keys, limits: Limits, kb: str | None) -> None:
        self._app = app
        self._host = host.lower()
        self._keys = keys
        self._limits = limits
        self._kb = kb

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, or refuse it with one sentence."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        kb, path = self._place(scope["path"])
        limit = self._limits.upload if path == _UPLOADS else self._limits.body
        refused = self._refusal(scope, headers, kb, path) or _too_large(headers, limit)
        if refused is not None:
            status, message = refused
            extra = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
            await error_response(path, status, message, extra)(scope, receive, _with_headers(send))
            return
        await self._app(scope, _bounded(receive, limit), _with_headers(send))

    def _place(self, path: str) -> tuple[str | None, str]:
        """Return the knowledge base that a path is in, and the path there."""
        found = _MANY.fullmatch(path) if self._kb is None else None
        return (found["kb"], found["local"] or "/") if found else (self._kb, path)

    def _refusal(self, scope: Scope, headers: Headers, kb: str | None, path: str) -> tuple[int, str] | None:
        """Say why a request may not be answered: a status and a sentence."""
        try:
            demanded = self._keys.demanded
            where = self._keys.who(_bearer(headers)) if demanded and not _is_open(path) else _owner
        except MultiCubeError as error:
            return 503, str(error)
        if not demanded and not self._is_own(headers.get("host", "")):
            return 421, "This server answers to its own address only, not to the host that the request names."
        if where is None:
            return 401, "This server needs its token: send it as 'Authorization: Bearer TOKEN'."
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and _is_foreign(headers):
            return 403, "A page of another origin may not change anything here."
        return self._without_right(scope, where, kb, path) if not _is_open(path) else None

    def _without_right(self, scope: Scope, where: Where, kb: str | None, path: str) -> tuple[int, str] | None:
        """Say what right a request lacks; note who asks."""
        reader = where(kb) if kb is not None else None
        if kb is not None and reader is None:
            # Of one of many it is not even said that it is there.
            status = 403 if self._kb is not None else 404
            return status, f"There is no knowledge base '{kb[:100]}' here that this token may read."
        writes = scope["method"] not in ("GET", "HEAD", "OPTIONS") and not _READERS_CHANGE.fullmatch(path)
        if reader is not None and writes and not reader.writes:
            return 403, "This token may read here, and change nothing."
        scope[READER] = where if reader is None else reader
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a Host header names this server: loopback, or the address that it is bound to."""
        name = _hostname(host)
        return name is not None and (name == self._host or is_loopback(name))


def _bearer(headers: Headers) -> str:
    """Return the token that a request brings; "" where it brings none."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own and reached by nobody else."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_open(path: str) -> bool:
    return path in _OPEN or path.startswith("/static/")


def _hostname(host: str) -> str | None:
    """Return the name in a Host header, without its port; None where it is none."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and not parts.username else None


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser says that a page of another origin sent the request."""
    origin = headers.get("origin")
    if origin is not None:
        return _netloc(origin) != headers.get("host", "").lower()
    return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _netloc(origin: str) -> str | None:
    """Return the host and port that an origin names; None where it is no address at all."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _too_large(headers: Headers, limit: int) -> tuple[int, str] | None:
    declared = headers.get("content-length", "0")
    if declared.isascii() and declared.isdigit() and int(declared[:20]) <= limit:
        return None
    return 413, _oversized(limit)


def _oversized(limit: int) -> str:
    return f"The request is too large; at most {limit:,} bytes are read."


def _bounded(receive: Receive, limit: int) -> Receive:
    """Count what is received, as the length that a request declares need not be true."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > limit:
            raise HTTPException(413, _oversized(limit))
        return message

    return counted


def _with_headers(send: Send) -> Send:
    """Add the headers that keep a browser from doing more with a response than show it."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent
