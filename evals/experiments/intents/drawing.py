"""The sweeps as pictures: MuISQA's Figures 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...reports.plots import draw_lines

__all__ = ["PICTURES", "draw"]

PICTURES = ("intents-rrf-k.svg", "intents-top-k.svg")
_MEASURES = {"irr": "IRR", "aa": "AA", "ac": "AC"}


def draw(swept: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write a picture of each sweep; UsageError without matplotlib."""
    rrf = {
        f"HQG, {said}": [(float(k), arm[key]["mean"]) for k, arm in swept["rrf_k"].items()]
        for key, said in _MEASURES.items()
    }
    depths = swept["top_k"]
    top = {
        f"{name}, IRR": [(float(k), arms[name]["irr"]["mean"]) for k, arms in depths.items()]
        for name in next(iter(depths.values()))
    }
    return [
        draw_lines(folder / PICTURES[0], rrf, "constant of the fusion (rrf_k)", "%", top=100),
        draw_lines(folder / PICTURES[1], top, "sections read (top_k)", "%", top=100),
    ]
