"""Questions that ask the same of several things, and what their answers come to.

Every one is read as three parts: the things set side by side ("A or B"), a predicate that is asked of each of them
("born", "an American director"), and the operator that the words around name ("older", "both", "the same").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from .....cubes.core.folding import fold
from ..plan import AnswerType, OpenStep, Operation, Plan, RelationStep, Term, WholeQuestion, is_linked, is_truth
from ..vocabulary.lexicon import Comparative, SameAs
from ..vocabulary.mentions import QuestionMention
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS
from .claims import FILLERS, OPENING, ClaimReader
from .items import CoordinationParser, described_by
from .terms import TermParser, looked_up

__all__ = ["EachOfParser"]

_SHARED = frozenset({"same", "share", "shared", "common"})
_SHARING = _SHARED | {"both", "mutual", "each"}
_ASKING = frozenset({"which", "who", "what", "whose", "whom", "where", "when", "how", "why"})
_KINDS = frozenset({"type", "kind", "sort"})
_EMPTY = _ASKING | OPENING | ARTICLES | _SHARING | _KINDS | {"of", "thing", "as", "know", "known", "in", "two", ""}
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
_CLASS = 2  # words of a class in front of the things ("the rock bands A and B")


@dataclass(frozen=True)
class _Said:
    """A question's words, and the things among them that stand side by side."""

    parts: Sequence[str]
    items: Sequence[QuestionMention] = ()

    @cached_property
    def folded(self) -> list[str]:
        return [fold(part) for part in self.parts]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.folded)

    @cached_property
    def frame(self) -> list[str]:
        """The plain words of the question outside the names."""
        named = {i for item in self.items for i in range(item.start, item.end)}
        return [
            word
            for i, word in enumerate(self.folded)
            if word and i not in named and (i == 0 or not self.parts[i][:1].isupper())
        ]

    @property
    def front(self) -> Sequence[str]:
        return self.parts[: self.items[0].start]

    @property
    def behind(self) -> Sequence[str]:
        return self.parts[self.items[-1].end :]

    @property
    def asked(self) -> int:
        """Where the question word stands."""
        return next((i for i, word in enumerate(self.folded) if word in _ASKING), len(self.folded) + _NEAR)

    def joins(self, *words: str) -> list[int]:
        """Where joining words stand; "and" may be written "&"."""
        small = {word for word in words if word != "or"}  # "Or" belongs to a title
        return [i for i, part in enumerate(self.parts) if part in words or part.lower() in small]

    def is_introduced(self) -> bool:
        """Whether the question follows soon on the names: "A and B: which ..."."""
        return 0 <= self.asked - self.items[-1].end <= _NEAR

    def is_set_apart(self) -> bool:
        """Whether names joined by "or" stand where a question names what to choose from, and not in what it tells."""
        start, end = self.items[0].start, self.items[-1].end
        asked = 0 if self.folded[0] in AUXILIARIES else self.asked
        if asked >= start:
            return self.is_introduced()
        before = next(i for i in range(start - 1, -1, -1) if self.folded[i] not in ARTICLES)
        parted = self.parts[before].endswith((",", ":")) or before == asked or self.folded[before] in ("of", "between")
        return parted or (end == len(self.parts) and self.folded[before] not in PREPOSITIONS)

    def is_adjacent(self) -> bool:
        """Whether nothing but small words, or a class named with "both", stands before and between the items."""
        before = self.folded[1 : self.items[0].start]
        between = {w for left, right in pairwise(self.items) for w in self.folded[left.end : right.start]}
        small = FILLERS | ARTICLES | {"and", "", "&"}
        plainly = all(p[:1].islower() for p in self.front[1:])
        classed = plainly and ("both" in before or len(set(before) - small) <= _CLASS)
        return between <= small and (set(before) <= small or classed)

    def of_each(self, dropped: Iterable[str], behind: Iterable[str] = ()) -> Iterator[str]:
        """The question asked of each item alone, without the words that ask it of all."""
        front = [p for p in self.front if fold(p) not in dropped]
        rest = [p for p in self.behind if fold(p) not in behind]
        return (" ".join((*front, *self._called(item), *rest)) for item in self.items)

    def _called(self, item: QuestionMention) -> Sequence[str]:
        """A thing's name, with what it is described by where the name is another thing's: "the director of A"."""
        before = max((i for i, w in enumerate(self.folded[: item.start]) if w in ("and", "&")), default=item.start)
        described = self.parts[before + 1 : item.start]
        return (*described, item.entity.name) if "of" in described else (item.entity.name,)


