"""Documents: listed, shown, removed, and uploaded, which is a job that can be followed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import Response

from ....cubes.core.records import MetadataValue
from ....cubes.documents.formats.page_starts import told
from ....cubes.store.database import DocumentInfo
from ..bounds import Identifier, Limit, Offset, Search, found
from ..jobs import Job, JobState
from ..service import Served, Service
from ..sse import KEEP_ALIVE, EventStream, message, wants_events
from ..uploads import Upload, discard, kept, receive
from .sections import FigureDetail

if TYPE_CHECKING:
    from ...app.facade import MultiCube

__all__ = ["router"]

router = APIRouter(tags=["documents"])

SAMPLE = Path(__file__).parents[3] / "evals" / "sample"
"""The bundled sample: a file of the package that is read, of a folder that nothing here imports."""
_EXAMPLES = 3
_LOOK_S = 0.2
"""How often a job is looked at for whoever follows it."""
_FILES = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {"type": "array", "items": {"type": "string", "contentMediaType": "*/*"}}
                    },
                }
            }
        },
    }
}


class DocumentSummary(BaseModel):
    """A document; ``sections`` counts them."""

    id: str
    record_id: str
    title: str
    source: str
    media_type: str
    language: str
    added_at: str
    sections: int


class DocumentPage(BaseModel):
    """Some documents, in the order they came, of ``total``."""

    documents: list[DocumentSummary]
    total: int


class SectionHead(BaseModel):
    """A section of a document with its heading path, the document's title first."""

    id: str
    title: str
    path: tuple[str, ...]
    characters: int


class DocumentDetail(BaseModel):
    """A document with its metadata, its sections in order and its figures."""

    id: str
    record_id: str
    title: str
    source: str
    media_type: str
    language: str
    added_at: str
    metadata: dict[str, MetadataValue]
    sections: list[SectionHead]
    figures: list[FigureDetail]


class ProblemInfo(BaseModel):
    """Something that was set aside: where it is, and one sentence why."""

    source: str
    line: int | None = None
    message: str


class JobStatus(BaseModel):
    """An ingest: its state, how far it is in the present stage, what was set aside and, at its end, what was done."""

    id: str
    state: JobState
    files: tuple[str, ...]
    stage: str
    done: int
    total: int
    report: dict[str, Any] | None = None
    problems: list[ProblemInfo]
    message: str = ""


class JobAccepted(BaseModel):
    """The job that takes an upload in."""

    job: str
    problems: list[ProblemInfo] = Field(default_factory=list)


class SampleJobAccepted(JobAccepted):
    """The job that takes the sample in, and questions that it answers."""

    questions: tuple[str, ...]


class JobList(BaseModel):
    """The jobs that the server remembers, the latest first."""

    jobs: list[JobStatus]


@router.get("/documents")
def list_documents(served: Served, query: Search = "", limit: Limit = 50, offset: Offset = 0) -> DocumentPage:
    """List documents; with ``query`` those whose title, record or file contains it."""
    wanted = query.casefold()
    fitting = [d for d in served.fresh.documents() if wanted in f"{d.title} {d.record_id} {d.source}".casefold()]
    page = [DocumentSummary(**_facts(d), sections=len(d.sections)) for d in fitting[offset : offset + limit]]
    return DocumentPage(documents=page, total=len(fitting))


@router.get("/documents/{document_id}")
def read_document(document_id: Identifier, served: Served) -> DocumentDetail:
    """Return a document with its chapters and figures; the text is in its sections."""
    kb = served.fresh
    document = found(lambda: kb.document(document_id))
    sections = [
        SectionHead(id=section.id, title=section.path[-1] if section.path else "", path=section.path,
                    characters=len(section.text))
        for section in map(kb.section, document.sections)
    ]  # fmt: skip
    figures = [FigureDetail.of(figure) for figure in kb.figures(document_id)]
    return DocumentDetail(**_facts(document), metadata=told(document.metadata), sections=sections, figures=figures)


def _facts(document: DocumentInfo) -> dict[str, Any]:
    names = ("id", "record_id", "title", "source", "media_type", "language", "added_at")
    return {name: getattr(document, name) for name in names}


@router.delete("/documents/{document_id}", status_code=204)
def remove_document(document_id: Identifier, served: Served) -> None:
    """Remove a document completely: sections, figures, facts, labels, vectors, and the file if it was uploaded."""
    source = found(lambda: served.fresh.document(document_id)).source
    path = kept(served.kb.kb.path, source)

    def remove(kb: MultiCube) -> None:
        kb.kb.remove(document_id)
        if path is not None and all(document.source != source for document in kb.kb.documents()):
            path.unlink(missing_ok=True)  # while nobody else writes: an upload may put another of its name there

    served.jobs.change(remove)


