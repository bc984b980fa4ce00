"""What is to be measured, on which data, and where it goes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....cubes.core.errors import UsageError
from ...datasets.dataset import Dataset
from ...datasets.load import load_dataset
from ...evaluation.workspace import fingerprint_parts
from .kept import Kept

if TYPE_CHECKING:
    from ....agent.engines.llm.engine import ModelOptions
    from ....cubes.core.encoding import Encoder

__all__ = ["PARTS", "Conditions", "Crowd", "Options", "Say", "Session"]

PARTS = ("retrieval", "question", "growth", "noise", "index", "cold", "spent")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Crowd:
    """A data set that is asked alone and among documents that have nothing to do with it (Hypercube-RAG, 5.2.2).

    ``others`` are the data sets whose documents come in, up to ``size`` documents in all; ``ontology`` is what an
    ingest takes. ``questions`` of them are asked, a seeded sample.
    """

    dataset: str | Path
    others: Sequence[str | Path]
    size: int = 11_539
    ontology: str | None = None
    questions: int = 80


@dataclass(frozen=True, slots=True)
class Options:
    """The figures to measure. ``out`` keeps every figure as soon as it is known, and knowledge bases in its ``work``.

    ``systems`` are timed with ``queries`` questions of each data set, a sample by ``seed``; the first of them at each
    ``concurrency``. ``sizes`` are the sections to which the first data set is grown. ``predictions`` are folders of
    evaluations, or their files, from which tokens and money are read. ``starts`` is how many new processes a figure of
    "cold" is the median of. ``model`` thinks in "retrieval" and "question" in place of the embedded engine; the other
    parts measure without one.
    """

    datasets: Sequence[str | Path]
    out: Path
    parts: Sequence[str] = PARTS
    systems: Sequence[str] = ("multicube", "bm25", "dense", "hybrid")
    queries: int = 100
    concurrency: Sequence[int] = (1, 5, 10)
    sizes: Sequence[int] = ()
    crowd: Crowd | None = None
    predictions: Sequence[Path] = ()
    starts: int = 3
    seed: int = 0
    encoder: str | Encoder | None = None
    model: ModelOptions | None = None

    def __post_init__(self) -> None:
        """Refuse what can measure nothing, with a sentence (UsageError)."""
        for part in self.parts:
            if part not in PARTS:
                raise UsageError(f'There is no part "{part}"; choose from {", ".join(PARTS)}.')
        counts = {"queries": [self.queries], "starts": [self.starts]}
        for name, numbers in {**counts, "concurrency": self.concurrency, "sizes": self.sizes}.items():
            if any(number < 1 for number in numbers):
                raise UsageError(f"--{name} {min(numbers)} measures nothing; give numbers of 1 or more.")
        if not self.datasets and {"retrieval", "question", "growth", "index", "cold"} & set(self.parts):
            raise UsageError('No data set was named; give folders or names, or "sample" for the bundled one.')

    @property
    def work(self) -> Path:
        """Where knowledge bases are kept between two runs."""
        return self.out / "work"

    @property
    def engine(self) -> str:
        """The engine, as rows name it."""
        return "embedded" if self.model is None else self.model.thinking


class Conditions:
    """Says under which conditions a figure was measured: a digest of the code before the colon, of all else behind.

    A knowledge base depends on less of the code than what is asked of it does.
    """

    def __init__(self, encoder: str | Encoder | None) -> None:
        named = encoder if isinstance(encoder, str | None) else encoder.fingerprint
        parts = fingerprint_parts(load_dataset("sample"), engine="", labels="own", encoder=named)
        known = {name: told for name, told in parts.items() if name not in ("corpus", "questions", "chosen")}
        self.code = _digest(known)
        self.kb_code = _digest({name: told for name, told in known.items() if name != "code"})

    def asking(self, dataset: Dataset, *more: object) -> str:
        """Return the conditions of a figure over a data set's corpus and questions, and whatever more it depends on."""
        return f"{self.code}:{_digest([dataset.corpus_digest, dataset.questions_digest, *map(str, more)])}"

    def building(self, dataset: Dataset, *more: object) -> str:
        """Return the conditions of a knowledge base of a data set's corpus."""
        return f"{self.kb_code}:{_digest([dataset.corpus_digest, *map(str, more)])}"

    def still(self, conditions: str) -> bool:
        """Whether a figure was measured with the code of today."""
        return conditions.partition(":")[0] in (self.code, self.kb_code)


def _digest(told: object) -> str:
    return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Session:
    """One call of the measuring."""

    options: Options
    kept: Kept
    conditions: Conditions
    say: Say
