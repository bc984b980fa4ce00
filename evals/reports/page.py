"""A report as one HTML page: complete in itself, asking for nothing, readable without its script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from ...agent.views.text import clean
from .browsing import embedded
from .document import Plot, Section, Table, shown
from .plots import can_draw, svg

__all__ = ["page"]

_FOLDER = Path(__file__).with_name("page")


def page(title: str, intro: str, sections: Sequence[Section], data: Mapping[str, Any]) -> str:
    """Return the document. Whatever data sets, documents and systems say is text in it, never markup."""
    style = (_FOLDER / "report.css").read_text(encoding="utf-8")
    script = (_FOLDER / "browser.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    contents = "".join(f'<li><a href="#{section.id}">{_text(section.title)}</a></li>' for section in sections)
    body = "\n".join(line for section in sections for line in _section(section, 2))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the figures</a>\n'
        f"<header><h1>{_text(title)}</h1><p>{_text(intro)}</p></header>\n"
        f'<nav aria-label="Sections"><ul>{contents}<li><a href="#questions">Every question</a></li></ul></nav>\n'
        f'<main id="main">\n{body}\n{_QUESTIONS}\n</main>\n'
        f'<script type="application/json" id="data">{embedded(data)}</script>\n<script>{script}</script>\n'
        "</body>\n</html>\n"
    )


_FEW = 12
"""So many questions are listed without being asked for."""
_WORDS = ' class="words"'
_QUESTIONS = (
    '<section id="questions"><h2>Every question</h2><p>What was asked, the gold, what each system answered, and the '
    'hops of its trace.</p><div id="browser"><p class="note">Choosing and opening questions needs JavaScript; '
    'everything above does not.</p></div></section>'
)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _section(section: Section, level: int) -> Iterator[str]:
    head = min(level, 6)
    yield f'<section id="{section.id}"><h{head}>{_text(section.title)}</h{head}>'
    yield from (f"<p>{_text(said)}</p>" for said in section.text)
    if section.facts:
        entries = (f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>" for name, value in section.facts.items())
        yield f"<dl>{''.join(entries)}</dl>"
    for among, items in groupby(section.items, key=_among):
        yield f'<div class="{among}">' if among else ""
        for item in items:
            yield from _item(item, level)
        yield "</div>" if among else ""
    yield "</section>"


def _among(item: Table | Plot | Section) -> str:
    """Return what it may stand beside where there is room: tables, plots, or nothing."""
    if isinstance(item, Plot):
        return "plots"
    return "beside" if isinstance(item, Table) and not item.long else ""


def _item(item: Table | Plot | Section, level: int) -> Iterator[str]:
    if isinstance(item, Section):
        yield from _section(item, level + 1)
    elif isinstance(item, Plot):
        yield from _plot(item)
    else:
        yield from _long(item) if item.long else _table(item)


def _plot(plot: Plot) -> Iterator[str]:
    yield f"<figure><figcaption>{_text(plot.title)}</figcaption>"
    if can_draw():
        image = base64.b64encode(svg(plot).encode()).decode()
        address = f"data:image/svg+xml;base64,{image}"
        said = f"{plot.title}; the figures are in the table below"
        yield f'<div class="scroll drawn" {_region(plot.title)}><img src="{address}" alt="{_text(said)}"></div>'
    yield f"<details{'' if can_draw() else ' open'}><summary>The figures</summary>"
    yield from _table(plot.table)
    yield "</details></figure>"


def _long(table: Table) -> Iterator[str]:
    few = sum(len(group.rows) for group in table.groups) <= _FEW
    yield f"<details{' open' if few else ''}><summary>{_text(table.caption)}</summary>"
    yield from _table(table)
    yield "</details>"


def _table(table: Table) -> Iterator[str]:
    kind = ' class="said"' if table.long else ""
    worded = [
        all(isinstance(row[at], str) for group in table.groups for row in group.rows)
        for at in range(len(table.columns))
    ]
    yield f'<div class="table"><div class="scroll" {_region(table.caption)}><table id="{table.id}"{kind}>'
    yield f"<caption><span>{_text(table.caption)}</span></caption><thead><tr>"
    yield "".join(
        f'<th scope="col"{_WORDS if words else ""}>{_text(column.name)}</th>'
        for column, words in zip(table.columns, worded, strict=True)
    )
    yield "</tr></thead>"
    for group in table.groups:
        yield f'<tbody class="{group.kind or "plain"}">'
        if group.name:
            wide = len(table.columns)
            yield f'<tr class="origin"><th scope="rowgroup" colspan="{wide}">{_text(group.name)}</th></tr>'
        for row in group.rows:
            cells = [_text(shown(cell, column)) for cell, column in zip(row, table.columns, strict=True)]
            words = [_WORDS if isinstance(cell, str) else "" for cell in row]
            yield f'<tr><th scope="row">{cells[0]}</th>'
            yield "".join(f"<td{how}>{cell}</td>" for cell, how in zip(cells[1:], words[1:], strict=True)) + "</tr>"
        yield "</tbody>"
    yield "</table></div>"
    yield f'<p class="note">{_text(table.note)}</p></div>' if table.note else "</div>"


def _region(said: str) -> str:
    """What lets a keyboard scroll something wide, and says what it is."""
    return f'role="region" tabindex="0" aria-label="{_text(said)}"'


def _text(text: str) -> str:
    return escape(clean(text))
