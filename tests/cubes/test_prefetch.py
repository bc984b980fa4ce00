"""Passages are embedded while documents are still being read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube.cubes.core.records import Document, Fact, Section
from multicube.cubes.index.vector_index import passage_text
from multicube.cubes.ingest.pipeline import Progress
from multicube.cubes.ingest.prefetch import GROUP, PrefetchingEncoder
from multicube.cubes.knowledge.base import KnowledgeBase

Kb = Callable[..., KnowledgeBase]


def section(number: int) -> Section:
    return Section(f"d:{number}", "d", "r", number, ("Title",), f"text number {number}", 0)


@pytest.fixture
def many(tmp_path: Path, make_film: Any, write_records: Any) -> Path:
    """A file of more films than are embedded together."""
    file: Path = write_records(tmp_path / "many.jsonl", [make_film(n) for n in range(2 * GROUP + 70)])
    return file


@pytest.fixture
def watched(words_encoder: Any) -> Any:
    """An encoder that says when it has begun, and notices when it is asked for two things at once."""

    class Watched(words_encoder):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.begun = threading.Event()
            self.busy = threading.Lock()

        def encode(self, texts: Sequence[str]) -> np.ndarray:
            assert self.busy.acquire(blocking=False), "asked for two things at once"
            try:
                self.begun.set()
                return super().encode(texts)
            finally:
                self.busy.release()

    return Watched()


def test_embedding_begins_before_reading_ends(many: Path, make_kb: Kb, rules: Any, watched: Any) -> None:
    class Waiting(rules):  # type: ignore[misc]
        def extract(self, section: Section, document: Document) -> Sequence[Fact]:
            if document.record_id == f"f{2 * GROUP + 69}":
                assert watched.begun.wait(60)
            return super().extract(section, document)

    report = make_kb(encoder=watched).ingest([many], extractor=Waiting())
    assert report.problems == ()
    assert report.sections == 2 * GROUP + 70


def test_each_passage_is_embedded_once_and_has_its_own_vector(
    many: Path, make_kb: Kb, rules: Any, watched: Any, words_encoder: Any
) -> None:
    kb = make_kb(encoder=watched)
    kb.ingest([many], extractor=rules())
    texts = {section.id: passage_text(section) for section in kb.sections()}
    assert sorted(text for text in watched.encoded if text in set(texts.values())) == sorted(texts.values())
    store = kb._store()
    for id, vector, _ in store.get("passages", list(texts)):
        assert np.allclose(vector, words_encoder().encode([texts[id]])[0], atol=1e-6)
    store.close()


def test_what_is_read_again_with_the_same_text_is_not_embedded_again(
    many: Path, make_kb: Kb, rules: Any, words_encoder: Any
) -> None:
    make_kb().ingest([many], extractor=rules())
    encoder = words_encoder()
    report = make_kb(encoder=encoder).ingest([many], extractor=rules("rules/2"))
    assert report.reread == 2 * GROUP + 70
    assert encoder.encoded == []


def test_an_encoder_that_fails_ahead_fails_the_ingest_and_the_next_one_goes_on(
    many: Path, make_kb: Kb, rules: Any, words_encoder: Any
) -> None:
    class Failing(words_encoder):  # type: ignore[misc]
        def encode(self, texts: Sequence[str]) -> np.ndarray:
            raise MemoryError("the model does not fit")

    with pytest.raises(MemoryError, match="does not fit"):
        make_kb(encoder=Failing()).ingest([many], extractor=rules())
    kb = make_kb()
    report = kb.ingest([many], extractor=rules())
    assert report.unchanged == 2 * GROUP + 70
    assert kb.complete


def test_groups_do_not_depend_on_how_sections_come(words_encoder: Any) -> None:
    def groups(size: int) -> list[list[str]]:
        asked: list[list[str]] = []

        class Noting(words_encoder):  # type: ignore[misc]
            def encode(self, texts: Sequence[str]) -> np.ndarray:
                asked.append(list(texts))
                return super().encode(texts)

        encoder = Noting()
        sections = [section(number) for number in range(3 * GROUP - 1)]
        with PrefetchingEncoder(lambda: encoder) as ahead:
            for start in range(0, len(sections), size):
                ahead.offer(sections[start : start + size])
            ahead.encode([passage_text(each) for each in sections])
        return sorted(asked)

    assert groups(1) == groups(64) == groups(1000)


def test_an_interrupted_ingest_leaves_no_work_behind(many: Path, make_kb: Kb, rules: Any) -> None:
    def interrupt(step: Progress) -> None:
        if step.done == 2 * GROUP + 60:
            raise KeyboardInterrupt

    kb = make_kb()
    with pytest.raises(KeyboardInterrupt):
        kb.ingest([many], extractor=rules(), progress=interrupt)
    assert not any(thread.name.startswith("ahead") for thread in threading.enumerate())
    assert kb.ingest([many], extractor=rules()).unchanged > 0
    assert len(kb.sections()) == 2 * GROUP + 70


def test_few_sections_and_no_encoder_start_nothing(words_encoder: Any) -> None:
    before = threading.active_count()
    encoder = words_encoder()
    with PrefetchingEncoder(lambda: encoder) as ahead, PrefetchingEncoder(None) as without:
        ahead.offer([section(0)])
        without.offer([section(number) for number in range(2 * GROUP)])
        assert threading.active_count() == before
        assert encoder.encoded == []
        assert ahead.encode([passage_text(section(0))]).shape == (1, 64)
        assert ahead.fingerprint == "words/1"
