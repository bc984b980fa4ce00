"""Things found in cells, each once however often and by whatever name it is told of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ....cubes.folding import base_key, fold
from ....cubes.records import Fact

__all__ = ["Thing", "Things"]


@dataclass(slots=True)
class Thing:
    """One thing: its label, the facts that it rests on, and by which of the request's values it was found.

    ``homes`` says that the corpus has a section about it.
    """

    key: str
    label: str
    grounds: list[Fact] = field(default_factory=list)
    found_by: set[str] = field(default_factory=set)
    homes: bool = False

    def takes(self, other: Thing) -> None:
        """Take over what another telling of the same thing rests on."""
        self.grounds += [fact for fact in other.grounds if fact not in self.grounds]
        self.found_by |= other.found_by
        self.homes = self.homes or other.homes


class Things:
    """Things by key, in the order in which they were found."""

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        self._held: dict[str, Thing] = {}
        for thing in things:
            self.put(thing)

    def __iter__(self) -> Iterator[Thing]:
        return iter(self._held.values())

    def __len__(self) -> int:
        return len(self._held)

    def put(self, thing: Thing) -> None:
        """Add a thing, or what tells of it where it is there already."""
        held = self._held.setdefault(thing.key, Thing(thing.key, thing.label))
        held.takes(thing)

    @classmethod
    def united(cls, found: Iterable[Things]) -> Things:
        """Everything of all of them."""
        return cls(thing for each in found for thing in each).settled()

    def both(self, other: Things) -> Things:
        """What is in both; a name without its brackets is the one thing that has them."""
        mine, theirs = _by_base(self), _by_base(other)
        shared = Things()
        for base, held in mine.items():
            others = theirs.get(base, [])
            for thing in held:
                same = [one for one in others if one.key == thing.key]
                same = same or (others if len(others) == len(held) == 1 else [])
                for one in same:
                    kept = thing if thing.homes or not one.homes else one
                    shared.put(Thing(kept.key, kept.label, [*thing.grounds], thing.found_by | one.found_by, kept.homes))
                    shared.put(Thing(kept.key, kept.label, one.grounds))
        return shared

    def settled(self) -> Things:
        """Each thing once: a bare name is the one thing of that name, part of a person's name is the person."""
        settled: dict[str, Thing] = {}
        by_base: dict[str, Thing] = {}
        by_word: dict[str, list[Thing]] = defaultdict(list)
        for thing in sorted(self, key=lambda one: not one.homes):
            words = set(fold(thing.label).split())
            near = min((by_word[word] for word in words), key=len, default=[])
            parts = (kept for kept in near if _is_part(thing, kept))
            same = None if thing.homes else by_base.get(base_key(thing.label)) or next(parts, None)
            if same is not None:
                same.takes(thing)
                continue
            settled[thing.key] = thing
            by_base.setdefault(base_key(thing.label), thing)
            for word in words if thing.homes else ():
                by_word[word].append(thing)
        return Things(settled.values())


def _by_base(things: Iterable[Thing]) -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        found[base_key(thing.label)].append(thing)
    return found


def _is_part(thing: Thing, kept: Thing) -> bool:
    """Whether a person's name is part of another's."""
    persons = all("person" in (fact.kind, fact.cube) for fact in (thing.grounds[0], kept.grounds[0]))
    return persons and set(fold(thing.label).split()) < set(fold(kept.label).split())
