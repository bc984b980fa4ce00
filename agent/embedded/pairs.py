"""Questions about several things: which of them is first, longer, older; and whether they share something."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...cubes.folding import fold
from .items import Item, ItemFinder, described_by
from .lexicon import Comparative, SameAs
from .phrases import tokens
from .plan import Comparison, OneOf, Open, Plan, Sameness, Step, Term, Want
from .terms import TermParser
from .wordlists import ARTICLES, PREPOSITIONS

__all__ = ["MEASURES", "PairFinder"]

_SAME = frozenset({"same", "share", "shared", "common", "both"})
_YES_NO = frozenset({"are", "is", "do", "doe", "does", "did", "were", "was", "have", "has", "had", "can"})
_JOIN = re.compile(r"^(?:and|as|or)$|^&$", re.IGNORECASE)
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


class PairFinder:
    """Finds the two things a question is about by trying every split and keeping the one whose names link."""

    def __init__(self, terms: TermParser) -> None:
        self._terms = terms
        self._finder = ItemFinder(terms)

    def comparison(self, text: str) -> Plan | None:
        """Read "Which film came out first, A or B?" and its many relatives."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        if folded and folded[0] in _YES_NO and {"than", "before", "after"} & set(folded):
            return self._claimed(parts, folded)
        joins = [i for i, part in enumerate(parts) if part == "or"]
        listed = bool(joins or _LISTED.search(text))
        joins = joins or [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]
        for items in self._finder.items(parts, joins):
            if not listed and not _is_introduced(folded, items):
                continue  # "A and B: which ..."
            compared = self._compared(parts, items)
            if compared is not None:
                return self._comparison(parts, items, compared)
        return None

    def alternatives(self, text: str) -> Plan | None:
        """Read the names that a question lets choose from, whatever it asks of them: "Is A or B the oldest abbey?"."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        joins = [i for i, part in enumerate(parts) if part == "or"]
        chosen = not joins and _ONE_OF.search(text) is not None
        if chosen:
            joins = [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]
        for items in self._finder.items(parts, joins):
            if chosen or _set_apart(parts, folded, items):
                return OneOf(Open(f"{text}?"), tuple(item.entity for item in items))
        return None

    def _claimed(self, parts: Sequence[str], folded: Sequence[str]) -> Plan | None:
        """Read "Is A older than B?", "Did A die before B?"."""
        joins = [i for i, word in enumerate(folded) if word in ("than", "before", "after")]
        for items in self._finder.items(parts, joins):
            compared = self._compared(parts, items)
            if compared is not None:
                return replace(self._comparison(parts, items, compared), claimed=True)
        return None

    def _comparison(self, parts: Sequence[str], items: Sequence[Item], compared: Comparative) -> Comparison:
        frame = self._frame(parts, items)
        bases = self._with_roles(items, frame, parts, compared)
        told = [self._event(parts, item) or compared.relations for item in items]
        persons = all(isinstance(base, Step) for base in bases) and frame[:1] == ["who"]
        return Comparison(
            items=tuple(bases)
            if persons
            else tuple(item.entity for item in items),  # "Who is older, the director of A or"
            paths=tuple(self._measure(base, names, frame) for base, names in zip(bases, told, strict=True)),
            order=compared.order,
            starts=tuple(self._measure(base, compared.starts) for base in bases) if compared.starts else (),
        )

    def _event(self, parts: Sequence[str], item: Item) -> tuple[str, ...] | None:
        """What happened to one of the things: "the forming of A or the birth of B"."""
        near = described_by(parts, item.start)
        before = [w for w in near if w != "the"]
        return self._terms.lexicon.events.get(before[-2]) if len(before) > 1 and before[-1] == "of" else None

    def sameness(self, text: str) -> Plan | None:
        """Read "Are A and B from the same country?", "Do A and B have a director in common?"."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        if not parts or folded[0] not in _YES_NO or not _SAME & set(folded):
            return None
        joins = [i for i, part in enumerate(parts) if _JOIN.match(part) and folded[i] != "or"]
        for pair in self._finder.items(parts, joins):
            frame = self._frame(parts, pair)
            shared = self._shared(frame)
            if shared is not None:
                bases = self._with_roles(pair, frame, parts, shared)
                terms = tuple(self._shared_step(base, shared) for base in bases)
                level = "value" if shared.level == "year" else shared.level
                return Sameness(terms, level)
        return None

    def _shared(self, frame: Sequence[str]) -> SameAs | None:
        """What the two are asked to share, from the words around them."""
        lexicon = self._terms.lexicon
        keys = [w for w in frame if w in lexicon.sameness]
        named = [k for k in keys if lexicon.sameness[k].level in ("country", "place")]
        if not {"same", "share", "shared", "common"} & set(frame):
            return None
        done = next((f"{w} by" for w in frame if f"{w} by" in lexicon.passives), None)
        if done is not None and not named and "year" not in keys:  # "directed by the same person"
            return SameAs(lexicon.passives[done], "value")
        if not keys:  # any other noun of a relation: "the same designer"
            asked = [w for w in frame if w in lexicon.asks]
            return SameAs(lexicon.asks[asked[-1]], "value") if asked else None
        key = (named or keys)[-1]
        shared = lexicon.sameness[key]
        if shared.level == "year":
            told = next((lexicon.events[w] for w in frame if w in lexicon.events), shared.relations)
            return SameAs(told, "year")
        for word, relation in (("born", "born in"), ("died", "died in"), ("die", "died in")):
            if word in frame and shared.level == "place" and relation in lexicon.relations:
                return SameAs((relation,), "place")
        return shared

    # What is looked up for each -------------------------------------------------------------------------------

    def _frame(self, parts: Sequence[str], items: Sequence[Item]) -> list[str]:
        """The plain words of the question outside the names."""
        outside = (
            fold(part)
            for i, part in enumerate(parts)
            if (i == 0 or not part[:1].isupper()) and not any(item.start <= i < item.end for item in items)
        )
        return [word for word in outside if word]

    def _compared(self, parts: Sequence[str], items: Sequence[Item]) -> Comparative | None:
        """The longest comparing phrase; its words may be parted by others ("released ... first")."""
        frame = self._frame(parts, items)
        text, held = f" {' '.join(frame)} ", set(frame)
        if " first to " in text or " last to " in text:  # who did something first, which no date of theirs tells
            return None
        comparatives = self._terms.lexicon.comparatives
        whole = (key for key in comparatives if f" {key} " in text)
        parted = (key for key in comparatives if " " in key and held.issuperset(key.split()))
        best, apart = max(whole, key=_length, default=""), max(parted, key=_length, default="")
        found = apart if len(apart.split()) > len(best.split()) else best
        return comparatives.get(found)

    def _with_roles(
        self, pair: Sequence[Item], frame: Sequence[str], parts: Sequence[str], asked: SameAs | Comparative
    ) -> list[Term]:
        """The two things compared; a role found for only one of them is meant for both."""
        bases = [self._with_role(item, frame, parts, asked) for item in pair]
        roles = [base for base in bases if isinstance(base, Step)]
        if len(roles) == 1 and not any(described_by(parts, item.start) for item in pair):
            return [base if isinstance(base, Step) else replace(roles[0], base=base) for base in bases]
        return bases

    def _with_role(self, item: Item, frame: Sequence[str], parts: Sequence[str], asked: SameAs | Comparative) -> Term:
        """The item itself, or the director, author ... of it where the question asks about that person."""
        lexicon = self._terms.lexicon
        near = described_by(parts, item.start)
        of = max((i for i, w in enumerate(near) if w == "of"), default=-1)
        apposed = set(near[of + 1 :])  # "the novelist X": X is one, not somebody's
        cubes = {s.cube for s in self._terms.linker.link(item.entity.name)}
        taken = set(asked.relations)
        for words in (list(reversed(near[: of + 1])), [w for w in frame if w not in apposed]):
            for word in words:
                names = tuple(
                    n for n in lexicon.asks.get(word, ()) if any(r.cube in cubes for r in lexicon.relations[n])
                )
                kinds = {lexicon.relations[n][0].kind for n in names}
                if names and kinds <= {"person", "name"} and not taken & set(names):
                    return Step(item.entity, names, f"Who is the {word} of {{}}?", Want("person"), (word,))
        return item.entity

    def _measure(self, base: Term, names: Sequence[str], frame: Sequence[str] = ()) -> Step:
        """The step that looks a comparable value up: by the relation that the question names or the base has."""
        lexicon = self._terms.lexicon
        known = tuple(n for n in names if n in lexicon.relations)
        known = tuple(n for n in known if n in frame) or known  # "larger by population"
        fitting = self._terms.fitting(known, base)
        kept = self._terms.held(fitting, base)
        template = MEASURES.get(kept[0] if kept else "", "") or f"What is the {_noun(kept)} of {{}}?"
        return Step(base, kept, template, Want(lexicon.kind_of(kept)), tuple(kept[:1]))

    def _shared_step(self, base: Term, shared: SameAs) -> Step:
        kept = self._terms.fitting(shared.relations, base)
        kept = self._terms.held(kept, base)
        template = MEASURES.get(kept[0] if kept else "", "") or f"What is the {_noun(kept)} of {{}}?"
        if shared.level == "country" and kept[:1] == ("located in",):
            return Step(base, kept, "In which country is {} located?", Want("place", "country"), ("located",))
        return Step(base, kept, template, Want(self._terms.lexicon.kind_of(kept)), tuple(kept[:1]))


