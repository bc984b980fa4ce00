"""What figures show, described by a vision model so that they can be found and told of (HiQA A.3 and A.5)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import replace

from .....cubes.core.records import Document, Figure
from .....cubes.ingest.refinement import RefinedDocument
from .....prompts import Prompt, Rendered
from ..client import ModelClient
from ..errors import UNUSABLE, RejectedError
from ..replies import schemas as replies
from .estimates import RequestEstimator

__all__ = ["STAGE", "FigureDescriber"]

STAGE = "figures"
TYPICAL_REPLY = 120
"""Tokens of a description."""
_SEEN = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""What vision models read; a drawing in another form keeps its caption alone."""
_LARGEST = 15_000_000
_AROUND = 600
"""Characters of the text before and after a figure that are shown with it."""


class FigureDescriber:
    """Asks a vision model what each figure shows, with its caption and the text around it.

    A model that refuses images as such is not asked again: one warning says so, and figures keep their captions.
    """

    def __init__(self, prompt: Prompt, client: ModelClient) -> None:
        self._prompt, self._client = prompt, client
        self._blind = ""
        self._sees = False

    @property
    def version(self) -> str:
        """Model and prompt: what the descriptions depend on."""
        return f"figures {self._client.label} {self._prompt.fingerprint}"

    def steps(self, document: Document) -> int:
        """Return how many figures of a document can be shown."""
        return sum(1 for _ in _shown(document))

    def refine(self, document: Document, step: Callable[[], None]) -> RefinedDocument:
        """Return the document with its figures described; ``step`` is called after each.

        Raises ModelErrors that have nothing to do with these figures.
        """
        described: dict[str, Figure] = {}
        warnings: list[str] = []
        for figure in _shown(document):
            if self._blind:
                break
            try:
                described[figure.id] = self._described(figure, document)
            except RejectedError as error:
                if self._sees:
                    warnings.append(_left(document, figure, error))
                else:
                    self._blind = f"Figures are not described: {error}"
                    warnings.append(self._blind)
            except UNUSABLE as error:
                warnings.append(_left(document, figure, error))
            step()
        figures = tuple(described.get(figure.id, figure) for figure in document.figures)
        return RefinedDocument(replace(document, figures=figures), tuple(warnings))

    def add_estimate(self, document: Document, count: RequestEstimator) -> None:
        """Count in what describing would cost."""
        for figure in _shown(document):
            count.add(self._fill(figure, document), replies.FigureReply, TYPICAL_REPLY)

    def _described(self, figure: Figure, document: Document) -> Figure:
        reply = self._client.ask(STAGE, self._fill(figure, document), replies.FigureReply)
        self._sees = True
        told = dict.fromkeys(" ".join(part.split()) for part in (figure.description, reply.description))
        return replace(figure, description=" ".join(filter(None, told)))

    def _fill(self, figure: Figure, document: Document) -> Rendered:
        values = {"title": document.title, "caption": figure.caption, "surrounding": _around(figure, document.text)}
        url = f"data:{figure.media_type};base64,{base64.b64encode(figure.data).decode()}"
        return replace(self._prompt.fill(values), images=(url,))


def _shown(document: Document) -> Iterator[Figure]:
    """Yield the figures that a model can be shown, each once."""
    once = {figure.id: figure for figure in document.figures}
    yield from (figure for figure in once.values() if figure.media_type in _SEEN and len(figure.data) <= _LARGEST)


def _around(figure: Figure, text: str) -> str:
    at = text.find(f"(figure:{figure.id})")
    return text[max(0, at - _AROUND) : at + _AROUND].strip() if at >= 0 else ""


def _left(document: Document, figure: Figure, error: Exception) -> str:
    return f"{document.source}: the figure '{figure.caption or figure.id}' is not described: {error}"
