"""Reading files: what becomes a document, and the one sentence that each fault gets."""

from __future__ import annotations

import gzip
import json
import os
import tracemalloc
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from multicube.cubes.core.errors import InputError
from multicube.cubes.core.records import Document, Problem
from multicube.cubes.documents.loaders import MAX_FILE, MAX_RECORD, SUPPORTED, document_id, load, scan, skipped

LIBRARIES = {".pptx": "pptx", ".rst": "docutils", ".xlsx": "openpyxl"}
MISSING = {suffix for suffix, module in LIBRARIES.items() if find_spec(module) is None}


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def jsonl(path: Path, *records: Any) -> Path:
    return write(path, "".join(json.dumps(record) + "\n" for record in records))


def documents(path: Path) -> list[Document]:
    found = list(load(path))
    assert all(isinstance(item, Document) for item in found), found
    return [item for item in found if isinstance(item, Document)]


def read(path: Path) -> tuple[list[str], list[tuple[int | None, str]]]:
    """The record ids and the problems of a file; every problem names the file and is one sentence."""
    items = list(load(path))
    problems = [item for item in items if isinstance(item, Problem)]
    for problem in problems:
        assert problem.source == str(path.resolve())
        assert problem.message[0].isupper()
        assert problem.message.endswith(".")
        assert "\n" not in problem.message
    ids = [item.record_id for item in items if isinstance(item, Document)]
    return ids, [(problem.line, problem.message) for problem in problems]


# Finding files.


def names(paths: Sequence[Path], root: Path) -> list[str]:
    return [path.relative_to(root.resolve()).as_posix() for path in paths]


def test_folders_are_searched_in_order_and_hidden_things_left_out(tmp_path: Path) -> None:
    for name in ("b.md", "a.TXT", "sub/c.csv", "sub/deep/d.json", ".hidden.md", ".git/e.md", "picture.png"):
        write(tmp_path / name, "x")
    assert names(scan([tmp_path]), tmp_path) == ["a.TXT", "b.md", "sub/c.csv", "sub/deep/d.json"]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    file = write(tmp_path / "docs" / "a.txt", "x")
    link = tmp_path / "docs" / "b.txt"
    link.symlink_to(file)
    assert scan([file, tmp_path, tmp_path / "docs" / ".." / "docs" / "a.txt"]) == [file.resolve()]


def test_a_link_back_to_its_own_folder_does_not_trap(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "x")
    (tmp_path / "again").symlink_to(tmp_path)
    assert names(scan([tmp_path]), tmp_path) == ["a.txt"]


def test_of_a_data_set_only_the_corpus_is_read(tmp_path: Path) -> None:
    for name in ("corpus.jsonl", "questions.jsonl", "labels.jsonl", "notes.txt", "more/other.jsonl"):
        write(tmp_path / name, "{}")
    assert names(scan([tmp_path]), tmp_path) == ["corpus.jsonl", "more/other.jsonl", "notes.txt"]
    assert skipped([tmp_path]) == []


def test_a_knowledge_base_among_the_documents_is_no_document(tmp_path: Path) -> None:
    write(tmp_path / "kb" / "catalog.sqlite", b"SQLite format 3\0")
    write(tmp_path / "kb" / "chroma" / "state.json", "{}")
    write(tmp_path / "a.txt", "x")
    assert names(scan([tmp_path]), tmp_path) == ["a.txt"]
    assert skipped([tmp_path]) == []


