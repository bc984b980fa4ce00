"""The machine that figures were measured on, and the memory of this process."""

from __future__ import annotations

import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["load", "machine", "peak_rss_mb"]


def machine() -> dict[str, Any]:
    """Return processor, cores, system, Python and how busy the machine is (None where it does not say)."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "load": load(),
    }


def peak_rss_mb() -> float | None:
    """Return this process's largest resident memory so far, in MiB; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def load() -> float | None:
    """Return the load average of the last minute: beside other work even processor time grows."""
    with suppress(AttributeError, OSError):
        return round(os.getloadavg()[0], 1)
    return None


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "Unknown processor"
