"""Reading a whole question as a plan: a look-up after the other, what is worked out, what is asked of several things.

What is asked of several things is read as three parts: the things set side by side ("A or B"), a predicate that is
asked of each of them ("born", "an American director"), and the operator that the words around name ("older", "both",
"the same").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise

from .....cubes.core.folding import fold_words
from ..plan import AnswerType, OpenStep, Operation, Part, Plan, QuestionEntity, RelationStep, Term, over_cubes
from ..vocabulary.lexicon import Comparative, listed, ranks
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS, QUESTIONING, YES_NO
from ..vocabulary.words import PLAIN_QUOTES, Word, written
from .rows import RowReader
from .terms import TermParser

__all__ = ["QuestionParser"]

_PLURAL = re.compile(r"^(?:who|what|which) (?:are|were) ", re.IGNORECASE)
_AGE = re.compile(
    r"^(?:how old|at what age) (?:was|were|is|did) (?P<who>.+?) (?:when|at the time|die$|pass away$)(?P<rest>.*)$|"
    r"^how (?:long|many years) did (?P<lived>.+?) live$",
    re.IGNORECASE,
)
_HE = re.compile(r"^(?:he|she|they|it)\b", re.IGNORECASE)
_KEPT = 10_000  # plans; a server sees questions without end
_SHARING = frozenset({"same", "share", "shared", "common", "both", "mutual", "each"})
_FILLERS = frozenset({
    "both", "all", "each", "either", "also", "alike", "ever", "currently", "originally", "considered", "known", "as",
})  # fmt: skip
_BARRING = frozenset({
    "more", "most", "less", "least", "fewer", "fewest", "better", "best", "worse", "than", "same", "only",
    "not", "never", "no", "different", "neither", "nor", "without", "or",
})  # fmt: skip
"""Words that turn a claim round, split it or compare: it is not read as if they were not there."""
_KINDS = frozenset({"type", "kind", "sort", "have", "thing", "in", "of", "two", "known", "and"})
"""Nouns and other words beside the question word that say nothing of what things have in common."""
_ONE_OF = re.compile(
    r"^(?:in )?(?:of|between|among)\b|\bout of\b(?! (?:which|what))|\b(?:which|who|what) one\b"
    r"|^(?:which|who|what) (?:\w+ )?of\b|(?:est|first|last) of\b",
    re.IGNORECASE,
)
"""After which two things joined by "and" are alternatives."""
_CLAIMING = ("than", "before", "after")
_LISTING = frozenset({"of", "between", "among", "are", "were", "both", "do", "did"})


@dataclass(frozen=True)
class _Said:
    """A question's words, and the things among them that stand side by side: the places of their names."""

    words: Sequence[Word]
    places: Sequence[int] = ()
    items: tuple[QuestionEntity, ...] = ()

    @cached_property
    def frame(self) -> list[str]:
        """The plain words of the question."""
        return [word.key for word in self.words if word.key]

    def has(self, *words: str) -> bool:
        """Whether one of some words is said."""
        return not set(words).isdisjoint(self.frame)

    def joins(self, *words: str) -> list[int]:
        """Where joining words stand."""
        return [i for i, word in enumerate(self.words) if word.text in words]

    def of_each(self, dropped: Iterable[str]) -> Iterator[list[Word]]:
        """The question asked of each thing alone, without the words that ask it of all."""
        sides = self.words[: self.places[0]], self.words[self.places[-1] + 1 :]
        front, behind = ([w for w in side if w.key not in dropped] for side in sides)
        named = zip(self.places, self.items, strict=True)
        return ([*front, replace(self.words[at], text=item.name), *behind] for at, item in named)


