"""The tree of a question over many cells: things tied to names, to a thing to be found first, or to other things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .....cubes.core.dates import PartialDate
from ..plan import RelationStep

__all__ = [
    "AggregationQuery",
    "Constraint",
    "DateRange",
    "Mode",
    "NamedTarget",
    "NestedTarget",
    "Side",
    "Superlative",
    "Target",
]

Mode = Literal["count", "list", "most"]
Side = Literal["subject", "value"]
Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class NamedTarget:
    """A thing by its name, as the question has it."""

    text: str


@dataclass(frozen=True, slots=True)
class NestedTarget:
    """One thing that is to be found first ("the director of X"): its words in the question, and how it is found."""

    text: str
    step: RelationStep


@dataclass(frozen=True, slots=True)
class Constraint:
    """A relation between the things asked for and a target; of several targets one is enough, unless ``every``.

    ``side`` says what the things asked for are in the facts: "subject" of "films directed by X", "value" of
    "children of X". Of ``relations`` any will do. ``words`` are the question's, with ``{}`` in front
    where the target comes first ("X wrote").
    """

    relations: tuple[str, ...]
    side: Side
    targets: tuple[Target, ...]
    words: str
    every: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The targets that are named."""
        return tuple(target.text for target in self.targets if isinstance(target, NamedTarget))


@dataclass(frozen=True, slots=True)
class DateRange:
    """A stretch of days, both ends included where given; ``words`` are the question's ("1957", "after 1990")."""

    since: Day | None
    until: Day | None
    words: str

    def holds(self, date: PartialDate) -> bool:
        """Whether a date surely lies within it."""
        return (self.since is None or date.first() >= self.since) and (self.until is None or date.last() <= self.until)


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a superlative (``words``) goes by: the one of ``relations`` that most things have.

    ``place`` is from 0, or from -1.
    """

    relations: tuple[str, ...]
    place: int
    words: str


@dataclass(frozen=True, slots=True)
class AggregationQuery:
    """The things called ``noun`` that meet every tie and adjective and lie in one of the periods.

    ``dated`` are the relations whose dates count for the periods; none leaves it to what the things are. ``open`` says
    that the question may be answered in another way where the cells hold nothing.
    """

    mode: Mode
    noun: str
    plural: str
    adjectives: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    periods: tuple[DateRange, ...] = ()
    dated: tuple[str, ...] = ()
    measure: Superlative | None = None
    open: bool = False

    def nested(self) -> Iterator[NestedTarget]:
        """Yield what is to be found first, in the question's order."""
        for target in (target for constraint in self.constraints for target in constraint.targets):
            if isinstance(target, NestedTarget):
                yield target
            elif isinstance(target, AggregationQuery):
                yield from target.nested()


Target = NamedTarget | NestedTarget | AggregationQuery
