"""Figures that papers print for data sets, to stand beside ours: percentages."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["PUBLISHED"]

PUBLISHED: Mapping[str, Mapping[str, tuple[float, float, float, float]]] = {
    "legalbench-contractnli": {
        "BM25": (12.0, 36.1, 7.8, 38.8),
        "Contriever": (19.2, 57.5, 12.7, 63.3),
        "e5": (21.7, 65.1, 13.9, 69.5),
        "NV-Embed-v2": (13.4, 40.3, 8.7, 43.6),
        "HippoRAG 2": (12.8, 38.8, 12.7, 64.3),
        "Hypercube-RAG": (26.1, 75.4, 16.9, 79.7),
    },
}
"""By data set and system: precision and recall at 3, precision and recall at 5 (Hypercube-RAG, retrieval performance).
"""
