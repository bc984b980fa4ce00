"""Which sentence, item, row or code of a hop's sections tells what is asked, or that none of them does.

Each part of the sections has features, numbers that know neither a data set nor a phrasing; a softmax over the parts
and "nothing tells it" gives the probability of each. The weights are data (`telling.yaml`), fitted by
`multicube.evals.training.telling`; none is set by hand.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from .....cubes.core.records import Span
from .....cubes.retrieval.passages import LIMIT, BlockKind, TextBlock, blocks_of
from .....cubes.retrieval.wording import asked_words, stems
from .....graphs.records import Evidence
from .scorer import SoftmaxScorer, packaged_weights
from .span import PredictedSpan

__all__ = ["FEATURES", "Likeness", "SentencePart", "SupportingPart", "parts_of", "supporting_part"]

FEATURES = (
    "margin", "sure", "section", "like", "told", "headed", "near", "together", "said", "rank", "reason", "way", "when",
    "list", "code", "table", "brief", "opens",
)  # fmt: skip
"""The features, in the order in which a part has them."""

Likeness = Callable[[str, Sequence[str]], Sequence[float]]
"""How alike a text is to each of others by meaning; nothing where there is no encoder."""

_LOOKED_AT = 16  # parts that are compared by meaning, which costs most
_LOWEST, _SCALE = -12.0, 8.0  # of the reader's margins
_NEARLY = 1.5  # in logits, how much less the part beside the best one may tell that is quoted with it
_GAP = 24  # characters between two parts that are quoted together: a short line that introduces a list fits in
_BRIEF = 5  # words of a part that says too little by itself
_WHY = re.compile(r"\b(?:why|how come|reasons?|purpose)\b", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|as|so that|so as to|in order to|to avoid|due to|thus|therefore|otherwise|reasons?)\b", re.I
)
_HOW = re.compile(r"\bhow (?:do|does|can|could|should|to|is|are|must|might|would)\b", re.IGNORECASE)
_WAY = re.compile(r"^(?:in order )?to\b|:\s*$|\bby [a-z]+ing\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:what happens|what if|what will happen|what would happen)\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:if|when|whenever|once|in case|unless|after)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A sentence, item, row or line of code of a section with its features, in the order of `FEATURES`."""

    section: int
    place: Span
    features: tuple[float, ...]


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


@dataclass(frozen=True, slots=True)
class _UnscoredPart:
    """A part before it is weighed: its words, and those of the parts beside it."""

    section: int
    place: Span
    kind: BlockKind
    text: str
    held: frozenset[str]
    beside: frozenset[str]
    opens: bool


def supporting_part(
    question: str, evidence: Sequence[Evidence], spans: Sequence[PredictedSpan], like: Likeness
) -> SupportingPart | None:
    """Return the part of the sections that tells best what is asked; None where there is none."""
    parts = parts_of(question, evidence, spans, like)
    if not parts:
        return None
    scorer, least = _shipped()
    scores = scorer.scores([part.features for part in parts])
    shares, any_of_them = scorer.shares(scores)
    best = max(range(len(parts)), key=lambda n: scores[n])
    place = _with_beside(parts, scores, best)
    here = parts[best].section
    own = tuple((part.place, share) for part, share in zip(parts, shares, strict=True) if part.section == here)
    return SupportingPart(here, place, any_of_them, any_of_them >= least, own)


def _with_beside(parts: Sequence[SentencePart], scores: Sequence[float], best: int) -> Span:
    """The best part, with the ones right beside it that tell nearly as much."""
    here = parts[best].place
    near = [p.place for p, s in zip(parts, scores, strict=True)
            if p.section == parts[best].section and s > scores[best] - _NEARLY]  # fmt: skip
    for place in sorted(near, key=lambda one: one.start):
        if 0 <= place.start - here.end <= _GAP and place.end - here.start <= LIMIT:
            here = Span(here.start, place.end)
    for place in sorted(near, key=lambda one: -one.start):
        if 0 <= here.start - place.end <= _GAP and here.end - place.start <= LIMIT:
            here = Span(place.start, here.end)
    return here


