"""`/save FILE`: a conversation as Markdown to read, or as JSON with every run whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ....cubes.core.errors import UsageError
from ....graphs.records import AnswerTable, Run, TableCell
from ...views.styles import LEAD_IN, quotation, sureness
from ...views.text import clean
from .session import ChatEntry

__all__ = ["save"]

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|!~&$])")


def save(entries: Sequence[ChatEntry], path: Path, engine: str) -> int:
    """Write the conversation into a file, its form by the file's ending; returns how many questions it holds.

    Raises UsageError for another ending, a conversation without questions, or a file that cannot be written.
    """
    if not entries:
        raise UsageError("Nothing was asked yet; there is nothing to save.")
    ending = path.suffix.lower()
    if ending in (".md", ".markdown"):
        text = "\n".join(_markdown(entries, engine)) + "\n"
    elif ending == ".json":
        text = json.dumps(_record(entries, engine), ensure_ascii=False, indent=2) + "\n"
    else:
        raise UsageError(f"'{path.name}' ends neither in .md nor in .json; which of the two shall it be?")
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
    return len(entries)


def _record(entries: Sequence[ChatEntry], engine: str) -> dict[str, object]:
    turns = [
        {"question": e.question, "asked": e.run.question, "note": e.note, "run": e.run.model_dump(mode="json")}
        for e in entries
    ]
    return {"engine": engine, "turns": turns}


def _markdown(entries: Sequence[ChatEntry], engine: str) -> Iterator[str]:
    yield "# Conversation"
    yield ""
    yield f"Engine: {_plain(engine)}"
    for entry in entries:
        yield from _entry(entry)


def _entry(entry: ChatEntry) -> Iterator[str]:
    run = entry.run
    yield ""
    yield f"## {_plain(entry.question)}"
    yield ""
    if run.question != entry.question:
        yield f"Asked as: {_plain(run.question)}"
        yield ""
    if entry.note:
        yield f"({_plain(entry.note)})"
        yield ""
    yield from _told(run)
    yield from _table(run.table)
    for line in quotation(run):
        yield _quoted(line.plain) if line.plain else ""
    if run.citations:
        yield ""
    for citation in run.citations:
        title = " › ".join(citation.path) or citation.title
        yield f"{citation.number}. {_plain(title)}: {_plain(citation.sentence)}"
    if run.answer and run.confidence:
        yield ""
        yield f"Confidence: {sureness(run.confidence)}"
    yield from _hops(run)


def _told(run: Run) -> Iterator[str]:
    """The answer, or why there is none and what comes closest."""
    if run.answer and run.form == "passage":
        yield LEAD_IN
        yield ""
        yield _quoted(run.answer)
    elif run.answer:
        yield f"**{_plain(run.answer)}**"
    else:
        yield f"No answer: {_plain(run.note) or 'the documents do not say.'}"
    for number, quote in enumerate(run.closest):
        yield from ("", "Closest passages:", "") if number == 0 else ()
        yield f"- {_plain(' › '.join(quote.path) or quote.title)}: {_plain(quote.text)}"


def _quoted(text: str) -> str:
    """A quotation, its lines as they stand in the document."""
    return "\n".join(f"> {_plain(line)}  " for line in text.splitlines())


def _hops(run: Run) -> Iterator[str]:
    for number, hop in enumerate(run.hops):
        if number == 0:
            yield ""
            yield f"Run {run.id}:"
            yield ""
        cubes = f" ({', '.join(hop.cubes)})" if hop.cubes else ""
        yield f"- Hop {hop.number}{cubes}: {_plain(hop.subquery)} → {_plain(hop.answer) or 'not found'}"


def _table(table: AnswerTable | None) -> Iterator[str]:
    if table is None:
        return
    yield ""
    yield _row([_plain(column) for column in table.columns])
    yield _row(["---"] * len(table.columns))
    for row in table.rows:
        yield _row([_cell(cell) for cell in row])


def _cell(cell: TableCell) -> str:
    mark = f" ({cell.citation})" if cell.citation is not None else ""
    return f"{_plain(cell.value)}{mark}" if cell.value else "–"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """One line in which nothing is markup: what documents and people write is text."""
    return _MARKUP.sub(r"\\\1", clean(text))
