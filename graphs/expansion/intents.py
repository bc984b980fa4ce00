"""The separate things that one question asks for: "which drugs ..., and what are their side effects?" (MuISQA 4.1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Intents", "intents_of", "is_measure"]

_ASKS = r"(?:which|what|who|list|name|give|find)\b"
_BE = r"(?:is|are|was|were)"
_OWN = r"(?:their|its|his|her|whose)"
_BACK = r"(?:each(?:\s+(?:one|of\s+(?:them|these|those)))?|them|they|it|these)"
_FOLLOWED = re.compile(
    rf"(?P<head>{_ASKS}.+?)(?:,?\s+and|,)\s+(?P<rest>(?:what|which|who|how|(?:in|on|at|to|from|by|with)\s+which)\s.+)",
    re.IGNORECASE,
)
_NEXT = re.compile(r"(?:,?\s+and|,)\s+(?=(?:what|which|who|how|(?:in|on|at|to|from|by|with)\s+which)\b)", re.IGNORECASE)
_OWNED = re.compile(rf"(?:what|which|who)\s+{_BE}\s+{_OWN}\s+(?P<rest>.+)", re.IGNORECASE)
_EACH = re.compile(rf"(?:what|which|who)\s+{_BE}\s+the\s+(?P<rest>.+?)\s+of\s+{_BACK}\b.*", re.IGNORECASE)
_MANNER = re.compile(rf"how\s+(?P<how>many\s+[a-z-]+|[a-z]+)\s+.*\b{_BACK}\b.*", re.IGNORECASE)
_WHICH = re.compile(
    rf"(?:(?:in|on|at|to|from|by|with)\s+)?(?:what|which)\s+(?P<noun>[a-z-]+(?:\s+[a-z-]+)??)\s+"
    rf"(?:{_BE}|do|does|did|has|have|had|can)\s.*\b{_BACK}\b.*",
    re.IGNORECASE,
)
_WITH = re.compile(
    rf"(?P<head>{_ASKS}.+?),?\s+(?:with|and|together\s+with|along\s+with)\s+(?:{_OWN}\s+(?P<own>.+)"
    rf"|(?P<rest>the\s+.+?)\s+(?:of|for)\s+{_BACK})",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    rf"(?P<head>(?:what|which)\s+{_BE}\s+(?:(?!(?:for|by|in|on|at|to|from|with|around|and)\b)\S+\s+){{0,7}}?\S+?),?"
    r"\s+and\s+their\s+(?P<rest>.+)",
    re.IGNORECASE,
)
_OF_ONE = re.compile(rf"(?:What|Which)\s+{_BE}\s+(?:the\s+)?(?P<rest>[^A-Z]+?)\s+(?:of|for)\s+(?P<subject>.+)")
_OF_SOME = re.compile(
    rf"what\s+{_BE}\s+the\s+(?P<rest>.+?)\s+(?:of|for)\s+(?P<head>(?:all\s+)?(?:the\s+)?"
    r"(?P<noun>(?:[a-z-]+\s+)??[a-z-]*(?:[^s]s|people|men))\s+(?:that|which|who|whose|[a-z]+ed|[a-z]+ing|in|from|for|on|by)"
    r"\s.+)",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"(?P<noun>(?:[a-z-]+\s+)??[a-z-]*(?:[^s]s|people|men))\s+(?:(?P<relative>that|which|who)\s+|(?=[a-z]+(?:ed|ing)\s))"
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_POSSESSED = re.compile(rf"(?:What|Which)\s+{_BE}\s+(?P<subject>[A-Z].*?)(?:'s|’s|s'|s’)\s+(?P<rest>[^A-Z]+)")
_PARTS = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_ARTICLE = re.compile(r"^(?:(?:the|an?|their|its|his|her|what|which|is|are|was|were)\s+)+", re.IGNORECASE)
_INSTANCE = re.compile(
    rf"{_ASKS}\s+(?:me\s+)?(?:{_BE}\s+)?(?:all\s+)?(?:the\s+)?(?P<noun>(?:[a-z-]+\s+)*?[a-z-]*(?:[^s]s|people|men))\b"
)
_BACK_WORD = re.compile(rf"\b{_BACK}\b", re.IGNORECASE)
_IMPERATIVE = re.compile(r"^(?:list|name|give|find)\s+", re.IGNORECASE)
_MEASURES = {
    "long": "length", "high": "height", "tall": "height", "old": "age", "wide": "width", "deep": "depth",
    "big": "size", "large": "size", "heavy": "weight", "fast": "speed", "much": "amount", "far": "distance",
}  # fmt: skip
"""What "how long", say, asks for."""
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
    worded: tuple[str, ...] = ()
    """A question for each asked column in the question's own words, "{}" for the instance; "" where it has none."""

    @property
    def asked(self) -> tuple[str, ...]:
        """The columns that are asked of an instance."""
        return self.columns[1:]

    def question(self, column: str, instance: str) -> str:
        """Return the one-hop question for a cell."""
        own = dict(zip(self.asked, self.worded, strict=False)).get(column)
        if own:
            return own.replace("{}", instance)
        verb = "are" if column.endswith("s") and not column.endswith(("ss", "us", "is")) else "is"
        return f"What {verb} the {column} of {instance}?"


