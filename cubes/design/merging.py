"""Classes with near-equal schemas become one, and what few documents show is dropped; each with the reason.

How near two classes are: the mean of how alike their names are and of how much of their schemas they share. Two
dimensions are one when role and kind fit and their names or phrases say the same; the share is that of the dimensions
in common, of all dimensions and two more, so that a few dimensions that any class has prove nothing. How alike names
are is the larger of what embeddings and what letters show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.fuzz import ratio

from ..core.encoding import Encoder
from ..core.folding import fold
from .proposal import CandidateClass, CandidateDimension, Decision

__all__ = [
    "MERGE_AT",
    "RARE_CLASS",
    "SALIENCE",
    "ClassSimilarity",
    "WordSimilarity",
    "drop_classes",
    "drop_dimensions",
    "merge_classes",
    "merge_dimensions",
]

MERGE_AT = 0.58
"""Classes this near are merged."""
SAME_NAME = 0.75
"""Names of dimensions this like mean one dimension."""
SALIENCE = 0.05
"""A dimension is kept if at least this share of its class's documents shows it (eq. 4's "high-salience")."""
RARE_CLASS = 0.02
"""A class is kept if at least this share of the documents is about one of its members."""
_UNPROVEN = 2


@dataclass(frozen=True, slots=True)
class ClassSimilarity:
    """How near two classes are, by their names and by their dimensions."""

    names: float
    dimensions: float

    @property
    def total(self) -> float:
        """Both together."""
        return (self.names + self.dimensions) / 2

    def __str__(self) -> str:
        """Render as the reason of a merger shows it."""
        return f"names {self.names:.2f}, dimensions {self.dimensions:.2f}, together {self.total:.2f}"


class WordSimilarity:
    """How much two words say the same; embeddings are made once for each."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, object] = {}

    def learn(self, names: Sequence[str]) -> None:
        """Embed names together, which is faster than one by one."""
        new = sorted({name for name in names if name and name not in self._known})
        if new:
            self._known.update(zip(new, self._encoder.encode(new), strict=True))

    def of(self, left: str, right: str) -> float:
        """Return the likeness of two names, from 0 to 1."""
        if fold(left) == fold(right):
            return 1.0
        self.learn([left, right])
        cosine = float(self._known[left] @ self._known[right])  # type: ignore[operator]
        return max(0.0, cosine, ratio(fold(left), fold(right)) / 100)

    def classes(self, left: CandidateClass, right: CandidateClass) -> ClassSimilarity:
        """Return how near two classes are."""
        return ClassSimilarity(self.of(left.name, right.name), self._overlap(left.dimensions, right.dimensions))

    def same(self, left: CandidateDimension, right: CandidateDimension) -> bool:
        """Whether two dimensions are one: of one role, kind and target, with a phrase or a name that says the same."""
        if left.role != right.role or (left.kind != right.kind and "name" not in (left.kind, right.kind)):
            return False
        if left.target != right.target and self.of(left.target, right.target) < SAME_NAME:
            return False
        return bool(set(left.phrases) & set(right.phrases)) or self.of(left.name, right.name) >= SAME_NAME

    def _overlap(self, left: Sequence[CandidateDimension], right: Sequence[CandidateDimension]) -> float:
        taken: set[int] = set()
        for one in left:
            match = next((n for n, other in enumerate(right) if n not in taken and self.same(one, other)), None)
            if match is not None:
                taken.add(match)
        return len(taken) / (len(left) + len(right) - len(taken) + _UNPROVEN)


def merge_dimensions(idea: CandidateClass, likeness: WordSimilarity) -> list[Decision]:
    """Make one of a class's dimensions that mean the same."""
    kept: list[CandidateDimension] = []
    decisions = []
    for dimension in idea.dimensions:
        same = next((one for one in kept if likeness.same(one, dimension)), None)
        if same is None:
            kept.append(dimension)
            continue
        if fold(same.name) != fold(dimension.name):
            reason = f"the same as {same.name} (likeness {likeness.of(same.name, dimension.name):.2f})"
            decisions.append(Decision(what=f"{idea.name}/{dimension.name}", action="merged", reason=reason))
        same.take(dimension)
    idea.dimensions = kept
    return decisions


