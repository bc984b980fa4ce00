"""`multicube mcp`: the tools over the Model Context Protocol, on stdin and stdout or over HTTP."""

from __future__ import annotations

import os
import sys
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from ....cubes.core.errors import MultiCubeError, UsageError
from ..console import note
from ..engine_options import AS_CONFIGURED, EngineArguments, takes_model
from ..options import EncoderOption, KbOption, flag, locate, multicube
from .serve import check_reach

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.server.mcpserver import MCPServer

    from ...engines.llm.engine import ModelOptions

__all__ = ["mcp"]

_HTTP = "Over HTTP"


@takes_model("extract_model")
def mcp(
    kb: KbOption = None,
    http: Annotated[
        bool, flag("--http", help="Serve streamable HTTP at /mcp in place of stdio.", rich_help_panel=_HTTP)
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="127.0.0.1; another needs a token.", rich_help_panel=_HTTP),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="8001; 0: any that is free.", rich_help_panel=_HTTP),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN", help="Demand it of every request. (MULTICUBE_TOKEN)", rich_help_panel=_HTTP),
    ] = None,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
) -> None:
    """Serve ask, search, cube_lookup and trace to any client of the Model Context Protocol.

    A client starts it by itself: {"command": "multicube", "args": ["mcp", "--kb", "DIR"]}. On stdin and stdout it ends
    when the client closes them; over HTTP, with Ctrl-C.
    """
    if not http and (host is not None or port is not None or token is not None):
        raise UsageError("--host, --port and --token are for HTTP; add --http.")
    model = thinking.options()
    _check_there(kb, encoder, model, refuse=http or sys.stdin.isatty())
    from ...mcp.server import LazyKnowledgeBase, make_server

    opened = LazyKnowledgeBase(lambda: multicube(kb, encoder, model))
    with suppress(KeyboardInterrupt), closing(opened):
        server = make_server(opened)
        if http:
            _over_http(server, locate(kb).absolute(), host or "127.0.0.1", 8_001 if port is None else port, token)
        else:
            server.run("stdio")


def _check_there(kb: Path | None, encoder: str | None, model: ModelOptions | None, *, refuse: bool) -> None:
    """Say what is wrong with the knowledge base; a client that started this is told by every tool, not by its end."""
    from ....cubes.store.database import is_there

    try:
        if not is_there(locate(kb) / "catalog.sqlite"):
            multicube(kb, encoder, model).close()
    except MultiCubeError as error:
        if refuse:
            raise
        note(str(error))


def _over_http(server: MCPServer[None], folder: Path, host: str, port: int, token: str | None) -> None:
    from ...mcp.http import serve_http
    from ...server.guard import is_loopback
    from ...server.listener import listen

    token = token if token is not None else os.environ.get("MULTICUBE_TOKEN")
    check_reach(host, token, is_loopback(host), folder)
    with listen(host, port) as bound:
        place = bound.getsockname()
        note(f"serving on http://{f'[{place[0]}]' if ':' in place[0] else place[0]}:{place[1]}/mcp (Ctrl-C ends it)")
        serve_http(server, bound, host=host, token=token, folder=folder)
