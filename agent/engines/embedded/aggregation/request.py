"""The tree of a question over many cells: things of a class, tied to names or to other things, of a time, at an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .....cubes.core.dates import PartialDate

__all__ = ["Dates", "Mode", "Period", "Request", "Side", "Superlative", "Target", "Things", "Tie"]

Mode = Literal["count", "list", "most"]
Side = Literal["subject", "value"]
Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation between the things asked for and targets; of several targets one is enough, unless ``every``.

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
    def is_own(self) -> bool:
        """Whether the things' noun is itself the relation: "directors of X", "children of X"."""
        return self.side == "value" and self.words == "of"

    def __str__(self) -> str:
        joined = (" and " if self.every else " or ").join(map(str, self.targets))
        return f"that {self.words.format(joined)}" if "{}" in self.words else f"{self.words} {joined}"


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days, both ends included where given; ``words`` are the question's ("1957", "after 1990")."""

    since: Day | None
    until: Day | None
    words: str

    def holds(self, date: PartialDate) -> bool:
        """Whether a date surely lies within it."""
        return (self.since is None or date.first() >= self.since) and (self.until is None or date.last() <= self.until)


@dataclass(frozen=True, slots=True)
class Dates:
    """Periods of which one is enough, and the relations whose dates count; none leaves it to what the things are."""

    periods: tuple[Period, ...]
    relations: tuple[str, ...]

    def __str__(self) -> str:
        return " or ".join(period.words for period in self.periods)


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a superlative (``words``) goes by: the one of ``relations`` that most things have.

    ``place`` is from 0, or from -1.
    """

    relations: tuple[str, ...]
    place: int
    words: str


@dataclass(frozen=True, slots=True)
class Things:
    """The things called ``noun`` to which all of this applies; of them ``measure`` picks one."""

    noun: str
    plural: str
    adjectives: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    dates: tuple[Dates, ...] = ()
    measure: Superlative | None = None

    def __str__(self) -> str:
        """The things in few words: "people born in Dastra"."""
        return " ".join((*self.adjectives, self.plural, *map(str, (*self.ties, *self.dates))))


Target = str | Things
"""What a tie leads to: a name as the question has it, or things that are found in the same way."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of things; ``is_open`` says that it may be answered in another way where the cells hold nothing."""

    mode: Mode
    things: Things
    is_open: bool

    def __str__(self) -> str:
        words = self.things.measure.words if self.things.measure is not None else ""
        return f"{ {'count': 'counts', 'list': 'lists', 'most': f'finds the {words} of'}[self.mode]} {self.things}"