def merge_classes(
    classes: Sequence[CandidateClass], likeness: WordSimilarity, at: float = MERGE_AT
) -> tuple[list[CandidateClass], list[Decision]]:
    """Merge the nearest two classes until none are as near as ``at``; the larger gives the name."""
    left = sorted(classes, key=lambda idea: (-len(idea.documents), idea.name))
    likeness.learn([name for idea in left for name in (idea.name, *(d.name for d in idea.dimensions))])
    decisions = [decision for idea in left for decision in merge_dimensions(idea, likeness)]
    near = {pair: likeness.classes(left[pair[0]], left[pair[1]]) for pair in _pairs(len(left))}
    gone: set[int] = set()
    while near:
        (one, other), nearness = max(near.items(), key=lambda item: (_score(left, item), -item[0][0], -item[0][1]))
        if _score(left, ((one, other), nearness)) < at:
            break
        decisions.append(_merger(left[one], left[other], nearness))
        decisions += _absorb(left[one], left[other], likeness)
        gone.add(other)
        near = {pair: value for pair, value in near.items() if other not in pair}
        for pair in [pair for pair in near if one in pair]:
            near[pair] = likeness.classes(left[pair[0]], left[pair[1]])
    return [idea for number, idea in enumerate(left) if number not in gone], decisions


def drop_classes(
    classes: Sequence[CandidateClass], documents: int, rare: float = RARE_CLASS
) -> tuple[list[CandidateClass], list[Decision]]:
    """Drop classes that too few documents are about, but never the largest, and classes that nothing shows."""
    kept, decisions = [], []
    largest = max((len(idea.documents) for idea in classes), default=0)
    for idea in classes:
        share = len(idea.documents) / max(1, documents)
        if not idea.documents:
            reason = "nothing in the documents shows it"
        elif share < rare and len(idea.documents) < largest:
            reason = f"{len(idea.documents)} of {documents} documents are about one ({share:.1%}, under {rare:.0%})"
        else:
            kept.append(idea)
            continue
        decisions.append(Decision(what=idea.name, action="dropped", reason=reason))
    return kept, decisions


def drop_dimensions(idea: CandidateClass, salience: float = SALIENCE) -> list[Decision]:
    """Drop dimensions of a class that too few of its documents show, or nothing does."""
    decisions = []
    for dimension in idea.dimensions:
        if not dimension.quotes:
            reason = "nothing in the documents shows it"
        elif idea.share(dimension) < salience:
            shown = f"{len(dimension.documents)} of {len(idea.documents)} documents"
            reason = f"low salience: {shown} show it ({idea.share(dimension):.1%}, under {salience:.0%})"
        else:
            continue
        decisions.append(Decision(what=f"{idea.name}/{dimension.name}", action="dropped", reason=reason))
        dimension.state = "dropped"
    idea.dimensions = [dimension for dimension in idea.dimensions if dimension.state != "dropped"]
    return decisions


def _score(classes: Sequence[CandidateClass], item: tuple[tuple[int, int], ClassSimilarity]) -> float:
    """Classes of one name are one class, whatever their dimensions."""
    (one, other), nearness = item
    return 1.0 if fold(classes[one].name) == fold(classes[other].name) else nearness.total


def _merger(one: CandidateClass, other: CandidateClass, nearness: ClassSimilarity) -> Decision:
    equal = fold(one.name) == fold(other.name)
    reason = "proposed more than once" if equal else f"its schema is near that of {one.name} ({nearness})"
    return Decision(what=other.name, action="merged", reason=reason)


def _absorb(one: CandidateClass, other: CandidateClass, likeness: WordSimilarity) -> list[Decision]:
    one.take(other)
    return merge_dimensions(one, likeness)


def _pairs(count: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(count) for other in range(one + 1, count)]
