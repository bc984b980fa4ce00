"""Questions that ask the same of several things, and what their answers come to.

Every one is read as three parts: the things set side by side ("A or B"), a predicate that is asked of each of them
("born", "an American director"), and the operator that the words around name ("older", "both", "the same").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from ..plan import (
    AnswerType,
    OpenStep,
    Operation,
    Plan,
    QuestionEntity,
    RelationStep,
    Term,
    is_linked,
    is_truth,
)
from ..vocabulary.lexicon import Comparative, SameAs
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS, QUESTIONING
from ..vocabulary.words import Word, written
from .claims import FILLERS, OPENING, ClaimReader
from .terms import TermParser, looked_up

__all__ = ["EachOfParser"]

_SHARED = frozenset({"same", "share", "shared", "common"})
_SHARING = _SHARED | {"both", "mutual", "each"}
_KINDS = frozenset({"type", "kind", "sort"})
_EMPTY = QUESTIONING | OPENING | ARTICLES | _SHARING | _KINDS | {"of", "thing", "as", "know", "known", "in", "two", ""}
"""Words around a noun that asks what things have in common, which say nothing of what that is."""
_COMPARING = frozenset({
    "more", "most", "less", "least", "fewer", "fewest", "better", "best", "worse", "than", "same", "only",
})  # fmt: skip
_LISTED = re.compile(
    r"^of\b|\b(?:out of|between|among|two)\b|^(?:which|who|what)(?: one| \w+)? of\b|(?:est|first|last) of\b",
    re.IGNORECASE,
)
"""Openings after which two things joined by "and" are alternatives."""
_ONE_OF = re.compile(
    r"^(?:in )?(?:of|between|among)\b|\bout of\b|\b(?:which|who|what) (?:one\b|of (?:them|these|those|the two)\b)"
    r"|^(?:which|who|what) (?:\w+ )?of\b",
    re.IGNORECASE,
)
_NEAR = 6  # words between the things and the question word behind them
_AROUND = 10  # words between a joining word and the name behind it
_CLASS = 2  # words of a class in front of the things ("the rock bands A and B")
_CLAIMING = ("than", "before", "after")
_LISTING = frozenset({"of", "between", "among", "are", "were", "both", "do", "did"})


@dataclass(frozen=True)
class _Said:
    """A question's words, and the things among them that stand side by side: the places of their names."""

    words: Sequence[Word]
    places: Sequence[int] = ()
    items: tuple[QuestionEntity, ...] = ()

    @cached_property
    def keys(self) -> list[str]:
        return [word.key for word in self.words]

    @cached_property
    def frame(self) -> list[str]:
        """The plain words of the question."""
        return [key for key in self.keys if key]

    @property
    def front(self) -> Sequence[Word]:
        return self.words[: self.places[0]]

    @property
    def behind(self) -> Sequence[Word]:
        return self.words[self.places[-1] + 1 :]

    @property
    def asked(self) -> int:
        """Where the question word stands."""
        return next((i for i, word in enumerate(self.keys) if word in QUESTIONING), len(self.keys) + _NEAR)

    def has(self, *words: str) -> bool:
        """Whether one of some words is said."""
        return not set(words).isdisjoint(self.frame)

    def joins(self, *words: str) -> list[int]:
        """Where joining words stand; "and" may be written "&"."""
        return [i for i, word in enumerate(self.words) if word.text in words]

    def before(self, at: int) -> list[str]:
        """The words right before a name, as far back as punctuation or another name."""
        near = takewhile(lambda word: word.plain, reversed(self.words[max(0, at - 7) : at]))
        return [word.key or word.text for word in near][::-1]

    def is_introduced(self) -> bool:
        """Whether the question follows soon on the names: "A and B: which ..."."""
        return 0 < self.asked - self.places[-1] <= _NEAR + 1

    def is_set_apart(self) -> bool:
        """Whether names joined by "or" stand where a question names what to choose from, and not in what it tells."""
        asked = 0 if self.keys[0] in AUXILIARIES else self.asked
        if asked >= self.places[0]:
            return self.is_introduced()
        before = next(i for i in range(self.places[0] - 1, -1, -1) if self.keys[i] not in ARTICLES)
        parted = self.words[before].kind == "mark" or before == asked or self.keys[before] in ("of", "between")
        return parted or (not self.behind and self.keys[before] not in PREPOSITIONS)

    def is_adjacent(self) -> bool:
        """Whether nothing but small words, or a class named with "both", stands before and between the items."""
        before, small = self.front[1:], FILLERS | ARTICLES | {"and", ""}
        between = {self.keys[i] for i in range(self.places[0], self.places[-1])}
        said = {word.key for word in before} - small
        classed = all(word.kind in ("word", "mark") for word in before) and (self.has("both") or len(said) <= _CLASS)
        return between <= small and (classed or not said)

    def of_each(self, dropped: Iterable[str], behind: Iterable[str] = ()) -> Iterator[str]:
        """The question asked of each item alone, without the words that ask it of all."""
        front = [w.text for w in self.front if w.key not in dropped]
        rest = [w.text for w in self.behind if w.key not in behind]
        return (written([*front, *self._called(*each), *rest]) for each in zip(self.places, self.items, strict=True))

    def _called(self, at: int, item: QuestionEntity) -> Sequence[str]:
        """A thing's name, with what it is described by where the name is another thing's: "the director of A"."""
        before = max((i for i in self.joins("and", "&") if i < at), default=at)
        described = [word.text for word in self.words[before + 1 : at]]
        return (*described, item.name) if "of" in described else (item.name,)


