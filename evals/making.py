"""What a knowledge base is made with besides its documents, as an evaluation's fingerprint names it."""

from __future__ import annotations

from pathlib import Path

from .datasets import LABELS, resolve_folder

__all__ = ["labels_digest", "ontology_digest"]


def labels_digest(labels: str, dataset: str | Path) -> str:
    """Return whose labels they are; the authors' with the hash of their file."""
    if labels == "own":
        return labels
    from ..cubes.authored import read_labels

    return f"{labels} {read_labels(resolve_folder(dataset) / LABELS).digest}"


def ontology_digest(name: str) -> str:
    """Return an ontology's hash; one that is designed follows from the documents, and its name says so."""
    from ..agent.opening import AUTO
    from ..cubes.ontology import load_ontology
    from ..cubes.opening import digest

    return name if name == AUTO else digest(load_ontology(name))
