"""What a look-up costs is measured on texts that are new to the encoder, each time and for each way to look them up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from multicube import MultiCube
from multicube.agent.engines.encoders.cached import CachingEncoder
from multicube.cubes.core.encoding import Vectors
from multicube.cubes.core.folding import fold
from multicube.evals.experiments.intents.cost import cost
from multicube.evals.experiments.intents.page import costs
from multicube.evals.generators.intents.generating import generate


class Counted(CachingEncoder):
    """Words hashed into a vector; counts how often a text is embedded."""

    fingerprint, dimensions = "counted/1", 64

    def __init__(self) -> None:
        super().__init__()
        self.embedded: Counter[str] = Counter()

    def _encode(self, texts: Sequence[str]) -> Vectors:
        self.embedded.update(text.rstrip() for text in texts)
        vectors = np.full((len(texts), self.dimensions), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in fold(text).split():
                vectors[row, sum(map(ord, word)) % self.dimensions] += 1
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def test_every_look_up_embeds_its_texts_anew(tmp_path: Path) -> None:
    encoder = Counted()
    generate(tmp_path, seed=3, questions=6)
    lines = (tmp_path / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    with MultiCube.build([tmp_path / "corpus.jsonl"], tmp_path / "kb", engine="embedded", encoder=encoder) as kb:
        kb.ask(asked[0], save=False)
        encoder.embedded.clear()
        found = cost(kb, asked, statements=6, rounds=2, expansions=2)
    assert found is not None
    assert (found.statements, found.expansions, found.rounds) == (6, 2, 2)
    questions = [encoder.embedded[question] for question in asked if encoder.embedded[question]]
    assert questions == [3, 3]  # the round that warms up, and two that count, though it was asked before
    assert found.one.times_cpu.low == found.one.times_cpu.high == 1.0
    for times in (found.one, found.many, found.embedded):
        assert 0 < times.wall.low <= times.wall.median <= times.wall.high
    assert 0 <= found.encoded <= 1
    assert "6 statements, all embedded" in costs(asdict(found))
