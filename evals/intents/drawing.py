"""The sweeps as pictures: MuISQA's Figures 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...cubes.errors import UsageError

__all__ = ["PICTURES", "draw"]

PICTURES = ("intents-rrf-k.svg", "intents-top-k.svg")
_MEASURES = {"irr": "IRR", "aa": "AA", "ac": "AC"}


def draw(swept: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write a picture of each sweep; the same figures give the same bytes. UsageError without matplotlib."""
    folder.mkdir(parents=True, exist_ok=True)
    rrf = {f"HQG, {said}": {int(k): arm[key]["mean"] for k, arm in swept["rrf_k"].items()}
           for key, said in _MEASURES.items()}
    names = list(next(iter(swept["top_k"].values())))
    top = {f"{name}, IRR": {int(k): arms[name]["irr"]["mean"] for k, arms in swept["top_k"].items()} for name in names}
    return [
        _picture(folder / PICTURES[0], "constant of the fusion (rrf_k)", rrf),
        _picture(folder / PICTURES[1], "sections read (top_k)", top),
    ]


def _picture(path: Path, axis: str, lines: Mapping[str, Mapping[int, float]]) -> Path:
    try:
        from matplotlib import rc_context
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"There is no {error.name} to draw with: pip install 'multicube-rag[dev]'.") from error

    with rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(6, 3.2), layout="constrained")
        FigureCanvasSVG(figure)
        panel = figure.subplots()
        for name, points in lines.items():
            panel.plot(list(points), list(points.values()), marker="o", label=name)
        panel.set_xlabel(axis)
        panel.set_ylabel("%")
        panel.set_ylim(0, 100)
        panel.set_xticks(sorted({k for points in lines.values() for k in points}))
        panel.legend(fontsize=8, frameon=False)
        figure.savefig(path, metadata={"Date": None})
    return path
