"""File names that stand in data: they never lead out of the folder they are read from."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

__all__ = ["inside"]


def inside(folder: Path, name: str) -> Path | None:
    """Return the file of this name in ``folder``; None where the name leads out of it, by dots or by a link."""
    parts = PurePosixPath(name.replace("\\", "/"))
    if "\0" in name or parts.is_absolute() or ".." in parts.parts or not parts.parts:
        return None
    path = folder / parts
    return path if path.resolve().is_relative_to(folder.resolve()) else None
