"""Follow-up questions made whole: names for what only points at them, and the last question around what is short.

What is meant are things that the turns before named. A short question takes the place of what is like it in the last
one: asking words of asking words, a year of a year, a name of a name of its class, a relation noun of another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import base_key, fold
from ...encoders.minilm import is_word
from ...turns import Turn
from ..context import EngineContext
from ..plan import QuestionEntity, RelationStep
from ..vocabulary.cues import KIND_CUBES
from ..vocabulary.wordlists import AUXILIARIES, COMMANDS, PREPOSITIONS, QUESTIONING, RELATIVE, YES_NO
from ..vocabulary.words import Word

if TYPE_CHECKING:
    from .....cubes.knowledge.base import KnowledgeBase

__all__ = ["ConversationKnowledge", "finished", "follow_up", "standing_alone"]

_REMEMBERED = 8  # turns that a question may look back on
_OWNING = frozenset({"his", "its", "their", "hers", "theirs"})
_OF_TWO = {"former": 0, "first": 0, "latter": 1, "second": 1, "other": 1}
_POINTING = frozenset({"that", "this", "those", "these", "the"})
_HELPING = AUXILIARIES | {"does", "should", "may"}
_SMALL = PREPOSITIONS | _HELPING | QUESTIONING | RELATIVE | {"and", "but", "or", "because", "if", "the", "a", "an"}
_LEAD = re.compile(
    r"^(?:(?:and|but|so|or|ok|okay|also|then|now|well|yes|thanks)\b[,.!]*\s*)*"
    r"(?:(?:what|how) about\s+|as for\s+|the same,? (?:for|about|of|with)\s+)?",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(r"\bit (?:\w+ )?(?:true|possible|known|likely|clear|correct|right|that)\b", re.IGNORECASE)
_EVENT = re.compile(
    r"(?:wh\w+|how)$|[a-z ]+(?= (?:was|is|did|does) (?:that|this|it(?= ))(?: happen| take place)?$)", re.IGNORECASE
)
_YEAR = re.compile(r"^(?:in |of |from )?(\d{4})$")
_OF_WHAT = re.compile(rf"^(?:{'|'.join(PREPOSITIONS)})\s+", re.IGNORECASE)
_ARTICLE = re.compile(rf"^(?:the|an?)\s+(?!{'|'.join(_OF_TWO)})", re.IGNORECASE)
_LONGEST = 5  # words of a shortened question that names no relation of the ontology
_GENDERS = {"she": "f", "her": "f", "hers": "f", "herself": "f", "he": "m", "him": "m", "his": "m", "himself": "m"}
_PLURAL = frozenset({"they", "them", "their", "theirs", "themselves"})
_PRONOUNS = _GENDERS.keys() | _PLURAL | {"it", "its", "itself"}
_LONG_ANSWER = 8  # words from which an answer is a sentence, not a name


@dataclass(frozen=True, slots=True)
class MentionedEntity:
    """A thing that was named."""

    name: str
    classes: frozenset[str]  # none where nothing is known of it
    gender: str | None
    turn: int  # counted from the newest, 0
    asked: bool  # whether a question named it


class ConversationKnowledge:
    """One generation of a knowledge base as conversations see it."""

    def __init__(self, context: EngineContext) -> None:
        self._cubes, self._facts, self._one_hop = context.cubes, context.facts, context.one_hop
        self._words, self._cues = context.questions.terms.words, context.questions.terms.cues
        self.lexicon, self.linker = context.lexicon, context.linker

    def read(self, text: str) -> list[Word]:
        """Return the words of a text. One that has a capital only because the text begins with it is no name, but one
        that English does not have is, whatever its spelling."""
        first, *others = self._words.read(text) or (Word(""),)
        plain = is_word(first.text) and not self.linker.knows_exactly(first.text)
        return [replace(first, kind="word") if plain else first, *(w for w in others if w.text != "I")]

    def names(self, text: str) -> list[Word]:
        """Return the names in a text, in order."""
        return [w for w in self.read(text) if w.kind in ("name", "adjective") or _is_coined(w.text)]

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
        words = fold(noun).split()
        ends = (" ".join(words[start:]) for start in range(len(words)))
        return next(filter(None, (self._cues.relation(end, QuestionEntity(name)) for end in ends)), None)

    def called(self, noun: str, things: Sequence[MentionedEntity]) -> str:
        """The thing whose class a noun names, sooner one that may be called so ("the island" for Hesk)."""
        fits = [thing.name for thing in things if thing.classes & self._cues.cubes(fold(noun))]
        return max(fits, key=lambda name: self._facts.noun_fit(name, fold(noun)) or 0.0, default="")

    def passive(self, verb: str) -> str:
        """What was done to a thing, of the verb that says who did it: "written" of "wrote"; "" for other words."""
        names = self.lexicon.verbs.get(fold(verb), ())
        return next((name.removesuffix(" by") for name in names if name.endswith(" by")), "")

    def referents(self, turns: Sequence[Turn]) -> list[MentionedEntity]:
        """Return what the turns named: of each turn its answer, what its question names, then what its hops came by."""
        found: dict[str, MentionedEntity] = {}
        for number, turn in enumerate(reversed(turns)):
            for name, asked in self._named_in(turn):
                classes = self.classes(name)
                if classes or (any(map(str.isupper, name)) and parse_date(name) is None):
                    gender = self._facts.gender(name)
                    found.setdefault(fold(name), MentionedEntity(name, classes, gender, number, asked))
        return list(found.values())

    def _named_in(self, turn: Turn) -> Iterator[tuple[str, bool]]:
        """Yield each name of a turn, and whether the question has it."""
        if len(turn.answer.split()) <= _LONG_ANSWER:
            yield turn.answer.strip().rstrip("."), False
        yield from ((word.text, True) for word in self.names(turn.question))
        hops = turn.run.hops if turn.run is not None else ()
        yield from ((name, False) for hop in reversed(hops[:-1]) for name in hop.answers)

    def owner(self, pronoun: str, things: Sequence[MentionedEntity], whole: Callable[[str], str]) -> str:
        """Return what a pronoun stands for, sooner what has what is asked; ``whole`` puts a name in its place. "" where
        there is nothing."""
        gender = _GENDERS.get(pronoun)
        if gender is not None:
            things = [t for t in things if (not t.classes or "person" in t.classes) and t.gender in (None, gender)]
        elif pronoun not in _PLURAL:
            things = [t for t in things if t.classes != {"person"}]
        # A person of the newest turn whose gender nobody tells comes before one named long ago.
        best = min(things, key=lambda t: (not self.can_have(whole(t.name)), t.turn, t.gender is None), default=None)
        return best.name if best is not None else ""


def follow_up(question: str, turns: Sequence[Turn], kb: KnowledgeBase) -> str:
    """Return a question as one that needs no conversation, or as it is where it stands alone.

    A turn without a run is read by the turns before it, as it was when it was asked.
    """
    world = ConversationKnowledge(EngineContext(kb.cubes, lambda section: kb.section(section).text))
    asked: list[Turn] = []
    for turn in turns[-_REMEMBERED:]:
        alone = turn.run.question if turn.run is not None else standing_alone(turn.question, asked, world)
        asked.append(Turn(alone, turn.answer, turn.run))
    return standing_alone(question, asked, world)


def standing_alone(question: str, turns: Sequence[Turn], world: ConversationKnowledge) -> str:
    """Return a question after these turns as one that needs none of them."""
    return _FollowUp(world, turns).read(question) if turns else question


class _FollowUp:
    """Reads follow-ups to the turns of one conversation."""

    def __init__(self, world: ConversationKnowledge, turns: Sequence[Turn]) -> None:
        self._world, self._turns, self._last = world, turns, turns[-1]
        self._things = world.referents(turns)
        hops = self._last.run.hops if self._last.run is not None else ()
        # The last question, and the subqueries that it came to, the last first.
        self._asked = tuple(dict.fromkeys((self._last.question, *(hop.subquery for hop in reversed(hops)))))

    def read(self, question: str) -> str:
        """Return the whole question; as it is where it says all."""
        lead = "" if (found := _LEAD.match(question)) is None else found[0]
        rest = question[len(lead) :].strip()
        front = next(iter(self._world.names(rest)), Word(""))
        if not front.start and rest[front.end : front.end + 1] == "," and _is_clause(rest[front.end + 1 :]):
            self._things[:0] = self._world.referents([Turn("", front.text)])  # "X, where was she born?"
            rest = rest[front.end + 1 :].strip()
        bare = rest.rstrip("?.! ")
        if not _is_clause(rest):
            whole = bare and self._fragment(bare, led=bool(lead))
            return finished(whole) if whole else question
        whole = self._asked_otherwise(bare) or self._pointed(rest)
        return finished(whole) if whole != rest or rest[:1].islower() else rest

    def _asked_otherwise(self, bare: str) -> str:
        """The last question with other asking words: "Who wrote X?" with "when?" is "When was X written?"."""
        event = _EVENT.match(bare)
        if event is None:
            return ""
        for words in (asked.rstrip("?").split() for asked in self._asked):
            helping = next((n for n, word in enumerate(words) if fold(word) in YES_NO), 0)
            if helping:
                return " ".join((event[0], *words[helping:]))
            verb = next((n for n, word in enumerate(words) if self._world.passive(word)), 0)
            if verb:
                return " ".join((event[0], "was", *words[verb + 1 :], self._world.passive(words[verb])))
        return ""

    def _pointed(self, text: str) -> str:
        """A text with names for its pronouns, for "that film", "the director", "there", and "the former"."""
        words, changed = self._world.read(text), text
        idle = [found.start() for found in _EXPLETIVE.finditer(text)]
        for at, word in reversed([*enumerate(words)]):
            if word.kind == "word" and word.start not in idle:
                last, phrase = self._stands_for(text, words, at)
                changed = f"{changed[: word.start]}{phrase}{changed[words[last].end :]}" if phrase else changed
        return changed

    def _stands_for(self, text: str, words: Sequence[Word], at: int) -> tuple[int, str]:
        """The last word of what points at something, and what that is; "" where nothing does."""
        key, *behind = (word.text.lower() for word in (*words[at : at + 3], Word(""), Word("")))
        names, before = [w.text for w in words if w.kind in ("name", "adjective")], words[at - 1].text.lower()
        if key in _GENDERS and any("person" in self._world.classes(name) for name in names):
            return at, ""
        if key in _PRONOUNS:
            owned = "'s" if key in _OWNING or (key == "her" and behind[0].isalpha() and behind[0] not in _SMALL) else ""
            name = self._world.owner(key, self._things, lambda one: _replaced(text, words[at], f"{one}{owned}"))
            return at, f"{name}{owned}" if name else ""
        if key == "there" and at and before not in _HELPING:
            place = next((t.name for t in self._things if t.classes & {"location", "organization"}), "")
            return at, place if not place or before in PREPOSITIONS else f"in {place}"
        if key == "the" and behind[0] in _OF_TWO:
            one = behind[1] == "one" or self._world.lexicon.is_noun(behind[1])
            certain = one or behind[0] in ("former", "latter") or not behind[1].isalpha()
            return at + 1 + one, self._one_of_two(behind[0]) if certain else ""
        if key in _POINTING and behind[1] not in RELATIVE | PREPOSITIONS and (key != "the" or not names):
            return at + 1, self._world.called(behind[0], self._things)
        return at, ""

    def _one_of_two(self, word: str) -> str:
        """One of the two things that the newest question with two named: "the other" is what was not spoken of last."""
        asked = ([named.text for named in self._world.names(turn.question)] for turn in reversed(self._turns))
        pair = next((names for names in asked if len(names) == 2), [])
        if word == "other":
            pair = [thing.name for thing in self._things if thing.name in pair]  # the newest first
        return next(iter(pair[_OF_TWO[word] :]), "")

    def _fragment(self, phrase: str, *, led: bool) -> str:
        """The whole of a shortened question, "" where it cannot be completed; ``led`` says that "and" came before."""
        if (year := _YEAR.match(phrase)) is not None:
            return re.sub(r"\b\d{4}\b", year[1], self._last.question, count=1)
        # What was asked about comes before what was answered: "Who is his father?" "And his mother?"
        self._things.sort(key=lambda t: (t.turn, not t.asked))
        phrase = _OF_WHAT.sub("", phrase)
        short = self._pointed(_ARTICLE.sub("", phrase))
        names = self._world.names(short)
        owned = re.match(r"^['’]s? ", short[names[0].end :]) if names else None
        if owned is not None:
            return self._related(short[names[0].end + owned.end() :], names[0].text, led=led)
        relation = [t.name for t in self._things if t.classes and self._world.relation(short, t.name) is not None]
        if names or (self._world.linker.knows_exactly(short) and not relation):
            return self._instead(phrase if short in phrase else short, names[0].text if names else phrase)
        asked = [t.name for t in self._things if t.asked and led and len(short.split()) <= _LONGEST]
        name = next(iter((*relation, *asked)), "")
        return self._related(short, name, led=led) if name else ""

    def _instead(self, phrase: str, name: str) -> str:
        """The last question about another thing: in the place of one of the same class, else of another."""
        classes = self._world.classes(name)

        def alike(slot: tuple[str, Word]) -> tuple[bool, bool]:
            other = slot[1].text
            return bool(classes & self._world.classes(other)), _is_coined(other) == _is_coined(name)

        slot = max(self._named(), key=alike, default=None)
        return _replaced(*slot, phrase) if slot is not None else f"What is {phrase}"

    def _related(self, noun: str, name: str, *, led: bool) -> str:
        """ "mother" of a thing: in the last question's place of another relation of it, or of the thing.

        Only "and" puts it in the thing's own place ("Where was X born?" "And her mother?").
        """
        called = re.sub(r" (?:\w+ )?name$", "", noun.replace("'s", ""))  # "and her mother's name?" asks who she is
        led, noun = led and called == noun, called
        step = self._world.relation(noun, name)
        kind = step.want.kind if step is not None else None
        for question, named in self._named():
            if base_key(named.text) != base_key(name):
                continue
            words = (word for word in self._world.read(question) if word.kind == "word")
            other = next(((word, held) for word in words if (held := self._world.relation(word.text, name))), None)
            if other is not None and (step is None or other[1].want.kind == kind):
                return _replaced(question, other[0], noun)
            if other is None and led and kind == "person" and "person" in self._world.classes(name):
                return _replaced(question, named, f"the {noun} of {name}")
        return f"{'Who' if kind == 'person' else 'What'} is the {noun} of {name}"

    def _named(self) -> Iterator[tuple[str, Word]]:
        """Where the last question, or a hop of it, names a thing."""
        return ((asked, named) for asked in self._asked for named in self._world.names(asked))


def _is_clause(text: str) -> bool:
    """Whether words ask a question of their own, and do not only name a thing."""
    keys = re.findall(r"[\w’'-]+", text.lower())
    return bool(keys) and (keys[0] in _HELPING | COMMANDS or bool(QUESTIONING & set(keys)))


def _replaced(question: str, named: Word, phrase: str) -> str:
    """The question with a phrase in a name's place."""
    return f"{question[: named.start]}{phrase}{question[named.end :]}"


def finished(question: str) -> str:
    """Return a question as one line that begins with a capital and ends with a question mark."""
    text = " ".join(question.split()).rstrip(" ?.!,;")
    return f"{text[:1].upper()}{text[1:]}?"


def _is_coined(word: str) -> bool:
    """Whether a word is one that English does not have: whatever its spelling, it names something."""
    return len(word) > 3 and word.isalpha() and not is_word(word)
