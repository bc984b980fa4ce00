"""Images of Markdown files are figures; only files beside or below the document are read, and nothing is fetched."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from multicube.cubes.core.records import Document
from multicube.cubes.documents.formats.records import figure_id, figures_named
from multicube.cubes.documents.loaders import load


def png(shade: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 40, 40, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes([shade]) * 40) * 40)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs" / "img").mkdir(parents=True)
    (tmp_path / "docs" / "img" / "a wall.png").write_bytes(png(1))
    (tmp_path / "docs" / "plan.png").write_bytes(png(2))
    (tmp_path / "secret.png").write_bytes(png(3))
    return tmp_path / "docs"


def read(folder: Path, text: str) -> Document:
    (folder / "kiln.md").write_text(f"# The Kiln\n\n{text}\n")
    (found,) = load(folder / "kiln.md")
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize(
    ("image", "caption", "description"),
    [
        ("![The wall [old]](plan.png)".replace("[old]", "(old)"), "The wall (old)", ""),
        ('![a plan](plan.png "Figure 1: The plan")', "Figure 1: The plan", "a plan"),
        ("![](<./plan.png>)", "", ""),
        ('<img width="300" src="plan.png" alt="The plan &amp; more">', "The plan & more", ""),
    ],
)
def test_an_image_is_a_figure_with_its_caption(folder: Path, image: str, caption: str, description: str) -> None:
    document = read(folder, f"Before.\n\n{image}\n\nAfter.")
    (figure,) = document.figures
    assert (figure.caption, figure.description, figure.data) == (caption, description, png(2))
    assert f"![{caption}](figure:{figure_id(png(2))})" in document.text.splitlines()


def test_each_image_is_kept_once_and_named_wherever_it_stands(folder: Path) -> None:
    document = read(folder, "![Wall](img/a%20wall.png) and ![Plan](plan.png)\n\n![Wall](img/a%20wall.png)")
    assert [figure.data for figure in document.figures] == [png(1), png(2)]
    assert figures_named(document.text) == [figure_id(png(1)), figure_id(png(2))]


@pytest.mark.parametrize(
    ("image", "left"),
    [
        ("![x](../secret.png)", "x"),
        ("![x](/etc/passwd)", "x"),
        ("![x](https://example.org/plan.png)", ""),
        ("![x](missing.png)", "x"),
        ("![x](kiln.md)", "x"),
        ("```\n![x](plan.png)\n```", "```\n![x](plan.png)\n```"),
        ("    ![x](plan.png)", "    ![x](plan.png)"),
        ("![x](", "![x]("),
        ("<img>", ""),
    ],
)
def test_of_what_may_not_or_cannot_be_read_the_words_stay(folder: Path, image: str, left: str) -> None:
    document = read(folder, f"Before.\n\n{image}\n\nAfter.")
    assert document.figures == ()
    assert document.text.split("Before.\n\n")[1].strip("\n").removesuffix("After.").strip("\n") == left


def test_badges_tags_and_comments_of_a_readme_are_no_text(folder: Path) -> None:
    document = read(
        folder,
        """<p align="center">
  <img src="data:image/png;base64,AAAA"> <a href="https://example.org"><b>Home</b></a>
</p>

[![Build](https://badges.example/b.svg?a=(1))](https://ci.example) [![Docs][docs]][site]
![Licence](https://badges.example/mit.svg)

<!-- To be
written. -->
Copy <source> to `<b>`, press <kbd>Enter</kbd>.

| a | b |
| --- | --- |
| <i>one</i> | two<br>three |

[docs]: https://badges.example/docs.svg
[site]: https://example.org
""",
    )
    told = [line.strip() for line in document.text.splitlines() if line.strip()]
    assert told[:3] == ["# The Kiln", "Home", "Copy <source> to `<b>`, press Enter."]
    assert told[3:] == ["| a | b |", "| --- | --- |", "| one | two three |"]


def test_a_title_in_html_is_the_title(folder: Path) -> None:
    (folder / "stove.md").write_text('<h1 align="center">\n  <img src="x.png"> The <b>Stove</b>\n</h1>\n\nIt heats.\n')
    (found,) = load(folder / "stove.md")
    assert isinstance(found, Document)
    assert found.title == "The Stove"
