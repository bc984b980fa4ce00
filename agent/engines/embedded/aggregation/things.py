"""Things found in cells, each once however often and by whatever name it is told of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .....cubes.core.folding import base_key, fold
from .....cubes.core.records import Fact

__all__ = ["Found", "Thing", "merged", "shared"]


@dataclass(slots=True)
class Thing:
    """One thing: its label, and the facts that it rests on; ``homes`` says that the corpus has a section about it."""

    key: str
    label: str
    grounds: list[Fact]
    homes: bool = False

    def takes(self, facts: Iterable[Fact]) -> None:
        """Rest on further facts as well."""
        self.grounds += [fact for fact in facts if fact not in self.grounds]

    def is_part(self, other: Thing) -> bool:
        """Whether its name is the bare name of another, or part of another person's name."""
        persons = all("person" in (thing.grounds[0].kind, thing.grounds[0].cube) for thing in (self, other))
        part = persons and set(fold(self.label).split()) < set(fold(other.label).split())
        return part or base_key(self.label) == base_key(other.label)

    @property
    def facts(self) -> list[Fact]:
        """What it rests on, said in a section of its own before others."""
        return sorted(self.grounds, key=lambda fact: base_key(fact.subject) != base_key(self.label))


Found = dict[str, Thing]
"""Things by key, in the order in which they were found."""


def merged(things: Iterable[Thing]) -> Found:
    """Put the tellings of each thing together; those with a section of their own take in the others."""
    found: Found = {}
    by_word: defaultdict[str, list[Thing]] = defaultdict(list)
    for thing in sorted(things, key=lambda one: not one.homes):
        words = fold(thing.label).split()
        near = by_word[words[0]] if words and not thing.homes else []
        same = found.get(thing.key) or next((kept for kept in near if thing.is_part(kept)), None)
        if same is not None:
            same.takes(thing.grounds)
            continue
        found[thing.key] = thing
        for word in words:
            by_word[word].append(thing)
    return found


def shared(left: Found, right: Found) -> Found:
    """What is in both, with what it rests on in either."""
    kept = {key: replace(left[key], grounds=[*left[key].grounds]) for key in left if key in right}
    for key, thing in kept.items():
        thing.takes(right[key].grounds)
    return kept
