"""What a request must bring before anything looks at it, and the headers of every response.

A server on loopback is reached by every page that a browser on this machine has open, so a request must name the
server itself as its host (a rebound domain name does not), and what changes something must not come from a page of
another origin. A server that others reach demands a token instead of the host.
"""

from __future__ import annotations

import hmac
from ipaddress import ip_address
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import error_response
from .limits import Limits

__all__ = ["CONTENT_POLICY", "Guard", "is_loopback"]

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


class Guard:
    """Middleware: lets through what may be answered, and nothing else."""

    def __init__(self, app: ASGIApp, *, host: str, token: str | None, limits: Limits) -> None:
        self._app = app
        self._host = host.lower()
        self._token = token.encode() if token else None
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request, or refuse it with one sentence."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = self._limits.upload if scope["path"] == _UPLOADS else self._limits.body
        refused = self._refusal(scope, headers) or _too_large(headers, limit)
        if refused is not None:
            status, message = refused
            extra = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
            await error_response(scope["path"], status, message, extra)(scope, receive, _with_headers(send))
            return
        await self._app(scope, _bounded(receive, limit), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Say why a request may not be answered: a status and a sentence."""
        if self._token is None and not self._is_own(headers.get("host", "")):
            return 421, "This server answers to its own address only, not to the host that the request names."
        if self._token is not None and not _is_open(scope) and not self._has_token(headers):
            return 401, "This server needs its token: send it as 'Authorization: Bearer TOKEN'."
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and _is_foreign(headers):
            return 403, "A page of another origin may not change anything here."
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a Host header names this server: loopback, or the address that it is bound to."""
        name = _hostname(host)
        return name is not None and (name == self._host or is_loopback(name))

    def _has_token(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        # Compared in full whatever is wrong with it, so that the time taken says nothing.
        same = hmac.compare_digest(given.strip().encode("utf-8", "replace"), self._token or b"")
        return same and scheme.lower() == "bearer"


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own and reached by nobody else."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_open(scope: Scope) -> bool:
    return scope["path"] in _OPEN or scope["path"].startswith("/static/")


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
