"""Writing the benchmark: documents in every format, the tree of their chapters, and the questions."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ....cubes.core.errors import UsageError
from . import asking, reasoned
from .bank import Bank
from .content import datasheet
from .family import Product, products
from .parts import Datasheet, Figure, Table, captions
from .questions import KINDS, LookalikeQuestion

__all__ = ["FORMATS", "PER_KIND", "all_questions", "generate", "outline"]

FORMATS = ("mixed", "pdf", "docx", "html", "md")
_MIXED = ("pdf", "docx", "html")
PER_KIND = 12
_FIGURES = 8

_Kind = Callable[[Bank, int], Iterator[LookalikeQuestion]]
_MAKERS: Mapping[str, _Kind] = {
    "single_choice": asking.single_choice,
    "multiple_choice": asking.multiple_choice,
    "judgement": asking.judgement,
    "fill_in": asking.fill_in,
    "descriptive": reasoned.descriptive,
    "comparison": reasoned.comparison,
    "summary": reasoned.summary,
    "calculation": reasoned.calculation,
    "crossing": reasoned.crossing,
    "table": asking.table,
    "figure": asking.figure,
}


def generate(folder: Path, *, documents: int = 40, seed: int = 0, format: str = "mixed") -> list[Path]:
    """Write ``documents/``, ``chapters.json`` and ``questions.jsonl`` into a folder; a seed gives the same bytes.

    "mixed" writes PDF, DOCX and HTML in turn; another format is for all documents. Returns the documents' files.
    Raises UsageError for a format or a number that cannot be made, or a folder that holds something else.
    """
    if format not in FORMATS:
        raise UsageError(f'There is no format "{format}"; choose from {", ".join(FORMATS)}.')
    made = products(documents, seed=seed)
    sheets = {product.part: datasheet(product) for product in made}
    target = _cleared(folder)
    files = [_written(sheet, target, place, format) for place, sheet in enumerate(sheets.values())]
    tree = {sheet.id: outline(sheet) for sheet in sheets.values()}
    _write(folder / "chapters.json", json.dumps(tree, indent=1, ensure_ascii=False) + "\n")
    questions = all_questions(made, sheets, seed=seed)
    _write(folder / "questions.jsonl", "".join(_line(question.line()) for question in questions))
    return files


def outline(sheet: Datasheet) -> dict[str, Any]:
    """The document's title, the paths of its chapters, its tables and its figures, in their order."""
    names = captions(sheet)
    return {
        "title": sheet.title,
        "chapters": [list(path) for path, _ in sheet.walk()],
        "tables": [name for block, name in names.items() if isinstance(block, Table)],
        "figures": [name for block, name in names.items() if isinstance(block, Figure)],
    }


def all_questions(
    made: list[Product], sheets: Mapping[str, Datasheet], *, seed: int = 0
) -> Iterator[LookalikeQuestion]:
    """Yield twelve questions of each of Table 4's kinds, and eight that ask for a figure."""
    for kind in KINDS:
        bank = Bank(made, sheets, random.Random(f"{kind} {seed}"))
        yield from _MAKERS[kind](bank, _FIGURES if kind == "figure" else PER_KIND)


def _written(sheet: Datasheet, target: Path, place: int, format: str) -> Path:
    suffix = _MIXED[place % len(_MIXED)] if format == "mixed" else format
    path = target / f"{sheet.id}.{suffix}"
    every_other = place // len(_MIXED) % 2 == 1
    try:
        if suffix == "pdf":
            from .files.pdf import write_pdf

            write_pdf(sheet, path)
        elif suffix == "docx":
            from .files.docx import write_docx

            write_docx(sheet, path, counted=every_other)
        elif suffix == "html":
            from .files.html import write_html

            write_html(sheet, path, inline=every_other)
        else:
            from .files.markdown import write_markdown

            write_markdown(sheet, path)
    except ImportError as error:
        raise UsageError(
            f"There is no {error.name} to write {suffix} with: pip install 'multicube-rag[dev]'."
        ) from error
    return path


def _cleared(folder: Path) -> Path:
    """Make room for the documents; what this did not write is never removed."""
    target = folder / "documents"
    if target.exists() and not (folder / "chapters.json").exists():
        raise UsageError(f"{target} holds documents that were not generated; give another folder.")
    for path in _files(target):
        path.unlink()
    target.mkdir(parents=True, exist_ok=True)
    return target


def _files(target: Path) -> Iterable[Path]:
    return [path for path in target.rglob("*") if path.is_file()] if target.exists() else []


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
