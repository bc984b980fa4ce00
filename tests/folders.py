"""A knowledge base of a folder with files of these names and texts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from multicube import MultiCube


def built(path: Path, texts: Mapping[str, str]) -> MultiCube:
    """Build a knowledge base from files with these names and texts."""
    (path / "docs").mkdir()
    for name, text in texts.items():
        (path / "docs" / name).write_text(text, encoding="utf-8")
    return MultiCube.build([path / "docs"], path / "kb")
