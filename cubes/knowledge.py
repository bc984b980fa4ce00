"""`KnowledgeBase`: a folder with a catalog, and the cubes, sections and indexes over it."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from . import indexing
from .catalog import CATALOG_FILE, Catalog, DocumentInfo
from .cells import CubeSet
from .corrections import Correction, overlay
from .errors import CorruptStoreError, KnowledgeBaseError, UsageError
from .extraction.protocol import Extractor
from .ingest import IngestOptions, Ingestor, IngestReport, Progress
from .locks import HOLDER_FILE, LOCK_FILE, write_lock
from .ontology import Ontology, load_ontology
from .records import Fact, Problem, Section
from .vectors import CHROMA_FOLDER, VectorStore

if TYPE_CHECKING:
    from .encoding import Encoder
    from .retrieval import Retriever

__all__ = ["DocumentInfo", "KnowledgeBase", "Status"]

OURS = frozenset({CATALOG_FILE, f"{CATALOG_FILE}-wal", f"{CATALOG_FILE}-shm", LOCK_FILE, HOLDER_FILE})
"""What a knowledge base that was killed while it was created may have left behind."""

ProgressCallback = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Status:
    """What a knowledge base holds. ``bytes`` maps its parts to their size on disk.

    ``outdated`` counts documents that another engine than ``engine`` or another ontology read; ``indexed`` says
    whether the vectors are in step with the catalog; ``complete`` is false while an ingest is unfinished.
    """

    path: Path
    documents: int
    sections: int
    facts: int
    vectors: int
    corrections: int
    generation: int
    engine: str
    ontology: str
    encoder: str | None
    complete: bool
    indexed: bool
    outdated: int
    problems: tuple[Problem, ...] = ()
    bytes: Mapping[str, int] = field(default_factory=dict)


class _State:
    """Everything of one generation, loaded when first asked for. Threads that hold an old one go on undisturbed."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._kb = kb
        self._lock = threading.RLock()
        self.generation = kb._catalog.number("generation")

    @cached_property
    def sections(self) -> Sequence[Section]:
        """Every section, in order."""
        return self._kb._catalog.sections()

    @cached_property
    def sections_by_id(self) -> Mapping[str, Section]:
        """Section id -> section."""
        return {section.id: section for section in self.sections}

    @cached_property
    def documents(self) -> Mapping[str, DocumentInfo]:
        """Document id -> document, in order."""
        return {document.id: document for document in self._kb._catalog.documents()}

    @property
    def cubes(self) -> CubeSet:
        """The cubes over the corrected facts."""
        with self._lock:
            return self._cubes

    @cached_property
    def _cubes(self) -> CubeSet:
        return CubeSet.build(self._kb.ontology, self.sections, self.facts())

    def facts(self) -> Iterator[Fact]:
        """Every fact, as corrected."""
        sources = {document.id: document.source for document in self.documents.values()}
        catalog = self._kb._catalog
        return overlay(
            catalog.facts(),
            catalog.corrections(),
            ontology=self._kb.ontology,
            sections=self.sections_by_id,
            sources=sources,
        )

    @property
    def retriever(self) -> Retriever:
        """Retrieval over this generation."""
        with self._lock:
            return self._retriever

    @cached_property
    def _retriever(self) -> Retriever:
        from .retrieval import Retriever

        return Retriever(self.cubes, self.sections, self._kb._dense(), metadata=self.documents)


