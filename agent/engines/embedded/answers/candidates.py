"""The spans that may answer a hop, what speaks for and against each, and the learned choice among them.

A candidate's features are numbers that know neither a data set nor a phrasing. Their weighted sum is its score; the
statement that none of them answers the hop has one, too. A softmax over all of them gives the probability that a text
is the answer: spans with the same words add up, wherever they stand. The weights are data (`scorer.yaml`), fitted by
`multicube.evals.training.scoring`.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from .....cubes.core.folding import base_key, fold, split_qualifier
from .....cubes.core.records import Span
from .....cubes.core.sentences import sentence_around
from .....cubes.retrieval.wording import asked_words
from .....graphs.records import Evidence
from ..plan import QuestionEntity
from .span import PredictedSpan
from .together import Again, compared, spread_of

__all__ = [
    "FEATURES", "Fit", "ScoredSpan", "SoftmaxScorer", "SpanCandidate", "asked_noun", "bare", "best_supported",
    "candidates", "coverage", "named_by", "packaged_scorer", "packaged_weights", "rarity",
]  # fmt: skip

FEATURES = ("margin", "sure", "rank", "cell", "words", "part", "fit", "together")
"""The features, in the order in which a candidate has them: the reader's margin and how far it is above the others',
the section's rank, whether a cell led to it, how many words it has, whether it is part of a span, how well it is what
the noun says, how far it is above the others where the surest sentences are read side by side."""

Fit = Callable[[str], float | None]  # how well a text may be called what the question's noun says; None: it cannot
_SHORT = 60  # characters of a span that is taken apart at its comma
_WORDS = 5
_RUN = re.compile(r"[^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)+")
_ASKED = re.compile(r"\b(?:which|what)((?: [a-z-]+){1,4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpanCandidate:
    """A span of a section with its features, in the order of `FEATURES`."""

    span: PredictedSpan
    features: tuple[float, ...]


def coverage(question: str, held: set[str]) -> float:
    """Return the share of what a question asks about that is among these stems."""
    asked = asked_words(question)
    return sum(word in held for word in asked) / len(asked) if asked else 1.0


def rarity(question: str, texts: Collection[Collection[str]]) -> dict[str, float]:
    """Return what each word that a question asks with weighs: the less, the more of the texts' stems hold it."""
    holding = Counter(word for each in texts for word in each)
    return {word: math.log((len(texts) + 1) / (holding[word] + 0.5)) for word in asked_words(question)}


def asked_noun(subquery: str, known: Callable[[str], bool]) -> str:
    """The noun behind "which" or "what", if it is a known one: "In which coastal state is ...": state."""
    words = (word for found in _ASKED.finditer(subquery) for word in found[1].lower().split())
    return next((word for word in words if known(word)), "")


def candidates(
    subquery: str, spans: Sequence[PredictedSpan], evidence: Sequence[Evidence], again: Again,
    fit: Fit | None = None, *, one_of: bool = False
) -> list[SpanCandidate]:
    """Return the spans, and parts of them, with their features; none that only repeats the question.

    ``again`` reads the surest sentences side by side. The answer is ``one_of`` the names in the question where it says
    so: then a span may repeat one of them.
    """
    asking, repeats = f" {fold(subquery)} ", one_of or " or " in subquery.lower()
    spread = spread_of(span.margin for span in spans)

    def features(span: PredictedSpan, is_part: bool, beside: float) -> tuple[float, ...]:
        return (
            span.margin / 10,
            max(span.margin - spread, -20.0) / 10,
            math.log2(1 + span.section),
            float(evidence[span.section].retriever.startswith("cube")),
            math.log(1 + len(span.text.split())),
            float(is_part),
            (fit(span.text) or 0.0) if fit is not None else 0.0,
            max(beside, -20.0) / 10,
        )

    parts = [
        (one, is_part) for span in spans for one, is_part in _parts(span)
        if (key := fold(one.text)) and (repeats or f" {key} " not in asking)
    ]  # fmt: skip
    beside = compared([(e.heading, e.text) for e in evidence], [span for span, _ in parts], again)
    return [
        SpanCandidate(span, features(span, is_part, by))
        for (span, is_part), by in zip(parts, beside, strict=True)
    ]  # fmt: skip


