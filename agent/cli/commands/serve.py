"""`multicube serve`: the page and the HTTP API over a knowledge base."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from ....cubes.core.errors import UsageError
from ..console import note
from ..engine_options import AS_CONFIGURED, EngineArguments, announce, reporting_costs, takes_model
from ..options import EncoderOption, KbOption, flag, multicube

__all__ = ["check_reach", "serve"]

_REACH = "Who may reach it"
_LOG = "Log"


@takes_model()
def serve(
    kb: KbOption = None,
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
    check_reach(host, token, is_loopback(host))
    model = thinking.options()
    if kb is not None and not is_there(kb / "catalog.sqlite"):
        _make(kb, encoder)
    with multicube(kb, encoder, model) as opened, reporting_costs(opened), listen(host, port) as bound:
        announce(model, "reason", "read", "extract")
        place = bound.getsockname()
        address = f"http://{f'[{place[0]}]' if ':' in place[0] else place[0]}:{place[1]}"
        run(
            opened, bound, host=host, token=token, own_log=log_format is None, log_questions=log_questions,
            when_warm=lambda: note(f"serving on {address} (Ctrl-C ends it)"),
        )  # fmt: skip


def _make(kb: Path, encoder: str | None) -> None:
    """Make an empty knowledge base, which documents are uploaded to on the page."""
    from ...app.factory import writable

    with writable(kb, None, encoder) as made:
        made.accept_empty()
    note(f"made an empty knowledge base in {kb}; upload documents on the page")


def check_reach(host: str, token: str | None, loopback: bool) -> None:
    """Refuse to be open to others, and tokens that protect nothing."""
    if token is not None and not token.strip():
        raise UsageError("The token is empty; give one with --token or MULTICUBE_TOKEN, or none at all.")
    if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
        raise UsageError("The token has characters that no header can carry; use letters, digits and punctuation.")
    if not loopback and token is None:
        raise UsageError(
            f"Serving on {host} lets others in; demand a token of them with MULTICUBE_TOKEN, or --token, or stay on "
            "127.0.0.1."
        )


