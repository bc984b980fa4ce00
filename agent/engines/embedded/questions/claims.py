"""What a yes-or-no question claims of one thing: where it is from, what it is, in what relation it stands to whom."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from .....cubes.core.dates import parse_date, parse_period
from .....cubes.core.folding import fold, fold_words
from .....cubes.extraction.words.lexicon import country_of
from ..plan import AnswerType, Operation, Part, Plan, QuestionEntity, RelationStep, is_linked
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS
from .terms import GAP, TermParser, looked_up

__all__ = ["FILLERS", "OPENING", "ClaimReader"]

_BE = frozenset({"is", "are", "was", "were"})
OPENING = _BE | {"do", "doe", "did", "has", "have", "had", "can"}
FILLERS = frozenset({
    "both", "all", "each", "either", "also", "alike", "ever", "currently", "originally", "considered", "known", "as",
    "",
})  # fmt: skip
_BARRING = frozenset({
    "more", "most", "less", "least", "fewer", "fewest", "better", "best", "worse", "than", "same", "only",
    "not", "never", "no", "different", "neither", "nor", "without", "or",
})  # fmt: skip
"""Words that turn a claim round, split it or compare: it is not read as if they were not there."""
_NATIONAL = ("nationality", "country of origin", "located in", "based in", "grows in")
_COUNTRIES = frozenset({"country", "nation", "kingdom", "republic", "state"})
_PLACED = ("located in", "based in", "took place in", "born in")
_ASKED = {"date": "When", "person": "Who", "where": "Where"}


class ClaimReader:
    """Reads the words of a predicate as claims, each of one look-up."""

    def __init__(self, terms: TermParser) -> None:
        self._terms = terms

    def single(self, text: str) -> Plan | None:
        """Read "Is A a director?": one thing right behind the auxiliary, by its longest name."""
        parts = text.split()
        if not parts or fold(parts[0]) not in OPENING:
            return None
        item = next((m for m in self._terms.mentions.subjects(parts) if m.start == 1 and m.end < len(parts)), None)
        claims = self.of(item.entity, fold(parts[0]), [p.strip(",") for p in parts[item.end :]]) if item else ()
        return Operation("all", claims) if claims else None

    def of(self, item: QuestionEntity, auxiliary: str, said: Sequence[str]) -> tuple[Part, ...]:
        """Split a predicate into claims about a thing; nothing where it says none."""
        told = [w for w in said if fold(w) not in FILLERS]
        words = [w for w in told if fold(w) not in ARTICLES]
        if not words or _BARRING & set(map(fold, words)):
            return ()
        introduced = len(words) < len(told)
        claims: list[Part] = []
        if auxiliary in _BE:
            while words and self._is_demonym(words[0]):
                claims.append(self._from(item, words.pop(0)))
            noun = list(takewhile(lambda w: not self._opens_relation(w), words))
            words = words[len(noun) :]
            if noun and not (introduced or claims or self._names_class(noun)):
                return self._true(item, auxiliary, told)
            if noun:
                claims.append(Operation("is", (self._terms.cues.what_is(item),), value=" ".join(noun), level="class"))
        if words:
            related = self._related(item, words, auxiliary)
            if related is None:
                return self._true(item, auxiliary, told)
            claims.append(related)
        return tuple(claims)

    def _is_demonym(self, word: str) -> bool:
        known = country_of(word) if word[:1].isupper() else None
        own = known is not None and fold(known) != fold(word)
        return word[:1].isupper() and (own or "nationality" in self._terms.linker.kinds_valued(word))

    def _names_class(self, noun: Sequence[str]) -> bool:
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

    def _from(self, item: QuestionEntity, country: str) -> Operation:
        """A claim of nationality, asked of the thing in the words that fit its class."""
        names = self._terms.cues.known(_NATIONAL, item)
        template = "In which country is {} located?" if names[:1] == ("located in",) else looked_up(names)
        step = RelationStep(item, names, template, AnswerType("nationality"), names[:1])
        return Operation("is", (step,), value=country, level="country")

    def _related(self, item: QuestionEntity, words: Sequence[str], auxiliary: str) -> Operation | None:
        """ "was directed by C", "located in D", "from E", "released in 1990": a relation to a name or date."""
        if fold(words[0]) == "from" and self._is_country(" ".join(words[1:])):
            told = self._terms.linker.relations_of(item.name).intersection(_NATIONAL)
            return self._from(item, " ".join(words[1:])) if told else None
        for cut in range(1, len(words)):
            value = " ".join(words[cut:])
            dated = (parse_date(value) or parse_period(value)) is not None
            if not dated and not (value[:1].isupper() and self._terms.linker.knows_exactly(value)):
                continue
            want = AnswerType("date") if dated else self._value_kind(value)
            verbs = [w for w in words[:cut] if fold(w) not in ARTICLES]
            if want.kind in ("where", "date") and fold(verbs[-1]) in PREPOSITIONS:
                verbs = verbs[:-1]
            step = self._placed(item) if not verbs else self._told(item, verbs, want, auxiliary)
            return Operation("is", (step,), value=value) if step is not None and step.relations else None
        return None

    def _told(
        self, item: QuestionEntity, verbs: list[str], want: AnswerType, auxiliary: str
    ) -> RelationStep | None:
        asked = [_ASKED.get(want.kind or "", "What"), _full(auxiliary)]
        term = self._terms.clause([*asked, GAP, *verbs], len(asked), item, want)
        return term if term is not None and is_linked(term) else None

    def _placed(self, item: QuestionEntity) -> RelationStep:
        """ "Is A in B?"."""
        names = self._terms.cues.known(_PLACED, item)
        return RelationStep(item, names, "Where is {}?", AnswerType("where", "where"), ("located",))

    def _is_country(self, name: str) -> bool:
        kinds = self._terms.linker.values_of(name, "type")
        return country_of(name) is not None or any(_COUNTRIES & set(fold_words(kind)) for kind in kinds)

    def _value_kind(self, value: str) -> AnswerType:
        kinds = self._terms.linker.kinds_valued(value)
        if "person" in kinds:
            return AnswerType("person")
        return AnswerType("where", "where") if "place" in kinds or country_of(value) else AnswerType()

    def _true(self, item: QuestionEntity, auxiliary: str, said: Sequence[str]) -> tuple[Part, ...]:
        """A claim that no relation says: whether the thing's own section holds the words."""
        small = PREPOSITIONS | ARTICLES | AUXILIARIES
        asked = tuple(w for w in fold_words(" ".join(said)) if w not in small)
        template = f"{_full(auxiliary).capitalize()} {{}} {' '.join(said)}?"
        return (RelationStep(item, (), template, AnswerType("truth"), asked),) if asked else ()


def _full(auxiliary: str) -> str:
    """The word itself for its folded form."""
    return "does" if auxiliary == "doe" else auxiliary
