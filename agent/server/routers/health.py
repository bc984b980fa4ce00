"""Is the server there, what does it serve, and may questions be sent to it."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel

from .... import __version__
from ..bounds import ERRORS
from ..errors import logged
from ..service import Served, Whole

__all__ = ["Ready", "router"]

router = APIRouter(tags=["server"])


class Health(BaseModel):
    """What is served: the name of its folder, counts of documents and sections, the generation and the engine.

    ``asks`` counts the questions that are being answered or wait their turn. Counts are null where the knowledge base
    cannot be read: the server is there all the same, and GET /ready says that it is of no use.
    """

    status: str = "ok"
    version: str
    name: str
    documents: int | None
    sections: int | None
    generation: int | None
    engine: str
    asks: int


@router.get("/health")
def health(served: Served) -> Health:
    """Say that the server is up, and what it serves; loads nothing."""
    try:
        status = served.kb.kb.status()
    except Exception as error:
        logged("health", error)
        status = None
    return Health(
        version=__version__,
        name=served.kb.kb.path.name,
        documents=status and status.documents,
        sections=status and status.sections,
        generation=status and status.generation,
        engine=served.kb.model.engine if served.kb.model is not None else "embedded",
        asks=served.asks.under_way,
    )


class Ready(BaseModel):
    """Questions may be sent here."""

    status: Literal["ready"] = "ready"


_UNREADY: dict[int | str, dict[str, Any]] = {503: {**ERRORS["4XX"], "description": "One sentence on why not."}}


@router.get("/ready", responses=_UNREADY)
def ready(served: Whole) -> Ready:
    """Say whether questions may be sent here: all is loaded, and the stores answer. Needs no token."""
    if why := served.unready():
        raise HTTPException(503, why)
    return Ready()
