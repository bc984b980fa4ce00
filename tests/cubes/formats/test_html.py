"""HTML files: the main content becomes Markdown, boilerplate goes, and images come from the document's folder alone."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from multicube.cubes.documents.formats.html.convert import convert
from multicube.cubes.documents.formats.records import ConvertedFile, figure_id
from multicube.cubes.documents.textfiles import TextFileFault


@pytest.fixture
def page(tmp_path: Path) -> Callable[[str | bytes], ConvertedFile]:
    def made(content: str | bytes) -> ConvertedFile:
        path = tmp_path / "page.html"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return convert(path)

    return made


Page = Callable[[str | bytes], ConvertedFile]


def test_headings_keep_their_level_and_the_title_stands_once(page: Page) -> None:
    found = page(
        "<title>Widget | Docs</title><meta name=author content='Ada  Bell'><h1>The Widget</h1><p>Intro.</p>"
        "<h2>1 Ratings<a class=headerlink href='#r'>\u00b6</a></h2>a<h4>Deep</h4>b<h2>2 End</h2>c"
    )
    assert found.title == "The Widget"
    assert found.metadata == {"author": "Ada Bell"}
    assert found.text == "Intro.\n\n## 1 Ratings\n\na\n\n#### Deep\n\nb\n\n## 2 End\n\nc"


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("Guide \u2014 Site 3.1 documentation", "<h1>Guide</h1>a<h1>More</h1>b", "Guide"),
        ("Guide of all", "<h1>One</h1>a<h1>Two</h1>b", "Guide of all"),
        ("", "<h2>First</h2>a<h2>Second</h2>b", "First"),
        ("", "<p>Only text.</p>", ""),
    ],
)
def test_titles(page: Page, head: str, body: str, title: str) -> None:
    assert page(f"<title>{head}</title>{body}").title == title


def test_boilerplate_is_left_out(page: Page) -> None:
    links = "".join(f"<li><a href='#s{n}'>Chapter {n}</a></li>" for n in range(6))
    found = page(
        "<body><header><a href=/>Home</a></header><nav>Menu</nav><div class='sphinxsidebar'>Side</div>"
        f"<ul>{links}</ul><div id=footer><a href=/imprint>Imprint</a></div><div role=search>Search</div>"
        "<main><article><header><h2>Kept</h2></header><p>Body text.</p><p hidden>Secret</p>"
        "<p style='display: none'>Gone</p><form><button>Buy</button></form></article></main>"
        "<aside>Ad</aside><script>run()</script><style>p {}</style><footer>Foot</footer>"
    )
    assert found.text == "## Kept\n\nBody text."


def test_a_page_is_never_taken_for_boilerplate_as_a_whole(page: Page) -> None:
    assert page(f"<div class='sidebar toc'><h2>A</h2><p>{'Long text. ' * 50}</p></div>").text.startswith("## A")


def test_tables_are_laid_out(page: Page) -> None:
    found = page(
        "<table><caption>Ratings</caption><thead><tr><th rowspan=2>Name<th colspan=2>Limits</tr><tr><th>Min<th>Max</tr>"
        "</thead><tr><td rowspan=2>Supply | V<td>1<td>2</tr><tr><td>3<td>4</tr><tr><td colspan=3>Thermal</tr>"
        "<tr><td>Heat<td colspan=2>n/a</tr></table>"
    )
    assert found.text == (
        "**Ratings**\n\n| Name | Limits Min | Limits Max |\n| --- | --- | --- |\n| Supply \\| V | 1 | 2 |\n"
        "| Supply \\| V | 3 | 4 |\n| Thermal |  |  |\n| Heat | n/a | n/a |"
    )


def test_a_paragraph_that_names_a_table_is_its_title_and_rows_may_have_labels_alone(page: Page) -> None:
    found = page("<table><tr><th>Born<td>1931</tr><tr><th>Died<td>1990</tr></table><p>Table 2. Life</p><p>Text.</p>")
    assert found.text == "Table 2. Life\n\n|  |  |\n| --- | --- |\n| Born | 1931 |\n| Died | 1990 |\n\nText."


def test_a_table_that_only_places_things_is_read_through(page: Page) -> None:
    assert page("<table><tr><td><h2>A</h2>one<td><p>two</p></tr></table>").text == "## A\n\none\n\ntwo"


def test_lists_code_and_definitions(page: Page) -> None:
    found = page(
        "<ul><li>one<ul><li>two</ul><li><p>three</p><p>more</p></ul><p>x</p><ol start=3><li>c</ol>"
        "<pre>a\n  # no heading\n```</pre><dl><dt>Term<dd>What it is.<dt>Other<dd><p>a</p><p>b</p></dl>"
    )
    assert found.text == (
        "- one\n  - two\n- three\n  more\n\nx\n\n3. c\n\n````\na\n  # no heading\n```\n````\n\n"
        "- Term: What it is.\n\nOther\n\na\n\nb"
    )


def test_images_come_from_the_folder_and_below(tmp_path: Path, make_png: Callable[..., bytes]) -> None:
    folder = tmp_path / "in"
    (folder / "img").mkdir(parents=True)
    near, inside, outside = make_png(), make_png(50), make_png(70)
    (folder / "img" / "a b.png").write_bytes(near)
    (tmp_path / "out.png").write_bytes(outside)
    (folder / "link.png").symlink_to(tmp_path / "out.png")
    (folder / "secret.png").write_text("root:x:0:0")
    data = base64.b64encode(inside).decode()
    path = folder / "a.html"
    path.write_text(
        f"<p>Text</p><figure><img src='img/a%20b.png' alt='A plan'><figcaption>Figure 1: Plan</figcaption></figure>"
        f"<p>Then <img src='data:image/png;base64,{data}' alt='Small one'> it.</p>"
        f"<img src='../out.png'><img src='link.png'><img src='{tmp_path}/out.png'><img src='file://{tmp_path}/out.png'>"
        "<img src='http://127.0.0.1:9/x.png'><img src='secret.png'><img src='gone.png'>"
    )
    found = convert(path)
    assert [(each.id, each.caption, each.description) for each in found.figures] == [
        (figure_id(near), "Figure 1: Plan", "A plan"),
        (figure_id(inside), "Small one", "Small one"),
    ]
    assert found.text == (
        f"Text\n\n![Figure 1: Plan](figure:{figure_id(near)})\n\nThen it.\n\n![Small one](figure:{figure_id(inside)})"
    )


def test_drawings_are_kept_where_they_are_safe(page: Page) -> None:
    drawing = "<svg width=100 height=80 viewBox='0 0 100 80'><title>Plan</title>{}<circle r=4 /></svg>"
    found = page("<p>a</p>" + drawing.format("<linearGradient id=g></linearGradient>"))
    (figure,) = found.figures
    assert (figure.media_type, figure.caption) == ("image/svg+xml", "Plan")
    assert b'viewBox="0 0 100 80"' in figure.data
    assert b"<linearGradient" in figure.data
    for unsafe in (
        "<script>x()</script>", "<image href='http://a/b.png' />", "<foreignObject></foreignObject>",
        "<g onclick='x()'></g>", "<style>@import 'a.css';</style>", "<a href='javascript:x()'></a>",
    ):  # fmt: skip
        assert page("<p>a</p>" + drawing.format(unsafe)).figures == ()
    assert page("<p>a</p><svg width=16 height=16><circle r=4 /></svg>").figures == ()


@pytest.mark.parametrize(
    "data",
    [
        "<p>Caf\u00e9</p>".encode(),
        "<p>Caf\u00e9</p>".encode("utf-8-sig"),
        "<p>Caf\u00e9</p>".encode("utf-16"),
        "<meta charset=iso-8859-1><p>Caf\u00e9</p>".encode("latin-1"),
        "<?xml version='1.0' encoding='iso-8859-1'?><p>Caf\u00e9</p>".encode("latin-1"),
        "<p>Caf\u00e9</p>".encode("cp1252"),
        "<meta charset=no-such-thing><p>Caf\u00e9</p>".encode(),
        "<meta charset=hex><p>Caf\u00e9</p>".encode(),
    ],
)
def test_encodings(page: Page, data: bytes) -> None:
    assert page(data).text == "Caf\u00e9"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The file is empty."),
        (b" \n ", "The file is empty."),
        (b"<html><body><script>a()</script></body></html>", "no text"),
        (b"<!-- nothing -->", "no text"),
        (b"GIF89a\0\0\0", "binary"),
        (b"<p>a</p>" * (2**21 + 1), "longer than 16 MB"),
    ],
)
def test_files_that_cannot_be_read_get_one_sentence(page: Page, data: bytes, words: str) -> None:
    with pytest.raises(TextFileFault, match=words):
        page(data)


def test_deep_nesting_and_broken_markup_are_read(page: Page) -> None:
    assert "end" in page("<div><font>" * 700 + "<p>start<b>end").text
    assert page("<p>a<td>b</table><h2>c</p></i>d").text
