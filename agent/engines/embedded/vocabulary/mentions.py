"""Finding the names in a question: as the corpus calls things, described ("the 1962 film X"), or unknown to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import fold
from ..plan import QuestionEntity
from .lexicon import QuestionLexicon
from .linker import EntityLinker
from .wordlists import ARTICLES, AUXILIARIES, CLAUSAL, NAMING, PREPOSITIONS, QUESTIONING

__all__ = ["MARKS", "MentionFinder", "QuestionMention", "bare", "plain", "runs", "starts_name"]

_LONGEST = 14  # words of a name
_DESCRIBING = 4  # words before a name that say what it is
MARKS = ("'s", "’s", "'", "’")
_INSIDE = frozenset({"of", "the", "for", "de", "del", "du", "la", "le", "von", "van", "der", "to", "and", "&", *MARKS})
"""Small words that names have inside them."""
_JOINING = frozenset({"or", "and"})
_ASKING = QUESTIONING | {"name"}
_QUOTES = "\"'“”‘’«»"


@dataclass(frozen=True, slots=True)
class QuestionMention:
    """Words ``start`` to ``end`` of a question that name something, what describes it included."""

    start: int
    end: int
    entity: QuestionEntity


class MentionFinder:
    """Finds names with one ontology's nouns and one corpus's subjects."""

    def __init__(self, lexicon: QuestionLexicon, linker: EntityLinker) -> None:
        self._lexicon, self._linker = lexicon, linker

    def longest(self, parts: Sequence[str]) -> QuestionMention | None:
        """The longest name that the corpus knows, else the longest run of words that looks like a name."""
        for names in (self._known(parts, self._knows), self._known(parts, self._knows_closely), runs(parts)):
            found = max(names, key=lambda m: m.end - m.start, default=None)
            if found is not None:
                return self.described(parts, found)
        return None

    def _known(self, parts: Sequence[str], knows: Callable[[str], bool]) -> Iterator[QuestionMention]:
        """The names that the corpus knows, the longest of each beginning."""
        for start in range(len(parts)):
            for end in range(min(len(parts), start + _LONGEST), start, -1):
                name = bare(parts[start:end])
                if self._may_be(parts, start, end, name) and knows(name):
                    yield QuestionMention(start, end, QuestionEntity(name))
                    break

    def subjects(self, parts: Sequence[str]) -> list[QuestionMention]:
        """The names of the corpus's subjects, the longest of each beginning."""
        return list(self._known(parts, lambda name: bool(self._linker.link_exactly(name))))

    def _knows(self, name: str) -> bool:
        capital = any(c.isupper() or c.isdigit() for c in name)
        return self._linker.knows_exactly(name) if capital else bool(self._linker.link_exactly(name))

    def _knows_closely(self, name: str) -> bool:
        """Whether a name is known in other words: "Orvenna's 1978 presidential election"."""
        return " " in name and any(c.isupper() for c in name) and bool(self._linker.link_closely(name))

    def _may_be(self, parts: Sequence[str], start: int, end: int, name: str) -> bool:
        """Names have a capital or a digit; words in small letters are a name only where they say nothing else."""
        first, last = parts[start], parts[end - 1]
        asks = start == 0 and fold(first) in _ASKING | AUXILIARIES
        if not name or asks or first in MARKS or last in MARKS:
            return False
        if starts_name(first):
            return not (end - start == 1 and first.isdigit()) and not (end - start > 1 and last.lower() in PREPOSITIONS)
        words = [fold(p) for p in parts[start:end]]
        if len(words) == 1 and end < len(parts) and plain(parts[end]) and fold(parts[end]) not in CLAUSAL | _JOINING:
            return False  # a word before another one only describes it
        told = set(words) & (CLAUSAL | ARTICLES) or any(self._says(word) for word in (words[-1], " ".join(words)))
        return not told and end - start <= 3 and (end - start > 1 or fold(parts[start - 1]) not in ("of", "for"))

    def _says(self, word: str) -> bool:
        lexicon = self._lexicon
        return any(word in table for table in (lexicon.asks, lexicon.nouns, lexicon.kinds, lexicon.kin, lexicon.verbs))

    def classes(self, word: str) -> bool:
        """Whether a noun says what class a thing is of, or how it is related."""
        return word in self._lexicon.nouns or word in self._lexicon.kinds or word in self._lexicon.asks

    def described(self, parts: Sequence[str], found: QuestionMention) -> QuestionMention:
        """Take the words before a name that say what it is into the mention; they tell homonyms apart."""
        of = [fold(p) for p in parts[max(0, found.start - 2) : found.start]]
        last = found.start - 1 if len(of) == 2 and of[1] == "of" and of[0] in NAMING else found.start
        start = last
        while start > 0 and last - start < _DESCRIBING and plain(parts[start - 1]):
            if fold(parts[start - 1]) in CLAUSAL | _ASKING or parts[start - 1].endswith((",", ":", ";")):
                break
            start -= 1
        if start and fold(parts[start - 1]) in ("which", "what"):
            start = found.start  # "which country X is from"
        words = [fold(p) for p in parts[start:last]]
        while words and words[0] not in ARTICLES and not words[0].isdigit() and len(words) > 2:
            words.pop(0)
            start += 1
        named = [w for w in words if w not in ARTICLES]
        if named and last == found.start and not self._describes(named, linked=found.entity.linked):
            start, named = found.start - (words[-1] in ARTICLES), []
        name, linked = found.entity.name, found.entity.linked
        subjects = self._linker.by_descriptor(name, " ".join(named)) if named else ()
        noun = next((word for word in reversed(named) if self.classes(word)), None)
        label = subjects[0].label if len(subjects) > 1 else name
        return QuestionMention(start, found.end, QuestionEntity(label, noun, linked=linked))

    def _describes(self, words: Sequence[str], *, linked: bool) -> bool:
        """Ends in a noun that classes things; before a name that the corpus knows any noun will do."""
        return self.classes(words[-1]) or (linked and len(words) < 3 and words[-1] not in self._lexicon.verbs)


