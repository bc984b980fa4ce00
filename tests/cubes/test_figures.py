"""Figures in a knowledge base: stored with their document, shown by their section, gone with their last document."""

from __future__ import annotations

import shutil
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.ingest import pipeline as ingest
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.cubes.store import figures


def png(width: int) -> bytes:
    """A PNG file that is known by its width."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, 40, 8, 2, 0, 0, 0)
    data = zlib.compress((b"\0" + b"\0\0\xff" * width) * 40)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def page(folder: Path, name: str, *widths: int, text: str = "It hums.") -> Path:
    """A page with a chapter for each image, which lies beside it."""
    folder.mkdir(exist_ok=True)
    for width in widths:
        (folder / f"{width}.png").write_bytes(png(width))
    chapters = "".join(
        f"<h2>Part {width}</h2><p>{text} See Figure {widths[0]}.</p><img src='{width}.png' alt='Figure {width}: Plan'>"
        for width in widths
    )
    path = folder / f"{name}.html"
    path.write_text(f"<h1>{name}</h1><p>Begin.</p>{chapters}")
    return path


def stored(kb: KnowledgeBase) -> list[str]:
    return sorted(path.name for path in (kb.path / figures.FIGURES).glob("*"))


@pytest.fixture
def kb(tmp_path: Path, films: Any) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.create(tmp_path / "kb", ontology=films) as made:
        yield made


def test_figures_are_stored_and_found_by_document_and_section(
    kb: KnowledgeBase, tmp_path: Path, rules: Callable[[], Any]
) -> None:
    page(tmp_path / "in", "hum", 60, 70)
    report = kb.ingest([tmp_path / "in"], extractor=rules())
    assert (report.added, report.sections) == (1, 3)
    (document,) = kb.documents()
    first, second = kb.figures(document.id)
    assert (first.caption, first.media_type, first.page) == ("Figure 60: Plan", "image/png", None)
    assert first.path.read_bytes() == png(60)
    assert first.path.parent == kb.path / "figures"
    begin, sixty, seventy = kb.sections()
    assert kb.section_figures(begin) == []
    assert kb.section_figures(sixty) == [first]
    assert kb.section_figures(seventy) == [second, first]  # its own, then the one it refers to
    for section in kb.sections():
        whole = kb._catalog.document(document.id).text
        assert whole[section.start : section.start + len(section.text)] == section.text


def test_a_figure_goes_with_the_last_document_that_shows_it(
    kb: KnowledgeBase, tmp_path: Path, rules: Callable[[], Any]
) -> None:
    folder = tmp_path / "in"
    one = page(folder, "one", 60, 70)
    page(folder, "two", 60)
    kb.ingest([folder], extractor=rules())
    assert len(stored(kb)) == 2
    page(folder, "one", 60, 80)
    kb.ingest([folder], extractor=rules())
    assert {figure.caption for document in kb.documents() for figure in kb.figures(document.id)} == {
        "Figure 60: Plan", "Figure 80: Plan",
    }  # fmt: skip
    assert len(stored(kb)) == 2
    kb.remove(str(one))
    assert [figure.path.name for figure in kb.figures(kb.documents()[0].id)] == stored(kb)
    kb.remove("two")
    assert not (kb.path / "figures").exists()


def test_a_text_shows_no_figure_of_another_document(
    kb: KnowledgeBase, tmp_path: Path, rules: Callable[[], Any]
) -> None:
    page(tmp_path / "in", "one", 60)
    kb.ingest([tmp_path / "in"], extractor=rules())
    (figure,) = kb.figures(kb.documents()[0].id)
    (tmp_path / "in" / "two.md").write_text(f"# Two\n\nSee Figure 60.\n\n![mine](figure:{figure.id})\n")
    kb.ingest([tmp_path / "in"], extractor=rules())
    (section,) = [section for section in kb.sections() if section.title == "Two"]
    assert kb.section_figures(section) == []


def test_a_dry_run_writes_no_figure(kb: KnowledgeBase, tmp_path: Path, rules: Callable[[], Any]) -> None:
    page(tmp_path / "in", "one", 60)
    assert kb.ingest([tmp_path / "in"], extractor=rules(), dry_run=True).added == 1
    assert stored(kb) == []


def test_what_a_killed_ingest_left_is_swept_and_what_it_wrote_stays(
    tmp_path: Path, films: Any, rules: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Stands for a kill: nothing that runs afterwards belongs to the ingest."""

    def killed(*_: object) -> None:
        raise Killed

    page(tmp_path / "in", "one", 60)
    with KnowledgeBase.create(tmp_path / "kb", ontology=films) as kb:
        kb.ingest([tmp_path / "in"], extractor=rules())
        page(tmp_path / "in", "two", 70)
        monkeypatch.setattr(ingest, "note_figures", killed)
        monkeypatch.setattr("multicube.cubes.knowledge.base.sweep", lambda _: None)
        with pytest.raises(Killed):
            kb.ingest([tmp_path / "in"], extractor=rules())
        monkeypatch.undo()
        (kb.path / "figures" / "half.part").write_bytes(b"half")
        assert len(stored(kb)) == 3  # the second document's image, and half of one, without a document
    with KnowledgeBase.create(tmp_path / "kb", ontology=films) as kb:
        (document,) = kb.documents()
        assert [figure.path.read_bytes() for figure in kb.figures(document.id)] == [png(60)]
        kb.remove(document.id)
        assert stored(kb) == []
        kb.ingest([tmp_path / "in"], extractor=rules())
        assert len(stored(kb)) == 2


