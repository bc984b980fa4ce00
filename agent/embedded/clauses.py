"""Reading a clause with a gap ("was X born", "flows through X") as one step: its base, its verb's relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...cubes.folding import fold
from .lexicon import Lexicon
from .names import NameReader
from .phrases import clean, content, is_linked, plain, template, tokens, trim, trim_front
from .plan import Step, Term, Want
from .relations import KIND_CUBES, RelationReader
from .wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS, RELATIVE

__all__ = ["ClauseReader"]

_MAX_PHRASE = 5
_LEFTOVER = 2  # words beside verb and base that a reading may leave unexplained
_PLACES = frozenset({"where", "place", "city", "town", "location", "bridge", "building", "province"})


_ANSWERING = {
    "date": {"date"},
    "quantity": {"quantity"},
    "nationality": {"nationality", "place"},
    "person": {"person", "name", "organization"},
    "work": {"work", "name", "text"},
    "organization": {"organization", "name", "place", "work", "person"},
    "place": {"place", "name", "nationality", "organization", "work", "event"},
    "where": {"place", "name", "nationality", "organization", "work", "event"},
}
"""The kinds of values that answer a question for a kind of thing; read the other way, a verb gives its subject."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a clause, with what speaks for it."""

    step: Step
    linked: bool
    leftover: int
    length: int
    base_length: int

    @property
    def merit(self) -> tuple[bool, int, int, int]:
        return (self.linked, -self.leftover, self.length, self.base_length)


