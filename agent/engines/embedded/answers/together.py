"""Reading the surest sentences of several sections side by side.

A section is read alone (`span.py`), so its spans do not see what speaks against them. The sentences of the surest spans
are put into one text and read once more: there they compete, as the passages of a reranker do (Wang et al. 2019).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .span import Margin, PredictedSpan, lead_of

__all__ = ["Again", "Together", "compared", "put_together", "spread_of"]

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
            if section == span.section and _begins_in(sentence, span):
                return span.start + by, min(span.end, sentence.end) + by
        return None


def put_together(sections: Sequence[tuple[str, str]], spans: Sequence[PredictedSpan]) -> Together:
    """Return the sentences of the surest spans, each behind its section's title, in the order of the sections."""
    chosen = dict[tuple[int, Span], str]()
    for span in sorted(spans, key=lambda one: -one.margin):
        title, text = sections[span.section]
        sentence = sentence_around(text, Span(span.start, span.end))
        said = text[sentence.start : sentence.end]
        written = lead_of(title, said) + said
        fits = len(chosen) < _SENTENCES and len(written) + sum(map(len, chosen.values())) <= _ROOM
        if fits or not chosen:
            chosen[span.section, sentence] = written
    whole, moved = "", list[tuple[int, Span, int]]()
    for (section, sentence), written in sorted(chosen.items(), key=lambda one: (one[0][0], one[0][1].start)):
        whole += (" " if whole else "") + written
        moved.append((section, sentence, len(whole) - sentence.end))
    return Together(whole, tuple(moved))


def _begins_in(sentence: Span, span: PredictedSpan) -> bool:
    return sentence.start <= span.start < sentence.end


def compared(sections: Sequence[tuple[str, str]], spans: Sequence[PredictedSpan], again: Again) -> list[float]:
    """Return how far each span is above all where the surest sentences are read together, as log probabilities.

    A span of another sentence is as sure as the least of those that were read.
    """
    if not spans:
        return []
    together = put_together(sections, spans)
    margin_of = again(together.text)
    margins = [margin_of(*place) if (place := together.place(span)) is not None else None for span in spans]
    known = [margin for margin in margins if margin is not None]
    least, spread = min(known, default=0.0), spread_of(known)
    return [(least if margin is None else margin) - spread for margin in margins]


def spread_of(margins: Iterable[float]) -> float:
    """Return what a margin is measured against: the log of the odds of all of them and of "not here"."""
    return math.log(sum(math.exp(min(margin, 50.0)) for margin in margins) + 1.0)
