"""Who is in which hidden group: cohorts that share so many of them, and others who share them by ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from .names import Namer, Pronouns

__all__ = ["KINDS", "MOST", "Cohort", "Person", "Planted", "plant"]

KINDS = ("teacher", "school", "town", "prize", "company")
"""The perspectives: what people are grouped by, each independent of the others."""
MOST = 4
"""Questions need from one perspective to so many."""
_EACH = 5  # questions of one form that need so many perspectives
_GROUPS = 8
_COHORT = 4
_STATED = 0.6
_LONERS = 40


@dataclass
class Person:
    """Somebody, and what is told of them: ``groups`` by kind; a kind that is not in it is not stated anywhere."""

    name: str
    pronouns: Pronouns
    groups: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cohort:
    """People who share ``shared`` (kind and value); ``known_by`` is what the question names them by, if by no names."""

    members: tuple[Person, ...]
    shared: tuple[tuple[str, str], ...]
    known_by: tuple[str, str] | None = None


@dataclass(frozen=True)
class Planted:
    """Everybody, the cohorts that are asked about, and single people in one to `MOST` groups."""

    people: tuple[Person, ...]
    named: tuple[Cohort, ...]
    described: tuple[Cohort, ...]
    single: tuple[Person, ...]

    def group(self, kind: str, value: str) -> list[Person]:
        """Return all who are in a group."""
        return [person for person in self.people if person.groups.get(kind) == value]


class _Planter:
    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.namer = Namer(self.rng)
        self.values = {kind: [self.namer.value(kind) for _ in range(_GROUPS)] for kind in KINDS}
        self._decks: dict[str, list[str]] = {kind: [] for kind in KINDS}
        self.people: list[Person] = []

    def person(self) -> Person:
        name, pronouns = self.namer.person()
        self.people.append(Person(name, pronouns))
        return self.people[-1]

    def dealt(self, kind: str) -> str:
        """The next group of a kind: all come up equally often, so that kinds stay independent."""
        if not self._decks[kind]:
            self._decks[kind] = self.rng.sample(self.values[kind], _GROUPS)
        return self._decks[kind].pop()

    def cohort(self, count: int, *, described: bool) -> Cohort:
        """Make people who share ``count`` groups and nothing else: in the other kinds they differ, or nothing is said.

        Of one who is asked about by name one shared group is not stated, where there are several.
        """
        members = tuple(self.person() for _ in range(_COHORT))
        kinds = self.rng.sample(KINDS, count + described)
        known_by = (kinds[-1], self.namer.value(kinds[-1])) if described else None
        shared = tuple((kind, self.dealt(kind)) for kind in kinds[:count])
        for kind, value in (*shared, *((known_by,) if known_by else ())):
            for member in members:
                member.groups[kind] = value
        if not described and count > 1:
            del members[-1].groups[self.rng.choice(shared)[0]]
        for kind in KINDS:
            if kind not in kinds:
                for member, value in zip(members, self.rng.sample(self.values[kind], _COHORT), strict=True):
                    if self.rng.random() < _STATED:
                        member.groups[kind] = value
        return Cohort(members, shared, known_by)

    def single(self, count: int) -> Person:
        """Make somebody in ``count`` groups; in another kind they are alone, or nothing is said."""
        person = self.person()
        for place, kind in enumerate(self.rng.sample(KINDS, len(KINDS))):
            if place < count:
                person.groups[kind] = self.dealt(kind)
            elif self.rng.random() < _STATED:
                person.groups[kind] = self.namer.value(kind)
        return person


def plant(seed: int) -> Planted:
    """Plant the groups; the same for the same seed."""
    planter = _Planter(seed)
    counts: Sequence[int] = [count for count in range(1, MOST + 1) for _ in range(_EACH)]
    named = tuple(planter.cohort(count, described=False) for count in counts)
    described = tuple(planter.cohort(count, described=True) for count in counts)
    single = tuple(planter.single(count) for count in counts)
    for _ in range(_LONERS):
        planter.single(planter.rng.randint(1, MOST))
    planter.rng.shuffle(planter.people)
    return Planted(tuple(planter.people), named, described, single)
