"""Appendix C's pictures: segments in two dimensions by PCA and t-SNE, with the augmentation and without."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ....cubes.core.errors import UsageError
from ....cubes.retrieval.hiqa.keywords import heading_name
from .cohesion import Embedded

__all__ = ["draw"]

_DOCUMENTS = 5
"""As many as the paper's Figure 14 shows."""
_CHAPTER = "Electrical Characteristics"
_DPI = 80


def draw(space: Embedded, folder: Path, *, seed: int = 0) -> list[Path]:
    """Write one picture of documents (Figure 14) and one of homologous chapters (Figure 15), each in four panels."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = list(dict.fromkeys(section.record_id for section in space.sections))
    chosen = shown[:: max(1, len(shown) // _DOCUMENTS)][:_DOCUMENTS]
    rows = [n for n, section in enumerate(space.sections) if section.record_id in chosen]
    names = [space.sections[n].record_id for n in rows]
    chapters = [
        _CHAPTER if len(s.path) > 1 and heading_name(s.path[-1]) == _CHAPTER else "other chapters"
        for s in space.sections
    ]
    return [
        _picture(folder / "lookalike-documents.png", space, rows, names, seed),
        _picture(folder / "lookalike-chapters.png", space, list(range(len(chapters))), chapters, seed),
    ]


def _picture(path: Path, space: Embedded, rows: Sequence[int], groups: Sequence[str], seed: int) -> Path:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"There is no {error.name} to draw with: pip install 'multicube-rag[dev]'.") from error

    figure = Figure(figsize=(9, 7), layout="constrained")
    FigureCanvasAgg(figure)
    panels: Any = figure.subplots(2, 2)
    for line, (variant, vectors) in zip(panels, space.variants.items(), strict=True):
        for panel, (method, points) in zip(line, _flat(vectors[list(rows)], seed).items(), strict=True):
            _panel(panel, points, groups, f"{method}, {variant}")
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize=8)
    figure.savefig(path, dpi=_DPI, metadata={"Software": None})
    return path


def _panel(panel: Any, points: Any, groups: Sequence[str], title: str) -> None:
    for group in sorted(set(groups), key=lambda group: (group != "other chapters", group)):
        mask = np.array([each == group for each in groups])
        colour = {"color": "lightgrey"} if group == "other chapters" else {}
        panel.scatter(points[mask, 0], points[mask, 1], s=9, label=group, **colour)
    panel.set_title(title, fontsize=9)
    panel.set_xticks([])
    panel.set_yticks([])


def _flat(vectors: Any, seed: int) -> dict[str, Any]:
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    near = min(30, max(2, len(vectors) // 4))
    with threadpool_limits(1):  # on a busy machine its threads wait for each other far longer than they work
        return {
            "PCA": PCA(2, random_state=seed).fit_transform(vectors),
            "t-SNE": TSNE(2, perplexity=near, random_state=seed, init="pca", metric="cosine").fit_transform(vectors),
        }
