"""Whether a question speaks of what was found: how many words of its names stand in the evidence.

A question asked of the wrong documents finds sections that resemble it and spans that fit, but its names are not
there. That tells it apart better than the score of an answer does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...cubes.folding import fold
from .wordlists import ARTICLES

__all__ = ["grounding", "named"]

_POSSESSIVE = re.compile(r"['’]s\b")
_EDGES = ".,?!;:()[]\"'“”‘’"
_NAME = re.compile(
    r"(?<=\s)[\"“]?((?:[^\W\d_a-z][\w.&'’-]*)(?:\s+(?:(?:of|the|and|de|von|van|in)\s+)*[^\W\d_a-z][\w.&'’-]*)*)"
)
"""A run of capitalised words, not the first of the question."""
_SHORTEST = 3  # letters; initials and "of" stand everywhere


def grounding(question: str, texts: Iterable[str]) -> float:
    """Return the share of the words of a question's names, and of its numbers, that stand in any of the texts.

    The first word of a question is capitalised whatever it is, and does not count. Without names nothing speaks against
    the evidence: 1.
    """
    named = _name_words(question)
    seen = {word for text in texts for word in fold(text).split()} if named else set()
    return sum(word in seen for word in named) / len(named) if named else 1.0


def named(question: str, texts: Iterable[str]) -> float:
    """Return the share of a question's whole names that stand in any of the texts as they are written.

    Stricter than `grounding`: "Mirren Tal" is not there where one text tells of Mirren and another of Tal.
    """
    names = [key for found in _NAME.finditer(question) if (key := fold(_POSSESSIVE.sub("", found[0])))]
    padded = [f" {fold(text)} " for text in texts] if names else []
    return sum(any(f" {name} " in text for text in padded) for name in names) / len(names) if names else 1.0


def _name_words(question: str) -> list[str]:
    found: list[str] = []
    for place, token in enumerate(question.split()):
        word = _POSSESSIVE.sub("", token.strip(_EDGES))
        if (place and word[:1].isupper()) or any(c.isdigit() for c in word):
            found += [part for part in fold(word).split() if len(part) >= _SHORTEST and part not in ARTICLES]
    return found
