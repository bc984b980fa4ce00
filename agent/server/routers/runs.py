"""Runs that were kept: listed, searched, read, exported, gone on with, deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ....graphs.records import Run, RunStatus
from ...app.factory import MAX_QUESTION_CHARS
from ...app.traces import FORMATS, ExportFormat, exported
from ...runs.catalogue import RunList
from ...runs.state import check_fork
from ...runs.store import new_run_id
from ..bounds import Identifier, Limit, Offset, Search, found
from ..responses import EVENTS, announced, responded
from ..run_threads import RunStarted, Step
from ..service import Served

__all__ = ["router"]

router = APIRouter(prefix="/runs", tags=["runs"])

_Text = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION_CHARS)]
_Day = Annotated[str | None, Query(max_length=10, description="A day, a month or a year: 1998-05-31, 1998-05, 1998.")]
_SUFFIXES = {"json": "json", "mermaid": "mmd", "html": "html"}
_SAFE_ALONE = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""An exported page brings its own style; it runs nothing and loads nothing."""


class ForkRequest(BaseModel):
    """The hop to start from, with its subquery or its sub-answer edited."""

    model_config = ConfigDict(extra="forbid")

    hop: Annotated[int, Field(ge=1, le=1_000)]
    subquery: _Text | None = None
    answer: _Text | None = None

    @model_validator(mode="after")
    def _one_edit(self) -> ForkRequest:
        edits = [text for text in (self.subquery, self.answer) if text is not None]
        if len(edits) != 1 or not edits[0].strip():
            raise ValueError("Give either the edited subquery or the edited answer of the hop.")
        return self


@router.get("")
def list_runs(
    served: Served,
    query: Search = "",
    status: RunStatus | None = None,
    since: _Day = None,
    until: _Day = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> RunList:
    """List runs, newest first: those that hold every word of ``query``, have a status, or began within days."""
    return served.kb.search_runs(query, status=status, since=since, until=until, limit=limit, offset=offset)


@router.get("/{run_id}")
def read_run(run_id: Identifier, served: Served) -> Run:
    """Return a run with all that explains it; the beginning of its id, or "latest", will do."""
    return found(lambda: served.kb.trace(run_id))


@router.get(
    "/{run_id}/export",
    response_class=Response,
    responses={200: {"content": {"application/json": {}, "text/vnd.mermaid": {}, "text/html": {}}}},
)
def export_run(
    run_id: Identifier, served: Served, form: Annotated[ExportFormat, Query(alias="format")] = "json"
) -> Response:
    """Return a run as a file: JSON, a Mermaid flowchart, or a self-contained page."""
    run = found(lambda: served.kb.trace(run_id))
    headers = {"Content-Disposition": f'attachment; filename="run-{run.id}.{_SUFFIXES[form]}"'}
    if form == "html":
        headers["Content-Security-Policy"] = _SAFE_ALONE
    content = exported(run, form).encode("utf-8", "replace")
    return Response(content, media_type=FORMATS[form], headers=headers)


@router.post("/{run_id}/fork", response_model=Run, responses=EVENTS)
async def fork_run(run_id: Identifier, fork: ForkRequest, request: Request, served: Served) -> Response:
    """Start a new run at a hop of another, as if its subquery or its answer had been this."""
    origin = await run_in_threadpool(found, lambda: served.kb.trace(run_id))
    check_fork(origin, fork.hop, fork.subquery, fork.answer)
    new_id = new_run_id()

    def make() -> Iterator[Step]:
        steps = served.kb.stream_fork(origin.id, fork.hop, subquery=fork.subquery, answer=fork.answer, new_id=new_id)
        yield from announced(steps, RunStarted(new_id, origin.question, origin.question, forked_from=origin.id))

    return await responded(request, served, new_id, make)


@router.post("/{run_id}/resume", response_model=Run, responses=EVENTS)
async def resume_run(run_id: Identifier, request: Request, served: Served) -> Response:
    """Go on with a run that was interrupted, paused or failed; a finished one is returned as it is."""
    origin = await run_in_threadpool(found, lambda: served.kb.trace(run_id))

    def make() -> Iterator[Step]:
        start = RunStarted(origin.id, origin.question, origin.question)
        if origin.status in ("answered", "abstained"):
            yield start
        yield from announced(served.kb.stream_resume(origin.id), start)

    return await responded(request, served, origin.id, make)


@router.delete("/{run_id}", status_code=204)
def delete_run(run_id: Identifier, served: Served) -> None:
    """Delete a run, its trace and its checkpoints for good; its whole id is needed."""
    if found(lambda: served.kb.trace(run_id)).id != run_id:
        raise HTTPException(404, f"There is no run '{run_id}'; to delete one its whole id is needed.")
    served.asks.check_idle(run_id)
    found(lambda: served.kb.delete_run(run_id))
