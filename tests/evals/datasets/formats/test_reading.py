"""Reading record by record: what is broken is named with its place, and the rest is read."""

import gzip
import json
from pathlib import Path

import pytest
from multicube.cubes.core.errors import InputError
from multicube.evals.datasets.formats.reading import first_item, items, table


def read(path: Path, within: str | None = None) -> tuple[list[object], list[str]]:
    problems: list[str] = []

    def report(_: Path, place: str, reason: str) -> None:
        problems.append(f"{place} {reason}")

    return [value for _, value in items(path, report, within=within)], problems


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}, {"a": 2}]',
        '{"a": 1}\n{"a": 2}\n',
        '\ufeff\n [{"a":1},\n{"a":2}\n]  ',
        '{"a": 1}\r\n\r\n{"a": 2}',
    ],
)
def test_lists_and_lines_are_told_apart(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text, encoding="utf-8", newline="")
    assert read(tmp_path / "x") == ([{"a": 1}, {"a": 2}], [])


def test_a_list_within_an_object_is_found(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"Data": [{"a": 1}, {"a": [2]}], "Version": 1.0}')
    assert read(tmp_path / "x", "Data") == ([{"a": 1}, {"a": [2]}], [])


def test_gzip_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(b'[{"a": 1}]'))
    assert read(tmp_path / "x.json.gz") == ([{"a": 1}], [])
    (tmp_path / "y.json.gz").write_bytes(gzip.compress(b'[{"a": 1}]')[:-9])
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "y.json.gz")


def test_a_gzip_that_explodes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("multicube.evals.datasets.formats.archives._ROOM", 1000)
    (tmp_path / "x.json.gz").write_bytes(gzip.compress(b" " * 3_000_000 + b"[]"))
    with pytest.raises(InputError, match="far more than a data set holds"):
        read(tmp_path / "x.json.gz")


def test_a_broken_record_of_a_list_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('[{"a": 1}, {"a": nope, "b": "}{]"}, {"a": 3}]')
    assert read(tmp_path / "x") == ([{"a": 1}, {"a": 3}], [", record 2 it is not valid JSON"])


def test_a_list_that_breaks_off_gives_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('[{"a": 1}, {"a": 2}, {"a": "th')
    found, problems = read(tmp_path / "x")
    assert found == [{"a": 1}, {"a": 2}]
    assert problems == [", record 3 the file ends in the middle of it, or its brackets do not close"]


def test_a_broken_line_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"a": 1}\n{"a": \n{"a": 3}\n')
    assert read(tmp_path / "x") == ([{"a": 1}, {"a": 3}], [":2 the line is not valid JSON"])


def test_records_longer_than_any_buffer_are_read(tmp_path: Path) -> None:
    rows = [{"a": "x" * 3_000_000}, {"a": '"[{' * 700_000}, {"a": 3}]
    (tmp_path / "list").write_text(json.dumps(rows))
    (tmp_path / "lines").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read(tmp_path / "list") == (rows, [])
    assert read(tmp_path / "lines") == (rows, [])
    assert first_item(tmp_path / "list") == rows[0]


@pytest.mark.parametrize("content", [b"", b"  \n", b"PK\x03\x04", b"\x00\xff\xfe", b"[", b"[1"])
def test_a_file_of_another_kind_has_no_records(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    assert not isinstance(first_item(tmp_path / "x"), dict)


def test_tables_keep_line_numbers_and_quotes(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text('\ufeffid\ttext\n1\t"say ""hi""\nagain"\n\n2\tb\n', encoding="utf-8")
    rows = list(table(tmp_path / "x.tsv", delimiter="\t"))
    assert rows == [(":1", ["id", "text"]), (":3", ["1", 'say "hi"\nagain']), (":5", ["2", "b"])]