def test_an_older_knowledge_base_learns_of_figures(tmp_path: Path, films: Any, rules: Callable[[], Any]) -> None:
    page(tmp_path / "in", "one", 60)
    with KnowledgeBase.create(tmp_path / "kb", ontology=films) as kb:
        kb.ingest([tmp_path / "in"], extractor=rules())
        kb._catalog.rows("DROP TABLE figures")
        kb._catalog.rows("PRAGMA user_version = 2")
    shutil.rmtree(tmp_path / "kb" / "figures")
    page(tmp_path / "in", "two", 70)
    with KnowledgeBase.create(tmp_path / "kb", ontology=films) as kb:
        kb.ingest([tmp_path / "in"], extractor=rules())
        assert [len(kb.figures(document.id)) for document in kb.documents()] == [0, 1]


def test_a_layout_is_worked_out_once_and_progress_says_how_far(
    kb: KnowledgeBase, tmp_path: Path, rules: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from multicube.cubes.documents import loaders

    opened: list[str] = []
    load = loaders.load
    monkeypatch.setattr(loaders, "load", lambda path: (opened.append(path.name), load(path))[1])
    for name in ("a", "b"):
        page(tmp_path / "in", name, 60)
    steps: list[tuple[str, int, int]] = []
    kb.ingest(
        [tmp_path / "in"], extractor=rules(), progress=lambda step: steps.append((step.stage, step.done, step.total))
    )
    assert opened == ["a.html", "b.html"]
    assert [step for step in steps if step[0] == "convert"] == [("convert", 1, 2), ("convert", 2, 2)]
    assert steps[-1] == ("read", 2, 2)


def test_files_of_every_kind_are_read_and_what_cannot_be_is_set_aside(
    kb: KnowledgeBase, tmp_path: Path, rules: Callable[[], Any]
) -> None:
    folder = tmp_path / "in"
    page(folder, "page", 60)
    (folder / "README").write_text("The Tool\n========\n\nIt cuts.\n\nUse\n---\n\nTurn it on.\n")
    (folder / "note.md").write_text("# Note\n\nText.\n")
    broken = {"locked.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "empty.html": b"", "cut.docx": b"PK\3\4"}
    for name, data in broken.items():
        (folder / name).write_bytes(data)
    report = kb.ingest([folder], extractor=rules())
    assert report.added == 3
    assert sorted(document.title for document in kb.documents()) == ["Note", "The Tool", "page"]
    aside = {Path(problem.source).name: problem.message for problem in kb.status().problems}
    assert set(aside) == {"locked.docx", "empty.html", "cut.docx"}  # the page's image is no document left out
    assert "encrypted" in aside["locked.docx"]
