"""What a follow-up question may be about: the things that the turns before it named, the newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ....cubes.folding import base_key, fold
from ....graphs.records import Hop, Run
from .genders import Gender
from .mentions import words_of
from .world import NO_THING, World

__all__ = ["Asked", "Referent", "one_of_two", "referents"]

Role = Literal["asked", "answer", "hop"]

_IN = frozenset({"in", "at", "from", "near", "on"})
_LONG_ANSWER = 8  # words from which an answer is a sentence, not a name
_OPENINGS = {"who": "person", "whom": "person", "whose": "person", "where": "place", "when": "date"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn as it stands alone: its question, what was answered, and how, where a run is known."""

    question: str
    answer: str
    run: Run | None = None

    @property
    def questions(self) -> tuple[str, ...]:
        """The question and the subqueries that it came to, the last first."""
        hops = self.run.hops if self.run is not None else ()
        return tuple(dict.fromkeys((self.question, *(hop.subquery for hop in reversed(hops)))))


@dataclass(frozen=True, slots=True)
class Referent:
    """A thing that was named. ``turn`` counts from the newest, 0; no ``kinds`` means that nothing is known of it.

    ``setting`` is an answer that only says where something was; what was asked about stays the topic.
    """

    name: str
    kinds: frozenset[str]
    gender: Gender | None
    turn: int
    role: Role
    classes: frozenset[str] = frozenset()
    setting: bool = False

    def is_person(self) -> bool | None:
        """Whether it is a person; None where that is not known."""
        return "person" in self.kinds if self.kinds else None


def referents(turns: Sequence[Asked], world: World) -> list[Referent]:
    """Return what the turns named: of each turn its answer, what its question names, then what its hops came by."""
    found: dict[str, Referent] = {}
    for number, turn in enumerate(reversed(turns)):
        for made in _of_turn(turn, number, world):
            if made.name and not made.kinds & NO_THING:
                found.setdefault(fold(made.name), made)
    return list(found.values())


def one_of_two(word: str, turns: Sequence[Asked], world: World) -> str:
    """Return "the former", "latter", "first", "second" or "other" of two things that were named; "" where none were.

    The two are those of the newest question that names two, else what the last two questions are about; "the other" is
    the one of them that was not spoken of last.
    """
    asked = [[mention.name for mention in world.mentions.find(turn.question)] for turn in turns]
    pair = next((names for names in reversed(asked) if len(names) == 2), None)
    if pair is None:
        single = list(dict.fromkeys(names[0] for names in asked if len(names) == 1))
        pair = single[-2:] if len(single) > 1 else None
    if pair is None:
        return ""
    if word == "other":
        last = {fold(name) for name in (turns[-1].answer, *(asked[-1] if len(asked[-1]) == 1 else ()))}
        return next((name for name in pair if fold(name) not in last), "")
    return pair[0 if word in ("former", "first") else 1]


def _of_turn(turn: Asked, number: int, world: World) -> Iterator[Referent]:
    hops = turn.run.hops if turn.run is not None else ()
    told = _called(hops[-1].subquery if hops else turn.question, world)
    setting = _is_setting(turn.question)
    for name in _answers(turn, world):
        yield replace(_referent(name, number, "answer", world, *told), setting=setting)
    for mention in world.mentions.find(turn.question):
        name = _settled(mention.name, turn.question[mention.described : mention.start], hops, world)
        yield _referent(name, number, "asked", world)
    for hop in reversed(hops[:-1]):
        for name in hop.answers or (hop.answer,):
            yield _referent(name, number, "hop", world, *_called(hop.subquery, world))


def _referent(
    name: str, turn: int, role: Role, world: World, kind: str | None = None, gender: Gender | None = None
) -> Referent:
    """``kind`` and ``gender`` are what the question that it answers says of it."""
    kinds = world.kinds(name)
    if kind is not None:
        kinds = frozenset({kind}) if kind in kinds or not kinds or kind == "person" else kinds
    gender = gender or (world.gender(name) if not kinds or "person" in kinds else None)
    return Referent(name, kinds, gender, turn, role, world.classes(name))


def _answers(turn: Asked, world: World) -> Iterable[str]:
    """The names that a turn was answered with; of a sentence those in it."""
    hops = turn.run.hops if turn.run is not None else ()
    last = hops[-1] if hops else None
    if last is not None and last.answer and last.answer in turn.answer:
        return last.answers or (last.answer,)
    if len(turn.answer.split()) <= _LONG_ANSWER:
        return (turn.answer.strip().rstrip("."),)
    asked = {fold(mention.name) for mention in world.mentions.find(turn.question)}
    return [mention.name for mention in world.mentions.find(turn.answer) if fold(mention.name) not in asked]


def _called(question: str, world: World) -> tuple[str | None, Gender | None]:
    """What a question says of its answer: the kind of thing ("who", "which city"), and the gender ("the wife of")."""
    words = question.rstrip("?").split()
    opening = words[0].lower() if words else ""
    kind = _OPENINGS.get(opening)
    at = next((n for n, word in enumerate(words[:2]) if word.lower() in ("which", "what")), None)
    for word in words[at + 1 : at + 4] if at is not None else ():
        kind = kind or world.noun_kind(word)
    bare = question
    for mention in reversed(world.mentions.find(question)):  # "The Chalk Man" says nothing of its author
        bare = f"{bare[: mention.start]}{bare[mention.end :]}"
    told = (world.lexicon.gender(fold(word)) for word in bare.split(" of ")[0].split())
    return kind, next((gender for gender in told if gender is not None), None)


def _is_setting(question: str) -> bool:
    """Whether a question asks where something was: "where", "in which city"."""
    words = [word.key for word in words_of(question)[:2]]
    return words[:1] == ["where"] or (len(words) > 1 and words[0] in _IN and words[1] in ("which", "what"))


def _settled(name: str, described: str, hops: Sequence[Hop], world: World) -> str:
    """Which of several things of one name was meant: by its description, else the one whose section answered."""
    subjects = world.linker.link_exactly(name)
    labels = dict.fromkeys(s.label for s in subjects)
    if len(labels) < 2 or any(fold(label) == fold(name) for label in labels):
        return name
    if described.strip():
        return world.linker.by_descriptor(name, described)[0].label
    read = {hop.fact.section_id for hop in hops if hop.fact is not None} | {
        e.section_id for hop in hops for e in hop.evidence[:1] if hop.answer
    }
    return next((s.label for s in subjects if read.intersection(s.sections) and base_key(s.label) == fold(name)), name)
