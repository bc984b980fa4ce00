"""Things found in cells, each once however often and by whatever name it is told of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ....cubes.folding import base_key, fold
from ....cubes.records import Fact

__all__ = ["Thing", "Things"]


@dataclass(slots=True)
class Thing:
    """One thing: its label, the facts that it rests on, and by which of the request's values it was found.

    ``homes`` says that the corpus has a section about it; ``measured`` is what a superlative goes by.
    """

    key: str
    label: str
    grounds: list[Fact] = field(default_factory=list)
    found_by: set[str] = field(default_factory=set)
    homes: bool = False
    measured: str = ""


class Things:
    """Things by key, in the order in which they were found."""

    def __init__(self) -> None:
        self._held: dict[str, Thing] = {}

    def __iter__(self) -> Iterator[Thing]:
        return iter(self._held.values())

    def __len__(self) -> int:
        return len(self._held)

    def add(self, key: str, label: str, fact: Fact, found_by: str, homes: bool = False) -> None:
        """Add a thing with a fact that tells of it, or the fact to the thing."""
        thing = self._held.setdefault(key, Thing(key, label))
        thing.grounds.append(fact)
        thing.found_by.add(found_by)
        thing.homes = thing.homes or homes

    def put(self, thing: Thing) -> None:
        """Add a thing as it is."""
        self._held[thing.key] = thing

    def either(self, other: Things) -> Things:
        """Everything of both."""
        return self.united([self, other])

    @classmethod
    def united(cls, found: Iterable[Things]) -> Things:
        """Everything of all of them."""
        merged = cls()
        for thing in (thing for each in found for thing in each):
            merged._merge(thing)
        return merged.settled()

    def both(self, other: Things) -> Things:
        """What is in both; a name without its brackets is the one thing that has them."""
        mine, theirs = self._aliases(other), other._aliases(self)
        keys = [key for key in self._held if mine.get(key, key) in other._held or key in theirs.values()]
        renamed = Things()
        for thing in other:
            renamed.put(_as(thing, theirs.get(thing.key, thing.key)))
        return self._merged(renamed, [key for key in keys if key in renamed._held])

    def _aliases(self, other: Things) -> dict[str, str]:
        """My keys that are the other's under the only name with brackets."""
        by_base: dict[str, list[str]] = {}
        for thing in other:
            by_base.setdefault(base_key(thing.label), []).append(thing.key)
        return {
            thing.key: found[0] for thing in self
            if thing.key not in other._held and len(found := by_base.get(base_key(thing.label), [])) == 1
        }

    def _merged(self, other: Things, keys: list[str]) -> Things:
        merged = Things()
        for key in keys:
            for each in filter(None, (self._held.get(key), other._held.get(key))):
                merged._merge(each)
        return merged

    def _merge(self, other: Thing) -> None:
        """Add a thing's grounds to the one of its key, which stays what it is elsewhere."""
        thing = self._held.setdefault(other.key, Thing(other.key, other.label))
        thing.grounds += [fact for fact in other.grounds if fact not in thing.grounds]
        thing.found_by |= other.found_by
        thing.homes = thing.homes or other.homes

    def settled(self) -> Things:
        """Each thing once: a bare name is the one thing of that name, part of a person's name is the person."""
        settled, called = Things(), _Called()
        for thing in sorted(self, key=lambda one: not one.homes):
            same = None if thing.homes else called.same(thing)
            if same is None:
                settled.put(thing)
                called.add(thing)
            else:
                same.grounds += thing.grounds
                same.found_by |= thing.found_by
        return settled


class _Called:
    """Things by their names and by the words of these, so that many are not compared one by one."""

    def __init__(self) -> None:
        self._things: list[Thing] = []
        self._by_base: dict[str, int] = {}
        self._by_word: dict[str, list[int]] = {}

    def add(self, thing: Thing) -> None:
        number = len(self._things)
        self._things.append(thing)
        self._by_base.setdefault(base_key(thing.label), number)
        for word in set(fold(thing.label).split()) if thing.homes else ():
            self._by_word.setdefault(word, []).append(number)

    def same(self, thing: Thing) -> Thing | None:
        """The first that a thing without a section of its own is; None where it is another one than all of them."""
        holding = (self._by_word.get(word, ()) for word in fold(thing.label).split())
        rarest = min(holding, key=len, default=range(len(self._things)))  # of a name without letters all
        named = self._by_base.get(base_key(thing.label))
        numbers = sorted({*rarest, *(() if named is None else (named,))})
        return next((kept for n in numbers if _is_same(thing, kept := self._things[n])), None)


def _as(thing: Thing, key: str) -> Thing:
    return Thing(key, thing.label, thing.grounds, thing.found_by, thing.homes)


def _is_same(thing: Thing, kept: Thing) -> bool:
    """Whether a thing without a section of its own is one that was found already."""
    if base_key(thing.label) == base_key(kept.label):
        return True
    persons = all(f.kind == "person" or f.cube == "person" for f in (thing.grounds[0], kept.grounds[0]))
    return persons and kept.homes and set(fold(thing.label).split()) < set(fold(kept.label).split())
