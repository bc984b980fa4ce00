"""Questions with a verb of their own: pronouns, "that film", "the director", "when was that?" and bare "when?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....cubes.folding import fold
from .genders import Gender
from .mentions import Mention, Word, words_of
from .referents import Asked, Referent, one_of_two
from .wording import ASKS, AUXILIARIES, PREPOSITIONS, finished, opening
from .world import World

__all__ = ["OF_TWO", "Pronouns", "owner"]

OF_TWO = frozenset({"former", "latter", "first", "second", "other"})
"""Words for one of two things that were named."""

_SHE, _HE = frozenset({"she", "her", "hers", "herself"}), frozenset({"he", "him", "his", "himself"})
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
_PRONOUNS = _SHE | _HE | _IT | _THEY
_OWNING = frozenset({"his", "its", "their", "hers", "theirs", "whose"})
_OBJECTS = frozenset({"him", "them"})
_POINTING = frozenset({"that", "this", "those", "these"})
_CLAUSES = frozenset({"and", "but", "or", "when", "who", "that", "which", "because", "while", "where", "whom", "if"})
_TELLING = frozenset({
    "of", "that", "which", "who", "whose", "where", "whom", "called", "named", "in", "from", "with", "behind",
})  # fmt: skip
"""Words behind a noun that say which one is meant."""
_PARTS = frozenset({
    "screenplay", "script", "music", "score", "soundtrack", "lyrics", "words", "story", "libretto", "text", "sequel",
    "photography", "cinematography", "costumes", "lead", "illustrations",
})  # fmt: skip
"""Parts of works that nobody asks for without meaning a work."""
_AFTER_HER = PREPOSITIONS | AUXILIARIES | ASKS | frozenset({
    "the", "a", "an", "and", "or", "but", "first", "most", "there", "then", "this", "that", "so", "as", "also", "too",
    "again",
})  # fmt: skip
_EXPLETIVE = re.compile(
    r"\bit\s+(?:\w+\s+)?(?:true|possible|known|likely|clear|correct|right)\b|\bit that\b", re.IGNORECASE
)
_EVENT = re.compile(
    r"^(?P<opening>when|where|how|why|(?:in |on )?(?:which|what) \w+) (?:was|is|did|does|were) (?:that|this|it)"
    r"(?: happen| take place| occur)?\s*\??$",
    re.IGNORECASE,
)
_AGREEING = {"were": "was", "are": "is", "have": "has", "do": "does"}
_ELSE = re.compile(r"\b(who|whom|what|where|which \w+) else\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Swap:
    """A stretch of the question and what it becomes."""

    start: int
    end: int
    text: str


class Pronouns:
    """Puts names into a question for the words that only point at them."""

    def __init__(self, world: World, things: Sequence[Referent], turns: Sequence[Asked]) -> None:
        self._world, self._things, self._turns = world, things, turns

    def clause(self, question: str) -> str:
        """Return the question with names in it, or as it is where nothing in it points back."""
        whole = self._about_the_last(question, self._turns[-1])
        if whole is not None:
            return finished(whole)
        words, mentions = words_of(question), self._world.mentions.find(question)
        about = self._put_in_front(question, mentions)
        if about is not None:
            return self.clause(about)
        swaps = [*self._pronouns(question, words, mentions), *self._pointed(words, mentions)]
        if not swaps and not mentions:
            swaps = self._part(words)
        if not swaps:
            return finished(question) if question[:1].islower() else question
        return finished(_ELSE.sub(r"\1", _swapped(question, swaps)))

    def _put_in_front(self, question: str, mentions: Sequence[Mention]) -> str | None:
        """ "X, where was she born?": the name in the pronoun's place."""
        if not mentions or mentions[0].start or question[mentions[0].end : mentions[0].end + 1] != ",":
            return None
        rest = question[mentions[0].end + 1 :].strip()
        words = words_of(rest)
        at = next((n for n, word in enumerate(words) if word.key.removesuffix("'s") in _PRONOUNS), None)
        if at is None or words[0].key not in ASKS | AUXILIARIES | PREPOSITIONS:
            return None
        return finished(_swapped(rest, _put(words, at, mentions[0].name)))

    def _about_the_last(self, question: str, last: Asked) -> str | None:
        """Read "When?", "In which city?" and "When was that?" as the last question with other asking words."""
        words = [word.key for word in words_of(question)]
        event = _EVENT.match(question)
        if event is not None and (words[-1] in _POINTING or words[-1] in ("happen", "occur", "place")):
            return self._asked_otherwise(event["opening"], last) or self._happened(question)
        bare = len(words) <= 4 and not any(word in AUXILIARIES | _PRONOUNS for word in words)
        at = 1 if words[0] in PREPOSITIONS and len(words) > 1 else 0
        nouns = all(self._world.is_noun(word) for word in words[at + 1 :])
        if bare and words[at] in ASKS and nouns:
            return self._asked_otherwise(question.rstrip(" ?"), last)
        return None

    def _asked_otherwise(self, asking: str, last: Asked) -> str | None:
        """The last question with other asking words: "Who wrote X?" with "when" is "When was X written?"."""
        for asked in last.questions:
            opened = opening(asked)
            words = words_of(asked)
            first = words[0].key if words else ""
            if opened is not None and (first in PREPOSITIONS or first in ("where", "when", "how", "why")):
                return f"{asking} {opened.rest}"
            if opened is not None and first in ("which", "what") and self._is_adverbial(opened.rest):
                return f"{asking} {opened.rest.rsplit(' ', 1)[0]}"
            done = self._done_to(asked, words)
            if done is not None:
                return f"{asking} was {done}"
        return None

    def _is_adverbial(self, rest: str) -> bool:
        """Whether a question ends in the preposition of its asking words: "Which city was X born in"."""
        return rest.rsplit(" ", 1)[-1].lower() in PREPOSITIONS

    def _done_to(self, question: str, words: Sequence[Word]) -> str | None:
        """ "The Salt Lantern directed" of "Who directed The Salt Lantern?"."""
        if len(words) < 3 or words[0].key not in ("who", "which", "what"):
            return None
        verb = next((n for n in (1, 2) if self._world.passive(words[n].key) is not None), None)
        if verb is None or verb + 1 >= len(words) or any(w.key in AUXILIARIES for w in words[1:verb]):
            return None
        thing = question[words[verb].end :].strip().rstrip("?").strip()
        return f"{thing} {self._world.passive(words[verb].key)}" if thing else None

    def _happened(self, question: str) -> str | None:
        """ "When was that?" of a thing that happens, such as the last answer."""
        newest = (t for t in self._things if t.turn == 0)
        thing = next((t for t in newest if t.kinds and not t.kinds & {"person", "place"}), None)
        return re.sub(r"\b(?:that|this|it)\b", lambda _: thing.name, question, count=1) if thing is not None else None

    # -- pronouns ----------------------------------------------------------------------------------------------------

    def _pronouns(self, question: str, words: Sequence[Word], mentions: Sequence[Mention]) -> list[_Swap]:
        idle = [(found.start(), found.end()) for found in _EXPLETIVE.finditer(question)]
        chosen: dict[str, Referent | None] = {}
        swaps: list[_Swap] = []
        for at, word in enumerate(words):
            base = word.key.removesuffix("'s")
            if base not in _PRONOUNS or any(a <= word.start < b for a, b in idle) or _inside(word, mentions):
                continue
            if self._is_bound(base, at, words, mentions):
                continue
            group = next(name for name, kin in (("f", _SHE), ("m", _HE), ("it", _IT), ("they", _THEY)) if base in kin)
            if group not in chosen:
                chosen[group] = owner(base, self._things, self._world, [w.text for w in words], mentions)
            thing = chosen[group]
            if thing is not None:
                swaps += _put(words, at, thing.name)
        return swaps

    def _is_bound(self, pronoun: str, at: int, words: Sequence[Word], mentions: Sequence[Mention]) -> bool:
        """Whether something named before it in the same question is meant ("Where did X meet her husband?").

        The object of a verb is never its subject, so that one needs another clause in between.
        """
        word = words[at]
        before = [m for m in mentions if m.end <= word.start]
        if pronoun in _OBJECTS | _IT | {"her"} and not owning(pronoun, words, at) and not _subject(words, at):
            before = [m for m in before if any(w.key in _CLAUSES for w in words[:at] if w.start >= m.end)]
        if any(self._agrees(pronoun, m.name) for m in before):
            return True
        nouns = (w.key for n, w in enumerate(words[:at]) if n and w.key not in _PRONOUNS)
        parted = any(w.key in _CLAUSES for w in words[1:at])
        return pronoun not in _IT and parted and any(self._noun_agrees(pronoun, noun) for noun in nouns)

    def _agrees(self, pronoun: str, name: str) -> bool:
        kinds = self._world.kinds(name)
        if pronoun in _IT:
            return "person" not in kinds
        if pronoun in _THEY:
            return True
        gender = self._world.gender(name) if not kinds or "person" in kinds else None
        return (not kinds or "person" in kinds) and gender in (None, _wanted(pronoun))

    def _noun_agrees(self, pronoun: str, noun: str) -> bool:
        key = fold(noun)
        if key not in self._world.person_nouns:
            return False
        return self._world.lexicon.gender(key) in (None, _wanted(pronoun))

    # -- "that film", "the director", "there", "the former" ----------------------------------------------------------

    def _pointed(self, words: Sequence[Word], mentions: Sequence[Mention]) -> list[_Swap]:
        swaps: list[_Swap] = []
        for at, word in enumerate(words):
            if _inside(word, mentions):
                continue
            if word.key == "there" and at and words[at - 1].key not in AUXILIARIES:
                swaps += self._there(words, at)
            elif word.key == "one" and at and words[at - 1].key in ("that", "this"):
                thing = owner("it", self._things, self._world, [w.text for w in words], mentions)
                swaps += [_Swap(words[at - 1].start, word.end, thing.name)] if thing is not None else []
            elif word.key in OF_TWO and at and words[at - 1].key == "the":
                swaps += self._one_of_two(words, at)
            elif at + 1 < len(words) and (word.key in _POINTING or (word.key == "the" and not mentions)):
                swaps += self._noun(words, at)
        return swaps

    def _there(self, words: Sequence[Word], at: int) -> list[_Swap]:
        place = next((t for t in self._things if t.kinds & {"place", "organization"}), None)
        if place is None:
            return []
        led = words[at - 1].key in PREPOSITIONS
        return [_Swap(words[at].start, words[at].end, place.name if led else f"in {place.name}")]

    def _one_of_two(self, words: Sequence[Word], at: int) -> list[_Swap]:
        following = words[at + 1] if at + 1 < len(words) else None
        noun = following is not None and (following.key == "one" or self._world.is_noun(following.key))
        ends = words[at].key == "other" and following is None
        if words[at].key not in ("former", "latter") and not noun and not ends:
            return []  # "the first to"
        name = one_of_two(words[at].key, self._turns, self._world)
        end = following.end if following is not None and noun else words[at].end
        return [_Swap(words[at - 1].start, end, name)] if name else []

    def _noun(self, words: Sequence[Word], at: int) -> list[_Swap]:
        """ "that film", "the director": a noun without anything that says which."""
        for length in (3, 2, 1):
            nouns = words[at + 1 : at + 1 + length]
            following = words[at + 1 + length] if at + 1 + length < len(words) else None
            told = following is not None and following.key in _TELLING and following is not words[-1]
            if len(nouns) < length or told:
                continue
            phrase = " ".join(word.key for word in nouns)
            span = (words[at].start, nouns[-1].end)
            named = self._named(phrase, span, pointing=words[at].key in _POINTING)
            if named is not None:
                return [named]
        return []

    def _part(self, words: Sequence[Word]) -> list[_Swap]:
        """ "Who wrote the screenplay?": of the thing that has one."""
        if len(words) < 4 or words[-2].key != "the" or words[-1].key not in _PARTS:
            return []
        foreseen = self._world.foreseen([word.text for word in words]) - {"person"}
        thing = next((t for t in self._things if t.classes & foreseen), None)
        return [_Swap(words[-1].end, words[-1].end, f" of {thing.name}")] if thing is not None else []

    def _named(self, phrase: str, span: tuple[int, int], *, pointing: bool) -> _Swap | None:
        world = self._world
        bare, owned = phrase.removesuffix("'s"), phrase.endswith("'s")
        ending = "'s" if owned else ""
        if fold(bare) in world.lexicon.asks and not pointing and not self._told(bare):
            having = world.having(fold(bare))
            base = next((t for t in self._things if t.classes & having), None)
            return _Swap(*span, f"the {bare} of {base.name}{ending}") if base is not None else None
        thing = self._told(bare) or (self._alike(bare) if world.is_noun(bare) else None)
        return _Swap(*span, f"{thing.name}{ending}") if thing is not None else None

    def _told(self, noun: str) -> Referent | None:
        """The thing that its own facts call so."""
        return next((t for t in self._things if self._world.is_a(t.name, noun)), None)

    def _alike(self, noun: str) -> Referent | None:
        """The thing of the kind that a noun names; "the man" is no woman."""
        kind, gender = self._world.noun_kind(noun), self._world.lexicon.gender(fold(noun))
        if kind is None:
            return None
        return next(
            (t for t in self._things if kind in t.kinds and (gender is None or t.gender in (None, gender))), None
        )


