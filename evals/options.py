"""What an evaluation is asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..agent.llm.engine import ModelOptions
    from ..cubes.encoding import Encoder

__all__ = ["EvalOptions"]


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """What `multicube eval` was asked to do. ``kb`` None builds the knowledge base inside ``out``.

    ``jobs`` processes share the questions. ``corpus`` are data sets whose corpora are merged into the searched one;
    ``refusals`` data sets whose questions are asked of it although it does not hold their answers; ``ablate`` adds
    every ablation to the systems. ``model`` thinks in place of the embedded engine. ``labels`` are "own", or
    "authors" for those of ``labels.jsonl``; ``ontology`` is what an ingest takes (see `MultiCube.build`).
    ``retrieval_only`` leaves the span reader out, which takes most of the time, and scores what is found. ``format``
    is the published one of ``dataset``, where it is not plain; ``download`` lets it be fetched. ``semantic`` scores
    answers by meaning too, with the encoder; ``judge`` is the model that judges them.
    """

    dataset: str | Path
    out: Path
    systems: str | Sequence[str] | None = None
    limit: int | None = None
    shuffle: bool = False
    seed: int = 0
    labels: str = "own"
    kb: Path | None = None
    concurrency: int = 1
    encoder: str | Encoder | None = None
    corpus: Sequence[str | Path] = ()
    refusals: Sequence[str | Path] = ()
    ablate: bool = False
    model: ModelOptions | None = None
    ontology: str | None = None
    retrieval_only: bool = False
    jobs: int = 1
    semantic: bool = False
    judge: ModelOptions | None = None
    format: str | None = None
    download: bool = False

    @property
    def engine(self) -> str:
        """What thinks, as results and fingerprints name it."""
        return "embedded" if self.model is None else f"llm {self.model.identity}"