class EachOfParser:
    """Reads such questions: by each operator in turn, over the things on both sides of its joining words.

    ``claims`` reads what is claimed of one thing, ``asked`` a question about one thing as a term.
    """

    def __init__(self, terms: TermParser, claims: ClaimReader, asked: Callable[[str], Term | None]) -> None:
        self._terms, self._lexicon, self._claims, self._asked = terms, terms.lexicon, claims, asked

    def read(self, text: str) -> Plan | None:
        """Return the plan of a question about several things; None where it is about one."""
        said = _Said(self._terms.words.read(text))
        if not said.words:
            return None
        verdict, opens, asks = said.keys[0] in AUXILIARIES, said.keys[0] in OPENING, said.has(*QUESTIONING)
        either = ("and", "&") if _ONE_OF.search(text) and not said.joins("or") else ("or",)
        compared = _CLAIMING if verdict and said.joins(*_CLAIMING) else ("or",) if said.joins("or") else ("and", "&")
        readers = (
            (self._same, ("and", "&", "as"), verdict and said.has(*_SHARING)),
            (self._common, ("and", "&"), not opens and asks),
            (self._compared, compared, True),
            (self._chosen, either, asks and not said.has(*_COMPARING)),
            (self._named, either, True),
            (self._every, ("and", "&"), opens and not said.has("or", "share", "common")),
        )
        plans = (
            read(each)
            for read, joins, fits in readers
            if fits and (at := said.joins(*joins))
            for each in self._side_by_side(said.words, at)
        )
        return next((plan for plan in plans if plan is not None), None)

    def _side_by_side(self, words: Sequence[Word], joins: Sequence[int]) -> Iterator[_Said]:
        """The things beside each joining word, and those listed before them, known and longest names first."""
        found: list[tuple[int, int, list[int]]] = []
        for join in joins:
            left, right = self._before(words, join), self._behind(words, join)
            if left is not None and right is not None:
                both = words[left], words[right]
                length = sum(len(word.text.split()) for word in both)
                found.append((sum(word.known for word in both), length, [*self._listed(words, left), left, right]))
        for _, _, places in sorted(found, key=lambda each: each[:2], reverse=True):
            yield _Said(words, places, tuple(self._terms.described(words, at)[1] for at in places))

    def _before(self, words: Sequence[Word], join: int) -> int | None:
        """The name that ends at the joining word, or somewhere before "as"."""
        at = join - 1 - (words[join - 1].kind == "mark")
        if at >= 0 and words[at].kind == "name":
            return at
        names = [i for i in range(1, join) if words[i].kind == "name"] if words[join].key in ("as", *_CLAIMING) else []
        return max(names, key=lambda i: (words[i].known, len(words[i].text)), default=None)

    def _behind(self, words: Sequence[Word], join: int) -> int | None:
        """The first name soon behind the joining word; only plain words may stand between."""
        near = range(join + 1, min(join + 1 + _AROUND, len(words)))
        at = next((i for i in near if not words[i].plain and words[i].kind != "mark"), None)
        return at if at is not None and words[at].kind == "name" else None

    def _listed(self, words: Sequence[Word], first: int) -> list[int]:
        """More names before the first one, parted by commas: "A, B or C", but not "directed by C, A or B"."""
        found: list[int] = []
        while first > 2 and words[first - 1].text == "," and words[first - 2].kind == "name":
            first -= 2
            opening = words[first - 1]
            plural = opening.key != opening.text and self._terms.classes(opening.key)
            if not (opening.kind == "mark" or opening.key in _LISTING or plural):
                break
            found.insert(0, first)
        return found

    # Sameness and what is shared ------------------------------------------------------------------------------

    def _same(self, said: _Said) -> Plan | None:
        """ "Are A and B from the same country?", "Do A and B have a director in common?"."""
        shared = self._shared(said.frame)
        if shared is None:
            return None
        bases = self._with_roles(said, shared.relations)
        steps = tuple(self._measure(base, shared.relations, level=shared.level) for base in bases)
        return Operation("same", steps, level="value" if shared.level == "year" else shared.level)

    def _shared(self, frame: Sequence[str]) -> SameAs | None:
        """What the things are asked to share, from the words around them."""
        lexicon = self._lexicon
        keys = [w for w in frame if w in lexicon.sameness]
        named = [k for k in keys if lexicon.sameness[k].level in ("country", "place")]
        if not _SHARED & set(frame):
            return None
        done = next((f"{w} by" for w in frame if f"{w} by" in lexicon.passives), None)
        if done is not None and not named and "year" not in keys:  # "directed by the same person"
            return SameAs(lexicon.passives[done], "value")
        if not keys:  # any other noun of a relation: "the same designer"
            asked = [w for w in frame if w in lexicon.asks]
            return SameAs(lexicon.asks[asked[-1]], "value") if asked else None
        shared = lexicon.sameness[(named or keys)[-1]]
        if shared.level == "year":
            told = next((lexicon.events[w] for w in frame if w in lexicon.events), shared.relations)
            return replace(shared, relations=told)
        verb = next((w for w in ("born", "died", "die") if w in frame and shared.level == "place"), None)
        placed = "born in" if verb == "born" else "died in" if verb is not None else ""
        return replace(shared, relations=(placed,)) if placed in lexicon.relations else shared

    def _common(self, said: _Said) -> Plan | None:
        """ "What nationality are both A and B?", "What do A and B have in common?", "A and B are both what?"."""
        before = said.keys[said.places[0] - 1]
        if len(said.items) != 2 or not (said.has(*_SHARING) or before in ("do", "are", "were", "did")):
            return None
        noun = _shared_noun(said)
        if noun is not None and (not noun or noun[-1] not in self._lexicon.asks or said.has(*_KINDS)):
            return Operation("common", tuple(self._terms.cues.what_is(item) for item in said.items))
        if noun:
            terms = [self._terms.term(f"the {noun[-1]} of {item.name}") for item in said.items]
        else:
            each = said.of_each({"both", "do", "doe", "did"}, {"both", "each", "share", "common", "have", "in"})
            terms = [term for text in each if (term := self._asked(text)) is not None and is_linked(term)]
        steps = tuple(term for term in terms if isinstance(term, RelationStep) and term.relations)
        return Operation("common", steps) if len(steps) == len(said.items) else None

    # Comparisons ----------------------------------------------------------------------------------------------

    def _compared(self, said: _Said) -> Plan | None:
        """ "Which film came out first, A or B?", "Is A older than B?"."""
        claimed = said.joins(*_CLAIMING) and said.keys[0] in AUXILIARIES
        listed = claimed or said.joins("or") or _LISTED.search(written([word.text for word in said.words]))
        compared = self._comparative(said.frame) if listed or said.is_introduced() else None
        if compared is None:
            return None
        bases = self._with_roles(said, compared.relations)
        ends = [self._measure(base, compared.relations, said.frame) for base in bases]
        parts: list[RelationStep | Operation] = [*ends]
        if compared.starts:
            starts = [self._measure(base, compared.starts) for base in bases]
            parts = [Operation("days", pair) for pair in zip(starts, ends, strict=True)]
        persons = all(isinstance(base, RelationStep) for base in bases) and said.frame[:1] == ["who"]
        items = tuple(bases) if persons else said.items
        plan = Operation(compared.order, tuple(parts), items)
        return Operation("is", (plan,), value=said.items[0].name) if claimed else plan

    def _comparative(self, frame: Sequence[str]) -> Comparative | None:
        """The longest comparing phrase; its words may be parted by others ("released ... first")."""
        text, held = f" {' '.join(frame)} ", set(frame)
        if " first to " in text or " last to " in text:  # who did something first, which no date of theirs tells
            return None
        comparatives = self._lexicon.comparatives
        best = _longest(key for key in comparatives if f" {key} " in text)
        apart = _longest(key for key in comparatives if " " in key and held.issuperset(key.split()))
        return comparatives.get(apart if len(apart.split()) > len(best.split()) else best)

    def _with_roles(self, said: _Said, taken: Sequence[str]) -> list[Term]:
        """The things compared; a role found for only one of them is meant for all."""
        near = [said.before(at) for at in said.places]
        bases = [self._with_role(said, *each, taken) for each in zip(said.items, near, strict=True)]
        roles = [base for base in bases if isinstance(base, RelationStep)]
        if len(roles) == 1 and not any(near):
            return [base if isinstance(base, RelationStep) else replace(roles[0], base=base) for base in bases]
        return bases

    def _with_role(self, said: _Said, item: QuestionEntity, near: Sequence[str], taken: Sequence[str]) -> Term:
        """The item itself, or the director, author ... of it where the question asks about that person."""
        lexicon = self._lexicon
        of = max((i for i, w in enumerate(near) if w == "of"), default=-1)
        apposed = set(near[of + 1 :])  # "the novelist X": X is one, not somebody's
        cubes = {s.cube for s in self._terms.linker.link(item.name)}
        for word in (*reversed(near[: of + 1]), *(w for w in said.frame if w not in apposed)):
            asks = lexicon.asks.get(word, ())
            names = tuple(n for n in asks if any(r.cube in cubes for r in lexicon.relations[n]))
            kinds = {lexicon.relations[n][0].kind for n in names}
            if names and kinds <= {"person", "name"} and not set(taken) & set(names):
                return RelationStep(item, names, f"Who is the {word} of {{}}?", AnswerType("person"), (word,))
        return item

    def _measure(self, base: Term, names: Sequence[str], frame: Sequence[str] = (), level: str = "") -> RelationStep:
        """The step that looks a value up: by a relation that the question names ("larger by population"), or any."""
        told = tuple(n for n in names if n in frame and n in self._lexicon.relations)
        kept = self._terms.cues.known(told or names, base)
        if level == "country" and kept[:1] == ("located in",):
            return RelationStep(
                base, kept, "In which country is {} located?", AnswerType("place", "country"), ("located",)
            )
        return RelationStep(base, kept, looked_up(kept), AnswerType(self._lexicon.kind_of(kept)), tuple(kept[:1]))

    # Claims ---------------------------------------------------------------------------------------------------

    def _chosen(self, said: _Said) -> Plan | None:
        """ "Which singer is American, A or B?", "Who directed C, A or B?"."""
        if not any(item.linked for item in said.items):
            return None
        named = {*said.places, *(at - 1 for at in said.places if said.keys[at - 1] == "the")}
        rest = [w for i, w in enumerate(said.words) if i not in named and w.kind != "mark" and w.text != "or"]
        auxiliary, words = _predicate(rest)
        if words:
            claims = [self._claims.of(item, auxiliary, words) for item in said.items]
            told = all(claims) and not all(is_truth(part) for parts in claims for part in parts)
            return Operation("choose", tuple(Operation("all", c) for c in claims), said.items) if told else None
        term = self._asked(written([w.text for w in rest]))  # "Who wrote C, A or B?"
        if not isinstance(term, RelationStep) or not term.relations or not is_linked(term):
            return None
        return Operation("choose", tuple(Operation("is", (term,), value=item.name) for item in said.items), said.items)

    def _named(self, said: _Said) -> Plan | None:
        """The names that a question lets choose from, whatever it asks of them: "Is A or B the oldest abbey?"."""
        if said.joins("or") and not said.is_set_apart():
            return None
        return Operation("one of", (OpenStep(written([w.text for w in said.words]) + "?"),), said.items)

    def _every(self, said: _Said) -> Plan | None:
        """ "Are A and B both American directors?", "Did C direct both A and B?"."""
        if not all(item.linked for item in said.items):
            return None
        if not said.is_adjacent():
            plans = [self._claims.single(text) for text in said.of_each({"both"})] if said.has("both") else []
            claims = tuple(plan for plan in plans if isinstance(plan, Operation))
            return Operation("all", claims) if claims and len(claims) == len(plans) else None
        words = said.behind
        if said.has("both") and all(w.kind == "mark" or w.key in FILLERS for w in words):
            words = said.front[1:]  # "Are both magazines A and B"
        each = [self._claims.of(item, said.keys[0], words) for item in said.items]
        return Operation("all", tuple(part for parts in each for part in parts)) if all(each) else None


