"""The catalog: one transaction or nothing, versions, damage, and one writer at a time."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.errors import CorruptStoreError, KnowledgeBaseError, LockedError
from multicube.cubes.core.records import Document, Fact, Problem, Section, Span
from multicube.cubes.store import schema
from multicube.cubes.store.catalog import Catalog
from multicube.cubes.store.database import connect
from multicube.cubes.store.locks import HOLDER_FILE, write_lock


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog.create(tmp_path / "catalog.sqlite", {"kb_id": "1"})


def document(name: str = "a", text: str = "Alpha beta.", source: str = "/docs/a.md") -> Document:
    return Document(name, source, name, name.upper(), text, str(len(text)), metadata={"year": 1999, "seen": True})


def put(catalog: Catalog, given: Document, texts: tuple[str, ...] | None = None) -> list[Section]:
    texts = texts if texts is not None else (given.text,)
    sections = [
        Section(
            f"{given.id}:{n}",
            given.id,
            given.record_id,
            n,
            (given.title, "part"),
            text,
            given.text.find(text),
        )
        for n, text in enumerate(texts)
    ]
    facts = {
        s.id: [
            Fact(
                s.id,
                "film",
                "genre",
                given.title,
                "genre",
                s.text[:5],
                "text",
                Span(0, 5),
                Span(0, 9),
                0.5,
                "x/1",
            )
        ]
        for s in sections
    }
    catalog.put(given, "en", sections, facts, engine="x/1", ontology="o")
    return sections


def test_what_is_written_is_read_back(catalog: Catalog) -> None:
    sections = put(catalog, document())
    assert catalog.sections() == sections
    assert catalog.document("a") == document()
    (info,) = catalog.documents()
    assert (info.title, info.sections, dict(info.metadata)) == ("A", ("a:0",), {"year": 1999, "seen": True})
    (fact,) = catalog.facts()
    assert (fact.value, fact.span, fact.confidence, fact.origin) == ("Alpha", Span(0, 5), 0.5, "x/1")


def test_a_text_that_its_sections_do_not_hold_is_kept(catalog: Catalog) -> None:
    put(catalog, document(text="# A\n\nAlpha\n\n# B\n\nBeta"), ("Alpha", "Beta"))
    assert catalog.document("a").text == "# A\n\nAlpha\n\n# B\n\nBeta"


def test_a_document_is_replaced_in_its_place(catalog: Catalog) -> None:
    put(catalog, document("a"))
    put(catalog, document("b"))
    put(catalog, document("a", "Gamma delta."), ("Gamma", "delta."))
    assert [d.id for d in catalog.documents()] == ["a", "b"]
    assert [s.id for s in catalog.sections()] == ["a:0", "a:1", "b:0"]
    assert [f.value for f in catalog.facts()] == ["Gamma", "delta", "Alpha"]


def test_removal_takes_everything_with_it(catalog: Catalog) -> None:
    put(catalog, document("a"))
    put(catalog, document("b"))
    assert catalog.remove(["a", "nothing"]) == 1
    assert {table: count for table, count in catalog.counts().items() if count} == {
        "documents": 1, "sections": 1, "facts": 1,
    }  # fmt: skip
    assert [row[0] for row in catalog.rows("SELECT count(*) FROM extractions")] == [1]


def test_what_is_removed_is_not_left_in_the_file(catalog: Catalog) -> None:
    put(catalog, document(text="Unforgettable words."))
    catalog.remove(["a"])
    catalog.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"Unforgettable" not in catalog.path.read_bytes()


def test_a_failed_transaction_leaves_nothing(catalog: Catalog) -> None:
    def fail() -> None:
        with catalog.writing():
            put(catalog, document())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert catalog.documents() == []


def test_half_characters_are_replaced_without_moving_spans(catalog: Catalog) -> None:
    put(catalog, document(text="Alpha \ud800 beta"))
    assert catalog.sections()[0].text == "Alpha ? beta"


def test_problems_are_replaced_file_by_file(catalog: Catalog) -> None:
    catalog.set_problems("/a", [Problem("/a", 3, "bad"), Problem("/a", None, "worse")])
    catalog.set_problems("/b", [Problem("/b", 1, "bad")])
    catalog.set_problems("/a", [Problem("/a", 4, "bad")])
    assert [str(p) for p in catalog.problems()] == ["/a:4: bad", "/b:1: bad"]
    assert catalog.files_with_problems() == {"/a", "/b"}


def test_a_newer_version_is_refused(catalog: Catalog) -> None:
    catalog.rows(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    catalog.close()
    with pytest.raises(KnowledgeBaseError, match=r"newer MultiCube .* upgrade multicube-rag"):
        Catalog.open(catalog.path)


def _add_colour(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE documents ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")


def _fail(connection: sqlite3.Connection) -> None:
    raise sqlite3.OperationalError("no such thing")


def test_an_older_version_is_migrated_wholly_or_not_at_all(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the present version an older one by giving it successors."""
    put(catalog, document())
    catalog.close()
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 2)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, _add_colour, _fail))
    with pytest.raises(KnowledgeBaseError, match="no such thing"):
        Catalog.open(catalog.path)
    raw = connect(catalog.path)
    assert raw.execute("PRAGMA user_version").fetchone()[0] == schema.SCHEMA_VERSION - 2
    assert "colour" not in {row[1] for row in raw.execute("PRAGMA table_info(documents)")}
    raw.close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS[:-1], lambda connection: None))
    migrated = Catalog.open(catalog.path)
    assert migrated.rows("SELECT colour FROM documents") == [("grey",)]
    assert migrated.rows("PRAGMA user_version") == [(schema.SCHEMA_VERSION,)]
    migrated.close()


def test_the_version_counts_the_migrations() -> None:
    assert len(schema.MIGRATIONS) + 1 == schema.SCHEMA_VERSION


def test_a_damaged_file_is_one_sentence(catalog: Catalog) -> None:
    for n in range(200):
        put(catalog, document(f"d{n}", "word " * 300))
    catalog.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    catalog.close()
    content = bytearray(catalog.path.read_bytes())
    content[8192:200_000] = os.urandom(len(content[8192:200_000]))
    catalog.path.write_bytes(content)
    with pytest.raises(CorruptStoreError, match=r"is damaged .* ingest again"):
        Catalog.open(catalog.path).sections()
    catalog.path.write_bytes(b"no database at all " * 100)
    with pytest.raises(CorruptStoreError, match="is damaged"):
        Catalog.open(catalog.path)


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "catalog.sqlite")
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    with pytest.raises(CorruptStoreError, match="not the catalog"):
        Catalog.open(tmp_path / "catalog.sqlite")


def test_a_second_writer_is_told_who_writes_and_since_when(tmp_path: Path) -> None:
    with write_lock(tmp_path, command="multicube ingest docs"):
        holder = json.loads((tmp_path / HOLDER_FILE).read_text())
        with pytest.raises(
            LockedError, match=rf"process {os.getpid()} on .* since {holder['since'][:10]}.*ingest docs"
        ):
            write_lock(tmp_path).__enter__()
    with write_lock(tmp_path):
        pass
    assert not (tmp_path / HOLDER_FILE).exists()


HOLD = """
import os, sys
from pathlib import Path
from multicube.cubes.store.locks import write_lock
with write_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_killed_writer_blocks_nobody(tmp_path: Path) -> None:
    process: Any = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    with pytest.raises(LockedError, match=f"process {process.pid}"):
        write_lock(tmp_path).__enter__()
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert (tmp_path / HOLDER_FILE).exists()
    with write_lock(tmp_path):
        pass
