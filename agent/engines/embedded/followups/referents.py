"""What a follow-up question may be about: the things that the turns before it named, the newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import fold
from .....graphs.records import Run
from ..syntax.question_forms import read_asked_form
from .world import ConversationKnowledge, QuestionName

__all__ = ["GENDERS", "PRONOUNS", "MentionedEntity", "PastTurn", "one_of_two", "owner", "referents"]

GENDERS = {"she": "f", "her": "f", "hers": "f", "herself": "f", "he": "m", "him": "m", "his": "m", "himself": "m"}
_PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
PRONOUNS = GENDERS.keys() | _PLURAL | {"it", "its", "itself"}
_LONG_ANSWER = 8  # words from which an answer is a sentence, not a name
_NO_THING = frozenset({"date", "quantity"})
_VERDICTS = frozenset({"", "yes", "no", "true", "false"})


@dataclass(frozen=True, slots=True)
class PastTurn:
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
class MentionedEntity:
    """A thing that was named. ``turn`` counts from the newest, 0; no ``kinds`` means that nothing is known of it;
    ``asked`` says that a question named it."""

    name: str
    kinds: frozenset[str]
    gender: str | None
    turn: int
    asked: bool
    classes: frozenset[str]

    @property
    def is_person(self) -> bool:
        """Whether it is a person, for all that is known."""
        return not self.kinds or "person" in self.kinds


def referents(turns: Sequence[PastTurn], world: ConversationKnowledge) -> list[MentionedEntity]:
    """Return what the turns named: of each turn its answer, what its question names, then what its hops came by."""
    found: dict[str, MentionedEntity] = {}
    for number, turn in enumerate(reversed(turns)):
        for name, asked in _of_turn(turn, world):
            kinds = world.kinds(name)
            if fold(name) not in _VERDICTS and not kinds & _NO_THING:
                gender = world.gender(name) if not kinds or "person" in kinds else None
                made = MentionedEntity(name, kinds, gender, number, asked, world.classes(name))
                found.setdefault(fold(name), made)
    return list(found.values())


def _of_turn(turn: PastTurn, world: ConversationKnowledge) -> Iterator[tuple[str, bool]]:
    """Yield each name, and whether the question has it."""
    asked, hops = read_asked_form(turn.question), turn.run.hops if turn.run is not None else ()
    if asked.kind == "definition":  # what it is, is no other thing: "it" is still what was asked about
        yield asked.thing, True
    told = hops[-1].answers if hops and hops[-1].answer in turn.answer else (turn.answer.strip().rstrip("."),)
    yield from ((name, False) for name in told if len(turn.answer.split()) <= _LONG_ANSWER)
    yield from ((named.name, True) for named in world.names(turn.question))
    yield from ((name, False) for hop in reversed(hops[:-1]) for name in hop.answers)


def owner(
    pronoun: str, things: Sequence[MentionedEntity], world: ConversationKnowledge, words: Sequence[str],
    named: Sequence[QuestionName]
) -> MentionedEntity | None:
    """Return what a pronoun stands for among ``things``; ``words`` and ``named`` are the question's words and names."""
    taken, gender = {fold(each.name) for each in named}, GENDERS.get(pronoun)
    free = [thing for thing in things if fold(thing.name) not in taken]
    if gender is not None:
        persons = [t for t in free if t.is_person and t.gender in (None, gender)]
        # A person of the newest turn whose gender nobody tells comes before one named long ago.
        return min(persons, key=lambda t: (not t.kinds, t.turn, t.gender is None), default=None)
    if pronoun in _PLURAL:
        return min(free, key=lambda t: ("organization" not in t.kinds, "person" not in t.kinds), default=None)
    plain = [t for t in free if not (t.kinds and t.is_person) or t.classes - {"person"}]
    foreseen = world.foreseen(words)
    return min(plain, key=lambda t: (bool(foreseen) and not t.classes & foreseen, t.turn), default=None)


def one_of_two(word: str, turns: Sequence[PastTurn], world: ConversationKnowledge) -> str:
    """Return "the former", "latter", "first", "second" or "other" of two things that were named; "" where none were.

    The two are those of the newest question that names two; "the other" is the one that was not spoken of last.
    """
    asked = [[named.name for named in world.names(turn.question)] for turn in turns]
    pair = next((names for names in reversed(asked) if len(names) == 2), ["", ""])
    if word != "other":
        return pair[0 if word in ("former", "first") else 1]
    last = {fold(name) for name in (turns[-1].answer, *(asked[-1] if len(asked[-1]) == 1 else ()))}
    return next((name for name in pair if fold(name) not in last), "")
