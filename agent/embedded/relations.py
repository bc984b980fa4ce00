"""Names kept for readers that import them from here."""

from __future__ import annotations

from .cues import KIND_CUBES

__all__ = ["KIND_CUBES"]
