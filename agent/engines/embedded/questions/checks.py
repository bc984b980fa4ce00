"""Questions about what things are: yes or no ("Are A and B both magazines?"), which ("Which singer is American, A or
B?"), and what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

from .....cubes.core.dates import parse_date, parse_period
from .....cubes.core.folding import fold, fold_words
from .....cubes.extraction.words.lexicon import country_of
from ..plan import (
    AllClaims,
    AnswerType,
    Claim,
    CommonValue,
    EntityChoice,
    Plan,
    QuestionEntity,
    RelationStep,
    Term,
    is_linked,
)
from ..vocabulary.mentions import QuestionMention
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS
from .items import CoordinationParser
from .pairs import looked_up
from .terms import TermParser

__all__ = ["ClaimParser"]

_BE = frozenset({"is", "are", "was", "were"})
_OPENING = _BE | {"do", "doe", "did", "has", "have", "had", "can"}
_FILLERS = frozenset({
    "both", "all", "each", "either", "also", "alike", "ever", "currently", "originally", "considered", "known", "as",
})  # fmt: skip
_ASKING = frozenset({"which", "who", "what", "whose", "whom", "where", "when", "how", "why"})
_SHARING = frozenset({"both", "share", "shared", "common", "mutual", "same", "each"})
_KINDS = frozenset({"type", "kind", "sort"})
_EMPTY = _ASKING | _OPENING | ARTICLES | _SHARING | _KINDS | {"of", "thing", "as", "know", "known", "in", "two", ""}
"""Words around a noun that asks what things have in common, which say nothing of what that is."""
_COMPARING = frozenset({
    "more", "most", "less", "least", "fewer", "fewest", "better", "best", "worse", "than", "same", "only",
})  # fmt: skip
_NEGATED = frozenset({"not", "never", "no", "different", "neither", "nor", "without", "or"})
"""Words in a claim that turn it round or split it: it is not read as if they were not there."""
_COUNTRIES = frozenset({"country", "nation", "kingdom", "republic", "state"})
_CLASS = 2  # words of a class in front of the things ("the rock bands A and B")
_NATIONAL = ("nationality", "country of origin", "located in", "based in", "grows in")

Words = Sequence[str]
Claims = tuple[Claim, ...]


class ClaimParser:
    """Reads claims about one or several things.

    ``asked`` reads a question about one thing as a term, ``claimed`` a yes-or-no question about one thing.
    """

    def __init__(
        self, terms: TermParser, asked: Callable[[str], Term | None], claimed: Callable[[str], Plan | None]
    ) -> None:
        self._terms, self._asked, self._claimed = terms, asked, claimed
        self._finder = CoordinationParser(terms.mentions)

    # Yes or no ------------------------------------------------------------------------------------------------

    def every(self, text: str) -> Plan | None:
        """Read "Are A and B both American directors?"."""
        parts = text.split()
        folded = [fold(p) for p in parts]
        if not parts or folded[0] not in _OPENING or {"or", "share", "common"} & set(folded):
            return None
        for items in self._finder.items(parts, [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]):
            if not all(item.entity.linked for item in items):
                continue
            if _adjacent(parts, items):
                claims = self._claims(parts, items)
                if claims:
                    return AllClaims(tuple(claim for group in claims for claim in group))
            elif "both" in folded:
                return self._of_each(parts, items)
        return None

    def _of_each(self, parts: Words, items: Sequence[QuestionMention]) -> Plan | None:
        """ "Did C direct both A and B?": the same claim with each of them in turn."""
        front, behind = [p for p in parts[: items[0].start] if fold(p) != "both"], parts[items[-1].end :]
        plans = [self._claimed(" ".join((*front, item.entity.name, *behind))) for item in items]
        claims = tuple(plan for plan in plans if isinstance(plan, Claim))
        return AllClaims(claims) if len(claims) == len(items) else None

    def single(self, text: str) -> Plan | None:
        """Read "Is A a director?": one thing right behind the auxiliary, by its longest name."""
        parts = text.split()
        if not parts or fold(parts[0]) not in _OPENING:
            return None
        item = next((m for m in self._terms.mentions.subjects(parts) if m.start == 1 and m.end < len(parts)), None)
        if item is None:
            return None
        if "or" in parts[item.end :]:
            return self._either(item.entity, parts[item.end :], fold(parts[0]))
        claims = self._claims(parts, (item,))
        return AllClaims(claims[0]) if claims else None

    def _either(self, entity: QuestionEntity, words: Words, auxiliary: str) -> Plan | None:
        """ "Was A a poet or an architect?", "Is A in B or C?": which of two claims about it holds."""
        at = words.index("or")
        left, right = [p.strip(",") for p in words[:at]], list(words[at + 1 :])
        opening = list(takewhile(self._opens_relation, left))
        names = [" ".join(w for w in side if fold(w) not in ARTICLES) for side in (left[len(opening) :], right)]
        claims = [self._of_item(entity, auxiliary, side) for side in (left, [*opening, *right])]
        return (
            EntityChoice(tuple(QuestionEntity(name) for name in names), tuple(claims))
            if all(claims) and all(names)
            else None
        )

    def _claims(self, parts: Words, items: Sequence[QuestionMention]) -> tuple[Claims, ...]:
        words = [w for p in parts[items[-1].end :] if fold(w := p.strip(",;:")) and fold(w) not in _FILLERS]
        before = [p.strip(",") for p in parts[1 : items[0].start] if fold(p) not in _FILLERS | ARTICLES]
        if not words and "both" in map(fold, parts):
            words = before  # "Are both magazines A and B"
        found = tuple(self._of_item(item.entity, fold(parts[0]), words) for item in items)
        return found if all(found) else ()

    # Which of them --------------------------------------------------------------------------------------------

    def choice(self, text: str) -> Plan | None:
        """Read "Which singer is American, A or B?", "Who directed C, A or B?"."""
        parts = text.split()
        folded = [fold(p) for p in parts]
        joins = [i for i, part in enumerate(parts) if part == "or"]
        if not joins or not _ASKING & set(folded) or _COMPARING & set(folded):
            return None
        for items in self._finder.items(parts, joins):
            named = {i for item in items for i in range(item.start - (folded[item.start - 1] == "the"), item.end)}
            rest = [w for i, p in enumerate(parts) if i not in named and (w := p.strip(",:;")) and fold(w) != "or"]
            if not any(item.entity.linked for item in items):
                continue
            auxiliary, words = _predicate(rest)
            if not words:
                return self._answered_by(rest, items)
            claims = [self._of_item(item.entity, auxiliary, words) for item in items]
            if all(claims) and any(claim.level != "truth" for group in claims for claim in group):
                return EntityChoice(tuple(item.entity for item in items), tuple(claims))
        return None

    def _answered_by(self, rest: Words, items: Sequence[QuestionMention]) -> Plan | None:
        """ "Who wrote C, A or B?": the question without the alternatives, of which its answer is one."""
        term = self._asked(" ".join(rest))
        if not isinstance(term, RelationStep) or not term.relations or not is_linked(term):
            return None
        names = tuple(item.entity for item in items)
        return EntityChoice(names, tuple((Claim(term, name.name),) for name in names))

    # What they have in common ---------------------------------------------------------------------------------

    def shared(self, text: str) -> Plan | None:
        """Read "What nationality are both A and B?", "What do A and B have in common?", "A and B are both what?"."""
        parts = text.split()
        folded = [fold(p) for p in parts]
        if not _ASKING & set(folded) or folded[0] in _OPENING:
            return None
        for items in self._finder.items(parts, [i for i, part in enumerate(parts) if part.lower() in ("and", "&")]):
            told = _SHARING & set(folded) or folded[items[0].start - 1] in ("do", "are", "were", "did")
            terms = self._shared_terms(parts, items) if told and len(items) == 2 else None
            if terms is not None:
                return CommonValue(terms)
        return None

    def _shared_terms(self, parts: Words, items: Sequence[QuestionMention]) -> tuple[Term, ...] | None:
        """The question asked of each item alone."""
        front = [p for p in parts[: items[0].start] if fold(p) not in {"both", "do", "doe", "did"}]
        behind = [p for p in parts[items[-1].end :] if fold(p) not in {"both", "each", "share", "common", "have", "in"}]
        noun = _shared_noun(front, behind)
        asks = self._terms.lexicon.asks
        if noun is not None and (not noun or noun[-1] not in asks or _KINDS & set(map(fold, parts))):
            return tuple(self._terms.cues.what_is(item.entity) for item in items)
        found = []
        for item in items:
            name = item.entity.name
            asked = f"the {noun[-1]} of {name}" if noun else " ".join((*front, name, *behind))
            term = self._terms.term(asked) if noun else self._asked(asked)
            if not isinstance(term, RelationStep) or not term.relations or not (noun or is_linked(term)):
                return None
            found.append(term)
        return tuple(found)

    # Claims about one thing -----------------------------------------------------------------------------------

    def _of_item(self, item: QuestionEntity, auxiliary: str, said: Words) -> Claims:
        """Split a predicate into claims: where from, what, and in what relation to whom. Nothing where it says none."""
        words = [w for w in said if fold(w) not in ARTICLES]
        if not words or (_COMPARING | _NEGATED) & set(map(fold, words)):
            return ()
        introduced = len(words) < len(said)
        claims: list[Claim] = []
        if auxiliary in _BE:
            while words and self._is_demonym(words[0]):
                claims.append(self._from(item, words.pop(0)))
            noun = list(takewhile(lambda w: not self._opens_relation(w), words))
            words = words[len(noun) :]
            if noun and not (introduced or claims or self._names_class(noun)):
                return self._true(item, auxiliary, said)
            if noun:
                claims.append(Claim(self._terms.cues.what_is(item), " ".join(noun), "class"))
        if words:
            related = self._related(item, words, auxiliary)
            if related is None:
                return self._true(item, auxiliary, said)
            claims.append(related)
        return tuple(claims)

    def _is_demonym(self, word: str) -> bool:
        if not word[:1].isupper():
            return False
        known = country_of(word)
        own = known is not None and fold(known) != fold(word)
        return own or "nationality" in self._terms.linker.kinds_valued(word)

    def _names_class(self, noun: Words) -> bool:
        """Whether a phrase is a plural or a noun the lexicon knows, and not an adjective."""
        last = fold(noun[-1])
        plural = last != noun[-1].lower() and noun[-1].lower().endswith("s")
        known = plural or self._terms.mentions.classes(last)
        return known and all(w[:1].islower() or self._is_demonym(w) or len(noun) > 1 for w in noun)

    def _opens_relation(self, word: str) -> bool:
        """Whether a preposition or a participle begins a relation here: "films | directed by C"."""
        lexicon, key = self._terms.lexicon, fold(word)
        if key in PREPOSITIONS - {"of", "for", "as"} or key in ("that", "which", "who"):
            return True
        verbal = key in lexicon.verbs or any(f"{key} {p}" in lexicon.passives for p in PREPOSITIONS)
        return verbal and word.islower() and key not in lexicon.nouns and key not in lexicon.asks

    def _from(self, item: QuestionEntity, country: str) -> Claim:
        """A claim of nationality, asked of the thing in the words that fit its class."""
        names = self._terms.cues.known(_NATIONAL, item)
        template = "In which country is {} located?" if names[:1] == ("located in",) else looked_up(names)
        return Claim(RelationStep(item, names, template, AnswerType("nationality"), names[:1]), country, "country")

    def _related(self, item: QuestionEntity, words: Words, auxiliary: str) -> Claim | None:
        """ "was directed by C", "located in D", "from E", "released in 1990": a relation to a name or date."""
        if fold(words[0]) == "from" and self._is_country(" ".join(words[1:])):
            told = self._terms.linker.relations_of(item.name).intersection(_NATIONAL)
            return self._from(item, " ".join(words[1:])) if told else None
        for cut in range(1, len(words)):
            value = " ".join(words[cut:])
            date = parse_date(value) or parse_period(value)
            if date is None and not (value[:1].isupper() and self._terms.linker.knows_exactly(value)):
                continue
            want = AnswerType("date") if date is not None else self._value_kind(value)
            verbs = [w for w in words[:cut] if fold(w) not in ARTICLES]
            if want.kind in ("where", "date") and fold(verbs[-1]) in PREPOSITIONS:
                verbs = verbs[:-1]
            if not verbs:
                return self._placed(item, value)
            asked = [{"date": "When", "person": "Who", "where": "Where"}.get(want.kind or "", "What"), _full(auxiliary)]
            term = self._terms.about(verbs, QuestionMention(0, 0, item), want, asked)
            return Claim(term, value) if term is not None and term.relations and is_linked(term) else None
        return None

    def _placed(self, item: QuestionEntity, value: str) -> Claim | None:
        """ "Is A in B?"."""
        names = self._terms.cues.known(("located in", "based in", "took place in", "born in"), item)
        return (
            Claim(RelationStep(item, names, "Where is {}?", AnswerType("where", "where"), ("located",)), value)
            if names
            else None
        )

    def _is_country(self, name: str) -> bool:
        kinds = self._terms.linker.values_of(name, "type")
        return country_of(name) is not None or any(_COUNTRIES & set(fold_words(kind)) for kind in kinds)

    def _value_kind(self, value: str) -> AnswerType:
        kinds = self._terms.linker.kinds_valued(value)
        if "person" in kinds:
            return AnswerType("person")
        return AnswerType("where", "where") if "place" in kinds or country_of(value) else AnswerType()

    def _true(self, item: QuestionEntity, auxiliary: str, said: Words) -> Claims:
        """A claim that no relation says: whether the thing's own section holds the words."""
        small = PREPOSITIONS | ARTICLES | _COMPARING | AUXILIARIES
        asked = tuple(w for w in fold_words(" ".join(said)) if w not in small)
        if not asked:
            return ()
        told = " ".join(word for word in said if fold(word) not in _COMPARING)
        template = f"{_full(auxiliary).capitalize()} {{}} {told}?"
        return (Claim(RelationStep(item, (), template, AnswerType("truth"), asked), "", "truth"),)


