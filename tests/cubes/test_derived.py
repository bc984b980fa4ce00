"""The columns beside the catalog: what they give is what the catalog gives, whatever happens to their files."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.cells import CubeSet
from multicube.cubes.model.corrections import Correction, overlay
from multicube.cubes.store.derived import COLUMNS_FOLDER

Kb = Callable[..., KnowledgeBase]


@pytest.fixture
def kb(corpus: Path, make_kb: Kb, rules: Any) -> KnowledgeBase:
    made = make_kb()
    made.ingest([corpus], extractor=rules())
    return made


def files(kb: KnowledgeBase) -> dict[str, Path]:
    return {path.stem: path for path in sorted((kb.path / COLUMNS_FOLDER).iterdir())}


def exported(kb: KnowledgeBase) -> list[dict[str, Any]]:
    """What is seen by one who opens the knowledge base now."""
    with KnowledgeBase.open(kb.path) as reader:
        return list(reader.export())


def retitled(kb: KnowledgeBase) -> Correction:
    fact = kb.cubes["film"].facts(relation="directed by")[0]
    return kb.correct(
        Correction(kind="rename", cube="film", dimension="person_name", value=fact.value, new="Somebody Else")
    )


def test_a_writer_leaves_them_and_a_reader_uses_them(kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(files(kb)) == ["cubes", "links"]
    expected = list(kb.export())

    def refused(*_: object) -> None:
        raise AssertionError("read from the catalog")

    monkeypatch.setattr("multicube.cubes.store.catalog.Catalog.facts", refused)
    monkeypatch.setattr("multicube.cubes.store.catalog.Catalog.sections", refused)
    assert exported(kb) == expected


def test_they_give_what_the_catalog_gives(kb: KnowledgeBase) -> None:
    retitled(kb)
    catalog = kb._catalog
    sections, documents = catalog.sections(), catalog.documents()
    assert kb.sections() == sections
    assert kb.documents() == documents
    by_id, sources = {s.id: s for s in sections}, {d.id: d.source for d in documents}
    facts = overlay(catalog.facts(), catalog.corrections(), ontology=kb.ontology, sections=by_id, sources=sources)
    built = CubeSet.build(kb.ontology, sections, facts)
    with KnowledgeBase.open(kb.path) as reader:
        for cube, expected in zip(reader.cubes, built, strict=True):
            assert cube.facts() == expected.facts()
            assert sorted(cube.subject_keys()) == sorted(expected.subject_keys())
            for dimension in cube.spec.dimensions:
                labels = [(label.text, label.key, dict(label.sections)) for label in cube.labels(dimension.id)]
                assert labels == [(x.text, x.key, dict(x.sections)) for x in expected.labels(dimension.id)]


@pytest.mark.parametrize("damage", ["gone", "empty", "cut off", "altered", "a folder"])
def test_a_damaged_file_is_made_anew(kb: KnowledgeBase, damage: str) -> None:
    expected, held = list(kb.export()), {name: path.read_bytes() for name, path in files(kb).items()}
    for name, path in files(kb).items():
        path.unlink()
        if damage == "a folder":
            path.mkdir()
        elif damage != "gone":
            cut = {"empty": b"", "cut off": held[name][:-1], "altered": held[name][:-1] + b"\1"}
            path.write_bytes(cut[damage])
    assert exported(kb) == expected
    if damage != "a folder":
        assert files(kb)["cubes"].read_bytes() == held["cubes"]


def test_those_of_another_state_are_not_used(
    kb: KnowledgeBase, corpus: Path, make_film: Any, write_records: Any, rules: Any
) -> None:
    former = {path: path.read_bytes() for path in files(kb).values()}
    write_records(corpus / "more.jsonl", [make_film(20, "Ada Vell")])
    kb.ingest([corpus], extractor=rules())
    expected = list(kb.export())
    for path, content in former.items():
        path.write_bytes(content)
    assert exported(kb) == expected
    assert all(path.read_bytes() != content for path, content in former.items() if path.stem == "cubes")


def test_an_older_catalog_put_back_is_not_read_with_newer_columns(kb: KnowledgeBase, tmp_path: Path) -> None:
    """Even where as many changes were made to both since."""
    kb.close()
    older = shutil.copytree(kb.path, tmp_path / "older")
    with KnowledgeBase.open(kb.path) as one, KnowledgeBase.open(older) as other:
        for opened, name in ((one, "Ada Vell"), (other, "Brelka Oum")):
            value = opened.cubes["film"].facts(relation="directed by")[0].value
            opened.correct(Correction(kind="rename", cube="film", dimension="person_name", value=value, new=name))
    shutil.rmtree(older / COLUMNS_FOLDER)
    shutil.copytree(kb.path / COLUMNS_FOLDER, older / COLUMNS_FOLDER)
    with KnowledgeBase.open(older) as opened:
        assert opened.cubes["film"].find("person_name", "Brelka Oum") is not None
        assert opened.cubes["film"].find("person_name", "Ada Vell") is None


def test_nothing_of_what_was_removed_stays(kb: KnowledgeBase) -> None:
    document = kb.documents()[0]
    title = document.title.encode()
    (kb.path / "links.npz").write_bytes(title)  # as earlier versions left it
    (kb.path / COLUMNS_FOLDER / ".cubes.columns.1.1").write_bytes(title)  # as a killed reader leaves it
    assert any(title in path.read_bytes() for path in files(kb).values())
    kb.remove(document.id)
    assert not any(title in path.read_bytes() for path in files(kb).values())
    assert not (kb.path / "links.npz").exists()
    assert all(record.get("title") != document.title for record in exported(kb))


def test_a_crash_between_the_catalog_and_the_columns_harms_nothing(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    document = kb.documents()[0]
    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        kb.remove(document.id)
    monkeypatch.undo()
    kb.close()
    records = exported(kb)
    assert records
    assert all(record.get("title") != document.title for record in records)


def test_a_reader_goes_on_with_what_it_has_while_another_writes(kb: KnowledgeBase) -> None:
    with KnowledgeBase.open(kb.path) as reader:
        expected = list(reader.export())
        removed = kb.documents()[0]
        kb.remove(removed.id)
        assert list(reader.export()) == expected
        assert reader.refresh()
        assert len(reader.documents()) == 11


def test_what_a_reader_makes_while_another_writes_is_not_left(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold what was removed meanwhile."""
    from multicube.cubes.store import derived

    document = kb.documents()[0]
    shutil.rmtree(kb.path / COLUMNS_FOLDER)
    write, turn = derived.write_columns, threading.local()

    def slow(*args: Any) -> bool:
        if not getattr(turn, "taken", False):
            turn.taken = True
            kb.remove(document.id)
        return write(*args)

    with KnowledgeBase.open(kb.path) as reader:
        monkeypatch.setattr(derived, "write_columns", slow)
        assert len(reader.sections()) == 12
    assert not any(document.title.encode() in path.read_bytes() for path in files(kb).values())


def test_a_folder_that_cannot_be_written_is_read_all_the_same(kb: KnowledgeBase) -> None:
    expected = list(kb.export())
    shutil.rmtree(kb.path / COLUMNS_FOLDER)
    (kb.path / COLUMNS_FOLDER).write_text("in the way", encoding="utf-8")
    assert exported(kb) == expected


def test_an_ingest_of_nothing_new_leaves_them_alone(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    before = {name: path.stat().st_ino for name, path in files(kb).items()}
    kb.ingest([corpus], extractor=rules())
    assert {name: path.stat().st_ino for name, path in files(kb).items()} == before
