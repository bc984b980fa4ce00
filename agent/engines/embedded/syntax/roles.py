"""What the nouns of a question do in it: which are names, which only describe a name, and what hangs on them."""

from __future__ import annotations

from collections.abc import Sequence

from .....cubes.extraction.words.lexicon import country_of
from ..vocabulary.wordlists import QUESTIONING
from .tree import NOUNS, Token, Tree

__all__ = ["ASKING", "BE", "CLAUSE", "SyntacticRoles"]

BE = frozenset({"is", "are", "was", "were", "'s", "be"})
ASKING = QUESTIONING - {"why"}
CLAUSE = frozenset({"relcl", "acl"})
_PROPER = frozenset({"NNP", "NNPS"})
_CALLED = frozenset({"called", "named", "titled", "entitled"})
_ROLES = frozenset({"as", "become", "became", "becoming"})


class SyntacticRoles:
    """Asks a question's tree about its nouns. ``relational`` nouns name a thing by its relation to another."""

    def __init__(self, tree: Tree, relational: frozenset[str]) -> None:
        self.tree = tree
        self.tokens = tree.tokens
        self._relational = relational
        self.asked = question_word(tree.tokens)

    def modifiers(self, noun: Token) -> tuple[Token, ...]:
        """What hangs on a noun and stands behind it."""
        return tuple(c for c in self.tree.children(noun.index) if c.index > noun.index)

    def determiner(self, noun: Token) -> str:
        """The article or pronoun before a noun."""
        children = self.tree.children(noun.index)
        return next((c.lower for c in children if c.dep == "det" and c.index < noun.index), "")

    def be(self, noun: Token, past: bool) -> str:
        """The form of "be" that agrees with a noun."""
        many = self.first_of(noun).tag == "NNS"
        return ("were" if many else "was") if past else ("are" if many else "is")

    def subject(self, verb: Token, but: int | None = None) -> Token | None:
        """The subject of a verb, other than the token ``but``."""
        found = (c for c in self.tree.children(verb.index) if c.dep in ("nsubj", "nsubjpass") and c.index != but)
        return next(found, None)

    def is_anchor(self, token: Token) -> bool:
        """Whether a token is a name, a number or a quotation: what a search can start from. A nationality is not."""
        text = token.text
        if text[0].isdigit():
            return True
        named = token.name or (text[0].isupper() and (token.index > 0 or token.tag in (*NOUNS, *_PROPER)))
        return named and not (token.dep == "amod" and country_of(text))

    def anchored(self, indices: Sequence[int]) -> bool:
        """Whether a name, a number or a quotation is among tokens."""
        return any(self.is_anchor(self.tokens[i]) for i in indices)

    def named(self, noun: Token) -> list[int]:
        """The tokens of a name that a noun only describes: "X is a mason who", "X, a mason who", "the paper X that"."""
        if noun.tag in _PROPER:
            return self._itself(noun)
        noun = self.first_of(noun)
        governor = self.tokens[noun.head]
        subject = self.subject(governor) if noun.dep == "attr" else None
        if subject is not None and subject.index < governor.index and self.is_anchor(subject):
            return [i for i in self.tree.subtree(subject.index) if i < governor.index]
        if noun.dep == "appos" and governor.tag in _PROPER:
            return self._whole_name(governor)
        called = next((c for c in self.modifiers(noun) if c.lower in _CALLED), None)
        if called is not None and self.tokens[called.index + 1].tag in _PROPER:
            return [called.index + 1]
        beside = next((c for c in self.modifiers(noun) if c.dep == "appos" and c.tag in _PROPER), None)
        return self._whole_name(beside) if beside is not None else []

    def is_common(self, noun: Token) -> bool:
        """Whether a token stands for a kind of thing; so does a title: "the Head Keeper under whom ..."."""
        if noun.tag in NOUNS and not noun.name:
            return True
        after = [t.lower for t in self.tokens[noun.index + 1 : noun.index + 3]]
        relative = after[:1] in (["who"], ["which"], ["that"]) or after[1:] in (["whom"], ["which"])
        return noun.tag in _PROPER and relative and self.determiner(noun) == "the"

    def _itself(self, name: Token) -> list[int]:
        """A name that needs no finding: what stands behind its comma, or behind "the paper X", does not restrict it."""
        after = self.tokens[name.index + 1 : name.index + 2]
        beside = name.index > 1 and self.tokens[name.index - 1].tag in NOUNS
        return self._whole_name(name) if beside or (after and after[0].tag == ",") else []

    def _whole_name(self, name: Token) -> list[int]:
        compound = [c.index for c in self.tree.children(name.index) if c.dep == "compound" and c.tag in _PROPER]
        return [*compound, name.index]

    def first_of(self, noun: Token) -> Token:
        """The first of nouns in a row: "a singer and actress"."""
        while noun.dep == "conj" and self.tokens[noun.head].tag in NOUNS and not self.determiner(noun):
            noun = self.tokens[noun.head]
        return noun

    def names_relation(self, noun: Token) -> bool:
        """Whether a noun, alone or with the word before it, names a thing by its relation to another one."""
        before = [t for t in self.tree.children(noun.index) if t.dep in ("compound", "amod") and t.index < noun.index]
        if any(t.dep == "compound" and t.tag in _PROPER for t in before):
            return False  # "the Vass family of Dorvale" has its name already
        return bool({noun.lower, *(f"{t.lower} {noun.lower}" for t in before)} & self._relational)

    def is_role(self, noun: Token) -> bool:
        """ "resigned as the president of X": what somebody was, not who."""
        governor = self.tokens[noun.head]
        return governor.lower in _ROLES or (noun.dep == "attr" and governor.dep in CLAUSE | {"advcl"})


def question_word(tokens: Sequence[Token]) -> int | None:
    """The interrogative: the first word, one behind a preposition in front, else the last that is no relative."""
    found = [t for t in tokens if t.lower in ASKING]
    for token in found:
        before = tokens[token.index - 1] if token.index else None
        if before is None or (token.index == 1 and before.tag in ("IN", "TO")):
            return token.index
    return next((t.index for t in reversed(found) if _interrogative(tokens, t)), None)


def _interrogative(tokens: Sequence[Token], token: Token) -> bool:
    following = tokens[token.index + 1] if token.index + 1 < len(tokens) else None
    last = following is None or following.tag in (".", "''", ",")
    if token.lower in ("what", "how"):
        return True
    if token.lower == "which":
        told = following is not None and (following.tag in ("NN", "NNS", "JJ") or following.dep == "compound")
        noun = following is not None and (token.dep == "det" or told)
        return last or noun
    return last
