"""The small words of follow-up questions: what leads into one, what asks, and how a question opens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..asking import ASKING
from .mentions import words_of
from .world import World

__all__ = ["ASKS", "AUXILIARIES", "PREPOSITIONS", "Opening", "finished", "is_clause", "opening", "without_lead"]

AUXILIARIES = frozenset({
    "is", "was", "are", "were", "did", "does", "do", "has", "have", "had", "can", "could", "would", "will", "should",
    "may", "isn't", "wasn't", "aren't", "weren't", "didn't", "doesn't", "don't", "hasn't",
})  # fmt: skip
PREPOSITIONS = frozenset({
    "in", "on", "at", "by", "from", "to", "of", "for", "with", "into", "through", "under", "after", "near", "before",
    "since", "until", "during", "about", "over",
})  # fmt: skip
ASKS = ASKING | {"why"}
_COMMANDS = frozenset({"tell", "name", "give", "list", "find", "show", "say", "explain", "describe", "compare"})
_LEAD = re.compile(
    r"^(?:(?:and|but|so|or|ok|okay|also|then|now|well|yes|right|thanks|hm+)\b[,.!]*\s*)*"
    r"(?:(?:what|how) about\s+|what of\s+|as for\s+|"
    r"(?:the |do the |ask the )?same(?: question| thing)?,? (?:for|about|of|with|but (?:for|with))\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """A question's asking words ("In which city") and what follows them."""

    words: str
    rest: str


def without_lead(question: str, world: World) -> tuple[str, str]:
    """Part "And what about X?" into what leads in and what is asked; a name at the front leads into nothing."""
    found = _LEAD.match(question)
    lead = found[0] if found else ""
    if lead and any(m.start < len(lead) for m in world.mentions.find(question)):
        return "", question.strip()
    return lead, question[len(lead) :].strip()


def is_clause(text: str) -> bool:
    """Whether words ask a question of their own, and do not only name a thing."""
    words = [word.key for word in words_of(text)]
    if not words:
        return False
    asks = words[0] in ASKS or (len(words) > 1 and words[0] in PREPOSITIONS and words[1] in ASKS)
    turned = re.search(rf", (?:{'|'.join(sorted(AUXILIARIES))}) ", text, re.IGNORECASE) is not None
    return asks or turned or words[0] in AUXILIARIES | _COMMANDS or any(word in ASKS for word in words[1:])


def opening(question: str) -> Opening | None:
    """Part a question behind its asking words: "In which city" | "was Anselm Torvik born"."""
    words = words_of(question)
    keys = [word.key for word in words]
    at = 1 if len(keys) > 1 and keys[0] in PREPOSITIONS and keys[1] in ASKS else 0
    if not keys or keys[at] not in ASKS:
        return None
    end = next((n for n in range(at + 1, len(keys)) if keys[n] in AUXILIARIES), None)
    if end is None:
        return None
    return Opening(question[: words[end].start].strip(), question[words[end].start :].strip().rstrip("?").strip())


def finished(question: str) -> str:
    """One line that begins with a capital and ends with a question mark."""
    text = " ".join(question.split()).rstrip(" ?.!,;")
    return f"{text[:1].upper()}{text[1:]}?"
