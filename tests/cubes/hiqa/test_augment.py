"""What is embedded for a section: its headings, its text, tables and figures by what they are about."""

from __future__ import annotations

from multicube.cubes.core.records import Section
from multicube.cubes.index.vector_index import passage_text
from multicube.cubes.retrieval.hiqa.augment import HCA, Augmentation, augmented_parts, augmented_text

TEXT = """The limits of the device are given in Table 1.

Table 1: Absolute maximum ratings

| No. | Parameter | Max |
|---|---|---|
| 1 | Supply voltage | 6.5 |
| 2 | Input current | 40 |

The outline is shown below.

![Figure 2: Package outline](figure:0123abcd)
"""


def section(text: str, *path: str) -> Section:
    return Section("d:0", "d", "r", 0, path, text)


RATINGS = section(TEXT, "TPS-2041B", "2 Specifications", "2.1 Ratings")


def test_the_headings_come_first_from_the_title_down() -> None:
    assert augmented_text(RATINGS).split("\n")[0] == "TPS-2041B > 2 Specifications > 2.1 Ratings"


def test_a_table_is_its_title_and_labels_without_data() -> None:
    text = augmented_text(RATINGS)
    assert "Table 1: Absolute maximum ratings" in text
    assert "Columns: No., Parameter, Max." in text
    assert "Rows: Supply voltage, Input current." in text  # the column of words, not the numbers before it
    assert "given in Table 1" in text
    assert "6.5" not in text
    assert "40" not in text


def test_a_figure_is_its_caption_and_description() -> None:
    text = augmented_text(RATINGS, HCA, {"0123abcd": "A drawing of eight pins"})
    assert "Figure 2: Package outline. A drawing of eight pins." in text
    assert "0123abcd" not in text


def test_each_part_can_be_left_out() -> None:
    assert augmented_text(RATINGS, Augmentation(hierarchy=False)).startswith("2.1 Ratings\n")
    assert augmented_text(RATINGS, Augmentation(metadata=False)).startswith("The limits")
    assert "| 1 | Supply voltage | 6.5 |" in augmented_text(RATINGS, Augmentation(tables=False))
    assert "(figure:0123abcd)" in augmented_text(RATINGS, Augmentation(figures=False))


def test_prose_is_embedded_as_its_passage_is() -> None:
    prose = section("Plain text | with a bar, and [a link](https://example.org).", "Title", "Heading")
    assert augmented_text(prose) == passage_text(prose)


def test_a_document_without_its_own_heading_keeps_its_title_in_every_variant_with_metadata() -> None:
    whole = section("Text.", "Title")
    assert augmented_text(whole, Augmentation(hierarchy=False)) == "Title\nText."


LONG = " ".join(f"Step {n} turns the valve by a quarter and waits until the needle rests." for n in range(8))


def test_a_long_section_has_parts_each_under_its_headings() -> None:
    whole = section(LONG, "Boiler", "3 Filling")
    parts = augmented_parts(whole)
    assert len(parts) > 1
    assert all(part.startswith("Boiler > 3 Filling\nStep ") for part in parts)
    assert " ".join(part.split("\n", 1)[1] for part in parts) == LONG, "sentences stay whole, and none is left out"
    assert augmented_parts(section("Turn the valve. Wait.", "Boiler", "3 Filling")) == []


def test_in_parts_a_tables_rows_keep_their_data() -> None:
    rows = "".join(f"| {name} | what the {name} is for, in a few words | {n} s |\n" for n, name in enumerate("abcdefg"))
    parts = augmented_parts(section(f"| Option | Meaning | Default |\n|---|---|---|\n{rows}", "Boiler", "4 Options"))
    assert any("what the f is for" in part and "5 s" in part for part in parts)
