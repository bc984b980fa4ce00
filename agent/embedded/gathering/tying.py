"""Reading what things are tied to: "directed by X", "that X wrote", "of X", "with music by people born in Y"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ....cubes.folding import fold
from ..lexicon import Lexicon
from ..phrases import is_linked
from ..plan import Entity, Step
from ..terms import TermParser
from ..wordlists import AUXILIARIES, PREPOSITIONS, RELATIVE
from ..pattern import written
from .parts import Part, parts_of
from .request import Name, Nested, Request, Side, Target, Tie
from .words import RelationWords

__all__ = ["PLURALS", "TieReader"]

_FILLERS = frozenset({
    "did", "do", "doe", "ha", "has", "have", "had", "was", "wa", "were", "is", "are", "be", "been", "that", "which",
    "who", "whom", "there", "known", "ever", "also", "all", "total", "altogether", "the", "exist", "whose", "with",
    "having", "their", "his", "her", "its", "together", "jointly", "mentioned", "named", "called", "come",
})  # fmt: skip
PLURALS = {"people": "person", "men": "man", "women": "woman", "children": "child"}
_TOGETHER = frozenset({"together", "jointly"})
_SOMEWHERE = frozenset({"place", "somewhere", "anywhere"})
_HAVING = frozenset({"have", "has", "had", "ha"})
_TRAILING = frozenset({"for", "the", "music", "score", "in", "to", "of"})
_ANYONE = frozenset({"someone", "somebody", "anyone", "anybody", "those", "one"})
_TARGETS = _ANYONE | {"the", "both", "a", "an"}
_LEADING = frozenset({
    "the", "of", "all", "those", "other", "different", "various", "both", "any", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "some", "a", "an",
})  # fmt: skip
_OWN = frozenset({"their", "his", "her", "its", "the", "a"})
_NUMBER = 5  # words before a noun
_PHRASE = 4  # words of a relation phrase


@dataclass(frozen=True, slots=True)
class _Found:
    """Something read, and where the reading stopped."""

    value: Tie
    end: int


@dataclass(frozen=True, slots=True)
class _Targets:
    targets: tuple[Target, ...]
    every: bool
    end: int


class TieReader:
    """Reads noun phrases with what ties them down; ``event`` gives the dates that a relation's words speak of."""

    def __init__(
        self, lexicon: Lexicon, terms: TermParser, event: Callable[[Sequence[str]], tuple[str, ...]]
    ) -> None:
        self._lexicon = lexicon
        self._terms = terms
        self._words = RelationWords(lexicon)
        self._event = event

    def request(self, text: str) -> Request | None:
        """Read a whole noun phrase; None where a word of it is left over."""
        parts = parts_of(text, self._terms.linker)
        found = self._phrase(parts, 0, nested=False)
        if found is None or found[1] != len(parts):
            return None
        if _TOGETHER.isdisjoint(part.key for part in parts):
            return found[0]
        return replace(found[0], ties=tuple(replace(tie, every=True) for tie in found[0].ties))

    # -- the noun --------------------------------------------------------------------------------------------

    def _phrase(self, parts: Sequence[Part], at: int, *, nested: bool) -> tuple[Request, int] | None:
        while at < len(parts) and parts[at].key in _LEADING:
            at += 1
        owner, at = self._owner(parts, at)
        named = self._noun(parts, at)
        if named is None:
            return None
        request, at = named
        ties: list[Tie] = []
        if owner is not None:
            own = self._words.of(request.noun)
            if own is None:
                return None
            ties.append(Tie(own[0], own[1], owner.targets, "of"))
        return self._tied(parts, at, request, ties, nested=nested)

    def _owner(self, parts: Sequence[Part], at: int) -> tuple[_Targets | None, int]:
        """ "X's" before the noun."""
        if at + 1 < len(parts) and parts[at].kind in ("name", "adjective") and parts[at + 1].text == "'s":
            return _Targets((Name(parts[at].text),), False, at + 2), at + 2
        return None, at

    def _noun(self, parts: Sequence[Part], at: int) -> tuple[Request, int] | None:
        """Adjectives and the noun: the last of the words in a row that class things."""
        if at < len(parts) and parts[at].key in _ANYONE and parts[at].kind == "word":
            return Request("list", "person", parts[at].text), at + 1
        if at < len(parts) and parts[at].key == "who":
            return Request("list", "person", "people"), at + 1
        end = at
        last = None
        while end < len(parts) and end - at <= _NUMBER and parts[end].kind in ("word", "adjective"):
            key = self._singular(parts[end])
            if parts[end].kind == "word" and (key in PREPOSITIONS | AUXILIARIES | RELATIVE or key in ("and", "or")):
                break
            if parts[end].kind == "word" and self._words.classes(key):
                if last is not None and self._words.acts(key):
                    break  # "films starring X"
                last = end
            elif last is not None:
                break
            end += 1
        if last is None:
            return None
        longer = next(
            (n for n in range(at, last) if self._words.classes(_key(parts, n, last + 1 - n))), last
        )
        noun = " ".join((*(p.key for p in parts[longer:last]), self._singular(parts[last])))
        adjectives = tuple(p.text for p in parts[at:longer] if p.text.lower() not in _LEADING)
        return Request("list", noun, parts[last].text, adjectives), last + 1

    def _singular(self, part: Part) -> str:
        """A noun as the ontology has it: "movies" is "movie", though other words in "-ies" end in "-y"."""
        key, plain = part.key, part.text.lower().removesuffix("s")
        return PLURALS.get(key, key if self._words.classes(key) or not self._words.classes(plain) else plain)

    # -- what it is tied to ----------------------------------------------------------------------------------

    def _tied(
        self, parts: Sequence[Part], at: int, request: Request, ties: list[Tie], *, nested: bool
    ) -> tuple[Request, int] | None:
        adjectives = list(request.adjectives)
        while at < len(parts):
            part = parts[at]
            found = self._tie(parts, at, request.noun, nested=nested)
            if found is not None:
                ties.append(found.value)
                at = found.end
            elif part.text in (",",) or part.key in ("and", "or", "but"):
                if nested:
                    break
                at += 1
            elif part.kind == "adjective" and at > 0:
                adjectives.append(part.text)
                at += 1
            elif part.key in _FILLERS and not (nested and part.key in ("did",)):
                at += 1
            elif nested:
                break
            else:
                return None
        dates = self._event([w for tie in ties for w in tie.words.removeprefix("{} ").split()])
        return replace(request, adjectives=tuple(adjectives), ties=tuple(ties), dated=dates), at

    def _tie(self, parts: Sequence[Part], at: int, noun: str, *, nested: bool) -> _Found | None:
        readers = [self._towards, self._preposition, self._member_verb]
        if not nested:
            readers.insert(0, self._acting)
        return next((found for read in readers if (found := read(parts, at, noun)) is not None), None)

    def _towards(self, parts: Sequence[Part], at: int, noun: str) -> _Found | None:
        """ "directed by X", "music by X", "born in X": the things asked for are the subject of the facts."""
        for length in range(_PHRASE, 0, -1):
            key = _key(parts, at, length)
            names = self._words.passive(key, noun) if key and (length > 1 or key not in PREPOSITIONS) else ()
            if not names:
                continue
            found = self._targets(parts, at + length)
            if found is not None:
                return _Found(Tie(names, "subject", found.targets, key, found.every), found.end)
        return None

    def _preposition(self, parts: Sequence[Part], at: int, noun: str) -> _Found | None:
        word = parts[at].key
        meant = self._words.preposition(word, noun) if word in PREPOSITIONS else None
        found = self._targets(parts, at + 1) if meant is not None else None
        if meant is None or found is None:
            return None
        return _Found(Tie(meant[0], meant[1], found.targets, word, found.every), found.end)

    def _acting(self, parts: Sequence[Part], at: int, noun: str) -> _Found | None:
        """ "did X direct", "that X and Y wrote", "X as their director": the target is the verb's subject."""
        if parts[at].kind == "word" and parts[at].key not in _TARGETS and not self._words.classes(parts[at].key):
            return None
        found = self._targets(parts, at)
        if found is None:
            return None
        end = found.end
        while end < len(parts) and parts[end].key in _FILLERS:
            end += 1
        if end == len(parts) and parts[-1].key in _HAVING and (own := self._words.own(noun)) is not None:
            return _Found(Tie(own[0], own[1], found.targets, "of", found.every), end)
        if end < len(parts) and parts[end].key == "as":
            return self._role(parts, end + 1, found)
        for length in range(_PHRASE, 0, -1):
            key = _key(parts, end, length)
            names = self._words.verb(key, noun) if key else ()
            if names:
                end += length
                while end < len(parts) and parts[end].key in _TRAILING:
                    end += 1
                side: Side = "subject" if self._words.is_agent(names, noun) else "value"
                return _Found(Tie(names, side, found.targets, f"{{}} {key}", found.every), end)
        return None

    def _role(self, parts: Sequence[Part], at: int, found: _Targets) -> _Found | None:
        while at < len(parts) and parts[at].key in _OWN:
            at += 1
        for length in range(_PHRASE, 0, -1):
            key = _key(parts, at, length)
            names = self._lexicon.asks.get(key, ()) if key else ()
            if names:
                return _Found(Tie(names, "subject", found.targets, key, found.every), at + length)
        return None

    def _member_verb(self, parts: Sequence[Part], at: int, noun: str) -> _Found | None:
        """ "people who wrote X", "rivers that flow into Y": the things asked for are the verb's subject."""
        for length in range(_PHRASE, 0, -1):
            key = _key(parts, at, length)
            names = self._words.verb(key, noun) if key and key not in PREPOSITIONS else ()
            found = self._targets(parts, at + length) if names else None
            if found is not None:
                side: Side = "value" if self._words.is_agent(names, noun) else "subject"
                return _Found(Tie(names, side, found.targets, key, found.every), found.end)
        return None

    # -- targets ---------------------------------------------------------------------------------------------

    def _targets(self, parts: Sequence[Part], at: int) -> _Targets | None:
        every = at < len(parts) and parts[at].key == "both"
        if at < len(parts) and parts[at].key in ("both", "either"):
            at += 1
        first = self._target(parts, at)
        if first is None:
            return None
        targets, end = [first[0]], first[1]
        while isinstance(targets[-1], Name):
            after = end
            while after < len(parts) and (parts[after].text == "," or parts[after].key in ("and", "or")):
                after += 1
            if after == end or after >= len(parts) or parts[after].kind != "name":
                break
            targets.append(Name(parts[after].text))
            end = after + 1
        return _Targets(tuple(targets), every, end)

    def _target(self, parts: Sequence[Part], at: int) -> tuple[Target, int] | None:
        if at >= len(parts):
            return None
        within = at + 2 < len(parts) and parts[at].key in _SOMEWHERE and parts[at + 1].key in ("in", "of", "within")
        if within and parts[at + 2].kind == "name":  # a place holds what the places in it hold
            return Name(parts[at + 2].text), at + 3
        owned = self._definite(parts, at)
        if owned is not None:
            return owned
        if parts[at].kind == "name":
            return Name(parts[at].text), at + 1
        if parts[at].key in PREPOSITIONS | AUXILIARIES:
            return None
        inner = self._phrase(parts, at, nested=True)
        if inner is None or not (inner[0].ties or inner[0].adjectives):
            return None
        return inner

    def _may_define(self, part: Part) -> bool:
        """Whether a word may begin what is one thing: an article, or a noun that is no plural."""
        return part.key in ("the", "a", "an") or (part.key in self._words.definite and part.key == part.text.lower())

    def _definite(self, parts: Sequence[Part], at: int) -> tuple[Target, int] | None:
        """ "the director of X", "X's wife", "the novelist Mirren Tal": one thing, the longest reading first."""
        names = [n for n in range(at, min(len(parts), at + 12)) if parts[n].kind == "name"][:2]
        if not names or (parts[at].kind == "word" and not self._may_define(parts[at])):
            return None
        for last in reversed(names):
            for end in range(min(len(parts), last + 5), last, -1):
                if end > last + 1 and parts[last + 1].text != "'s":
                    continue
                text = written([p.text for p in parts[at:end]])
                term = self._terms.term(text) if end > at + 1 else None
                if isinstance(term, Step) and term.relations and is_linked(term):
                    return Nested(text, term), end
                if isinstance(term, Entity) and term.linked and parts[at].kind == "word":
                    return Name(term.name), end
        return None


def _key(parts: Sequence[Part], at: int, length: int) -> str:
    """The folded words of a phrase; "" where a name or a mark stands among them."""
    chosen = parts[at:at + length]
    if len(chosen) < length or any(p.kind != "word" for p in chosen):
        return ""
    return " ".join(fold(p.text) for p in chosen)
