"""Small JSON files in which something is remembered; what cannot be read or written is done without."""

from __future__ import annotations

import json
import os
from pathlib import Path

__all__ = ["recalled", "remember"]


def recalled(file: Path) -> object:
    """Return what a file holds; None where there is none, or it is damaged."""
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def remember(file: Path, value: object) -> bool:
    """Write a file all or nothing, making its folder where there is none; return whether it could be written."""
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(value, indent=1, sort_keys=True), encoding="utf-8")
        beside.replace(file)
    except OSError:
        return False
    return True