class KnowledgeBase:
    """A knowledge base in a folder: ingest into it, look into it, retrieve from it, correct it.

    Several threads may read it, and other processes may read it while one writes; a reader sees the new state after
    `refresh`. Use as a context manager, or call `close`.
    """

    def __init__(
        self,
        path: Path,
        catalog: Catalog,
        encoder: Callable[[], Encoder] | None,
        ontology: Ontology | None = None,
    ) -> None:
        self.path = path
        self._catalog = catalog
        self._encoder = encoder
        self._wanted = ontology
        self._lock = threading.RLock()
        self._state = _State(self)

    # Opening.

    @classmethod
    def open(cls, path: Path, *, encoder: Callable[[], Encoder] | None = None) -> Self:
        """Open an existing knowledge base.

        ``encoder`` is called when something is to be embedded; without it, only exact and lexical routes are open.
        Raises KnowledgeBaseError where there is none, or it is unfinished and empty, damaged, or too new.
        """
        path = Path(path).absolute()
        _check_there(path)
        catalog = Catalog.open(path / CATALOG_FILE)
        if catalog.meta("complete") != "1" and not catalog.counts()["documents"]:
            catalog.close()
            raise KnowledgeBaseError(
                f"The knowledge base {path} is empty: its first ingest has not finished; "
                f"run it (again): multicube ingest PATH... --kb {path}"
            )
        return cls(path, catalog, encoder)

    @classmethod
    def create(
        cls, path: Path, *, ontology: Ontology | None = None, encoder: Callable[[], Encoder] | None = None
    ) -> Self:
        """Open a knowledge base to be written, making it where there is none.

        ``ontology`` None is the one it has, or the default one. A different one is taken over at the next ingest,
        which reads every document again. Raises KnowledgeBaseError for a folder of other things, or one that cannot
        be written.
        """
        path = Path(path).absolute()
        _check_ours(path)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KnowledgeBaseError(
                f"The folder {path} cannot be made ({error.strerror}); name another with --kb."
            ) from error
        file = path / CATALOG_FILE
        with _laying_out(path, file):
            if _is_blank(file):
                first = _first_entries(ontology or load_ontology("default"))
                return cls(path, Catalog.create(file, first), encoder, ontology)
        return cls(path, Catalog.open(file), encoder, ontology)

    def close(self) -> None:
        """Close the files."""
        self._state = _Closed(self)  # lets go of the vector index
        self._catalog.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Reading.

    @property
    def generation(self) -> int:
        """Counts the states that were completely written; this is the one that reads see."""
        return self._state.generation

    @property
    def engine(self) -> str:
        """The engine of the last ingest ("embedded/1"), "" before the first."""
        return self._catalog.meta("engine") or ""

    @property
    def ontology(self) -> Ontology:
        """The classes and dimensions of the cubes."""
        return self._wanted or self._stored_ontology

    @cached_property
    def _stored_ontology(self) -> Ontology:
        try:
            return Ontology.model_validate_json(self._catalog.meta("ontology") or "")
        except ValueError as error:
            raise CorruptStoreError(
                f"The ontology stored in {self.path} cannot be read; name it again: multicube ingest PATH... --ontology FILE --kb {self.path}"
            ) from error

    @property
    def cubes(self) -> CubeSet:
        """The cubes of this generation."""
        return self._state.cubes

    @property
    def retriever(self) -> Retriever:
        """Retrieval over this generation; raises EncoderMismatchError where another encoder embedded it."""
        return self._state.retriever

    def refresh(self) -> bool:
        """Follow what another process has written; True where a newer generation was found. Cheap."""
        with self._lock:
            if self._catalog.number("generation") == self._state.generation:
                return False
            self._renew()
            return True

    def sections(self) -> Sequence[Section]:
        """Return every section, in the order of documents."""
        return self._state.sections

    def section(self, section_id: str) -> Section:
        """Return one section; raises UsageError for an unknown id."""
        try:
            return self._state.sections_by_id[section_id]
        except KeyError:
            raise UsageError(
                f"There is no section '{section_id}'; `multicube docs show DOCUMENT` names them."
            ) from None

    def documents(self) -> list[DocumentInfo]:
        """Return every document, in the order they came."""
        return list(self._state.documents.values())

    def document(self, document_id: str) -> DocumentInfo:
        """Return one document; raises UsageError for an unknown id."""
        try:
            return self._state.documents[document_id]
        except KeyError:
            raise UsageError(
                f"There is no document '{document_id}'; `multicube docs list` names them."
            ) from None

    def status(self) -> Status:
        """Return what is there, what was set aside, and what is out of date."""
        counts = self._catalog.counts()
        numbers = {
            name: counts[name] for name in ("documents", "sections", "facts", "vectors", "corrections")
        }
        return Status(
            path=self.path, generation=self.generation, engine=self.engine, ontology=self.ontology.name,
            encoder=self._catalog.meta("encoder"), complete=self._catalog.meta("complete") == "1",
            indexed=indexing.is_indexed(self._catalog, self._store()), problems=tuple(self._catalog.problems()),
            outdated=len(self._catalog.outdated(self.engine, _digest(self.ontology))), bytes=_sizes(self.path), **numbers,
        )  # fmt: skip

    def export(self) -> Iterator[dict[str, Any]]:
        """Yield everything in an order that depends on the content alone, not on how it came here."""
        from .export import exported

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
    ) -> IngestReport:
        """Read files and folders, only what is new or changed, and embed what is new.

        Goes on where an earlier run was killed. ``dry_run`` only reports, ``retry`` reads again what was set aside,
        ``prune`` removes documents whose file is gone. Raises LockedError while another process writes, InputError
        where there is nothing to read, EncoderMismatchError where another encoder embedded the knowledge base.
        """
        ingestor = Ingestor(
            self._catalog, extractor, _digest(self.ontology), IngestOptions(dry_run, retry, prune), progress
        )
        if dry_run:
            return ingestor.run(paths)
        with self._writing():
            self._check_encoder()
            self._begin(extractor)
            report = ingestor.run(paths)
            vectors = self._embed(progress, ingestor.seconds)
            self._catalog.set_meta(complete=1)
        return report.model_copy(
            update={"vectors": vectors, "seconds": {k: round(v, 3) for k, v in ingestor.seconds.items()}}
        )

    def remove(self, name: str) -> int:
        """Remove documents completely and return how many; needs no model.

        ``name`` is a document's id, its record id, or its file (then all its records go). Raises UsageError where
        it fits none.
        """
        resolved = str(Path(name).expanduser().resolve())
        with self._writing():
            gone = [
                d for d in self.documents() if name in (d.id, d.record_id, d.source) or d.source == resolved
            ]
            if not gone:
                raise UsageError(f"There is no document '{name}'; `multicube docs list` names them.")
            self._remove(gone)
        return len(gone)

    def correct(self, correction: Correction) -> Correction:
        """Store a correction, which outlives later ingests, and return it with its id.

        Raises UsageError where it names what is not there.
        """
        from .correcting import checked

        with self._writing():
            checked(correction, self)
            with self._catalog.writing():
                stored = self._catalog.add_correction(correction)
                indexing.mark_changed(self._catalog)
            self._renew()
            self._embed(None, {})
        return stored

    def corrections(self) -> list[Correction]:
        """Return the corrections in the order they were made."""
        return self._catalog.corrections()

    def undo_correction(self, correction_id: int | str) -> None:
        """Take a correction back; raises UsageError for an unknown id."""
        with self._writing():
            with self._catalog.writing():
                known = str(correction_id).isdigit() and self._catalog.remove_correction(int(correction_id))
                if not known:
                    raise UsageError(
                        f"There is no correction '{correction_id}'; `multicube cube --corrections` lists them."
                    )
                indexing.mark_changed(self._catalog)
            self._renew()
            self._embed(None, {})

    def rebuild(self, progress: ProgressCallback | None = None) -> None:
        """Derive the vectors anew from the catalog, with the encoder in use."""
        with self._writing():
            self._store().clear()
            with self._catalog.writing() as connection:
                connection.execute("DELETE FROM vectors")
                self._catalog.set_meta(encoder=None, vectors_at=None, indexed=None)
            self._embed(progress, {})

    # Inside.

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the write lock; afterwards a new generation is there if anything changed."""
        with write_lock(self.path), self._lock:
            self._settle()  # what a killed writer left unannounced
            self.refresh()
            try:
                yield
            finally:
                self._settle()

    def _settle(self) -> None:
        """Announce a new generation where the catalog or the vectors changed since the last one."""
        now = f"{self._catalog.number('changes')}/{self._catalog.meta('indexed')}/{self._catalog.meta('encoder')}"
        if self._catalog.meta("settled") != now:
            with self._catalog.writing():
                self._catalog.bump("generation")
                self._catalog.set_meta(settled=now)
            self._renew()

    def _renew(self) -> None:
        """Load the present generation when it is next asked for."""
        self.__dict__.pop("_stored_ontology", None)
        self._state = _State(self)

    def _begin(self, extractor: Extractor) -> None:
        """Note that an ingest is under way, and under which ontology and engine."""
        digest = _digest(self.ontology)
        with self._catalog.writing():
            if (
                self._catalog.meta("engine") != extractor.version
                or self._catalog.meta("ontology_hash") != digest
            ):
                self._catalog.set_meta(
                    engine=extractor.version, ontology=self.ontology.model_dump_json(), ontology_hash=digest
                )
                indexing.mark_changed(self._catalog)
                self._renew()

    def _embed(self, progress: ProgressCallback | None, seconds: dict[str, float]) -> int:
        """Bring the vectors in step, if there is an encoder and anything to do."""
        import time

        store = self._store()
        if self._encoder is None or indexing.is_indexed(self._catalog, store):
            return 0
        started = time.perf_counter()
        self._renew()

        def step(done: int, total: int) -> None:
            if progress is not None:
                progress(Progress("embed", done, total))

        try:
            return indexing.synchronise(self._catalog, store, self._state, self._encoder(), step)
        finally:
            store.close()
            seconds["embed"] = time.perf_counter() - started

    def _remove(self, documents: Sequence[DocumentInfo]) -> None:
        """Remove documents with the vectors of their sections and of labels that nothing else has."""
        files = {document.source for document in documents}
        with self._catalog.writing():
            self._catalog.remove([document.id for document in documents])
            left = set(self._catalog.sources())
            for source in files - left:
                self._catalog.forget_file(source)
            for source in files & left:  # read it again next time: the removed records are still in it
                with self._catalog.writing() as connection:
                    connection.execute("UPDATE files SET hash = '', size = -1 WHERE path = ?", (source,))
            indexing.mark_changed(self._catalog)
        self._renew()
        store = self._store()
        try:
            indexing.prune(self._catalog, store, self._state)
        finally:
            store.close()

    def _check_encoder(self) -> None:
        if self._encoder is not None and self._catalog.meta("encoder") is not None:
            indexing.check_encoder(self._catalog, self._encoder())

    def _dense(self) -> indexing.VectorIndex | None:
        """The dense index of this generation; None without an encoder or before anything was embedded."""
        if self._encoder is None:
            return None
        encoder = self._encoder()
        indexing.check_encoder(self._catalog, encoder)
        return indexing.VectorIndex(self._catalog, self._store(), encoder)

    def _store(self) -> VectorStore:
        return VectorStore(self.path, self._catalog.meta("kb_id") or "")


class _Closed(_State):
    """What is left of a closed knowledge base."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.generation = kb.generation