def owner(
    pronoun: str,
    things: Sequence[Referent],
    world: World,
    words: Sequence[str],
    mentions: Sequence[Mention] = (),
) -> Referent | None:
    """Return what a pronoun stands for among ``things``, the likeliest first; ``words`` are those of the question."""
    taken = {fold(m.name) for m in mentions}
    free = [t for t in things if fold(t.name) not in taken]
    if pronoun in _SHE | _HE:
        persons = [t for t in free if t.is_person() is not False]
        wanted = _wanted(pronoun)
        fitting = [t for t in persons if t.gender == wanted]
        untold = [t for t in persons if t.gender is None and t.is_person()]
        unknown = [t for t in persons if t.gender is None and t.is_person() is None]
        # A person of the newest turn whose gender nobody tells comes before one named long ago.
        near = [t for t in untold if not fitting or t.turn < fitting[0].turn]
        return next(iter((*near, *fitting, *untold, *unknown)), None)
    foreseen = world.foreseen(words)
    if pronoun in _THEY:
        groups = [t for t in free if "organization" in t.kinds]
        return next(iter((*groups, *(t for t in free if t.is_person()), *free)), None)
    plain = [t for t in free if not t.is_person() or t.classes - {"person"}]
    topics = {t.turn for t in plain if t.role == "asked"}

    def rank(thing: Referent) -> tuple[bool, int, bool]:
        return not (thing.classes & foreseen or not foreseen), thing.turn, thing.setting and thing.turn in topics

    ordered = sorted(plain, key=rank)
    if not ordered:
        return None
    best = ordered[0]
    same = [t for t in ordered if t.turn == best.turn and t.classes & foreseen]
    return next((t for t in same if world.holds(t.name, words)), best)