def _adjacent(parts: Words, items: Sequence[QuestionMention]) -> bool:
    """Whether nothing but small words, or a class named with "both", stands before and between the items."""
    before = [fold(p) for p in parts[1 : items[0].start]]
    between = {fold(p) for left, right in pairwise(items) for p in parts[left.end : right.start]}
    small = _FILLERS | ARTICLES | {"and", "", "&"}
    classed = "both" in before or len(set(before) - small) <= _CLASS
    plainly = all(p[:1].islower() for p in parts[1 : items[0].start])
    return between <= small and (set(before) <= small or (classed and plainly))


def _shared_noun(front: Words, behind: Words) -> list[str] | None:
    """The noun behind the question word of "have which occupation"; None where more is said of what is shared."""
    asking, other = (front, behind) if _ASKING & set(map(fold, front)) else (behind, front)
    at = next(i for i, word in enumerate(asking) if fold(word) in _ASKING)
    said, *others = ([w for w in map(fold, side) if w not in _EMPTY] for side in (asking[at:], asking[:at], other))
    named = any(w[:1].isupper() for w in asking[at + 1 :])
    return None if any(others) or named or len(said) > _CLASS else said


def _predicate(rest: Words) -> tuple[str, list[str]]:
    """The auxiliary and the words of what a question says of one of several: behind "which singer", "who"."""
    start = next((i for i, p in enumerate(rest) if fold(p) in _ASKING), None)
    if start is None or fold(rest[start]) not in ("which", "who", "what"):
        return "", []
    words = rest[start + 1 :]
    at = next((i for i, w in enumerate(words) if fold(w) in _OPENING), None)
    # "Which singer is", but not "What is the country of A or B": the question word's own noun stands before the verb.
    if at is None or (at == 0 and fold(rest[start]) != "who"):
        return "", []
    return fold(words[at]), [w for w in words[at + 1 :] if fold(w) not in _FILLERS]


def _full(auxiliary: str) -> str:
    """The word itself for its folded form."""
    return "does" if auxiliary == "doe" else auxiliary
