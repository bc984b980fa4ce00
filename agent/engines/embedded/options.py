"""Which parts of the embedded engine are at work, so that an evaluation can switch each off by itself."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["EngineOptions", "Family"]

Family = Literal["facts", "operators", "counting", "rows", "releases", "descriptions", "forms"]


class EngineOptions(BaseModel):
    """The parts of the embedded engine; all of them are on unless an ablation asks what one of them brings.

    ``chains`` reads a question as a chain of one-hop subqueries; without it only one-hop questions have a plan.
    ``open_hops`` decomposes by syntax what the ontology's relations do not foresee. ``backoff`` finds a name by less
    of it, by its words or its ends, where nothing is called exactly so. ``reader`` reads a hop's answer
    where no cell holds it, by the extractive span reader (``reader_file`` names another one than
    the one shipped). ``documents`` reads the tables, lists and chapters of structured documents. ``least_answerable``
    is the least probability that the documents hold an answer at all, below which it is held back; None takes what the
    evaluation chose, 0 holds nothing back. ``without`` names families of rules that are left out: facts of cells as
    answers; what is worked out of several hops; counts and lists over many cells; rows of tables; lists of changes;
    things described without a name; verdicts, lists and passages as answers to questions over passages.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    chains: bool = True
    open_hops: bool = True
    backoff: bool = True
    reader: bool = True
    reader_file: str | None = None
    documents: bool = True
    least_answerable: float | None = Field(None, ge=0, le=1)
    without: frozenset[Family] = frozenset()