def test_a_path_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file or folder '.*nothing'; check the spelling\."):
        scan([tmp_path / "nothing"])
    with pytest.raises(InputError, match="no file or folder"):
        scan([write(tmp_path / "a.txt", "x") / "below"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open every folder")
def test_a_closed_folder_is_said(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    assert [problem.source for problem in skipped([tmp_path])] == [str(closed)]


def test_files_of_other_kinds_are_summarised_in_one_problem(tmp_path: Path) -> None:
    for name in ("a.png", "b.PNG", "sub/c.odt", "Makefile", "d.txt"):
        write(tmp_path / name, "x")
    (problem,) = skipped([tmp_path])
    assert str(problem) == (
        f"{tmp_path.resolve()}: 4 files were skipped: .png (2), .odt (1), no suffix (1); "
        "documents are .csv, .docx, .epub, .htm, .html, .json, .jsonl, .md, .pdf, .pptx, .rst, .txt and .xlsx files."
    )


def test_many_kinds_of_files_are_not_all_listed(tmp_path: Path) -> None:
    for number in range(9):
        write(tmp_path / f"a.k{number}", "x")
    assert "and 3 other kinds" in skipped([tmp_path])[0].message
    assert skipped([tmp_path / "a.k1"]) == []


# One-document files.


def test_a_text_file_is_one_document_named_like_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "harbour.txt", "\ufeffThe harbour opened.\r\nIt froze.\r")
    (document,) = documents(path)
    assert (document.record_id, document.title) == ("harbour", "harbour")
    assert document.text == "The harbour opened.\nIt froze.\n"
    assert document.source == str(path.resolve())
    assert document.id == document_id(document.source, "harbour")
    assert document.media_type == "text/plain"


def test_markdown_takes_its_title_from_front_matter(tmp_path: Path) -> None:
    text = '---\ntitle: "The Salt Lantern"\ndate: 1934-09-21\ntags:\n  - film\n---\n# Another heading\n\nText.\n'
    (document,) = documents(write(tmp_path / "a.md", text))
    assert document.title == "The Salt Lantern"
    assert document.metadata == {"date": "1934-09-21"}
    assert document.text == "# Another heading\n\nText.\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Intro.\n\n## Second level\n\nText", "kilns"),
        ("A title\n=======\n\nText", "A title"),
        ("```\n# a comment\n```\n\nText", "kilns"),
        ("Just text.", "kilns"),
        ("---\nProse between two rules.\n---\n# After", "kilns"),
        ("---\n\n---\nText", "kilns"),
    ],
)
def test_markdown_titles(tmp_path: Path, text: str, title: str) -> None:
    (document,) = documents(write(tmp_path / "kilns.md", text))
    assert document.title == title


