"""What a follow-up question may be about: what the turns before it named, and what the cubes know of that."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold
from .....graphs.records import Run
from ...encoders.minilm import is_word
from ..answers.fact_reader import KIND_OF
from ..context import EngineContext
from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.wordlists import ARTICLES, CLAUSAL, QUESTIONING

__all__ = [
    "GENDERS", "PRONOUNS", "ConversationKnowledge", "MentionedEntity", "PastTurn", "QuestionName", "one_of_two",
    "owner", "referents",
]  # fmt: skip

GENDERS = {"she": "f", "her": "f", "hers": "f", "herself": "f", "he": "m", "him": "m", "his": "m", "himself": "m"}
_PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
PRONOUNS = GENDERS.keys() | _PLURAL | {"it", "its", "itself"}
_LONG_ANSWER = 8  # words from which an answer is a sentence, not a name
_NO_THING = frozenset({"date", "quantity"})
_VERDICTS = frozenset({"", "yes", "no", "true", "false"})
_NO_NAME = CLAUSAL | ARTICLES | QUESTIONING | frozenset({
    "and", "or", "but", "so", "not", "i", "he", "she", "it", "they", "that", "those", "these", "tell", "name", "give",
    "list", "find", "show", "please", "then", "also", "same", "does",
})  # fmt: skip
"""Words, folded, that have a capital only because a question begins with them."""
_NO_KIND = frozenset({"name", "text", "event", "nationality"})
_WORD = re.compile(r"(?<![\w-])[^\W\d_]{4,}(?![\w-])")
_LONGEST = 4  # words of a relation's phrase


@dataclass(frozen=True, slots=True)
class QuestionName:
    """A name in a question."""

    name: str
    start: int
    end: int

    @property
    def coined(self) -> bool:
        """Whether it is a word that English does not have: whatever its spelling, it names something."""
        return _WORD.fullmatch(self.name) is not None and not is_word(self.name)


class ConversationKnowledge:
    """One generation of a knowledge base as conversations see it."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self.lexicon, self.linker = context.cubes, context.lexicon, context.linker
        self._words, self.gender = context.questions.terms.words, context.facts.gender

    def names(self, text: str, *, coined: bool = False) -> list[QuestionName]:
        """Return the names in a text, in order, with the ``coined`` words that are in none of them."""
        parts = self._words.read(text)
        first = parts[0].text if parts else ""
        opening = fold(first.partition(" ")[0])
        opens = opening in _NO_NAME or self.lexicon.is_noun(opening)
        if opens and not (" " in first and self.linker.knows_exactly(first)):
            parts = self._words.read(f"{text[:1].lower()}{text[1:]}")
        named = [
            QuestionName(part.text, part.start, part.end) for part in parts
            if part.kind in ("name", "adjective") and part.text[0].isalnum() and part.text != "I"
        ]  # fmt: skip
        words = (QuestionName(word[0], word.start(), word.end()) for word in _WORD.finditer(text) if coined)
        others = [one for one in words if one.coined and not any(n.start <= one.start < n.end for n in named)]
        return sorted((*named, *others), key=lambda one: one.start)

    def classes(self, name: str) -> frozenset[str]:
        """The cubes in which something is called so."""
        return frozenset(s.cube for s in self.linker.link_exactly(name))

    def kinds(self, name: str) -> frozenset[str]:
        """What something called so may be: "person", "place", "work", "organization", another class, "date"."""
        known = {KIND_OF.get(cube, cube) for cube in self.classes(name)}
        known = known or {f.kind for f in self._cubes.facts_valued(fold(name))} - _NO_KIND
        if not known and parse_date(name) is not None:
            known = {"date"}
        if not known and name[:1].isdigit() and not any(c.isupper() for c in name):
            known = {"quantity"}
        return frozenset(known)

    def noun_kind(self, noun: str) -> str | None:
        """The kind of thing that a noun names."""
        cubes = self.lexicon.nouns.get(fold(noun), ())
        return self.lexicon.kinds.get(fold(noun)) or next((KIND_OF.get(cube, cube) for cube in cubes), None)

    def is_a(self, name: str, noun: str) -> bool:
        """Whether a thing's own facts call it so, or by a noun for the same ("the island" for Hesk)."""
        kind, nouns = self.noun_kind(noun), kinds_of(fold(noun))
        if kind is not None and (kind == "person") != ("person" in self.kinds(name)):
            return False  # a film director is no film
        facts = (f for s in self.linker.link_exactly(name) for f in self._cubes.facts_about(s.key))
        told = ("is", "type", "genre", "occupation")
        return any(nouns & set(fold(f.value).split()) for f in facts if f.relation in told)

    def relation(self, phrase: str) -> str:
        """The relation noun that a phrase ends in ("director", "maternal grandfather"), folded; "" if none."""
        words = fold(phrase).split()
        tails = (" ".join(words[start:]) for start in range(len(words)))
        return next((t for t in tails if t in self.lexicon.kin or t in self.lexicon.asks), "")

    def result(self, relation: str) -> str | None:
        """The kind of thing that a relation noun gives: a director is a person."""
        if relation in self.lexicon.kin:
            return "person"
        return self.noun_kind(relation) or self.lexicon.kind_of(self.lexicon.asks.get(relation, ()))

    def having(self, relation: str) -> frozenset[str]:
        """The cubes whose things have a relation."""
        if relation in self.lexicon.kin:
            return frozenset({KIND_CUBES["person"]})
        names = self.lexicon.asks.get(relation, ())
        asked: list[Collection[str]] = [self.lexicon.asked_in.get((relation, name), ()) for name in names]
        return frozenset[str]().union(*asked) or self._cubes_of(names)

    def foreseen(self, words: Sequence[str]) -> frozenset[str]:
        """The cubes whose things have the relations that a question's words name."""
        keys, found = [fold(word) for word in words], set[str]()
        for start in range(len(keys)):
            for end in range(start + 1, min(len(keys), start + _LONGEST) + 1):
                key = " ".join(keys[start:end])
                found |= self._cubes_of((*self.lexicon.verbs.get(key, ()), *self.lexicon.passives.get(key, ())))
                found |= self.having(key)
        return frozenset(found)

    def passive(self, verb: str) -> str:
        """What was done to a thing, of the verb that says who did it: "written" of "wrote"; "" for other words."""
        names = self.lexicon.verbs.get(fold(verb), ())
        done = next((name.removesuffix(" by") for name in names if name.endswith(" by")), "")
        return done or (fold(verb) if names and verb.endswith("ed") else "")

    def _cubes_of(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset(relation.cube for name in names for relation in self.lexicon.relations.get(name, ()))


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
