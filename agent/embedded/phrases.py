"""The small operations on phrases of a question that all its readers share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...cubes.folding import fold
from .lexicon import Lexicon
from .plan import Step, Term
from .wordlists import ARTICLES, AUXILIARIES, PREPOSITIONS

__all__ = [
    "POSSESSIVE",
    "clean",
    "content",
    "head",
    "is_linked",
    "plain",
    "ranked",
    "starts_name",
    "template",
    "tokens",
    "trim",
    "trim_front",
    "unquote",
]

POSSESSIVE = re.compile(r"(?:\s?['’]\s?s|(?<=s)['’])\s+(?=\S)", re.IGNORECASE)

_STATED = re.compile(r"^\{\} (is|was|are|were|has|had|did|does)(?= )")


def clean(text: str) -> str:
    """Strip white space and the punctuation that surrounds a phrase in a question."""
    return text.strip().strip(",;:?").strip()


def tokens(text: str) -> list[str]:
    """Split at white space; punctuation stays on its word."""
    return text.split()


def content(parts: Sequence[str]) -> list[str]:
    """The folded words that carry meaning: no prepositions, auxiliaries or articles."""
    return [f for f in map(fold, parts) if f and f not in PREPOSITIONS | AUXILIARIES | ARTICLES]


def template(opening: str, parts: Sequence[str], base_text: str) -> str:
    """The subquery: the clause with its base taken out, behind the question words."""
    text = " ".join(parts).replace("{}", "").replace(base_text, "{}", 1)
    if opening:  # "in which country", "Dastra is located": "In which country is Dastra located"
        text = _STATED.sub(r"\1 {}", text)
    return f"{opening} {text}".strip().rstrip("?") + "?"


def trim(parts: Sequence[str]) -> list[str]:
    """Drop auxiliaries at both ends, and prepositions at the end."""
    found = list(parts)
    while found and fold(found[0]) in AUXILIARIES and found[0].islower():
        found.pop(0)
    while found and (fold(found[-1]) in AUXILIARIES or fold(found[-1]) in PREPOSITIONS) and found[-1].islower():
        found.pop()
    return found


def trim_front(parts: Sequence[str]) -> list[str]:
    """Drop prepositions and auxiliaries in front."""
    found = list(parts)
    while found and fold(found[0]) in PREPOSITIONS | AUXILIARIES and found[0].islower():
        found.pop(0)
    return found


def head(noun: Sequence[str], lexicon: Lexicon) -> str:
    """The classing noun of a short noun phrase: its longest known tail, else its last word."""
    words = [f for f in (fold(p) for p in noun) if f and f not in ARTICLES]
    for start in range(len(words)):
        tail = " ".join(words[start:])
        if tail in lexicon.nouns or tail in lexicon.kinds:
            return tail
    return words[-1] if words else ""


def is_linked(term: Term) -> bool:
    """Whether the corpus knows the name that a term starts from."""
    while isinstance(term, Step):
        term = term.base
    return term.linked


def plain(token: str) -> bool:
    """A lower-case word, an article or a year: something a description is made of."""
    bare = token.strip(",'\"")
    return bool(bare) and (bare[0].islower() or bare in ("The", "A", "An") or (bare.isdigit() and len(bare) == 4))


def ranked(term: Term | None, rank: str) -> Step | None:
    """Let a step pick one of its values ("first", "youngest"); its subquery says so in the same place."""
    if not isinstance(term, Step) or not term.relations:
        return None
    found = re.sub(r"\b([Ww]hich|[Tt]he)\b", rf"\1 {rank}", term.template, count=1)
    return replace(term, rank=rank, template=found, words=(rank, *term.words), want=replace(term.want, plural=False))


def starts_name(token: str) -> bool:
    """Whether a name may begin here: a capital, a digit, a quotation mark."""
    bare = token.lstrip("\"'“‘«(¿¡.")
    return token[:1] in '"“‘«' or (bool(bare) and (bare[0].isupper() or bare[0].isdigit() or not bare[0].isalpha()))


def unquote(text: str) -> str:
    """Take the quotation marks off a quoted name."""
    stripped = text.strip()
    pairs = {'"': '"', "“": "”", "‘": "’", "'": "'", "«": "»"}
    if len(stripped) > 2 and pairs.get(stripped[0]) == stripped[-1]:
        return stripped[1:-1].strip()
    return stripped
