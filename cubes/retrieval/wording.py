"""How a question and a section are worded: stems, the words a question asks with, and the names in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import Stemmer

from ..core.folding import words
from ..core.lexical import STOP_WORDS, tokens

__all__ = ["CHARS_PER_TOKEN", "asked_words", "counted_asked", "counted_words", "names_asked", "names_in", "stems"]

CHARS_PER_TOKEN = 4
"""What a token is reckoned as where a budget is kept and no tokenizer is at hand."""

_STEMMER = Stemmer.Stemmer("english", 0)
_STEMS_KEPT = 500_000
_BRITISH = re.compile(r"(?<=\w{4})is(?=(?:e[ds]?|ing|ations?)$)")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ASKING = _words(
    """what which who whom whose when where why how do does did was were is are be been being has have had can could
    would will shall should may might must many much"""
)
_NO_NAMES = (
    STOP_WORDS
    | _ASKING
    | _words(
        """he she it they we you i his her its their our this that these those there here from after before during since
        until while although though because however also both many most some all another other each one two under
        over between among later following upon once only even like than so"""
    )
)
_CAPITALISED = r"[^\W_a-zß-öø-ÿ](?:[\w'’.&/-]*\w)?"
_RUN = re.compile(
    rf"""(?<!\w){_CAPITALISED}
        (?:(?:[ ]|(?<=\b\w)\.[ ])                       # a space, after an initial a full stop as well
           (?:(?:of|the|de|von|van|and|for|in|on|at|la|le|du|der|den|del|di|to|a|&)[ ]){{0,2}}
           {_CAPITALISED})*""",
    re.VERBOSE,
)


class _Stems(dict[str, str]):
    """Word -> stem, "" for a stop word; a dictionary that fills itself, for reading a corpus asks a million times."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _STEMS_KEPT:
            self.clear()
        found = self[word] = "" if word in STOP_WORDS else str(_STEMMER.stemWord(_BRITISH.sub("iz", word)))
        return found


_STEM_OF = _Stems()


def stems(text: str) -> list[str]:
    """Return the stems of a text's words without stop words (see `lexical.tokens`): "founded" meets "founding".

    >>> stems("The founding of cities")
    ['found', 'citi']
    """
    stem_of = _STEM_OF
    return [stem for word in words(text) if (stem := stem_of[word])]


def asked_words(query: str) -> list[str]:
    """Return the distinct stems of what a query is about, without the words it merely asks with.

    >>> asked_words("What city was it founded in?")
    ['citi', 'found']
    """
    found = (_STEM_OF[word] for word in words(query) if word not in _ASKING)
    return list(dict.fromkeys(stem for stem in found if stem))


def counted_words(text: str) -> list[str]:
    """Return what BM25 counts of a chapter: its words as they stand, and their stems beside them.

    >>> counted_words("The cities")
    ['cities', '~citi']
    """
    said = tokens(text)  # folded once for both; a release, the one word with a dot, has no stem
    return [*said, *(f"~{stem}" for word in said if "." not in word and (stem := _STEM_OF[word]))]


def counted_asked(query: str) -> list[str]:
    """Return what BM25 looks for in chapters: a query's words and stems, without those that it merely asks with.

    >>> counted_asked("What city?")
    ['city', '~citi']
    """
    return [*(word for word in tokens(query) if word not in _ASKING), *(f"~{stem}" for stem in asked_words(query))]


def names_in(text: str) -> Iterator[str]:
    """Yield what looks like a name: runs of capitalised words, joined by small ones such as "of".

    >>> list(names_in("The mayor, Ada Vell of Orm, opened the House of the Seven Winds."))
    ['Ada Vell of Orm', 'House of the Seven Winds']
    """
    for run in _RUN.finditer(text):
        yield from _named(run[0].split())


def names_asked(question: str) -> list[str]:
    """Return what a question names; the capital that it begins with makes no name.

    >>> names_asked("Drugs for Velmoria?"), list(names_in("Drugs for Velmoria?"))
    (['Velmoria'], ['Drugs for Velmoria'])
    """
    return list(names_in(question[:1].lower() + question[1:]))


def _named(run: Sequence[str]) -> Iterator[str]:
    """The run without what begins a sentence rather than a name, and without a number before it as well.

    "In 1962 Ada Vell" holds a date and a name, "In 1962 World Cup" only one name: both readings are given.
    """
    first = next((n for n, word in enumerate(run) if word.lower() not in _NO_NAMES), len(run))
    name = run[first:]
    if not any(word[0].isupper() for word in name):
        return
    yield " ".join(name)
    capital = next(n for n, word in enumerate(name) if word[0].isupper())
    if capital:
        yield " ".join(name[capital:])
