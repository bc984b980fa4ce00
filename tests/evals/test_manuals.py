"""Questions about real documents become reading examples: each with the section and the words that answer it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import yaml
from multicube import MultiCube
from multicube.evals.training.examples import reading_examples
from multicube.evals.training.sources.manuals import write_manuals

MANUAL = """# The Ferring pump

## Starting

Before the first start, fill the tank. The pump listens on port 4711 unless another one is set.

## Cleaning

Clean the sieve every week, because silt blocks the
valve. Use `ferring --flush` for that.
"""
ASKED = [
    {"id": "f1", "question": "Which port is it by default?", "answers": ["4711"], "kind": "default",
     "quote": ["The pump listens on port 4711"], "document": "ferring.md"},
    {"id": "f2", "question": "Why should I clean the sieve?", "kind": "why",
     "quote": ["because silt blocks the valve"], "document": "ferring.md"},
    {"id": "f3", "question": "Which colour has the tank?", "kind": "unanswerable", "answerable": False},
    {"id": "f4", "question": "Who made it?", "answers": ["Nobody"], "kind": "fact",
     "quote": ["made by nobody at all"], "document": "ferring.md"},
]  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("manuals")
    documents, recipe = root / "documents", root / "recipe"
    documents.mkdir()
    (documents / "ferring.md").write_text(MANUAL, encoding="utf-8")
    (recipe / "questions").mkdir(parents=True)
    (recipe / "corpora.yaml").write_text(yaml.safe_dump({"corpora": [{"name": "pumps", "holds": "a manual"}]}))
    (recipe / "questions" / "pumps.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ASKED))
    MultiCube.build([documents], root / "kb" / "pumps", engine="embedded").close()
    write_manuals(recipe, root / "kb", root / "reading")
    return root / "reading"


def test_an_answer_is_the_short_one_beside_its_quotation_else_the_quotation(written: Path) -> None:
    found = {e.question: e.text[e.start : e.end] for e in reading_examples(written, "manuals") if e.answerable}
    assert found["Which port is it by default?"] == "4711"
    assert " ".join(found["Why should I clean the sieve?"].split()) == "because silt blocks the valve"
    assert len(found) == 2, "a quotation that no section holds teaches nothing"


def test_a_question_without_an_answer_is_read_in_what_is_found_for_it(written: Path) -> None:
    open_ones = [e for e in reading_examples(written, "manuals") if not e.answerable]
    assert {e.question for e in open_ones} == {"Which colour has the tank?"}


def test_a_section_is_titled_by_its_heading_too(written: Path) -> None:
    rows = [json.loads(line) for line in gzip.decompress((written / "manuals.jsonl.gz").read_bytes()).splitlines()]
    assert "The Ferring pump: Cleaning" in {row["title"] for row in rows}
