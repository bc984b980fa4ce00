"""The catalog, the record of a knowledge base, in a SQLite file or in PostgreSQL; all else is derived from it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.records import Document, Fact, Problem, Section, Span
from ..model.corrections import Correction
from . import schema
from .database import Connection, DocumentInfo, DocumentState, FileState, clean, connect, explained, streamed, text_hash
from .locks import write_lock

__all__ = ["CATALOG_FILE", "Catalog", "DocumentInfo", "DocumentState", "FileState", "text_hash"]

CATALOG_FILE = "catalog.sqlite"
TITLE_SAMPLE = 1_000
"""How much of a known document's text an extractor may look at in `prepare`."""
_FACTS_AT_ONCE = 10_000
_SET_META = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_SET_EXTRACTION = (
    "INSERT INTO extractions VALUES (?, ?, ?) "
    "ON CONFLICT (section) DO UPDATE SET engine = excluded.engine, ontology = excluded.ontology"
)


class Catalog:
    """Reads and writes the catalog. Safe to use from several threads; every write is one transaction."""

    whole = True
    """Whether all of it is read; what is derived from a part (see `permissions`) is nobody else's."""

    def __init__(self, path: Path, connection: Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path) -> Catalog:
        """Open an existing catalog, bringing an older one up to date.

        Raises CorruptStoreError for a damaged or foreign file, KnowledgeBaseError for one of a newer version.
        """
        with explained(path):
            connection = connect(path)
            if not schema.is_current(connection, path):
                schema.migrate(connection)
        return cls(path, connection)

    @classmethod
    def create(cls, path: Path, meta: Mapping[str, str]) -> Catalog:
        """Lay out a new catalog; its tables and first entries appear together."""
        with explained(path):
            connection = connect(path)
            schema.create(connection, meta)
        return cls(path, connection)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write everything inside, or nothing; may be nested."""
        with self._lock, explained(self.path):
            if self._connection.in_transaction:
                yield self._connection
            else:
                with schema.transaction(self._connection) as connection:
                    yield connection

    def write_lock(self) -> AbstractContextManager[None]:
        """Hold the right to write the knowledge base; raises LockedError at once where another has it."""
        return write_lock(self.path.parent, connection=self._connection)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read everything inside as of one moment, whatever another process writes meanwhile."""
        with self._lock, explained(self.path):
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("COMMIT")

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run a query."""
        with self._lock, explained(self.path):
            return self._connection.execute(query, values).fetchall()

    # Entries about the knowledge base as a whole.

    def meta(self, key: str) -> str | None:
        """Return an entry, or None."""
        found = self.rows("SELECT value FROM meta WHERE key = ?", key)
        return str(found[0][0]) if found else None

    def number(self, key: str) -> int:
        """Return an entry that counts; 0 where there is none."""
        return int(self.meta(key) or 0)

    def set_meta(self, **entries: str | int | None) -> None:
        """Write entries; None removes one."""
        with self.writing() as connection:
            for key, value in entries.items():
                if value is None:
                    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
                else:
                    connection.execute(_SET_META, (key, str(value)))

    def bump(self, key: str) -> int:
        """Raise a counting entry by one and return it."""
        with self.writing():
            value = self.number(key) + 1
            self.set_meta(**{key: value})
        return value

    # Files and what was set aside in them.

    def files(self) -> dict[str, FileState]:
        """Return every file that was read completely."""
        found = self.rows("SELECT path, size, mtime_ns, read_at_ns, hash FROM files")
        return {path: FileState(*state) for path, *state in found}

    def set_file(self, path: str, state: FileState) -> None:
        """Note that a file was read completely."""
        with self.writing() as connection:
            connection.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET size = excluded.size, "
                "mtime_ns = excluded.mtime_ns, read_at_ns = excluded.read_at_ns, hash = excluded.hash",
                (path, state.size, state.mtime_ns, state.read_at_ns, state.hash),
            )

    def set_problems(self, file: str, problems: Sequence[Problem]) -> None:
        """Replace what is set aside in a file."""
        with self.writing() as connection:
            connection.execute("DELETE FROM problems WHERE file = ?", (file,))
            connection.executemany(
                "INSERT INTO problems(file, source, line, message) VALUES (?, ?, ?, ?)",
                [(file, clean(p.source), p.line, clean(p.message)) for p in problems],
            )

    def forget_file(self, path: str) -> None:
        """Forget a file and what was set aside in it; its documents are removed apart."""
        with self.writing() as connection:
            connection.execute("DELETE FROM files WHERE path = ?", (path,))
            connection.execute("DELETE FROM problems WHERE file = ?", (path,))

    def problems(self) -> list[Problem]:
        """Return everything that is set aside, file by file: what could not be loaded, then sections."""
        found = self.rows(
            "SELECT source, line, message FROM (SELECT file, 0 AS kind, number, 0 AS ordinal, source, line, message "
            "FROM problems UNION ALL SELECT d.source, 1, d.number, s.ordinal, d.source, NULL, a.message FROM aside a "
            "JOIN sections s ON s.number = a.section JOIN documents d ON d.number = s.document) AS aside_too "
            "ORDER BY file, kind, number, ordinal"
        )
        return [Problem(*row) for row in found]

    def problems_in(self, file: str) -> int:
        """Return how much is set aside in a file."""
        return int(self.rows("SELECT count(*) FROM problems WHERE file = ?", file)[0][0])

    def files_with_problems(self) -> set[str]:
        """Return the files in which something is set aside."""
        return {row[0] for row in self.rows("SELECT DISTINCT file FROM problems")}

    # Documents and what was read from them.

    def known(self, source: str, engine: str, ontology: str) -> dict[str, DocumentState]:
        """Return a file's documents by id; ``current`` where all their sections were read by this engine."""
        found = self.rows(
            "SELECT d.id, d.number, d.content_hash, count(s.number) = count(e.section) FROM documents d "
            "LEFT JOIN sections s ON s.document = d.number "
            "LEFT JOIN extractions e ON e.section = s.number AND e.engine = ? AND e.ontology = ? "
            "WHERE d.source = ? GROUP BY d.number",
            engine, ontology, source,
        )  # fmt: skip
        return {id: DocumentState(number, content, bool(current)) for id, number, content, current in found}

    def sources(self) -> dict[str, int]:
        """Return how many documents each file gave."""
        return dict(self.rows("SELECT source, count(*) FROM documents GROUP BY source"))

    def outdated(self, engine: str, ontology: str) -> list[str]:
        """Return the ids of documents with a section that another engine or ontology read."""
        found = self.rows(
            "SELECT DISTINCT d.number, d.id FROM sections s JOIN documents d ON d.number = s.document "
            "LEFT JOIN extractions e ON e.section = s.number AND e.engine = ? AND e.ontology = ? "
            "WHERE e.section IS NULL ORDER BY d.number",
            engine, ontology,
        )  # fmt: skip
        return [row[1] for row in found]

    def put(
        self,
        document: Document,
        language: str,
        sections: Sequence[Section],
        facts: Mapping[str, Sequence[Fact]],
        *,
        engine: str,
        ontology: str,
    ) -> None:
        """Write a document with its sections and facts in place of what was known of it."""
        with self.writing() as connection:
            number = self._put_document(connection, document, language, sections)
            connection.execute("DELETE FROM sections WHERE document = ?", (number,))
            for section in sections:
                row = (
                    section.id,
                    number,
                    section.ordinal,
                    _json(list(section.path)),
                    clean(section.text),
                    section.start,
                )
                ((placed,),) = connection.execute(
                    "INSERT INTO sections(id, document, ordinal, path, text, start) VALUES (?, ?, ?, ?, ?, ?) "
                    "RETURNING number",
                    row,
                ).fetchall()
                self._put_facts(connection, placed, facts.get(section.id, ()), engine, ontology)

    def put_facts(self, facts: Mapping[str, Sequence[Fact]], *, engine: str, ontology: str) -> None:
        """Replace the facts of sections that are known already (section id -> facts)."""
        with self.writing() as connection:
            for section_id, found in facts.items():
                ((number,),) = self.rows("SELECT number FROM sections WHERE id = ?", section_id)
                self._put_facts(connection, number, found, engine, ontology)

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents with everything read from them; returns how many there were."""
        with self.writing() as connection:
            return sum(connection.execute("DELETE FROM documents WHERE id = ?", (id,)).rowcount for id in ids)

    def remove_documents(self, documents: Sequence[DocumentInfo]) -> None:
        """Remove documents; a file that still holds them is read again when it is next ingested."""
        with self.writing() as connection:
            self.remove(document.id for document in documents)
            left = self.sources()
            for source in sorted({document.source for document in documents}):
                if source in left:
                    connection.execute("UPDATE files SET hash = '', size = -1 WHERE path = ?", (source,))
                else:
                    self.forget_file(source)

    def documents(self) -> list[DocumentInfo]:
        """Return every document, in the order they came."""
        sections: dict[int, list[str]] = {}
        for number, id in self.rows("SELECT document, id FROM sections ORDER BY document, ordinal"):
            sections.setdefault(number, []).append(id)
        found = self.rows(
            "SELECT number, id, source, record_id, title, metadata, language, added_at, media_type, "
            "content_hash FROM documents ORDER BY number"
        )
        return [
            DocumentInfo(id, source, record, title, json.loads(meta), tuple(sections.get(number, ())), *rest)
            for number, id, source, record, title, meta, *rest in found
        ]

    def document(self, id: str) -> Document:
        """Return a document with its text; raises KeyError where it is not known."""
        found = self.rows(
            "SELECT d.id, source, record_id, title, coalesce(d.text, s.text, ''), content_hash, media_type, "
            "metadata FROM documents d LEFT JOIN sections s ON s.document = d.number AND s.ordinal = 0 "
            "WHERE d.id = ?",
            id,
        )
        if not found:
            raise KeyError(id)
        ((id, source, record, title, text, content, media_type, meta),) = found
        return Document(id, source, record, title, text, content, media_type, json.loads(meta))

    def sampled(self) -> Iterator[Document]:
        """Yield every document with the beginning of its text, for `Extractor.prepare`."""
        found = self.rows(
            "SELECT d.id, source, record_id, title, substr(coalesce(d.text, s.text, ''), 1, ?), "
            "content_hash, media_type FROM documents d "
            "LEFT JOIN sections s ON s.document = d.number AND s.ordinal = 0 ORDER BY d.number",
            TITLE_SAMPLE,
        )
        return (Document(*row) for row in found)

    def sections(self, document_id: str | None = None) -> list[Section]:
        """Return the sections of one document, or of all, in order."""
        where = "" if document_id is None else "WHERE d.id = ? "
        found = self.rows(
            "SELECT s.id, d.id, d.record_id, s.ordinal, s.path, s.text, s.start FROM sections s "
            f"JOIN documents d ON d.number = s.document {where}ORDER BY s.document, s.ordinal",
            *(() if document_id is None else (document_id,)),
        )
        return [
            Section(id, document, record, ordinal, tuple(json.loads(path)), text, start)
            for id, document, record, ordinal, path, text, start in found
        ]

    def facts(self) -> Iterator[Fact]:
        """Yield every fact as extracted, in the order of documents and sections.

        Some at a time: a large base has millions of facts. They are those of one moment only inside `reading`.
        """
        query = (
            "SELECT s.id, cube, dimension, subject, relation, value, kind, span_start, span_end, "
            "sentence_start, sentence_end, confidence, origin FROM facts f "
            "JOIN sections s ON s.number = f.section ORDER BY s.document, s.ordinal, f.number"
        )
        with self._lock, explained(self.path), streamed(self._connection, query) as rows:
            while found := rows.fetchmany(_FACTS_AT_ONCE):
                for section, cube, dim, subject, relation, value, kind, a, b, c, d, sure, origin in found:
                    yield Fact(
                        section, cube, dim, subject, relation, value, kind, Span(a, b), Span(c, d), sure, origin
                    )

    def columns_told(self, origin: str) -> list[tuple[str, str, str, str, int]]:
        """Return cube, dimension, relation and kind of the facts of an origin, and how many these are."""
        query = (
            "SELECT cube, dimension, relation, kind, count(*) FROM facts WHERE origin = ? "
            "GROUP BY cube, dimension, relation, kind ORDER BY cube, min(number), kind"
        )
        found = self.rows(query, origin)
        return [(str(cube), str(axis), str(relation), str(kind), int(n)) for cube, axis, relation, kind, n in found]

    def subjects_told(self, origin: str) -> list[tuple[str, str]]:
        """Return the cubes and subjects of the facts of an origin."""
        found = self.rows("SELECT DISTINCT cube, subject FROM facts WHERE origin = ?", origin)
        return [(str(cube), str(subject)) for cube, subject in found]

    def counts(self) -> dict[str, int]:
        """Return the number of rows of the main tables."""
        return {
            table: int(self.rows(f"SELECT count(*) FROM {table}")[0][0])
            for table in ("documents", "sections", "facts", "problems", "corrections", "vectors")
        }

    # Corrections.

    def add_correction(self, correction: Correction) -> Correction:
        """Store a correction and return it with its id and time."""
        made_at = _now()
        with self.writing() as connection:
            body = correction.model_dump_json(exclude={"id", "made_at"}, exclude_defaults=True)
            made = "INSERT INTO corrections(made_at, body) VALUES (?, ?) RETURNING id"
            ((id,),) = connection.execute(made, (made_at, body)).fetchall()
        return correction.model_copy(update={"id": id, "made_at": made_at})

    def corrections(self) -> list[Correction]:
        """Return the corrections in the order they were made."""
        return [
            Correction.model_validate_json(body).model_copy(update={"id": id, "made_at": made_at})
            for id, made_at, body in self.rows("SELECT id, made_at, body FROM corrections ORDER BY id")
        ]

    def remove_correction(self, id: str) -> bool:
        """Take a correction back; False where there is no such one."""
        with self.writing() as connection:
            return connection.execute("DELETE FROM corrections WHERE CAST(id AS TEXT) = ?", (id,)).rowcount > 0

    def _put_document(
        self, connection: Connection, document: Document, language: str, sections: Sequence[Section]
    ) -> int:
        """Insert or replace the document's row (its number stays); its text only if no section is it all."""
        whole = len(sections) == 1 and sections[0].text == document.text
        row = (
            document.id, document.source, document.record_id, clean(document.title), document.content_hash,
            document.media_type, _json(dict(document.metadata)), language, _now(),
            None if whole else clean(document.text),
        )  # fmt: skip
        connection.execute(
            "INSERT INTO documents(id, source, record_id, title, content_hash, media_type, metadata, "
            "language, added_at, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT(id) DO UPDATE SET title=excluded.title, "
            "content_hash=excluded.content_hash, media_type=excluded.media_type, metadata=excluded.metadata, "
            "language=excluded.language, added_at=excluded.added_at, text=excluded.text",
            row,
        )
        ((number,),) = self.rows("SELECT number FROM documents WHERE id = ?", document.id)
        return int(number)

    def _put_facts(
        self, connection: Connection, section: int, facts: Sequence[Fact], engine: str, ontology: str
    ) -> None:
        connection.execute("DELETE FROM aside WHERE section = ?", (section,))
        connection.execute("DELETE FROM facts WHERE section = ?", (section,))
        connection.executemany(
            "INSERT INTO facts(section, cube, dimension, subject, relation, value, kind, span_start, "
            "span_end, sentence_start, sentence_end, confidence, origin) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (section, f.cube, f.dimension, clean(f.subject), clean(f.relation), clean(f.value), f.kind,
                 f.span.start,
                 f.span.end, f.sentence.start, f.sentence.end, f.confidence, f.origin)
                for f in facts
            ],
        )  # fmt: skip
        connection.execute(_SET_EXTRACTION, (section, engine, ontology))


def _json(value: object) -> str:
    return clean(json.dumps(value, ensure_ascii=False))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
