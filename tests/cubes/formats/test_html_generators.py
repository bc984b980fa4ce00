"""What is kept and dropped of pages in the manner of DocBook, Sphinx, Doxygen, man2html, Texinfo and AsciiDoc."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from multicube.cubes.documents.formats.html.convert import convert
from multicube.cubes.documents.formats.records import ConvertedFile
from multicube.cubes.documents.textfiles import TextFileFault


@pytest.fixture
def page(tmp_path: Path) -> Callable[[str], ConvertedFile]:
    def made(content: str) -> ConvertedFile:
        path = tmp_path / "page.html"
        path.write_text(content)
        return convert(path)

    return made


Page = Callable[[str], ConvertedFile]

_MENU = "".join(f"<li><a href='c{n}.html'>The {n}th chapter</a></li>" for n in range(6))
_BODY = "<p>The kiln is lit by hand. It needs an hour to warm up.</p>"
_KEPT = "The kiln is lit by hand. It needs an hour to warm up."


@pytest.mark.parametrize(
    "aside",
    [
        "<div class='sidebar'><p class='title'><b>Safety</b></p><p>Never open the door above 90 degrees.</p></div>",
        "<aside class='sidebar'><p>Safety</p><p>Never open the door above 90 degrees.</p></aside>",
        "<aside>Never open the door above 90 degrees.</aside>",
        "<div class='sidebarblock'><div class='content'><p>Never open the door above 90 degrees.</p></div></div>",
        "<div role='complementary'><p>Never open the door above 90 degrees.</p></div>",
        "<div class='admonition warning'><p>Warning</p><p>Never open the door above 90 degrees.</p></div>",
        "<div class='note'><h3>Note</h3><p>Never open the door above 90 degrees.</p></div>",
        "<div class='tab' role='tabpanel' hidden><p>Never open the door above 90 degrees.</p></div>",
    ],
)
def test_an_aside_that_reads_as_content_is_kept(page: Page, aside: str) -> None:
    text = page(f"<h1>Kilns</h1>{_BODY}{aside}").text
    assert _KEPT in text
    assert "Never open the door above 90 degrees." in text


@pytest.mark.parametrize(
    "navigation",
    [
        f"<div class='sidebar'><h3>Chapters</h3><ul>{_MENU}</ul></div>",
        f"<aside><ul>{_MENU}</ul></aside>",
        "<aside>Ad</aside>",
        f"<div class='toc'><p><b>Table of Contents</b></p><dl>{_MENU.replace('li>', 'dt>')}</dl></div>",
        f"<ul>{_MENU}</ul>",
        f"<table><tr><td><b>Menu</b><ul>{_MENU}</ul></td></tr></table>",
        "<p>" + "<br>".join(f"<a href='#f{n}'>{n}. What about part {n}?</a>" for n in range(6)) + "</p>",
        "<div class='navheader'><table><tr><th colspan=3>3. How is it lit?</th></tr><tr><td><a accesskey=p href=a>Prev"
        "</a></td><td>II. Kilns</td><td><a accesskey=n href=b>Next</a></td></tr></table></div>",
        "<table width='100%'><tr><td><a href=a>Prev</a></td><td>II. Kilns</td><td><a href=b>Next</a></td></tr></table>",
        "<p>Next: <a href=b>Fuel</a>, Previous: <a href=a>Clay</a>, Up: <a href=t>Top</a></p>",
        "<div class='summary'><a href='#func'>Functions</a> | <a href='#enum'>Enumerations</a></div>",
        "<a href='#index'>Index</a> <a href='/man'>Return to Main Contents</a><hr>",
        "<ul class='menu'>"
        + "".join(f"<li><a href='m{n}.html'>Part {n}</a>: How part {n} is made; the tools.</li>" for n in range(4))
        + "</ul>",
        "<div id='footer'>Last updated 2021-03-04</div>",
    ],
)
def test_navigation_is_dropped(page: Page, navigation: str) -> None:
    text = page(f"<h1>Kilns</h1>{navigation}{_BODY}<p>{'The clay goes in. ' * 20}</p>").text
    assert text == f"{_KEPT}\n\n{('The clay goes in. ' * 20).strip()}"


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (f"<p>The kiln comes with these parts, which are described below:</p><ul>{_MENU}</ul>", "- The 3th chapter"),
        ("<p>See <a href=a>ash(5)</a>, <a href=b>clay(1)</a>, <a href=c>fuel(1)</a>, <a href=d>oven(8)</a>, "
         "<a href=e>soot(4)</a>.</p>", "See ash(5), clay(1), fuel(1), oven(8), soot(4)."),
        ("<p><a href=a>ash(5)</a>, <a href=b>clay(1)</a>, <a href=c>fuel(1)</a>, <a href=d>oven(8)</a>, "
         "<a href=e>soot(4)</a></p>", "ash(5), clay(1), fuel(1), oven(8), soot(4)"),
        ("<p><a href=a>List</a>[<a href=b>Brick</a>]</p>", "List[Brick]"),
        ("<ul>" + "".join(f"<li><a href='http://kiln{n}.example'>Kiln shop {n}</a></li>" for n in range(6)) + "</ul>",
         "- Kiln shop 4"),
        ("<dl>" + "".join(f"<dt><a href='#o{n}'>-o{n}</a></dt><dd>Sets heat {n}.</dd>" for n in range(6)) + "</dl>",
         "- -o4: Sets heat 4."),
        ("<dl class=params><dt>Parameters</dt><dd><table class=params><tr><td>heat</td><td>how warm it gets</td></tr>"
         "</table></dd></dl>", "heat: how warm it gets"),
        ("<p>Light it so:</p><pre>kiln --light\nkiln --wait 60</pre>", "Light it so:\n\n```\nkiln --light\n"),
        ("<table><tr><th>Heat</th><th>Use</th></tr><tr><td><a href=l>900</a></td><td><a href=m>Bricks</a></td></tr>"
         "<tr><td><a href=n>1200</a></td><td><a href=o>Stoneware</a></td></tr></table>", "| 1200 | Stoneware |"),
        ("<div class=header><div class=summary><a href='#f'>Functions</a></div><div class=headertitle>"
         "<div class=title>Heat control</div></div></div>", "Heat control"),
    ],
)  # fmt: skip
def test_links_in_what_is_said_are_kept(page: Page, content: str, kept: str) -> None:
    assert kept in page(f"<h1>Kilns</h1>{_BODY}{content}").text


def test_a_page_that_only_lists_others_is_set_aside_with_a_sentence(page: Page) -> None:
    with pytest.raises(TextFileFault, match="a list of links to other pages"):
        page(f"<h1>Index</h1><div class=body><ul>{_MENU * 3}</ul></div>")


def test_the_name_of_a_site_is_no_title(page: Page) -> None:
    found = page(f"<title>5. Fuel</title><h1><a href=/>The Kiln Works</a></h1><h2>Chapter 5 - Fuel</h2>{_BODY}")
    assert found.title == "5. Fuel"
    assert found.text == f"# The Kiln Works\n\n## Chapter 5 - Fuel\n\n{_KEPT}"
