"""The images of documents (HiQA A.3): files beside the catalog, named by their content, and what is known of them.

A file is complete on the disk before the document that shows it is written to the catalog; one that no document shows
is deleted with the next change, so that neither a kill nor a removal leaves anything behind.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from ..core.records import Document, Figure, Section
from ..documents.formats.images import EXTENSIONS
from ..documents.formats.records import figures_named
from .catalog import Catalog
from .database import clean, publish, published, withdraw
from .postgres import database_url

__all__ = ["FIGURES", "FigureInfo", "described", "figures_of", "keep", "note", "shown_in", "stored", "sweep"]

FIGURES = "figures"
"""The folder, in a knowledge base, that holds the images."""
_OTHER = ".bin"
_ID = re.compile(r"[0-9a-f]{1,64}")
_REFERENCE = re.compile(
    r"\b(?:figures?|figs?\.?|abbildung|abb\.)[\s\u00a0]{1,3}(?P<number>[A-Z]?\d[\w.-]{0,7})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FigureInfo:
    """An image of a document and the file that shows it; see `records.Figure`."""

    id: str
    document_id: str
    caption: str
    description: str
    media_type: str
    page: int | None
    path: Path


def keep(folder: Path, document: Document) -> Document:
    """Write a document's images to a knowledge base's folder, durably, and return it without their data.

    Raises OSError where they cannot be written.
    """
    if not document.figures:
        return document
    place = folder / FIGURES
    place.mkdir(exist_ok=True)
    written = sum(_write(place, figure) for figure in document.figures)
    if written:
        _flush(place)
    publish(folder, {_published_as(_name(figure.id, figure.media_type)): figure.data for figure in document.figures})
    return replace(document, figures=tuple(replace(figure, data=b"") for figure in document.figures))


def note(catalog: Catalog, document: Document) -> None:
    """Write down which images a document shows, in place of those it showed before."""
    with catalog.writing() as connection:
        ((number,),) = catalog.rows("SELECT number FROM documents WHERE id = ?", document.id)
        connection.execute("DELETE FROM figures WHERE document = ?", (number,))
        connection.executemany(
            "INSERT INTO figures(document, ordinal, id, caption, description, media_type, page) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [
                (number, n, f.id, clean(f.caption), clean(f.description), f.media_type, f.page)
                for n, f in enumerate(document.figures)
            ],
        )


def figures_of(catalog: Catalog, document_id: str) -> list[FigureInfo]:
    """Return a document's images, in the order of its text."""
    place = catalog.path.parent / FIGURES
    rows = catalog.rows(
        "SELECT f.id, f.caption, f.description, f.media_type, f.page FROM figures f "
        "JOIN documents d ON d.number = f.document WHERE d.id = ? ORDER BY f.ordinal",
        document_id,
    )
    return [
        FigureInfo(id, document_id, caption, description, media_type, page, _file(place, _name(id, media_type)))
        for id, caption, description, media_type, page in rows
    ]


def stored(folder: Path, figure_id: str) -> tuple[Path, str] | None:
    """Return the file of an image of a knowledge base, and its media type; None where there is none.

    Whatever is no id leads nowhere: an id is never read as a path.
    """
    if not _ID.fullmatch(figure_id):
        return None
    for media_type in EXTENSIONS:
        path = _file(folder / FIGURES, _name(figure_id, media_type), removed_elsewhere=True)
        if path.is_file():
            return path, media_type
    return None


def described(catalog: Catalog) -> dict[str, str]:
    """Return what is known of every image besides its caption, by its id."""
    return dict(catalog.rows("SELECT id, max(description) FROM figures WHERE description != '' GROUP BY id"))


def shown_in(catalog: Catalog, section: Section) -> list[FigureInfo]:
    """Return the images that stand in a section, in its order, then those that it refers to ("see Figure 3").

    They are images of the section's own document; a name of any other shows nothing.
    """
    named, referred = figures_named(section.text), _referred(section.text)
    if not named and not referred:
        return []
    known = {figure.id: figure for figure in figures_of(catalog, section.document_id)}
    others = (figure.id for figure in known.values() if _label(figure) in referred)
    return [known[id] for id in dict.fromkeys((*named, *others)) if id in known]


def _referred(text: str) -> list[str]:
    """Return the numbers of the figures that a text speaks of."""
    return [found["number"].rstrip(".-").lower() for found in _REFERENCE.finditer(text)]


def _label(figure: FigureInfo) -> str | None:
    """Return the number that a figure's caption begins with."""
    found = _REFERENCE.match(figure.caption)
    return found["number"].rstrip(".-").lower() if found else None


def sweep(catalog: Catalog) -> None:
    """Delete the images that no document shows; the caller holds the write lock."""
    place = catalog.path.parent / FIGURES
    if not place.is_dir() and database_url() is None:
        return
    rows = catalog.rows("SELECT DISTINCT id, media_type FROM figures")
    wanted = {_name(id, media_type) for id, media_type in rows}
    withdraw(place.parent, f"{FIGURES}/", {_published_as(name) for name in wanted})
    if not place.is_dir():
        return
    _delete(path for path in place.iterdir() if path.name not in wanted)
    if not wanted:
        with suppress(OSError):
            place.rmdir()


def _delete(paths: Iterable[Path]) -> None:
    for path in list(paths):
        with suppress(OSError):  # what a reader holds open goes with the next sweep
            path.unlink()


def _name(id: str, media_type: str) -> str:
    return id + EXTENSIONS.get(media_type, _OTHER)


def _published_as(name: str) -> str:
    return f"{FIGURES}/{name}"


def _file(place: Path, name: str, *, removed_elsewhere: bool = False) -> Path:
    """The file of an image; one that another server has kept is fetched, one that it ``removed_elsewhere`` goes."""
    path = place / name
    if database_url() is not None and (removed_elsewhere or not path.exists()):
        data = published(place.parent, _published_as(name))
        with suppress(OSError):
            if data is None:
                path.unlink(missing_ok=True)
            elif not path.exists():
                place.mkdir(exist_ok=True)
                unfinished = path.with_suffix(f".{os.getpid()}.part")
                unfinished.write_bytes(data)
                unfinished.replace(path)
    return path


def _write(place: Path, figure: Figure) -> bool:
    """Write an image that is not there yet, complete or not at all."""
    path = place / _name(figure.id, figure.media_type)
    if path.exists():
        return False
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        file.write(figure.data)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return True


def _flush(place: Path) -> None:
    """Make the names of new files durable, where the system can."""
    with suppress(OSError):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
