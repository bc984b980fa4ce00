"""Spelling out what a question leaves out or puts last, before it is parsed for good.

The parser goes wrong on clauses without their pronoun ("the country Mirren Tal is from", "the school attended by Oren
Vass founded") and on clauses behind the verb ("the clerk born who sold Blue Heron"). In full words it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .tokens import Token, Word

__all__ = ["spelled_out"]

_NOUNS = frozenset({"NN", "NNS"})
_PROPER = frozenset({"NNP", "NNPS"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_VERBAL = _FINITE | {"VB", "VBN"}
_BE = frozenset({"is", "was", "are", "were"})
_DO = frozenset({"do", "does", "did"})
_TAKEN_FOR = _NOUNS | {"JJ"}
"""What a bare verb behind a noun is taken for: "does the river empty that ..."."""
_RELATIVE = frozenset({"that", "which", "who", "whom", "whose"})
_PREDICATE = 3  # words of a verb that a clause stands behind: "take place", "born in"

Words = list[Word]


def spelled_out(tokens: Sequence[Token], words: Words, parsed: Callable[[Words], list[Token]]) -> list[Token]:
    """Return a question's tokens in full words; ``tokens`` are those of its own words, ``parsed`` parses others."""
    for rewrite in (_with_clause_before, _with_participle, _with_that):
        full = rewrite(tokens, words)
        if full is not None:
            words, tokens = full, parsed(full)
    return list(tokens)


def _with_clause_before(tokens: Sequence[Token], words: Words) -> Words | None:
    """ "was the clerk | born | who sold Blue Heron" with the clause beside its noun."""
    at = next((t.index for t in tokens if t.index > 2 and t.lower in _RELATIVE and t.tag != "DT"), None)
    if at is None:
        return None
    at -= tokens[at - 1].tag in ("IN", "TO") and tokens[at].lower in ("which", "whom", "whose")
    support = next((t for t in tokens[:4] if t.lower in _BE | _DO), None)
    asking = tokens[: support.index] if support is not None else ()
    if support is None or tokens[at - 1].tag == "," or not any(t.tag.startswith("W") for t in asking):
        return None
    end = len(tokens) - (tokens[-1].tag == ".")
    for start in range(max(support.index + 2, at - _PREDICATE), at):
        first, noun = tokens[start], tokens[start - 1]
        verb = first.tag in ("VB", "VBN") or (support.lower in _DO and start == at - 1 and first.tag in _TAKEN_FOR)
        described = any(t.tag == "DT" for t in tokens[support.index + 1 : start])
        plain = not any(t.name and tokens[t.index - 1].tag != "DT" for t in tokens[support.index + 1 : at])
        if verb and described and plain and noun.tag in _NOUNS | _PROPER:
            return [*words[:start], *words[at:end], *words[start:at], *words[end:]]
    return None


def _with_participle(tokens: Sequence[Token], words: Words) -> Words | None:
    """ "was the school | attended by Oren Vass | founded" with "that was" before the first participle."""
    last = len(tokens) - 1 - (tokens[-1].tag == ".")
    last -= tokens[last].tag in ("IN", "TO")
    support = next((t for t in tokens[:3] if t.lower in _BE), None)
    if support is None or tokens[last].tag not in ("VBN", "VBD"):
        return None
    for token in tokens[support.index + 2 : last - 2]:
        noun, behind = tokens[token.index - 1], tokens[token.index + 1]
        joined = any(t.tag == "CC" or t.lower in _RELATIVE for t in tokens[token.index : last])
        if token.tag in ("VBN", "VBD") and behind.tag == "IN" and noun.tag in _NOUNS and not joined:
            return [*words[: token.index], ("that", False), (support.lower, False), *words[token.index :]]
    return None


def _with_that(tokens: Sequence[Token], words: Words) -> Words | None:
    """ "in the country | Mirren Tal is from" with "that" before the name, where a verb stands before."""
    for noun in tokens[2:]:
        at = noun.index + 1
        articles = [t.lower for t in tokens[noun.index - 2 : noun.index]]
        if noun.tag not in _NOUNS or noun.name or "the" not in articles:
            continue
        opened = any(t.lower in _RELATIVE and t.tag != "DT" for t in tokens[max(0, at - 4) : noun.index])
        if opened or not any(t.tag in _VERBAL for t in tokens[: noun.index]):
            continue
        start = end = at + 1 if at < len(tokens) and tokens[at].tag == "DT" else at
        while end < len(tokens) and (tokens[end].tag in _PROPER or (end > start and tokens[end].lower == "of")):
            end += 1
        if start < end < len(tokens) and _leaves_gap(tokens, end):
            return [*words[:at], ("that", False), *words[at:]]
    return None


def _leaves_gap(tokens: Sequence[Token], at: int) -> bool:
    """Whether a finite verb stands here that leaves a gap: a form of be, or a verb with a bare preposition after it."""
    verb, following = tokens[at], tokens[at + 1 : at + 4]
    ends = ("IN", ".", "VB", "VBD", "VBN", "VBZ", ",")
    bare = (
        t.tag in ("IN", "TO") and (t.index + 1 == len(tokens) or tokens[t.index + 1].tag in ends) for t in following
    )
    return verb.lower in _BE or (verb.tag in ("VBD", "VBZ") and any(bare))
