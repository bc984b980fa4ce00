"""What a model does to a document before it is divided: format its text, describe its figures, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .....cubes.core.records import Document
from .....cubes.core.spending import CostEstimate, ModelUsage
from .....cubes.ingest.refinement import RefinedDocument
from ..client import ModelClient
from . import describer, formatter
from .describer import FigureDescriber
from .estimates import RequestEstimator
from .formatter import MarkdownFormatter

__all__ = ["LlmRefiner"]


class LlmRefiner:
    """A `cubes.formats.refining.Refiner`; either part may be None."""

    def __init__(
        self, client: ModelClient, markdown: MarkdownFormatter | None, figures: FigureDescriber | None
    ) -> None:
        self._client, self._markdown, self._figures = client, markdown, figures
        self._foreseen = RequestEstimator(client)

    @property
    def version(self) -> str:
        """What is done, and with what."""
        return "; ".join(part.version for part in (self._markdown, self._figures) if part is not None)

    @property
    def spent(self) -> ModelUsage:
        """What the formatting and the describing have cost."""
        stages = self._client.usage.stages
        return stages.get(formatter.STAGE, ModelUsage()).plus(stages.get(describer.STAGE, ModelUsage()))

    def refine(self, document: Document, step: Callable[[int, int], None]) -> RefinedDocument:
        """Return the document formatted, its figures described; see the parts for what may be raised."""
        windows = self._markdown.steps(document.text) if self._markdown is not None else 0
        total = windows + (self._figures.steps(document) if self._figures is not None else 0)
        done = 0

        def one_more() -> None:
            nonlocal done
            done += 1
            step(done, max(done, total))

        refined = RefinedDocument(document)
        if self._markdown is not None:
            refined = self._markdown.refine(document, one_more)
        if self._figures is not None:
            described = self._figures.refine(refined.document, one_more)
            refined = replace(described, warnings=(*refined.warnings, *described.warnings))
        return refined

    def add_estimate(self, document: Document) -> None:
        """Count in what refining a document would cost."""
        if self._markdown is not None:
            self._markdown.add_estimate(document, self._foreseen)
        if self._figures is not None:
            self._figures.add_estimate(document, self._foreseen)

    def estimate(self) -> CostEstimate:
        """Return what the documents counted in come to."""
        return self._foreseen.total(["Formatted text is taken to have as many tokens as the text it is made of."])