@router.post("/documents", status_code=202, openapi_extra=_FILES)
async def upload_documents(request: Request, served: Served) -> JobAccepted:
    """Take files in: they are read in a job of their own, one job at a time; what cannot be read is told there.

    A file of the same name as an earlier one takes its place.
    """
    served.jobs.check()
    upload = await _received(request, served)
    if not upload.files:
        discard(upload)
        raise HTTPException(415, upload.problems[0].message)
    job = served.jobs.ingest(upload)
    return JobAccepted(job=job.id, problems=_facts_of(job).problems)


@router.post("/documents/sample", status_code=202)
def add_sample(served: Served) -> SampleJobAccepted:
    """Take in the sample that comes with the package: a few short invented articles to try things with."""
    served.jobs.check()
    corpus = SAMPLE / "corpus.jsonl"
    if not corpus.is_file():
        raise HTTPException(404, "This installation has no sample.")
    lines = (SAMPLE / "questions.jsonl").read_text("utf-8").splitlines()
    with corpus.open("rb") as file:
        job = served.jobs.ingest(receive(served.kb.kb.path, [("sample.jsonl", file)], served.limits.file))
    return SampleJobAccepted(job=job.id, questions=tuple(json.loads(line)["question"] for line in lines[:_EXAMPLES]))


async def _received(request: Request, served: Service) -> Upload:
    """Read the files of a request onto the disk."""
    limits = served.limits
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise HTTPException(415, "Send the files as multipart/form-data, each in a field called 'files'.")
    async with _form(request, limits.files) as form:
        files = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
        if not files:
            raise HTTPException(422, "There is no file in the request; send each in a field called 'files'.")
        sent: list[tuple[str | None, BinaryIO]] = [(part.filename, part.file) for part in files]
        return await run_in_threadpool(receive, served.kb.kb.path, sent, limits.file)


@asynccontextmanager
async def _form(request: Request, most: int) -> AsyncIterator[FormData]:
    """Parse a form onto the disk; raises 413 where it has more files than are taken."""
    try:
        parsed = await request.form(max_files=most, max_fields=20, max_part_size=2**16)
    except StarletteHTTPException as error:
        if "Too many" in str(error.detail):
            raise HTTPException(413, f"There are too many files in the request; at most {most} are taken.") from None
        raise
    try:
        yield parsed
    finally:
        await parsed.close()


@router.get("/jobs")
def list_jobs(served: Served) -> JobList:
    """List the ingests of this server, the latest first."""
    return JobList(jobs=[_facts_of(job) for job in served.jobs.all()])


@router.get(
    "/jobs/{job_id}",
    response_model=JobStatus,
    responses={
        200: {
            "description": "The job; with `Accept: text/event-stream` a `progress` event for each change, at last "
            "`done` or `failure`.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def read_job(job_id: Identifier, request: Request, served: Served) -> Response:
    """Say how far an ingest is."""
    job = found(lambda: served.jobs.find(job_id))
    if wants_events(request):
        return EventStream(_watched(job, served.limits.silence_s))
    return Response(_facts_of(job).model_dump_json(), media_type="application/json")


async def _watched(job: Job, silence_s: float) -> AsyncGenerator[bytes]:
    """Yield a job's state whenever it has changed, until its end."""
    seen, quiet = -1, 0.0
    while not job.ended:
        if job.version != seen:
            seen, quiet = job.version, 0.0
            yield message("progress", _facts_of(job).model_dump_json())
        elif quiet >= silence_s:
            quiet = 0.0
            yield KEEP_ALIVE
        await asyncio.sleep(_LOOK_S)
        quiet += _LOOK_S
    yield message("done" if job.state == "done" else "failure", _facts_of(job).model_dump_json())


def _facts_of(job: Job) -> JobStatus:
    report = job.report.model_dump(mode="json", exclude={"problems"}) if job.report is not None else None
    problems = [ProblemInfo(source=p.source, line=p.line, message=p.message) for p in job.problems]
    return JobStatus(
        id=job.id, state=job.state, files=job.files, stage=job.stage, done=job.done, total=job.total, report=report,
        problems=problems, message=job.message,
    )  # fmt: skip
