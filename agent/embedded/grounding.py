"""Whether a question speaks of what was found: how many words of its names stand in the evidence.

A question asked of the wrong documents finds sections that resemble it and spans that fit, but its names are not
there. That tells it apart better than the score of an answer does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...cubes.folding import fold
from .wordlists import ARTICLES

__all__ = ["grounding"]

_POSSESSIVE = re.compile(r"['’]s\b")
_EDGES = ".,?!;:()[]\"'“”‘’"
_SHORTEST = 3  # letters; initials and "of" stand everywhere


def grounding(question: str, texts: Iterable[str]) -> float:
    """Return the share of the words of a question's names, and of its numbers, that stand in any of the texts.

    The first word of a question is capitalised whatever it is, and does not count. Without names nothing speaks against
    the evidence: 1.
    """
    named = _name_words(question)
    seen = {word for text in texts for word in fold(text).split()} if named else set()
    return sum(word in seen for word in named) / len(named) if named else 1.0


def _name_words(question: str) -> list[str]:
    found: list[str] = []
    for place, token in enumerate(question.split()):
        word = _POSSESSIVE.sub("", token.strip(_EDGES))
        if (place and word[:1].isupper()) or any(c.isdigit() for c in word):
            found += [part for part in fold(word).split() if len(part) >= _SHORTEST and part not in ARTICLES]
    return found