def test_front_matter_is_data_and_nothing_in_it_is_run(tmp_path: Path) -> None:
    text = "---\ntitle: !!python/object/apply:os.system [ls]\nbig: &a [*a, *a]\n---\nText.\n"
    (document,) = documents(write(tmp_path / "a.md", text))
    assert document.title == "!!python/object/apply:os.system [ls]"
    assert document.metadata == {"big": "&a [*a, *a]"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "Łódź is a city."),
        ("a.jsonl", '{"text": "Łódź is a city."}\n'),
        ("a.csv", "text\nŁódź is a city.\n"),
    ],
)
def test_byte_order_marks_are_understood(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    (document,) = documents(write(tmp_path / name, text.encode(encoding)))
    assert document.text == "Łódź is a city."


# Records.


def test_a_record_keeps_its_id_title_and_metadata(tmp_path: Path) -> None:
    record = {
        "id": 7,
        "title": " The \n Salt  Lantern ",
        "text": "It opened.",
        "metadata": {"kind": "film", "cast": ["A", "B"], "none": None, "year": 1934, "seen": True},
        "date": "1934-09-21",
        "embedding": [0.1, 0.2],
    }
    (document,) = documents(jsonl(tmp_path / "c.jsonl", record))
    assert (document.record_id, document.title) == ("7", "The Salt Lantern")
    assert document.metadata == {
        "kind": "film", "cast": '["A", "B"]', "year": 1934, "seen": True, "date": "1934-09-21",
    }  # fmt: skip
    assert document.media_type == "application/json"


def test_records_without_id_or_title_are_named_by_file_and_line(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", '\n{"text": "One."}\n\n{"text": "# Two\\n\\nText."}\n')
    assert [(d.record_id, d.title) for d in documents(path)] == [("c:2", "c"), ("c:4", "Two")]


def test_json_holds_one_record_or_a_list(tmp_path: Path) -> None:
    assert [d.record_id for d in documents(write(tmp_path / "one.json", '{"text": "One."}'))] == ["one"]
    many = write(tmp_path / "many.json", ' [{"text": "One."},\n {"text": "Two.", "id": "b"}]\n')
    assert [d.record_id for d in documents(many)] == ["many:1", "b"]


def test_csv_with_a_text_column(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", 'Title,Text,ID,year\nLantern,"It opened,\nand closed.",x1,1934\nMile,It ran.,,\n')
    first, second = documents(path)
    assert (first.record_id, first.title, first.text) == ("x1", "Lantern", "It opened,\nand closed.")
    assert first.metadata == {"year": "1934"}
    assert (second.record_id, second.metadata) == ("c:2", {})


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_without_a_text_column_gives_a_document_per_row(tmp_path: Path, delimiter: str) -> None:
    rows = [["code", "name", "river"], ["12", "Skarholt", "Ommer"], ["13", "Bresk", ""]]
    path = write(tmp_path / "towns.csv", "\n".join(delimiter.join(row) for row in rows))
    first, second = documents(path)
    assert (first.title, first.text) == ("Skarholt", "code: 12\nname: Skarholt\nriver: Ommer")
    assert (second.title, second.text) == ("Bresk", "code: 13\nname: Bresk")


def test_long_csv_cells_are_read_and_the_csv_modules_limit_is_left_alone(tmp_path: Path) -> None:
    import csv

    before = csv.field_size_limit()
    (document,) = documents(write(tmp_path / "c.csv", f"title,text\nA,{'word ' * 100_000}\n"))
    assert len(document.text) == len("word " * 100_000) - 1
    assert csv.field_size_limit() == before


def test_the_content_hash_follows_title_text_and_metadata(tmp_path: Path) -> None:
    base = {"id": "a", "title": "T", "text": "X", "metadata": {"k": 1, "l": 2}}
    same = {"metadata": {"l": 2, "k": 1}, "text": "X", "title": "T", "id": "b"}
    changed = [
        {**base, "id": n, **change} for n, change in enumerate(({"title": "U"}, {"text": "Y"}, {"metadata": {}}))
    ]
    hashes = [d.content_hash for d in documents(jsonl(tmp_path / "c.jsonl", base, same, *changed))]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4


def test_document_ids_depend_on_source_and_record() -> None:
    assert document_id("a", "b") == document_id("a", "b")
    assert len({document_id("a", "b"), document_id("ab", ""), document_id("", "ab"), document_id("b", "a")}) == 4
    assert len(document_id("a", "b")) == 16


# What is wrong is said once, and the rest goes on.

GOOD = '{"id": "good", "text": "Fine."}'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"text": "cut', "The line is not valid JSON (Invalid control character at column 14)."),
        ('{"title": "T"}', "The record has no text; give it a 'text'."),
        ('{"text": null}', "The record has no text"),
        ('{"text": " \\n "}', "The record's 'text' is blank."),
        ('{"text": 5}', "The record's 'text' is a number, not a string."),
        ('{"text": ["a"]}', "The record's 'text' is a list, not a string."),
        ('["a"]', "The record is a list, not an object with 'title' and 'text'."),
        ("null", "The record is null"),
        ('"text"', "The record is a string"),
        ("true", "The record is true or false"),
        ("5", "The record is a number"),
        ('{"text": "x", "title": {}}', "The record's 'title' is an object, not a string."),
        ('{"text": "x", "id": [1]}', "The record's 'id' is a list, not a string."),
        ('{"text": "x", "metadata": "m"}', "The record's 'metadata' is a string, not an object."),
        (
            '{"text": "x", "id": "good"}',
            "The id 'good' was already used on line 1; the first record was kept.",
        ),
        ("[" * 100_000, "nested too deeply"),
        ('{"text": ' + "9" * 5_000 + "}", "too long a number"),
    ],
)
def test_a_bad_line_is_one_sentence_with_its_line_and_the_rest_goes_on(tmp_path: Path, line: str, says: str) -> None:
    path = write(tmp_path / "c.jsonl", f'{GOOD}\n{line}\n{{"id": "last", "text": "Fine."}}\n')
    ids, problems = read(path)
    assert ids == ["good", "last"]
    ((number, message),) = problems
    assert number == 2
    assert says in message


def test_invalid_utf8_names_its_byte_and_line(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", GOOD.encode() + b'\n{"text": "caf\xe9"}\n{"id": "last", "text": "Fine."}\n')
    assert read(path) == (
        ["good", "last"],
        [(2, "Byte 0xE9 at column 14 is not valid UTF-8; save the file as UTF-8.")],
    )
    damaged = "Café, Brühl and Łódź".encode() + b"\ncut \xc3"
    assert read(write(tmp_path / "a.txt", damaged))[1][0][0] == 2


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "The café’s “Salt Lantern” opened near Zürich."),
        ("latin-1", "El niño nació en España, junto al río, en 1874."),
        ("cp1250", "Łódź jest dużym miastem, a żona inżyniera urodziła się w Gdańsku."),
        ("iso8859-2", "Łódź jest dużym miastem, a żona inżyniera urodziła się w Gdańsku."),
        ("cp1251", "Мост был построен в 1874 году. Инженер родился в Москве."),
        ("koi8-r", "Мост был построен в 1874 году. Инженер родился в Москве."),
        ("cp1253", "Η γέφυρα χτίστηκε το 1874. Ο μηχανικός γεννήθηκε στην Αθήνα."),
        ("cp1254", "Köprü yapıldı; mühendis doğdu, eşi ise Eskişehir'den geldi."),
        ("mac-roman", "Die Brücke über den Fluß wurde für Züge gebaut."),
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.html"])
def test_a_text_in_another_encoding_is_read_and_says_so(tmp_path: Path, name: str, encoding: str, text: str) -> None:
    written = {"a.csv": f'text\n"{text}"\n', "a.html": f"<p>{text}</p>"}.get(name, text)
    (document,) = documents(write(tmp_path / name, written.encode(encoding)))
    assert document.text.strip() == text
    assert document.encoding


def test_a_compressed_file_of_a_known_kind_is_read(tmp_path: Path) -> None:
    (document,) = documents(write(tmp_path / "river-guide.md.gz", gzip.compress(b"# Rivers\n\nThe Ommer is long.")))
    assert (document.title, document.record_id) == ("Rivers", "river-guide")
    assert document.source.endswith("river-guide.md.gz")
    packed = gzip.compress(b'{"text": "One."}\n{"text": "Two."}\n')
    assert read(write(tmp_path / "c.jsonl.gz", packed))[0] == ["c:1", "c:2"]
    assert read(write(tmp_path / "cut.txt.gz", packed[:-9]))[1] == [
        (None, "The .gz file is damaged; get a whole copy of it.")
    ]
    write(tmp_path / "a.tar.gz", packed)
    assert names(scan([tmp_path]), tmp_path) == ["c.jsonl.gz", "cut.txt.gz", "river-guide.md.gz"]


def test_files_without_a_suffix_are_read_where_they_are_prose(tmp_path: Path) -> None:
    write(tmp_path / "LICENSE", "You may copy this text.")
    write(tmp_path / "Makefile", "all:\n\techo made")
    write(tmp_path / "start", "#!/bin/sh\necho started")
    write(tmp_path / "picture", b"\x89PNG\r\n\0\0")
    assert names(scan([tmp_path]), tmp_path) == ["LICENSE"]
    assert documents(tmp_path / "LICENSE")[0].text == "You may copy this text."


def test_a_link_to_nothing_is_called_one(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "x")
    (tmp_path / "b.txt").symlink_to(tmp_path / "gone.txt")
    assert names(scan([tmp_path]), tmp_path) == ["a.txt"]
    (problem,) = skipped([tmp_path])
    assert str(problem) == f"{tmp_path}/b.txt: This is a link to '{tmp_path}/gone.txt', which is not there."
    with pytest.raises(InputError, match=r"is a link to '.*gone\.txt', which is not there\."):
        scan([tmp_path / "b.txt"])


def test_a_pipe_in_a_folder_is_named_and_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert scan([tmp_path]) == []
    [problem] = skipped([tmp_path])
    assert str(problem) == f"{tmp_path}/pipe.txt: This is not a regular file."


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.json", "a.jsonl"])
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "The file is empty."),
        (b" \n\n", "The file is empty."),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0", "This is a binary file, not text; convert it to .txt or .md."),
        (b"\xff\xfea\0b\0\x00\xd8", "The file is not valid UTF-16"),
    ],
)
def test_empty_and_binary_files_of_every_kind(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    ids, problems = read(write(tmp_path / name, content))
    assert ids == []
    ((_, message),) = problems
    assert message.startswith(says)


@pytest.mark.parametrize(
    ("content", "ids", "line", "says"),
    [
        (
            '[{"text": "One."},\n {"text": "Two."},\n {"text": \n]',
            ["a:1", "a:2"],
            4,
            "not valid JSON (Expecting value",
        ),
        ('[{"text": "One."}\n {"text": "Two."}]', ["a:1"], 2, "Expecting ',' or ']' at column 2"),
        ('[{"text": "One."}', ["a:1"], 1, "Expecting ',' or ']'"),
        ('[{"text": "One."}] more', ["a:1"], 1, "Extra data at column 20"),
        ('[\n{"text": "One."},\n7]', ["a:1"], 3, "The record is a number"),
        ('{"text": "One."}\n{"text": "Two."}', [], 2, "name the file .jsonl"),
        ("{", [], 1, "not valid JSON"),
        ("[]", [], None, "The list is empty."),
        ("[" * 100_000, [], 1, "nested too deeply"),
    ],
)
def test_bad_json_files(tmp_path: Path, content: str, ids: list[str], line: int | None, says: str) -> None:
    found, problems = read(write(tmp_path / "a.json", content))
    assert found == ids
    ((number, message),) = problems
    assert number == line
    assert says in message


def test_json_over_several_lines_is_not_reported_line_by_line(tmp_path: Path) -> None:
    pretty = json.dumps([{"text": "One."}] * 50, indent=2)
    ids, problems = read(write(tmp_path / "c.jsonl", pretty))
    assert ids == []
    assert problems == [(1, "This is JSON over several lines, not a record a line; name the file .json.")]


@pytest.mark.parametrize(
    ("content", "ids", "line", "says"),
    [
        (b"title,text\nA,One.\nB,Two.,3\nC,Three.\n", ["c:1", "c:3"], 3, "The row has 3 cells, the header 2"),
        (b'title,text\nA,One.\nB,"Two"x\nC,Three.\n', ["c:1", "c:2"], 3, "The row is not valid CSV"),
        (b'title,text\nA,One.\nB,"Two\nC,Three.\n', ["c:1"], 3, "The row is not valid CSV"),
        ("title,text\nA,Éé.\nB,caf".encode() + b"\xe9\nC,3.\n", ["c:1", "c:3"], 3, "Byte 0xE9 in a cell, at byte 4"),
        (b"title,text\nA,One.\nB,\nC,Three.\n", ["c:1", "c:3"], 3, "The record has no text"),
        (b"title,text\n", [], None, "The file has a header but no rows."),
        (b"id,text\nx,One.\nx,Two.\n", ["x"], 3, "The id 'x' was already used on line 2"),
    ],
)
def test_bad_csv_rows(tmp_path: Path, content: bytes, ids: list[str], line: int | None, says: str) -> None:
    found, problems = read(write(tmp_path / "c.csv", content))
    assert found == ids
    ((number, message),) = problems
    assert number == line
    assert says in message


def test_the_line_of_a_row_counts_line_breaks_inside_cells(tmp_path: Path) -> None:
    path = write(tmp_path / "c.csv", 'title,text\nA,"one\ntwo\nthree"\n\nB,\n')
    assert read(path) == (["c:1"], [(6, "The record has no text; give it a 'text'.")])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.doc", "Files ending in .doc are not supported; save this one as .docx."),
        ("a.XLS", "Files ending in .xls are not supported; save this one as .xlsx."),
        (
            "a.png",
            "Files ending in .png are not supported; documents are .csv, .docx, .epub, .htm, .html, .json, .jsonl, "
            ".md, .pdf, .pptx, .rst, .txt and .xlsx files.",
        ),
        ("Makefile", "Files without a suffix are read where they are text, and this one is not."),
    ],
)
def test_a_named_file_of_another_kind_is_said(tmp_path: Path, name: str, says: str) -> None:
    ids, problems = read(write(tmp_path / name, "x"))
    assert (ids, problems[0][0]) == ([], None)
    assert problems[0][1].startswith(says)