class EachOfParser:
    """Reads such questions: by each operator in turn, over the things on both sides of its joining words.

    ``claims`` reads what is claimed of one thing, ``asked`` a question about one thing as a term.
    """

    def __init__(self, terms: TermParser, claims: ClaimReader, asked: Callable[[str], Term | None]) -> None:
        self._terms, self._lexicon, self._claims, self._asked = terms, terms.lexicon, claims, asked
        self._finder = CoordinationParser(terms.mentions)

    def read(self, text: str) -> Plan | None:
        """Return the plan of a question about several things; None where it is about one."""
        said = _Said(text.split())
        if not said.parts:
            return None
        verdict = said.folded[0] in AUXILIARIES
        either = ("and", "&") if _ONE_OF.search(text) and not said.joins("or") else ("or",)
        readers = (
            (self._same, ("and", "&", "as"), verdict and _SHARING & said.words),
            (self._common, ("and", "&"), said.folded[0] not in OPENING and _ASKING & said.words),
            (self._compared, _compared_by(said, verdict=verdict), True),
            (self._chosen, either, _ASKING & said.words and not _COMPARING & said.words),
            (self._named, either, True),
            (self._every, ("and", "&"), said.folded[0] in OPENING and not {"or", "share", "common"} & said.words),
        )
        plans = (
            read(_Said(said.parts, items))
            for read, joins, fits in readers
            if fits and (at := said.joins(*joins))
            for items in self._finder.items(said.parts, at)
        )
        return next((plan for plan in plans if plan is not None), None)

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
        before = said.folded[said.items[0].start - 1]
        if len(said.items) != 2 or not (_SHARING & said.words or before in ("do", "are", "were", "did")):
            return None
        noun = _shared_noun(said)
        if noun is not None and (not noun or noun[-1] not in self._lexicon.asks or _KINDS & said.words):
            return Operation("common", tuple(self._terms.cues.what_is(item.entity) for item in said.items))
        if noun:
            terms = [self._terms.term(f"the {noun[-1]} of {item.entity.name}") for item in said.items]
        else:
            each = said.of_each({"both", "do", "doe", "did"}, {"both", "each", "share", "common", "have", "in"})
            terms = [term for text in each if (term := self._asked(text)) is not None and is_linked(term)]
        steps = tuple(term for term in terms if isinstance(term, RelationStep) and term.relations)
        return Operation("common", steps) if len(steps) == len(said.items) else None

    # Comparisons ----------------------------------------------------------------------------------------------

    def _compared(self, said: _Said) -> Plan | None:
        """ "Which film came out first, A or B?", "Is A older than B?"."""
        claimed = said.joins(*_CLAIMING) and said.folded[0] in AUXILIARIES
        listed = claimed or said.joins("or") or _LISTED.search(" ".join(said.parts))
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
        items = tuple(bases) if persons else tuple(item.entity for item in said.items)
        plan = Operation(compared.order, tuple(parts), items)
        return Operation("is", (plan,), value=said.items[0].entity.name) if claimed else plan

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
        bases = [self._with_role(said, item, taken) for item in said.items]
        roles = [base for base in bases if isinstance(base, RelationStep)]
        if len(roles) == 1 and not any(described_by(said.parts, item.start) for item in said.items):
            return [base if isinstance(base, RelationStep) else replace(roles[0], base=base) for base in bases]
        return bases

    def _with_role(self, said: _Said, item: QuestionMention, taken: Sequence[str]) -> Term:
        """The item itself, or the director, author ... of it where the question asks about that person."""
        lexicon, near = self._lexicon, described_by(said.parts, item.start)
        of = max((i for i, w in enumerate(near) if w == "of"), default=-1)
        apposed = set(near[of + 1 :])  # "the novelist X": X is one, not somebody's
        cubes = {s.cube for s in self._terms.linker.link(item.entity.name)}
        for word in (*reversed(near[: of + 1]), *(w for w in said.frame if w not in apposed)):
            asks = lexicon.asks.get(word, ())
            names = tuple(n for n in asks if any(r.cube in cubes for r in lexicon.relations[n]))
            kinds = {lexicon.relations[n][0].kind for n in names}
            if names and kinds <= {"person", "name"} and not set(taken) & set(names):
                return RelationStep(item.entity, names, f"Who is the {word} of {{}}?", AnswerType("person"), (word,))
        return item.entity

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
        if not any(item.entity.linked for item in said.items):
            return None
        named = {i for m in said.items for i in range(m.start - (said.folded[m.start - 1] == "the"), m.end)}
        rest = [w for i, p in enumerate(said.parts) if i not in named and (w := p.strip(",:;")) and fold(w) != "or"]
        auxiliary, words = _predicate(rest)
        names = tuple(item.entity for item in said.items)
        if words:
            claims = [self._claims.of(name, auxiliary, words) for name in names]
            told = all(claims) and not all(is_truth(part) for parts in claims for part in parts)
            return Operation("choose", tuple(Operation("all", c) for c in claims), names) if told else None
        term = self._asked(" ".join(rest))  # "Who wrote C, A or B?"
        if not isinstance(term, RelationStep) or not term.relations or not is_linked(term):
            return None
        return Operation("choose", tuple(Operation("is", (term,), value=name.name) for name in names), names)

    def _named(self, said: _Said) -> Plan | None:
        """The names that a question lets choose from, whatever it asks of them: "Is A or B the oldest abbey?"."""
        chosen = not said.joins("or")
        if not (chosen or said.is_set_apart()):
            return None
        return WholeQuestion(OpenStep(f"{' '.join(said.parts)}?"), tuple(item.entity for item in said.items))

    def _every(self, said: _Said) -> Plan | None:
        """ "Are A and B both American directors?", "Did C direct both A and B?"."""
        if not all(item.entity.linked for item in said.items):
            return None
        if not said.is_adjacent():
            plans = [self._claims.single(text) for text in said.of_each({"both"})] if "both" in said.words else []
            claims = tuple(plan for plan in plans if isinstance(plan, Operation))
            return Operation("all", claims) if claims and len(claims) == len(plans) else None
        words = [p.strip(",;:") for p in said.behind]
        if not any(fold(w) not in FILLERS for w in words) and "both" in said.words:  # "Are both magazines A and B"
            words = [p.strip(",") for p in said.front[1:] if fold(p) not in ARTICLES]
        each = [self._claims.of(item.entity, said.folded[0], words) for item in said.items]
        return Operation("all", tuple(part for parts in each for part in parts)) if all(each) else None


