"""What the benchmark's corpus says: topics with their instances, each fact in a section of its own, and distractors."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .naming import Names

__all__ = ["DOMAINS", "FAR", "Instance", "Passage", "Topic", "World"]

DOMAINS = ("drugs", "genes", "rivers")
FAR = 0.2
"""The share of facts that are worded without the question's words, where none is given."""
TIED = 0.97
"""The share of an instance's other sections that name what the question names."""
OTHER_NAME = 0.3
"""The share of instances with another name, by which one of their sections calls them alone."""
_UNITS = ("km", "kilometres")


@dataclass(frozen=True, slots=True)
class Passage:
    """One record of the corpus."""

    id: str
    title: str
    text: str


@dataclass(slots=True)
class Instance:
    """One answer instance: its names and the value of each of its fields, each in every accepted spelling."""

    name: str
    other: str
    values: Mapping[str, list[str]]
    passages: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question names, and its instances."""

    domain: str
    name: str
    instances: tuple[Instance, ...]


class World:
    """Writes the sections of all topics; a seed gives the same ones.

    ``far`` is the share of facts that are worded without the question's words: the more, the harder.
    """

    def __init__(self, seed: int, far: float = FAR) -> None:
        self._rng, self._far = random.Random(f"intents {seed}"), far
        self._names = Names(self._rng)
        self.passages: list[Passage] = []
        self._countries = [self._names.country() for _ in range(60)]
        self._towns = [self._names.town() for _ in range(60)]

    def topic(self, domain: str) -> Topic:
        """Make a topic with two to four instances, and everything that is said of it."""
        name = {"drugs": self._names.illness, "genes": self._names.gene, "rivers": self._names.range}[domain]()
        number = self._rng.choice((2, 2, 3, 3)) if domain != "genes" else self._rng.choice((2, 3, 3, 4))
        made = Topic(domain, name, tuple(self._instance(domain) for _ in range(number)))
        for instance in made.instances:
            self._tell(made, instance)
        told = wordings()[domain]
        for title, text in (*told["topic"], *self._rng.sample(told["beside"], 1)):
            self._write(domain, title, [text], topic=name, person=self._names.person())
        return made

    def fail(self, topics: Sequence[Topic]) -> None:
        """Say of each topic that instances of others are none of its own."""
        for topic in topics:
            strangers = [i for t in topics if t.domain == topic.domain and t is not topic for i in t.instances]
            for stranger in self._rng.sample(strangers, 1):
                said = self._rng.choice(wordings()[topic.domain]["failed"])
                about = self._rng.sample(wordings()[topic.domain]["about"], 1)
                title = self._rng.choice(("{x}: a correction", "Notes on {topic}", "{x} and {topic}"))
                self._write(topic.domain, title, [said, *about], topic=topic.name, x=stranger.name)

    def question(self, topic: Topic, place: int) -> dict[str, Any]:
        """Return a topic's question as a line of ``questions.jsonl``: a row for each instance."""
        asked = wordings()[topic.domain]["questions"]
        one = asked[place % len(asked)]
        rows = [{name: each.values[name] for name in one["fields"]} for each in topic.instances]
        return {
            "id": f"{topic.domain}-{place + 1:02d}",
            "question": one["text"].format(topic=topic.name),
            "answers": ["; ".join(row[one["fields"][0]][0] for row in rows)],
            "type": topic.domain,
            "rows": rows,
            "supporting": [id for each in topic.instances for id in each.passages],
        }

    def _instance(self, domain: str) -> Instance:
        names = self._names
        if domain == "drugs":
            name, other, molecule, effect = names.drug(), names.drug(), names.molecule(), names.effect()
            values = {"active molecule": _spellings(molecule, molecule.split()[0]), "side effect": [effect]}
        elif domain == "genes":
            name, other = names.mutation()
            values = {"disease": [names.illness()]}
        else:
            name, other, country = names.river(), names.river(), self._rng.choice(self._countries)
            length = self._rng.randint(31, 990)
            lengths = [f"{length} {unit}" for unit in self._rng.sample(_UNITS, len(_UNITS))]
            values = {"country": [country], "length": lengths}
        other = other if self._rng.random() < OTHER_NAME else ""
        own = [each for each in (name, other) if each]
        return Instance(name, other, {wordings()[domain]["fields"][0]: own, **values})

    def _tell(self, topic: Topic, instance: Instance) -> None:
        """Write an instance's sections: that it is one, and each of its values, in another section each."""
        told, renamed = wordings()[topic.domain], self._rng.choice(list(wordings()[topic.domain]["aspects"]))
        named = [told["named"]] if instance.other else []
        lines = [self._wording(told["instance"]), *named, *self._rng.sample(told["about"], 2)]
        whole = {"topic": topic.name, "x": instance.name, "other": instance.other}
        instance.passages.append(self._write(topic.domain, self._rng.choice(told["titles"]), lines, **whole))
        for aspect, said in told["aspects"].items():
            called = instance.other if instance.other and aspect == renamed else instance.name
            lines = [self._wording(said), *self._rng.sample(told["about"], 1)]
            if self._rng.random() < TIED:
                lines.insert(self._rng.choice((1, 2)), self._rng.choice(told["tied"]))
            given = {**whole, "x": called, "value": instance.values[aspect][0]}
            instance.passages.append(self._write(topic.domain, self._rng.choice(said["titles"]), lines, **given))

    def _wording(self, said: Mapping[str, Sequence[str]]) -> str:
        return self._rng.choice(said["far" if self._rng.random() < self._far else "near"])

    def _write(self, domain: str, title: str, lines: Sequence[str], **given: str) -> str:
        drawn = {
            "person": self._names.person(),
            "town": self._rng.choice(self._towns),
            "year": str(self._rng.randint(1890, 2020)),
            "number": str(self._rng.randint(12, 980)),
            "small": str(self._rng.randint(2, 22)),
        }
        words = {**drawn, **given}
        text = _sentences(" ".join(lines).format(**words))
        id = f"{domain}-{len(self.passages):04d}"
        self.passages.append(Passage(id, _title(title.format(**words)), text))
        return id

    def shuffled(self) -> Iterator[Passage]:
        """Yield all sections in an order that says nothing."""
        yield from self._rng.sample(self.passages, len(self.passages))


@cache
def wordings() -> Mapping[str, Any]:
    """What the benchmark says, by domain."""
    text = (Path(__file__).parent / "wordings.yaml").read_text(encoding="utf-8")
    return {domain: said for domain, said in yaml.safe_load(text).items() if domain in DOMAINS}


def _sentences(text: str) -> str:
    """Begin each sentence with a capital."""
    once = re.sub(r"\b[Tt]he the\b", "the", text)
    return re.sub(r"(?:^|(?<=[.?!] ))[a-z](?!\.\d)", lambda found: found[0].upper(), once)


def _title(text: str) -> str:
    bare = text.replace("The the ", "").removeprefix("the ")
    return bare[:1].upper() + bare[1:] if not re.match(r"[cp]\.", bare) else bare


def _spellings(*given: str) -> list[str]:
    return list(dict.fromkeys(given))

