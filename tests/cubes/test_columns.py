"""Files of columns: read back as written, or as if they were not there."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multicube.cubes.core.columns import Arrays, PackedGroups, PackedStrings, packed, read_columns, write_columns

TEXTS = ["", "a", "b", "bé", "c", "日本", "\ud800"]
ARRAYS: Mapping[str, object] = {"none": np.empty(0, dtype=np.int32), "sure": np.array([0.5, 1.0])}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "some.columns"
    assert write_columns(path, "state", {**packed("texts", TEXTS), **ARRAYS})  # type: ignore[dict-item]
    return path


def read(file: Path) -> Arrays:
    found = read_columns(file, "state")
    assert found is not None
    return found


def test_what_was_written_is_read_back(file: Path) -> None:
    arrays = read(file)
    assert list(PackedStrings(arrays, "texts")) == TEXTS
    assert arrays["none"].tolist() == [] and arrays["sure"].tolist() == [0.5, 1.0]  # noqa: PT018
    assert [path.name for path in file.parent.iterdir()] == ["some.columns"]


def test_a_file_of_another_state_is_not_read(file: Path) -> None:
    assert read_columns(file, "another") is None
    assert read_columns(file.with_name("other.columns"), "state") is None


@pytest.mark.parametrize("place", [0, 20, 100, -200, -1])
def test_a_damaged_file_is_not_read(file: Path, place: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)
    assert read_columns(file, "state") is None


@pytest.mark.parametrize("length", [0, 10, 40, 300, -1])
def test_a_file_cut_off_is_not_read(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    assert read_columns(file, "state") is None


def test_who_reads_the_old_one_goes_on_undisturbed(file: Path) -> None:
    texts = PackedStrings(read(file), "texts")
    assert write_columns(file, "later", packed("texts", ["new"]))
    assert list(texts) == TEXTS
    assert read_columns(file, "state") is None


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("a file", encoding="utf-8")
    assert not write_columns(tmp_path / "folder" / "some.columns", "state", packed("texts", TEXTS))


@given(st.lists(st.text(), unique=True))
def test_strings_in_order_are_found(texts: list[str]) -> None:
    strings = PackedStrings(packed("texts", sorted(texts)), "texts")
    assert [strings[strings.find(text)] for text in texts] == texts
    assert all(strings.find(f"{text}!") < 0 or f"{text}!" in texts for text in texts)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4), st.integers(0, 9)), unique=True))
def test_numbers_are_grouped_by_stretch_and_key(entries: list[tuple[int, int, int]]) -> None:
    stretches, keys, numbers = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    groups = PackedGroups(PackedGroups.packed("some", keys, numbers, stretches, count=3), "some")
    for stretch in range(3):
        assert list(groups.keys(stretch)) == sorted({key for s, key, _ in entries if s == stretch})
        for key in range(5):
            assert list(groups.of(key, stretch)) == sorted(n for s, k, n in entries if (s, k) == (stretch, key))
        for low in range(5):
            held = [n for key in range(low, 4) for n in groups.of(key, stretch)]
            assert list(groups.between(low, 4, stretch)) == held


@given(st.lists(st.text(), unique=True), st.text(max_size=2))
def test_strings_in_order_are_found_by_their_beginning(texts: list[str], start: str) -> None:
    strings = PackedStrings(packed("texts", sorted(texts)), "texts")
    found = strings.starting(start)
    assert [strings[n] for n in found] == sorted(text for text in texts if text.startswith(start))