def test_files_that_cannot_be_opened_are_said(tmp_path: Path) -> None:
    assert read(tmp_path / "gone.txt")[1] == [(None, "The file cannot be read (No such file or directory).")]
    os.mkfifo(tmp_path / "pipe.txt")
    assert "not a regular file" in read(tmp_path / "pipe.txt")[1][0][1]


def test_text_that_no_store_could_hold_is_mended(tmp_path: Path) -> None:
    record = (
        '{"text": "a\\u0000b \\ud83d\\ude00 \\ud800.", "title": "\\udc00T",'
        ' "metadata": {"n": 1e999, "big": 99999999999999999999}}'
    )
    (document,) = documents(write(tmp_path / "c.jsonl", record))
    assert document.text == "a b 😀 \ufffd."
    assert document.title == "\ufffdT"
    assert document.metadata == {"n": "inf", "big": "99999999999999999999"}
    document.text.encode()


@pytest.mark.skipif(os.name != "posix", reason="file names are text there")
def test_a_file_name_that_is_no_text_is_mended(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    try:
        write(path, "Text.")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    (document,) = documents(path)
    assert (document.title, document.record_id) == ("caf\ufffd", "caf\ufffd")


# Size.


def test_a_line_of_50_megabytes_is_passed_over_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        file.write(GOOD.encode() + b'\n{"text": "')
        for _ in range(50):
            file.write(b"x" * 2**20)
        file.write(b'"}\n{"id": "last", "text": "Fine."}\n')
    tracemalloc.start()
    ids, problems = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ids == ["good", "last"]
    assert problems == [(2, "The line is longer than 16 MB; split the record into smaller ones.")]
    assert peak < 3 * MAX_RECORD


def test_a_csv_line_of_20_megabytes_is_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "big.csv", b"title,text\nA," + b"x" * (20 * 2**20) + b"\nB,Two.\n")
    assert read(path) == (["big:1"], [(2, "The line is longer than 16 MB; split the row into smaller ones.")])


