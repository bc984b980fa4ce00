"""Things found in cells, each once however often and by whatever name it is told of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact

__all__ = ["FoundEntities", "FoundEntity"]


@dataclass(slots=True)
class FoundEntity:
    """One thing: its label, the facts that it rests on, and by which of the request's values it was found.

    ``homes`` says that the corpus has a section about it.
    """

    key: str
    label: str
    grounds: list[Fact] = field(default_factory=list)
    found_by: set[str] = field(default_factory=set)
    homes: bool = False

    def takes(self, other: FoundEntity) -> None:
        """Take over what another telling of the same thing rests on."""
        self.grounds += [fact for fact in other.grounds if fact not in self.grounds]
        self.found_by |= other.found_by
        self.homes = self.homes or other.homes

    @property
    def first(self) -> list[Fact]:
        """Its facts: the first that ties it, preferably said in a section of its own, then the others."""
        own = [f for f in self.grounds if base_key(f.subject) == base_key(self.label)]
        first = own[:1] or self.grounds[:1]
        return [*first, *(f for f in self.grounds if f not in first)]


class FoundEntities(dict[str, FoundEntity]):
    """Things by key, in the order in which they were found."""

    @classmethod
    def of(cls, things: Iterable[FoundEntity]) -> FoundEntities:
        """Each thing once: a bare name is the one thing of that name, part of a person's name is the person."""
        held, settled = cls(), cls()
        for thing in things:
            held.setdefault(thing.key, FoundEntity(thing.key, thing.label)).takes(thing)
        by_base: dict[str, FoundEntity] = {}
        by_word: defaultdict[str, list[FoundEntity]] = defaultdict(list)
        for thing in sorted(held.values(), key=lambda one: not one.homes):
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
        return settled

    def both(self, other: FoundEntities) -> FoundEntities:
        """What is in both, with what it rests on in either."""
        shared = FoundEntities()
        for key in (key for key in self if key in other):
            shared[key] = replace(self[key], grounds=[*self[key].grounds], found_by=set(self[key].found_by))
            shared[key].takes(other[key])
        return shared


def _is_part(thing: FoundEntity, kept: FoundEntity) -> bool:
    """Whether a person's name is part of another's."""
    persons = all("person" in (fact.kind, fact.cube) for fact in (thing.grounds[0], kept.grounds[0]))
    return persons and set(fold(thing.label).split()) < set(fold(kept.label).split())
