"""Multi-route retrieval over sections in memory and over a knowledge base, and the default weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube.cubes.core.records import Filters, Section
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.retrieval.hiqa.augment import Augmentation
from multicube.cubes.retrieval.hiqa.defaults import CorpusShape, default_weights, shape_of
from multicube.cubes.retrieval.hiqa.vectors import in_memory

CODES = [f"RX-{number}{letter}" for number in (210, 220, 230) for letter in "AB"]


def sheet(code: str, number: int) -> str:
    return f"""# {code} regulator

## 1 Features

The device regulates a voltage and stays cool.

## 2 Electrical characteristics

### 2.1 Ratings

Table 1 lists the limits of the device.

Table 1: Absolute maximum ratings

| Parameter | Max | Unit |
|---|---|---|
| Supply voltage | {5 + number} | V |
| Input current | {40 + number} | mA |

## 3 Package

![Figure 1: Outline of the package](outline.png)

The package has eight pins.
"""


def sections() -> list[Section]:
    """The sections that these sheets are divided into."""
    return [
        Section(f"{code}:{n}", code, code, n, (f"{code} regulator", *path), text)
        for code in CODES
        for n, (path, text) in enumerate([
            (("1 Features",), "The device regulates a voltage and stays cool."),
            (("2 Electrical characteristics", "2.1 Ratings"), "The limits of supply voltage and input current."),
            (("3 Package",), "The package has eight pins."),
        ])
    ]  # fmt: skip


@pytest.fixture
def encoder(words_encoder: Any) -> Any:
    return words_encoder()


@pytest.fixture
def kb(tmp_path: Path, films: Any, rules: Any, encoder: Any) -> Iterator[KnowledgeBase]:
    folder = tmp_path / "sheets"
    folder.mkdir()
    for number, code in enumerate(CODES):
        (folder / f"{code}.md").write_text(sheet(code, number), encoding="utf-8")
    (folder / "note.txt").write_text("A plain note about voltage without any chapter.", encoding="utf-8")
    with KnowledgeBase.create(tmp_path / "kb", ontology=films, encoder=lambda: encoder) as made:
        made.ingest([folder], extractor=rules())
        yield made


def test_the_code_in_a_question_finds_its_document_among_look_alikes(encoder: Any) -> None:
    routes = in_memory(sections(), encoder)
    for code in CODES:
        first, second = routes.search(f"What is the supply voltage of the {code}?", 2)
        assert sections()[first.ordinal].path == (f"{code} regulator", "2 Electrical characteristics", "2.1 Ratings")
        assert first.parts.keywords == (code,)
        assert first.score > second.score


def test_the_score_is_made_of_its_parts(encoder: Any) -> None:
    for hit in in_memory(sections(), encoder).search("ratings of the RX-210A", 18, alpha=0.6, beta=0.2):
        parts = hit.parts
        sum_of = 0.6 * parts.vector + 0.4 * parts.words + 0.2 * np.log1p(len(parts.keywords))
        assert hit.score == pytest.approx(sum_of)


def test_a_longer_ranking_begins_as_a_shorter_one(encoder: Any) -> None:
    many = [
        Section(f"{s.id}/{n}", f"{s.document_id}/{n}", "", 0, s.path, f"{s.text} {n}")
        for n in range(12)
        for s in sections()
    ]
    routes = in_memory(many, encoder)
    all_of = [hit.ordinal for hit in routes.search("electrical characteristics of RX-230B", len(many))]
    assert sorted(all_of) == list(range(len(many)))
    assert [hit.ordinal for hit in routes.search("electrical characteristics of RX-230B", 5)] == all_of[:5]


def test_without_headings_look_alikes_are_not_told_apart(encoder: Any) -> None:
    query = "What is the supply voltage of the RX-220B?"
    with_path = in_memory(sections(), encoder).search(query, 1, beta=0.0)
    assert sections()[with_path[0].ordinal].record_id == "RX-220B"
    plain = in_memory(sections(), encoder, options=Augmentation(metadata=False)).search(query, 6, beta=0.0)
    assert len({round(hit.score, 9) for hit in plain}) == 1


def test_a_knowledge_base_has_a_collection_of_augmented_sections(kb: KnowledgeBase, in_chroma: Any) -> None:
    held = in_chroma(kb)
    structured = [s.id for s in kb.sections() if len(s.path) > 1]
    assert held["hiqa"] == sorted(structured)
    assert len(held["passages"]) == len(structured) + 1  # the note's vector is its passage's


def test_a_sentence_of_a_long_section_is_found_by_its_meaning(
    tmp_path: Path, films: Any, rules: Any, encoder: Any, in_chroma: Any
) -> None:
    filling = " ".join(f"Valve {n} opens a quarter turn and the needle of gauge {n} rests at zero." for n in range(9))
    frost = "Frost splits brass fittings"
    (tmp_path / "boiler.md").write_text(f"# Boiler\n\n## Filling\n\n{filling}\n\n{frost}.\n", encoding="utf-8")
    with KnowledgeBase.create(tmp_path / "kb", ontology=films, encoder=lambda: encoder) as kb:
        kb.ingest([tmp_path / "boiler.md"], extractor=rules())
        (section,) = kb.sections()
        near = kb.retriever.dense.augmented(frost, 1, [])  # type: ignore[union-attr]
        asked, whole = encoder.encode([frost, f"Boiler > Filling\n{section.text}"])
        assert near[section.id] > asked @ whole
        assert section.id in in_chroma(kb)["hiqa"]
        kb.remove(str(tmp_path / "boiler.md"))
        assert "hiqa" not in in_chroma(kb), "the parts go with their section"


def test_other_forms_of_a_word_are_found_and_question_words_count_for_nothing(encoder: Any) -> None:
    texts = ("Acknowledged alarms fall silent.", "Who does what, and how, is written here.", "Clean the glass.")
    made = [Section(f"m:{n}", "m", "m", n, ("Manual", f"Part {n}"), text) for n, text in enumerate(texts)]
    found = in_memory(made, encoder).search("How does someone acknowledge what?", 3, alpha=0.0)
    assert {hit.ordinal: hit.parts.words for hit in found} == {0: 1.0, 1: 0.0, 2: 0.0}


def test_equal_texts_are_embedded_once(kb: KnowledgeBase, encoder: Any) -> None:
    whole = [text for text in encoder.encoded if "\n" in text]
    assert len(whole) == len(set(whole))
    assert sum("| Supply voltage |" in text for text in whole) == len(CODES)  # as passages
    assert sum("Rows: Supply voltage" in text for text in whole) == len(CODES)  # as augmented sections


def test_hits_show_their_parts(kb: KnowledgeBase) -> None:
    retrieval = kb.retriever.hiqa("input current of the RX-230A", k=3)
    hit = retrieval.hits[0]
    assert kb.section(hit.section_id).path == ("RX-230A regulator", "2 Electrical characteristics", "2.1 Ratings")
    assert hit.source == "hiqa"
    assert hit.parts is not None
    assert hit.parts.keywords == ("RX-230A",)
    assert (hit.parts.alpha, hit.parts.beta) == kb.retriever._routes.weights


def test_weights_and_filters_are_followed(kb: KnowledgeBase) -> None:
    only = Filters(sources=("*RX-210B.md",))
    found = kb.retriever.hiqa("input current of the RX-230A", k=50, filters=only, alpha=1.0, beta=0.0)
    assert {kb.section(hit.section_id).title for hit in found.hits} == {"RX-210B regulator"}
    by_meaning = [hit.parts.vector for hit in found.hits if hit.parts]
    assert [hit.score for hit in found.hits] == sorted(by_meaning, reverse=True)
    words = kb.retriever.hiqa("voltage note", k=1, dense=False)
    assert words.hits[0].parts is not None
    assert words.hits[0].parts.alpha == 0.0
    assert "note" in kb.section(words.hits[0].section_id).text


def test_plain_passages_take_part(kb: KnowledgeBase) -> None:
    hits = kb.retriever.hiqa("a plain note without chapter", k=19).hits
    assert "plain note" in kb.section(hits[0].section_id).text
    assert len(hits) == len(kb.sections())


def test_removal_takes_the_augmented_vectors_along(kb: KnowledgeBase, in_chroma: Any) -> None:
    source = next(d.source for d in kb.documents() if d.title == "RX-220A regulator")
    kb.remove(source)
    left = in_chroma(kb)["hiqa"]
    assert left == sorted(s.id for s in kb.sections() if len(s.path) > 1)
    assert len(left) == 3 * (len(CODES) - 1)
    assert not kb.retriever.hiqa("RX-220A", k=1).hits[0].parts.keywords  # type: ignore[union-attr]


def test_a_rebuild_derives_them_anew(kb: KnowledgeBase, in_chroma: Any) -> None:
    before = in_chroma(kb)
    kb.rebuild()
    assert in_chroma(kb) == before


def test_alpha_grows_with_structure_and_beta_with_documents_to_pages() -> None:
    flat, deep = CorpusShape(0.0, 20, 10.0), CorpusShape(1.0, 20, 10.0)
    assert default_weights(flat)[0] < default_weights(deep)[0]
    shapes: Sequence[CorpusShape] = (
        CorpusShape(0.5, 1, 660.0),
        CorpusShape(0.5, 8, 200.0),
        CorpusShape(0.5, 18, 90.0),
        CorpusShape(0.5, 116, 11.0),
    )
    betas = [default_weights(shape)[1] for shape in shapes]
    assert betas == sorted(betas)
    assert betas[0] < 0.01
    assert betas[-1] < 0.8


def test_a_collections_shape_is_measured() -> None:
    shape = shape_of(sections(), dict.fromkeys(CODES, 4))
    assert shape.structure == pytest.approx((1 + 2 + 1) / 6)
    assert (shape.documents, shape.pages, shape.ratio) == (6, 4.0, 1.5)
    assert shape_of([Section("a", "a", "a", 0, ("A",), "x" * 9_000)]).pages == 3.0
    assert shape_of([]).ratio == 0.0


def test_nothing_is_found_in_nothing(encoder: Any, words_encoder: Callable[..., Any]) -> None:
    assert in_memory([], encoder).search("anything", 5) == []
    assert in_memory(sections(), encoder).search("anything", 0) == []
    assert len(in_memory(sections(), words_encoder()).search("zzz", 18)) == 18
