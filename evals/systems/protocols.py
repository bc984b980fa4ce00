"""What a system is, and the parts of what lies below that systems use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from ...cubes.core.records import Retrieval, Section
from ...graphs.records import LoopSettings, Run

__all__ = ["RANKING_DEPTH", "Asker", "PassageMode", "PassageRetriever", "Passages", "System"]

RANKING_DEPTH = 10
"""The deepest k that retrieval is scored at."""

PassageMode = Literal["bm25", "dense", "hybrid"]


class System(Protocol):
    """Something that answers questions. It is given the question's text and nothing of its gold."""

    @property
    def name(self) -> str:
        """The name in the results."""
        ...

    def answer(self, question: str) -> Run:
        """Answer one question; this is what is timed. An exception counts as a failure of this question."""
        ...

    def ranking(self, run: Run) -> Sequence[str]:
        """Return the corpus ids found, best first, `RANKING_DEPTH` or more if there are; not timed."""
        ...


class Asker(Protocol):
    """The part of the `MultiCube` facade that the loop's systems use."""

    def ask(self, question: str, *, settings: LoopSettings | None = None, save: bool = True) -> Run:
        """Answer a question under these settings."""
        ...

    @property
    def kb(self) -> Passages:
        """The knowledge base below."""
        ...


class PassageRetriever(Protocol):
    """Retrieval without cubes."""

    def passages(self, query: str, *, k: int, mode: PassageMode) -> Retrieval:
        """Return the best ``k`` sections for the query."""
        ...

    def hiqa(self, query: str, *, k: int) -> Retrieval:
        """Return the best ``k`` sections for the query by the multi-route score."""
        ...


class Passages(Protocol):
    """The part of a knowledge base that a deeper ranking needs."""

    @property
    def retriever(self) -> PassageRetriever:
        """Its retriever."""
        ...

    def section(self, section_id: str) -> Section:
        """Return one section."""
        ...
