"""Which cubes MultiCube-RAG builds for which data set: the columns of its Table 5."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["PRESETS"]

_TWO_WIKI = ("cultural_product", "location", "person")

PRESETS: Mapping[str, tuple[str, ...]] = {
    "2wiki": _TWO_WIKI,
    "lveval": _TWO_WIKI,
    "musique": (*_TWO_WIKI, "politics"),
    "hotpotqa": (
        *_TWO_WIKI, "politics", "organization", "plant", "food", "machine", "weather", "transportation",
    ),
}  # fmt: skip
"""Cubes of the default ontology by preset."""