_CLAIMING = ("than", "before", "after")


def _compared_by(said: _Said, *, verdict: bool) -> tuple[str, ...]:
    """The joining words of a comparison."""
    if verdict and said.joins(*_CLAIMING):
        return _CLAIMING
    return ("or",) if said.joins("or") else ("and", "&")


def _shared_noun(said: _Said) -> list[str] | None:
    """The noun behind the question word of "have which occupation"; None where more is said of what is shared."""
    sides = (said.front, said.behind)
    asking, other = sides if _ASKING & set(map(fold, said.front)) else sides[::-1]
    at = next(i for i, word in enumerate(asking) if fold(word) in _ASKING)
    noun, *others = ([w for w in map(fold, side) if w not in _EMPTY] for side in (asking[at:], asking[:at], other))
    named = any(w[:1].isupper() for w in asking[at + 1 :])
    return None if any(others) or named or len(noun) > _CLASS else noun


def _predicate(rest: Sequence[str]) -> tuple[str, list[str]]:
    """The auxiliary and the words of what a question says of one of several: behind "which singer", "who"."""
    start = next((i for i, p in enumerate(rest) if fold(p) in _ASKING), None)
    if start is None or fold(rest[start]) not in ("which", "who", "what"):
        return "", []
    words = rest[start + 1 :]
    at = next((i for i, w in enumerate(words) if fold(w) in OPENING), None)
    # "Which singer is", but not "What is the country of A or B": the question word's own noun stands before the verb.
    if at is None or (at == 0 and fold(rest[start]) != "who"):
        return "", []
    return fold(words[at]), list(words[at + 1 :])


def _longest(phrases: Iterable[str]) -> str:
    return max(phrases, key=lambda phrase: (len(phrase.split()), len(phrase), phrase), default="")
