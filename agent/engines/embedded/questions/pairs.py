"""Questions about several things: which of them is first, longer, older; and whether they share something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from ..plan import AnswerType, Comparison, OpenStep, Plan, RelationStep, SameValue, Term, WholeQuestion
from ..vocabulary.lexicon import Comparative, SameAs
from ..vocabulary.mentions import QuestionMention
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS
from .items import CoordinationParser, described_by
from .terms import TermParser

__all__ = ["ComparisonParser", "looked_up"]

_SHARED = frozenset({"same", "share", "shared", "common"})
_LISTED = re.compile(
    r"^of\b|\b(?:out of|between|among|two)\b|^(?:which|who|what)(?: one| \w+)? of\b|(?:est|first|last) of\b",
    re.IGNORECASE,
)
"""Openings after which two things joined by "and" are alternatives."""
_ONE_OF = re.compile(
    r"^(?:in )?(?:of|between|among)\b|\bout of\b|\b(?:which|who|what) (?:one\b|of (?:them|these|those|the two)\b)", re.I
)
_ASKING = frozenset({"which", "who", "what", "whose"})
_NEAR = 6  # words between the things and the question word behind them
_QUESTIONS = {
    "died on": "When did {} die?",
    "died in": "Where did {} die?",
    "took place on": "When did {} take place?",
    "happened on": "When did {} happen?",
    "reigned from": "When did {} reign?",
    "nationality": "What nationality is {}?",
    "based in": "Where is {} based?",
    "located in": "Where is {} located?",
    "employees": "How many employees does {} have?",
    "members": "How many members does {} have?",
    "directed by": "Who is the director of {}?",
    "composed by": "Who is the composer of {}?",
    "written by": "Who is the author of {}?",
    "performed by": "Who is the performer of {}?",
    "produced by": "Who is the producer of {}?",
}
_WORDS_OF = {"on": "When was {} ", "in": "Where was {} ", "by": "Who was {} "}


def looked_up(names: Sequence[str]) -> str:
    """The subquery that looks a relation up: "born on" by "When was {} born?"."""
    name = names[0] if names else "value"
    verb, _, last = name.rpartition(" ")
    if name in _QUESTIONS:
        return _QUESTIONS[name]
    if verb and last in _WORDS_OF:
        return f"{_WORDS_OF[last]}{name if last == 'by' else verb}?"
    return f"What is {{}} a {name}?" if last == "of" else f"What is the {name} of {{}}?"


class ComparisonParser:
    """Finds the things a question is about by trying every joining word and keeping the names that link."""

    def __init__(self, terms: TermParser) -> None:
        self._terms, self._lexicon = terms, terms.lexicon
        self._finder = CoordinationParser(terms.mentions)

    def comparison(self, text: str) -> Plan | None:
        """Read "Which film came out first, A or B?" and "Is A older than B?"."""
        parts = text.split()
        folded = [fold(p) for p in parts]
        joins = [i for i, word in enumerate(folded) if word in ("than", "before", "after")]
        if joins and folded[0] in AUXILIARIES:
            return self._first_compared(parts, joins, claimed=True)
        joins = [i for i, part in enumerate(parts) if part == "or"]
        listed = bool(joins or _LISTED.search(text))
        return self._first_compared(parts, joins or _ands(parts), introduced=not listed)

    def _first_compared(
        self, parts: Sequence[str], joins: Sequence[int], *, claimed: bool = False, introduced: bool = False
    ) -> Plan | None:
        for items in self._finder.items(parts, joins):
            if introduced and not _is_introduced(list(map(fold, parts)), items):
                continue  # "A and B: which ..."
            compared = self._compared(parts, items)
            if compared is not None:
                return replace(self._comparison(parts, items, compared), claimed=claimed)
        return None

    def alternatives(self, text: str) -> Plan | None:
        """Read the names that a question lets choose from, whatever it asks of them: "Is A or B the oldest abbey?"."""
        parts = text.split()
        joins = [i for i, part in enumerate(parts) if part == "or"]
        chosen = not joins and _ONE_OF.search(text) is not None
        for items in self._finder.items(parts, _ands(parts) if chosen else joins):
            if chosen or _set_apart(parts, list(map(fold, parts)), items):
                return WholeQuestion(OpenStep(f"{text}?"), tuple(item.entity for item in items))
        return None

    def _comparison(self, parts: Sequence[str], items: Sequence[QuestionMention], compared: Comparative) -> Comparison:
        frame = _frame(parts, items)
        bases = self._with_roles(items, frame, parts, compared.relations)
        told = [self._event(parts, item) or compared.relations for item in items]
        persons = all(isinstance(base, RelationStep) for base in bases) and frame[:1] == ["who"]
        return Comparison(
            items=tuple(bases) if persons else tuple(item.entity for item in items),
            paths=tuple(self._measure(base, names, frame) for base, names in zip(bases, told, strict=True)),
            order=compared.order,
            starts=tuple(self._measure(base, compared.starts) for base in bases) if compared.starts else (),
        )

    def _event(self, parts: Sequence[str], item: QuestionMention) -> tuple[str, ...] | None:
        """What happened to one of the things: "the forming of A or the birth of B"."""
        before = [w for w in described_by(parts, item.start) if w != "the"]
        return self._lexicon.events.get(before[-2]) if before[1:] and before[-1] == "of" else None

    def sameness(self, text: str) -> Plan | None:
        """Read "Are A and B from the same country?", "Do A and B have a director in common?"."""
        parts = text.split()
        folded = [fold(p) for p in parts]
        if not parts or folded[0] not in AUXILIARIES or not (_SHARED | {"both"}) & set(folded):
            return None
        joins = sorted((*_ands(parts), *(i for i, word in enumerate(folded) if word == "as")))
        for pair in self._finder.items(parts, joins):
            frame = _frame(parts, pair)
            shared = self._shared(frame)
            if shared is not None:
                bases = self._with_roles(pair, frame, parts, shared.relations)
                steps = tuple(self._measure(base, shared.relations, level=shared.level) for base in bases)
                return SameValue(steps, "value" if shared.level == "year" else shared.level)
        return None

    def _shared(self, frame: Sequence[str]) -> SameAs | None:
        """What the two are asked to share, from the words around them."""
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

    def _compared(self, parts: Sequence[str], items: Sequence[QuestionMention]) -> Comparative | None:
        """The longest comparing phrase; its words may be parted by others ("released ... first")."""
        frame = _frame(parts, items)
        text, held = f" {' '.join(frame)} ", set(frame)
        if " first to " in text or " last to " in text:  # who did something first, which no date of theirs tells
            return None
        comparatives = self._lexicon.comparatives
        best = _longest(key for key in comparatives if f" {key} " in text)
        apart = _longest(key for key in comparatives if " " in key and held.issuperset(key.split()))
        return comparatives.get(apart if len(apart.split()) > len(best.split()) else best)

    def _with_roles(
        self, pair: Sequence[QuestionMention], frame: Sequence[str], parts: Sequence[str], taken: Sequence[str]
    ) -> list[Term]:
        """The two things compared; a role found for only one of them is meant for both."""
        bases = [self._with_role(item, frame, parts, taken) for item in pair]
        roles = [base for base in bases if isinstance(base, RelationStep)]
        if len(roles) == 1 and not any(described_by(parts, item.start) for item in pair):
            return [base if isinstance(base, RelationStep) else replace(roles[0], base=base) for base in bases]
        return bases

    def _with_role(
        self, item: QuestionMention, frame: Sequence[str], parts: Sequence[str], taken: Sequence[str]
    ) -> Term:
        """The item itself, or the director, author ... of it where the question asks about that person."""
        lexicon, near = self._lexicon, described_by(parts, item.start)
        of = max((i for i, w in enumerate(near) if w == "of"), default=-1)
        apposed = set(near[of + 1 :])  # "the novelist X": X is one, not somebody's
        cubes = {s.cube for s in self._terms.linker.link(item.entity.name)}
        for word in (*reversed(near[: of + 1]), *(w for w in frame if w not in apposed)):
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


def _ands(parts: Sequence[str]) -> list[int]:
    return [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]


def _frame(parts: Sequence[str], items: Sequence[QuestionMention]) -> list[str]:
    """The plain words of the question outside the names."""
    outside = (
        fold(part)
        for i, part in enumerate(parts)
        if (i == 0 or not part[:1].isupper()) and not any(item.start <= i < item.end for item in items)
    )
    return [word for word in outside if word]


def _set_apart(parts: Sequence[str], folded: Sequence[str], items: Sequence[QuestionMention]) -> bool:
    """Whether names joined by "or" stand where a question names what to choose from, and not in what it tells."""
    start, end = items[0].start, items[-1].end
    asked = 0 if folded[0] in AUXILIARIES else _asked(folded)
    if asked >= start:
        return _is_introduced(folded, items)
    before = next(i for i in range(start - 1, -1, -1) if folded[i] not in ARTICLES)
    parted = parts[before].endswith((",", ":")) or before == asked or folded[before] in ("of", "between")
    return parted or (end == len(parts) and folded[before] not in PREPOSITIONS)


def _is_introduced(folded: Sequence[str], items: Sequence[QuestionMention]) -> bool:
    """Whether the question follows soon on the names: "A and B: which ..."."""
    return 0 <= _asked(folded) - items[-1].end <= _NEAR


def _asked(folded: Sequence[str]) -> int:
    return next((i for i, word in enumerate(folded) if word in _ASKING), len(folded) + _NEAR)


def _longest(phrases: Iterable[str]) -> str:
    return max(phrases, key=lambda phrase: (len(phrase.split()), len(phrase), phrase), default="")
