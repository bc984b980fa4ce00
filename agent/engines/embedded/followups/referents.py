"""What a follow-up question may be about: what the turns before it named, and what the cubes know of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold
from .....graphs.records import Run
from ...encoders.minilm import is_word
from ..context import EngineContext
from ..plan import QuestionEntity, RelationStep
from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.lexicon import kinds_of
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.words import Word

__all__ = ["GENDERS", "PRONOUNS", "ConversationKnowledge", "MentionedEntity", "PastTurn", "is_coined"]

GENDERS = {"she": "f", "her": "f", "hers": "f", "herself": "f", "he": "m", "him": "m", "his": "m", "himself": "m"}
_PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
PRONOUNS = GENDERS.keys() | _PLURAL | {"it", "its", "itself"}
_LONG_ANSWER = 8  # words from which an answer is a sentence, not a name
_TYPES = ("is", "type", "genre", "occupation")


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
    """A thing that was named. ``turn`` counts from the newest, 0; no ``classes`` mean that nothing is known of it;
    ``asked`` says that a question named it."""

    name: str
    classes: frozenset[str]
    gender: str | None
    turn: int
    asked: bool


class ConversationKnowledge:
    """One generation of a knowledge base as conversations see it."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._facts, self._one_hop = context.cubes, context.facts, context.one_hop
        self._words, self._cues = context.questions.terms.words, context.questions.terms.cues
        self.lexicon, self.linker = context.lexicon, context.linker

    def read(self, text: str) -> list[Word]:
        """Return the words of a text; one that has a capital only because the text begins with it is no name."""
        first, *others = self._words.read(text) or (Word(""),)
        begins = not first.start and " " not in first.text and is_word(first.text)
        plain = begins and not self.linker.knows_exactly(first.text)
        return [replace(first, kind="word") if plain else first, *(w for w in others if w.text != "I")]

    def names(self, text: str, *, coined: bool = False) -> list[Word]:
        """Return the names in a text, in order, with the ``coined`` words where these count."""
        named = (w for w in self.read(text) if w.kind in ("name", "adjective") or (coined and is_coined(w.text)))
        return [word for word in named if word.text[0].isalnum()]

    def classes(self, name: str) -> frozenset[str]:
        """The cubes of what is called so; of a mere value the cube that things of its kind are in."""
        kinds = (KIND_CUBES.get(fact.kind, "") for fact in self._cubes.facts_valued(fold(name)))
        return frozenset({s.cube for s in self.linker.link_exactly(name)} or set(filter(None, kinds)))

    def can_have(self, question: str) -> bool:
        """Whether the class of the thing that a question names has what it asks for."""
        step, name = self._one_hop(question) or (None, "")
        relations = (self.lexicon.relations[each] for each in step.relations) if step is not None else ()
        return not self.classes(name).isdisjoint(phrase.cube for held in relations for phrase in held)

    def relation(self, noun: str, name: str) -> RelationStep | None:
        """The relation noun that words end in ("maternal grandfather"), as one of a thing, if it can have it."""
        words, classes = fold(noun).split(), self.classes(name)
        for key in (" ".join(words[start:]) for start in range(len(words))):
            step = self._cues.relation(key, QuestionEntity(name))
            if step is not None:
                return step if key not in self.lexicon.kin or not classes or "person" in classes else None
        return None

    def things_called(self, noun: str, things: Sequence[MentionedEntity]) -> list[MentionedEntity]:
        """The things whose class a noun names, those first whose facts call them so ("the island" for Hesk)."""
        cubes, gender, nouns = self._cues.cubes(fold(noun)), self.lexicon.gender(fold(noun)), kinds_of(fold(noun))

        def is_called(thing: MentionedEntity) -> bool:
            facts = (f for s in self.linker.link_exactly(thing.name) for f in self._cubes.facts_about(s.key))
            return any(nouns & set(fold(f.value).split()) for f in facts if f.relation in _TYPES)

        fits = [t for t in things if t.classes & cubes and (gender is None or t.gender in (None, gender))]
        return sorted(fits, key=lambda thing: not is_called(thing))

    def passive(self, verb: str) -> str:
        """What was done to a thing, of the verb that says who did it: "written" of "wrote"; "" for other words."""
        names = self.lexicon.verbs.get(fold(verb), ())
        done = next((name.removesuffix(" by") for name in names if name.endswith(" by")), "")
        return done or (fold(verb) if names and verb.endswith("ed") else "")

    def referents(self, turns: Sequence[PastTurn]) -> list[MentionedEntity]:
        """Return what the turns named: of each turn its answer, what its question names, then what its hops came by."""
        found: dict[str, MentionedEntity] = {}
        for number, turn in enumerate(reversed(turns)):
            for name, asked in self._named_in(turn):
                classes = self.classes(name)
                if classes or (any(map(str.isupper, name)) and parse_date(name) is None):
                    gender = self._facts.gender(name) if not classes or "person" in classes else None
                    found.setdefault(fold(name), MentionedEntity(name, classes, gender, number, asked))
        return list(found.values())

    def _named_in(self, turn: PastTurn) -> Iterator[tuple[str, bool]]:
        """Yield each name of a turn, and whether the question has it."""
        asked, hops = read_asked_form(turn.question), turn.run.hops if turn.run is not None else ()
        if asked.kind == "definition":  # what it is, is no other thing: "it" is still what was asked about
            yield asked.thing, True
        told = hops[-1].answers if hops and hops[-1].answer in turn.answer else (turn.answer.strip().rstrip("."),)
        yield from ((name, False) for name in told if len(turn.answer.split()) <= _LONG_ANSWER)
        yield from ((word.text, True) for word in self.names(turn.question))
        yield from ((name, False) for hop in reversed(hops[:-1]) for name in hop.answers)

    def owner(
        self, pronoun: str, things: Sequence[MentionedEntity], taken: Sequence[Word], whole: Callable[[str], str]
    ) -> str:
        """Return what a pronoun stands for: none of the names ``taken``, and of things that are no persons one that has
        what is asked; ``whole`` puts a name in its place. "" where there is none."""
        own, gender = {fold(word.text) for word in taken}, GENDERS.get(pronoun)
        free = [t for t in things if fold(t.name) not in own]
        if gender is not None:
            # A person of the newest turn whose gender nobody tells comes before one named long ago.
            persons = [t for t in free if not t.classes or "person" in t.classes]
            free = [t for t in persons if t.gender in (None, gender)]
            free.sort(key=lambda t: (not t.classes, t.turn, t.gender is None))
        elif pronoun in _PLURAL:
            free.sort(key=lambda t: ("organization" not in t.classes, "person" not in t.classes))
        else:
            free = [t for t in free if t.classes != {"person"}]
            free.sort(key=lambda t: (not self.can_have(whole(t.name)), t.turn))
        return free[0].name if free else ""


def is_coined(word: str) -> bool:
    """Whether a word is one that English does not have: whatever its spelling, it names something."""
    return len(word) > 3 and word.isalpha() and not is_word(word)
