"""How much a server takes on: of a request, of an upload, of questions at once."""

from __future__ import annotations

from dataclasses import dataclass

from ...cubes.documents.textfiles import MAX_FILE

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on what clients may send and keep busy; sizes are in bytes.

    ``body`` bounds any request but an upload; an upload has at most ``files`` files of ``file`` each and ``upload`` in
    all, and ``uploads`` of them may wait to be read. ``asks`` questions are answered at once and ``waiting`` more may
    wait; ``jobs`` finished jobs are remembered.
    Someone who follows a run or a job hears something every ``silence_s`` seconds.
    """

    body: int = 2**20
    file: int = MAX_FILE
    files: int = 100
    upload: int = 4 * MAX_FILE
    uploads: int = 100
    asks: int = 8
    waiting: int = 500
    jobs: int = 100
    silence_s: float = 15.0
