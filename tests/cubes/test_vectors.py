"""The vector index, in a real Chroma: what is in it, what it finds, and what another process wrote to it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube.cubes.core.errors import CorruptStoreError, EncoderMismatchError, KnowledgeBaseError, UsageError
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.lookups import label_collection
from multicube.cubes.retrieval.retriever import FUSION_DEPTH
from multicube.cubes.store.vectors import PASSAGES, VectorEntry, VectorStore

Kb = Callable[..., KnowledgeBase]


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def label(number: int, dimension: str) -> VectorEntry:
    return VectorEntry(
        label_collection("film"), f"{dimension}{number}", f"label {number}", dimension, f"label {number}"
    )


def test_similarity_is_the_cosine(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "kb")
    vectors = np.stack([unit(1, 0, 0), unit(1, 1, 0), unit(0, 1, 0)])
    store.upsert([VectorEntry(PASSAGES, f"s{n}", "text") for n in range(3)], vectors)
    found = store.passages(unit(1, 0, 0), 10)
    assert [section for section, _ in found] == ["s0", "s1", "s2"]
    assert [similarity for _, similarity in found] == pytest.approx([1.0, 0.7071, 0.0], abs=1e-3)
    store.delete(PASSAGES, ["s0", "not there"])
    assert store.ids(PASSAGES) == ["s1", "s2"]
    store.drop(PASSAGES)
    assert (store.collections(), store.passages(unit(1, 0, 0), 1)) == ([], [])
    store.close()


def test_a_search_misses_none_of_the_nearest(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "kb")
    vectors = np.random.default_rng(5).normal(size=(840, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    entries, asked = vectors[:800], vectors[800:]
    store.upsert([VectorEntry(PASSAGES, f"s{n}", "text") for n in range(len(entries))], entries)
    found = store.passages_of_many(asked, FUSION_DEPTH)
    exact = np.argsort(-asked @ entries.T, axis=1)[:, :FUSION_DEPTH]
    missed = [len({f"s{n}" for n in row} - {i for i, _ in near}) for row, near in zip(exact, found, strict=True)]
    assert sum(missed) <= 2, "else what is found differs from one process to the next"
    store.close()


def test_labels_of_a_rare_dimension_are_found_behind_many_others(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "kb")
    chance = np.random.default_rng(3)
    near = chance.normal(size=(600, 8)).astype(np.float32) * 0.05 + np.eye(8, dtype=np.float32)[0]
    store.upsert([label(n, "name") for n in range(600)], near)
    store.upsert([label(n, "genre") for n in range(3)], np.stack([unit(0, *row) for row in np.eye(7)[:3]]))
    found = store.labels("film", "genre", unit(0.2, 0.9, *[0] * 6), 2)
    assert found[0][0] == "label 0"
    assert store.labels("film", "nothing", unit(1, *[0] * 7), 2) == []
    store.close()


def test_every_label_that_is_compared_by_meaning_has_a_vector(
    corpus: Path, make_kb: Kb, rules: Any, in_chroma: Any
) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    found = in_chroma(kb)
    cube = kb.cubes["film"]
    embedded = sum(len(cube.labels(d)) for d in ("name", "genre", "person_name", "to_person"))
    assert len(found["cube.film.labels"]) == embedded, "each cube has a collection of its own"
    assert found[PASSAGES] == sorted(section.id for section in kb.sections())


def test_the_index_serves_the_retriever(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    top = kb.retriever.passages("Film C2 drama Director C", k=3, mode="dense")
    assert kb.section(top.hits[0].section_id).record_id == "f2"
    dense = kb._reading().vectors()
    assert dense is not None
    assert dense.labels("film", "person_name", "the Director C", 1)[0][0] == "Director C"
    assert dense.labels("film", "date", "1925", 3) == []


READ = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("world", sys.argv[1])
world = importlib.util.module_from_spec(spec); spec.loader.exec_module(world)
from pathlib import Path
with world.KnowledgeBase.open(Path(sys.argv[2]), encoder=world.WordsEncoder) as kb:
    for line in sys.stdin:
        newer = kb.refresh()
        found = kb.retriever.passages(line, k=1, mode="dense").hits[0]
        print(newer, len(kb.sections()), kb.section(found.section_id).record_id, flush=True)
"""


