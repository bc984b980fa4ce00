"""Is this folder a knowledge base, may it become one, and if neither, what is the matter with it."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..core.errors import CorruptStoreError, KnowledgeBaseError
from ..model.ontology import Ontology, load_ontology
from .catalog import CATALOG_FILE, Catalog
from .database import is_there
from .locks import HOLDER_FILE, LOCK_FILE, write_lock
from .postgres import URL_VARIABLE, database_url
from .vectors import CHROMA_FOLDER

__all__ = ["digest", "open_catalog", "open_or_create_catalog", "stored_ontology"]

MARK = "catalog.postgresql"
"""A file that says of a folder that its catalog is in PostgreSQL: only what is derived or uploaded lies here."""
_LEFT_BEHIND = frozenset({CATALOG_FILE, f"{CATALOG_FILE}-wal", f"{CATALOG_FILE}-shm", LOCK_FILE, HOLDER_FILE})
"""What a knowledge base that was killed while it was made may hold."""


def open_catalog(path: Path) -> Catalog:
    """Open the catalog of an existing knowledge base.

    Raises KnowledgeBaseError where there is none, or its first ingest has not written anything yet.
    """
    _check_there(path)
    catalog = Catalog.open(path / CATALOG_FILE)
    if catalog.meta("complete") != "1" and not catalog.counts()["documents"]:
        catalog.close()
        raise KnowledgeBaseError(
            f"The knowledge base {path} is empty, because its first ingest has not finished; "
            f"run it (again): multicube ingest PATH... --kb {path}"
        )
    return catalog


def open_or_create_catalog(path: Path, ontology: Ontology | None) -> Catalog:
    """Open the catalog of a knowledge base, making it where there is none.

    Raises KnowledgeBaseError for a folder of other things, or one that cannot be written.
    """
    _check_ours(path)
    _make(path)
    file = path / CATALOG_FILE
    with _laying_out(path, file) as first:
        if first:
            return Catalog.create(file, _first_entries(ontology or load_ontology("default")))
    return Catalog.open(file)


def _make(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        if database_url() is not None and not (path / MARK).exists():
            (path / MARK).write_text(f"The catalog is in the database that {URL_VARIABLE} names.\n", encoding="utf-8")
    except OSError as error:
        raise KnowledgeBaseError(
            f"The folder {path} cannot be made ({error.strerror}); name another with --kb."
        ) from error


def digest(ontology: Ontology) -> str:
    """Return a hash that changes with anything in an ontology."""
    data = ontology.model_dump(mode="json")
    for cube in data["cubes"]:
        for dimension in (cube["subject"], *cube["attributes"], *cube["relations"]):
            if not dimension["heads"]:  # ontologies that never had any keep the hash they had
                del dimension["heads"]
    text = json.dumps(data, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _check_there(path: Path) -> None:
    """Raise KnowledgeBaseError where a folder is no knowledge base, saying why.

    Where PostgreSQL keeps the catalog, the folder holds what is derived or uploaded, and is made where it is not there.
    """
    if database_url() is not None:
        _check_ours(path)
        if not is_there(path / CATALOG_FILE):
            raise KnowledgeBaseError(
                f"There is no knowledge base '{path.name}' in the database that {URL_VARIABLE} names; "
                f"make one with: multicube ingest PATH... --kb {path}"
            )
        _make(path)
        return
    if (path / MARK).is_file():
        raise KnowledgeBaseError(f"The catalog of {path} is in PostgreSQL; set {URL_VARIABLE}, or choose another --kb.")
    if not path.exists():
        raise KnowledgeBaseError(
            f"There is no knowledge base at {path}; make one with: multicube ingest PATH... --kb {path}"
        )
    if not path.is_dir():
        raise KnowledgeBaseError(f"{path} is a file; name the folder of a knowledge base with --kb.")
    if not _is_blank(path / CATALOG_FILE):
        return
    names = _names(path)
    if CHROMA_FOLDER in names:
        raise CorruptStoreError(
            f"{path} has a vector index but no {CATALOG_FILE}, from which alone it could be derived; "
            "restore that from a copy, or delete the folder and ingest again."
        )
    if names <= _LEFT_BEHIND:
        raise KnowledgeBaseError(
            f"The knowledge base {path} was never finished; run: multicube ingest PATH... --kb {path}"
        )
    raise KnowledgeBaseError(f"{path} holds other things and no knowledge base; name another folder with --kb.")


def _check_ours(path: Path) -> None:
    """Raise KnowledgeBaseError where a knowledge base must not be made: among other things."""
    if path.exists() and not path.is_dir():
        raise KnowledgeBaseError(f"{path} is a file; name a folder for the knowledge base with --kb.")
    names = _names(path) if path.is_dir() else set()
    if names <= _LEFT_BEHIND and (database_url() is None or CATALOG_FILE not in names):
        return
    if database_url() is None:
        if _is_blank(path / CATALOG_FILE):
            _check_there(path)
    elif not (path / MARK).is_file():
        raise KnowledgeBaseError(
            f"{path} holds other things than what a knowledge base in PostgreSQL keeps beside it; name another folder "
            f"with --kb, or unset {URL_VARIABLE}."
        )


@contextmanager
def _laying_out(path: Path, file: Path) -> Iterator[bool]:
    """Yield whether this process is to lay out the catalog; two must not do so at once."""
    if not _is_blank(file):
        yield False
        return
    with write_lock(path):
        yield _is_blank(file)


def _is_blank(file: Path) -> bool:
    """Whether a catalog is not there, or its making was killed before its tables were written.

    Tables stand in the file, or still in the write-ahead log beside it, or in PostgreSQL.
    """
    if database_url() is not None:
        return not is_there(file)
    try:
        log = file.with_name(f"{file.name}-wal")
        return not file.stat().st_size and not (log.is_file() and log.stat().st_size)
    except FileNotFoundError:
        return True
    except OSError as error:
        raise KnowledgeBaseError(f"{file} cannot be read ({error.strerror}); name another folder.") from error


def _names(path: Path) -> set[str]:
    try:
        return {entry.name for entry in path.iterdir()}
    except OSError as error:
        raise KnowledgeBaseError(
            f"The folder {path} cannot be read ({error.strerror}); check its permissions."
        ) from error


def _first_entries(ontology: Ontology) -> dict[str, str]:
    return {
        "kb_id": uuid.uuid4().hex,
        "ontology": ontology.model_dump_json(),
        "ontology_hash": digest(ontology),
        "generation": "0",
        "changes": "0",
        "complete": "0",
    }


def stored_ontology(catalog: Catalog) -> Ontology:
    """Return the ontology that a catalog keeps; raises CorruptStoreError where it cannot be read."""
    try:
        return Ontology.model_validate_json(catalog.meta("ontology") or "")
    except ValueError as error:
        folder = catalog.path.parent
        raise CorruptStoreError(
            f"The ontology stored in {folder} cannot be read; give it again: "
            f"multicube ingest PATH... --ontology FILE --kb {folder}"
        ) from error
