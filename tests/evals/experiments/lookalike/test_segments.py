"""Gold mapped by span: the same place is found in chapters, in chunks, and through what formats make of a text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.records import Document, Section
from multicube.cubes.documents.sections import split
from multicube.evals.experiments.lookalike.segments import Library, fixed_chunks, gold_segments
from multicube.evals.generators.lookalike.questions import GoldSection

TEXT = """# 1 Ratings

Stresses beyond these may do harm.

| Parameter | Symbol | Max | Unit |
|---|---|---|---|
| Input voltage | V(IN) | 6.5 | V |
| Quiescent current | I(Q) | 12 | µA |

# 2 Limits

## 2.1 Input

Input voltage V(IN) 6.5 V is the limit. It is said twice.
"""


def document(text: str = TEXT, record_id: str = "a") -> Document:
    return Document(f"id-{record_id}", "x.md", record_id, "A regulator", text, "hash", "text/markdown")


def library(*documents: Document) -> Library:
    return Library({each.record_id: each for each in documents}, [s for each in documents for s in split(each)])


def gold(quote: str, *path: str) -> GoldSection:
    return GoldSection(document="a", path=path, quote=quote)


@pytest.mark.parametrize(
    ("quote", "path", "chapter"),
    [
        ("Input voltage | V(IN) | 6.5 | V", ("1 Ratings",), "1 Ratings"),
        ("Quiescent current | I(Q) | 12 | \u03bcA", ("1 Ratings",), "1 Ratings"),
        ("Input voltage V(IN) 6.5 V", ("2 Limits", "2.1 Input"), "2.1 Input"),
        ("It is said\n twice.", ("9 Elsewhere",), "2.1 Input"),
    ],
)
def test_a_place_is_found_in_its_chapter(quote: str, path: tuple[str, ...], chapter: str) -> None:
    books = library(document(), document(record_id="b"))
    found, lost = gold_segments(books.sections, books, [gold(quote, *path)])
    assert [s.path[-1] for s in books.sections if s.id in found] == [chapter]
    assert all(s.record_id == "a" for s in books.sections if s.id in found)
    assert not lost


@pytest.mark.parametrize(
    "lost",
    [gold("nobody said this", "1 Ratings"), GoldSection(document="c", path=(), quote="Stresses")],
)
def test_what_ingestion_lost_is_said(lost: GoldSection) -> None:
    books = library(document())
    assert gold_segments(books.sections, books, [lost]) == ([], [lost])


def test_the_chunk_with_most_of_a_place_is_gold() -> None:
    book = document("".join(f"Sentence number {n} is of the device. " for n in range(60)))
    books = Library({"a": book}, split(book))
    chunks = fixed_chunks([book], tokens=100)
    found, _ = gold_segments(chunks, books, [gold("Sentence number 41 is of the device.")])
    assert [c.text.count("number 41 ") for c in chunks if c.id in found] == [1]


@given(st.text(st.sampled_from("ab. \n|µ"), max_size=600), st.integers(1, 40))
def test_chunks_are_the_document_in_order_and_never_too_long(text: str, tokens: int) -> None:
    chunks: list[Section] = fixed_chunks([document(text)], tokens=tokens)
    assert "".join(chunk.text for chunk in chunks) == text
    assert all(text[c.start : c.start + len(c.text)] == c.text and 0 < len(c.text) <= 4 * tokens for c in chunks)


def test_a_chunk_says_nothing_of_chapters() -> None:
    found: list[Any] = [chunk.path for chunk in fixed_chunks([document()])]
    assert found == [()]