def test_a_reader_in_another_process_sees_the_new_state(
    corpus: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any
) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    command = [sys.executable, "-c", READ, str(Path(__file__).with_name("conftest.py")), str(kb.path)]
    reader: Any = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def asked() -> list[str]:
        reader.stdin.write("Film V99 western Nobody Known\n")
        reader.stdin.flush()
        return str(reader.stdout.readline()).split()

    assert asked()[:2] == ["False", "12"]
    new = make_film(99, director="Nobody Known", genre="western")
    write_records(corpus / "more.jsonl", [new])
    kb.ingest([corpus], extractor=rules())
    assert asked() == ["True", "13", "f99"]
    kb.remove("f99")
    assert asked()[:2] == ["True", "12"]
    assert asked()[:2] == ["False", "12"]
    reader.communicate(timeout=30)


def test_two_knowledge_bases_of_one_folder_in_one_process(
    corpus: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any
) -> None:
    writer = make_kb()
    writer.ingest([corpus], extractor=rules())
    reader = make_kb()
    assert len(reader.retriever.passages("drama", k=20, mode="dense").hits) == 12
    write_records(corpus / "more.jsonl", [make_film(60)])
    writer.ingest([corpus], extractor=rules())
    assert reader.refresh()
    assert len(reader.retriever.passages("drama", k=20, mode="dense").hits) == 13


def test_a_deleted_index_is_said_and_derived_by_the_next_ingest(
    corpus: Path, make_kb: Kb, rules: Any, in_chroma: Any
) -> None:
    import shutil

    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    before = in_chroma(kb)
    shutil.rmtree(kb.path / "chroma")
    assert not kb.status().indexed
    with pytest.raises(CorruptStoreError, match="multicube rebuild --kb"):
        _ = make_kb().retriever
    assert kb.ingest([corpus], extractor=rules()).vectors == sum(map(len, before.values()))
    assert in_chroma(kb) == before


def test_an_index_that_lost_records_is_made_good_by_the_next_ingest(
    corpus: Path, make_kb: Kb, rules: Any, in_chroma: Any, make_film: Any, write_records: Any
) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    store = kb._store()
    store.delete(PASSAGES, store.ids(PASSAGES)[:5])
    store.close()
    write_records(corpus / "more.jsonl", [make_film(60)])
    kb.ingest([corpus], extractor=rules())
    assert len(in_chroma(kb)[PASSAGES]) == 13


def test_another_encoder_is_refused_and_rebuild_takes_it_over(
    corpus: Path, make_kb: Kb, rules: Any, words_encoder: Any, in_chroma: Any
) -> None:
    make_kb().ingest([corpus], extractor=rules())
    other = words_encoder("words/2")
    kb = make_kb(encoder=other)
    with pytest.raises(EncoderMismatchError, match=r"'words/1', not 'words/2'.*multicube rebuild --kb"):
        _ = kb.retriever
    with pytest.raises(EncoderMismatchError):
        kb.ingest([corpus], extractor=rules())
    before = in_chroma(kb)
    kb.rebuild()
    assert kb.status().encoder == "words/2"
    assert in_chroma(kb) == before
    assert kb.retriever.passages("drama", k=3, mode="dense").hits


def test_without_an_encoder_words_still_find(corpus: Path, make_kb: Kb, rules: Any, tmp_path: Path) -> None:
    kb = KnowledgeBase.create(tmp_path / "plain")
    assert kb.ingest([corpus], extractor=rules()).vectors == 0
    assert kb.retriever.passages("Film C2", k=1).hits[0].source == "bm25"
    with pytest.raises(UsageError, match="encoder"):
        kb.rebuild()
    kb.close()
    late = make_kb(tmp_path / "plain", ontology=None)
    with pytest.raises(KnowledgeBaseError, match="not embedded yet"):
        late.retriever.passages("Film C2", k=1, mode="dense")
    late.rebuild()
    assert late.retriever.passages("Film C2", k=1, mode="dense").hits


def test_one_server_can_hold_several_knowledge_bases(
    tmp_path: Path,
    corpus: Path,
    make_kb: Kb,
    rules: Any,
    monkeypatch: pytest.MonkeyPatch,
    in_chroma: Any,
    chroma_server: str,
) -> None:
    one, two = make_kb(tmp_path / "one"), make_kb(tmp_path / "two")
    one.ingest([corpus], extractor=rules())
    two.ingest([corpus], extractor=rules())
    one.remove("f3")
    assert len(in_chroma(one)[PASSAGES]) == 11
    assert len(in_chroma(two)[PASSAGES]) == 12
    assert one.retriever.passages("Film C2", k=1, mode="dense").hits
    assert not (tmp_path / "one" / "chroma").exists()
    monkeypatch.delenv("MULTICUBE_CHROMA_URL")
    with pytest.raises(CorruptStoreError, match="multicube rebuild"):
        make_kb(tmp_path / "two").retriever.passages("Film C2", k=1, mode="dense")
