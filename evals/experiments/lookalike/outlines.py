"""Whether ingestion found what the generator wrote: the tree of chapters, tables by title, figures by caption."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ....cubes.core.errors import InputError
from ....cubes.core.records import Document, Problem, Section
from ....cubes.documents.loaders import load
from ....cubes.documents.sections import split
from ....cubes.retrieval.hiqa.tables import tables_in
from ...datasets.dataset import required_file

__all__ = ["Outline", "check", "differences", "documents_in", "outline_of", "read_outlines", "right"]


class Outline(BaseModel):
    """What a document consists of. ``chapters`` are the paths of headings below the title, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    chapters: tuple[tuple[str, ...], ...]
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()


_Outlines = TypeAdapter(dict[str, Outline])


@dataclass(frozen=True, slots=True)
class _Named:
    kind: str
    wanted: Sequence[object]
    found: Sequence[object]


def read_outlines(folder: Path) -> dict[str, Outline]:
    """Read the generator's own outlines, by document."""
    path = required_file(folder, "chapters.json")
    try:
        return _Outlines.validate_python(json.loads(path.read_text("utf-8")))
    except (ValueError, ValidationError) as error:
        raise InputError(f"{path}: this is not what `generate` writes; generate it anew.") from error


def documents_in(folder: Path) -> list[Path]:
    """The files of a generated folder that are documents."""
    return sorted(path for path in (folder / "documents").glob("*.*") if path.is_file())


def check(folder: Path) -> dict[str, list[str]]:
    """Read every document as an ingest does, and return what differs from the generator's outline, by document."""
    wanted = read_outlines(folder)
    found: dict[str, list[str]] = {name: ["The document was not found."] for name in wanted}
    for path in documents_in(folder):
        for item in load(path):
            if isinstance(item, Problem):
                found[path.stem] = [str(item)]
            elif item.record_id in wanted:
                found[item.record_id] = list(differences(wanted[item.record_id], outline_of(item, split(item))))
            else:
                found[item.record_id] = ["The generator wrote no such document."]
    return found


def outline_of(document: Document, sections: Sequence[Section]) -> Outline:
    """Return the outline that an ingest makes of a document; a chapter without text of its own is an ancestor."""
    chapters: dict[tuple[str, ...], None] = {}
    for section in sections:
        for depth in range(1, len(section.path)):
            chapters[section.path[1 : depth + 1]] = None
    tables = [table.title for section in sections for table in tables_in(section.text)]
    return Outline(
        title=document.title,
        chapters=tuple(chapters),
        tables=tuple(tables),
        figures=tuple(figure.caption for figure in document.figures),
    )


def differences(wanted: Outline, found: Outline) -> Iterator[str]:
    """Say what is missing, what is too much, and what stands in another order."""
    if wanted.title != found.title:
        yield f'The title is "{found.title}", not "{wanted.title}".'
    written, read = ([" > ".join(path) for path in outline.chapters] for outline in (wanted, found))
    kinds = (
        _Named("chapter", written, read),
        _Named("table", wanted.tables, found.tables),
        _Named("figure", wanted.figures, found.figures),
    )
    for kind in kinds:
        yield from _compared(kind)


def _compared(named: _Named) -> Iterator[str]:
    for name in named.wanted:
        if name not in named.found:
            yield f'The {named.kind} "{name}" is missing.'
    for name in named.found:
        if name not in named.wanted:
            yield f'There is a {named.kind} "{name}" that nobody wrote.'
    if set(named.wanted) == set(named.found) and list(named.wanted) != list(named.found):
        yield f"The {named.kind}s stand in another order, or some more than once."


def right(found: Mapping[str, Sequence[str]]) -> int:
    """How many documents have no difference."""
    return sum(not said for said in found.values())
