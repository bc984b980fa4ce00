"""A knowledge base whose collections are not what the catalog says: noticed at opening, and mended."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube.cubes.core.errors import CorruptStoreError
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.lookups import label_collection, value_collection
from multicube.cubes.store.vectors import PASSAGES, VectorEntry

Kb = Callable[..., KnowledgeBase]
LABELS, VALUES = label_collection("film"), value_collection("film")


def deleted(kb: KnowledgeBase) -> str:
    shutil.rmtree(kb.path / "chroma")
    return "is not where it should be"


def overwritten(kb: KnowledgeBase) -> str:
    (kb.path / "chroma" / "chroma.sqlite3").write_bytes(b"this is no database" * 500)
    return "has lost the vectors"


def dropped(kb: KnowledgeBase) -> str:
    store = kb._store()
    store.drop(LABELS)
    store.close()
    return f"has 0 records in the collection {LABELS}"


def fewer(kb: KnowledgeBase) -> str:
    store = kb._store()
    held = store.ids(VALUES)
    store.delete(VALUES, held[:2])
    store.close()
    return f"has {len(held) - 2} records in the collection {VALUES}, and the catalog lists {len(held)}"


def more(kb: KnowledgeBase) -> str:
    store = kb._store()
    store.upsert([VectorEntry(LABELS, "strange", "x", "genre", "x")], np.ones((1, 64), dtype=np.float32))
    count = store.count(LABELS)
    store.close()
    return f"has {count} records in the collection {LABELS}, and the catalog lists {count - 1}"


def stripped(kb: KnowledgeBase) -> str:
    """As a collection of more than a thousand records is when its folder was deleted."""
    with closing(sqlite3.connect(kb.path / "chroma" / "chroma.sqlite3")) as opened, opened:
        joined = "segments s JOIN collections c ON c.id = s.collection"
        found = f"SELECT s.id FROM {joined} WHERE scope = 'VECTOR' AND c.name = ?"
        ((segment,),) = opened.execute(found, (PASSAGES,)).fetchall()
        opened.execute("INSERT OR REPLACE INTO max_seq_id VALUES (?, 1)", (segment,))
    shutil.rmtree(kb.path / "chroma" / segment, ignore_errors=True)
    return f"has lost the vectors of the collection {PASSAGES}"


@pytest.mark.parametrize("damage", [deleted, overwritten, dropped, fewer, more, stripped])
def test_a_damaged_store_is_noticed_at_opening_and_rebuilt(
    damage: Callable[[KnowledgeBase], str], corpus: Path, make_kb: Kb, rules: Any
) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    count = kb.check_store()
    fault = damage(kb)
    for columns in (True, False):
        with pytest.raises(CorruptStoreError) as caught:
            _ = make_kb(columns=columns).retriever
        assert fault in str(caught.value)
        assert f"multicube rebuild --kb {kb.path}" in str(caught.value)
        assert "\n" not in str(caught.value)
    kb.rebuild()
    assert make_kb(columns=False).check_store() == count
    assert make_kb().retriever.passages("drama", k=3, mode="dense").hits


def test_what_an_unfinished_ingest_has_not_written_is_no_damage(
    corpus: Path, make_kb: Kb, rules: Any, words_encoder: Any, make_film: Any, write_records: Any
) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())

    class Failing(words_encoder):  # type: ignore[misc]
        def encode(self, texts: Any) -> Any:
            raise OSError("cut off")

    write_records(corpus / "more.jsonl", [make_film(n) for n in range(50, 60)])
    with pytest.raises(OSError, match="cut off"):
        make_kb(encoder=Failing()).ingest([corpus], extractor=rules())
    reader = make_kb(columns=False)
    assert reader.retriever.passages("drama", k=3, mode="bm25").hits
    assert reader.cubes["film"].find("name", make_film(55)["title"]), "labels behind the catalog are read from it"


LOOK = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("world", sys.argv[1])
world = importlib.util.module_from_spec(spec); spec.loader.exec_module(world)
from pathlib import Path
with world.KnowledgeBase.open(Path(sys.argv[2]), encoder=world.WordsEncoder) as kb:
    kb.retriever
    print(kb.check_store(), "chromadb" in sys.modules)
"""


def test_the_look_at_the_store_does_not_load_chroma(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    world = str(Path(__file__).with_name("conftest.py"))
    done = subprocess.run([sys.executable, "-c", LOOK, world, str(kb.path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(kb.check_store()), "False"]
