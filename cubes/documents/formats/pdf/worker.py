"""The process that reads one PDF: it bounds its own memory and time, and answers with one line of JSON."""

from __future__ import annotations

import base64
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...textfiles import TextFileFault
from ..records import ConvertedFile
from .document import read

__all__ = ["main"]

_MEMORY = 2 * 2**30
_PAGE_SECONDS = 30


def main(path: Path) -> None:
    """Read a PDF and print what came of it, or its fault."""
    _bound_memory()
    try:
        answer = _answer(read(path, each_page=_bound_time))
    except TextFileFault as fault:
        answer = {"fault": fault.message}
    except (MemoryError, RecursionError):
        answer = {}
    except Exception as error:  # whatever a damaged file makes of the libraries: one sentence, and the ingest goes on
        answer = {"fault": f"The PDF cannot be read ({type(error).__name__}); print it to a new PDF and ingest that."}
    sys.stdout.write(json.dumps(answer))


def _answer(converted: ConvertedFile) -> dict[str, Any]:
    figures = [{**asdict(each), "data": base64.b64encode(each.data).decode("ascii")} for each in converted.figures]
    return {
        "title": converted.title,
        "text": converted.text,
        "figures": figures,
        "metadata": dict(converted.metadata),
    }


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows, where the bounds on pages and pixels are what there is
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY if hard < 0 else min(_MEMORY, hard), hard))


def _bound_time() -> None:
    """End this process if the page that begins now takes too long: only a signal reaches native code."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, _PAGE_SECONDS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