class QuestionParser:
    """Parses questions; the same question always gives the same plan, so hops can be replayed and edited."""

    def __init__(self, terms: TermParser, rows: RowReader) -> None:
        self.terms, self._rows, self._lexicon = terms, rows, terms.lexicon
        self.parse = lru_cache(_KEPT)(self._read)

    def _read(self, question: str) -> Plan | None:
        """Return the plan, or None where no reading fits."""
        text = " ".join(question.split()).translate(PLAIN_QUOTES).rstrip(" ?.!")
        readers = (self._of_each, self._one_claim, self._age, self._asked)
        return next((plan for read in readers if (plan := read(text)) is not None), None)

    def _asked(self, text: str) -> Term | None:
        term = self.terms.term(text)
        if not isinstance(term, RelationStep):
            return term
        together = term.converse and text[:4].lower() == "who " and not listed("together").isdisjoint(term.relations)
        return replace(term, want=replace(term.want, plural=True)) if together or _PLURAL.match(text) else term

    def _steps(self, texts: Iterable[str]) -> tuple[RelationStep, ...]:
        """What questions look up, of those that name a relation."""
        terms = map(self._asked, texts)
        return tuple(term for term in terms if isinstance(term, RelationStep) and term.relations)

    def _age(self, text: str) -> Plan | None:
        """Read "How old was A when B was released?", "At what age did A die?", "How long did A live?"."""
        found = _AGE.match(text)
        if found is None:
            return None
        who = found["who"] or found["lived"]
        event = _HE.sub(who, (found["rest"] or "").strip(" ,")) or f"did {who} die"
        steps = self._steps((f"When was {who} born", f"When {event}"))
        known = len(steps) == 2 and all(map(over_cubes, steps))
        stated = OpenStep(f"What age was {who} when {(found['rest'] or 'they died').strip(' ,')}?")
        return Operation("years", (*steps, stated)) if known else None

    def _of_each(self, text: str) -> Plan | None:
        """Return the plan of a question about several things; None where it is about one."""
        said = _Said(self.terms.words.read(text))
        first = said.words[0].key if said.words else ""
        verdict, asks, splits = first in AUXILIARIES, said.has(*QUESTIONING), bool(said.joins("or"))
        either = ("and", "&") if _ONE_OF.search(text) and not splits else ("or",)
        readers = (
            (self._same, ("and", "&", "as"), verdict),
            (self._common, ("and", "&"), not verdict and asks),
            (self._compared, _CLAIMING if verdict and said.joins(*_CLAIMING) else either, True),
            # Whatever it asks of them, it lets choose from these names: "Is A or B the oldest abbey?".
            (lambda each: Operation("one of", (OpenStep(f"{text}?"),), each.items), either, True),
            (lambda each: self._all(each.of_each({"both"})), ("and", "&"), first in YES_NO and not splits),
        )
        plans = (read(each) for read, joins, fits in readers if fits for each in self._side_by_side(said, joins))
        return next((plan for plan in plans if plan is not None), None)

    def _side_by_side(self, said: _Said, joining: Sequence[str]) -> Iterator[_Said]:
        """The things beside each joining word, and those listed before them."""
        words = said.words
        for join in said.joins(*joining):
            left, right = self._before(words, join), self._behind(words, join)
            if left is not None and right is not None:
                places = [*self._listed(words, left), left, right]
                yield _Said(words, places, tuple(self.terms.described(words, at)[1] for at in places))

    def _before(self, words: Sequence[Word], join: int) -> int | None:
        """The name that ends at the joining word, or somewhere before "as"."""
        at, far = join - 1 - (words[join - 1].kind == "mark"), words[join].key in ("as", *_CLAIMING)
        names = (i for i in range(join) if words[i].kind == "name" and (far or i == at))
        return max(names, key=lambda i: (i == at, words[i].known, len(words[i].text)), default=None)

    def _behind(self, words: Sequence[Word], join: int) -> int | None:
        """The first name behind the joining word; only plain words may stand between."""
        at = next((i for i in range(join + 1, len(words)) if not words[i].plain and words[i].kind != "mark"), None)
        return at if at is not None and words[at].kind == "name" else None

    def _listed(self, words: Sequence[Word], first: int) -> list[int]:
        """More names before the first one, parted by commas: "A, B or C", but not "directed by C, A or B"."""
        found: list[int] = []
        while first > 2 and words[first - 1].text == "," and words[first - 2].kind == "name":
            first -= 2
            opening = words[first - 1]
            if not (opening.kind == "mark" or opening.key in _LISTING or self.terms.classes(opening.key)):
                break
            found.insert(0, first)
        return found

    def _same(self, said: _Said) -> Plan | None:
        """ "Are A and B from the same country?", "Do A and B have a director in common?": what the words around them
        look up, of a country and a person the country, else the noun or verb of any relation."""
        lexicon, frame = self._lexicon, said.frame
        told = [lexicon.sameness[word] for word in frame if word in lexicon.sameness]
        named = [names for word in frame if (names := lexicon.asks.get(word) or lexicon.verbs.get(f"{word} by"))]
        shared = told or [(names, "value") for names in named]
        if not shared or not said.has("same", "share", "shared", "common"):
            return None
        relations, level = shared[-1]
        own = tuple(f"{word} in" for word in frame if level == "place" and f"{word} in" in lexicon.relations)
        names = own or relations
        steps = (self.terms.measure(self._base(said, item, names), names, level) for item in said.items)
        return Operation("same", tuple(steps), level=level)

    def _common(self, said: _Said) -> Plan | None:
        """ "What nationality are both A and B?", "What do A and B have in common?", "A and B are both what?"."""
        opening = said.words[said.places[0] - 1].key
        if len(said.items) != 2 or not (said.has(*_SHARING) or opening in ("do", "are", "were", "did")):
            return None
        noun = [word for word in said.frame if word not in QUESTIONING | YES_NO | ARTICLES | _SHARING | _KINDS]
        named = len(noun) < 3 and noun[-1:] != [] and noun[-1] in self._lexicon.asks
        if said.has("kind", "type", "sort") or (len(noun) < 2 and not named):
            return Operation("common", tuple(self.terms.cues.what_is(item) for item in said.items))
        each = said.of_each({"both", "do", "doe", "did", "each", "share", "common", "have", "in"})
        asked = (f"the {noun[-1]} of {item.name}" for item in said.items) if named else map(_text, each)
        steps = self._steps(asked)
        known = named or all(map(over_cubes, steps))
        return Operation("common", steps) if known and len(steps) == len(said.items) else None

    def _compared(self, said: _Said) -> Plan | None:
        """ "Which film came out first, A or B?", "Is A older than B?"."""
        rows = self._rows.compared(said.words, [item.name for item in said.items])
        compared = self._comparative(said.frame) if rows is None else None
        if rows is not None and rows.relations:
            compared = Comparative(rows.relations, "least" if rows.place == 0 else "greatest")
        if compared is None:
            return None
        bases = [self._base(said, item, compared.relations) for item in said.items]
        parts: list[Part] = [self.terms.measure(base, compared.relations) for base in bases]
        if compared.starts:
            starts = [self.terms.measure(base, compared.starts) for base in bases]
            parts = [Operation("days", pair) for pair in zip(starts, parts, strict=True)]
        persons = said.frame[0] == "who" and all(isinstance(base, RelationStep) for base in bases)
        plan = Operation(compared.order, tuple(parts), tuple(bases) if persons else said.items)
        claimed = said.words[0].key in AUXILIARIES and said.joins(*_CLAIMING)
        return Operation("is", (plan,), value=said.items[0].name) if claimed else plan

    def _comparative(self, frame: Sequence[str]) -> Comparative | None:
        """The longest comparing phrase; its words may be parted by others ("released ... first")."""
        text, held, found = f" {' '.join(frame)} ", set(frame), self._lexicon.comparatives
        said = [key for key in found if f" {key} " in text or (" " in key and held.issuperset(key.split()))]
        if " first to " in text or not said:  # who did something first, which no date of theirs tells
            return None
        told = max(said, key=lambda key: (len(key.split()), f" {key} " in text, len(key), key))
        ranked = (rank for rank, word in pairwise(frame) if word in told.split() and rank not in told.split())
        return found[told] if all(ranks().get(rank, 0) < 2 for rank in ranked) else None  # "the second oldest"

    def _base(self, said: _Said, item: QuestionEntity, taken: Sequence[str]) -> Term:
        """A thing compared, or its director, author ... where the question asks about that person."""
        for word in said.frame:
            step = self.terms.cues.relation(word, item)
            if step is not None and step.want.kind == "person" and not set(taken) & set(step.relations):
                return step
        return item

    def _one_claim(self, text: str) -> Operation | None:
        """ "Is A a director?": what is claimed of the one thing right behind the auxiliary."""
        words = self.terms.words.read(text)
        return self._all([words]) if [word.kind for word in words[1:2]] == ["name"] else None

    def _all(self, claims: Iterable[Sequence[Word]]) -> Operation | None:
        """ "Are A and B both American directors?", "Did C direct both A and B?": what all claims come to together."""
        parts = [*map(self._claim, claims)]
        return Operation("all", tuple(filter(None, parts))) if all(parts) else None

    def _claim(self, words: Sequence[Word]) -> RelationStep | None:
        """A claim about the first thing named: whether its own section holds the words behind it. One that is turned
        round is none."""
        at = next((i for i, word in enumerate(words) if word.kind not in ("word", "mark")), 0)
        if not at or words[0].key not in YES_NO or words[at].kind != "name":
            return None
        said = [w for w in words[at + 1 :] if w.kind != "mark" and w.key not in _FILLERS]
        text, item = _text(said), self.terms.described(words, at)[1]
        asked = tuple(w for w in fold_words(text) if w not in PREPOSITIONS | ARTICLES | AUXILIARIES)
        if not asked or not item.linked or any(w.key in _BARRING for w in said):
            return None
        return RelationStep(item, (), f"{words[0].text.capitalize()} {{}} {text}?", AnswerType("truth"), asked)


def _text(words: Iterable[Word]) -> str:
    """Words as they are written."""
    return written([word.text for word in words])
