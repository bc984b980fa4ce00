"""From answers to figures: IRR, AA, AC and H_mix of each arm, with intervals, and what one arm is ahead of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ConfigDict

from ...datasets.dataset import Question
from ...metrics.basic import bootstrap_interval, mean
from ...metrics.rows import answer_accuracy, answer_coverage, information_recall, mixed_entropy, relative_entropy
from .arms import Answered

if TYPE_CHECKING:
    from ....cubes.core.encoding import Encoder

__all__ = ["MEASURES", "IntentsQuestion", "Scores", "ahead", "figures", "score"]

MEASURES = ("irr", "aa", "ac")


class IntentsQuestion(Question):
    """A question with its gold rows: field -> accepted spellings, the first field being the instance."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    rows: tuple[dict[str, tuple[str, ...]], ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields in the order in which the question asks for them."""
        return tuple(self.rows[0])


@dataclass(frozen=True, slots=True)
class Scores:
    """One answer's figures: shares from 0 to 1, entropies in nats and over ln d."""

    irr: float | None
    aa: float | None
    ac: float | None
    entropy: float | None
    relative: float | None
    queries: int


def score(question: IntentsQuestion, answered: Answered, encoder: Encoder) -> Scores:
    """Measure one answer.

    The columns of its table are the fields in the order in which the question asks for them: a column more is one that
    nobody asked for, and counts against AA.
    """
    passages = [f"{e.title} {' '.join(e.path)} {e.text}" for e in answered.sections]
    names = [*question.fields, *(f"column {n}" for n in range(len(answered.columns)))][: len(answered.columns)]
    rows = [dict(zip(names, row, strict=False)) for row in answered.rows]
    vectors = encoder.encode(list(answered.queries)) if answered.queries else None
    return Scores(
        information_recall(question.rows, passages),
        answer_accuracy(rows, question.rows),
        answer_coverage(rows, question.rows),
        mixed_entropy(vectors) if vectors is not None else None,
        relative_entropy(vectors) if vectors is not None else None,
        len(answered.queries),
    )


def figures(scores: Sequence[Scores], kinds: Sequence[str], *, seed: int = 0) -> dict[str, Any]:
    """Return an arm's figures over all questions, in per cent, with 95 % intervals, and by kind of question."""
    return {
        **{name: _figure([getattr(one, name) for one in scores], seed) for name in MEASURES},
        "entropy": mean(one.entropy for one in scores),
        "relative": mean(one.relative for one in scores),
        "queries": mean(float(one.queries) for one in scores),
        "by_kind": {
            kind: {name: _mean(getattr(s, name) for s, k in zip(scores, kinds, strict=True) if k == kind)
                   for name in MEASURES}
            for kind in dict.fromkeys(kinds)
        },
    }


def ahead(ours: Sequence[Scores], theirs: Sequence[Scores], *, seed: int = 0) -> dict[str, Any]:
    """Return by how many points one arm is ahead of another on the same questions, with 95 % intervals."""
    found = {}
    for name in MEASURES:
        pairs = [(getattr(a, name), getattr(b, name)) for a, b in zip(ours, theirs, strict=True)]
        found[name] = _figure([a - b if a is not None and b is not None else None for a, b in pairs], seed)
    return found


def _figure(values: Sequence[float | None], seed: int) -> Mapping[str, Any]:
    interval = bootstrap_interval(values, seed=seed)
    return {"mean": _mean(values), "ci95": None if interval is None else [round(100 * bound, 2) for bound in interval]}


def _mean(values: Iterable[float | None]) -> float | None:
    found = mean(values)
    return None if found is None else round(100 * found, 2)
