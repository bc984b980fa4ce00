"""Reading noun phrases of a question as terms of a plan.

A noun phrase is tried, in this order, as a name the corpus knows, a described name ("the 1962 film X"), a relation of
something ("the director of X"), a noun with a relative clause ("the city in which X was born"), a possessive ("X's
father"), a noun with a participle ("the university attended by X"), and last as a name the corpus does not know.
"""

from __future__ import annotations

import re

from ...cubes.folding import fold
from .clauses import ClauseReader
from .lexicon import Lexicon, ranks
from .linking import Linker
from .names import NameReader
from .phrases import POSSESSIVE, clean, head, is_linked, plain, ranked, tokens
from .plan import Step, Term, Want
from .relations import RelationReader
from .wordlists import ARTICLES, CLAUSAL, PREPOSITIONS, RELATIVE

__all__ = ["TermParser"]

_NAME_OF = re.compile(r"^(?:the )?(?:full )?names? of (?=the |an? )")


class TermParser:
    """Parses phrases against one ontology's lexicon and one corpus's names. Readings are cached by text."""

    def __init__(self, lexicon: Lexicon, linker: Linker) -> None:
        self.lexicon = lexicon
        self.linker = linker
        self._relations = RelationReader(lexicon, linker)
        self._names = NameReader(lexicon, linker)
        self._clauses = ClauseReader(lexicon, self._names, self._relations, self.term)
        self._terms: dict[str, Term | None] = {}

    def term(self, text: str) -> Term | None:
        """Read a noun phrase; None where no reading fits."""
        phrase = _NAME_OF.sub("", clean(text))
        if phrase not in self._terms:
            self._terms[phrase] = None  # a phrase that contains itself has no reading
            self._terms[phrase] = self._read(phrase) if fold(phrase) else None
        return self._terms[phrase]

    def forget(self) -> None:
        """Drop the cached readings."""
        self._terms.clear()

    def clause(self, text: str, want: Want, opening: str) -> Step | None:
        """Read a clause with a gap; see `ClauseReader.read`."""
        return self._clauses.read(text, want, opening)

    def wanted(self, noun: str) -> Want:
        """What an answer named by this noun must be."""
        return self._relations.wanted(noun)

    def fitting(self, names: tuple[str, ...], base: Term) -> tuple[str, ...]:
        """Keep the relations that the base's class has."""
        return self._relations.fitting(names, base)

    def held(self, names: tuple[str, ...], base: Term) -> tuple[str, ...]:
        """Narrow relations that say the same of different classes to the first that a base has a fact of."""
        return self._relations.held(names, base)

    def _read(self, phrase: str) -> Term | None:
        for reader in (
            self._names.known,
            self._names.described,
            self._names.known_by_words,
            self._ranked,
            self._relation_of,
            self._relative,
            self._possessive,
            self._participle,
            self._open_relation_of,
            self._names.unknown,
        ):
            found = reader(phrase)
            if found is not None:
                return found
        return None

    def _ranked(self, phrase: str) -> Term | None:
        """ "the first film directed by X", "the youngest son of X"."""
        parts = [p for i, p in enumerate(tokens(phrase)) if i or fold(p) not in ARTICLES]
        if len(parts) < 3 or parts[0].lower() not in ranks() or not parts[0].islower():
            return None
        return ranked(self.term(" ".join(parts[1:])), parts[0])

    def _possessive(self, phrase: str) -> Term | None:
        for mark in reversed(list(POSSESSIVE.finditer(phrase))):
            owner, owned = phrase[: mark.start()], phrase[mark.end() :]
            if owned and (base := self.term(owner)) is not None:
                step = self._relations.relation(owned, base) or self._labelled(owned, base)
                if step is not None:
                    return step
        return None

    def _labelled(self, owned: str, base: Term) -> Term | None:
        """ "X's brother in a presidential election": the longest relation at the front."""
        parts = tokens(owned)
        for cut in range(len(parts) - 1, 0, -1):
            if fold(parts[cut]) in PREPOSITIONS and (step := self._relations.relation(" ".join(parts[:cut]), base)):
                return step
        return None

    def _relation_of(self, phrase: str) -> Term | None:
        parts = tokens(phrase)
        for cut in range(min(7, len(parts) - 2), 0, -1):
            if fold(parts[cut]) not in ("of", "for", "behind", "to") or not all(plain(p) for p in parts[:cut]):
                continue
            noun = " ".join(parts[:cut])
            if not self._relations.names_relation(noun):
                continue
            base = self.term(" ".join(parts[cut + 1 :]))
            step = self._relations.relation(noun, base) if base is not None else None
            if step is not None:
                return step
        return None

    def _relative(self, phrase: str) -> Term | None:
        """ "the city in which X was born", "the person who wrote X"."""
        parts = tokens(phrase)
        for at in range(1, len(parts)):
            if fold(parts[at]) not in RELATIVE or not parts[at].islower():
                continue
            preposition = fold(parts[at - 1]) if fold(parts[at - 1]) in PREPOSITIONS else ""
            noun = parts[: at - 1] if preposition else parts[:at]
            if fold(parts[at]) == "where" and not preposition:
                preposition = "in"
            if (
                not noun
                or len(noun) > 6
                or not all(plain(p.strip(",")) for p in noun)
                or {fold(p) for p in noun} & CLAUSAL
            ):
                return None
            word = head(noun, self.lexicon)
            opening = f"{preposition} which {word}".strip().capitalize()
            return self.clause(" ".join(parts[at + 1 :]), self.wanted(word), opening)
        return None

    def _participle(self, phrase: str) -> Term | None:
        """ "the university attended by X", "a film directed by X"."""
        parts = tokens(phrase)
        for at in range(1, min(7, len(parts) - 1)):
            if not all(plain(p) for p in parts[: at + 1]):
                return None
            if any(
                " ".join(map(fold, parts[at:end])) in table
                for end in (at + 1, at + 2)
                for table in (self.lexicon.verbs, self.lexicon.passives)
            ):
                word = head(parts[:at], self.lexicon)
                if not self._names.classes(word):
                    continue
                return self.clause(" ".join(parts[at:]), self.wanted(word), f"Which {word} was")
        return None

    def _open_relation_of(self, phrase: str) -> Term | None:
        """ "the religion of X": a relation noun that the ontology does not know."""
        parts = tokens(phrase)
        for cut in range(1, min(5, len(parts) - 1)):
            if fold(parts[cut]) == "of" and all(plain(p) for p in parts[:cut]):
                base = self.term(" ".join(parts[cut + 1 :]))
                noun = [f for f in map(fold, parts[:cut]) if f not in ARTICLES]
                if base is not None and is_linked(base) and noun and not set(noun) & PREPOSITIONS:
                    word = " ".join(noun)
                    want = Want(self.lexicon.kinds.get(noun[-1]), noun[-1])
                    return Step(base, (), f"What is the {word} of {{}}?", want, tuple(noun))
        return None
