"""A catalog in which there is nothing but what may be read.

SQLite and PostgreSQL look a table up among a connection's temporary ones first. Here views of the tables' names stand
there, which hold the readable documents and what was read from them: every query of the catalog, whoever makes it,
reads these.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...store.catalog import Catalog
from ...store.database import Connection, connect, explained
from ...store.postgres import PostgresConnection, quoted
from .rules import MayRead

__all__ = ["ReadableCatalog"]

_NOTHING = ("files", "problems", "entities", "entity_sections", "relations", "relation_sections", "apart", "vectors")
"""Tables that say things of many documents at once."""


class ReadableCatalog(Catalog):
    """The catalog of a knowledge base as far as it may be read; nothing can be written."""

    whole = False
    _may_read: MayRead

    @classmethod
    def over(cls, path: Path, may_read: MayRead) -> ReadableCatalog:
        """Open a catalog, which is up to date, for those who may read some of its documents."""
        with explained(path):
            connection = connect(path)
            made = cls(path, connection)
            made._may_read = may_read
            if isinstance(connection, PostgresConnection):
                connection.begin_with(made._narrow)  # a session that was cut is opened again, and narrowed again
            else:
                connection.execute("PRAGMA temp_store = MEMORY")
                made._narrow()
                connection.execute("PRAGMA query_only = ON")
        return made

    def renew(self) -> None:
        """Look anew which documents may be read; until then one that came since may not."""
        with self._lock, explained(self.path):
            self._fill()

    def _narrow(self) -> None:
        """Put the views before the tables, for this session alone."""
        for statement in _statements(self._connection):
            self._connection.execute(statement)
        self._fill()
        if isinstance(self._connection, PostgresConnection):
            self._connection.execute("SET default_transaction_read_only = on")  # temporary tables are still written

    def _fill(self) -> None:
        tables, _ = _places(self._connection)
        found = self._connection.execute(f"SELECT id, source, record_id FROM {tables}.documents").fetchall()
        readable = [(id,) for id, source, record_id in found if self._may_read(source, record_id)]
        in_file = not isinstance(self._connection, PostgresConnection)
        if in_file:
            self._connection.execute("PRAGMA query_only = OFF")
        self._connection.execute("BEGIN")
        self._connection.execute("DELETE FROM readable")
        self._connection.executemany("INSERT INTO readable VALUES (?)", readable)
        self._connection.execute("COMMIT")
        if in_file:
            self._connection.execute("PRAGMA query_only = ON")


def _places(connection: Connection) -> tuple[str, str]:
    """Return where the tables are, and where a session's temporary ones."""
    return (quoted(connection.schema), "pg_temp") if isinstance(connection, PostgresConnection) else ("main", "temp")


def _views(connection: Connection) -> Mapping[str, str]:
    """Return the condition on each table's rows."""
    _, temporary = _places(connection)
    of_documents = f"document IN (SELECT number FROM {temporary}.documents)"
    of_sections = f"section IN (SELECT number FROM {temporary}.sections)"
    place = "json_extract(body, '$.place.source'), json_extract(body, '$.place.record_id')"
    if isinstance(connection, PostgresConnection):
        place = "body::json #>> '{place,source}', body::json #>> '{place,record_id}'"
    return {
        "documents": f"id IN (SELECT id FROM {temporary}.readable)",
        **dict.fromkeys(("sections", "figures"), of_documents),
        **dict.fromkeys(("extractions", "aside", "facts"), of_sections),
        # A label that is renamed or merged has no place: its new name may come from anywhere.
        "corrections": f"({place}) IN (SELECT source, record_id FROM {temporary}.documents)",
        **dict.fromkeys(_NOTHING, "1 = 0"),
    }


def _statements(connection: Connection) -> list[str]:
    tables, _ = _places(connection)
    ordered = ' COLLATE "C"' if isinstance(connection, PostgresConnection) else ""
    views = (f"CREATE TEMP VIEW {table} AS SELECT * FROM {tables}.{table} WHERE {condition}"
             for table, condition in _views(connection).items())  # fmt: skip
    return [f"CREATE TEMP TABLE readable (id TEXT{ordered} PRIMARY KEY)", *views]
