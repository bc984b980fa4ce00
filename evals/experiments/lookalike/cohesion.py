"""How augmentation moves segments in the embedding space: tables (HiQA B.1) and cohesion (appendix C).

All figures are of unit vectors of the encoder in use; cosine and inner product are the same then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....cubes.core.encoding import Encoder, Vectors
from ....cubes.core.records import Section
from ....cubes.retrieval.hiqa.augment import HCA, Augmentation, augmented_text
from ....cubes.retrieval.hiqa.keywords import heading_name
from ....cubes.retrieval.hiqa.tables import tables_in
from ...generators.lookalike.questions import LookalikeQuestion
from ...metrics.basic import mean
from .segments import Library, gold_segments

__all__ = ["Embedded", "cohesion_figures", "embedded", "table_effect"]

_PLAIN = Augmentation(hierarchy=False, metadata=False, tables=False, figures=False)


@dataclass(frozen=True)
class Embedded:
    """Every segment embedded with the augmentation and without any."""

    sections: Sequence[Section]
    variants: Mapping[str, Vectors]


def embedded(library: Library, encoder: Encoder) -> Embedded:
    """Embed the natural chapters as HCA does, and as their bare text."""
    variants = {"with HCA": HCA, "without HCA": _PLAIN}
    return Embedded(
        library.sections,
        {
            name: encoder.encode([augmented_text(section, options) for section in library.sections])
            for name, options in variants.items()
        },
    )


def cohesion_figures(
    space: Embedded, library: Library, questions: Sequence[LookalikeQuestion], encoder: Encoder
) -> dict[str, Any]:
    """Appendix C as figures: within a document (C.2), among documents (C.3), homologous chapters (C.4), context (C.5).

    Within and between are mean cosines of pairs; the silhouettes are of documents, and of chapters of one name, as
    clusters (cosine distance); the context's distance is that of a question to its gold segments (1 − cosine).
    """
    documents = [section.record_id for section in space.sections]
    chapters = [heading_name(section.path[-1]) if len(section.path) > 1 else "" for section in space.sections]
    asked = encoder.encode([question.question for question in questions])
    gold = [gold_segments(space.sections, library, question.gold_sections)[0] for question in questions]
    return {
        name: {
            **_pairs("document", vectors, documents),
            **_pairs("chapter", vectors, chapters),
            "document_silhouette": _silhouette(vectors, documents),
            "chapter_silhouette": _silhouette(vectors, chapters),
            "context_distance": _distance(space.sections, vectors, asked, gold),
            "context_margin": _margin(space.sections, vectors, asked, gold),
        }
        for name, vectors in space.variants.items()
    }


def table_effect(library: Library, questions: Sequence[LookalikeQuestion], encoder: Encoder) -> dict[str, Any]:
    """Table 3: the inner product of a question with its gold table's segment, labels embedded against whole tables.

    Only questions whose gold is a row of a table count. ``margin`` is how many standard
    deviations the gold segment is above the mean of all segments with tables: an inner product may grow for all alike.
    """
    tabled = [section for section in library.sections if tables_in(section.text)]
    asked = [q for q in questions if any(" | " in gold.quote for gold in q.gold_sections)]
    queries = encoder.encode([question.question for question in asked])
    golds = [
        gold_segments(tabled, library, [g for g in q.gold_sections if " | " in g.quote])[0] for q in asked
    ]
    kinds = {
        "whole tables, alone": Augmentation(metadata=False, tables=False),
        "data removed, alone": Augmentation(metadata=False),
        "whole tables, with headings": Augmentation(tables=False),
        "data removed, with headings": HCA,
    }
    found: dict[str, Any] = {"questions": len(asked), "segments": len(tabled)}
    for name, options in kinds.items():
        vectors = encoder.encode([augmented_text(section, options) for section in tabled])
        distance = _distance(tabled, vectors, queries, golds)
        found[name] = {
            "inner_product": None if distance is None else round(1 - distance, 4),
            "margin": _margin(tabled, vectors, queries, golds),
        }
    return found


def _pairs(name: str, vectors: Vectors, groups: Sequence[str]) -> dict[str, float | None]:
    """Mean cosine of the pairs within a group, and of those of two groups."""
    members: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    whole = _pair_sum(vectors)
    inside = sum(_pair_sum(vectors[rows]) for rows in members.values())
    pairs = sum(len(rows) * (len(rows) - 1) / 2 for rows in members.values())
    others = len(vectors) * (len(vectors) - 1) / 2 - pairs
    return {
        f"{name}_within": _round(inside / pairs) if pairs else None,
        f"{name}_between": _round((whole - inside) / others) if others else None,
    }


def _pair_sum(vectors: Vectors) -> float:
    """The sum of the cosines of all pairs, from the length of the sum of the vectors."""
    total = vectors.sum(axis=0, dtype=np.float64)
    return float((total @ total - np.einsum("ij,ij->", vectors, vectors, dtype=np.float64)) / 2)


def _silhouette(vectors: Vectors, groups: Sequence[str]) -> float | None:
    from sklearn.metrics import silhouette_score

    if not 1 < len(set(groups)) < len(groups):
        return None
    return _round(float(silhouette_score(vectors, groups, metric="cosine")))


def _distance(
    sections: Sequence[Section], vectors: Vectors, asked: Vectors, gold: Sequence[Sequence[str]]
) -> float | None:
    return _round(mean(1 - cosine for cosine in _to_gold(sections, vectors, asked, gold)))


def _margin(
    sections: Sequence[Section], vectors: Vectors, asked: Vectors, gold: Sequence[Sequence[str]]
) -> float | None:
    """How many standard deviations of all segments the gold ones are nearer to the question than the mean of all."""
    places = {section.id: n for n, section in enumerate(sections)}
    found = []
    for query, ids in zip(asked, gold, strict=True):
        if ids:
            cosines = vectors @ query
            found.append(float((cosines[[places[i] for i in ids]].mean() - cosines.mean()) / cosines.std()))
    return _round(mean(found))


def _to_gold(
    sections: Sequence[Section], vectors: Vectors, asked: Vectors, gold: Sequence[Sequence[str]]
) -> list[float]:
    places = {section.id: n for n, section in enumerate(sections)}
    return [
        float(np.mean(vectors[[places[i] for i in ids]] @ query))
        for query, ids in zip(asked, gold, strict=True)
        if ids
    ]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