def _check_there(path: Path) -> None:
    """Raise KnowledgeBaseError where a folder is no knowledge base, saying why."""
    if not path.exists():
        raise KnowledgeBaseError(
            f"There is no knowledge base at {path}; make one with: multicube ingest PATH... --kb {path}"
        )
    if not path.is_dir():
        raise KnowledgeBaseError(f"{path} is a file, not the folder of a knowledge base.")
    if not _is_blank(path / CATALOG_FILE):
        return
    if (path / CHROMA_FOLDER).exists():
        raise CorruptStoreError(
            f"The catalog of {path} is gone ({CATALOG_FILE}) and cannot be derived from the rest; "
            "restore it from a copy, or delete the folder and ingest again."
        )
    if {entry.name for entry in path.iterdir()} <= OURS:
        raise KnowledgeBaseError(
            f"The knowledge base {path} was never finished; run its ingest again: multicube ingest PATH... --kb {path}"
        )
    raise KnowledgeBaseError(
        f"{path} holds other things and is no knowledge base; name another folder with --kb."
    )


def _check_ours(path: Path) -> None:
    """Raise KnowledgeBaseError where a knowledge base must not be made: in a folder of other things."""
    if (
        path.is_dir()
        and _is_blank(path / CATALOG_FILE)
        and not {entry.name for entry in path.iterdir()} <= OURS
    ):
        _check_there(path)
    if path.exists() and not path.is_dir():
        raise KnowledgeBaseError(f"{path} is a file; name a folder for the knowledge base with --kb.")


