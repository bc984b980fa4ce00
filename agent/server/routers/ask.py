"""Asking a question: the whole run as JSON, or its events as they happen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ....cubes.core.records import Filters
from ....graphs.records import LoopSettings, Run
from ...app.factory import MAX_QUESTION_CHARS, check_question
from ...engines.turns import Turn
from ...runs.store import new_run_id
from ..bounds import Text, found
from ..responses import EVENTS, answered, responded
from ..service import Served, Service

__all__ = ["router", "settings_of"]

router = APIRouter(tags=["ask"])

_Date = Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$", examples=["1998-05-31"])]


class Restrictions(BaseModel):
    """Files, folders or patterns, metadata that must be equal, and the dates between which a document must lie."""

    model_config = ConfigDict(extra="forbid")

    sources: Annotated[list[Text], Field(max_length=100)] = []
    metadata: Annotated[dict[Text, Text | int | float | bool], Field(max_length=100)] = {}
    since: _Date | None = None
    until: _Date | None = None

    def filters(self) -> Filters:
        """Return the filters that these are."""
        return Filters(tuple(self.sources), dict(self.metadata), self.since, self.until)


class AskRequest(BaseModel):
    """A question; ``settings`` are those of the loop that shall be others than the server's.

    ``conversation`` are the ids of the runs before it, oldest first, for a question that only they make clear.
    """

    model_config = ConfigDict(extra="forbid")

    question: Annotated[str, Field(max_length=MAX_QUESTION_CHARS, examples=["Who directed The Salt Lantern?"])]
    settings: LoopSettings | None = None
    filters: Restrictions | None = None
    conversation: Annotated[list[Text], Field(max_length=50)] = []


@router.post("/ask", response_model=Run, responses=EVENTS)
async def ask(asked: AskRequest, request: Request, served: Served) -> Response:
    """Answer a question with citations, hop by hop."""
    check_question(asked.question)
    turns = await run_in_threadpool(_turns, served, asked.conversation)
    filters = asked.filters.filters() if asked.filters is not None else None
    settings, run_id = settings_of(served.kb.settings, asked.settings), new_run_id()
    request.state.question = asked.question
    options = {"settings": settings, "filters": filters, "run_id": run_id}
    return await responded(request, served, run_id, lambda: answered(served, asked.question, turns, **options))


def _turns(served: Service, conversation: Sequence[str]) -> list[Turn]:
    """Return the turns that some runs were."""
    runs = [found(partial(served.kb.trace, run_id)) for run_id in conversation]
    return [Turn(run.question, run.answer, run) for run in runs]


def settings_of(usual: LoopSettings, asked: LoopSettings | None) -> LoopSettings:
    """Return the server's settings with those that a request gives in their place."""
    if asked is None:
        return usual
    return usual.model_copy(update={name: getattr(asked, name) for name in asked.model_fields_set})
