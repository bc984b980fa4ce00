"""Questions about what things are: yes or no ("Are A and B both magazines?"), which ("Which singer is American, A or
B?"), and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from ...cubes.dates import parse_date, parse_period
from ...cubes.extraction.lexicon import country_of
from ...cubes.folding import fold, fold_words
from .items import Item, ItemFinder
from .pairs import MEASURES
from .phrases import is_linked, tokens
from .plan import Choice, Claim, Entity, Every, Plan, Shared, Step, Term, Want
from .terms import TermParser
from .wordlists import AUXILIARIES, PREPOSITIONS

__all__ = ["CheckFinder"]

_BE = frozenset({"is", "are", "was", "were"})
_DO = frozenset({"do", "doe", "did", "has", "have", "had", "can"})
_FILLERS = frozenset(
    {"both", "all", "each", "either", "also", "alike", "ever", "currently", "originally", "considered", "known", "as"}
)
_ASKING = frozenset({"which", "who", "what", "whose", "whom", "where", "when", "how", "why"})
_SHARING = frozenset({"both", "share", "shared", "common", "mutual", "same", "each"})
_ARTICLES = frozenset({"a", "an", "the"})
_KINDS = frozenset({"type", "kind", "sort"})
_EMPTY = _ASKING | _BE | _DO | _ARTICLES | _SHARING | _KINDS | {"of", "thing", "as", "know", "known", "in", "two", ""}
"""Words around a noun that asks what things have in common, which say nothing of what that is."""

_COMPARING = frozenset(
    {"more", "most", "less", "least", "fewer", "fewest", "better", "best", "worse", "than", "same", "only"}
)
_NEGATED = frozenset({"not", "never", "no", "different", "neither", "nor", "without", "or"})
"""Words in a claim that turn it round or split it: it is not read as if they were not there."""

_COUNTRIES = frozenset({"country", "nation", "kingdom", "republic", "monarchy", "state"})
_CLASS = 2  # words of a class in front of the things ("the rock bands A and B")
_NATIONAL = ("nationality", "country of origin", "located in", "based in", "grows in")


@dataclass(frozen=True, slots=True)
class _Predicate:
    """What is claimed: the auxiliary in front of it and its words."""

    auxiliary: str
    words: tuple[str, ...]


class CheckFinder:
    """Reads claims about one or several things.

    ``asked`` reads a question about one thing as a term, ``claimed`` a yes-or-no question about one thing.
    """

    def __init__(
        self, terms: TermParser, asked: Callable[[str], Term | None], claimed: Callable[[str], Plan | None]
    ) -> None:
        self._terms = terms
        self._claimed = claimed
        self._finder = ItemFinder(terms)
        self._asked = asked

    # Yes or no ------------------------------------------------------------------------------------------------

    def every(self, text: str) -> Plan | None:
        """Read "Are A and B both American directors?"."""
        parts = tokens(text)
        auxiliary = fold(parts[0]) if parts else ""
        if auxiliary not in _BE | _DO or {"or", "share", "common"} & set(map(fold, parts)):
            return None
        joins = [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]
        for items in self._finder.items(parts, joins):
            if all(item.entity.linked for item in items) and self._adjacent(parts, items):
                claims = self._claims(parts, items, auxiliary)
                if claims is not None:
                    return Every(tuple(claim for group in claims for claim in group))
            elif all(item.entity.linked for item in items) and "both" in map(fold, parts):
                return self._of_each(parts, items)
        return None

    def _of_each(self, parts: Sequence[str], items: Sequence[Item]) -> Plan | None:
        """ "Did C direct both A and B?": the same claim with each of them in turn."""
        front = [p for p in parts[: items[0].start] if fold(p) != "both"]
        behind = parts[items[-1].end :]
        plans = [self._claimed(" ".join((*front, item.entity.name, *behind))) for item in items]
        claims = tuple(plan for plan in plans if isinstance(plan, Claim))
        return Every(claims) if len(claims) == len(items) else None

    def single(self, text: str) -> Plan | None:
        """Read "Is A a director?": one thing right behind the auxiliary, by its longest name."""
        parts = tokens(text)
        auxiliary = fold(parts[0]) if parts else ""
        if auxiliary not in _BE | _DO:
            return None
        for end in range(len(parts) - 1, 1, -1):
            name = " ".join(parts[1:end]).strip(' ,"')
            if self._terms.linker.link_exactly(name):
                item = Item(1, end, Entity(name))
                if "or" in parts[end:]:
                    return self._either(item.entity, parts[end:], auxiliary)
                claims = self._claims(parts, (item,), auxiliary)
                return Every(claims[0]) if claims is not None else None
        return None

    def _either(self, entity: Entity, words: Sequence[str], auxiliary: str) -> Plan | None:
        """ "Was A a poet or an architect?", "Is A in B or C?": which of two claims about it holds."""
        at = words.index("or")
        left, right = [p.strip(",") for p in words[:at]], list(words[at + 1 :])
        opening = list(takewhile(lambda w: fold(w) in PREPOSITIONS or self._opens_relation(w), left))
        names = [" ".join(w for w in side if fold(w) not in _ARTICLES) for side in (left[len(opening) :], right)]
        sides = (left, [*opening, *right])
        claims = [self._of_item(entity, _Predicate(auxiliary, tuple(side))) for side in sides]
        if not all(claims) or not all(names):
            return None
        return Choice(tuple(Entity(name) for name in names), tuple(claims))

    @staticmethod
    def _adjacent(parts: Sequence[str], items: Sequence[Item]) -> bool:
        """Whether nothing but small words, or a class named with "both", stands before and between the items."""
        before = [fold(p) for p in parts[1 : items[0].start]]
        between = [fold(p) for left, right in pairwise(items) for p in parts[left.end : right.start]]
        small = _FILLERS | _ARTICLES | {"and", "", "&"}
        class_named = "both" in before or len(set(before) - small) <= _CLASS
        named = all(p[:1].islower() for p in parts[1 : items[0].start])
        return set(between) <= small and (set(before) <= small or (class_named and named))

    def _claims(
        self, parts: Sequence[str], items: Sequence[Item], auxiliary: str
    ) -> tuple[tuple[Claim, ...], ...] | None:
        behind = [p.strip(",;:") for p in parts[items[-1].end :]]
        words = tuple(w for w in behind if w and fold(w) not in _FILLERS)
        before = [p.strip(",") for p in parts[1 : items[0].start] if fold(p) not in _FILLERS | _ARTICLES]
        if not words and before and "both" in map(fold, parts):
            words, before = tuple(before), []  # "Are both magazines A and B"
        found = [self._of_item(item.entity, _Predicate(auxiliary, words)) for item in items]
        return None if any(not claims for claims in found) else tuple(found)

    # Which of them --------------------------------------------------------------------------------------------

    def choice(self, text: str) -> Plan | None:
        """Read "Which singer is American, A or B?", "Who directed C, A or B?"."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        joins = [i for i, part in enumerate(parts) if part == "or"]
        if not joins or not _ASKING & set(folded) or _COMPARING & set(folded):
            return None
        for items in self._finder.items(parts, joins):
            named = {i for item in items for i in range(item.start - (folded[item.start - 1] == "the"), item.end)}
            rest = [p.strip(",:;") for i, p in enumerate(parts) if i not in named]
            rest = [p for p in rest if p and fold(p) != "or"]
            predicate = _asked_of(rest)
            if not any(item.entity.linked for item in items):
                continue
            if predicate is None:
                return self._answered_by(rest, items)
            claims = [self._of_item(item.entity, predicate) for item in items]
            if all(claims) and any(claim.level != "truth" for group in claims for claim in group):
                return Choice(tuple(item.entity for item in items), tuple(claims))
        return None

    def _answered_by(self, rest: Sequence[str], items: Sequence[Item]) -> Plan | None:
        """ "Who wrote C, A or B?": the question without the alternatives, of which its answer is one."""
        term = self._asked(" ".join(rest))
        if not isinstance(term, Step) or not term.relations or not is_linked(term):
            return None
        names = tuple(item.entity for item in items)
        return Choice(names, tuple((Claim(term, name.name),) for name in names))

    # What they have in common ---------------------------------------------------------------------------------

    def shared(self, text: str) -> Plan | None:
        """Read "What nationality are both A and B?", "What do A and B have in common?", "A and B are both what?"."""
        parts = tokens(text)
        folded = [fold(p) for p in parts]
        if not _ASKING & set(folded) or folded[0] in _BE | _DO:
            return None
        joins = [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]
        for items in self._finder.items(parts, joins):
            told = _SHARING & set(folded) or folded[items[0].start - 1] in ("do", "are", "were", "did")
            if told and len(items) == 2:
                terms = self._shared_terms(parts, items)
                if terms is not None:
                    return Shared(terms)
        return None

    def _shared_terms(self, parts: Sequence[str], items: Sequence[Item]) -> tuple[Term, ...] | None:
        """The question asked of each item alone."""
        front = [p for p in parts[: items[0].start] if fold(p) not in {"both", "do", "doe", "did"}]
        behind = [p for p in parts[items[-1].end :] if fold(p) not in {"both", "each", "share", "common", "have", "in"}]
        noun = _shared_noun(front, behind)
        kind = not noun or noun[-1] not in self._terms.lexicon.asks or _KINDS & set(map(fold, parts))
        if noun is not None and kind:
            return tuple(self.what_is(item.entity) for item in items)
        found = []
        for item in items:
            text = " ".join((*front, item.entity.name, *behind))
            term = self._terms.term(f"the {noun[-1]} of {item.entity.name}") if noun else self._asked(text)
            if not isinstance(term, Step) or not term.relations or not (noun or is_linked(term)):
                return None
            found.append(term)
        return tuple(found)

    # Claims about one thing -----------------------------------------------------------------------------------

    def what_is(self, item: Entity) -> Step:
        """The step that asks what a thing is: its description, its occupation, type or genre."""
        known = self._terms.lexicon.relations
        names = tuple(n for n in ("occupation", "type", "genre") if n in known)
        return Step(item, self._terms.fitting(names, item), "What is {}?", Want("class"))

    def _of_item(self, item: Entity, predicate: _Predicate) -> tuple[Claim, ...]:
        """Split a predicate into claims: where from, what, and in what relation to whom. Nothing where it says none."""
        words = [w for w in predicate.words if fold(w) not in _ARTICLES]
        introduced = len(words) < len(predicate.words)
        if not words or (_COMPARING | _NEGATED) & set(map(fold, words)):
            return ()
        claims: list[Claim] = []
        if predicate.auxiliary in _BE:
            while words and self._is_demonym(words[0]):
                claims.append(self._from(item, words.pop(0)))
            cut = next((i for i, w in enumerate(words) if self._opens_relation(w)), len(words))
            noun, words = words[:cut], words[cut:]
            if noun and not (introduced or claims or self._names_class(noun)):
                return self._true(item, predicate)
            if noun:
                claims.append(Claim(self.what_is(item), " ".join(noun), "class"))
        if words:
            related = self._related(item, words, predicate.auxiliary)
            if related is None:
                return self._true(item, predicate)
            claims.append(related)
        return tuple(claims)

    def _is_demonym(self, word: str) -> bool:
        if not word[:1].isupper():
            return False
        known = country_of(word)
        valued = self._terms.linker.kinds_valued(word)
        return (known is not None and fold(known) != fold(word)) or "nationality" in valued

    def _names_class(self, noun: Sequence[str]) -> bool:
        """Whether a phrase is a plural or a noun the lexicon knows, and not an adjective."""
        last, lexicon = fold(noun[-1]), self._terms.lexicon
        plural = fold(noun[-1]) != noun[-1].lower() and noun[-1].lower().endswith("s")
        known = last in lexicon.nouns or last in lexicon.kinds or last in lexicon.asks
        return (plural or known) and all(w[:1].islower() or self._is_demonym(w) or len(noun) > 1 for w in noun)

    def _opens_relation(self, word: str) -> bool:
        """Whether a preposition or a participle begins a relation here: "films | directed by C"."""
        lexicon, key = self._terms.lexicon, fold(word)
        if key in PREPOSITIONS - {"of", "for", "as"} or key in ("that", "which", "who"):
            return True
        verbal = key in lexicon.verbs or any(
            f"{key} {p}" in lexicon.passives for p in ("by", "in", "on", "at", "from", "to")
        )
        return verbal and word.islower() and key not in lexicon.nouns and key not in lexicon.asks

    def _from(self, item: Entity, country: str) -> Claim:
        """A claim of nationality, asked of the thing in the words that fit its class."""
        known = self._terms.lexicon.relations
        names = self._terms.fitting(tuple(n for n in _NATIONAL if n in known), item)
        names = self._terms.held(names, item)
        template = MEASURES.get(names[0] if names else "", "Which country is {} from?")
        if names[:1] == ("located in",):
            template = "In which country is {} located?"
        return Claim(Step(item, names, template, Want("nationality"), names[:1]), country, "country")

    def _related(self, item: Entity, words: Sequence[str], auxiliary: str) -> Claim | None:
        """ "was directed by C", "located in D", "from E", "released in 1990": a relation to a name or date."""
        if fold(words[0]) == "from" and self._is_country(" ".join(words[1:])):
            told = self._terms.linker.relations_of(item.name).intersection(_NATIONAL)
            return self._from(item, " ".join(words[1:])) if told else None
        for cut in range(1, len(words)):
            value = " ".join(words[cut:])
            date = parse_date(value) or parse_period(value)
            if not value[:1].isupper() and date is None:
                continue
            if date is None and not self._terms.linker.knows_exactly(value):
                continue
            want, opening = self._value_kind(value, is_date=date is not None)
            verbs = [w for w in words[:cut] if fold(w) not in _ARTICLES]
            if want.kind in ("where", "date") and fold(verbs[-1]) in PREPOSITIONS:
                verbs = verbs[:-1]
            if not verbs:
                return self._placed(item, value)
            term = self._terms.clause(" ".join((_full(auxiliary), item.name, *verbs)), want, opening)
            if term is not None and term.relations and is_linked(term) and term.base == item:
                return Claim(term, value)
            return None
        return None

    def _placed(self, item: Entity, value: str) -> Claim | None:
        """ "Is A in B?"."""
        lexicon = self._terms.lexicon
        known = tuple(n for n in ("located in", "based in", "took place in", "born in") if n in lexicon.relations)
        names = self._terms.held(self._terms.fitting(known, item), item)
        return Claim(Step(item, names, "Where is {}?", Want("where", "where"), ("located",)), value) if names else None

    def _is_country(self, name: str) -> bool:
        linker = self._terms.linker
        kinds = linker.values_of(name, "type")
        return country_of(name) is not None or any(_COUNTRIES & set(fold_words(kind)) for kind in kinds)

    def _value_kind(self, value: str, *, is_date: bool) -> tuple[Want, str]:
        if is_date:
            return Want("date"), "When"
        kinds = self._classes(value.split())
        if "person" in kinds:
            return Want("person"), "Who"
        return (Want("where", "where"), "Where") if "place" in kinds or country_of(value) else (Want(), "What")

    def _classes(self, words: Sequence[str]) -> frozenset[str]:
        return self._terms.linker.kinds_valued(" ".join(words))

    def _true(self, item: Entity, predicate: _Predicate) -> tuple[Claim, ...]:
        """A claim that no relation says: whether the thing's own section holds the words."""
        small = PREPOSITIONS | _ARTICLES | _COMPARING | AUXILIARIES
        if _NEGATED & set(map(fold, predicate.words)):
            return ()
        asked = tuple(w for w in fold_words(" ".join(predicate.words)) if w not in small)
        if not asked:
            return ()
        told = " ".join(word for word in predicate.words if fold(word) not in _COMPARING)
        template = f"{_full(predicate.auxiliary).capitalize()} {{}} {told}?"
        return (Claim(Step(item, (), template, Want("truth"), asked), "", "truth"),)