@pytest.mark.parametrize("name", ["big.txt", "big.md"])
def test_a_one_document_file_has_a_limit(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, b"x" * (MAX_RECORD + 1))
    assert read(path)[1] == [(None, "The file is longer than 16 MB; split it into smaller ones.")]


def test_a_json_file_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        file.truncate(MAX_FILE + 1)
    assert read(path)[1] == [(None, "The file is longer than 64 MB; split it into smaller ones.")]


def test_a_stream_holds_one_document_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with path.open("w") as file:
        for number in range(2_000):
            file.write(json.dumps({"id": number, "text": "word " * 2_000}) + "\n")
    tracemalloc.start()
    count = sum(1 for _ in load(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2_000
    assert peak < 2**21


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    # A PDF would start a process each time; the tests of formats read broken ones.
    suffix=st.sampled_from(sorted(SUPPORTED - {".pdf", *MISSING})),
    content=st.binary(max_size=300) | st.text(max_size=300).map(str.encode),
)
def test_no_content_raises(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = write(tmp_path / f"a{suffix}", content)
    for item in load(path):
        if isinstance(item, Document):
            assert item.text.strip()
            (item.title + item.text).encode()


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("kiln_notes.txt", "It is lit by hand.\n\nMore.", "kiln notes"),
        ("wood-fired.txt", "It is lit by hand.", "wood fired"),
        ("hx-210.txt", "It is lit by hand.", "hx-210"),
        ("kiln.txt", "Kilns of the coast (2nd part)\n\nThey are old.", "Kilns of the coast (2nd part)"),
        ("kiln.txt", "Dear all,\n\nit is lit.", "kiln"),
        ("README.Debian", "README\n\nIt is lit by hand.", "kilnd README.Debian"),
        ("README.Debian", "kilnd for Debian\n\nIt is lit by hand.", "kilnd for Debian"),
        ("kiln-README.md", "# Introduction\n\nIt is lit by hand.", "kiln README"),
        ("kiln.md", "# Introduction\n\nIt is lit by hand.", "Introduction"),
    ],
)
def test_a_text_is_called_by_its_first_line_or_its_file(tmp_path: Path, name: str, text: str, title: str) -> None:
    (document,) = documents(write(tmp_path / "kilnd" / name, text))
    assert document.title == title
