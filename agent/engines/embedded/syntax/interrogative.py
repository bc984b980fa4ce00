"""Finding the word that asks: a question has one interrogative among words that also open relative clauses."""

from __future__ import annotations

from collections.abc import Sequence

from .tree import Token

__all__ = ["ASKING", "question_word"]

ASKING = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "how"})


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
        noun = following is not None and (token.dep == "det" or following.tag in ("NN", "NNS", "JJ"))
        return last or noun
    return last
