"""The page of the experiments: the paper's figures beside ours, with the commands and what they were measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..report import table
from .asking import Score
from .explaining import Explained
from .variants import FULL

__all__ = ["PRINTED_DIMENSIONS", "ablation", "explanation", "growth", "points"]

PRINTED_DIMENSIONS: Mapping[str, float] = {
    "no location": 78.7, "no event": 79.6, "no date": 79.7, "no organization": 79.6, "no person": 80.2,
    "no theme": 77.9, FULL: 82.5,
}  # fmt: skip
"""Semantic scores of Hypercube-RAG's Table 8 on the hurricane corpus, read by GPT-4o."""

PRINTED_NOISE: Mapping[str, tuple[float, float]] = {"bm25": (77.5, 77.2), "dense": (79.1, 76.3), FULL: (82.5, 80.3)}
"""Semantic scores of its Table 5 without and with off-topic documents; "dense" is e5."""

PRINTED_TIMES: Mapping[str, tuple[float, float]] = {"bm25": (3.2, 51.1), "dense": (37.8, 82.4), FULL: (7.1, 22.1)}
"""Milliseconds per query of its Table 4 at the two largest corpora, the last of them 11,539 documents."""


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
            *([_number(printed.get(name))] if printed else []),
        ]
        for name, one in scores.items()
    ]
    return table([*head, *(["semantic, as printed"] if printed else [])], rows)


def growth(small: Mapping[str, Score], large: Mapping[str, Score], sizes: tuple[int, int]) -> str:
    """Render systems over the corpus alone and grown with off-topic documents (Tables 4 and 5)."""
    head = ["system", "questions", *(f"semantic, {size}" for size in sizes), "lost", "F1, small", "F1, large"]
    head += [*(f"ms, {size}" for size in sizes), "semantic, as printed", "ms, as printed"]
    rows = [
        [
            name,
            f"{small[name].questions}, {large[name].questions}",
            _percent(small[name].semantic),
            _percent(large[name].semantic),
            _percent(small[name].semantic - large[name].semantic),
            _percent(small[name].f1),
            _percent(large[name].f1),
            f"{small[name].retrieval_ms:.0f}",
            f"{large[name].retrieval_ms:.0f}",
            _pair(PRINTED_NOISE.get(name)),
            _pair(PRINTED_TIMES.get(name)),
        ]
        for name in small
    ]
    return table(head, rows)


def explanation(found: Sequence[Explained], dimensions: Sequence[str]) -> str:
    """Render documents with the labels that brought them (Table 6), on the dimensions on which any matched."""
    used = [name for name in dimensions if any(one.cells(name) != "–" for one in found)]
    return table(["document", *used], [[one.document, *(one.cells(name) for name in used)] for one in found])


def points(scores: Mapping[str, Score]) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Yield the curves of a sweep whose variants are called "tau 0.75": semantic score and F1 in percent."""
    yield "semantic", [(float(variant.split()[1]), 100 * one.semantic) for variant, one in scores.items()]
    yield "F1", [(float(variant.split()[1]), 100 * one.f1) for variant, one in scores.items()]


def _pair(pair: tuple[float, float] | None) -> str:
    return "–" if pair is None else f"{pair[0]} → {pair[1]}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