def runs(parts: Sequence[str]) -> Iterator[QuestionMention]:
    """Runs of capitalised words, small words inside them; the question's first word only asks."""
    start = 1 if parts and fold(parts[0]) in _ASKING | AUXILIARIES | PREPOSITIONS else 0
    while start < len(parts):
        end = start
        while end < len(parts) and (starts_name(parts[end]) or (end > start and parts[end] in _INSIDE)):
            end += 1
            if parts[end - 1].endswith((",", ":", ";", '"')):
                break
        last = end
        while last > start and parts[last - 1] in _INSIDE:
            last -= 1
        if last > start:
            yield QuestionMention(start, last, QuestionEntity(bare(parts[start:last]), linked=False))
        start = max(end, start + 1)


def bare(parts: Sequence[str]) -> str:
    """Words as one name, without the marks around them."""
    text = re.sub(r" (?=['’](?:s |S |s?$| ))", "", " ".join(parts)).strip(" ,;:?")
    if len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES:
        return text[1:-1].strip()
    return text.strip('"') if text.count('"') == 1 else text


def plain(token: str) -> bool:
    """A lower-case word, an article or a year: something a description is made of."""
    word = token.strip(",'\"")
    if not word or token in MARKS:
        return False
    return word[0].islower() or word in ("The", "A", "An") or (word.isdigit() and len(word) == 4)


def starts_name(token: str) -> bool:
    """Whether a name may begin here: a capital, a digit, a quotation mark."""
    word = token.lstrip("\"'“‘«(¿¡.")
    return token[:1] in '"“‘«' or (bool(word) and (word[0].isupper() or word[0].isdigit() or not word[0].isalpha()))
