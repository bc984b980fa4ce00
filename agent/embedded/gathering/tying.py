"""Reading what things are tied to: "directed by X", "that X wrote", "of X", "with music by people born in Y"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ....cubes.folding import fold
from ..lexicon import Lexicon
from ..phrases import is_linked
from ..plan import Entity, Step
from ..terms import TermParser
from ..wordlists import AUXILIARIES, PREPOSITIONS, RELATIVE
from .parts import Part, parts_of
from .request import Name, Nested, Request, Side, Target, Tie
from .words import PLURALS, RelationWords

__all__ = ["TieReader"]

_FILLERS = AUXILIARIES | RELATIVE | frozenset({
    "ha", "wa", "there", "known", "all", "total", "altogether", "the", "exist", "with", "having", "their", "his", "her",
    "its", "together", "jointly", "mentioned", "named", "called", "come",
})  # fmt: skip
_TOGETHER = frozenset({"together", "jointly"})
_SOMEWHERE = frozenset({"place", "somewhere", "anywhere"})
_HAVING = frozenset({"have", "has", "had", "ha"})
_TRAILING = frozenset({"for", "the", "music", "score", "in", "to", "of"})
_ANYONE = frozenset({"someone", "somebody", "anyone", "anybody", "those", "one", "who"})
_LEADING = frozenset({
    "the", "of", "all", "those", "other", "different", "both", "any", "two", "three", "four", "five", "some", "a", "an",
})  # fmt: skip
_NUMBER = 5  # words before a noun
_PHRASE = 4  # words of a relation phrase
_FAR = 12  # parts of a description

Found = tuple[Tie, int]
"""A tie, and where the reading stopped."""
Targets = tuple[tuple[Target, ...], bool, int]
"""Targets, whether all of them are meant, and where the reading stopped."""


class TieReader:
    """Reads noun phrases with what ties them down; ``event`` gives the dates that a relation's words speak of."""

    def __init__(
        self, lexicon: Lexicon, terms: TermParser, event: Callable[[Sequence[str]], tuple[str, ...]]
    ) -> None:
        self.lexicon, self.terms, self.event = lexicon, terms, event
        self.words = RelationWords(lexicon)

    def request(self, text: str) -> Request | None:
        """Read a whole noun phrase; None where a word of it is left over."""
        reading = _Reading(self, text)
        found = reading.phrase(0, nested=False)
        if found is None or found[1] != len(reading.parts):
            return None
        together = not _TOGETHER.isdisjoint(part.key for part in reading.parts)
        ties = tuple(replace(tie, every=tie.every or together) for tie in found[0].ties)
        return replace(found[0], ties=ties)


