"""Follow-up questions made whole: names for what only points at them, and the last question around what is short."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .....cubes.core.folding import fold
from ..context import EngineContext
from ..vocabulary.wordlists import AUXILIARIES, PREPOSITIONS, QUESTIONING, RELATIVE
from .referents import (
    GENDERS,
    PRONOUNS,
    ConversationKnowledge,
    PastTurn,
    QuestionName,
    one_of_two,
    owner,
    referents,
)  # fmt: skip

if TYPE_CHECKING:
    from .....cubes.knowledge.base import KnowledgeBase
    from ...turns import Turn

__all__ = ["follow_up", "standing_alone"]

_REMEMBERED = 8
"""Turns that a question may look back on."""
_OWNING = frozenset({"his", "its", "their", "hers", "theirs"})
_OF_TWO = frozenset({"former", "latter", "first", "second", "other"})
_POINTING = frozenset({"that", "this", "those", "these", "the"})
_COMMANDS = frozenset({"tell", "name", "give", "list", "find", "show", "say", "explain", "describe", "compare"})
_HELPING = AUXILIARIES | {"does", "should", "may"}
_SMALL = PREPOSITIONS | _HELPING | QUESTIONING | RELATIVE | {"and", "but", "or", "because", "if", "the", "a", "an"}
_LEAD = re.compile(
    r"^(?:(?:and|but|so|or|ok|okay|also|then|now|well|yes|thanks)\b[,.!]*\s*)*"
    r"(?:(?:what|how) about\s+|as for\s+|the same,? (?:for|about|of|with)\s+)?",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(r"\bit (?:\w+ )?(?:true|possible|known|likely|clear|correct|right|that)\b", re.IGNORECASE)
_EVENT = re.compile(
    r"^(?P<asking>[a-z ]+?)(?: (?:was|is|did|does) (?:that|this|it(?= ))(?: happen| take place)?)?$", re.IGNORECASE
)
_YEAR = re.compile(r"^(?:in |of |from )?(?P<year>\d{4})$")
_OF = re.compile(r"(?P<noun>(?!the )\b[a-z][a-z -]{0,40}?) (?:of|for) (?:the )?$", re.IGNORECASE)
_OWNED = re.compile(r"^['’]s? (?P<noun>[a-z-]+)")
_LONGEST = 5  # words of a shortened question that names no relation of the ontology


def follow_up(question: str, turns: Sequence[Turn], kb: KnowledgeBase) -> str:
    """Return a question as one that needs no conversation, or as it is where it stands alone.

    A turn without a run is read by the turns before it, as it was when it was asked.
    """
    world = ConversationKnowledge(EngineContext(kb.cubes, lambda section: kb.section(section).text))
    asked: list[PastTurn] = []
    for turn in turns[-_REMEMBERED:]:
        alone = turn.run.question if turn.run is not None else standing_alone(turn.question, asked, world)
        asked.append(PastTurn(alone, turn.answer, turn.run))
    return standing_alone(question, asked, world)


def standing_alone(question: str, turns: Sequence[PastTurn], world: ConversationKnowledge) -> str:
    """Return a question after these turns as one that needs none of them."""
    return _FollowUp(world, turns).read(question) if turns else question


class _FollowUp:
    """Reads follow-ups to the turns of one conversation."""

    def __init__(self, world: ConversationKnowledge, turns: Sequence[PastTurn]) -> None:
        self._world, self._turns, self._last = world, turns, turns[-1]
        self._things = referents(turns, world)

    def read(self, question: str) -> str:
        """Return the whole question; as it is where it says all."""
        lead = "" if (found := _LEAD.match(question)) is None else found[0]
        rest = question[len(lead) :].strip()
        front = next((n for n in self._world.names(rest) if not n.start and rest[n.end : n.end + 1] == ","), None)
        if front is not None and _is_clause(rest[front.end + 1 :]):  # "X, where was she born?"
            self._things[:0] = referents([PastTurn("", front.name)], self._world)
            rest = rest[front.end + 1 :].strip()
        bare = rest.rstrip("?.! ")
        if not _is_clause(rest):
            whole = self._fragment(bare, led=bool(lead)) if bare else ""
            return _finished(whole) if whole else question
        whole = self._asked_otherwise(bare) or self._pointed(rest)
        return _finished(whole) if whole != rest or rest[:1].islower() else rest

    def _asked_otherwise(self, bare: str) -> str:
        """The last question with other asking words: "Who wrote X?" with "when?" is "When was X written?"."""
        event, keys = _EVENT.match(bare), _keys(bare)
        if event is None or (event["asking"] == bare and (len(keys) > 1 or keys[0] not in QUESTIONING)):
            return ""
        for asked in self._last.questions:
            words, keys = asked.rstrip("?").split(), _keys(asked)
            helping = next((n for n, key in enumerate(keys) if key in _HELPING), 0)
            if helping and keys[0] in PREPOSITIONS | {"where", "when", "how", "why"}:
                return " ".join((event["asking"], *words[helping:]))
            verb = next((n for n in (1, 2) if len(words) > n + 1 and self._world.passive(keys[n])), 0)
            if verb and keys[0] in ("who", "which", "what") and not helping:
                return " ".join((event["asking"], "was", *words[verb + 1 :], self._world.passive(keys[verb])))
        return ""

    def _pointed(self, text: str) -> str:
        """A text with names for its pronouns, for "that film", "the director", "there", and "the former"."""
        names, words = self._world.names(text), list(re.finditer(r"[\w’'-]+", text))
        taken = [(named.start, named.end) for named in names] + [found.span() for found in _EXPLETIVE.finditer(text)]
        keys, changed = [word[0].lower() for word in words], text
        for at in range(len(words) - 1, -1, -1):
            start = words[at].start()
            last, phrase = (at, "") if any(a <= start < b for a, b in taken) else self._stands_for(keys, at, names)
            if phrase:
                changed = f"{changed[:start]}{phrase}{changed[words[last].end() :]}"
        return changed

    def _stands_for(self, keys: Sequence[str], at: int, names: Sequence[QuestionName]) -> tuple[int, str]:
        """The last word of what points at something, and what that is; "" where nothing does."""
        key, behind = keys[at].removesuffix("'s"), [*keys[at + 1 :], "", ""]
        if key in PRONOUNS:
            own = key in GENDERS and any("person" in self._world.kinds(named.name) for named in names)
            thing = None if own else owner(key, self._things, self._world, keys, names)
            owns = key in _OWNING or (key == "her" and behind[0] not in _SMALL | {""} and not behind[0].endswith("ly"))
            ending = "'s" if owns or keys[at].endswith("'s") else ""
            return at, f"{thing.name}{ending}" if thing is not None else ""
        if key == "there" and at and keys[at - 1] not in _HELPING:
            place = next((t.name for t in self._things if t.kinds & {"place", "organization"}), "")
            return at, place if not place or keys[at - 1] in PREPOSITIONS else f"in {place}"
        if key == "the" and behind[0] in _OF_TWO:
            one = behind[1] == "one" or self._world.lexicon.is_noun(behind[1])
            certain = one or behind[0] in ("former", "latter") or not behind[1]
            return at + 1 + one, one_of_two(behind[0], self._turns, self._world) if certain else ""
        if key in _POINTING and behind[0] and (key != "the" or not names):
            told = behind[1] in RELATIVE | PREPOSITIONS and behind[2:3] != [""]
            return at + 1, "" if told else self._meant(behind[0])
        return at, ""

    def _meant(self, noun: str) -> str:
        """The thing that is called so, else the newest one of the kind that a noun names."""
        world, owned = self._world, "'s" if noun.endswith("'s") else ""
        noun = noun.removesuffix("'s")
        name = next((t.name for t in self._things if world.is_a(t.name, noun)), "")
        if not name and world.lexicon.is_noun(noun):
            kind, gender = world.noun_kind(noun), world.lexicon.gender(fold(noun))
            fits = (t for t in self._things if kind in t.kinds and (gender is None or t.gender in (None, gender)))
            name = next((t.name for t in fits), "")
        return f"{name}{owned}" if name else ""

    def _fragment(self, phrase: str, *, led: bool) -> str:
        """The whole of a shortened question, "" where it cannot be completed; ``led`` says that "and" came before."""
        year = _YEAR.match(phrase)
        if year is not None:
            return re.sub(r"\b\d{4}\b", year["year"], self._last.question, count=1)
        first, _, rest = phrase.partition(" ")
        phrase = rest if first.lower() in PREPOSITIONS and rest else phrase
        # What was asked about comes before what was answered: "Who is his father?" "And his mother?"
        self._things.sort(key=lambda t: (t.turn, not t.asked))
        keys = _keys(phrase)
        if keys[:1] and keys[0] in PRONOUNS:
            thing, rest = owner(keys[0], self._things, self._world, keys, ()), phrase.partition(" ")[2]
            return "" if thing is None else self._related(rest, thing.name, led) if rest else self._instead(thing.name)
        if _OF_TWO & set(keys):
            phrase = self._pointed(phrase)
        noun = re.sub(r"^(?:the|an?|that|this)\s+", "", phrase, flags=re.IGNORECASE)
        relation = self._world.relation(noun)
        names = self._world.names(phrase, coined=" " not in phrase)
        if names or (self._world.linker.knows_exactly(phrase) and not relation):
            return self._instead(phrase, names)
        having = self._world.having(relation) if relation else frozenset()
        fits = (t.name for t in self._things if t.classes & having or (not relation and t.turn == 0 and t.asked))
        name = next(fits, "") if relation or (led and len(keys) <= _LONGEST) else ""
        return self._related(noun, name, led) if name else ""

    def _instead(self, phrase: str, names: Sequence[QuestionName] = ()) -> str:
        """The last question about another thing: in the place of one of the same kind, else of one that may be."""
        world, coined = self._world, bool(names) and names[0].coined
        kinds = world.kinds(names[0].name if names else phrase)
        slots = [(question, one, world.kinds(one.name)) for question, one in self._named(coined=coined)]
        slots.sort(key=lambda slot: (not kinds & slot[2], coined != slot[1].coined))
        for question, one, other in slots:
            if not (kinds and other) or kinds & other or ("person" in kinds) == ("person" in other):
                return _replaced(question, one, phrase)
        return f"{'Who' if kinds == {'person'} else 'What'} is {phrase}" if kinds else ""

    def _related(self, noun: str, name: str, led: bool) -> str:
        """ "mother" of a thing: in the last question's place of the thing, or of another relation of it.

        Only "and" puts it in the thing's own place ("Where was X born?" "And her mother?").
        """
        called = re.sub(r"['’]s? (?:\w+ )?name$", "", noun)  # "and her mother's name?" asks who she is
        led, noun, relation = led and called == noun, called, self._world.relation(called)
        kind = self._world.result(relation) if relation else None
        for question, named in self._named():
            if fold(named.name) not in (fold(name), fold(name.split(" (")[0])):
                continue
            other = _relation_at(question, named)
            if other is not None:
                if not relation or self._world.result(self._world.relation(question[slice(*other)])) == kind:
                    return f"{question[: other[0]]}{noun}{question[other[1] :]}"
            elif led and kind in self._world.kinds(name) and " " in question[: named.start].strip():
                return _replaced(question, named, f"the {noun} of {name}")
        return f"{'Who' if kind == 'person' else 'What'} is the {noun} of {name}"

    def _named(self, *, coined: bool = False) -> Iterator[tuple[str, QuestionName]]:
        """Where the last question, or a hop of it, names a thing."""
        return ((asked, named) for asked in self._last.questions for named in self._world.names(asked, coined=coined))


def _keys(text: str) -> list[str]:
    return re.findall(r"[\w’'-]+", text.lower())


def _is_clause(text: str) -> bool:
    """Whether words ask a question of their own, and do not only name a thing."""
    keys = _keys(text)
    return bool(keys) and (keys[0] in _HELPING | _COMMANDS or bool(QUESTIONING & set(keys)))


def _relation_at(question: str, named: QuestionName) -> tuple[int, int] | None:
    """Where the noun of "the director of X" or "X's director" stands."""
    before, after = _OF.search(question[: named.start]), _OWNED.match(question[named.end :])
    if before is not None:
        noun = before["noun"].rpartition(" the ")[2].removeprefix("the ")
        return before.end("noun") - len(noun), before.end("noun")
    return (named.end + after.start("noun"), named.end + after.end("noun")) if after is not None else None


def _replaced(question: str, named: QuestionName, phrase: str) -> str:
    """The question with a phrase in a name's place."""
    return f"{question[: named.start]}{phrase}{question[named.end :]}"


def _finished(question: str) -> str:
    """One line that begins with a capital and ends with a question mark."""
    text = " ".join(question.split()).rstrip(" ?.!,;")
    return f"{text[:1].upper()}{text[1:]}?"
