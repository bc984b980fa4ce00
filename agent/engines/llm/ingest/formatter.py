"""HiQA's Markdown Formatter: a model turns a document's text into Markdown, window by window (eq. 1, Algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from .....cubes.core.records import Document
from .....cubes.documents.formats.page_starts import told
from .....cubes.ingest.refinement import RefinedDocument
from .....prompts import Prompt, Rendered
from ..client import ModelClient
from ..errors import ContextLengthError, RefusalError, RejectedError, ReplyError, TruncatedReplyError
from ..replies import schemas as replies
from .estimates import RequestEstimator
from .faithfulness import unfaithful
from .windows import joined, windows

__all__ = ["STAGE", "MarkdownFormatter", "SlidingWindow"]

STAGE = "format"
SMALLEST_WINDOW = 400
"""Tokens below which a window is not halved for a model that cannot hold it, or was cut off in writing it."""
_UNUSABLE = (ReplyError, RefusalError, RejectedError, ContextLengthError)


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """The window: its ``size`` W and the ``padding`` K on either side, both in tokens."""

    size: int = 3_000
    padding: int = 200


class MarkdownFormatter:
    """Formats documents with a language model; each window is given the one before it, with what became of that.

    The paper's headings are all of the first level; here they keep theirs, so that the chapter tree can be built.
    What the model writes must say what the document says (`faithful.unfaithful`): otherwise the layout's own text
    stays, and a warning says why. Replies are kept by the client, so that a killed run pays for no window twice.
    """

    def __init__(self, prompt: Prompt, client: ModelClient, sliding: SlidingWindow = SlidingWindow()) -> None:
        self._prompt, self._client, self._sliding = prompt, client, sliding

    @property
    def version(self) -> str:
        """Model, prompt and window: what the output depends on."""
        window = f"{self._sliding.size}/{self._sliding.padding}"
        return f"format {self._client.label} {self._prompt.fingerprint} {window}"

    def steps(self, text: str) -> int:
        """Return T, how many windows a text has."""
        return len(self._windows(text, self._sliding.size))

    def refine(self, document: Document, step: Callable[[], None]) -> RefinedDocument:
        """Return the document with its text formatted; ``step`` is called after each window.

        Raises ModelErrors that have nothing to do with this document.
        """
        try:
            text = self._formatted(document.text, self._sliding.size, step)
        except _UNUSABLE as error:
            return RefinedDocument(document, (_kept(document, f"it could not be formatted: {error}"),))
        if why := unfaithful(document.text, text):
            return RefinedDocument(document, (_kept(document, f"{self._client.label} rewrote it, and {why}."),))
        # Where pages begin was told for the text of the layout.
        return RefinedDocument(replace(document, text=text, metadata=told(document.metadata)))

    def add_estimate(self, document: Document, count: RequestEstimator) -> None:
        """Count in what formatting would cost; windows whose replies are here already cost nothing."""
        before = after = ""
        for window in self._windows(document.text, self._sliding.size):
            prompt = self._fill(window, before, after)
            if count.add(prompt, replies.MarkdownReply, self._client.tokens_of(window)):
                after = window  # about as long as what it will become
            else:
                after = self._client.ask(STAGE, prompt, replies.MarkdownReply).markdown
            before = window

    def _formatted(self, text: str, size: int, step: Callable[[], None]) -> str:
        outputs: list[str] = []
        before = ""
        for window in self._windows(text, size):
            prompt = self._fill(window, before, outputs[-1] if outputs else "")
            try:
                outputs.append(self._client.ask(STAGE, prompt, replies.MarkdownReply).markdown)
            except (ContextLengthError, TruncatedReplyError):
                if size < 2 * SMALLEST_WINDOW:
                    raise
                return self._formatted(text, size // 2, step)
            before = window
            step()
        return joined(outputs)

    def _windows(self, text: str, size: int) -> list[str]:
        padding = min(self._sliding.padding, math.ceil(size / 4))
        return windows(text, size, padding, self._client.tokens_of)

    def _fill(self, window: str, before: str, after: str) -> Rendered:
        return self._prompt.fill({"previous_input": before, "previous_output": after, "window": window})


def _kept(document: Document, why: str) -> str:
    return f"{document.source}: '{document.title}' keeps the text of its layout, since {why}"