def _parts(span: PredictedSpan) -> Iterator[tuple[PredictedSpan, bool]]:
    """A span, the names in a long one, and what stands before and behind its last comma.

    "Dastra, Orvenna" is asked for as a town or as its country, "at a table on Pellam Bridge" as a bridge.
    """
    yield span, False
    if len(span.text.split()) > _WORDS:
        for name in _RUN.finditer(span.text):
            start = span.start + name.start()
            yield replace(span, start=start, end=start + len(name[0]), text=name[0]), True
    before, comma, after = span.text.rpartition(", ")
    if comma and after and before and len(span.text) < _SHORT:
        start = span.end - len(after)
        yield replace(span, start=start, text=after), True
        yield replace(span, end=span.start + len(before), text=before), True


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A text's best span, the probability that the text answers the hop, and that any of the texts does."""

    candidate: SpanCandidate
    probability: float
    held: float

    @property
    def text(self) -> str:
        """Its words."""
        return self.candidate.span.text

    @property
    def section(self) -> int:
        """The number of the section that it stands in."""
        return self.candidate.span.section

    def sentence(self, evidence: Sequence[Evidence]) -> Span:
        """Return the sentence that it stands in."""
        span = self.candidate.span
        return sentence_around(evidence[self.section].text, Span(span.start, span.end))


@dataclass(frozen=True, slots=True)
class SoftmaxScorer:
    """The weight of each feature, and the score of "not here"."""

    weights: tuple[float, ...]
    nothing: float

    def scores(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """Return the score of each row of features, in logits."""
        return [sum(weight * value for weight, value in zip(self.weights, row, strict=True)) for row in rows]

    def shares(self, scores: Sequence[float]) -> tuple[list[float], float]:
        """Return the probability of each score, and that any of them is right and not "not here"."""
        top = max([*scores, self.nothing])
        nothing, *raised = (math.exp(score - top) for score in (self.nothing, *scores))
        total = nothing + sum(raised)
        return [one / total for one in raised], 1 - nothing / total

    def ranked(self, found: Sequence[SpanCandidate]) -> list[ScoredSpan]:
        """Return each text once, by its best span, the likeliest first."""
        scores = self.scores([one.features for one in found])
        likely, held = self.shares(scores)
        best, shares = dict[str, SpanCandidate](), defaultdict[str, float](float)
        for n in sorted(range(len(found)), key=lambda n: -scores[n]):
            key = fold(found[n].span.text)
            best.setdefault(key, found[n])
            shares[key] += likely[n]
        order = sorted(best.items(), key=lambda each: (-shares[each[0]], each[1].span.section, each[1].span.start))
        return [ScoredSpan(one, shares[key], held) for key, one in order]


@cache
def packaged_weights(file: str, features: tuple[str, ...]) -> tuple[SoftmaxScorer, Mapping[str, Any]]:
    """Return the weights of a file committed beside this module, and all else that it says."""
    read = yaml.safe_load(files(__package__).joinpath(file).read_text(encoding="utf-8"))
    return SoftmaxScorer(tuple(float(read["weights"][name]) for name in features), float(read["nothing"])), read


def packaged_scorer() -> SoftmaxScorer:
    """Return the weights of a hop's spans."""
    return packaged_weights("scorer.yaml", FEATURES)[0]


# The things that a question names as its possible answers ("Which of them is ..., A or B?") ------------------------


def best_supported(
    items: Sequence[QuestionEntity], found: Sequence[ScoredSpan], evidence: Sequence[Evidence]
) -> tuple[str, ScoredSpan] | None:
    """Return the item that most speaks for: a span speaks for the one that it, its sentence or its section names.

    It comes with the likeliest of its spans, which has the probability of all of them.
    """
    best: dict[str, ScoredSpan] = {}
    for one in found:
        section, place = evidence[one.section], one.sentence(evidence)
        places = (one.text, section.text[place.start : place.end], section.title)
        item = next((item for text in places if (item := named_by(items, text)) is not None), None)
        if item is not None:
            name = bare(item.name, items)
            first = best.get(name, replace(one, probability=0.0))
            best[name] = replace(first, probability=first.probability + one.probability)
    return max(best.items(), key=lambda pair: pair[1].probability, default=None)


def named_by(items: Sequence[QuestionEntity], text: str) -> QuestionEntity | None:
    """The one item that a text names, in full or by a part of its name; None where it names several."""
    said, words = f" {base_key(text)} ", f" {fold(text)} "
    names = {f" {base_key(item.name)} ": item for item in items}
    full = [item for name, item in names.items() if name in words]
    named = full or [item for name, item in names.items() if said.strip() and said in name]
    return named[0] if len(named) == 1 else None


def bare(name: str, items: Sequence[QuestionEntity]) -> str:
    """A name without the brackets that tell it from homonyms, unless one of them is among the items."""
    alike = [base_key(item.name) for item in items].count(base_key(name)) > 1
    return name if alike else split_qualifier(name)[0]
