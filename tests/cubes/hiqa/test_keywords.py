"""Critical keywords: codes by form, names by capitals, titles and headings, and the experts' list."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from multicube.cubes.core.errors import InputError
from multicube.cubes.core.records import Section
from multicube.cubes.retrieval.hiqa.experts import read_keywords
from multicube.cubes.retrieval.hiqa.keywords import KeywordIndex, codes_in, heading_name, keyword_columns
from multicube.cubes.retrieval.hiqa.routes import MultiRoute


def section(number: int, text: str, *path: str) -> Section:
    return Section(f"{path[0]}:{number}", path[0], path[0], number, path, text)


SECTIONS = [
    section(0, "A switch for USB ports.", "TPS-2041B power switch", "1 Features"),
    section(1, "Do not exceed the limits that Mira Solen found.", "TPS-2041B power switch", "2 Electrical limits"),
    section(0, "A switch for USB ports.", "TPS-2042C power switch", "1 Features"),
    section(1, "Do not exceed these. It replaces the TPS2041B.", "TPS-2042C power switch", "2 Electrical limits"),
]
INDEX = KeywordIndex(keyword_columns(SECTIONS))


def found(query: str) -> dict[str, list[int]]:
    return {keyword.text: keyword.sections.tolist() for keyword in INDEX.keywords(query)}


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("The TPS-2041B and the iPhone 15", {"tps2041b", "iphone15"}),
        ("A 74HC595, a 2N2222 and an ADC12QJ1600-SP", {"74hc595", "2n2222", "adc12qj1600sp"}),
        ("100mA at 3.3V and 16-bit for 2nd place in May 2008, see Table 3 and section 4.2", set()),
    ],
)
def test_codes_are_read_by_their_form(text: str, codes: set[str]) -> None:
    assert set(codes_in(text)) == codes


def test_a_code_is_found_however_it_is_written() -> None:
    for written in ("TPS-2041B", "TPS2041B", "TPS 2041B", "tps2041b"):
        assert found(f"Is the {written} in stock?") == {written: [0, 1, 3]}


def test_a_family_has_all_its_members() -> None:
    assert found("Is the TPS-2041 in stock?") == {"TPS-2041": [0, 1, 3]}


def test_titles_headings_and_names_are_keywords() -> None:
    assert found("What are the electrical limits of the TPS-2042C power switch?") == {
        "electrical limits": [1, 3],
        "TPS-2042C power switch": [2, 3],
    }
    assert found("What did Mira Solen find?") == {"Mira Solen": [0, 1]}  # of the document that alone names her
    assert found("Which ports are there?") == {}


def test_naming_a_document_is_noticed() -> None:
    everywhere, nowhere = np.ones(4, dtype=bool), np.zeros(4, dtype=bool)
    assert INDEX.names_structure("the current of a TPS-2042C", everywhere)
    assert not INDEX.names_structure("list the electrical limits", everywhere)  # a heading is not a topic
    assert not INDEX.names_structure("Who found the limits?", everywhere)
    assert not INDEX.names_structure("the current of a TPS-2042C", nowhere)


def test_the_word_that_asks_is_no_keyword() -> None:
    held = [section(0, "By hand.", "Kiln FAQ", "How is it lit?"), section(1, "Wood.", "Kiln FAQ", "Fuel")]
    index = KeywordIndex(keyword_columns(held))
    assert [keyword.text for keyword in index.keywords("How do I get fuel?")] == ["fuel"]


def test_headings_lose_their_numbers() -> None:
    assert heading_name("2.1 Electrical limits") == "Electrical limits"
    assert heading_name("Appendix A. Drawings") == "Appendix A. Drawings"
    assert heading_name("Chapter 3: Use") == "Use"
    assert heading_name("7") == "7"


def test_an_experts_keyword_counts_by_any_of_its_wordings() -> None:
    routes = MultiRoute(SECTIONS)
    hits = routes.search("thresholds, please", 4, experts=["threshold, electrical limit", "colour"])
    assert {hit.ordinal for hit in hits if hit.parts.keywords == ("threshold",)} == {1, 3}
    assert not any(hit.parts.keywords for hit in routes.search("thresholds, please", 4))


def test_a_keyword_file_is_lines_with_synonyms_and_remarks(tmp_path: Path) -> None:
    file = tmp_path / "keywords.txt"
    file.write_text("# ours\nabsolute maximum, limiting value  # both\n\nAEC-Q100\nAEC-Q100\n", encoding="utf-8")
    assert read_keywords(file) == ("absolute maximum, limiting value", "AEC-Q100")


def test_a_keyword_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_keywords(tmp_path / "missing.txt")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00k")
    with pytest.raises(InputError, match="not UTF-8"):
        read_keywords(tmp_path / "binary.txt")
