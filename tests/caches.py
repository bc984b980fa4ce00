"""A cache of a test's own that holds the models which are converted once for all tests."""

from __future__ import annotations

from pathlib import Path

from multicube.agent.minilm import cache_folder

__all__ = ["own_cache"]


def own_cache(folder: Path) -> str:
    """Return what MULTICUBE_CACHE_DIR is to be set to; what endpoints are known to do is not yet known there."""
    held = cache_folder() / "encoders"
    held.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "encoders").symlink_to(held, target_is_directory=True)
    return str(folder)
