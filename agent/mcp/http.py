"""The Model Context Protocol over streamable HTTP, behind the guard that the HTTP API has."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from ..server.guard import Guard, is_loopback
from ..server.limits import Limits

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from starlette.types import ASGIApp

__all__ = ["http_app", "serve_http"]

_GRACE_S = 3
"""How long the end waits for responses under way."""


def http_app(server: MCPServer[None], *, host: str, token: str | None) -> ASGIApp:
    """Return the application that serves a server at /mcp.

    Every request must name this server as its host (a rebound domain name does not), or bring the token where there
    is one; no page of another origin is answered. Bodies are bounded.
    """
    # The guard looks at host and origin, for any address; the library's own check knows loopback alone.
    checked = TransportSecuritySettings(enable_dns_rebinding_protection=False) if not is_loopback(host) else None
    app = server.streamable_http_app(host=host, transport_security=checked)
    return Guard(app, host=host, token=token, limits=Limits())


def serve_http(server: MCPServer[None], bound: socket.socket, *, host: str, token: str | None) -> None:
    """Serve on a socket that is bound, until SIGINT or SIGTERM."""
    config = uvicorn.Config(
        http_app(server, host=host, token=token),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_S,
    )
    uvicorn.Server(config).run(sockets=[bound])
