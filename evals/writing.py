"""Files that are never half written."""

from __future__ import annotations

from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a text file all or nothing, making its folder where there is none; OSError where that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.part")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)
