"""The tree of a question over many cells: things of a class, what each of them is tied to, and which one is picked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .....cubes.core.dates import PartialDate

__all__ = ["Period", "Superlative", "Target", "Things", "Tie"]

Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days, both ends included where given; ``words`` are the question's ("1957", "after 1990")."""

    since: Day | None
    until: Day | None
    words: str

    def holds(self, date: PartialDate) -> bool:
        """Whether a date surely lies within it."""
        return (self.since is None or date.first() >= self.since) and (self.until is None or date.last() <= self.until)

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation between the things asked for and targets; of several targets one is enough, unless ``every``.

    The things are the subjects of its facts ("films directed by X") or their values ("children of X"). Of
    ``relations`` any will do. ``words`` are the question's, with ``{}`` for the targets.
    """

    relations: tuple[str, ...]
    side: Literal["subject", "value"]
    targets: tuple[Target, ...]
    words: str = "{}"
    every: bool = False

    def __str__(self) -> str:
        return self.words.format((" and " if self.every else " or ").join(map(str, self.targets)))


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a superlative (``words``) goes by: the one of ``relations`` that most things have; ``place`` counts from 0
    or from -1."""

    relations: tuple[str, ...]
    place: int
    words: str


@dataclass(frozen=True, slots=True)
class Things:
    """The things called ``noun`` to which all of this applies; ``measure`` picks one of them, and ``counts`` asks how
    many they are. ``is_open`` says that they may be found in another way where the cells hold nothing."""

    noun: str
    plural: str
    adjectives: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    measure: Superlative | None = None
    counts: bool = False
    is_open: bool = False

    def __str__(self) -> str:
        return " ".join((*self.adjectives, self.plural, *map(str, self.ties)))


Target = str | Period | Things
"""What a tie leads to: a name as the question has it, a time, or things that are found in the same way."""
