"""A small world for the store's tests: an ontology, rules that read it, and an encoder that needs no model."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from multicube.cubes.core.folding import words
from multicube.cubes.core.records import Document, Fact, Section, Span
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.model.ontology import Ontology

FILMS = Ontology.model_validate(
    {
        "name": "films",
        "cubes": [
            {
                "id": "film",
                "name": "Film",
                "description": "films",
                "subject": {"id": "name", "name": "Film name", "description": "names of films"},
                "attributes": [
                    {"id": "genre", "name": "Genre", "kind": "text", "description": "genres"},
                    {"id": "date", "name": "Date", "kind": "date", "description": "dates"},
                    {"id": "person_name", "name": "Person", "kind": "person", "description": "persons"},
                ],
                "relations": [
                    {
                        "id": "to_person",
                        "name": "Relation to person",
                        "target": "person_name",
                        "description": "directed by",
                        "cues": [{"relation": "directed by", "kind": "person"}],
                    }
                ],
            }
        ],
    }
)

RULES = (
    ("to_person", "directed by", "person", re.compile(r"directed by (?P<value>[A-Z]\w*(?: [A-Z]\w*)*)")),
    ("genre", "genre", "text", re.compile(r"is an? (?P<value>\w+) film")),
    ("date", "released on", "date", re.compile(r"released in (?P<value>\d{4})")),
)


class Rules:
    """Reads three facts of a film out of a passage; counts what it was asked."""

    def __init__(self, version: str = "rules/1", fails_on: str = "") -> None:
        self.version = version
        self.fails_on = fails_on
        self.prepared: list[str] = []
        self.extracted: list[str] = []

    def prepare(self, documents: Sequence[Document]) -> None:
        self.prepared = [document.title for document in documents]

    def extract(self, section: Section, document: Document) -> Sequence[Fact]:
        if self.fails_on and self.fails_on in section.text:
            raise ValueError("a fault in the rules")
        self.extracted.append(document.record_id)
        found = [(rule, match) for *rule, pattern in RULES for match in pattern.finditer(section.text)]
        return [
            Fact(
                section.id, "film", dimension, document.title, relation, match["value"], kind,
                Span(*match.span("value")), Span(0, len(section.text)), origin=self.version,
            )
            for (dimension, relation, kind), match in found
        ]  # fmt: skip


class WordsEncoder:
    """Texts that share words are near each other; needs no model."""

    dimensions = 64

    def __init__(self, fingerprint: str = "words/1") -> None:
        self.fingerprint = fingerprint
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.encoded.extend(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text) or ["-"]:
                vectors[row, hashlib.blake2b(word.encode()).digest()[0] % self.dimensions] += 1.0
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def film(number: int, director: str = "", genre: str = "drama") -> dict[str, Any]:
    """One record of the corpus."""
    title = f"Film {chr(65 + number % 26)}{number}"
    director = director or f"Director {chr(65 + number % 7)}"
    text = f"{title} is a {genre} film directed by {director}. It was released in {1920 + number % 80}."
    return {"id": f"f{number}", "title": title, "text": text}


def write(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    """Write records one a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def chroma_ids(kb: KnowledgeBase) -> dict[str, list[str]]:
    """Everything that Chroma holds: ids by collection."""
    store = kb._store()
    found = {name: store.ids(name) for name in store.collections()}
    store.close()
    return found


@pytest.fixture
def films() -> Ontology:
    return FILMS


@pytest.fixture
def rules() -> type[Rules]:
    return Rules


@pytest.fixture
def words_encoder() -> type[WordsEncoder]:
    return WordsEncoder


@pytest.fixture
def make_film() -> Callable[..., dict[str, Any]]:
    return film


@pytest.fixture
def write_records() -> Callable[[Path, Sequence[dict[str, Any]]], Path]:
    return write


@pytest.fixture
def in_chroma() -> Callable[[KnowledgeBase], dict[str, list[str]]]:
    return chroma_ids


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with one file of twelve films."""
    folder = tmp_path / "docs"
    folder.mkdir()
    write(folder / "films.jsonl", [film(n) for n in range(12)])
    return folder


@pytest.fixture
def make_kb(tmp_path: Path) -> Iterator[Callable[..., KnowledgeBase]]:
    """Open (or make) a knowledge base of the small world; closed at the end."""
    opened: list[KnowledgeBase] = []

    def make(path: Path | None = None, **options: Any) -> KnowledgeBase:
        encoder = options.pop("encoder", None) or WordsEncoder()
        kb = KnowledgeBase.create(
            path or tmp_path / "kb", ontology=options.pop("ontology", FILMS), encoder=lambda: encoder, **options
        )
        opened.append(kb)
        return kb

    yield make
    for kb in opened:
        kb.close()


@pytest.fixture
def chroma_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A Chroma server on this machine that the environment names; a test is skipped where none can be started."""
    from databases import chroma  # what only loads the rules above in a process of its own does not find it

    with chroma(tmp_path / "server") as url:
        monkeypatch.setenv("MULTICUBE_CHROMA_URL", url)
        yield url
