"""The page of the experiments: the paper's figures beside ours, with the commands and what they were measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...reports.tables import number, table
from .asking import Score
from .explaining import Explained
from .variants import FULL

__all__ = ["PRINTED_DIMENSIONS", "ablation", "explanation", "points"]

PRINTED_DIMENSIONS: Mapping[str, float] = {
    "no location": 78.7, "no event": 79.6, "no date": 79.7, "no organization": 79.6, "no person": 80.2,
    "no theme": 77.9, FULL: 82.5,
}  # fmt: skip
"""Semantic scores of Hypercube-RAG's Table 8 on the hurricane corpus, read by GPT-4o."""


def ablation(scores: Mapping[str, Score], printed: Mapping[str, float] | None = None) -> str:
    """Render variants as a table: F1, semantic score and what is lost of it, how many were answered."""
    whole = scores.get(FULL)
    head = ["variant", "questions", "F1", "semantic", "lost", "answered %", "retrieval p50 ms"]
    rows = [
        [
            name,
            str(one.questions),
            _percent(one.f1),
            _percent(one.semantic),
            "–" if whole is None or one is whole else _percent(whole.semantic - one.semantic),
            _percent(one.answered),
            f"{one.retrieval_ms:.0f}",
            *([number(printed.get(name))] if printed else []),
        ]
        for name, one in scores.items()
    ]
    return table([*head, *(["semantic, as printed"] if printed else [])], rows)


def explanation(found: Sequence[Explained], dimensions: Sequence[str]) -> str:
    """Render documents with the labels that brought them (Table 6), on the dimensions on which any matched."""
    used = [name for name in dimensions if any(one.cells(name) != "–" for one in found)]
    return table(["document", *used], [[one.document, *(one.cells(name) for name in used)] for one in found])


def points(scores: Mapping[str, Score]) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Yield the curves of a sweep whose variants are called "tau 0.75": semantic score and F1 in percent."""
    yield "semantic", [(float(variant.split()[1]), 100 * one.semantic) for variant, one in scores.items()]
    yield "F1", [(float(variant.split()[1]), 100 * one.f1) for variant, one in scores.items()]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
