"""Labels looked up in their collections: the same as from columns, and from nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.errors import CorruptStoreError, UsageError
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.cells import label_key
from multicube.cubes.model.corrections import Correction
from multicube.cubes.model.lookups import label_collection, value_collection

Kb = Callable[..., KnowledgeBase]

TITLES = ("The Kiln", "The Kiln (1921 film)", "The Kiln (1934 film)", "Kiln (play)", "Été à Brévent", "The  KILN!")
ABSENT = ("", "?", "Nobody", "kiln", "1999", "the 1870s", "The Kiln (opera)", "February 1925", "Film")
PERIODS = ("the 1920s", "1930s", "1921", "1925", "20th century")


@pytest.fixture
def films(tmp_path: Path, make_film: Any, write_records: Any) -> Path:
    """A few films, most of which share a name."""
    folder = tmp_path / "films"
    folder.mkdir()
    shared = [{**make_film(5 + n), "id": f"k{n}", "title": title} for n, title in enumerate(TITLES)]
    write_records(folder / "films.jsonl", [make_film(2, genre="western"), *shared])
    return folder


def found(kb: KnowledgeBase, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Any]:
    """What look-ups in a cube say of what is asked: a dimension and a text each."""
    said: dict[tuple[str, str], Any] = {}
    for dimension, text in asked:
        label, labels = kb.cubes["film"].find(dimension, text), kb.cubes["film"].lookup(dimension, text)
        said[dimension, text] = [
            label and (label.text, dict(label.sections)),
            [(each.key, each.text) for each in labels],
        ]
    return said


def everything(kb: KnowledgeBase) -> list[tuple[str, str]]:
    """All labels, names in any spelling, periods, and what is no label."""
    cube = kb.cubes["film"]
    labels = [(spec.id, label) for spec in cube.spec.dimensions for label in cube.labels(spec.id)]
    others = [("name", text) for text in (*TITLES, *ABSENT)] + [("date", text) for text in (*ABSENT, *PERIODS)]
    return [(dimension, text) for dimension, label in labels for text in (label.text, label.text.upper())] + others


def equal(make_kb: Kb) -> dict[tuple[str, str], Any]:
    """What both ways say, which must be the same."""
    cached, plain = make_kb(columns=True), make_kb(columns=False)
    asked = everything(cached)
    said = found(plain, asked)
    assert said == found(cached, asked)
    return said


def test_collections_and_columns_say_the_same(films: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([films], extractor=rules())
    before = equal(make_kb)
    assert len(before["name", "The Kiln"][1]) > len(before["name", "Kiln (play)"][1])
    assert before["date", "the 1920s"][1]
    kb.remove("k1")
    after = equal(make_kb)
    assert len(after["name", "The Kiln"][1]) == len(before["name", "The Kiln"][1]) - 1
    assert kb.status().indexed, "what needs no encoder is written at once"
    kb.correct(Correction(kind="rename", cube="film", dimension="genre", value="western", new="noir"))
    assert equal(make_kb)["genre", "noir"][1]


def test_without_columns_a_label_is_one_where_its_collection_has_it(films: Path, make_kb: Kb, rules: Any) -> None:
    make_kb().ingest([films], extractor=rules())
    kb = make_kb(columns=False)
    assert kb.cubes["film"].find("genre", "drama")
    assert kb.cubes["film"].lookup("date", "1925")
    store = kb._store()
    for collection in (label_collection("film"), value_collection("film")):
        store.delete(collection, store.ids(collection))
    store.close()
    assert kb.cubes["film"].find("genre", "drama") is None
    assert kb.cubes["film"].lookup("date", "1925") == []
    assert kb.cubes["film"].lookup("name", "The Kiln") == []
    assert make_kb(columns=True).cubes["film"].find("genre", "drama")


def test_without_columns_none_are_left_and_none_stay(
    films: Path, make_kb: Kb, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = make_kb()
    kb.ingest([films], extractor=rules())
    assert (kb.path / "columns").exists()
    monkeypatch.setenv("MULTICUBE_COLUMNS", "off")
    plain = make_kb()
    plain.remove("k1")
    assert not (kb.path / "columns").exists()
    assert plain.retriever.passages("drama", k=2, mode="bm25").hits
    assert not (kb.path / "columns").exists()
    monkeypatch.setenv("MULTICUBE_COLUMNS", "perhaps")
    with pytest.raises(UsageError, match="MULTICUBE_COLUMNS=perhaps is neither on nor off"):
        make_kb()


def test_collections_of_an_earlier_version_are_said_where_they_are_needed(films: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([films], extractor=rules())
    kb._catalog.set_meta(layout=None)
    assert make_kb(columns=True).retriever
    assert not kb.status().indexed
    with pytest.raises(CorruptStoreError, match=r"earlier version .* multicube rebuild --kb"):
        _ = make_kb(columns=False).retriever
    kb.ingest([films], extractor=rules())
    assert make_kb(columns=False).retriever


def test_a_server_serves_the_same(films: Path, make_kb: Kb, rules: Any, chroma_server: str) -> None:
    kb = make_kb()
    kb.ingest([films], extractor=rules())
    assert equal(make_kb)["name", "The Kiln"][1]
    dense = make_kb(columns=False).retriever
    assert dense.passages("The Kiln drama", k=1, mode="dense").hits
    store = kb._store()
    store.drop(label_collection("film"))
    store.close()
    for columns in (True, False):
        with pytest.raises(CorruptStoreError, match=r"0 records in the collection cube\.film\.labels"):
            _ = make_kb(columns=columns).retriever
    kb.rebuild()
    assert equal(make_kb)["name", "The Kiln"][1]


def test_a_key_is_found_by_its_spelling(films: Path, make_kb: Kb, rules: Any) -> None:
    make_kb().ingest([films], extractor=rules())
    cube = make_kb(columns=False).cubes["film"]
    label = cube.find("name", "ÉTÉ à brévent")
    assert label is not None
    assert label.key == label_key("Été à Brévent", "name")
