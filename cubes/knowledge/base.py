"""`KnowledgeBase`: a folder with a catalog, and the cubes, sections and indexes over it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..core.errors import KnowledgeBaseError, UsageError
from ..core.records import Section
from ..index import vector_index as indexing
from ..model.cells import CubeSet
from ..model.corrections import Correction
from ..model.ontology import Ontology
from ..model.table_ids import is_inside
from ..model.tables import ORIGIN, told_apart
from ..smart.perspectives import discard, keep
from ..store.catalog import Catalog, DocumentInfo
from ..store.database import forget_replies
from ..store.derived import columns_wanted
from ..store.figures import FigureInfo, figures_of, shown_in, sweep
from ..store.folder_state import digest, open_catalog, open_or_create_catalog, stored_ontology
from ..store.vectors import VectorStore
from .announcing import announce, is_whole
from .generation import Generation
from .snapshot import Snapshot
from .status import Status, gather

if TYPE_CHECKING:
    from ..core.encoding import Encoder
    from ..extraction.protocol import Extractor
    from ..ingest.pipeline import IngestReport, Progress
    from ..ingest.prefetch import PrefetchingEncoder
    from ..ingest.refinement import Refiner
    from ..ingest.tasks import Tasks
    from ..retrieval.retriever import Retriever
    from ..smart.perspectives import Perspectives

__all__ = ["DocumentInfo", "FigureInfo", "KnowledgeBase", "Status"]

_TRIES = 3
"""Another process may write between one look and the next."""
ProgressCallback = Callable[["Progress"], None]


class KnowledgeBase:
    """A knowledge base in a folder: ingest into it, look into it, retrieve from it, correct it.

    Several threads may read it, and other processes may read it while one writes; a reader sees the new state
    after `refresh`. Use as a context manager, or call `close`.
    """

    def __init__(
        self,
        path: Path,
        catalog: Catalog,
        encoder: Callable[[], Encoder] | None = None,
        ontology: Ontology | None = None,
        columns: bool | None = None,
    ) -> None:
        self.path = path
        self._columns = columns_wanted() if columns is None else columns
        self._catalog = catalog
        self._encoder = encoder
        self._wanted = ontology
        self._lock = threading.RLock()
        self._snapshot = self._loading(ontology or stored_ontology(catalog))

    @classmethod
    def open(
        cls, path: Path, *, encoder: Callable[[], Encoder] | None = None, columns: bool | None = None
    ) -> Self:
        """Open an existing knowledge base.

        ``encoder`` is called when something is to be embedded; without it only exact and lexical routes are
        open. ``columns`` False looks labels up in their Chroma collections, and reads and leaves no columns, the cache
        in front of these; None is as MULTICUBE_COLUMNS says. Raises KnowledgeBaseError where there is none, or it is
        unfinished and empty, damaged, or newer.
        """
        path = Path(path).absolute()
        return cls(path, open_catalog(path), encoder, columns=columns)

    @classmethod
    def create(
        cls,
        path: Path,
        *,
        ontology: Ontology | None = None,
        encoder: Callable[[], Encoder] | None = None,
        columns: bool | None = None,
    ) -> Self:
        """Open a knowledge base to be written, making it where there is none.

        ``ontology`` None is the one it has, or the default one. Another one is taken over by the next ingest,
        which then reads every document again. Raises KnowledgeBaseError for a folder of other things, or one
        that cannot be written.
        """
        path = Path(path).absolute()
        return cls(path, open_or_create_catalog(path, ontology), encoder, ontology, columns)

    def beside(self) -> Self:
        """Open the folder once more, with the same encoder: one to write while the other is read."""
        return type(self).create(self.path, encoder=self._encoder, columns=self._columns)

    def close(self) -> None:
        """Close the files; may be called twice."""
        self._snapshot = self._snapshot.without_index()
        self._catalog.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading.

    @property
    def generation(self) -> int:
        """Counts the states that were completely written; this is the one that reads see."""
        return self._snapshot.generation

    @property
    def engine(self) -> str:
        """The engine of the last ingest ("embedded/1"), "" before the first."""
        return self._catalog.meta("engine") or ""

    @property
    def ontology(self) -> Ontology:
        """The classes and dimensions of the cubes, those of tables among them."""
        return self._snapshot.ontology

    @property
    def given_ontology(self) -> Ontology:
        """The classes and dimensions that texts are read with."""
        return self._snapshot.given

    @property
    def cubes(self) -> CubeSet:
        """The cubes of this generation."""
        return self._snapshot.cubes

    @property
    def retriever(self) -> Retriever:
        """Retrieval over this generation.

        Raises EncoderMismatchError where another encoder embedded it, CorruptStoreError where Chroma does not hold what
        the catalog says, which is looked at once a generation.
        """
        return self._snapshot.retriever

    @property
    def state(self) -> str:
        """Names the content that reads see: another after every change of documents or corrections."""
        return self._snapshot.state

    @property
    def perspectives(self) -> Perspectives | None:
        """The abstractions (SMART) built of this content, where there are any."""
        return self._snapshot.perspectives

    @property
    def encoder(self) -> Encoder | None:
        """The encoder it was opened with, made when it is first asked for; None where it has none."""
        return None if self._encoder is None else self._encoder()

    def likeness(self, text: str, others: Sequence[str]) -> list[float]:
        """Return the cosine of a text with each of others; nothing where the knowledge base has no encoder."""
        if self._encoder is None or not others:
            return []
        encoder = self._encoder()
        (asked,) = encoder.encode([text])  # by itself: beside long texts it would be filled up to their length
        return [float(cosine) for cosine in encoder.encode(others) @ asked]

    def refresh(self) -> bool:
        """Follow what another process has written; True where there is a newer generation. Cheap."""
        with self._lock:
            if self._catalog.number("generation") == self._snapshot.generation:
                return False
            fresh = self._newest()
            if self._snapshot.is_loaded and not (fresh.load() and is_whole(self._catalog, fresh)):
                return False  # someone writes already what comes next: the state that is known is a whole one
            self._snapshot = fresh
            return True

    def settled(self) -> Self:
        """Return a view of the newest generation that stays there while this moves on; closing this closes both."""
        with self._lock:
            self.refresh()
            for _ in range(_TRIES):
                if self._snapshot.load():
                    break
                self._renew()
            return copy(self)

    def sections(self) -> Sequence[Section]:
        """Return every section, in the order of documents."""
        return self._snapshot.sections

    def section(self, section_id: str) -> Section:
        """Return one section; raises UsageError for an unknown id."""
        try:
            return self._snapshot.sections_by_id[section_id]
        except KeyError:
            raise UsageError(f"There is no section '{section_id}'.", listed_by="multicube docs show") from None

    def documents(self) -> list[DocumentInfo]:
        """Return every document, in the order they came."""
        return list(self._snapshot.documents.values())

    def document(self, document_id: str) -> DocumentInfo:
        """Return one document; raises UsageError for an unknown id."""
        try:
            return self._snapshot.documents[document_id]
        except KeyError:
            raise UsageError(f"There is no document '{document_id}'.", listed_by="multicube docs list") from None

    def figures(self, document_id: str) -> list[FigureInfo]:
        """Return the images of one document, in the order of its text (HiQA A.3)."""
        return figures_of(self._catalog, document_id)

    def section_figures(self, section: Section) -> list[FigureInfo]:
        """Return the images that a section shows, in the order of its text."""
        return shown_in(self._catalog, section)

    @property
    def complete(self) -> bool:
        """Whether no ingest was left unfinished; cheaper than the whole `status`."""
        return self._catalog.meta("complete") == "1"

    def status(self) -> Status:
        """Return what is there, what was set aside, and what is out of date."""
        return gather(self._catalog, self._store(), self.ontology.name, digest(self.given_ontology))

    def check_store(self) -> int:
        """Return how many records Chroma holds; raises CorruptStoreError where they are not those of the catalog."""
        return self._reading().check()

    def corrections(self) -> list[Correction]:
        """Return the corrections in the order they were made."""
        return list(self._snapshot.corrections)

    def export(self) -> Iterator[dict[str, Any]]:
        """Yield everything as records, in an order that depends on the content and not on its history."""
        from ..store.export import exported

        return exported(self.documents(), self.sections(), self.cubes, self.corrections())

    # Writing.

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        extractor: Extractor,
        progress: ProgressCallback | None = None,
        dry_run: bool = False,
        retry: bool = False,
        prune: bool = False,
        refiner: Refiner | None = None,
        tasks: Tasks | None = None,
    ) -> IngestReport:
        """Read files and folders, only what is new or changed, and embed what is new.

        Goes on where an earlier run was killed. ``dry_run`` only reports, ``retry`` reads again what was set
        aside, ``prune`` removes documents whose file is gone; ``refiner`` improves what was read from a layout.
        With ``tasks`` workers read and embed (`ray_tasks`), and this process alone writes: the result is the same.
        Raises LockedError while another process writes, InputError where there is nothing to read,
        EncoderMismatchError where another encoder embedded the knowledge base.
        """
        from ..ingest.pipeline import IngestOptions, Ingestor
        from ..ingest.prefetch import PrefetchingEncoder

        options = IngestOptions(dry_run=dry_run, retry=retry, prune=prune)
        known = digest(self.given_ontology)
        if dry_run:
            dry = Ingestor(self._catalog, extractor, known, options, progress, refiner=refiner, tasks=tasks)
            return dry.run([Path(path) for path in paths])
        with self._writing(), PrefetchingEncoder(self._encoder, tasks) as ahead:
            ingestor = Ingestor(self._catalog, extractor, known, options, progress, ahead.offer, refiner, tasks)
            self._check_encoder()
            self._begin(extractor.version, known)
            report = ingestor.run([Path(path) for path in paths])
            started = time.perf_counter()
            self._note_tables()
            self._leave_columns()
            vectors = self._embed(progress, ahead)
            self._catalog.set_meta(complete=1)
            seconds = {**report.seconds, "embed": round(time.perf_counter() - started, 3)}
        return report.model_copy(update={"vectors": vectors, "seconds": seconds})

    def remove(self, name: str) -> int:
        """Remove documents completely and return how many; needs no model.

        ``name`` is a document's id, its record id, or its file (then all its records go). The replies kept of
        language models and the abstractions go with them, since they may quote the documents. Raises UsageError where
        it fits none.
        """
        resolved = str(Path(name).expanduser().resolve())
        with self._writing():
            gone = [
                document
                for document in self.documents()
                if name in (document.id, document.record_id, document.source) or document.source == resolved
            ]
            if not gone:
                raise UsageError(f"There is no document '{name}'.", listed_by="multicube docs list")
            with self._catalog.writing():
                self._catalog.remove_documents(gone)
                indexing.mark_changed(self._catalog)
            self._note_tables()
            self._leave_columns()
            indexing.prune(self._catalog, self._store(), self._snapshot)
            discard(self.path)
            forget_replies(self.path)
        return len(gone)

    def correct(self, correction: Correction) -> Correction:
        """Store a correction (see `correcting`), which outlives later ingests; returns it with its id.

        Raises UsageError where it names what is not there.
        """
        from ..store.correction_requests import checked

        with self._writing():
            checked(correction, self)
            with self._catalog.writing():
                stored = self._catalog.add_correction(correction)
                indexing.mark_changed(self._catalog)
            self._leave_columns()
            self._embed(None)
        return stored

    def undo_correction(self, correction_id: int | str) -> None:
        """Take a correction back; raises UsageError for an unknown id."""
        with self._writing():
            with self._catalog.writing():
                if not self._catalog.remove_correction(str(correction_id)):
                    raise UsageError(f"There is no correction '{correction_id}'; `cube --corrections` lists them.")
                indexing.mark_changed(self._catalog)
            self._leave_columns()
            self._embed(None)

    def accept_empty(self) -> None:
        """Let a knowledge base without documents be opened: they come later, by upload."""
        with self._writing():
            self._catalog.set_meta(complete=1)

    def rebuild(self, progress: ProgressCallback | None = None) -> None:
        """Derive the vectors anew from the catalog, with the encoder in use.

        Raises UsageError where the knowledge base was opened without an encoder.
        """
        if self._encoder is None:
            raise UsageError("Deriving the vector index needs an encoder; name one with --encoder.")
        self._encoder().encode(["One that cannot be loaded must fail before the index is deleted."])
        with self._writing():
            indexing.forget(self._catalog, self._store())
            self._embed(progress)

    def keep_perspectives(self, found: Perspectives, progress: ProgressCallback | None = None) -> int:
        """Keep abstractions (SMART) and embed them; returns how many vectors were written.

        Raises KnowledgeBaseError where they were made of another content.
        """
        with self._writing():
            if found.state != self.state:
                raise KnowledgeBaseError(f"Something changed {self.path} meanwhile; run the same command again.")
            keep(found, self.path)
            with self._catalog.writing():
                indexing.mark_abstracted(self._catalog)
            self._renew()
            return self._embed(progress)

    # Inside.

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock; a new generation is announced afterwards if anything changed."""
        with self._catalog.write_lock(), self._lock:
            self._settle()  # what a killed writer left unannounced
            try:
                yield
            finally:
                sweep(self._catalog)
                self._settle()

    def _settle(self) -> None:
        """Announce what was written, if anything was."""
        if announce(self._catalog):
            self._renew()
        else:
            self.refresh()

    def _renew(self) -> None:
        """Load the present state when it is next asked for."""
        self._snapshot = self._newest()

    def _newest(self) -> Snapshot:
        known = self._wanted is not None or self._catalog.meta("ontology_hash") == digest(self.given_ontology)
        ontology = self.given_ontology if known else stored_ontology(self._catalog)
        return self._loading(ontology)

    def _loading(self, ontology: Ontology) -> Snapshot:
        """Make a generation that is loaded piece by piece; the memory of what is loaded goes with it."""
        reading = self._reading()
        return Snapshot(self._catalog, ontology, reading.vectors, None if self._columns else reading.labels)

    def _begin(self, engine: str, known: str) -> None:
        """Note that an ingest is under way, and with which engine and ontology."""
        if known != digest(self.given_ontology):  # the extractor was made for the one known when the ingest was called
            raise KnowledgeBaseError(f"Someone gave {self.path} another ontology meanwhile; run the ingest again.")
        entries = {"engine": engine, "ontology_hash": known}
        if any(self._catalog.meta(key) != value for key, value in entries.items()):
            with self._catalog.writing():
                self._catalog.set_meta(ontology=self.given_ontology.model_dump_json(), **entries)
                indexing.mark_changed(self._catalog)
        self._catalog.set_meta(complete=0)
        self._wanted = None

    def _embed(self, progress: ProgressCallback | None, ahead: PrefetchingEncoder | None = None) -> int:
        """Bring the vectors in step, if there is an encoder and anything to do."""
        store = self._store()
        if self._encoder is None or indexing.is_indexed(self._catalog, store):
            return 0
        self._renew()

        from ..ingest.pipeline import Progress

        def step(done: int, total: int) -> None:
            if progress is not None:
                progress(Progress("embed", done, total))

        try:
            return indexing.synchronise(self._catalog, store, self._snapshot, ahead or self._encoder(), step)
        finally:
            store.close()

    def _note_tables(self) -> None:
        """Note which tables the documents hold, by their facts; corrections change none."""
        told = self._catalog.columns_told(ORIGIN)
        if any(is_inside(cube) for cube, *_ in told):
            told = told_apart(told, self._catalog.subjects_told(ORIGIN))
        self._catalog.set_meta(tables=json.dumps(told))

    def _leave_columns(self) -> None:
        """Make anew what readers open instead of the catalog; nothing of the old may stay."""
        self._renew()
        self._snapshot.leave()

    def _check_encoder(self) -> None:
        """Refuse another encoder before anything is read, not after."""
        if self._encoder is not None and self._catalog.meta("encoder") is not None:
            indexing.check_encoder(self._catalog, self._encoder())

    def _reading(self) -> Generation:
        return Generation(self._catalog, self._store(), self._encoder, columns=self._columns)

    def _store(self) -> VectorStore:
        return VectorStore(self.path, self._catalog.meta("kb_id") or "")