class ClauseReader:
    """Reads clauses; ``term`` reads the noun phrases within them."""

    def __init__(
        self, lexicon: Lexicon, names: NameReader, relations: RelationReader, term: Callable[[str], Term | None]
    ) -> None:
        self._lexicon = lexicon
        self._names = names
        self._relations = relations
        self._term = term

    def read(self, text: str, want: Want, opening: str) -> Step | None:
        """Read a clause with a gap: the one name or term in it is the base, its verb names the relations.

        ``opening`` is the question word phrase that stood for the gap ("In which city"); with the clause it makes the
        subquery's template.
        """
        parts = tokens(clean(text))
        if parts and fold(parts[0]) in ("is", "was", "are", "were"):
            whole = self._whole_clause(parts, want, opening)
            if whole is not None:
                return whole
        having = self._has_relation(parts, want, opening)
        if having is not None and is_linked(having):
            return having
        readings = [*self._verb_readings(parts, want, opening)]
        if readings:
            best = max(readings, key=lambda r: r.merit)
            if best.linked and best.leftover <= _LEFTOVER:
                return best.step
        return (
            having
            or self._copula(parts, want, opening)
            or self._open(parts, want, opening)
            or (best.step if readings and best.leftover <= _LEFTOVER else None)
        )

    def _whole_clause(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """ "(In which province) is TERM", "(the king who) was the brother of TERM": what follows "is" is one term."""
        term = self._term(" ".join(trim(parts)))
        if term is None or not is_linked(term) or (isinstance(term, Step) and not term.relations):
            return None
        if want.noun in self._lexicon.asks and want.noun not in self._lexicon.male | self._lexicon.female:
            return self._copula(parts, want, opening)
        if isinstance(term, Step) and want.kind == "date" and term.want.kind != "date":
            return None  # "When was the clock built in X?" asks of a clock, not for one
        if isinstance(term, Step) and (want.kind is None or term.want.kind in (None, want.kind)):
            return replace(term, want=Want(want.kind or term.want.kind, want.noun or term.want.noun))
        return None

    def _verb_readings(self, parts: Sequence[str], want: Want, opening: str) -> Iterator[_Reading]:
        folded = [fold(p) for p in parts]
        fronted = fold(opening.split()[0]) if opening else ""
        for start in range(len(parts)):
            for end in range(min(len(parts), start + _MAX_PHRASE), start, -1):
                key = " ".join(folded[start:end])
                exact = self._phrase(f"{key} {fronted}") if fronted in PREPOSITIONS else ()
                names = self._wanted(exact, want) or self._wanted(self._phrase(key), want)
                bracketed = any(c in part for part in parts[start:end] for c in '()"')
                if names and not bracketed and (start == end - 1 or parts[start].islower()):
                    yield from self._around(parts, start, end, names, want, opening)

    def _phrase(self, key: str) -> tuple[str, ...]:
        """The relations that a verb phrase names."""
        return tuple(dict.fromkeys((*self._lexicon.verbs.get(key, ()), *self._lexicon.passives.get(key, ()))))

    def _around(
        self, parts: Sequence[str], start: int, end: int, names: tuple[str, ...], want: Want, opening: str
    ) -> Iterator[_Reading]:
        """The base stands before or behind the verb phrase."""
        left, right = trim(parts[:start]), trim_front(parts[end:])
        words = tuple(fold(p) for p in parts[start:end])
        if left and right and fold(right[0]) in RELATIVE and all(plain(p) for p in left):
            left, right = [*left, *right], []  # "does the river empty that flows through X"
            parts = [*parts[:start], *parts[end:], *parts[start:end]]
        for span, other in ((left, right), (right, left)):
            if not span:
                continue
            base_text = " ".join(span)
            base = self._term(base_text)
            if base is None:
                continue
            leftover = content(other)
            if self._untold(other, leftover):
                continue
            step = Step(
                base,
                self._relations.fitting(names, base, converse=True),
                template(opening, parts, base_text),
                want,
                words + tuple(leftover),
                self._lexicon.gender(want.noun or ""),
                not _stands_behind(opening, want),
            )
            yield _Reading(step, is_linked(base), len(leftover), end - start, len(span))

    def _structured(self, others: Sequence[str], words: Sequence[str], want: Want) -> bool:
        """Whether what stands beside a name has a structure of its own, which a bag of words would lose."""
        known = (w for w in words if w != want.noun and (w in self._lexicon.asks or w in self._lexicon.nouns))
        return any(p.lstrip("\"'(")[:1].isupper() for p in others) or next(known, None) is not None

    def _untold(self, other: Sequence[str], leftover: Sequence[str]) -> bool:
        """Whether the words beside verb and base say more than a description: another name, another verb."""
        verbs = (w for w in leftover if w in self._lexicon.verbs and w not in self._lexicon.nouns)
        return any(p.lstrip("\"'(")[:1].isupper() for p in other) or next(verbs, None) is not None

    def _wanted(self, names: tuple[str, ...], want: Want) -> tuple[str, ...]:
        """Keep the relations whose values can answer; an inverse reading may give a name of any class."""
        allowed = _ANSWERING.get(want.kind or "")
        cube = KIND_CUBES.get(want.kind or "")
        kept = [
            name
            for name in names
            if allowed is None or any(r.kind in allowed or r.cube == cube for r in self._lexicon.relations[name])
        ]
        # "Where was it signed": of "signed by" and "took place in" the one whose values are places.
        told = {"where": "place"}.get(want.kind or "", want.kind)
        exactly = [n for n in kept if any(r.kind == told for r in self._lexicon.relations[n])]
        return tuple(exactly if exactly and want.kind in ("where", "place") and want.noun in _PLACES else kept)

    def _has_relation(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """ "did the company have its head office"."""
        folded = [fold(p) for p in parts]
        for at in range(1, len(parts) - 1):
            if folded[at] in ("have", "has", "had") and folded[at + 1] in ARTICLES:
                base_text = " ".join(trim(parts[:at]))
                base = self._term(base_text) if base_text else None
                step = self._relations.relation(" ".join(parts[at + 1 :]), base) if base else None
                if step is not None:
                    return Step(step.base, step.relations, template(opening, parts, base_text), want, step.words)
        return None

    def _copula(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """ "In which province is X", "What nationality is X": the question's noun names the relation."""
        base_text = " ".join(trim(trim(parts)))
        if not any(fold(part) in AUXILIARIES for part in parts):
            return None  # "the city where the games" is half a clause
        base = self._term(base_text) if base_text else None
        names = self._lexicon.asks.get(want.noun or "", ())
        if base is None or not names:
            return None
        fitting = self._relations.fitting(names, base)
        return Step(base, fitting, template(opening, parts, base_text), want, (want.noun or "",))

    def _open(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """No relation of the ontology: the longest known name is the base, the other words are looked for."""
        for length in range(len(parts), 0, -1):
            for start in range(len(parts) - length + 1):
                span = parts[start : start + length]
                base_text = clean(" ".join(span))
                base = self._names.known(base_text) or self._names.described(base_text)
                if base is None or not is_linked(base):
                    continue
                others = [*parts[:start], *parts[start + length :]]
                words = tuple(content(others))
                if self._structured(others, words, want):
                    return None
                return Step(
                    base, (), template(opening, parts, base_text), want, words, self._lexicon.gender(want.noun or "")
                )
        return None


def _stands_behind(opening: str, want: Want) -> bool:
    """ "In which country is X located?": the gap is a place behind a preposition, so that X is the verb's subject."""
    return want.kind == "place" and fold(opening.split(" ", 1)[0]) in PREPOSITIONS
