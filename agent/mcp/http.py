"""The Model Context Protocol over streamable HTTP, behind the guard that the HTTP API has."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from ..server.errors import error_response
from ..server.guard import READER, Guard, Keys, is_loopback
from ..server.limits import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["http_app", "serve_http"]

_GRACE_S = 3
"""How long the end waits for responses under way."""


def http_app(
    server: MCPServer[None], *, host: str, token: str | None, folder: Path | None = None
) -> ASGIApp:
    """Return the application that serves a server at /mcp.

    Every request must name this server as its host (a rebound domain name does not), or bring the token where there
    is one; no page of another origin is answered. Bodies are bounded. ``folder`` is the knowledge base's: where it has
    tokens of its own, those of administrators are let in, and no others: the tools look at every document and run.
    """
    # The guard looks at host and origin, for any address; the library's own check knows loopback alone.
    checked = TransportSecuritySettings(enable_dns_rebinding_protection=False) if not is_loopback(host) else None
    app = server.streamable_http_app(host=host, transport_security=checked)
    keys = Keys(folder, token)
    return Guard(_Administrators(app), host=host, keys=keys, limits=Limits(), kb=folder.name if folder else "")


class _Administrators:
    """Middleware behind the guard: refuses whoever may not see everything."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not (scope.get(READER) and scope[READER].rules):
            refused = "Over MCP only an administrator's token is answered; others ask over the HTTP API."
            await error_response(scope["path"], 403, refused)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def serve_http(
    server: MCPServer[None], bound: socket.socket, *, host: str, token: str | None, folder: Path | None = None
) -> None:
    """Serve on a socket that is bound, until SIGINT or SIGTERM."""
    config = uvicorn.Config(
        http_app(server, host=host, token=token, folder=folder),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    uvicorn.Server(config).run(sockets=[bound])
