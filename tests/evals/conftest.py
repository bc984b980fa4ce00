"""An encoder without a model, for whole evaluations in seconds."""

import hashlib
import re
from collections.abc import Sequence

import numpy as np
import pytest
from multicube.cubes.core.encoding import Encoder, Vectors


class WordsEncoder:
    """Embeds a text as its words, hashed: deterministic and without a model."""

    fingerprint = "words/1"
    dimensions = 64

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or ["nothing"]:
                row[hashlib.md5(word.encode()).digest()[0] % self.dimensions] += 1
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


@pytest.fixture(scope="session")
def words_encoder() -> Encoder:
    """One encoder for all tests; it holds no state."""
    return WordsEncoder()
