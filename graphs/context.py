"""What the loop's nodes are handed at run time: the engine, the knowledge base and a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from langgraph.runtime import Runtime

from ..cubes.core.records import Section
from ..cubes.retrieval.retriever import Retriever
from ..cubes.smart.perspectives import Perspectives
from ..cubes.store.figures import FigureInfo
from .reasoner import Reasoner

__all__ = ["AnswerContext", "CitedDocument", "Knowledge", "MakeContext", "context_of"]


class CitedDocument(Protocol):
    """What a citation says of a document."""

    @property
    def id(self) -> str:
        """The document's id in the knowledge base."""
        ...

    @property
    def source(self) -> str:
        """The file it was read from."""
        ...

    @property
    def record_id(self) -> str:
        """The name its corpus gives it."""
        ...

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def metadata(self) -> Mapping[str, str | int | float | bool]:
        """Its metadata."""
        ...


class Knowledge(Protocol):
    """The part of a knowledge base that the loop reads."""

    @property
    def retriever(self) -> Retriever:
        """Cube and passage retrieval over the current generation."""
        ...

    @property
    def perspectives(self) -> Perspectives | None:
        """The abstractions (SMART), where they are built."""
        ...

    def section(self, section_id: str) -> Section:
        """Return one section."""
        ...

    def document(self, document_id: str) -> CitedDocument:
        """Return one document without its text."""
        ...

    def section_figures(self, section: Section) -> Sequence[FigureInfo]:
        """Return the images that a section shows or refers to."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """Handed to every node through LangGraph's runtime; never checkpointed.

    ``deadline`` is a `time.monotonic` value; None means no limit.
    """

    reasoner: Reasoner
    knowledge: Knowledge
    deadline: float | None = None

    def overdue(self) -> bool:
        """Whether the question's time is spent."""
        return self.deadline is not None and time.monotonic() > self.deadline


MakeContext = Callable[[], AnswerContext]
"""Makes a context when a node asks for one, so that a changed knowledge base is followed."""


def context_of(runtime: Runtime[AnswerContext], default: MakeContext | None) -> AnswerContext:
    """Return the run's context; inside another graph, whose context is its own, one made for the knowledge base."""
    if isinstance(runtime.context, AnswerContext):
        return runtime.context
    if default is None:
        raise ValueError("This graph needs context=AnswerContext(reasoner, knowledge).")
    return default()