def parts_of(
    question: str, evidence: Sequence[Evidence], spans: Sequence[PredictedSpan], like: Likeness
) -> list[SentencePart]:
    """Return the parts that hold most of the asked words, or that the reader points at, with their features."""
    said = [one for number, section in enumerate(evidence) for one in _said(number, section)]
    weights = _weights(asked_words(question), said)
    heads = [frozenset(stems(" ".join(e.path) or e.title)) for e in evidence]
    shares = [
        _share(weights, frozenset().union(heads[n], *(one.held for one in said if one.section == n)))
        for n in range(len(evidence))
    ]
    everything = frozenset().union(*heads, *(one.held for one in said))
    general = _share(weights, everything)

    def features(one: _UnscoredPart) -> tuple[float, ...]:
        own, margin = _share(weights, one.held), _margin(one, spans)
        best = max((s.margin for s in spans if s.section == one.section), default=_LOWEST)
        headed = _share(weights, one.held | heads[one.section]) - own
        near = _share(weights, one.held | heads[one.section] | one.beside) - own - headed
        return (
            margin / _SCALE, 1 / (1 + math.exp(-margin)), max(best, _LOWEST) / _SCALE, 0.0,
            own, headed, near, shares[one.section], general, 1 / (1 + one.section),
            *_cues(question, one), float(len(one.text.split()) < _BRIEF), float(one.opens),
        )  # fmt: skip

    found = [(one, features(one)) for one in said]
    found.sort(key=lambda pair: -(pair[1][4] + pair[1][5] + pair[1][0]))
    found = found[:_LOOKED_AT]
    alike = list(like(question, [one.text for one, _ in found])) or [0.0] * len(found)
    at = FEATURES.index("like")
    return [
        SentencePart(one.section, one.place, (*row[:at], cosine, *row[at + 1 :]))
        for (one, row), cosine in zip(found, alike, strict=True)
    ]


def _said(number: int, section: Evidence) -> Iterator[_UnscoredPart]:
    places = [(block.kind, part) for block in blocks_of(section.text) for part in _whole(block)]
    texts = [section.text[part.start : part.end] for _, part in places]
    held = [frozenset(stems(text)) for text in texts]
    asked = frozenset[str]()
    for n, (kind, place) in enumerate(places):
        if texts[n].rstrip().endswith("?"):
            asked = held[n]  # a question is no answer; it says what the parts behind it tell
            continue
        beside = held[max(0, n - 1)] | held[min(len(held) - 1, n + 1)] | asked
        yield _UnscoredPart(number, place, kind, texts[n], held[n], beside, n == 0)


def _whole(block: TextBlock) -> Sequence[Span]:
    """Code is told as a whole, everything else by its sentences, items or rows."""
    return (block.span,) if block.kind == "code" else block.parts


def _weights(wanted: Sequence[str], said: Sequence[_UnscoredPart]) -> Mapping[str, float]:
    """What each asked word counts: less, the more of the parts hold it."""
    holding = Counter(word for one in said for word in one.held)
    return {word: math.log((len(said) + 1) / (holding[word] + 0.5)) for word in wanted}


def _share(weights: Mapping[str, float], held: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in held) / total if total > 0 else 0.0


def _margin(one: _UnscoredPart, spans: Sequence[PredictedSpan]) -> float:
    own = (s.margin for s in spans if s.section == one.section and s.start < one.place.end and one.place.start < s.end)
    return max(_LOWEST, max(own, default=_LOWEST))


def _cues(question: str, one: _UnscoredPart) -> tuple[float, ...]:
    how = _HOW.search(question) is not None
    return (
        float(_WHY.search(question) is not None and _REASON.search(one.text) is not None),
        float(how and _WAY.search(one.text) is not None),
        float(_IF.search(question) is not None and _WHEN.search(one.text) is not None),
        float(how and one.kind == "list"),
        float(how and one.kind == "code"),
        float(one.kind == "table"),
    )


@cache
def _shipped() -> tuple[SoftmaxScorer, float]:
    """The weights committed beside this module, and the least probability that is told."""
    scorer, read = packaged_weights("telling.yaml", FEATURES)
    return scorer, float(read["least"])
