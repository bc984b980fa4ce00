"""Where figures come from: the entry ``run`` of ``results.json``."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from .systems import describe

if TYPE_CHECKING:
    from .options import EvalOptions
    from .workspace import Workspace

__all__ = ["machine", "run_record"]


def run_record(workspace: Workspace, options: EvalOptions, names: Sequence[str]) -> dict[str, Any]:
    """Return what the figures depend on: code, data, versions, seeds, each system's settings, and the machine.

    ``fingerprint`` changes with any of ``parts``; ``settings`` are those that differ from the default.
    """
    return {
        "fingerprint": workspace.fingerprint,
        "parts": workspace.parts,
        "version": __version__,
        "machine": machine(),
        "asked": {"limit": options.limit, "shuffle": options.shuffle, "seed": options.seed},
        "settings": {name: describe(name).differs for name in names},
    }


def machine() -> dict[str, Any]:
    """Name the machine: processor, how many cores this process may use, system, Python."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _cpu() -> str:
    described = Path("/proc/cpuinfo")
    if described.is_file():
        for line in described.read_text(errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
