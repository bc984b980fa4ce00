"""Pieces of what is printed: named values, emphasis, columns, quotations, and how sure an answer is.

Text that comes from documents is cleaned first and never read as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from ...graphs.records import Citation, Evidence, Quote, Run
from .text import clean, clean_block

__all__ = [
    "LEAD_IN", "STOPPED", "cited_line", "closest", "columns", "emphasise", "field", "heading", "outcome", "percent",
    "quotation", "searched", "sureness", "why_not",
]  # fmt: skip

LEAD_IN = "The documents put it like this:"
"""What stands before an answer that is a quotation."""
STOPPED = {
    "iterations": "the limit of hops was reached",
    "deadline": "the time limit was reached",
    "repeated": "the next subquery had been asked before",
    "exhausted": "there was nothing further to ask",
    "cap": "the spending limit was reached",
    "interrupted": "it was interrupted",
    "error": "an error ended it",
}
"""Why a run ended, in words."""
_OUTCOMES = {"abstained": "no answer", "running": "not finished", "paused": "not finished"}
_SEARCHES = {"hiqa": "chapters", "passages": "full text", "smart": "themes", "cells": "whole cubes"}
_FIGURE = re.compile(r"!\[(?P<caption>[^\]]*)\]\(figure:[0-9a-f]+\)")  # how a text names an image
_LIKELY = ((0.85, "very likely right"), (0.65, "likely right"), (0.4, "may be right"), (0.2, "uncertain"))


def why_not(run: Run) -> str:
    """Say in a sentence why a run has no answer."""
    return clean(run.note) or STOPPED.get(run.stopped, "the documents do not say") + "."


def outcome(status: str) -> str:
    """Return what a list says of a run without an answer."""
    return _OUTCOMES.get(status, status)


def searched(tools: Iterable[str]) -> str:
    """Name where retrieval tools look.

    >>> searched(("hiqa", "passages"))
    'chapters, full text'
    """
    return ", ".join(_SEARCHES.get(tool, tool) for tool in tools)


def percent(confidence: float) -> str:
    """Return a probability as it is shown everywhere.

    >>> percent(0.856), percent(0.001)
    ('86 %', 'below 1 %')
    """
    return f"{confidence:.0%}".replace("%", " %") if confidence >= 0.005 else "below 1 %"


def sureness(confidence: float) -> str:
    """Return a probability in per cent and in words.

    >>> sureness(0.71), sureness(0.1)
    ('71 % (likely right)', '10 % (probably wrong)')
    """
    words = next((said for least, said in _LIKELY if round(confidence, 2) >= least), "probably wrong")
    return f"{percent(confidence)} ({words})"


def quotation(run: Run) -> Iterator[Text]:
    """Render the text around an answer, unless the answer is the quotation or a citation says as much."""
    if run.quote is None or run.form == "passage":
        return
    if any(clean(run.quote.text) in clean(citation.sentence) and "\n" not in citation.sentence
           for citation in run.citations):  # fmt: skip
        return
    yield Text()
    yield Text(clean_block(run.quote.text))


def closest(run: Run) -> Iterator[Text]:
    """Render the passages that come closest to a question without an answer."""
    if not run.closest:
        return
    yield Text()
    yield Text("Closest passages:", style="dim")
    for quote in run.closest:
        yield Text("- ").append(heading(quote), style="bold").append(f": {clean(quote.text)}", style="default")


def cited_line(citation: Citation, run: Run) -> Text:
    """Render a citation with its sentence; what has been quoted above is not said twice."""
    line = Text(f"[{citation.number}] ", style="bold cyan")
    line.append(heading(citation), style="bold")
    block = run.quote.text if run.quote is not None and "\n" in citation.sentence else ""
    if clean(citation.sentence) in (clean(run.answer), clean(block)):
        return line.append(f" ({clean(citation.source)})" if citation.source else "", style="dim")
    line.append(": ", style="default")
    values = [a for hop in run.hops if hop.number == citation.hop for a in (hop.answers or (hop.answer,))]
    return line.append_text(emphasise(citation.sentence, values))


def heading(section: Evidence | Citation | Quote) -> str:
    """Return a section's heading path on one line, and the page in a document with pages."""
    name = " › ".join(clean(part) for part in section.path) or clean(section.title) or section.section_id
    return f"{name}, p. {section.page}" if section.page is not None else name


def field(name: str, value: str, *, indent: int = 2, style: str = "") -> Text:
    """Render a named value, which must be `clean`."""
    label = f"{' ' * indent}{name}:"
    line = Text(label.ljust(13) if indent else f"{label} ", style="cyan" if indent else "bold cyan")
    return line.append(value, style=style or "default")


def emphasise(sentence: str, values: Iterable[str], *, plain: bool = False) -> Text:
    """Return a sentence, or a figure's caption, with the given values bold, or between asterisks when ``plain``."""
    line = clean(_FIGURE.sub(r"\g<caption>", sentence))
    wanted = sorted({clean(v) for v in values if v and clean(v)}, key=len, reverse=True)
    text = Text(style="default")
    at = 0
    pattern = "|".join(re.escape(value) for value in wanted)
    for found in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", line, re.IGNORECASE) if wanted else ():
        text.append(line[at : found.start()])
        text.append(f"**{found[0]}**" if plain else found[0], style="bold green")
        at = found.end()
    return text.append(line[at:])


def columns(head: Sequence[str], rows: Iterable[Sequence[str | int | float]]) -> Iterator[Text]:
    """Render aligned columns, never cut; numbers stand to the right."""
    kept = [list(row) for row in rows]
    table = [[_plain(value) for value in row] for row in kept]
    numeric = [bool(kept) and all(isinstance(row[i], int | float) for row in kept) for i in range(len(head))]
    widths = [max([cell_len(name), *(cell_len(row[i]) for row in table)]) for i, name in enumerate(head)]
    yield Text(_row(head, widths, numeric), style="bold")
    for row in table:
        yield Text(_row(row, widths, numeric))


def _plain(value: str | int | float) -> str:
    if isinstance(value, str):
        return clean(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _row(values: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = []
    for value, width, right in zip(values, widths, numeric, strict=True):
        space = " " * (width - cell_len(value))
        padded.append(space + value if right else value + space)
    return "  ".join(padded).rstrip()
