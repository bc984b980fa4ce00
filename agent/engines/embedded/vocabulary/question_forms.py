"""What form of answer a question asks for, by its opening words and its syntax; no word here is of a topic."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

__all__ = ["ProseForm", "read_asked_form"]

Kind = Literal["short", "verdict", "list", "definition", "passage"]

_POLITE = re.compile(
    r"^(?:(?:please|so|and|then|now|ok(?:ay)?|(?:can|could|would|will) you|do you know"
    r"|i (?:want|would like|need) to know|tell (?:me|us)|show (?:me|us)|let me know|say),?\s+)+(?=\w)",
    re.IGNORECASE,
)
_SCENE = re.compile(
    r"^(?:in|on|at|by|for|with|from|under|after|before|when|while|if|according to|once)\b[^,?]{1,120},\s+"
    r"(?=(?:what|which|who|how|why|is|are|was|were|do|does|did|can|could|should|must|may|will)\b)",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|should|shall|must|may|might|will|would|has|have|had|ought|need)"
    r"(?:n['’]t|not)?"
)
_VERDICT = re.compile(rf"^{_AUXILIARY}\s+(?!(?:you|we|me)\s+(?:tell|name|list|show|say|explain|describe)\b)\w", re.I)
_TELLING = re.compile(
    rf"^(?:how\s+(?:{_AUXILIARY}\b|to\b(?!.*,.*\b(?:which|what|who|when|where)\b))|how come\b|why\b"
    r"|(?:for what|what is the|what was the) (?:reason|purpose)\b"
    r"|what (?:happens|happened|will happen|would happen)\b"
    r"|what (?:can|could|should|must|shall|do|does|did|will|would)(?:n['’]t)? .*\bdo\b(?! (?:with|for))"
    r"|describe\b|explain\b|summari[sz]e\b|outline\b|discuss\b|in what way\b|what (?:are|is) the steps?\b"
    r"|what causes\b|what caused\b|what makes\b|what made\b)",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"^(?:what (?:does|did|do) (?P<means>.+?) (?:mean|refer to)|what is meant by (?P<meant>.+)"
    r"|define (?P<defined>.+)|what (?:is|are) the (?:meaning|definition) of (?P<meaning>.+))$",
    re.IGNORECASE,
)
_IS = re.compile(r"^(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+(?P<thing>.+)$", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_RELATING = re.compile(
    r"\b(?:of|in|on|at|by|for|with|from|to|about|between|during|that|which|who|whose|whom|where|when|than|as|and|or|not)\b"
    r"|['’]s?\s|\b(?:called|named|used|known|made|done|said|being)\b",
    re.IGNORECASE,
)
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBER = {name: number for number, name in enumerate(_NUMBERS, 2)}
_COUNTED = rf"(?P<number>{'|'.join(_NUMBER)}|\d{{1,2}})"
_MEMBERS = re.compile(
    r"^(?:(?:what|which)(?:['’]re|\s+(?:are|were))\s+(?:all\s+)?the\s+"
    r"|(?:list|name|enumerate|give)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?"
    rf"|(?:what|which)\s+(?=(?:{'|'.join(_NUMBERS)}|\d{{1,2}})\s))"
    rf"(?:{_COUNTED}\s+)?(?P<noun>.+)$",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"^(?:[\w'’/-]+\s+){0,3}?[\w'’/-]*[a-z](?:s|ren|men|eople|eria|ena)\b(?<!ss)", re.IGNORECASE)
_OTHER = frozenset({
    "it", "this", "that", "these", "those", "he", "she", "they", "you", "your", "my", "our", "his", "her", "its",
    "their", "there",
})  # fmt: skip
"""Words that stand for something else, or say whose: no name begins with them."""
_LONGEST = 6  # words of a thing that is asked for by its name alone


@dataclass(frozen=True, slots=True)
class ProseForm:
    """``thing`` is what a definition is asked of, ``number`` how many members an enumeration has, if it says so.

    Something that the question calls "the" may have a value rather than a definition (``definite``).
    """

    kind: Kind
    thing: str = ""
    definite: bool = False
    number: int | None = None

    @property
    def is_passage(self) -> bool:
        """Whether sentences tell it: how, why, or what something is that has no value."""
        return self.kind == "passage" or (self.kind == "definition" and not self.definite)


@lru_cache(maxsize=2_000)
def read_asked_form(question: str) -> ProseForm:
    """Read the form that a question asks for.

    >>> [read_asked_form(q).kind for q in ("How is it cleaned?", "How many are there?", "May it be cleaned?")]
    ['passage', 'short', 'verdict']
    >>> read_asked_form("What does the word 'sluice' mean?").thing, read_asked_form("Name the three locks.").number
    ("word 'sluice'", 3)
    """
    text = _bare(question)
    means = _MEANS.match(text)
    if means is not None:
        return ProseForm("definition", _thing(next(filter(None, means.groups()))))
    if _TELLING.match(text):
        return ProseForm("passage")
    if _VERDICT.match(text):
        return ProseForm("short" if re.search(r"\bor\b", text) else "verdict")
    members = _MEMBERS.match(text)
    if members is not None and _PLURAL.match(members["noun"]):
        said = members["number"]
        return ProseForm("list", number=_NUMBER.get(said.lower()) or int(said) if said else None)
    asked = _IS.match(text)
    if asked is not None and _is_bare(asked["thing"]):
        return ProseForm("definition", _thing(asked["thing"]), asked["thing"].lower().startswith("the "))
    return ProseForm("short")


def _bare(question: str) -> str:
    """A question without what is polite, and without the scene that it is set in."""
    text = " ".join(question.split()).rstrip(" ?.!")
    return _SCENE.sub("", _POLITE.sub("", text))


def _is_bare(thing: str) -> bool:
    """Whether a thing is asked for by its name alone: "a weir", not "the name of the weir"."""
    words = thing.split()
    return len(words) <= _LONGEST and not _RELATING.search(_ARTICLE.sub("", thing)) and words[0].lower() not in _OTHER


def _thing(text: str) -> str:
    return _ARTICLE.sub("", text.strip()).strip(" \"“”'`")
