"""The catalog's tables, and how an older catalog becomes a newer one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..core.errors import CorruptStoreError, KnowledgeBaseError
from .database import Connection
from .postgres import PostgresConnection

__all__ = ["APPLICATION_ID", "MIGRATIONS", "SCHEMA_VERSION", "create", "is_current", "migrate", "transaction"]

APPLICATION_ID = 0x4D435547  # "MCUG": says that a SQLite file is ours
SCHEMA_VERSION = 4
"""One more than there are `MIGRATIONS`."""
_VERSION = "schema_version"
"""The entry that holds the version in PostgreSQL; a file's header has a place for it."""

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, read_at_ns INTEGER NOT NULL,
    hash TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, record_id TEXT NOT NULL,
    title TEXT NOT NULL, content_hash TEXT NOT NULL, media_type TEXT NOT NULL, metadata TEXT NOT NULL,
    language TEXT NOT NULL, added_at TEXT NOT NULL, text TEXT
);
CREATE INDEX documents_source ON documents(source);
CREATE TABLE sections (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    document INTEGER NOT NULL REFERENCES documents(number) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL, path TEXT NOT NULL, text TEXT NOT NULL, start INTEGER NOT NULL
);
CREATE INDEX sections_document ON sections(document);
CREATE TABLE extractions (
    section INTEGER PRIMARY KEY REFERENCES sections(number) ON DELETE CASCADE,
    engine TEXT NOT NULL, ontology TEXT NOT NULL
);
CREATE TABLE aside (
    section INTEGER PRIMARY KEY REFERENCES sections(number) ON DELETE CASCADE, message TEXT NOT NULL
);
CREATE TABLE facts (
    number INTEGER PRIMARY KEY, section INTEGER NOT NULL REFERENCES sections(number) ON DELETE CASCADE,
    cube TEXT NOT NULL, dimension TEXT NOT NULL, subject TEXT NOT NULL, relation TEXT NOT NULL,
    value TEXT NOT NULL, kind TEXT NOT NULL, span_start INTEGER NOT NULL, span_end INTEGER NOT NULL,
    sentence_start INTEGER NOT NULL, sentence_end INTEGER NOT NULL,
    confidence REAL NOT NULL, origin TEXT NOT NULL
);
CREATE INDEX facts_section ON facts(section);
CREATE TABLE problems (
    number INTEGER PRIMARY KEY, file TEXT NOT NULL, source TEXT NOT NULL, line INTEGER, message TEXT NOT NULL
);
CREATE INDEX problems_file ON problems(file);
CREATE TABLE corrections (id INTEGER PRIMARY KEY AUTOINCREMENT, made_at TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE figures (
    document INTEGER NOT NULL REFERENCES documents(number) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL, id TEXT NOT NULL, caption TEXT NOT NULL, description TEXT NOT NULL,
    media_type TEXT NOT NULL, page INTEGER, PRIMARY KEY (document, id)
) WITHOUT ROWID;
CREATE TABLE vectors (
    collection TEXT NOT NULL, id TEXT NOT NULL, dimension TEXT NOT NULL, text_hash TEXT,
    PRIMARY KEY (collection, id)
) WITHOUT ROWID;
"""

_GRAPH = """
CREATE TABLE IF NOT EXISTS entities (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, type TEXT NOT NULL,
    description TEXT NOT NULL, names TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS entity_sections (
    entity INTEGER NOT NULL, ordinal INTEGER NOT NULL, section TEXT NOT NULL, PRIMARY KEY (entity, ordinal)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entity_sections_section ON entity_sections(section);
CREATE TABLE IF NOT EXISTS relations (
    number INTEGER PRIMARY KEY, subject INTEGER NOT NULL, value INTEGER NOT NULL, relation TEXT NOT NULL,
    strength INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS relation_sections (
    relation INTEGER NOT NULL, ordinal INTEGER NOT NULL, section TEXT NOT NULL, PRIMARY KEY (relation, ordinal)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS apart (name TEXT PRIMARY KEY) WITHOUT ROWID;
"""
"""The entity graph (SMART): what sections speak of (f_sour, f_extr), what ties that, and names that are kept apart."""

Migration = Callable[[Connection], None]


def _set_sections_aside(connection: Connection) -> None:
    connection.execute(
        "CREATE TABLE aside (section INTEGER PRIMARY KEY REFERENCES sections(number) ON DELETE CASCADE, "
        "message TEXT NOT NULL)"
    )


def _hold_figures(connection: Connection) -> None:
    connection.execute(
        "CREATE TABLE figures (document INTEGER NOT NULL REFERENCES documents(number) ON DELETE CASCADE, "
        "ordinal INTEGER NOT NULL, id TEXT NOT NULL, caption TEXT NOT NULL, description TEXT NOT NULL, "
        "media_type TEXT NOT NULL, page INTEGER, PRIMARY KEY (document, id)) WITHOUT ROWID"
    )


def _hold_graph(connection: Connection) -> None:
    for statement in filter(str.strip, _GRAPH.split(";")):
        connection.execute(statement)


MIGRATIONS: Sequence[Migration] = (_set_sections_aside, _hold_figures, _hold_graph)
"""What changes the tables of each version into the next one's; the first takes version 1 to 2."""


def create(connection: Connection, meta: Mapping[str, str]) -> None:
    """Lay out an empty catalog with its first entries, wholly or not at all."""
    if isinstance(connection, PostgresConnection):
        connection.lay_out("")
    with transaction(connection):
        for statement in filter(str.strip, f"{_TABLES};{_GRAPH}".split(";")):
            connection.execute(statement)
        connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        _set_version(connection, SCHEMA_VERSION)


def is_current(connection: Connection, path: Path) -> bool:
    """Whether the catalog has this version's tables; False where it is older.

    Raises KnowledgeBaseError for a file that is no catalog or has a version newer than this one.
    """
    if not _is_ours(connection):
        raise CorruptStoreError(
            f"{path} is not the catalog of a MultiCube knowledge base; choose another folder with --kb."
        )
    version = _version(connection)
    if version > SCHEMA_VERSION:
        raise KnowledgeBaseError(
            f"{path.parent} was written by a newer MultiCube (schema {version}, this one knows "
            f"{SCHEMA_VERSION}); upgrade multicube-rag."
        )
    return version == SCHEMA_VERSION


def migrate(connection: Connection, steps: Sequence[Migration] | None = None) -> None:
    """Bring an older catalog to this version, wholly or not at all; step n makes version n into n + 1."""
    steps = MIGRATIONS if steps is None else steps
    with transaction(connection):
        for step in steps[_version(connection) - 1 :]:
            step(connection)
        _set_version(connection, len(steps) + 1)


class transaction:  # noqa: N801 - reads as a statement, like the standard library's own context managers
    """Everything inside is written, or nothing (BEGIN IMMEDIATE ... COMMIT or ROLLBACK)."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> Connection:
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def _is_ours(connection: Connection) -> bool:
    if isinstance(connection, PostgresConnection):
        return connection.has("meta")
    return int(connection.execute("PRAGMA application_id").fetchone()[0]) == APPLICATION_ID


def _version(connection: Connection) -> int:
    asked = f"SELECT value FROM meta WHERE key = '{_VERSION}'"
    in_file = not isinstance(connection, PostgresConnection)
    return int(connection.execute("PRAGMA user_version" if in_file else asked).fetchone()[0])


def _set_version(connection: Connection, version: int) -> None:
    if isinstance(connection, PostgresConnection):
        said = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        connection.execute(said, (_VERSION, str(version)))
        return
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")
