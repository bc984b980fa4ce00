"""Is the server there, and what does it serve."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from .... import __version__
from ..service import Served

__all__ = ["router"]

router = APIRouter(tags=["server"])


class Health(BaseModel):
    """What is served: the name of its folder, counts of documents and sections, the generation and the engine.

    ``asks`` counts the questions that are being answered or wait their turn.
    """

    status: str = "ok"
    version: str
    name: str
    documents: int
    sections: int
    generation: int
    engine: str
    asks: int


@router.get("/health")
def health(served: Served) -> Health:
    """Say that the server is up, and what it serves; loads nothing."""
    status = served.kb.kb.status()
    return Health(
        version=__version__,
        name=status.path.name,
        documents=status.documents,
        sections=status.sections,
        generation=status.generation,
        engine=served.kb.model.engine if served.kb.model is not None else "embedded",
        asks=served.asks.under_way,
    )
