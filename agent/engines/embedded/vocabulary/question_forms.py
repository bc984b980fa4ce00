"""What form of answer a question asks for, by its opening words and its syntax; no word here is of a topic."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from .....cubes.core.folding import fold_words
from .....cubes.core.quantities import parse_quantity
from .wordlists import ARTICLES, AUXILIARIES, COMMANDS, PREPOSITIONS, QUESTIONING

__all__ = ["ProseForm", "in_full", "read_asked_form"]

Kind = Literal["short", "verdict", "list", "definition", "passage"]

_POLITE = re.compile(
    r"^(?:(?:please|so|and|then|now|ok(?:ay)?|(?:can|could|would|will) you|do you know"
    r"|i (?:want|would like|need) to know|tell (?:me|us)|show (?:me|us)|let me know|say),?\s+)+(?=\w)",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|should|shall|must|may|might|will|would|has|have|had|ought|need)"
    r"(?:n['’]t|not)?"
)
_ASKS = rf"(?:what|which|who|whom|whose|where|when|how|why|{_AUXILIARY})\b"
_SCENE = re.compile(
    r"^(?:(?:in|on|at|by|for|with|from|under|after|before|when|while|if|according to|once)\b"
    rf"(?! (?:which|what|whose|whom)\b)[^,?]{{1,120}},\s+(?={_ASKS})"
    rf"|(?!{_ASKS}).{{1,200}}(?:,\s+(?=(?:what|how|why)\b)|\s(?=how\s+(?:can|do|should)\s+(?:I|one|we|you)\b)"
    rf"|(?-i:(?<!\W[A-Z]))[.:;!?]\s+(?={_ASKS})))",
    re.IGNORECASE,
)
"""What a question is set in: a clause or a sentence before the one that asks."""
_VERDICT = (
    rf"^{_AUXILIARY}\s+(?!(?:you|we|me)\s+(?:tell|name|list|show|say|explain|describe)\b)"
    r"(?!.*, (?:and )?(?:which|what)\b)\w"
)
_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_OTHER = r"(?:it|this|that|these|those|he|she|they|you|your|my|our|his|her|its|their|there)\b"  # begin no name
_RELATING = (
    r"(?:\b(?:of|in|on|at|by|for|with|from|to|about|between|during|that|which|who|whose|whom|where|when|than|as|and|or"
    r"|not|called|named|used|known|made|done|said|being)\b|['’]s?\s)"
)
_FORMS: tuple[tuple[Kind, str], ...] = (
    ("definition", r"^(?:what (?:does|did|do) (?P<means>.+?) (?:mean|refer to|stand for)"
     r"(?: (?!in (?-i:[A-Z]))(?:by|for|here|if|in|on|to|when)\b.*)?"
     r"|what is meant by (?P<meant>.+)|define (?P<defined>.+)"
     r"|what (?:is|are) the (?:meaning|definition) of (?P<meaning>.+))$"),
    ("passage", rf"^(?:how\s+(?:{_AUXILIARY}\b|to\b(?!.*,.*\b(?:which|what|who|when|where)\b))|how come\b|why\b"
     r"|what if\b|what(?:['’]s| is| are) the differences?\b"
     r"|what(?:['’]s| is| are) (?!.*\b(?:famous|known|named|noted|popular|responsible|short) for$).* for$"
     r"|(?:for what|what is the|what was the) (?:reason|purpose)\b"
     r"|what (?:happens|happened|will happen|would happen|becomes?\b.*\b(?:if|when)\b)"
     r"|what (?:can|could|should|must|shall|do|does|did|will|would)(?:n['’]t)? .*\bdo\b(?! (?:with|for))"
     r"|describe\b|explain\b|summari[sz]e\b|outline\b|discuss\b|in what way\b|what (?:are|is) the steps?\b"
     r"|what (?:causes|caused|makes|made)\b)"),
    ("short", rf"{_VERDICT}.*\b(?-i:or)\b"),
    ("verdict", _VERDICT),
    ("list", r"^(?:(?:what|which)(?:['’]re|\s+(?:are|were))\s+(?:all\s+)?the\s+"
     r"|(?:list|name|enumerate|give)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?"
     rf"|(?:what|which)\s+(?={_NUMBER}\s))(?:(?P<number>{_NUMBER})\s+)?"
     r"(?:[\w'’/-]+\s+){0,3}?[\w'’/-]*[a-z](?:s|ren|men|eople|eria|ena)\b(?<!ss)"),
    ("definition", r"^what(?:['’]s|\s+(?:is|are))\s+(?P<thing>an?\s[\w-]+)\s(?:in|on|under|within)\s"),
    ("definition", r"^(?:what|who)(?:['’]s|\s+(?:is|are|was|were))\s+"
     rf"(?P<thing>(?!{_OTHER})(?!.*{_RELATING})(?:\S+\s+){{0,5}}\S+)$"),
)  # fmt: skip
"""The openings of each form; the first that fits counts. A thing may be asked for by its name alone ("a weir", not "the
name of the weir")."""
_BARE = re.compile(r"\b(how|what|when|where|who|why)s\b", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_FRAGMENT = re.compile(
    r"(?:the )?((?:[\w'’/-]+ ){1,4}?)(?:of|for) "
    r"(?!.*(?:[.:;?!] |\b(?:what|which|how|whom)\b|\b(?:where|when|who)\W*$))\w",
    re.IGNORECASE,
)
_PRONOUNS = frozenset({"i", "we", "you", "he", "she", "it", "they", "there", "one", "someone"})
_NO_NOUNS = QUESTIONING | AUXILIARIES | PREPOSITIONS | ARTICLES | _PRONOUNS


def in_full(question: str) -> str:
    """Return a question that is a noun phrase alone as a whole one.

    >>> in_full("dose rate of the lamp?"), in_full("Name of the cook?"), in_full("Name ships of the fleet.")
    ('What is the dose rate of the lamp?', 'What is the name of the cook?', 'Name ships of the fleet.')
    """
    found = _FRAGMENT.match(question)
    words = fold_words(found[1]) if found is not None else []
    if found is None or not _NO_NOUNS.isdisjoint(words) or (len(words) > 1 and words[0] in COMMANDS):
        return question
    return f"What is the {question[found.start(1) :][:1].lower()}{question[found.start(1) + 1 :]}"


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
    """Read the form that a question asks for, without what is polite and the scene that it is set in.

    >>> [read_asked_form(q).kind for q in ("How is it cleaned?", "How many are there?", "May it be cleaned?")]
    ['passage', 'short', 'verdict']
    >>> read_asked_form("What does the word 'sluice' mean?").thing, read_asked_form("Name the three locks.").number
    ("word 'sluice'", 3)
    """
    asked = _BARE.sub(r"\1's", " ".join(question.split()).rstrip(" ?.!"))
    text = _SCENE.sub("", _POLITE.sub("", asked))
    matched = ((kind, found) for kind, form in _FORMS if (found := re.match(form, text, re.IGNORECASE)))
    fits = next(matched, None)
    if fits is None:
        return ProseForm("short")
    kind, found = fits
    told = {name: words for name, words in found.groupdict().items() if words}
    number = parse_quantity(told.pop("number", ""))
    thing = next(iter(told.values()), "")
    named = _ARTICLE.sub("", thing).strip(" \"“”'`")
    definite = "thing" in told and thing.lower().startswith("the ")
    return ProseForm(kind, named, definite, int(number.value) if number is not None else None)
