"""Reading files into the catalog: only what is new or changed, in one pass, resumable at any moment.

A file whose size and time are those of the last complete reading is not opened. A document whose content is
known is not read again, wherever it stands in its file, so that a killed run goes on where it stopped. What a
file no longer holds is removed when it has been read to its end.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from .catalog import TITLE_SAMPLE, Catalog, Known
from .extraction.protocol import Extractor
from .indexing import mark_changed
from .planning import PlannedFile, plan
from .records import Document, Fact, Problem, Section

__all__ = ["IngestOptions", "IngestReport", "Ingestor", "Progress"]

BATCH = 64
"""Documents written in one transaction."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long step is: ``done`` of ``total`` documents ("read") or vectors ("embed")."""

    stage: str
    done: int
    total: int


class IngestReport(BaseModel):
    """What an ingest did, or, with ``dry_run``, would do.

    ``added`` to ``removed`` count documents, ``sections`` and ``facts`` those written now, ``vectors`` those
    embedded. ``reread`` counts documents that another engine or ontology had read. ``missing`` are files
    that were read once and are gone. ``seconds`` maps stages to their time ("scan", "read", "extract",
    "store", "embed").
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    reread: int = 0
    sections: int = 0
    facts: int = 0
    vectors: int = 0
    files: int = 0
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    seconds: dict[str, float] = {}
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """``retry`` reads again where something was set aside, ``prune`` removes documents whose file is gone."""

    dry_run: bool = False
    retry: bool = False
    prune: bool = False


@dataclass(slots=True)
class _Tally:
    """What is being counted while files are read."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the time spent inside to a stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - started


@dataclass(frozen=True, slots=True)
class _Read:
    """A document that has been divided and read, ready to be written; ``new`` unless its text is known already."""

    document: Document
    new: bool
    language: str
    sections: list[Section]
    facts: dict[str, Sequence[Fact]]


