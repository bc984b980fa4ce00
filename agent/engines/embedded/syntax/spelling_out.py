"""Spelling out what a question leaves out or puts last, before it is parsed for good.

The parser goes wrong on clauses without their pronoun ("the country Mirren Tal is from") and on clauses behind the verb
("the clerk born who sold Blue Heron"). In full words it does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..vocabulary.wordlists import RELATIVE
from ..vocabulary.words import Word
from .roles import NOUNS
from .tree import Token

__all__ = ["spelled_out"]

_SUPPORT = frozenset({"is", "was", "are", "were", "do", "does", "did"})
_RELATIVE = RELATIVE - {"where", "when"}
_ENDS = frozenset({"IN", ".", "VB", "VBD", "VBN", "VBZ", ",", "JJ"})
_PREDICATE = 3  # words of a verb that a clause stands behind: "take place", "born in"


def spelled_out(tokens: Sequence[Token], words: Sequence[Word]) -> list[Word] | None:
    """Return a question's words in full, or None where nothing is left out; ``tokens`` are those of its own words."""
    return _with_clause_before(tokens, words) or _with_that(tokens, words)


def _with_clause_before(tokens: Sequence[Token], words: Sequence[Word]) -> list[Word] | None:
    """ "was the clerk | born | who sold Blue Heron" with the clause beside its noun."""
    support = next((t.index for t in tokens[:4] if t.lower in _SUPPORT), None)
    if support is None or not any(t.tag.startswith("W") for t in tokens[:support]):
        return None
    at = next((t.index for t in tokens[support + 3 :] if t.lower in _RELATIVE and t.tag != "DT"), 0)
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
        opened = any(t.lower in _RELATIVE and t.tag != "DT" for t in tokens[max(0, at - 4) : at - 1])
        told = any(t.tag[:2] in ("VB", "MD") for t in tokens[: at - 1])
        gap = following.tag in ("IN", "TO") and tokens[at + 3 : at + 4] and tokens[at + 3].tag in _ENDS
        leaves = verb.lower in _SUPPORT or (verb.tag in ("VBD", "VBZ") and gap)
        if noun.tag in NOUNS and not noun.name and name.name and articled and told and leaves and not opened:
            return [*words[:at], Word("that"), *words[at:]]
    return None
