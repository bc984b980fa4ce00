"""A catalog in which there is nothing but what may be read.

SQLite looks a table up among a connection's temporary ones first. Here views of the tables' names stand there, which
hold the readable documents and what was read from them: every query of the catalog, whoever makes it, reads these.
"""

from __future__ import annotations

from pathlib import Path

from ...store.catalog import Catalog
from ...store.database import connect, explained
from .rules import MayRead

__all__ = ["ReadableCatalog"]

_NOTHING = ("files", "problems", "entities", "entity_sections", "relations", "relation_sections", "apart", "vectors")
"""Tables that say things of many documents at once."""

_OF_SECTIONS = "section IN (SELECT number FROM temp.sections)"
_VIEWS = {
    "documents": "id IN (SELECT id FROM temp.readable)",
    "sections": "document IN (SELECT number FROM temp.documents)",
    "figures": "document IN (SELECT number FROM temp.documents)",
    "extractions": _OF_SECTIONS,
    "aside": _OF_SECTIONS,
    "facts": _OF_SECTIONS,
    # A label that is renamed or merged has no place: its new name may come from anywhere.
    "corrections": "(json_extract(body, '$.place.source'), json_extract(body, '$.place.record_id')) IN "
    "(SELECT source, record_id FROM temp.documents)",
    **dict.fromkeys(_NOTHING, "0"),
}


class ReadableCatalog(Catalog):
    """The catalog of a knowledge base as far as it may be read; nothing can be written."""

    whole = False

    @classmethod
    def over(cls, path: Path, may_read: MayRead) -> ReadableCatalog:
        """Open a catalog, which is up to date, for those who may read some of its documents."""
        with explained(path):
            connection = connect(path)
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("CREATE TEMP TABLE readable (id TEXT PRIMARY KEY) WITHOUT ROWID")
            for table, condition in _VIEWS.items():
                connection.execute(f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {condition}")
        made = cls(path, connection)
        made._may_read = may_read
        made.renew()
        return made

    _may_read: MayRead

    def renew(self) -> None:
        """Look anew which documents may be read; until then one that came since may not."""
        with self._lock, explained(self.path):
            found = self._connection.execute("SELECT id, source, record_id FROM main.documents").fetchall()
            readable = [(id,) for id, source, record_id in found if self._may_read(source, record_id)]
            self._connection.execute("PRAGMA query_only = OFF")
            self._connection.execute("BEGIN")
            self._connection.execute("DELETE FROM temp.readable")
            self._connection.executemany("INSERT INTO temp.readable VALUES (?)", readable)
            self._connection.execute("COMMIT")
            self._connection.execute("PRAGMA query_only = ON")
