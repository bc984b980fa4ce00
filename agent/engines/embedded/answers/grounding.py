"""Whether what was found speaks of what a question names.

A question asked of the wrong documents finds sections that resemble it and spans that fit, but its names are not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from .....cubes.core.folding import fold
from .....cubes.documents.sections import sentences
from .....cubes.retrieval.wording import asked_words, stems
from ..vocabulary.wordlists import ARTICLES, CLAUSAL

__all__ = ["Grounding", "Knows", "coverage", "ground"]

_WORD = r"(?:[^\W\d_a-zß-öø-ÿ][\w.&'’/-]*|\d[\w,.:/-]*)"
_JOINT = r"(?:of|the|and|de|von|van|in|for|to|on|at|by|with|from|&|a|an|du|la|le|der|del|di|al|el|y)"
_NAME = re.compile(rf"[\"“]([^\"”]+)[\"”]|(?<![\w'’]){_WORD}(?:,?\s+(?:{_JOINT}\s+)*{_WORD})*")
_POSSESSIVE = re.compile(r"['’]s?$")
_EDGES = " ,.?!;:()[]"
_SEAMS = tuple(
    re.compile(seam)
    for seam in (
        r",? and |,? or |, | & ",
        r"['’]s? ",
        r" (?:in|at|on|from|for|to|by|with) (?:the )?",
        r" of (?:the )?",
        r"(?<=\d)[ –-](?=\S)|(?<=\S) (?=\d)",
    )
)
"""Where a run of capitalised words is cut that is not known as one name, the likeliest seams first."""
_NO_NAME = CLAUSAL | ARTICLES | frozenset({
    "what", "how", "why", "whom", "beside", "between", "among", "despite", "during", "before", "although", "though",
    "while", "if", "since", "and", "or", "not", "i", "these", "those", "out", "other", "according", "based", "either",
    "name",
})  # fmt: skip
"""Words, folded, with a capital only because a question begins with them."""
_SLIP = 85.0  # per cent that a misspelt word has in common with the right one
_SPELT = 5  # letters from which a slip is told from another word

Knows = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Grounding:
    """What of a question stands in what was found, as shares.

    ``names`` of its names, ``words`` of their words, ``told`` of all that it asks about, ``together`` the most of that
    in one section. ``unknown`` are the names that are not there.
    """

    names: float
    words: float
    told: float
    together: float
    unknown: tuple[str, ...] = ()


def ground(question: str, texts: Sequence[str], knows: Knows) -> Grounding:
    """Look a question's names and words up in the texts; ``knows`` says what the corpus has a label for.

    Where a question has no names, nothing speaks against the texts in this.
    """
    padded = [f" {fold(text)} " for text in texts]
    held = {word for text in padded for word in text.split()}

    def known(name: str) -> bool:
        key = f" {fold(name)} "
        return knows(name) or any(key in text for text in padded)

    names = [part for name in _names(question) for part in _parts(name, known)]
    unknown = dict.fromkeys(name for name in names if not (known(name) or _misspelt(name, held)))
    words = [word for name in names for word in fold(name).split()]
    missing = [word for name in names if name in unknown for word in fold(name).split() if word not in held]
    sections = [set(stems(text)) for text in texts]
    return Grounding(
        names=1 - _share([name in unknown for name in names]),
        words=1 - (len(missing) / len(words) if words else 0.0),
        told=coverage(question, set().union(*sections)),
        together=max((coverage(question, section) for section in sections), default=0.0),
        unknown=tuple(unknown),
    )


def coverage(question: str, held: set[str]) -> float:
    """Return the share of what a question asks about that is among these stems."""
    asked = asked_words(question)
    return _share([word in held for word in asked]) if asked else 1.0


def _share(marks: Sequence[bool]) -> float:
    return sum(marks) / len(marks) if marks else 0.0


def _names(question: str) -> Iterator[str]:
    """Runs of capitalised words, and what stands in quotation marks.

    The first word of a sentence has a capital whatever it is: alone it is no name.
    """
    for span in sentences(question):
        for found in _NAME.finditer(question[span.start : span.end]):
            words = (found[1] or found[0]).split()
            if found[1] is None:
                alone = len(words) == 1 and not found.start()
                words = [] if alone else list(dropwhile(lambda word: fold(word) in _NO_NAME, words))
            name = _POSSESSIVE.sub("", " ".join(words).strip(_EDGES))
            if any(c.isupper() for c in name) and fold(name):
                yield name


def _parts(name: str, known: Knows) -> list[str]:
    """A name as the documents have it, else what it is put together from; numbers do not count by themselves."""
    if known(name):
        return [name]
    for seam in _SEAMS:
        parts = [part.strip(_EDGES) for part in seam.split(name)]
        if len(parts) > 1:
            return [p for part in parts if any(c.isupper() for c in part) for p in _parts(part, known)]
    return [name]


def _misspelt(name: str, held: set[str]) -> bool:
    """Whether each word of a name stands there, but not all of them as the question spells them."""
    words = fold(name).split()
    return not held.issuperset(words) and all(
        word in held or (len(word) >= _SPELT and extractOne(word, held, scorer=ratio, score_cutoff=_SLIP) is not None)
        for word in words
    )
