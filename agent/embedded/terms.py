"""Reading noun phrases and clauses of a question as terms of a plan.

A noun phrase is tried, in this order, as a name the corpus knows, a described name ("the 1962 film X"), a relation of
something ("the director of X"), a noun with a relative clause ("the city in which X was born"), a possessive ("X's
father"), a noun with a participle ("the university attended by X"), and last as a name the corpus does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...cubes.folding import fold
from .lexicon import Kin, Lexicon
from .linking import Linker
from .plan import Entity, Step, Term, Want

__all__ = ["AUXILIARIES", "PREPOSITIONS", "TermParser", "clean", "tokens"]

AUXILIARIES = frozenset(
    "was were is are did doe do has have had been be being also ever currently originally later finally can could would will "
    "first himself herself itself one".split()
)
PREPOSITIONS = frozenset("in on at by from to of for with into through under after near as over along off onto upon about".split())
_RELATIVE = frozenset({"that", "which", "who", "whom", "whose", "where", "when"})
_ARTICLES = frozenset({"the", "a", "an", "its", "his", "her", "their", "both", "this"})
_POSSESSIVE = re.compile(r"(?:\s?['’]\s?s|(?<=s)['’])\s+(?=\S)", re.IGNORECASE)
_MAX_PHRASE = 5
_CLAUSAL = _RELATIVE | AUXILIARIES | PREPOSITIONS
_NAMING = frozenset({"version", "adaptation", "edition", "city", "town", "village", "state", "island", "kingdom"})
_KIND_CUBES = {"person": "person", "place": "location", "organization": "organization", "work": "cultural_product"}


def clean(text: str) -> str:
    """Strip white space and the punctuation that surrounds a phrase in a question."""
    return text.strip().strip(",;:?").strip()


def tokens(text: str) -> list[str]:
    """Split at white space; punctuation stays on its word."""
    return text.split()


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


class TermParser:
    """Parses phrases against one ontology's lexicon and one corpus's names. Readings are cached by text."""

    def __init__(self, lexicon: Lexicon, linker: Linker) -> None:
        self.lexicon = lexicon
        self.linker = linker
        self._terms: dict[str, Term | None] = {}

    def term(self, text: str) -> Term | None:
        """Read a noun phrase; None where no reading fits."""
        phrase = clean(text)
        if phrase not in self._terms:
            self._terms[phrase] = None  # a phrase that contains itself has no reading
            self._terms[phrase] = self._read(phrase) if fold(phrase) else None
        return self._terms[phrase]

    def _read(self, phrase: str) -> Term | None:
        for reader in (
            self._known, self._described, self._known_by_words, self._relation_of, self._relative, self._possessive, self._participle,
            self._open_relation_of, self._unknown,
        ):
            found = reader(phrase)
            if found is not None:
                return found
        return None

    # Names ----------------------------------------------------------------------------------------------------

    def _known(self, phrase: str) -> Term | None:
        name = _unquote(phrase)
        if name.lower().endswith(("'s", "’s")):
            return None
        capital = any(c.isupper() or c.isdigit() for c in name)
        if capital and self.linker.knows_exactly(name):
            return Entity(name)
        bare = [t for t in tokens(name) if fold(t) not in _ARTICLES]
        if not capital and 0 < len(bare) <= 3 and fold(name) not in self.lexicon.asks and fold(name) not in self.lexicon.nouns:
            return Entity(name) if self.linker.link_exactly(name) else None
        return None

    def _known_by_words(self, phrase: str) -> Term | None:
        """A name in other words: "Orvenna's 1978 presidential election"."""
        name = _unquote(phrase)
        if any(c.isupper() or c.isdigit() for c in name) and self.linker.link_closely(name):
            return Entity(name)
        return None

    def _described(self, phrase: str) -> Term | None:
        """"the 1962 film The Paper Regatta", "the novelist Mirren Tal", "the 1931 version of X"."""
        parts = tokens(phrase)
        for cut in range(1, min(7, len(parts))):
            if not _starts_name(parts[cut]):
                if not _plain(parts[cut - 1]):
                    break
                continue
            described, name = parts[:cut], _unquote(" ".join(parts[cut:]))
            linked = self.linker.knows(name)
            if all(_plain(p) for p in described) and self._is_description(described, linked=linked):
                subjects = self.linker.by_descriptor(name, " ".join(described))
                noun = next((fold(p) for p in reversed(described) if self._class_noun(fold(p))), None)
                if subjects or linked:
                    return Entity(subjects[0].label if len(subjects) > 1 else name, noun)
                if not self._breaks(name):
                    return Entity(name, noun, linked=False)
        return None

    def _is_description(self, described: Sequence[str], *, linked: bool) -> bool:
        """Ends in a noun that classes things (any noun before a known name), or in "version of"; holds no clause."""
        folded = [fold(p) for p in described]
        if folded[-1] == "of":
            return len(folded) > 1 and folded[-2] in _NAMING and not set(folded[:-1]) & _CLAUSAL
        plain = [w for w in folded if w not in _ARTICLES]
        if not plain or len(plain) > 4 or set(folded) & _CLAUSAL:
            return False
        return self._class_noun(folded[-1]) or linked and len(plain) < 3 and folded[-1] not in self.lexicon.verbs

    def _class_noun(self, word: str) -> bool:
        return word in self.lexicon.nouns or word in self.lexicon.kinds or word in self.lexicon.asks

    def _breaks(self, name: str) -> bool:
        """Whether a would-be name holds the machinery of a clause."""
        parts = tokens(name)
        small = PREPOSITIONS | _ARTICLES | {"and", "or", "but", "not", "is"}
        return bool(_POSSESSIVE.search(name)) or any(p.islower() and fold(p) not in small for p in parts) or fold(parts[-1]) in small

    def _unknown(self, phrase: str) -> Term | None:
        name = _unquote(phrase)
        first = next((t for t in tokens(name) if fold(t) not in _ARTICLES), "")
        if first and _starts_name(first) and not self._breaks(name) and len(tokens(name)) <= 12:
            return Entity(name, linked=False)
        return None

    # Relations as nouns ---------------------------------------------------------------------------------------

    def _possessive(self, phrase: str) -> Term | None:
        for mark in reversed(list(_POSSESSIVE.finditer(phrase))):
            owner, owned = phrase[: mark.start()], phrase[mark.end() :]
            if owned and (base := self.term(owner)) is not None:
                step = self.relation(owned, base) or self._labelled(owned, base)
                if step is not None:
                    return step
        return None

    def _labelled(self, owned: str, base: Term) -> Term | None:
        """"X's brother in a presidential election": the longest relation at the front."""
        parts = tokens(owned)
        for cut in range(len(parts) - 1, 0, -1):
            if fold(parts[cut]) in PREPOSITIONS and (step := self.relation(" ".join(parts[:cut]), base)):
                return step
        return None

    def _relation_of(self, phrase: str) -> Term | None:
        parts = tokens(phrase)
        for cut in range(min(7, len(parts) - 2), 0, -1):
            if fold(parts[cut]) not in ("of", "for", "behind", "to") or not all(_plain(p) for p in parts[:cut]):
                continue
            noun = " ".join(parts[:cut])
            if not self._names_relation(noun):
                continue
            base = self.term(" ".join(parts[cut + 1 :]))
            step = self.relation(noun, base) if base is not None else None
            if step is not None:
                return step
        return None

    def _names_relation(self, noun: str) -> bool:
        return next(self._relation_keys(noun), None) is not None

    def _relation_keys(self, noun: str) -> Iterator[str]:
        """The tails of a noun phrase that name a relation, longest first; no clause may come before them."""
        words = [w for w in (fold(t) for t in tokens(clean(noun))) if w and w not in _ARTICLES]
        for start in range(len(words)):
            if set(words[:start]) & (_CLAUSAL - {"first"}) or any(w in self.lexicon.asks for w in words[:start]):
                return
            key = " ".join(words[start:])
            if key in self.lexicon.kin or key in self.lexicon.asks:
                yield key

    def relation(self, noun: str, base: Term) -> Step | None:
        """Read "director", "paternal grandfather", "younger brother" as a relation of ``base``."""
        for key in self._relation_keys(noun):
            if key in self.lexicon.kin:
                return self.kin_path(key, self.lexicon.kin[key], base)
            if self._plausible(self.lexicon.asks[key], base):
                return self.ask(key, base)
        return None

    def _plausible(self, names: tuple[str, ...], base: Term) -> bool:
        """Whether something of the base's kind can have one of the relations: a birthday has no director."""
        if isinstance(base, Entity) or base.want.kind in (None, "where", "name"):
            return True
        cube = _KIND_CUBES.get(base.want.kind or "")
        if cube is None:
            return base.want.kind == "nationality"
        cubes = {r.cube for n in names for r in self.lexicon.relations[n]}
        return cube in cubes or cube not in {c for rs in self.lexicon.relations.values() for c in (r.cube for r in rs)}

    def ask(self, key: str, base: Term) -> Step:
        """Make the step for a relation noun of the ontology."""
        names = self.fitting(self.lexicon.asks[key], base)
        kind = self.lexicon.kinds.get(key) or self.lexicon.kind_of(names)
        wh = {"person": "Who", "date": "When"}.get(kind or "", "What")
        template = f"{'What' if wh == 'When' else wh} is the {key} of {{}}?"
        noun = key if key in self.lexicon.kinds or key in self.lexicon.nouns else None
        return Step(base, names, template, Want(kind, noun), (key,), self.lexicon.gender(key))

    def kin_path(self, word: str, kin: Kin, base: Term) -> Step:
        """Spell a compound kin word out as steps, innermost first."""
        term: Term = base
        for position, group in enumerate(kin.path):
            last = position == len(kin.path) - 1
            gender = kin.gender if last else None
            name = _kin_word(group, gender)
            term = Step(term, group, f"Who is the {name} of {{}}?", Want("person"), (name,), gender)
        assert isinstance(term, Step)
        return term

    def fitting(self, names: tuple[str, ...], base: Term, *, converse: bool = False) -> tuple[str, ...]:
        """Keep the relations that the base's class has, where that is known.

        With ``converse`` also those whose values may be of that class, which a verb read the other way asks for.
        """
        cubes = self._classes(base)
        kinds = {kind for kind, cube in _KIND_CUBES.items() if cube in cubes} | {"name", "event"}
        kept = tuple(
            n for n in names
            if any(r.cube in cubes or converse and r.kind in kinds for r in self.lexicon.relations[n])
        )
        return kept or names

    def _classes(self, base: Term) -> set[str]:
        if isinstance(base, Entity):
            subjects = self.linker.link(base.name)
            found = {s.cube for s in subjects if s.how == subjects[0].how}
            hinted = set(self.lexicon.nouns.get(base.hint or "", ()))
            return found & hinted or found or hinted
        if base.want.kind == "person":
            return {"person"}
        return set(self.lexicon.nouns.get(base.want.noun or "", ()))

    def wanted(self, noun: str) -> Want:
        """What an answer named by this noun must be: by the noun itself, or by the class whose noun it is."""
        kind = self.lexicon.kinds.get(noun)
        for cube in self.lexicon.nouns.get(noun, ()) if kind is None else ():
            kind = kind or next((k for k, c in _KIND_CUBES.items() if c == cube), None)
        return Want(kind, noun)

    # Clauses --------------------------------------------------------------------------------------------------

    def _relative(self, phrase: str) -> Term | None:
        """"the city in which X was born", "the person who wrote X"."""
        parts = tokens(phrase)
        for at in range(1, len(parts)):
            if fold(parts[at]) not in _RELATIVE or not parts[at].islower():
                continue
            preposition = fold(parts[at - 1]) if fold(parts[at - 1]) in PREPOSITIONS else ""
            noun = parts[: at - 1] if preposition else parts[:at]
            if not noun or len(noun) > 6 or not all(_plain(p.strip(",")) for p in noun) or {fold(p) for p in noun} & _CLAUSAL:
                return None
            word = _head(noun, self.lexicon)
            opening = f"{preposition} which {word}".strip().capitalize()
            return self.clause(" ".join(parts[at + 1 :]), self.wanted(word), opening)
        return None

    def _participle(self, phrase: str) -> Term | None:
        """"the university attended by X", "a film directed by X"."""
        parts = tokens(phrase)
        for at in range(1, min(7, len(parts) - 1)):
            if not all(_plain(p) for p in parts[: at + 1]):
                return None
            if any(" ".join(map(fold, parts[at:end])) in table for end in (at + 1, at + 2) for table in (self.lexicon.verbs, self.lexicon.passives)):
                word = _head(parts[:at], self.lexicon)
                if not self._class_noun(word):
                    continue
                return self.clause(" ".join(parts[at:]), self.wanted(word), f"Which {word} was")
        return None

    def clause(self, text: str, want: Want, opening: str) -> Step | None:
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
        if having is not None and _is_linked(having):
            return having
        readings = [*self._verb_readings(parts, want, opening)]
        if readings:
            best = max(readings, key=lambda r: r.merit)
            if best.linked and best.leftover <= 2:
                return best.step
        return (
            having or self._copula(parts, want, opening)
            or self._open(parts, want, opening) or (best.step if readings else None)
        )

    def _whole_clause(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """"(In which province) is TERM", "(the king who) was the brother of TERM": what follows "is" is one term."""
        term = self.term(" ".join(_trim(parts)))
        if term is None or not _is_linked(term) or isinstance(term, Step) and not term.relations:
            return None
        if want.noun in self.lexicon.asks and want.noun not in self.lexicon.male | self.lexicon.female:
            return self._copula(parts, want, opening)
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
                bracketed = any(c in part for part in parts[start:end] for c in "()\"")
                if names and not bracketed and (start == end - 1 or parts[start].islower()):
                    yield from self._around(parts, start, end, names, want, opening)

    def _phrase(self, key: str) -> tuple[str, ...]:
        """The relations that a verb phrase names."""
        return tuple(dict.fromkeys((*self.lexicon.verbs.get(key, ()), *self.lexicon.passives.get(key, ()))))

    def _around(
        self, parts: Sequence[str], start: int, end: int, names: tuple[str, ...], want: Want, opening: str
    ) -> Iterator[_Reading]:
        """The base stands before or behind the verb phrase."""
        left, right = _trim(parts[:start]), _trim_front(parts[end:])
        words = tuple(fold(p) for p in parts[start:end])
        if left and right and fold(right[0]) in _RELATIVE and all(_plain(p) for p in left):
            left, right = [*left, *right], []  # "does the river empty that flows through X"
            parts = [*parts[:start], *parts[end:], *parts[start:end]]
        for span, other in ((left, right), (right, left)):
            if not span:
                continue
            base_text = " ".join(span)
            base = self.term(base_text)
            if base is None:
                continue
            leftover = [p for p in other if fold(p) not in PREPOSITIONS | AUXILIARIES | _ARTICLES]
            template = _template(opening, parts, base_text)
            step = Step(base, self.fitting(names, base, converse=True), template, want, words + tuple(fold(p) for p in leftover), self._gender(want), True)
            yield _Reading(step, _is_linked(base), len(leftover), end - start, len(span))

    def _wanted(self, names: tuple[str, ...], want: Want) -> tuple[str, ...]:
        """Keep the relations whose values can answer; an inverse reading may give a name of any class."""
        exact = {"date": {"date"}, "quantity": {"quantity"}, "nationality": {"nationality", "place"}}
        allowed = exact.get(want.kind or "")
        barred = {"date", "quantity"} if want.kind in ("person", "place", "organization", "work", "where") else set()
        kept = []
        for name in names:
            kinds = {r.kind for r in self.lexicon.relations[name]}
            if (allowed is None or kinds & allowed) and not kinds <= barred:
                kept.append(name)
        return tuple(kept)

    def _gender(self, want: Want) -> Literal["f", "m"] | None:
        return self.lexicon.gender(want.noun or "")

    def _has_relation(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """"did the company have its head office"."""
        folded = [fold(p) for p in parts]
        for at in range(1, len(parts) - 1):
            if folded[at] in ("have", "has", "had") and folded[at + 1] in _ARTICLES:
                base_text = " ".join(_trim(parts[:at]))
                base = self.term(base_text) if base_text else None
                step = self.relation(" ".join(parts[at + 1 :]), base) if base else None
                if step is not None:
                    return Step(step.base, step.relations, _template(opening, parts, base_text), want, step.words)
        return None

    def _copula(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """"In which province is X", "What nationality is X": the question's noun names the relation."""
        base_text = " ".join(_trim(_trim(parts)))
        base = self.term(base_text) if base_text else None
        names = self.lexicon.asks.get(want.noun or "", ())
        if base is None or not names:
            return None
        fitting = self.fitting(names, base)
        return Step(base, fitting, _template(opening, parts, base_text), want, (want.noun or "",))

    def _open(self, parts: Sequence[str], want: Want, opening: str) -> Step | None:
        """No relation of the ontology: the longest known name is the base, the other words are looked for."""
        for length in range(len(parts), 0, -1):
            for start in range(len(parts) - length + 1):
                span = parts[start : start + length]
                base_text = clean(" ".join(span))
                base = self._known(base_text) or self._described(base_text)
                if base is None or not _is_linked(base):
                    continue
                others = [*parts[:start], *parts[start + length :]]
                words = tuple(f for f in map(fold, others) if f and f not in PREPOSITIONS | AUXILIARIES | _ARTICLES)
                return Step(base, (), _template(opening, parts, base_text), want, words, self._gender(want))
        return None

    def _open_relation_of(self, phrase: str) -> Term | None:
        """"the religion of X": a relation noun that the ontology does not know."""
        parts = tokens(phrase)
        for cut in range(1, min(5, len(parts) - 1)):
            if fold(parts[cut]) == "of" and all(_plain(p) for p in parts[:cut]):
                base = self.term(" ".join(parts[cut + 1 :]))
                noun = [f for f in map(fold, parts[:cut]) if f not in _ARTICLES]
                if base is not None and _is_linked(base) and noun:
                    word = " ".join(noun)
                    want = Want(self.lexicon.kinds.get(noun[-1]), noun[-1])
                    return Step(base, (), f"What is the {word} of {{}}?", want, tuple(noun))
        return None


def _template(opening: str, parts: Sequence[str], base_text: str) -> str:
    """The subquery: the clause with its base taken out, behind the question words."""
    text = " ".join(parts).replace("{}", "")
    return f"{opening} {text.replace(base_text, '{}', 1)}".strip().rstrip("?") + "?"


def _trim(parts: Sequence[str]) -> list[str]:
    """Drop auxiliaries at both ends, and prepositions at the end."""
    found = list(parts)
    while found and fold(found[0]) in AUXILIARIES and found[0].islower():
        found.pop(0)
    while found and (fold(found[-1]) in AUXILIARIES or fold(found[-1]) in PREPOSITIONS) and found[-1].islower():
        found.pop()
    return found


def _trim_front(parts: Sequence[str]) -> list[str]:
    """Drop prepositions and auxiliaries in front."""
    found = list(parts)
    while found and fold(found[0]) in PREPOSITIONS | AUXILIARIES and found[0].islower():
        found.pop(0)
    return found


def _head(noun: Sequence[str], lexicon: Lexicon) -> str:
    """The classing noun of a short noun phrase: its longest known tail, else its last word."""
    words = [f for f in (fold(p) for p in noun) if f and f not in _ARTICLES]
    for start in range(len(words)):
        tail = " ".join(words[start:])
        if tail in lexicon.nouns or tail in lexicon.kinds:
            return tail
    return words[-1] if words else ""


def _kin_word(group: Sequence[str], gender: str | None) -> str:
    if set(group) == {"father", "mother"}:
        return "parent"
    gendered = {("sibling", "f"): "sister", ("sibling", "m"): "brother", ("child", "f"): "daughter", ("child", "m"): "son",
                ("spouse", "f"): "wife", ("spouse", "m"): "husband"}
    return gendered.get((group[0], gender or ""), group[0])


def _is_linked(term: Term) -> bool:
    while isinstance(term, Step):
        term = term.base
    return term.linked


def _plain(token: str) -> bool:
    """A lower-case word, an article or a year: something a description is made of."""
    bare = token.strip(",'\"")
    return bool(bare) and (bare[0].islower() or bare in ("The", "A", "An") or (bare.isdigit() and len(bare) == 4))


def _starts_name(token: str) -> bool:
    bare = token.lstrip("\"'“‘«(¿¡.")
    return token[:1] in "\"“‘«" or bool(bare) and (bare[0].isupper() or bare[0].isdigit() or not bare[0].isalpha())


def _unquote(text: str) -> str:
    """Take the quotation marks off a quoted name."""
    stripped = text.strip()
    pairs = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»"}
    if len(stripped) > 2 and pairs.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1].strip()
    return stripped
