"""The separate things that one question asks for: "which drugs ..., and what are their side effects?" (MuISQA 4.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Intents", "intents_of"]

_ASKS = r"(?:which|what|who|list|name)\b"
_BE = r"(?:is|are|was|were)"
_OWN = r"(?:their|its|his|her|whose)"
_FOLLOWED = re.compile(
    rf"(?P<head>{_ASKS}.+?),?\s+and\s+(?:what|which|who)\s+{_BE}\s+{_OWN}\s+(?P<rest>.+)", re.IGNORECASE
)
_BESIDE = re.compile(
    rf"(?P<head>(?:what|which)\s+{_BE}\s+(?:(?!(?:of|for|by|in|on|at|to|from|with|around|and)\b)\S+\s+){{0,4}}?\S+?),?"
    r"\s+and\s+their\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_EACH = re.compile(
    rf"(?P<head>{_ASKS}.+?),?\s+and\s+(?:what|which)\s+{_BE}\s+the\s+(?P<rest>.+?)\s+of\s+(?:each|them)\b.*",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(?:What|Which)\s+{_BE}\s+the\s+(?P<rest>[^A-Z]+?)\s+(?:of|for)\s+(?P<subject>.+)")
_POSSESSED = re.compile(rf"(?:What|Which)\s+{_BE}\s+(?P<subject>[A-Z].*?)(?:'s|’s|s'|s’)\s+(?P<rest>[^A-Z]+)")
_PARTS = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_ARTICLE = re.compile(r"^(?:(?:the|an?|their|its|his|her|what|which|is|are|was|were)\s+)+", re.IGNORECASE)
_INSTANCE = re.compile(rf"{_ASKS}\s+(?:{_BE}\s+)?(?:the\s+)?(?P<noun>(?:[a-z-]+\s+)*?[a-z-]*(?:[^s]s|people|men))\b")
_LONGEST = 6  # words of a column: more are a clause and not the name of a thing asked for


@dataclass(frozen=True, slots=True)
class Intents:
    """What a question asks for: one answer instance a row, one of ``columns`` each.

    The first column is the instance itself, found by ``head``, a question of its own; where ``subject`` is given the
    question names its one instance, and every column is asked of it.
    """

    head: str
    columns: tuple[str, ...]
    subject: str = ""

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns that are asked of an instance."""
        return self.columns[1:]

    def question(self, column: str, instance: str) -> str:
        """Return the one-hop question for a cell."""
        verb = "are" if column.endswith("s") and not column.endswith(("ss", "us", "is")) else "is"
        return f"What {verb} the {column} of {instance}?"


def intents_of(question: str) -> Intents | None:
    """Return the intents of a question that has several; None for a single one, or where the words do not tell."""
    text = " ".join(question.split()).rstrip(" ?.!")
    found = _EACH.fullmatch(text) or _FOLLOWED.fullmatch(text) or _BESIDE.fullmatch(text)
    if found is not None:
        columns = _columns(found["rest"])
        head = f"{found['head'].rstrip(' ,')}?"
        return Intents(head, (_instance(head), *columns)) if columns else None
    found = _POSSESSED.fullmatch(text) or _OF_ONE.fullmatch(text)
    if found is None or not found["subject"][:1].isascii():
        return None
    columns, subject = _columns(found["rest"]), _ARTICLE.sub("", found["subject"].strip())
    named = any(c.isupper() or c.isdigit() for c in subject)
    if len(columns) < 2 or not named:
        return None
    return Intents(f"What is {subject}?", (subject, *columns), subject)


def _columns(rest: str) -> tuple[str, ...]:
    parts = (_ARTICLE.sub("", part.strip()) for part in _PARTS.split(rest))
    columns = tuple(dict.fromkeys(part for part in parts if part))
    return columns if all(len(column.split()) <= _LONGEST for column in columns) else ()


def _instance(head: str) -> str:
    """The name of the first column: the noun asked for, else all that is asked."""
    found = _INSTANCE.match(head[:1].lower() + head[1:])
    if found is not None:
        return found["noun"]
    return "person" if head[:4].lower() == "who " else _ARTICLE.sub("", head.rstrip("?"))
