"""Reading files into the catalog: only what is new or changed, in one pass, resumable at any moment.

A file whose size and time are those of the last complete reading is not opened. A document whose content is
known is not read again, wherever it stands in its file, so that a killed run goes on where it stopped. What a
file no longer holds is removed when it has been read to its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from ..core.records import Document, Fact, Problem, Section
from ..documents.encodings import encoding_name
from ..extraction.protocol import Extractor, PaidExtractor
from ..index.vector_index import mark_changed
from ..model.tables import row_facts
from ..store.accounts import add_spent, spent_before
from ..store.catalog import TITLE_SAMPLE, Catalog, DocumentState
from ..store.figures import keep
from ..store.figures import note as note_figures
from ..store.quarantine import problem, sections_aside, set_aside
from .ahead import ReadAhead, sections_of
from .loaded_files import is_slow
from .parallel import DocumentFacts, DocumentWork, ParallelExtractor
from .plan import PlannedFile, plan
from .refinement import IngestRefinement, Refiner
from .report import IngestOptions, IngestReport, IngestTally, Progress
from .table_rows import rows_of
from .tasks import Tasks

__all__ = ["IngestOptions", "IngestReport", "Ingestor", "Progress"]

BATCH = 64
"""Documents written in one transaction. Where a model reads, each is written once it and all before it are read."""


class Ingestor:
    """One ingest into one catalog. The caller holds the write lock and embeds afterwards.

    ``written`` is told of sections with a new text once they stand in the catalog. ``refiner`` improves documents read
    from a layout before they are divided. With ``tasks`` workers convert files and, unless a model does, read sections;
    the result is the same.
    """

    def __init__(
        self,
        catalog: Catalog,
        extractor: Extractor,
        ontology: str,
        options: IngestOptions,
        progress: Callable[[Progress], None] | None = None,
        written: Callable[[Sequence[Section]], None] | None = None,
        refiner: Refiner | None = None,
        tasks: Tasks | None = None,
    ) -> None:
        self._catalog = catalog
        self._paid = extractor if isinstance(extractor, PaidExtractor) else None
        self._ahead = ReadAhead(extractor, tasks, reads=self._paid is None and not options.dry_run)
        self._extractor = extractor = self._ahead.extractor
        self._ontology = ontology
        self._refining = IngestRefinement(refiner, dry_run=options.dry_run)
        self._options = options
        self._progress = progress or _ignore
        self._written = written or _ignore
        self._loading = self._ahead.loading
        self._coming: Iterator[Document | Problem | None] = iter(())
        self._tally = IngestTally()
        self._done = self._total = 0
        self._read_now: set[str] = set()
        before = spent_before(catalog, extractor.version)
        self._estimator = self._paid.estimator(before) if self._paid is not None and options.dry_run else None
        self._parallel = ParallelExtractor(
            extractor,
            step=self._section_done,
            timed=lambda: self._tally.timed("extract"),
            patient=options.retry,
        )

    def run(self, paths: Sequence[Path]) -> IngestReport:
        """Read files and folders; raises InputError where a path is not there or nothing can be read.

        An extractor's MultiCubeError ends it (see `Extractor`): what was read is stored.
        """
        with self._tally.timed("scan"):
            files = self._plan(paths)
        changed = [file for file in files if not file.unchanged]
        outdated = self._catalog.outdated(self._extractor.version, self._ontology)
        aside = self._aside(files)
        if changed or outdated or aside:
            self._prepare(changed, outdated, aside)
        with self._accounted(), self._parallel:
            self._coming = self._ahead.contents(changed, self._is_new)
            for file in changed:
                self._read_file(file)
            self._read(self._ahead.offered(self._outdated()))
            self._read(self._retried(files))
        return self._report(len(files))

    def _report(self, files: int) -> IngestReport:
        if self._paid is not None and not self._options.dry_run:
            self._paid.finished()
        return self._tally.report(
            files,
            dry_run=self._options.dry_run,
            usage=self._refining.spent(self._paid.spent if self._paid is not None else None),
            estimate=self._refining.estimate(self._estimator.total() if self._estimator is not None else None),
        )

    @contextmanager
    def _accounted(self) -> Iterator[None]:
        """Add up what was spent, also where an error ended it."""
        try:
            yield
        finally:
            if self._paid is not None and not self._options.dry_run:
                add_spent(self._catalog, self._extractor.version, self._paid.spent)

    # What is to be read.

    def _plan(self, paths: Sequence[Path]) -> list[PlannedFile]:
        """Find the files that must be opened; note what is set aside, and files that are gone."""
        found = plan(self._catalog, paths, retry=self._options.retry, refined=self._refining.version)
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

    def _aside(self, files: Sequence[PlannedFile]) -> dict[str, list[str]]:
        """Return the sections to be tried again, by document."""
        sources = {*(str(file.path) for file in files), *self._tally.missing}
        return sections_aside(self._catalog, sources) if self._options.retry else {}

    def _prepare(
        self, changed: Sequence[PlannedFile], outdated: Sequence[str], aside: Mapping[str, Sequence[str]]
    ) -> None:
        """Show the extractor every document there will be, in an order that no interruption changes."""
        here: set[str] = set()
        sections = 0
        with self._tally.timed("read"):
            seen = {document.id: document for document in self._catalog.sampled()}
            for file in self._converting(changed):
                known = self._known(file)
                for item in self._loading.first(file.path):
                    if isinstance(item, Document):
                        file.documents += 1
                        here.add(item.id)
                        seen[item.id] = replace(item, text=item.text[:TITLE_SAMPLE])
                        sections += 0 if self._paid is None or _is_current(item, known) else len(sections_of(item))
        again = [id for id in outdated if id not in here]
        if self._paid is None:
            self._total = sum(file.documents for file in changed) + len(again)
        else:
            retried = sum(len(ids) for id, ids in aside.items() if id not in here | set(again))
            self._total = sections + sum(len(self._catalog.sections(id)) for id in again) + retried
        self._step(0)
        with self._tally.timed("extract"):
            self._extractor.prepare([seen[id] for id in sorted(seen)])

    def _converting(self, files: Sequence[PlannedFile]) -> Iterator[PlannedFile]:
        """Yield files, saying how many of those that take long are done."""
        total = sum(is_slow(file.path) for file in files)
        done = 0
        for file in self._ahead.files(files):
            yield file
            if is_slow(file.path):
                done += 1
                self._progress(Progress("convert", done, total))

    def _known(self, file: PlannedFile) -> dict[str, DocumentState]:
        return self._catalog.known(str(file.path), self._extractor.version, self._ontology)

    # Reading.

    def _read_file(self, file: PlannedFile) -> None:
        """Read one file to its end, writing in batches; then remove what it no longer holds."""
        known = self._known(file)
        seen: set[str] = set()
        problems: list[Problem] = []
        self._read(self._from_file(known, seen, problems), problems)
        self._finish_file(file, self._vanished(file, set(known) - seen, len(seen), len(problems)), problems)

    def _vanished(self, file: PlannedFile, unseen: set[str], seen: int, problems: int) -> set[str]:
        """Return which known documents a file no longer holds.

        None where reading it goes worse than before: what could not be read this time is not gone.
        """
        worse = problems > self._catalog.problems_in(str(file.path)) or (problems and not seen)
        return set() if worse else unseen

    def _is_new(self, file: PlannedFile) -> Callable[[Document], bool]:
        """Return what says of a document of a file whether it will be extracted as it is."""
        known = self._known(file)
        return lambda item: self._refining.marked(item) is item and not _is_current(item, known)

    def _items(self) -> Iterator[Document | Problem]:
        """Load the next file, counting the time as reading."""
        while True:
            with self._tally.timed("read"):
                item = next(self._coming)
            if item is None:
                return
            yield item if isinstance(item, Problem) else self._refining.marked(item)

    def _from_file(
        self, known: Mapping[str, DocumentState], seen: set[str], problems: list[Problem]
    ) -> Iterator[DocumentWork]:
        """Yield what of the next file is new or changed; note every document, and what has to be set aside."""
        for item in self._items():
            if isinstance(item, Problem):
                problems.append(item)
                continue
            if item.encoding and not seen:
                self._say_encoding(item)
            seen.add(item.id)
            if _is_current(item, known):
                self._tally.counts["unchanged"] += 1
                self._document_done()
                continue
            item = self._refined(item)
            try:
                divided = self._divided(item, known.get(item.id))
            except Exception as error:  # a fault in the rules must cost one document, not the ingest
                problems.append(_faulty(item, error))
                self._document_done()
            else:
                yield divided

    def _refined(self, document: Document) -> Document:
        with self._tally.timed("refine"):
            refined = self._refining.refined(document, self._progress)
        self._tally.warnings.extend(refined.warnings)
        return refined.document

    def _divided(self, document: Document, known: DocumentState | None) -> DocumentWork:
        from ..core.language import detect
        from ..documents.sections import split

        how = "added" if known is None else "updated" if known.content_hash != document.content_hash else "reread"
        with self._tally.timed("read"):
            shown = document if self._options.dry_run else keep(self._catalog.path.parent, document)
            return DocumentWork(shown, split(document), how, detect(document.text))

    def _outdated(self) -> Iterator[DocumentWork]:
        """Yield documents that another engine or ontology read, with the catalog's own text."""
        for id in self._catalog.outdated(self._extractor.version, self._ontology):
            if id not in self._read_now:
                yield DocumentWork(self._catalog.document(id), self._catalog.sections(id), "reread", stored=True)

    def _retried(self, files: Sequence[PlannedFile]) -> Iterator[DocumentWork]:
        """Yield the sections that earlier ingests set aside, where they are to be tried again."""
        for id, ids in self._aside(files).items():
            if id not in self._read_now:
                sections = [section for section in self._catalog.sections(id) if section.id in ids]
                yield DocumentWork(self._catalog.document(id), sections, "retried", stored=True)

    def _read(self, documents: Iterator[DocumentWork], problems: list[Problem] | None = None) -> None:
        """Read documents and write them in batches; one that cannot be read is a problem, or the end without a list."""
        batch: list[tuple[DocumentWork, DocumentFacts]] = []
        with closing(self._readings(documents)) as readings:
            for divided, reading in readings:
                _add_rows(divided, reading)
                if reading.fault is None:
                    batch.append((divided, reading))
                elif problems is None:
                    raise reading.fault
                else:
                    problems.append(_faulty(divided.document, reading.fault))
                self._document_done()
                if len(batch) >= (BATCH if self._paid is None else 1):
                    self._write(batch)
                    batch = []
        self._write(batch)

    def _readings(self, documents: Iterator[DocumentWork]) -> Generator[tuple[DocumentWork, DocumentFacts], None, None]:
        if not self._options.dry_run:
            yield from self._parallel.read(documents)
            return
        for divided in documents:
            for section in divided.sections:
                if self._estimator is not None:
                    self._estimator.add(section, divided.document)
                self._section_done()
            yield divided, DocumentFacts()

    # Writing.

    def _write(self, batch: Sequence[tuple[DocumentWork, DocumentFacts]]) -> None:
        """Write documents in one transaction; from then on they are not read again."""
        for divided, reading in batch:
            self._count(divided, reading)
        if self._options.dry_run or not batch:
            return
        with self._tally.timed("store"), self._catalog.writing():
            for divided, reading in batch:
                self._put(divided, reading)
            mark_changed(self._catalog)
        new = [divided for divided, _ in batch if divided.how in ("added", "updated")]
        self._written([section for divided in new for section in divided.sections])

    def _count(self, divided: DocumentWork, reading: DocumentFacts) -> None:
        counts = self._tally.counts
        counts["facts"] += sum(map(len, reading.facts.values()))
        counts["sections"] += 0 if divided.stored else len(divided.sections)
        counts[divided.how] += len(reading.facts) if divided.how == "retried" else 1
        self._read_now.add(divided.document.id)
        if divided.how in ("added", "updated") and self._paid is None:
            self._warn_of_language(divided.document, divided.language)

    def _put(self, divided: DocumentWork, reading: DocumentFacts) -> None:
        """Write one document, and set aside those of its sections that could not be read."""
        document, engine, ontology = divided.document, self._extractor.version, self._ontology
        facts: dict[str, Sequence[Fact]] = {**reading.facts, **dict.fromkeys(reading.aside, ())}
        if divided.stored:
            self._catalog.put_facts(facts, engine=engine, ontology=ontology)
        else:
            self._catalog.put(
                document, divided.language, divided.sections, facts, engine=engine, ontology=ontology
            )
            note_figures(self._catalog, document)
        told = {
            section.id: problem(document.source, section, str(reading.aside[section.id]))
            for section in divided.sections
            if section.id in reading.aside
        }
        if told:
            set_aside(self._catalog, told)
            self._tally.problems.extend(told.values())

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

    # Telling.

    def _section_done(self) -> None:
        if self._paid is not None:
            self._step(1)

    def _document_done(self) -> None:
        if self._paid is None:
            self._step(1)

    def _step(self, more: int) -> None:
        """Say how far it is: in documents, or in sections where each is a request."""
        self._done += more
        self._progress(Progress("read" if self._paid is None else "extract", self._done, max(self._total, self._done)))

    def _say_encoding(self, document: Document) -> None:
        name = encoding_name(document.encoding)
        self._tally.warnings.append(f"{document.source}: the file is not UTF-8; it was read as {name}.")

    def _warn_of_language(self, document: Document, language: str) -> None:
        if language != "en":
            from ..core.language import language_name

            self._tally.warnings.append(
                f"{document.source}: '{document.title}' seems to be {language_name(language)}; it is searched and "
                "quoted, but no cells are read from it, as the rules are English."
            )


def _is_current(document: Document, known: Mapping[str, DocumentState]) -> bool:
    """Whether a document was read as it is, by this engine."""
    before = known.get(document.id)
    return before is not None and before.content_hash == document.content_hash and before.current


def _add_rows(divided: DocumentWork, reading: DocumentFacts) -> None:
    """Take what the rows of tables say as it stands: in them is no prose to be read."""
    told: dict[str, list[Fact]] = defaultdict(list)
    for row in rows_of(divided.document, divided.sections):
        told[row.section.id] += row_facts(row)
    for section_id in told.keys() & reading.facts.keys():
        cells = {fact.sentence for fact in told[section_id]}
        prose = (f for f in reading.facts[section_id] if not any(c.start <= f.span.start < c.end for c in cells))
        reading.facts[section_id] = (*prose, *told[section_id])


def _faulty(document: Document, error: Exception) -> Problem:
    message = f"'{document.title}' could not be read ({type(error).__name__}: {error})"
    return Problem(document.source, None, message)


def _ignore(_: object) -> None:
    """Report to nobody."""
