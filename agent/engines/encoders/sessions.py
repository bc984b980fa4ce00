"""Networks in ONNX files: opened for a few threads each, run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["open_session", "side_by_side"]

Item = TypeVar("Item")
Found = TypeVar("Found")
_MOST = 8
"""Runs side by side that help a model this small."""
_SHARED = 2
"""Threads that share one run: with two it takes two thirds of the time, and several side by side take as long as before
where no thread waits by spinning. More were not tried."""


def open_session(path: Path) -> Any:
    """Open a network; how many threads share a run changes nothing of what it says."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(_processors(), _SHARED)
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def side_by_side(work: Callable[[Item], Found], items: Sequence[Item]) -> list[Found]:
    """Do the same for each item, several at a time, in order: a network runs outside Python's lock."""
    if len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(min(_processors(), len(items))) as pool:
        return list(pool.map(work, items))


def _processors() -> int:
    """How many processors this process may use.

    OMP_NUM_THREADS says fewer where several processes share a machine; Ray sets it for its workers.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    named = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(usable, _MOST, int(named) if named.isdecimal() else usable))