def is_measure(column: str) -> bool:
    """Whether what is asked for is measured: "lengths"."""
    return column.removesuffix("s") in _MEASURES.values()


def intents_of(question: str) -> Intents | None:
    """Return the intents of a question that has several; None for a single one, or where the words do not tell."""
    text = " ".join(question.split()).rstrip(" ?.!")
    return _of_clauses(text) or _listed(text) or _of_some(text) or _of_one(text)


def _of_clauses(text: str) -> Intents | None:
    """A question, and further ones about each thing that answers it: "which ..., what are their ..., how long ..."."""
    found = _FOLLOWED.fullmatch(text)
    if found is None:
        return None
    asked = [each for clause in _NEXT.split(found["rest"]) for each in _clause(clause)]
    head = f"{found['head'].rstrip(' ,')}?"
    whole = asked and all(column for column, _ in asked)
    return _intents(head, _instance(head), asked) if whole else None


def _clause(clause: str) -> list[tuple[str, str]]:
    """The columns that a clause asks for, each with its question; one without a name where it is no such clause."""
    several = _EACH.fullmatch(clause) or _OWNED.fullmatch(clause)
    if several is not None:
        return [(column, "") for column in _columns(several["rest"])] or [("", "")]
    manner, which = _MANNER.fullmatch(clause), _WHICH.fullmatch(clause)
    worded = f"{_BACK_WORD.sub('{}', clause[:1].upper() + clause[1:], count=1)}?"
    if manner is not None:
        how = manner["how"].lower()
        name = f"number of {how.split()[1]}" if how.startswith("many ") else _MEASURES.get(how, "")
        return [(name, worded)]
    return [(which["noun"] if which is not None else "", worded)]


def _listed(text: str) -> Intents | None:
    """ "List the ..., with the A and B of each", "what are ... and their A"."""
    found = _WITH.fullmatch(text)
    beside = _BESIDE.fullmatch(text) if found is None or text[:4].lower() in ("what", "whic") else None
    if beside is not None:
        found, rest = beside, beside["rest"]
    elif found is not None and (found["rest"] or text[:1].lower() not in "w"):
        rest = found["own"] or found["rest"]
    else:
        return None
    head = f"{found['head'].rstrip(' ,')}?"
    told = _IMPERATIVE.sub("", head.rstrip("?"), count=1)
    asked = [(column, "") for column in _columns(rest)]
    return _intents(head if len(told) + 1 == len(head) else _which(told), _instance(head), asked)


def _of_some(text: str) -> Intents | None:
    """ "What are the A and B of the things that ...": of each of them."""
    found = _OF_SOME.fullmatch(text)
    columns = _columns(found["rest"]) if found is not None else ()
    if found is None or len(columns) < 2:
        return None
    return _intents(_which(found["head"]), found["noun"], [(column, "") for column in columns])


def _which(things: str) -> str:
    """The question that things answer: "the rivers that cross Orm" as "Which rivers cross Orm?"."""
    bare = re.sub(r"^(?:(?:me|all|the)\s+)+", "", things, flags=re.IGNORECASE)
    found = _THINGS.fullmatch(bare)
    if found is None:
        return f"What are the {bare}?"
    return f"Which {found['noun']} {'' if found['relative'] else 'are '}{found['rest']}?"


def _of_one(text: str) -> Intents | None:
    """ "What are the A and B of X", "what are X's A and B": the question names its one instance."""
    found = _POSSESSED.fullmatch(text) or _OF_ONE.fullmatch(text)
    if found is None or not found["subject"][:1].isascii():
        return None
    columns, subject = _columns(found["rest"]), _ARTICLE.sub("", found["subject"].strip())
    named = any(c.isupper() or c.isdigit() for c in subject)
    if len(columns) < 2 or not named:
        return None
    return Intents(f"What is {subject}?", (subject, *columns), subject)


def _intents(head: str, instance: str, asked: list[tuple[str, str]]) -> Intents | None:
    if not asked:
        return None
    columns = dict(asked)
    worded = tuple(columns.values()) if any(columns.values()) else ()
    return Intents(head, (instance, *columns), worded=worded)


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
