"""Reading the surest sentences of several sections side by side.

A section is read alone (`span.py`), so its spans do not see what speaks against them. The sentences of the surest spans
are put into one text and read once more: there they compete, as the passages of a reranker do (Wang et al. 2019).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .span import Margin, PredictedSpan, lead_of

__all__ = ["Again", "Together", "compared", "put_together"]

_SENTENCES = 3  # with two or four, fewer of the development questions are answered
_ROOM = 640  # characters of all of them: a window holds as much

Again = Callable[[str], Margin]
"""Reads a text for the question at hand."""


@dataclass(frozen=True, slots=True)
class Together:
    """Sentences as one ``text``; ``moved`` says how far each moved there from its place in its section."""

    text: str
    moved: tuple[tuple[int, Span, int], ...]

    def place(self, span: PredictedSpan) -> tuple[int, int] | None:
        """Return where a span stands in the text; None where its sentence is not in it."""
        for section, sentence, by in self.moved:
            if section == span.section and sentence.start <= span.start < sentence.end:
                return span.start + by, min(span.end, sentence.end) + by
        return None


def put_together(sections: Sequence[tuple[str, str]], spans: Sequence[PredictedSpan]) -> Together:
    """Return the sentences of the surest spans, each behind its section's title, in the order of the sections."""
    chosen: dict[tuple[int, int], tuple[str, Span]] = {}
    for span in sorted(spans, key=lambda one: -one.margin):
        title, text = sections[span.section]
        sentence = sentence_around(text, Span(span.start, span.end))
        said = text[sentence.start : sentence.end]
        written = lead_of(title, said) + said
        room = _ROOM - sum(len(other) for other, _ in chosen.values())
        if len(written) <= room or not chosen:
            chosen.setdefault((span.section, sentence.start), (written, sentence))
        if len(chosen) == _SENTENCES:
            break
    whole, moved = "", list[tuple[int, Span, int]]()
    for (section, _), (written, sentence) in sorted(chosen.items(), key=lambda each: each[0]):
        whole = f"{whole} " if whole else ""
        moved.append((section, sentence, len(whole) + len(written) - sentence.end))
        whole += written
    return Together(whole, tuple(moved))


def compared(sections: Sequence[tuple[str, str]], spans: Sequence[PredictedSpan], again: Again | None) -> list[float]:
    """Return how far each span is above all where the surest sentences are read together, as log probabilities.

    A span of another sentence is as sure as the least of those that were read. Where nothing reads, all are alike.
    """
    if again is None or not spans:
        return [0.0] * len(spans)
    together = put_together(sections, spans)
    margin = again(together.text)
    margins = [margin(*place) if (place := together.place(span)) is not None else None for span in spans]
    known = [margin for margin in margins if margin is not None]
    spread = math.log(sum(math.exp(min(margin, 50.0)) for margin in known) + 1.0)
    return [(margin if margin is not None else min(known, default=0.0)) - spread for margin in margins]
