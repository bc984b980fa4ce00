"""PDF files to Markdown, worked out from their layout without a model (HiQA 3.1, Algorithm 1; appendices A.2-A.3).

A file is read in a process of its own, whose memory and time are bounded: the library that decodes PDFs is native
code, and what a hostile or broken file does to it must not reach the ingest. Nothing in a PDF is run, and no link is
followed.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ....core.records import Figure
from ...textfiles import TextFileFault
from ..records import ConvertedFile

__all__ = ["convert"]

_WORKER = "multicube.cubes.documents.formats.pdf.worker"
_LONGEST = 3_600
"""Seconds a whole file may take; one page's are bounded in the worker."""
_TOO_HEAVY = (
    "The PDF asks for too much memory or time to be read; print it to a new PDF, or split it, and ingest the result."
)


def convert(path: Path) -> ConvertedFile:
    """Return a PDF as Markdown with its chapters, tables and figures.

    Raises TextFileFault, with one sentence that says what to do, for a file that is broken, encrypted, has no text
    layer, has no pages, or is beyond the bounds on pages, memory (2 GB) and time (30 s of computing for one page).
    """
    command = [sys.executable, "-m", _WORKER, str(path.resolve())]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LONGEST, check=False)
    except subprocess.TimeoutExpired as error:
        raise TextFileFault(_TOO_HEAVY) from error
    try:
        answer = json.loads(done.stdout) if done.returncode == 0 else {}
    except ValueError:
        answer = {}
    if "fault" in answer:
        raise TextFileFault(str(answer["fault"]))
    if "text" not in answer:
        raise TextFileFault(_TOO_HEAVY)
    figures = tuple(_figure(each) for each in answer["figures"])
    return ConvertedFile(answer["title"], answer["text"], figures, answer["metadata"])


def _figure(answer: Mapping[str, Any]) -> Figure:
    return Figure(**{**answer, "data": base64.b64decode(answer["data"])})
