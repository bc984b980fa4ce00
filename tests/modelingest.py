"""An ingest by a model that says what it came to: as a function, and as a process that may be killed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.cubes.core.encoding import Vectors


class Plain:
    """An encoder that needs no model."""

    fingerprint, dimensions = "plain/1", 2

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.array([[1.0, len(text) % 7] for text in texts], dtype=np.float32)


def ingest(file: Path, kb: Path, model: str, cache: str, at_once: int) -> dict[str, Any]:
    """Build a knowledge base, or go on with it, and return everything that it holds."""
    options = ModelOptions(model, cache=cache == "cache", concurrency=at_once)
    with MultiCube.build([file], kb, model=options, encoder=Plain()) as built:
        documents = [(d.id, d.title, d.content_hash, d.sections) for d in built.kb.documents()]
        problems = len(built.kb.status().problems)
        return {"cubes": list(built.kb.export()), "documents": documents, "problems": problems}


if __name__ == "__main__":
    ingest(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]))
