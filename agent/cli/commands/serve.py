"""`multicube serve`: the page and the HTTP API over a knowledge base."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ....cubes.core.errors import UsageError
from ..console import note
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, reporting_costs, takes_model
from ..options import EncoderOption, KbOption, flag, multicube

if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket

    from ...app.facade import MultiCube

__all__ = ["check_reach", "serve"]

_REACH = "Who may reach it"
_LOG = "Log"


@takes_model()
def serve(
    kb: KbOption = None,
    kbs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Serve every knowledge base in the folders of DIR, each under /kb/NAME."),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Another than loopback needs a token.", rich_help_panel=_REACH)
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="0: any that is free.", rich_help_panel=_REACH)
    ] = 8_000,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            help="Demand it of every request. Better in the environment, where no list of processes shows it. "
            "(MULTICUBE_TOKEN)",
            rich_help_panel=_REACH,
        ),
    ] = None,
    log_format: Annotated[
        Literal["text", "json"] | None,
        typer.Option(
            metavar="FORM",
            help="Tell of every request on stderr, with the id of its run: as text or as json.",
            rich_help_panel=_LOG,
        ),
    ] = None,
    log_questions: Annotated[
        bool, flag("--log-questions", help="Tell what was asked, too.", rich_help_panel=_LOG)
    ] = False,
    thinking: EngineArguments = AS_CONFIGURED,
    encoder: EncoderOption = None,
) -> None:
    """Serve the page and the HTTP API until Ctrl-C; every run is kept.

    Example: multicube serve --kb kb, then open the address that it prints. A knowledge base that
    is not there is made. The API is described in /openapi.json.
    """
    from ....cubes.store.database import is_there
    from ...server.guard import is_loopback
    from ...server.listener import listen, run
    from ...server.logs import log_to_stderr

    if log_format is not None:
        log_to_stderr(log_format)
    elif log_questions:
        raise UsageError("--log-questions is for a log; give --log-format, too.")
    token = token if token is not None else os.environ.get("MULTICUBE_TOKEN")
    if kbs is not None and kb is not None:
        raise UsageError("Serve one knowledge base with --kb, or a folder of them with --kbs.")
    model = thinking.options()
    if kbs is not None:
        check_reach(host, token, is_loopback(host), kbs)
        _serve_many(
            kbs, host, port, token, lambda folder: multicube(folder, encoder, model),
            own_log=log_format is None, log_questions=log_questions,
        )  # fmt: skip
        return
    check_reach(host, token, is_loopback(host), kb or Path("kb"))
    if kb is not None and not is_there(kb / "catalog.sqlite"):
        _make(kb, encoder)
    with multicube(kb, encoder, model) as opened, reporting_costs(opened), listen(host, port) as bound:
        announce(model, "reason", "read", "extract")
        address = _address(bound)
        run(
            opened, bound, host=host, token=token, own_log=log_format is None, log_questions=log_questions,
            when_warm=lambda: note(f"serving on {address} (Ctrl-C ends it)"),
        )  # fmt: skip


def _serve_many(
    kbs: Path, host: str, port: int, token: str | None, open: Callable[[Path], MultiCube], *,
    own_log: bool, log_questions: bool,
) -> None:  # fmt: skip
    from ...server.limits import Limits
    from ...server.listener import listen, run_app
    from ...server.namespaces import Namespaces, create_namespaces_app

    many = Namespaces(kbs.absolute(), open, Limits())
    with listen(host, port) as bound:
        app = create_namespaces_app(many, token=token, host=host, log_questions=log_questions)
        count = len(many.names())
        note(f"serving {count} {'knowledge base' if count == 1 else 'knowledge bases'}, each under /kb/NAME")
        note(f"serving on {_address(bound)} (Ctrl-C ends it)")
        run_app(app, bound, own_log=own_log)


def _address(bound: socket) -> str:
    place = bound.getsockname()
    return f"http://{f'[{place[0]}]' if ':' in place[0] else place[0]}:{place[1]}"


def _make(kb: Path, encoder: str | None) -> None:
    """Make an empty knowledge base, which documents are uploaded to on the page."""
    from ...app.factory import writable

    with writable(kb, None, encoder) as made:
        made.accept_empty()
    note(f"made an empty knowledge base in {kb}; upload documents on the page")


def check_reach(host: str, token: str | None, loopback: bool, folder: Path) -> None:
    """Refuse to be open to others, and tokens that protect nothing; ``folder`` may hold tokens with rights."""
    if token is not None and not token.strip():
        raise UsageError("The token is empty; give one with --token or MULTICUBE_TOKEN, or none at all.")
    if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
        raise UsageError("The token has characters that no header can carry; use letters, digits and punctuation.")
    if not loopback and token is None and not (folder / "tokens.json").exists():
        raise UsageError(
            f"Serving on {host} lets others in; demand a token of them with MULTICUBE_TOKEN, or --token, or stay on "
            "127.0.0.1."
        )
