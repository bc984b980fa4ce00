"""Shortened questions: "And her mother?", "What about X?", "The composer?", "In 1962?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ....cubes.folding import fold
from .mentions import Mention, words_of
from .pronouns import OF_TWO, owner
from .referents import Asked, Referent, one_of_two
from .wording import PREPOSITIONS, finished
from .world import World

__all__ = ["Fragments"]

_OWNERS = frozenset({"his", "her", "its", "their"})
_ALONE = frozenset({"him", "her", "it", "them", "he", "she", "they"})
_YEAR = re.compile(r"^(?:in |of |from )?(?P<year>\d{4})$")
_ANY_YEAR = re.compile(r"\b\d{4}\b")
_ARTICLE = re.compile(r"^(?:the|a|an|that|this)\s+", re.IGNORECASE)
_OF = re.compile(r"\b(?P<the>the )?(?P<noun>[a-z][a-z -]{0,40}?) (?:of|for|behind) $", re.IGNORECASE)
_OWNED = re.compile(r"^['’]s? (?P<noun>[a-z][a-z -]*)")
_NAME = re.compile(r"['’]s? (?:full |first |last )?name$", re.IGNORECASE)
_LONGEST = 5  # words of a shortened question that names no relation of the ontology


class Fragments:
    """Completes a shortened question by the last one."""

    def __init__(self, world: World, things: Sequence[Referent], turns: Sequence[Asked]) -> None:
        self._world, self._turns, self._last = world, turns, turns[-1]
        # What was asked about comes before what was answered: "Who is his father?" "And his mother?"
        order = {"asked": 0, "answer": 1, "hop": 2}
        self._things = sorted(things, key=lambda t: (t.turn, order[t.role]))

    def read(self, text: str, *, led: bool) -> str:
        """Return the whole question, "" where the words cannot be completed; ``led`` says that "and" came before."""
        phrase = text.strip().rstrip("?.! ")
        year = _YEAR.match(phrase)
        if year is not None:
            return self._dated(year["year"])
        first, _, rest = phrase.partition(" ")
        if first.lower() in PREPOSITIONS and rest:
            phrase = rest
        words = words_of(phrase)
        if len(words) == 1 and words[0].key in _ALONE:
            thing = owner(words[0].key, self._things, self._world, ())
            return self._instead(thing.name, thing.kinds) if thing is not None else ""
        pointing = [word.key for word in words if word.key in OF_TWO]
        if len(pointing) == 1 and {word.key for word in words} <= {"the", "one", *pointing}:
            name = one_of_two(pointing[0], self._turns, self._world)
            return self._instead(name, self._world.kinds(name)) if name else ""
        if words and words[0].key in _OWNERS:
            thing = owner(words[0].key, self._things, self._world, [w.text for w in words])
            return self._related(phrase[words[0].end :].strip(), thing, led=led) if thing is not None else ""
        return self._named(phrase, led=led)

    def _named(self, phrase: str, *, led: bool) -> str:
        """A phrase without a pronoun: a name, a description with a name in it, or a bare noun."""
        mentions = self._world.mentions.find(phrase)
        if not mentions and self._world.linker.knows_exactly(phrase) and not self._world.relation(phrase):
            return self._instead(phrase, self._world.kinds(phrase))
        if not mentions:
            return self._bare(_ARTICLE.sub("", phrase), led=led)
        whole = len(mentions) == 1 and mentions[0].end >= len(phrase) - 1
        if whole and _ARTICLE.sub("", phrase[: mentions[0].described]).strip() == "":
            return self._instead(phrase, self._world.kinds(mentions[0].name))
        if not led:
            return ""
        relation = self._world.relation(_ARTICLE.sub("", phrase[: mentions[0].start]).removesuffix(" of ").strip())
        owned = _OWNED.match(phrase[mentions[0].end :])
        relation = self._world.relation(owned["noun"]) if owned is not None else relation
        kind = self._world.result(relation) if relation else None
        return self._instead(phrase, frozenset({kind}) if kind else frozenset())

    def _bare(self, noun: str, *, led: bool) -> str:
        """ "the composer": of what has one."""
        relation = self._world.relation(noun)
        if relation:
            having = self._world.having(relation)
            return self._related(noun, next((t for t in self._things if t.classes & having), None), led=led)
        named = [t for t in self._things if t.turn == 0 and t.role == "asked"]
        if led and named and 0 < len(words_of(noun)) <= _LONGEST:
            return self._related(noun, named[0], led=led)
        return ""

    def _dated(self, year: str) -> str:
        """The last question of another year."""
        changed = _ANY_YEAR.sub(year, self._last.question, count=1)
        return finished(changed) if changed != self._last.question else ""

    # -- another thing in the last question --------------------------------------------------------------------------

    def _instead(self, phrase: str, kinds: frozenset[str]) -> str:
        """The last question about another thing of the same kind."""
        for question in self._last.questions:
            mentions = self._world.mentions.find(question)
            found = next((m for m in mentions if kinds & self._world.kinds(m.name)), None)
            if found is not None:
                return finished(_replaced(question, found, phrase))
        mentions = self._world.mentions.find(self._last.question)
        if mentions and (not kinds or self._interchangeable(kinds, mentions[0])):
            return finished(_replaced(self._last.question, mentions[0], phrase))
        if not kinds:
            return ""
        return finished(f"{'Who' if kinds == {'person'} else 'What'} is {phrase}")

    def _interchangeable(self, kinds: frozenset[str], mention: Mention) -> bool:
        """Whether a thing may stand where another is named of which the cubes know no common class."""
        others = self._world.kinds(mention.name)
        return not others or ("person" in kinds) == ("person" in others)

    # -- another relation of a thing ---------------------------------------------------------------------------------

    def _related(self, noun: str, thing: Referent | None, *, led: bool) -> str:
        """ "mother" of a thing: in the last question's place of the thing, or of another relation of it.

        Only "and" puts it in the thing's own place ("Where was X born?" "And her mother?").
        """
        if thing is None:
            return ""
        named = _NAME.sub("", noun)
        led, noun = led and named == noun, named  # "and her mother's name?" asks who she is
        relation = self._world.relation(noun)
        kind = self._world.result(relation) if relation else None
        for question, mention in self._places(thing):
            other = _relation_at(question, mention)
            if other is not None:
                span, told = other
                same = self._world.result(self._world.relation(told)) == kind
                if same or not relation:
                    return finished(f"{question[: span[0]]}{noun}{question[span[1] :]}")
            elif led and kind is not None and kind in thing.kinds and not _asks_what(question, mention):
                return finished(_replaced(question, mention, f"the {noun} of {thing.name}"))
        asking = "Who" if kind == "person" else "What"
        return finished(f"{asking} is the {noun} of {thing.name}")

    def _places(self, thing: Referent) -> Iterator[tuple[str, Mention]]:
        """Where the last question, or a hop of it, names a thing."""
        for question in self._last.questions:
            for mention in self._world.mentions.find(question):
                if fold(mention.name) == fold(thing.name) or fold(mention.name) == fold(thing.name.split(" (")[0]):
                    yield question, mention


def _relation_at(question: str, mention: Mention) -> tuple[tuple[int, int], str] | None:
    """The noun of "the director of X" or "X's director", and where it stands."""
    before = _OF.search(question[: mention.described])
    if before is not None:
        noun = before["noun"].rpartition(" the ")[2]
        start = before.end("noun") - len(noun)
        return (start, before.end("noun")), noun
    after = _OWNED.match(question[mention.end :])
    if after is None:
        return None
    noun = after["noun"].split()[0]
    start = mention.end + after.start("noun")
    return (start, start + len(noun)), noun


def _replaced(question: str, mention: Mention, phrase: str) -> str:
    """The question with a phrase in a name's place, its description and article with it."""
    front = question[: mention.described]
    if front.lower().endswith(" the ") and phrase.lower().startswith("the "):
        phrase = phrase[4:]
    return f"{front}{phrase}{question[mention.end :]}"


def _asks_what(question: str, mention: Mention) -> bool:
    """Whether a question only asks what a thing is: "Who is X?"."""
    return len(words_of(question[: mention.described])) <= 2 and not question[mention.end :].strip(" ?.")
