"""Ingests, one after another, in a thread of their own; each can be followed while it works."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ...cubes.core.errors import LockedError, UsageError
from ...cubes.core.records import Problem
from .errors import ServerBusyError, ShuttingDownError, logged
from .uploads import Upload, discard, settle

if TYPE_CHECKING:
    from ...cubes.ingest.pipeline import IngestReport, Progress
    from ..app.facade import MultiCube

__all__ = ["IngestJobs", "Job", "JobState"]

JobState = Literal["waiting", "running", "done", "failed"]


@dataclass(slots=True)
class Job:
    """An ingest: how far it is, and what came of it. ``version`` counts its changes; ``message`` says why it failed."""

    files: tuple[str, ...]
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    state: JobState = "waiting"
    stage: str = ""
    done: int = 0
    total: int = 0
    report: IngestReport | None = None
    problems: tuple[Problem, ...] = ()
    message: str = ""
    version: int = 0

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("done", "failed")

    def change(self, **values: object) -> None:
        """Set fields; whoever follows sees that something did."""
        for name, value in values.items():
            setattr(self, name, value)
        self.version += 1


class IngestJobs:
    """Writes a knowledge base for those who upload and remove: one at a time, and never under a reader's feet."""

    def __init__(self, kb: MultiCube, remembered: int, waiting: int) -> None:
        self._kb = kb
        self._remembered, self._waiting = remembered, waiting
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ingest")
        self._writing = threading.Lock()
        self._stopping = False

    def all(self) -> list[Job]:
        """Return the jobs that are remembered, the latest first."""
        return list(reversed(self._jobs.values()))

    def find(self, job_id: str) -> Job:
        """Return a job; raises UsageError where there is none."""
        job = self._jobs.get(job_id)
        if job is None:
            raise UsageError(f"There is no job '{job_id}'; a server forgets old ones, and all when it ends.")
        return job

    def check(self) -> None:
        """Raise ServerBusyError where more uploads wait on the disk than are taken."""
        if sum(not job.ended for job in self._jobs.values()) > self._waiting:
            raise ServerBusyError("Too many uploads are waiting to be read; send more in a while.")

    def ingest(self, upload: Upload) -> Job:
        """Take an upload in when it is its turn."""
        job = Job(tuple(path.name for path in upload.files), problems=tuple(upload.problems))
        self._jobs[job.id] = job
        ended = [known for known in self._jobs.values() if known.ended]
        for known in ended[: max(0, len(self._jobs) - self._remembered)]:
            del self._jobs[known.id]
        self._pool.submit(self._work, job, upload)
        return job

    def _work(self, job: Job, upload: Upload) -> None:
        try:
            self._go_on()
            self._writing.acquire()
            with self._writer() as kb:
                job.change(state="running")
                report = kb.ingest(settle(upload), progress=self._watching(job))
            problems = (*job.problems, *map(_by_name, report.problems))
            job.change(state="done", report=report, problems=problems, done=job.total)
        except BaseException as error:
            job.change(state="failed", message=logged(f"job {job.id}", error))
        finally:
            discard(upload)

    def _watching(self, job: Job) -> Callable[[Progress], None]:
        """Return what an ingest tells how far it is; it ends there where the server ends."""

        def step(progress: Progress) -> None:
            self._go_on()
            job.change(stage=progress.stage, done=progress.done, total=progress.total)

        return step

    def _go_on(self) -> None:
        if self._stopping:
            raise ShuttingDownError("The server is stopping; what was finished is kept, and uploading again goes on.")

    def change(self, work: Callable[[MultiCube], object]) -> None:
        """Change the knowledge base now; raises LockedError while an ingest is under way."""
        if not self._writing.acquire(blocking=False):
            raise LockedError("An ingest is under way; try again when it is done.")
        with self._writer() as kb:
            work(kb)

    @contextmanager
    def _writer(self) -> Iterator[MultiCube]:
        """Open the knowledge base beside the one that answers, so that answering goes on; lets go of the lock."""
        try:
            with self._kb.beside() as kb:
                yield kb
        finally:
            self._writing.release()

    def stop(self) -> None:
        """End the ingest under way at its next step, and begin no other."""
        self._stopping = True

    def close(self) -> None:
        """Wait for the ingest under way to have ended; those that waited fail at once, and their files are deleted."""
        self.stop()
        self._pool.shutdown(wait=True)


def _by_name(problem: Problem) -> Problem:
    """Return a problem with the name that its file was uploaded under."""
    return Problem(Path(problem.source).name, problem.line, problem.message)
