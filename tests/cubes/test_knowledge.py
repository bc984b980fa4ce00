"""The knowledge base as a whole: opening and refusing, removal, corrections, writers and readers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.errors import CorruptStoreError, KnowledgeBaseError, LockedError, UsageError
from multicube.cubes.core.records import Fact
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.cells import ALIAS
from multicube.cubes.model.corrections import Correction
from multicube.cubes.store import correction_requests as correcting
from multicube.cubes.store.locks import write_lock

Kb = Callable[..., KnowledgeBase]


@pytest.fixture
def kb(corpus: Path, make_kb: Kb, rules: Any) -> KnowledgeBase:
    made = make_kb()
    made.ingest([corpus], extractor=rules())
    return made


def directors(kb: KnowledgeBase, film: str) -> list[str]:
    return [fact.value for fact in kb.cubes["film"].facts(subject=film, relation="directed by")]


def the_fact(kb: KnowledgeBase, film: str, relation: str = "directed by") -> Fact:
    (fact,) = kb.cubes["film"].facts(subject=film, relation=relation)
    return fact


# Opening.


def test_what_was_made_can_be_opened_again(kb: KnowledgeBase) -> None:
    with KnowledgeBase.open(kb.path) as reader:
        assert list(reader.export()) == list(kb.export())
        assert (reader.engine, reader.ontology) == (kb.engine, kb.ontology)
        assert reader.section(reader.sections()[0].id).record_id == "f0"
        assert reader.document(reader.documents()[3].id).record_id == "f3"


def test_a_closed_one_says_so(kb: KnowledgeBase) -> None:
    kb.close()
    kb.close()
    with pytest.raises(KnowledgeBaseError, match="is closed"):
        kb.documents()


def test_unknown_names_are_wrong_use(kb: KnowledgeBase) -> None:
    for call in (kb.section, kb.document, kb.remove, kb.undo_correction):
        with pytest.raises(UsageError, match="nobody"):
            call("nobody")


def test_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"no knowledge base at .*multicube ingest"):
        KnowledgeBase.open(tmp_path / "kb")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "kb").write_text("a file")
    for way in (KnowledgeBase.open, KnowledgeBase.create):
        with pytest.raises(KnowledgeBaseError, match="is a file"):
            way(tmp_path / "kb")


def test_a_folder_of_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for way in (KnowledgeBase.open, KnowledgeBase.create):
        with pytest.raises(KnowledgeBaseError, match="holds other things"):
            way(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(KnowledgeBaseError, match="cannot be made"):
        KnowledgeBase.create(tmp_path / "file" / "kb")


@pytest.mark.parametrize("left", ["nothing", "lock", "blank", "tables"])
def test_a_knowledge_base_killed_while_it_was_made(
    left: str, tmp_path: Path, corpus: Path, make_kb: Kb, rules: Any
) -> None:
    """Opening says so; ingesting goes on."""
    path = tmp_path / "half"
    path.mkdir()
    if left == "lock":
        (path / "writer.lock").touch()
    if left == "blank":
        (path / "catalog.sqlite").touch()
    if left == "tables":
        make_kb(path).close()
    with pytest.raises(KnowledgeBaseError, match=r"multicube ingest PATH"):
        KnowledgeBase.open(path)
    make_kb(path).ingest([corpus], extractor=rules())
    with KnowledgeBase.open(path) as reader:
        assert len(reader.documents()) == 12


def test_a_lost_catalog_is_not_papered_over(kb: KnowledgeBase) -> None:
    kb.close()
    for file in kb.path.glob("catalog.sqlite*"):
        file.unlink()
    for way in (KnowledgeBase.open, KnowledgeBase.create):
        with pytest.raises(CorruptStoreError, match=r"no catalog\.sqlite.*ingest again"):
            way(kb.path)
    assert (kb.path / "chroma").is_dir()


def test_a_damaged_catalog(kb: KnowledgeBase) -> None:
    kb.close()
    for file in kb.path.glob("catalog.sqlite-*"):
        file.unlink()
    (kb.path / "catalog.sqlite").write_bytes(b"scrambled " * 1000)
    with pytest.raises(CorruptStoreError, match="is damaged"):
        KnowledgeBase.open(kb.path)


def test_status_says_what_is_there(kb: KnowledgeBase) -> None:
    status = kb.status()
    assert (status.documents, status.sections, status.facts) == (12, 12, 36)
    assert (status.encoder, status.engine, status.ontology) == ("words/1", "rules/1", "films")
    assert (status.complete, status.indexed, status.outdated, status.problems) == (True, True, 0, ())
    assert status.bytes["catalog"] > 0
    assert status.bytes["chroma"] > 0


# Removal.


def test_a_removed_document_leaves_no_trace(kb: KnowledgeBase, in_chroma: Any, tmp_path: Path) -> None:
    """Neither a model nor an encoder is needed."""
    (kb.path / "cache.sqlite").write_text("a model's reply that quotes Film D3")
    with KnowledgeBase.open(kb.path) as plain:
        assert plain.remove("f3") == 1
        assert "Film D3" not in str(list(plain.export()))
    assert not (kb.path / "cache.sqlite").exists()
    assert kb.refresh()
    assert directors(kb, "Film D3") == []
    held = in_chroma(kb)
    assert held["passages"] == sorted(section.id for section in kb.sections())
    assert len(held["cube.film.labels"]) == sum(
        len(kb.cubes["film"].labels(d)) for d in ("name", "genre", "person_name", "to_person")
    )
    kb._catalog.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"Film D3" not in (kb.path / "catalog.sqlite").read_bytes()


def test_a_label_that_something_else_has_stays(kb: KnowledgeBase) -> None:
    kb.remove("f3")
    assert kb.cubes["film"].find("person_name", "Director D") is not None, "Film K10 has the same director"
    assert kb.status().indexed


def test_a_file_removes_all_its_records(kb: KnowledgeBase, corpus: Path) -> None:
    assert kb.remove(str(corpus / "films.jsonl")) == 12
    assert kb.status().documents == kb.status().vectors == 0


def test_a_removed_record_comes_back_only_by_ingesting_its_file(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    kb.remove("f3")
    report = kb.ingest([corpus], extractor=rules())
    assert (report.added, report.unchanged) == (1, 11)


# Corrections.


def test_a_struck_out_fact_stays_out(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    kb.correct(correcting.retract(kb, the_fact(kb, "Film C2")))
    assert directors(kb, "Film C2") == []
    kb.ingest([corpus], extractor=rules("rules/2"))
    assert directors(kb, "Film C2") == []
    assert directors(kb, "Film J9") == ["Director C"], "the same director elsewhere is untouched"


def test_a_changed_value_survives_the_documents_next_version(
    kb: KnowledgeBase, corpus: Path, rules: Any, make_film: Any, write_records: Any
) -> None:
    stored = kb.correct(correcting.replace_value(kb, the_fact(kb, "Film C2"), "Ada True"))
    assert directors(kb, "Film C2") == ["Ada True"]
    assert the_fact(kb, "Film C2").origin == "person"
    again = make_film(2)
    again["text"] += " It is in colour."
    write_records(corpus / "films.jsonl", [again])
    kb.ingest([corpus], extractor=rules())
    assert directors(kb, "Film C2") == ["Ada True"]
    assert str(stored) == "changed in film/to_person: Film C2 · directed by · Director C → Ada True"


def test_corrections_build_on_each_other_and_are_undone_one_by_one(kb: KnowledgeBase) -> None:
    first = kb.correct(correcting.replace_value(kb, the_fact(kb, "Film C2"), "Ada True"))
    second = kb.correct(correcting.replace_value(kb, the_fact(kb, "Film C2"), "Director C"))
    third = kb.correct(correcting.replace_value(kb, the_fact(kb, "Film C2"), "Ben Last"))
    assert directors(kb, "Film C2") == ["Ben Last"]
    kb.undo_correction(third.id)
    assert directors(kb, "Film C2") == ["Director C"]
    kb.undo_correction(str(second.id))
    assert directors(kb, "Film C2") == ["Ada True"]
    assert kb.corrections() == [first]
    kb.undo_correction(first.id)
    assert directors(kb, "Film C2") == ["Director C"]


def test_a_fact_can_be_added_and_taken_out_again(kb: KnowledgeBase) -> None:
    kb.correct(correcting.add(kb, "film", "to_person", "Film C2", "directed by", "Eve Second"))
    assert directors(kb, "Film C2") == ["Eve Second", "Director C"]
    added = next(f for f in kb.cubes["film"].facts(subject="Film C2") if f.value == "Eve Second")
    assert (added.kind, added.origin, kb.section(added.section_id).record_id) == ("person", "person", "f2")
    kb.correct(correcting.retract(kb, added))
    assert directors(kb, "Film C2") == ["Director C"]


def test_an_added_fact_points_at_its_words(kb: KnowledgeBase) -> None:
    kb.correct(correcting.add(kb, "film", "genre", "Film C2", "genre", "drama film"))
    (fact,) = [f for f in kb.cubes["film"].facts(subject="Film C2", dimension="genre") if f.origin == "person"]
    text = kb.section(fact.section_id).text
    assert text[fact.span.start : fact.span.end] == "drama film"
    assert fact.sentence.start <= fact.span.start < fact.sentence.end <= len(text)


def test_an_added_fact_sleeps_while_its_document_is_gone(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    kb.correct(correcting.add(kb, "film", "to_person", "Film C2", "directed by", "Eve Second"))
    kb.remove("f2")
    assert directors(kb, "Film C2") == []
    kb.ingest([corpus], extractor=rules())
    assert "Eve Second" in directors(kb, "Film C2")


def test_a_renamed_label_is_renamed_wherever_it_stands(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    kb.correct(correcting.rename(kb, "film", "person_name", "director c", "Clara Cole"))
    assert [directors(kb, film) for film in ("Film C2", "Film J9")] == [["Clara Cole"], ["Clara Cole"]]
    assert kb.cubes["film"].find("person_name", "Director C") is None
    kb.ingest([corpus], extractor=rules("rules/2"))
    assert directors(kb, "Film C2") == ["Clara Cole"]


def test_a_renamed_relation_and_attribute(kb: KnowledgeBase) -> None:
    kb.correct(correcting.rename(kb, "film", "to_person", "directed by", "made by"))
    kb.correct(correcting.rename(kb, "film", "genre", "drama", "tragedy"))
    assert len(kb.cubes["film"].facts(relation="made by")) == 12
    assert [label.text for label in kb.cubes["film"].labels("genre")] == ["tragedy"]


def test_corrections_made_under_another_ontology_sleep(
    kb: KnowledgeBase, films: Any, corpus: Path, make_kb: Kb, rules: Any
) -> None:
    kb.correct(correcting.rename(kb, "film", "genre", "drama", "tragedy"))
    data = films.model_dump()
    data["cubes"][0]["attributes"] = [d for d in data["cubes"][0]["attributes"] if d["id"] != "genre"]
    narrow = make_kb(ontology=type(films).model_validate(data))
    narrow.ingest([corpus], extractor=rules())
    assert narrow.cubes["film"].labels("genre") == []
    assert directors(narrow, "Film C2") == ["Director C"]
    assert len(narrow.corrections()) == 1


def test_merged_subjects_are_one_under_both_names(kb: KnowledgeBase) -> None:
    kb.correct(correcting.merge(kb, "film", "name", "Film C2", "Film D3"))
    assert sorted(directors(kb, "Film C2")) == ["Director C", "Director D"]
    assert [subject.label for subject in kb.cubes.subjects("Film D3")] == ["Film C2"]
    assert [fact.value for fact in kb.cubes["film"].facts(relation=ALIAS)] == ["Film D3"]


def test_new_labels_of_a_correction_are_found_by_meaning(kb: KnowledgeBase) -> None:
    kb.correct(correcting.replace_value(kb, the_fact(kb, "Film C2"), "Ada True"))
    dense = kb._reading().vectors()
    assert dense is not None
    assert dense.labels("film", "person_name", "true ada", 1)[0][0] == "Ada True"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"cube": "plant"}, "no class 'plant'"),
        ({"dimension": "colour"}, "no dimension 'colour'"),
        ({"value": "Nobody"}, "no label 'Nobody'"),
        ({"new": " "}, "not empty"),
        ({"kind": "retract"}, "in which document"),
    ],
)
def test_a_correction_of_what_is_not_there_is_refused(kb: KnowledgeBase, change: dict[str, str], word: str) -> None:
    expansion = {
        "kind": "rename",
        "cube": "film",
        "dimension": "person_name",
        "value": "Director C",
        "new": "X",
        **change,
    }
    with pytest.raises(UsageError, match=word):
        kb.correct(Correction.model_validate(expansion))
    assert kb.corrections() == []


def test_a_fact_about_something_unheard_of_needs_a_section(kb: KnowledgeBase) -> None:
    with pytest.raises(UsageError, match="No section is about 'Atlantis'"):
        correcting.add(kb, "film", "genre", "Atlantis", "genre", "myth")
    with pytest.raises(UsageError, match="one label already"):
        correcting.merge(kb, "film", "name", "Film C2", "the film c2")


def test_corrections_are_in_the_export(kb: KnowledgeBase) -> None:
    kb.correct(correcting.rename(kb, "film", "genre", "drama", "tragedy"))
    assert [record["kind"] for record in kb.export() if record["type"] == "correction"] == ["rename"]
    assert {record["type"] for record in kb.export()} == {
        "document",
        "section",
        "label",
        "fact",
        "correction",
    }


# Writers and readers.


def test_a_second_writer_is_refused_and_readers_are_not(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    with write_lock(kb.path):
        for write in (
            lambda: kb.ingest([corpus], extractor=rules()),
            lambda: kb.remove("f1"),
            kb.rebuild,
            lambda: kb.correct(correcting.retract(kb, the_fact(kb, "Film C2"))),
        ):
            with pytest.raises(LockedError, match="is being written by process"):
                write()
        with KnowledgeBase.open(kb.path) as reader:
            assert len(reader.documents()) == 12
        assert kb.ingest([corpus], extractor=rules(), dry_run=True).unchanged == 12


def test_a_reader_keeps_its_state_until_it_refreshes(kb: KnowledgeBase) -> None:
    with KnowledgeBase.open(kb.path) as reader:
        cubes, generation = reader.cubes, reader.generation
        kb.remove("f3")
        assert len(reader.sections()) == 12
        assert reader.cubes is cubes
        assert reader.refresh()
        assert (len(reader.sections()), reader.generation) == (11, generation + 1)
        assert not reader.refresh()


def test_a_state_is_announced_only_where_something_changed(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    generation = kb.generation
    kb.ingest([corpus], extractor=rules())
    assert kb.generation == generation


def test_many_threads_may_read_while_one_writes(kb: KnowledgeBase, corpus: Path, rules: Any) -> None:
    faults: list[BaseException] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                kb.refresh()
                for hit in kb.retriever.passages("drama Director C", k=3).hits:
                    hit.section_id  # noqa: B018
                assert len(kb.cubes["film"].facts()) >= 30
        except BaseException as fault:
            faults.append(fault)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for thread in readers:
        thread.start()
    try:
        kb.remove("f3")
        kb.ingest([corpus], extractor=rules())
        kb.correct(correcting.retract(kb, the_fact(kb, "Film C2")))
    finally:
        done.set()
        for thread in readers:
            thread.join()
    assert faults == []
