"""What a yes-or-no question claims of one thing: where it is from, what it is, in what relation it stands to whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from .....cubes.core.dates import parse_date, parse_period
from .....cubes.core.folding import fold_words
from .....cubes.extraction.words.lexicon import country_of
from ..plan import AnswerType, Operation, Part, QuestionEntity, RelationStep, is_linked
from ..vocabulary.wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS
from ..vocabulary.words import GAP, Word, written
from .terms import TermParser

__all__ = ["FILLERS", "OPENING", "ClaimReader"]

_BE = frozenset({"is", "are", "was", "were"})
OPENING = _BE | {"do", "doe", "did", "has", "have", "had", "can"}
FILLERS = frozenset({
    "both", "all", "each", "either", "also", "alike", "ever", "currently", "originally", "considered", "known", "as",
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

    def single(self, text: str) -> tuple[Part, ...]:
        """Read "Is A a director?": one thing right behind the auxiliary."""
        words = self._terms.words.read(text)
        if len(words) < 3 or words[0].key not in OPENING or not (words[1].kind == "name" and words[1].known):
            return ()
        return self.of(self._terms.described(words, 1)[1], words[0].key, words[2:])

    def of(self, item: QuestionEntity, auxiliary: str, said: Sequence[Word]) -> tuple[Part, ...]:
        """Split a predicate into claims about a thing; nothing where it says none."""
        told = [w for w in said if w.kind != "mark" and w.key not in FILLERS]
        words = [w for w in told if w.key not in ARTICLES]
        if not words or any(w.key in _BARRING for w in words):
            return ()
        claims: list[Part] = []
        if auxiliary in _BE:
            while words and words[0].kind == "adjective":
                claims.append(self._from(item, words.pop(0).text))
            noun = list(takewhile(lambda w: not self._opens_relation(w), words))
            words = words[len(noun) :]
            if noun:
                kind = written([w.text for w in noun])
                claims.append(Operation("is", (self._terms.cues.what_is(item),), value=kind, level="class"))
        if words:
            related = self._related(item, words, auxiliary)
            if related is None:
                return self._true(item, auxiliary, told)
            claims.append(related)
        return tuple(claims)

    def _opens_relation(self, word: Word) -> bool:
        """Whether a preposition or a participle begins a relation here: "films | directed by C"."""
        lexicon, key = self._terms.lexicon, word.key
        if key in PREPOSITIONS - {"of", "for", "as"}:
            return True
        verbal = key in lexicon.verbs or any(f"{key} {p}" in lexicon.passives for p in PREPOSITIONS)
        return bool(key) and verbal and key not in lexicon.nouns and key not in lexicon.asks

    def _from(self, item: QuestionEntity, country: str) -> Operation:
        """A claim of nationality, asked of the thing in the words that fit its class."""
        step = replace(self._terms.measure(item, _NATIONAL, "country"), want=AnswerType("nationality"))
        return Operation("is", (step,), value=country, level="country")

    def _related(self, item: QuestionEntity, words: Sequence[Word], auxiliary: str) -> Operation | None:
        """ "was directed by C", "located in D", "from E", "released in 1990": a relation to a name or date."""
        if words[0].key == "from" and self._is_country(country := written([w.text for w in words[1:]])):
            told = self._terms.linker.relations_of(item.name).intersection(_NATIONAL)
            return self._from(item, country) if told else None
        for cut in range(1, len(words)):
            value = written([w.text for w in words[cut:]])
            dated = (parse_date(value) or parse_period(value)) is not None
            if not dated and not (value[:1].isupper() and self._terms.linker.knows_exactly(value)):
                continue
            kinds = frozenset({"date"}) if dated else self._terms.linker.kinds_valued(value)
            kind = next((k for k in ("date", "person", "place") if k in kinds), None)
            want = AnswerType("where", "where") if kind == "place" else AnswerType(kind)
            verbs = [w for w in words[:cut] if w.key not in ARTICLES]
            if want.kind in ("where", "date") and verbs[-1].key in PREPOSITIONS:
                verbs = verbs[:-1]
            step = self._told(item, verbs, want, auxiliary)
            return Operation("is", (step,), value=value) if step is not None and step.relations else None
        return None

    def _told(
        self, item: QuestionEntity, verbs: Sequence[Word], want: AnswerType, auxiliary: str
    ) -> RelationStep | None:
        if not verbs:  # "Is A in B?"
            names = self._terms.cues.known(_PLACED, item)
            return RelationStep(item, names, "Where is {}?", AnswerType("where", "where"), ("located",))
        asked = (Word(_ASKED.get(want.kind or "", "What")), Word(_full(auxiliary)))
        term = self._terms.clause([*asked, GAP, *verbs], len(asked), item, want)
        return term if term is not None and is_linked(term) else None

    def _is_country(self, name: str) -> bool:
        kinds = self._terms.linker.values_of(name, "type")
        return country_of(name) is not None or any(_COUNTRIES & set(fold_words(kind)) for kind in kinds)

    def _true(self, item: QuestionEntity, auxiliary: str, said: Sequence[Word]) -> tuple[Part, ...]:
        """A claim that no relation says: whether the thing's own section holds the words."""
        told = written([w.text for w in said])
        asked = tuple(w for w in fold_words(told) if w not in PREPOSITIONS | ARTICLES | AUXILIARIES)
        template = f"{_full(auxiliary).capitalize()} {{}} {told}?"
        return (RelationStep(item, (), template, AnswerType("truth"), asked),) if asked else ()


def _full(auxiliary: str) -> str:
    """The word itself for its folded form."""
    return "does" if auxiliary == "doe" else auxiliary
