"""Building the knowledge base that is asked, and what that cost."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from ...agent.views.terminal import spent
from ...cubes.core.errors import InputError
from ..datasets.dataset import LABELS, Dataset
from ..machine import index_bytes, peak_rss_mb
from .asking import thinking
from .options import EvalOptions
from .progress import Watcher
from .workspace import IngestFigures, Workspace

if TYPE_CHECKING:
    from ...agent.app.facade import MultiCube

__all__ = ["build"]


def build(dataset: Dataset, workspace: Workspace, options: EvalOptions, watch: Watcher) -> None:
    """Build the knowledge base, unless this run has done so before, and measure that.

    Raises InputError where nothing of the corpus can be read.
    """
    from ...agent.app.facade import MultiCube

    if workspace.ingest is not None and workspace.kb.exists():
        return
    workspace.clear_kb()  # one that a killed run left half built would make the ingest figures meaningless
    there_before, started = workspace.kb.exists(), time.perf_counter()
    with MultiCube.build(
        [dataset.corpus], workspace.kb, encoder=options.encoder, progress=watch.ingest, ontology=options.ontology,
        labels=dataset.folder / LABELS if options.labels == "authors" else None,
        **thinking(None if options.labels == "embedded" else options.model),
    ) as kb:
        seconds = None if there_before else time.perf_counter() - started
        if kb.spent.requests or kb.spent.cached:
            watch.say(f"The ingest spent {spent(kb.spent)}.")
        _warn_of_ingest(kb, dataset, watch)
        sections = len(kb.kb.sections())
    if not sections:
        raise InputError(f"{dataset.corpus}: no record could be read, so there is nothing to search; mend it.")
    workspace.built(_figures(workspace.kb, sections, seconds), sections)


def _figures(path: Path, sections: int, seconds: float | None) -> IngestFigures:
    parts = index_bytes(path)
    return IngestFigures(
        seconds=None if seconds is None else round(seconds, 3),
        sections_per_s=None if seconds is None else round(sections / seconds, 1),
        kb_bytes=sum(parts.values()),
        peak_rss_mb=peak_rss_mb(),
        index=parts,
    )


def _warn_of_ingest(kb: MultiCube, dataset: Dataset, watch: Watcher) -> None:
    problems = kb.ingest_report.problems if kb.ingest_report is not None else ()
    if problems:
        watch.say(f"{len(problems)} records of the corpus were set aside (the first: {problems[0]}).")
    corpus = dataset.corpus.resolve()
    others = sum(not Path(document.source).is_relative_to(corpus) for document in kb.kb.documents())
    if others:
        watch.say(
            f"The knowledge base also holds {others} documents that are not of this data set; they are searched too."
        )
