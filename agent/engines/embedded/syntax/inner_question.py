"""Questions whose question word stands inside a clause: "X was published by a house that is based where?"

The order is turned round: first the rest with "which house", then the clause about what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .pattern import SubqueryTemplate, sentence
from .roles import CLAUSE, NOUNS, SyntacticRoles
from .tokens import Token

__all__ = ["turned"]

_ARTICLES = frozenset({"a", "an", "the", "one", "his", "her", "its"})
_LINKS = {"from": "is", "in": "is", "with": "has"}
_RELATIVES = frozenset({"that", "which", "who", "whom", "whose", "where"})
_TIMES = frozenset({"year", "month", "day", "decade", "century", "season", "date"})

Write = Callable[[Sequence[int], list[SubqueryTemplate], Mapping[int, str]], str]
"""Writes tokens with gaps for what must be found first, some of them in other words."""


def turned(roles: SyntacticRoles, asked: int, write: Write) -> SubqueryTemplate | None:
    """Return what a question comes to when its clauses are taken one by one, the outermost first, or None."""
    found = [t for t in roles.tree.ancestors(asked) if _splits(roles, t, asked)]
    links = [t for t in found if t.dep in CLAUSE or t is found[0]][::-1]
    scope, lead, subject = [t.index for t in roles.tokens], "", ""
    parts: list[SubqueryTemplate] = []
    other: dict[int, str] = {}
    for link in links:
        inside = roles.tree.subtree(link.index)
        kept = [i for i in scope if i not in set(inside)]
        noun = roles.first_of(roles.tokens[link.head])
        name = roles.named(noun)
        if not name:
            if not lead and not roles.anchored(kept):
                return None
            question = sentence(f"{lead} {write(kept, parts, other | _which(roles, noun))}")
            phrase = roles.plain([i for i in roles.tree.subtree(noun.index) if i in kept])
            parts = [SubqueryTemplate(question, phrase, tuple(parts), noun.lower)]
            name = "{0}"
        elif name != subject:
            parts = []
        subject = name
        lead, scope, other = _opened(roles, link, [i for i in inside if i in set(scope)], asked, subject)
    if not links:
        return None
    return SubqueryTemplate(sentence(f"{lead} {write(scope, parts, other)}"), roles.plain(scope), tuple(parts))


def _splits(roles: SyntacticRoles, token: Token, asked: int) -> bool:
    """Whether a clause, or a phrase such as "in which land", hangs on a noun that can be asked for first."""
    noun = roles.tokens[token.head]
    if noun.index >= token.index or not (noun.tag in NOUNS or roles.named(noun)):
        return False
    if token.dep in CLAUSE:
        if noun.tag == "NNS" and not roles.determiner(noun):
            return False
        before = (i for i in roles.tree.subtree(token.index) if i < asked)
        return any(roles.tokens[i].tag[:2] in ("VB", "MD") for i in before)
    if token.dep != "prep" or roles.determiner(roles.first_of(noun)) not in ("a", "an", "the"):
        return False
    below = roles.tokens[asked]
    thing = roles.tokens[below.head] if below.dep == "det" else below
    if token.lower == "with":
        return thing.head != token.index
    found = noun.dep == "pobj" or roles.named(noun) != ""
    return token.lower in _LINKS and found and thing.lower not in _TIMES


def _which(roles: SyntacticRoles, noun: Token) -> dict[int, str]:
    """What is written for a noun's article, or for the first word of its phrase."""
    first = roles.tokens[roles.tree.subtree(noun.index)[0]]
    return {first.index: "which" if first.lower in _ARTICLES else f"which {first.text}"}


def _opened(
    roles: SyntacticRoles, link: Token, inside: list[int], asked: int, subject: str
) -> tuple[str, list[int], dict[int, str]]:
    """How a clause begins when it is a sentence about its subject, its other tokens, and what is written otherwise."""
    first = roles.tokens[inside[0]]
    if link.dep == "prep":
        return f"{subject} {_LINKS[link.lower]}", inside[1:] if link.lower == "with" else inside, {}
    if link.dep == "acl":
        return f"{subject} {roles.be(roles.tokens[link.head], link.tag in ('VBN', 'VBD'))}", inside, {}
    if first.tag in ("IN", "TO") and inside[1] != asked and roles.tokens[inside[1]].lower in ("which", "whom"):
        return f"{first.text} {subject}", inside[2:], {}
    if first.lower not in _RELATIVES or first.index == asked:
        return subject, inside, {}
    if first.lower in ("where", "whose"):
        return f"in {subject}" if first.lower == "where" else f"{subject}'s", inside[1:], {}
    if roles.subject(link, but=first.index) is not None:  # "a war that Vesk entered when"
        return "", inside[1:], {link.index: f"{link.text} {subject}"}
    return subject, inside[1:], {}