def _shared_noun(front: Sequence[str], behind: Sequence[str]) -> list[str] | None:
    """The noun behind the question word of "have which occupation"; None where more is said of what is shared."""
    asking, other = (front, behind) if _ASKING & set(map(fold, front)) else (behind, front)
    at = next(i for i, word in enumerate(asking) if fold(word) in _ASKING)
    said, *others = ([w for w in map(fold, side) if w not in _EMPTY] for side in (asking[at:], asking[:at], other))
    named = any(w[:1].isupper() for w in asking[at + 1 :])
    return None if any(others) or named or len(said) > _CLASS else said


def _asked_of(rest: Sequence[str]) -> _Predicate | None:
    """The predicate of a question for one of several: what follows "which singer", "who", "which of them"."""
    start = next((i for i, p in enumerate(rest) if fold(p) in _ASKING), None)
    if start is None or fold(rest[start]) not in ("which", "who", "what"):
        return None
    words = list(rest[start + 1 :])
    at = next((i for i, w in enumerate(words) if fold(w) in _BE | _DO), None)
    if at is None:
        return None
    # "Which singer is", but not "What is the country of A or B": the question word's own noun stands before the verb.
    if at == 0 and fold(rest[start]) != "who":
        return None
    predicate = tuple(w for w in words[at + 1 :] if fold(w) not in _FILLERS)
    return _Predicate(fold(words[at]), predicate) if predicate else None


def _full(auxiliary: str) -> str:
    """The word itself for its folded form."""
    return "does" if auxiliary == "doe" else auxiliary