def _shared_noun(said: _Said) -> list[str] | None:
    """The noun behind the question word of "have which occupation"; None where more is said of what is shared."""
    sides = (said.front, said.behind)
    asking, other = sides if any(w.key in QUESTIONING for w in said.front) else sides[::-1]
    at = next(i for i, word in enumerate(asking) if word.key in QUESTIONING)
    noun, *others = ([w.key for w in side if w.key not in _EMPTY] for side in (asking[at:], asking[:at], other))
    named = any(w.kind in ("name", "adjective") for w in asking[at + 1 :])
    return None if any(others) or named or len(noun) > _CLASS else noun


def _predicate(rest: Sequence[Word]) -> tuple[str, list[Word]]:
    """The auxiliary and the words of what a question says of one of several: behind "which singer", "who"."""
    start = next((i for i, w in enumerate(rest) if w.key in QUESTIONING), None)
    if start is None or rest[start].key not in ("which", "who", "what"):
        return "", []
    at = next((i for i in range(start + 1, len(rest)) if rest[i].key in OPENING), None)
    # "Which singer is", but not "What is the country of A or B": the question word's own noun stands before the verb.
    if at is None or (at == start + 1 and rest[start].key != "who"):
        return "", []
    return rest[at].key, list(rest[at + 1 :])


def _longest(phrases: Iterable[str]) -> str:
    return max(phrases, key=lambda phrase: (len(phrase.split()), len(phrase), phrase), default="")