class Ingestor:
    """One ingest into one catalog. The caller holds the write lock and embeds afterwards.

    ``written`` is told of sections with a new text once they stand in the catalog.
    """

    def __init__(
        self,
        catalog: Catalog,
        extractor: Extractor,
        ontology: str,
        options: IngestOptions,
        progress: Callable[[Progress], None] | None = None,
        written: Callable[[Sequence[Section]], None] | None = None,
    ) -> None:
        self._catalog = catalog
        self._extractor = extractor
        self._ontology = ontology
        self._options = options
        self._progress = progress or _ignore
        self._written = written or _ignore
        self._tally = _Tally()
        self._done = self._total = 0

    def run(self, paths: Sequence[Path]) -> IngestReport:
        """Read files and folders; raises InputError where a path is not there or nothing can be read."""
        with self._tally.timed("scan"):
            files = self._plan(paths)
        changed = [file for file in files if not file.unchanged]
        outdated = self._catalog.outdated(self._extractor.version, self._ontology)
        if changed or outdated:
            self._prepare(changed, len(outdated))
        for file in changed:
            self._read_file(file)
        self._reread()
        return self.report(len(files))

    @property
    def seconds(self) -> dict[str, float]:
        """The time spent so far, by stage."""
        return self._tally.seconds

    def report(self, files: int) -> IngestReport:
        """Return what was done so far."""
        tally = self._tally
        return IngestReport(
            **dict(tally.counts), files=files, problems=tuple(tally.problems), warnings=tuple(tally.warnings),
            missing=tuple(tally.missing), seconds={k: round(v, 3) for k, v in tally.seconds.items()},
            dry_run=self._options.dry_run,
        )  # fmt: skip

    # Which files are to be read.

    def _plan(self, paths: Sequence[Path]) -> list[PlannedFile]:
        """Find the files that must be opened; note what is set aside, and files that are gone."""
        found = plan(self._catalog, paths, retry=self._options.retry)
        for folder, problems in found.skipped.items():
            self._set_aside(folder, problems)
        self._tally.counts["unchanged"] += sum(file.documents for file in found.files)
        for file in found.files:
            if file.touched and not self._options.dry_run:
                self._catalog.set_file(str(file.path), file.state)
        self._tally.missing = list(found.missing)
        for source in found.missing if self._options.prune else ():
            self._remove_source(source)
        return found.files

    def _remove_source(self, source: str) -> None:
        known = self._catalog.known(source, self._extractor.version, self._ontology)
        self._tally.counts["removed"] += len(known)
        if not self._options.dry_run:
            with self._catalog.writing():
                self._catalog.remove(known)
                self._catalog.forget_file(source)
                mark_changed(self._catalog)

    # Reading.

    def _prepare(self, changed: Sequence[PlannedFile], outdated: int) -> None:
        """Show the extractor every document there will be, in an order that no interruption changes."""
        with self._tally.timed("read"):
            seen = {document.id: document for document in self._catalog.sampled()}
            for file in changed:
                for item in _load(file.path):
                    if isinstance(item, Document):
                        file.documents += 1
                        seen[item.id] = replace(item, text=item.text[:TITLE_SAMPLE])
        self._total = sum(file.documents for file in changed) + outdated
        self._progress(Progress("read", 0, self._total))
        with self._tally.timed("extract"):
            self._extractor.prepare([seen[id] for id in sorted(seen)])

    def _read_file(self, file: PlannedFile) -> None:
        """Read one file to its end, writing in batches; then remove what it no longer holds."""
        source = str(file.path)
        known = self._catalog.known(source, self._extractor.version, self._ontology)
        seen: set[str] = set()
        problems: list[Problem] = []
        batch: list[_Read] = []
        for item in self._items(file.path):
            if isinstance(item, Problem):
                problems.append(item)
                continue
            seen.add(item.id)
            read = self._read(item, known.get(item.id), problems)
            if read is not None:
                batch.append(read)
            self._step()
            if len(batch) >= BATCH:
                self._write(batch)
                batch = []
        self._write(batch)
        self._finish_file(file, self._vanished(file, set(known) - seen, len(seen), len(problems)), problems)

    def _vanished(self, file: PlannedFile, unseen: set[str], seen: int, problems: int) -> set[str]:
        """Return which known documents a file no longer holds.

        None where reading it goes worse than before: what could not be read this time is not gone.
        """
        worse = problems > self._catalog.problems_in(str(file.path)) or (problems and not seen)
        return set() if worse else unseen

    def _items(self, path: Path) -> Iterator[Document | Problem]:
        """Load a file, counting the time as reading."""
        items = _load(path)
        while True:
            with self._tally.timed("read"):
                item = next(items, None)
            if item is None:
                return
            yield item

    def _read(self, document: Document, known: Known | None, problems: list[Problem]) -> _Read | None:
        """Divide and read a document; None where it is known already or has to be set aside."""
        if known is not None and known.content_hash == document.content_hash and known.current:
            self._tally.counts["unchanged"] += 1
            return None
        how = "added" if known is None else "updated" if known.content_hash != document.content_hash else "reread"
        try:
            read = self._divided(document, new=how != "reread")
        except Exception as error:  # a fault in the rules must cost one document, not the ingest
            message = f"'{document.title}' could not be read ({type(error).__name__}: {error})"
            problems.append(Problem(document.source, None, message))
            return None
        self._tally.counts[how] += 1
        if read.new:
            self._warn_of_language(document, read.language)
        return read

    def _divided(self, document: Document, *, new: bool) -> _Read:
        from .language import detect
        from .sections import split

        with self._tally.timed("read"):
            sections = split(document)
            language = detect(document.text)
        facts = {} if self._options.dry_run else self._extract(sections, document)
        return _Read(document, new, language, sections, facts)

    def _extract(self, sections: Sequence[Section], document: Document) -> dict[str, Sequence[Fact]]:
        with self._tally.timed("extract"):
            return {section.id: self._extractor.extract(section, document) for section in sections}

    def _write(self, batch: Sequence[_Read]) -> None:
        """Write documents in one transaction; from then on they are not read again."""
        for read in batch:
            self._tally.counts["sections"] += len(read.sections)
            self._tally.counts["facts"] += sum(map(len, read.facts.values()))
        if self._options.dry_run or not batch:
            return
        with self._tally.timed("store"), self._catalog.writing():
            for read in batch:
                self._catalog.put(
                    read.document, read.language, read.sections, read.facts,
                    engine=self._extractor.version, ontology=self._ontology,
                )  # fmt: skip
            mark_changed(self._catalog)
        self._written([section for read in batch if read.new for section in read.sections])

    def _finish_file(self, file: PlannedFile, vanished: set[str], problems: Sequence[Problem]) -> None:
        self._tally.counts["removed"] += len(vanished)
        if not self._options.dry_run:
            with self._tally.timed("store"), self._catalog.writing():
                self._catalog.remove(vanished)
                if vanished:
                    mark_changed(self._catalog)
                self._catalog.set_file(str(file.path), file.state)
                self._set_aside(str(file.path), problems)
        else:
            self._set_aside(str(file.path), problems)

    def _set_aside(self, file: str, problems: Sequence[Problem]) -> None:
        """Report what cannot be used, and remember it in place of what was set aside in the file before."""
        self._tally.problems.extend(problems)
        if not self._options.dry_run:
            self._catalog.set_problems(file, problems)

    def _reread(self) -> None:
        """Read documents again that another engine or ontology read, from the catalog's own text."""
        outdated = self._catalog.outdated(self._extractor.version, self._ontology)
        for start in range(0, len(outdated), BATCH):
            facts: dict[str, Sequence[Fact]] = {}
            ids = outdated[start : start + BATCH]
            for id in ids:
                if not self._options.dry_run:
                    facts |= self._extract(self._catalog.sections(id), self._catalog.document(id))
                self._step()
            self._tally.counts["reread"] += len(ids)
            self._tally.counts["facts"] += sum(map(len, facts.values()))
            if not self._options.dry_run:
                with self._tally.timed("store"), self._catalog.writing():
                    self._catalog.put_facts(facts, engine=self._extractor.version, ontology=self._ontology)
                    mark_changed(self._catalog)

    def _step(self) -> None:
        self._done += 1
        self._progress(Progress("read", self._done, max(self._total, self._done)))

    def _warn_of_language(self, document: Document, language: str) -> None:
        if language != "en":
            self._tally.warnings.append(
                f"{document.source}: '{document.title}' seems to be in another language ({language}); "
                "the embedded rules read English."
            )


def _ignore(_: object) -> None:
    """Report to nobody."""


def _load(path: Path) -> Iterator[Document | Problem]:
    from .loaders import load

    return iter(load(path))
