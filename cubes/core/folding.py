"""Folding names so that exact matching survives case, accents, punctuation, articles and plurals (eq. 8).

>>> fold("The Prairie Kings"), fold("C++")
('prairie king', 'c++')
>>> split_qualifier("Devotion (1929 film)")
('Devotion', '1929 film')
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse

__all__ = ["SIGNS", "base_key", "fold", "fold_words", "split_qualifier", "words"]

_QUALIFIER = re.compile(r"^(?P<name>.*\S)\s*\((?P<qualifier>[^()]+)\)\s*$")
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
SIGNS = r"(?:(?<=[^\W\d_])(?:\+{1,2}|#)(?!\w))?"
"""The signs behind a word that belong to it, in a regular expression: "C++", "C#"."""
_SIGNED = re.compile(rf"[^\W_]+{SIGNS}", re.UNICODE)
_ARTICLES = frozenset({"the", "a", "an"})
_APOSTROPHE = re.compile(r"[’'`´]s\b|[’'`´]", re.IGNORECASE)
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_ASCII_APOSTROPHE = re.compile(r"['`]s\b|['`]")
_SINGULARS_KEPT = 200_000
# Letters that NFKD leaves whole although English readers type them plain.
_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})


def words(text: str) -> list[str]:
    """Split into lower-case words without accents or punctuation; keeps articles, plurals, and the signs of "C++"."""
    signed = "+" in text or "#" in text
    if text.isascii():  # most names and half of all passages; the same result, faster
        return (_SIGNED if signed else _ASCII_WORD).findall(_ASCII_APOSTROPHE.sub("", text.lower()))
    lowered = _APOSTROPHE.sub("", text.casefold()).translate(_LETTERS)
    plain = "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", lowered)))
    return (_SIGNED if signed else _WORD).findall(plain)


@lru_cache(maxsize=200_000)
def fold(text: str) -> str:
    """Return the key under which a name is compared exactly.

    Case, accents, punctuation, possessives, a leading article and English plurals disappear. A name made of
    an article alone keeps it, so that no key is empty unless the text has no letters or digits at all.
    """
    found = words(text)
    if len(found) > 1 and found[0] in _ARTICLES:
        found = found[1:]
    return " ".join([_SINGULAR[word] for word in found])


def fold_words(text: str) -> list[str]:
    """Fold running text word by word, so that a folded name can be counted in it; articles stay."""
    return [_SINGULAR[word] for word in words(text)]


def split_qualifier(name: str) -> tuple[str, str]:
    """Split "Devotion (1929 film)" into the name and what stands in brackets ("" where nothing does)."""
    matched = _QUALIFIER.match(name) if name.rstrip().endswith(")") else None
    if matched is None:
        return name.strip(), ""
    return matched["name"], matched["qualifier"].strip()


@lru_cache(maxsize=200_000)
def base_key(name: str) -> str:
    """Return `fold` of the name without its bracketed qualifier."""
    return fold(split_qualifier(name)[0])


def _singular(word: str) -> str:
    """Fold the regular English plurals. Short words and -ss, -us, -is words stay as they are."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "zes", "sses")):
        return word[:-2]
    return word[:-1]


class _Singulars(dict[str, str]):
    """Word -> what it folds to; a dictionary that fills itself, for texts repeat their words."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _SINGULARS_KEPT:
            self.clear()
        found = self[word] = _singular(word)
        return found


_SINGULAR = _Singulars()
