"""Which sentence, item, row or code of a hop's sections tells what is asked, or that none of them does.

Each part of the sections has features, numbers that know neither a data set nor a phrasing; a softmax over the parts
and "nothing tells it" gives the probability of each. The weights are data (`telling.yaml`), fitted by
`multicube.evals.training.telling`; none is set by hand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.records import Span
from .....cubes.retrieval.passages import blocks_of
from .....cubes.retrieval.wording import asked_words, stems
from .....graphs.records import Evidence
from ..documents.wording import Likeness
from .candidates import packaged_weights
from .span import PredictedSpan

__all__ = ["FEATURES", "Likeness", "SentencePart", "SupportingPart", "parts_of", "supporting_part"]

FEATURES = ("margin", "sure", "section", "like", "told", "rank")
"""The features, in the order in which a part has them: the reader's margin within it and how sure that is, the best
margin within its section, how alike it is by meaning, which share of the asked words it has, its section's rank."""

_LOOKED_AT = 16  # parts that are compared by meaning, which costs most
_LOWEST, _SCALE = -12.0, 8.0  # of the reader's margins


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A sentence, item, row or code of a section with its features, in the order of `FEATURES`."""

    section: int
    place: Span
    text: str
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class SupportingPart:
    """The part that tells best what is asked, and the probability that any part does."""

    section: int
    place: Span
    any: float
    enough: bool
    """Whether it is likely enough that any part does."""
    shares: tuple[tuple[Span, float], ...]
    """The parts of its section, each with the probability that it tells what is asked."""

    def within(self, passage: Span) -> float:
        """Return the probability that a part tells it that lies in a passage of the section."""
        return sum(share for place, share in self.shares if place.start < passage.end and passage.start < place.end)


def supporting_part(
    question: str, evidence: Sequence[Evidence], spans: Sequence[PredictedSpan], like: Likeness
) -> SupportingPart | None:
    """Return the part of the sections that tells best what is asked; None where there is none."""
    parts = parts_of(question, evidence, spans, like)
    if not parts:
        return None
    scorer, read = packaged_weights("telling.yaml", FEATURES)
    scores = scorer.scores([part.features for part in parts])
    shares, any_of_them = scorer.shares(scores)
    best = max(range(len(parts)), key=lambda n: scores[n])
    here = parts[best].section
    own = tuple((part.place, share) for part, share in zip(parts, shares, strict=True) if part.section == here)
    return SupportingPart(here, parts[best].place, any_of_them, any_of_them >= float(read["least"]), own)


def parts_of(
    question: str, evidence: Sequence[Evidence], spans: Sequence[PredictedSpan], like: Likeness
) -> list[SentencePart]:
    """Return the parts that hold most of the asked words, or that the reader points at, with their features."""
    parts = [part for number, section in enumerate(evidence) for part in _said(number, section)]
    held = [frozenset(stems(part.text)) for part in parts]
    holding = Counter(word for each in held for word in each)
    # A word counts the less, the more of the parts hold it.
    weights = {word: math.log((len(parts) + 1) / (holding[word] + 0.5)) for word in asked_words(question)}
    total = sum(weights.values()) or 1.0

    def features(part: SentencePart, own: frozenset[str]) -> tuple[float, ...]:
        here = [s for s in spans if s.section == part.section]
        inside = (s.margin for s in here if s.start < part.place.end and part.place.start < s.end)
        margin, best = max((_LOWEST, *inside)), max((_LOWEST, *(s.margin for s in here)))
        told = sum(weight for word, weight in weights.items() if word in own) / total
        sure, rank = 1 / (1 + math.exp(-margin)), 1 / (1 + part.section)
        return margin / _SCALE, sure, best / _SCALE, told, rank

    rows = [(part, features(part, own)) for part, own in zip(parts, held, strict=True)]
    rows = sorted(rows, key=lambda row: -(row[1][0] + row[1][3]))[:_LOOKED_AT]
    alike = list(like(question, [part.text for part, _ in rows])) or [0.0] * len(rows)
    told = zip(rows, alike, strict=True)
    return [replace(part, features=(*row[:3], cosine, *row[3:])) for (part, row), cosine in told]


def _said(number: int, section: Evidence) -> Iterator[SentencePart]:
    """The parts of a section but its questions, which answer none; code is told as a whole."""
    for block in blocks_of(section.text):
        for place in (block.span,) if block.kind == "code" else block.parts:
            text = section.text[place.start : place.end]
            if not text.rstrip().endswith("?"):
                yield SentencePart(number, place, text)
