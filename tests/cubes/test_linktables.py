"""The file of words and titles: it changes no ranking, and what does not fit is as if it were not there."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from multicube.cubes.links import LinkIndex
from multicube.cubes.linktables import link_tables, read_tables, write_tables
from multicube.cubes.records import Section

TEXTS = {
    "Orm": "Orm is a city in Velland. Ada Vell was born there.",
    "Ada Vell (painter)": "Ada Vell painted The Grey Tower in Orm.",
    "The Grey Tower": "The Grey Tower is a painting.",
}


@pytest.fixture
def sections() -> list[Section]:
    return [Section(t, t, t, 0, (t,), text) for t, text in TEXTS.items()]


def scores(sections: Sequence[Section], file: Path | None = None) -> list[float]:
    tables = read_tables(file, sections) if file is not None else None
    found: list[float] = LinkIndex(sections, tables).scores("Who painted The Grey Tower?", {}).tolist()
    return found


def test_what_was_written_is_read_back(tmp_path: Path, sections: list[Section]) -> None:
    file = tmp_path / "links.npz"
    write_tables(file, sections)
    read = read_tables(file, sections)
    assert read is not None
    assert read.titled == link_tables(sections).titled
    assert scores(sections, file) == scores(sections)
    assert [path.name for path in tmp_path.iterdir()] == ["links.npz"]


def test_the_tables_of_other_sections_are_not_used(tmp_path: Path, sections: list[Section]) -> None:
    file = tmp_path / "links.npz"
    write_tables(file, sections)
    assert read_tables(file, [replace(sections[0], text="Orm burned down."), *sections[1:]]) is None
    assert read_tables(file, sections[1:]) is None


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 torn"])
def test_a_damaged_file_is_as_if_it_were_not_there(tmp_path: Path, sections: list[Section], content: bytes) -> None:
    file = tmp_path / "links.npz"
    assert read_tables(file, sections) is None
    file.write_bytes(content)
    assert read_tables(file, sections) is None


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path, sections: list[Section]) -> None:
    write_tables(tmp_path / "gone" / "links.npz", sections)
    write_tables(tmp_path / "links.npz", [])
    assert read_tables(tmp_path / "links.npz", []) is not None