@contextmanager
def _laying_out(path: Path, file: Path) -> Iterator[None]:
    """Two processes must not lay out the same catalog; an existing one needs no lock to be opened."""
    if _is_blank(file):
        with write_lock(path):
            yield
    else:
        yield


def _is_blank(file: Path) -> bool:
    """Whether a catalog is not there or was killed before its tables were written."""
    try:
        with file.open("rb") as opened:
            # Tables appear in the file or still stand in the write-ahead log beside it.
            wal = file.with_name(f"{file.name}-wal")
            return not opened.read(1) and not (wal.is_file() and wal.stat().st_size)
    except FileNotFoundError:
        return True
    except OSError as error:
        raise KnowledgeBaseError(
            f"{file} cannot be read ({error.strerror}); check its permissions."
        ) from error


def _first_entries(ontology: Ontology) -> dict[str, str]:
    from importlib.metadata import version

    return {
        "kb_id": uuid.uuid4().hex, "ontology": ontology.model_dump_json(), "ontology_hash": _digest(ontology),
        "generation": "0", "changes": "0", "complete": "0", "made_by": f"multicube-rag {version('multicube-rag')}",
    }  # fmt: skip


def _digest(ontology: Ontology) -> str:
    text = json.dumps(ontology.model_dump(mode="json"), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _sizes(path: Path) -> dict[str, int]:
    """Bytes on disk by part: catalog, chroma, runs, ..."""
    sizes: dict[str, int] = {}
    for folder, _, files in os.walk(path):
        for file in files:
            place = Path(folder, file)
            part = place.relative_to(path).parts[0].split(".")[0]
            try:
                sizes[part] = sizes.get(part, 0) + place.stat().st_size
            except OSError:
                continue
    return sizes
