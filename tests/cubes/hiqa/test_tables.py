"""Pipe tables are read with their title, labels and rows, and nothing else is taken for one."""

from __future__ import annotations

from multicube.cubes.retrieval.hiqa.tables import tables_in

RATINGS = """Stresses beyond these values may damage the device.

Table 3: Absolute maximum ratings

| Parameter | Min | Max | Unit |
|-----------|:---:|----:|------|
| Supply voltage | -0.3 | 6.0 | V |
| Storage temperature | -65 | 150 | °C |

See also section 4."""


def test_a_table_has_its_title_labels_and_cells() -> None:
    (table,) = tables_in(RATINGS)
    assert table.title == "Table 3: Absolute maximum ratings"
    assert table.columns == ("Parameter", "Min", "Max", "Unit")
    assert table.rows[1] == ("Storage temperature", "-65", "150", "°C")
    assert next(table.records())["Max"] == "6.0"


def test_a_span_leads_back_to_the_text() -> None:
    (table,) = tables_in(RATINGS)
    assert RATINGS[table.span.start : table.span.end].startswith("| Parameter")
    assert RATINGS[table.span.start : table.span.end].endswith("| °C |")
    assert table.named is not None
    assert RATINGS[table.named.start : table.named.end] == table.title


def test_titles_in_bold_and_behind_the_table() -> None:
    pins = "**Pin functions**\n| Pin | Name |\n|--|--|\n| 1 | GND |\n\nText.\n\n"
    text = f"{pins}| A | B |\n|---|---|\n| x | y |\n\nTable 2. Modes"
    first, second = tables_in(text)
    assert (first.title, second.title) == ("Pin functions", "Table 2. Modes")


def test_the_line_behind_a_table_may_name_the_next_one() -> None:
    text = "| A | B |\n|---|---|\n| x | y |\n\nTable 2: Modes\n\n| C | D |\n|---|---|\n| z | w |"
    first, second = tables_in(text)
    assert (first.title, second.title) == ("", "Table 2: Modes")


def test_rows_have_as_many_cells_as_columns() -> None:
    (table,) = tables_in("| A | B | C |\n|---|---|---|\n| 1 | 2 |\n| 1 | 2 | 3 | 4 |\n| a \\| b | **c** | |")
    assert table.rows == (("1", "2", ""), ("1", "2", "3"), ("a | b", "c", ""))


def test_a_piece_without_its_header_has_rows_but_no_columns() -> None:
    (table,) = tables_in("| Input current | 3 | mA |\n| Output current | 20 | mA |")
    assert table.columns == ()
    assert list(table.records()) == []


def test_code_and_prose_with_bars_are_no_tables() -> None:
    assert tables_in("```\n| A | B |\n|---|---|\n| 1 | 2 |\n```") == []
    assert tables_in("Press a | b to go on.\nThen press c.") == []
    assert tables_in("|x| is the absolute value\n\n|y| too") == []
