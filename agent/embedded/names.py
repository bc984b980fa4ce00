"""Reading phrases that are names: known, described, in other words, or unknown."""

from __future__ import annotations

from collections.abc import Sequence

from ...cubes.folding import fold
from .lexicon import Lexicon
from .linking import Linker
from .phrases import POSSESSIVE, plain, starts_name, tokens, unquote
from .plan import Entity
from .wordlists import ARTICLES, CLAUSAL, NAMING, PREPOSITIONS

__all__ = ["NameReader"]

_LONGEST = 12  # tokens of a name that the corpus does not know


class NameReader:
    """Reads names with one ontology's nouns and one corpus's subjects."""

    def __init__(self, lexicon: Lexicon, linker: Linker) -> None:
        self._lexicon = lexicon
        self._linker = linker

    def known(self, phrase: str) -> Entity | None:
        """A name exactly as a subject or value of the corpus is called."""
        name = unquote(phrase)
        if name.lower().endswith(("'s", "’s")):
            return None
        if any(c.isupper() or c.isdigit() for c in name):
            return Entity(name) if self._linker.knows_exactly(name) else None
        bare = [t for t in tokens(name) if fold(t) not in ARTICLES]
        if 0 < len(bare) <= 3 and fold(name) not in self._lexicon.asks and fold(name) not in self._lexicon.nouns:
            return Entity(name) if self._linker.link_exactly(name) else None
        return None

    def known_by_words(self, phrase: str) -> Entity | None:
        """A name in other words: "Orvenna's 1978 presidential election"."""
        name = unquote(phrase)
        if any(c.isupper() or c.isdigit() for c in name) and self._linker.link_closely(name):
            return Entity(name)
        return None

    def described(self, phrase: str) -> Entity | None:
        """ "the 1962 film The Paper Regatta", "the novelist Mirren Tal", "the 1931 version of X"."""
        parts = tokens(phrase)
        for cut in range(1, min(7, len(parts))):
            if not starts_name(parts[cut]):
                if not plain(parts[cut - 1]):
                    break
                continue
            described, name = parts[:cut], unquote(" ".join(parts[cut:]))
            linked = self._linker.knows(name)
            if all(plain(p) for p in described) and self._is_description(described, linked=linked):
                subjects = self._linker.by_descriptor(name, " ".join(described))
                noun = next((fold(p) for p in reversed(described) if self.classes(fold(p))), None)
                if subjects or linked:
                    return Entity(subjects[0].label if len(subjects) > 1 else name, noun)
                if not self._breaks(name):
                    return Entity(name, noun, linked=False)
        return None

    def unknown(self, phrase: str) -> Entity | None:
        """A name that the corpus does not know."""
        name = unquote(phrase)
        first = next((t for t in tokens(name) if fold(t) not in ARTICLES), "")
        if first and starts_name(first) and not self._breaks(name) and len(tokens(name)) <= _LONGEST:
            return Entity(name, linked=False)
        return None

    def classes(self, word: str) -> bool:
        """Whether a noun says what class a thing is of, or how it is related."""
        return word in self._lexicon.nouns or word in self._lexicon.kinds or word in self._lexicon.asks

    def _is_description(self, described: Sequence[str], *, linked: bool) -> bool:
        """Ends in a noun that classes things (any noun before a known name), or in "version of"; holds no clause."""
        folded = [fold(p) for p in described]
        if folded[-1] == "of":
            return len(folded) > 1 and folded[-2] in NAMING and not set(folded[:-1]) & CLAUSAL
        plain = [w for w in folded if w not in ARTICLES]
        if not plain or len(plain) > 4 or set(folded) & CLAUSAL:
            return False
        return self.classes(folded[-1]) or (linked and len(plain) < 3 and folded[-1] not in self._lexicon.verbs)

    def _breaks(self, name: str) -> bool:
        """Whether a would-be name holds the machinery of a clause."""
        parts = tokens(name)
        small = PREPOSITIONS | ARTICLES | {"and", "or", "but", "not", "is"}
        return (
            bool(POSSESSIVE.search(name))
            or any(p.islower() and fold(p) not in small for p in parts)
            or fold(parts[-1]) in small
        )