class _Reading:
    """The reading of one text; every method reads from a part on, and says where it stopped."""

    def __init__(self, reader: TieReader, text: str) -> None:
        self._reader, self._words, self._text = reader, reader.words, text
        self.parts = parts_of(text, reader.terms.linker)
        self._keys = [part.key for part in self.parts]

    def phrase(self, at: int, *, nested: bool) -> tuple[Request, int] | None:
        """Read a noun with its adjectives and ties."""
        at = self._past(at, _LEADING)
        owners: tuple[Target, ...] = ()
        if self._kind(at) in ("name", "adjective") and at + 1 < len(self.parts) and self.parts[at + 1].text == "'s":
            owners, at = (Name(self.parts[at].text),), at + 2
        named = self._noun(at)
        if named is None:
            return None
        own = self._words.of(named[0].noun) if owners else None
        if owners and own is None:
            return None
        return self._tied(*named, [Tie(*own, owners, "of")] if own is not None else [], nested=nested)

    def _kind(self, at: int) -> str:
        return self.parts[at].kind if at < len(self.parts) else ""

    def _key(self, at: int) -> str:
        return self._keys[at] if at < len(self._keys) else ""

    def _past(self, at: int, words: frozenset[str]) -> int:
        while self._key(at) in words:
            at += 1
        return at

    def _phrases(self, at: int) -> Iterator[tuple[str, int]]:
        """The folded words from a part on and where they end, the most words first; no name or mark among them."""
        for end in range(min(at + _PHRASE, len(self.parts)), at, -1):
            if all(self._keys[at:end]):
                yield " ".join(self._keys[at:end]), end

    # -- the noun --------------------------------------------------------------------------------------------

    def _noun(self, at: int) -> tuple[Request, int] | None:
        """Adjectives and the noun: the last of the words in a row that class things."""
        if self._key(at) in _ANYONE:
            return Request("list", "person", "people" if self._key(at) == "who" else self.parts[at].text), at + 1
        last, end = -1, at
        while self._kind(end) in ("word", "adjective") and end - at <= _NUMBER:
            key = self._singular(end)
            if key in PREPOSITIONS | AUXILIARIES | RELATIVE | {"and", "or"}:
                break
            if key and self._words.classes(key):
                if last >= 0 and self._words.acts(key):
                    break  # "films starring X"
                last = end
            elif last >= 0:
                break
            end += 1
        if last < 0:
            return None
        whole = (n for n in range(at, last) if self._words.classes(" ".join(self._keys[n : last + 1])))
        first = next(whole, last)
        noun = " ".join((*self._keys[first:last], self._singular(last)))
        adjectives = tuple(p.text for p in self.parts[at:first] if p.text.lower() not in _LEADING)
        return Request("list", noun, self.parts[last].text, adjectives), last + 1

    def _singular(self, at: int) -> str:
        """A noun as the ontology has it: "movies" is "movie", though other words in "-ies" end in "-y"."""
        key, plain = self._keys[at], self.parts[at].text.lower().removesuffix("s")
        return PLURALS.get(key, plain if key and not self._words.classes(key) and self._words.classes(plain) else key)

    # -- what it is tied to ----------------------------------------------------------------------------------

    def _tied(self, request: Request, at: int, ties: list[Tie], *, nested: bool) -> tuple[Request, int] | None:
        adjectives = list(request.adjectives)
        while at < len(self.parts):
            part, found = self.parts[at], self._tie(at, request.noun, nested=nested)
            if found is not None:
                ties.append(found[0])
                at = found[1]
                continue
            joins = part.text == "," or part.key in ("and", "or", "but")
            fills = part.key in _FILLERS and not (nested and part.key == "did")
            if part.kind == "adjective":
                adjectives.append(part.text)
            elif not fills and (nested or not joins):
                break
            at += 1
        if at < len(self.parts) and not nested:
            return None
        dates = self._reader.event([w for tie in ties for w in tie.words.removeprefix("{} ").split()])
        return replace(request, adjectives=tuple(adjectives), ties=tuple(ties), dated=dates), at

    def _tie(self, at: int, noun: str, *, nested: bool) -> Found | None:
        readers = (self._towards, self._preposition, self._member_verb)
        for read in readers if nested else (self._acting, *readers):
            found = read(at, noun)
            if found is not None:
                return found
        return None

    def _towards(self, at: int, noun: str) -> Found | None:
        """ "directed by X", "music by X", "born in X": the things asked for are the subject of the facts."""
        for key, end in self._phrases(at):
            names = () if key in PREPOSITIONS else self._words.passive(key, noun)
            found = self._targets(end) if names else None
            if found is not None:
                return Tie(names, "subject", found[0], key, found[1]), found[2]
        return None

    def _preposition(self, at: int, noun: str) -> Found | None:
        word = self._key(at)
        meant = self._words.preposition(word, noun) if word in PREPOSITIONS else None
        found = self._targets(at + 1) if meant is not None else None
        return (Tie(*meant, found[0], word, found[1]), found[2]) if meant is not None and found is not None else None

    def _member_verb(self, at: int, noun: str) -> Found | None:
        """ "people who wrote X", "rivers that flow into Y": the things asked for are the verb's subject."""
        for key, end in self._phrases(at):
            names = () if key in PREPOSITIONS else self._words.verb(key, noun)
            found = self._targets(end) if names else None
            if found is not None:
                side: Side = "value" if self._words.is_agent(names, noun) else "subject"
                return Tie(names, side, found[0], key, found[1]), found[2]
        return None

    def _acting(self, at: int, noun: str) -> Found | None:
        """ "did X direct", "that X and Y wrote", "X as their director": the target is the verb's subject."""
        key = self._key(at)
        may = not key or key in ("the", "both", "a", "an") or key in _ANYONE or self._words.classes(key)
        found = self._targets(at) if may else None
        if found is None:
            return None
        end = self._past(found[2], _FILLERS)
        if end == len(self.parts) and self._keys[-1] in _HAVING and (own := self._words.own(noun)) is not None:
            return Tie(*own, found[0], "of", found[1]), end
        if self._key(end) == "as":
            phrases = self._phrases(self._past(end + 1, _FILLERS | {"a"}))
            role = next(((key, last) for key, last in phrases if key in self._reader.lexicon.asks), None)
            names = self._reader.lexicon.asks[role[0]] if role is not None else ()
            return (Tie(names, "subject", found[0], role[0], found[1]), role[1]) if role is not None else None
        for key, last in self._phrases(end):
            names = self._words.verb(key, noun)
            if names:
                side: Side = "subject" if self._words.is_agent(names, noun) else "value"
                return Tie(names, side, found[0], f"{{}} {key}", found[1]), self._past(last, _TRAILING)
        return None

    # -- targets ---------------------------------------------------------------------------------------------

    def _targets(self, at: int) -> Targets | None:
        every = self._key(at) == "both"
        first = self._target(at + (self._key(at) in ("both", "either")))
        if first is None:
            return None
        targets, end = [first[0]], first[1]
        while isinstance(first[0], Name):
            after = end
            while after < len(self.parts) and (self.parts[after].text == "," or self._keys[after] in ("and", "or")):
                after += 1
            if after == end or self._kind(after) != "name":
                break
            targets.append(Name(self.parts[after].text))
            end = after + 1
        return tuple(targets), every, end

    def _target(self, at: int) -> tuple[Target, int] | None:
        if at >= len(self.parts):
            return None
        if self._key(at) in _SOMEWHERE and self._key(at + 1) in ("in", "of") and self._kind(at + 2) == "name":
            at += 2  # a place holds what the places in it hold
        owned = self._definite(at)
        if owned is not None:
            return owned
        if self.parts[at].kind == "name":
            return Name(self.parts[at].text), at + 1
        inner = None if self._keys[at] in PREPOSITIONS | AUXILIARIES else self.phrase(at, nested=True)
        return inner if inner is not None and (inner[0].ties or inner[0].adjectives) else None

    def _may_define(self, part: Part) -> bool:
        """Whether a part may begin what is one thing: a name, an article, or a noun that is no plural."""
        noun = part.key in self._reader.lexicon.nouns and part.key == fold(part.text) == part.text.lower()
        return part.kind != "word" or part.key in ("the", "a", "an") or noun

    def _definite(self, at: int) -> tuple[Target, int] | None:
        """ "the director of X", "X's wife", "the novelist Mirren Tal": one thing, the longest reading first."""
        names = [n for n in range(at, min(len(self.parts), at + _FAR)) if self.parts[n].kind == "name"][:2]
        for last in reversed(names if self._may_define(self.parts[at]) else []):
            owns = last + 1 < len(self.parts) and self.parts[last + 1].text == "'s"
            for end in range(min(len(self.parts), last + 5) if owns else last + 1, max(last, at + 1), -1):
                text = self._text[self.parts[at].start : self.parts[end - 1].end]
                term = self._reader.terms.term(text)
                if isinstance(term, Step) and term.relations and is_linked(term):
                    return Nested(text, term), end
                if isinstance(term, Entity) and term.linked and self.parts[at].kind == "word":
                    return Name(term.name), end
        return None
