"""Sections in full, and the images that they show."""

from __future__ import annotations

from typing import Self

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel
from starlette.responses import FileResponse, Response

from ....cubes.store.figures import FigureInfo, stored
from ..bounds import Identifier, found
from ..service import Served

__all__ = ["FigureDetail", "router"]

router = APIRouter(tags=["sections"])

_SHOWN = frozenset({"image/bmp", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp"})
"""What browsers show; images of other types are files to save."""
_ALONE = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A drawing may have its own style; it runs nothing and loads nothing."""


class FigureDetail(BaseModel):
    """An image: its caption, what is known of it besides, its type, and its page (from 1) where there are pages."""

    id: str
    caption: str
    description: str
    media_type: str
    page: int | None

    @classmethod
    def of(cls, figure: FigureInfo) -> Self:
        """Return what a client is told of an image."""
        return cls(
            id=figure.id, caption=figure.caption, description=figure.description, media_type=figure.media_type,
            page=figure.page,
        )  # fmt: skip


class SectionDetail(BaseModel):
    """A section of a document: its heading path (the document's title first), its text, and the images it shows.

    ``start`` is where the text begins in the document's.
    """

    id: str
    document_id: str
    record_id: str
    source: str
    title: str
    path: tuple[str, ...]
    text: str
    start: int
    figures: list[FigureDetail]


@router.get("/sections/{section_id}")
def read_section(section_id: Identifier, served: Served) -> SectionDetail:
    """Return a section; spans of citations and facts are offsets (in characters) in its text."""
    kb = served.fresh
    section = found(lambda: kb.section(section_id))
    return SectionDetail(
        id=section.id, document_id=section.document_id, record_id=section.record_id,
        source=kb.document(section.document_id).source, title=section.title, path=section.path, text=section.text,
        start=section.start, figures=[FigureDetail.of(figure) for figure in kb.section_figures(section)],
    )  # fmt: skip


@router.get("/figures/{figure_id}", response_class=Response, responses={200: {"content": {"image/*": {}}}})
def read_figure(figure_id: Identifier, served: Served) -> Response:
    """Return an image as it was found in its document."""
    kept = stored(served.kb.kb.path, figure_id)
    if kept is None:
        raise HTTPException(404, "There is no such figure; sections and documents name theirs.")
    path, media_type = kept
    headers = {"Content-Security-Policy": _ALONE, "Cache-Control": "private, max-age=3600"}
    saved = None if media_type in _SHOWN else path.name
    return FileResponse(path, media_type=media_type, headers=headers, filename=saved)