MEASURES = {
    "born on": "When was {} born?",
    "died on": "When did {} die?",
    "released on": "When was {} released?",
    "founded on": "When was {} founded?",
    "opened on": "When was {} opened?",
    "launched on": "When was {} launched?",
    "built on": "When was {} built?",
    "introduced on": "When was {} introduced?",
    "took place on": "When did {} take place?",
    "happened on": "When did {} happen?",
    "dissolved on": "When was {} dissolved?",
    "ended on": "When was {} closed?",
    "described on": "When was {} described?",
    "reigned from": "When did {} reign?",
    "employees": "How many employees does {} have?",
    "members": "How many members does {} have?",
    "based in": "Where is {} based?",
    "born in": "Where was {} born?",
    "died in": "Where did {} die?",
    "located in": "Where is {} located?",
    "nationality": "What nationality is {}?",
    "country of origin": "What is the country of origin of {}?",
    "directed by": "Who is the director of {}?",
    "composed by": "Who is the composer of {}?",
    "written by": "Who is the author of {}?",
    "performed by": "Who is the performer of {}?",
    "produced by": "Who is the producer of {}?",
}


def _set_apart(parts: Sequence[str], folded: Sequence[str], items: Sequence[Item]) -> bool:
    """Whether names joined by "or" stand where a question names what to choose from, and not in what it tells."""
    start, end = items[0].start, items[-1].end
    asked = 0 if folded[0] in _YES_NO else _asked(folded)
    if asked >= start:
        return _is_introduced(folded, items)
    before = next(i for i in range(start - 1, -1, -1) if folded[i] not in ARTICLES)
    parted = parts[before].endswith((",", ":")) or before == asked or folded[before] in ("of", "between")
    return parted or (end == len(parts) and folded[before] not in PREPOSITIONS)


def _is_introduced(folded: Sequence[str], items: Sequence[Item]) -> bool:
    """Whether the question follows soon on the names: "A and B: which ..."."""
    return 0 <= _asked(folded) - items[-1].end <= _NEAR


def _asked(folded: Sequence[str]) -> int:
    return next((i for i, word in enumerate(folded) if word in _ASKING), len(folded) + _NEAR)


def _length(phrase: str) -> tuple[int, int, str]:
    return (len(phrase.split()), len(phrase), phrase)


def _noun(names: Sequence[str]) -> str:
    return names[0] if names else "value"