def owning(pronoun: str, words: Sequence[Word], at: int) -> bool:
    """Whether a pronoun says whose something is; "her" does before a noun."""
    if pronoun != "her":
        return pronoun in _OWNING
    following = words[at + 1] if at + 1 < len(words) else None
    return following is not None and following.key not in _AFTER_HER and not following.key.endswith("ly")


def _put(words: Sequence[Word], at: int, name: str) -> list[_Swap]:
    """The name in the pronoun's place, with the verb before it in the singular where "they" had the plural."""
    word = words[at]
    base = word.key.removesuffix("'s")
    ending = "'s" if owning(base, words, at) or word.key.endswith("'s") else ""
    swaps = [_Swap(word.start, word.end, f"{name}{ending}")]
    if base == "they" and at and words[at - 1].key in _AGREEING:
        swaps.append(_Swap(words[at - 1].start, words[at - 1].end, _AGREEING[words[at - 1].key]))
    return swaps


def _wanted(pronoun: str) -> Gender | None:
    return "f" if pronoun in _SHE else "m" if pronoun in _HE else None


def _subject(words: Sequence[Word], at: int) -> bool:
    """Whether a pronoun comes right after an auxiliary, and so is its subject: "was it released"."""
    return at > 0 and words[at - 1].key in AUXILIARIES


def _inside(word: Word, mentions: Sequence[Mention]) -> bool:
    return any(m.start <= word.start < m.end for m in mentions)


def _swapped(question: str, swaps: Sequence[_Swap]) -> str:
    for swap in sorted(swaps, key=lambda swap: -swap.start):
        question = question[: swap.start] + swap.text + question[swap.end :]
    return question
