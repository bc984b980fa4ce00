"""The phrases that a question measures: "maximum supply voltage"; two where it sets one beside the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from .....cubes.retrieval.wording import asked_words
from .amounts import measure_of
from .wording import lexicon, stem_of

__all__ = ["Operation", "formula_of", "measure_of_text", "operands", "operation_of"]

Operation = Literal["difference", "sum", "ratio", "percent", "average", "product"]

_TOKEN = re.compile(r"[^\s,;:?!()\"“”]+|[,;:?!()]")
_SMALL = frozenset(
    {"of", "and", "in", "at", "for", "the", "per", "to", "a", "an", "on", "with", "by", "during", "under"}
)
_SPLIT = re.compile(
    r"\s+(?:and|plus|minus|versus|vs\.?|divided by|multiplied by|times|to|from|than|over)\s+", re.IGNORECASE
)
_WORKED = frozenset({
    "difference", "sum", "ratio", "average", "mean", "product", "percentage", "percent", "per", "cent", "times", "time",
    "much", "many", "between", "compared", "comparison", "compare", "versus", "than", "together", "combined", "more",
    "less", "higher", "lower", "larger", "smaller", "greater", "fewer", "increase", "decrease", "increased",
    "decreased", "grow", "grew", "growth", "change", "changed", "rise", "rose", "fall", "fell", "exceed", "exceeds",
    "which", "what", "how", "two", "three", "four", "both", "one", "does", "did", "that", "those", "them", "describe",
    "explain", "summarize", "summarise", "respectively", "calculate", "compute", "same", "longer", "heavier", "add",
    "divided", "multiplied", "lie", "lies", "take", "differ", "whole", "either",
    "each", "following", "correct", "while", "whereas",
})  # fmt: skip
_SYMBOL = 4  # letters of the longest unit symbol
_YEAR = re.compile(r"(?:19|20)\d\d|Q[1-4]|FY\d+", re.IGNORECASE)
_LIMITS = frozenset({"maximum", "minimum", "typical", "max", "min", "typ", "average", "nominal", "lowest", "highest"})
_PREPOSITIONS = frozenset({"at", "in", "for", "on", "during", "under", "with"})

_NAMED: dict[str, Operation] = {
    "difference": "difference", "minus": "difference", "less": "difference", "sum": "sum", "plus": "sum", "add": "sum",
    "product": "product", "times": "product", "multiplied by": "product", "multiply": "product",
    "divided by": "ratio", "over": "ratio", "average": "average",
}  # fmt: skip
_THEN = r"(?: (?P<then>times|multiplied by|divided by|plus|minus) (?:the )?(?P<c>[^.?!()]+))?"
_FORMULAS = (
    r"\b(?P<op>difference|sum|product|average) (?:of|between) (?P<a>[^.?!()]+?) and (?P<b>[^.?!()]+?)"
    rf"{_THEN}(?=[.?!)]|$)",
    rf"\((?P<a>[^()]+?) (?P<op>plus|minus|times|multiplied by|divided by|over) (?P<b>[^()]+?){_THEN}\)",
    r"\b(?P<op>add|multiply) (?P<a>[^.?!()]+?) (?:and|by|to) (?P<b>[^.?!()]+?)(?=[.?!]|$)",
)
_SCENE = re.compile(r"\bin (?:its|the|a) (?P<where>[a-z]+ (?:application|example|case|configuration|mode|design))\b")
_MORE = r"(?:more|less|fewer|higher|lower|longer|shorter|heavier|lighter|larger|greater|smaller|wider)"
_GROWN = r"(?:grow|increase|decrease|fall|rise|change)"
_OPERATIONS: tuple[tuple[Operation, tuple[str, ...]], ...] = (
    ("percent", (r"\b(?:what|how many|which) per ?cent(?:age)?\b", r"\bin per ?cent\b", r"\b____ ?(?:%|per ?cent)",
                 r"\bpercentage (?:increase|decrease|change|growth|difference)\b")),
    ("ratio", (r"\bhow many times\b", r"\bratio\b", r"\b____ times\b", r"\bdivided by\b",
               r"\btimes (?:that of|as|higher|larger)\b")),
    ("difference", (r"\bdifference\b", r"\bby how (?:much|many)\b", r"\blies? between\b",
                    rf"\bhow (?:much|many) (?:\w+ )?{_MORE}\b",
                    r"\bexceeds? .{0,60}\bby\b", rf"\bhow (?:much|many) \w*\s?(?:did|has|have) .{{0,60}}\b{_GROWN}",
                    rf"____ (?:\S+ )?{_MORE}\b")),
    ("average", (r"\b(?:average|mean) of\b", r"\bon average\b", r"\baverage\b.{0,60}\b(?:and|across|over)\b")),
    ("product", (r"\bproduct of\b", r"\bmultipl(?:y|ied)\b")),
    ("sum", (r"\bsum\b", r"\bcombined\b", r"\btogether\b", r"\bin total\b", r"\btotal (?:of|for)\b",
             r"\badd(?:ed)? up\b", r"\btotal .{1,80}\b(?:and|plus)\b")),
)  # fmt: skip


def operation_of(text: str) -> Operation | None:
    """Return the calculation that a question asks for, None where it asks for none."""
    for name, patterns in _OPERATIONS:
        if any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns):
            return name
    return None


def formula_of(text: str) -> tuple[tuple[Operation, ...], tuple[str, ...]] | None:
    """Return the operations and operands of a formula that a question spells out, None where it spells out none.

    "Take the difference of A and B times C", "(A plus B)", "Add A and B".
    """
    scene = _SCENE.search(text)
    where = f" in {measure_of_text(scene['where'])}" if scene is not None else ""
    for found in filter(None, (re.search(pattern, text, re.IGNORECASE) for pattern in _FORMULAS)):
        said = found.groupdict()
        steps = tuple(_NAMED[word.lower()] for word in (said["op"], said.get("then")) if word)
        third = (measure_of_text(said["c"]),) if said.get("c") else ()
        parts = (*operands(f"{said['a']} and {said['b']}"), *third)
        if len(parts) == len(steps) + 1 and all(parts):
            return steps, tuple(f"{part}{where}" for part in parts)
    return None


def measure_of_text(text: str, drop: Collection[str] = ()) -> str:
    """Return the words of a text that name what is measured, with the small words between them.

    ``drop`` are stems of nouns that name the things measured, not the measure.
    """
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(text.replace("____", " ; ")):
        bare = re.sub(r"['’]s?$", "", token).rstrip(".")
        if _tells(bare, drop):
            runs[-1].append(bare)
        elif bare.lower() in _SMALL:
            runs[-1].append(bare.lower())
        else:
            runs.append([])
    kept = [run for run in map(_trimmed, runs) if run]
    return " ".join(" ".join(run) for run in kept)


def operands(text: str) -> tuple[str, ...]:
    """Return the phrases that a calculation is over: "maximum and minimum supply voltage" are two.

    What the shorter one leaves out is taken from the other; one phrase alone is returned where there is no second.
    """
    parts = [measure_of_text(part) for part in _SPLIT.split(text)]
    parts = [part for part in parts if part]
    if len(parts) < 2:
        return tuple(parts)
    spread = [part for part in parts if all(_is_year(word) or _is_limit(word) for word in part.split())]
    heads = [part for part in parts if part not in spread]
    if len(spread) > 1 and heads:  # "revenue ... from 2022 to 2023"
        return tuple(f"{heads[0]} {part}" if _is_year(part) else f"{part} {heads[0]}" for part in spread)
    whole = max(parts, key=lambda part: len(part.split()))
    return _dated(list(dict.fromkeys(_completed(p, whole, at < parts.index(whole)) for at, p in enumerate(parts))))


def _dated(parts: Sequence[str]) -> tuple[str, ...]:
    """Give a year that only one phrase names to all of them."""
    years = [[word for word in part.split() if _is_year(word)] for part in parts]
    named = {year for found in years for year in found}
    if len(named) != 1:
        return tuple(parts)
    return tuple(part if found else f"{part} {next(iter(named))}" for part, found in zip(parts, years, strict=True))


def _completed(part: str, whole: str, before: bool) -> str:
    """Add what a phrase leaves to the longer one: "maximum" (and "minimum supply voltage"), "(revenue in) 2023"."""
    if part == whole:
        return part
    own, full = part.split(), whole.split()
    for like in (_is_year, _is_limit, _is_name):
        mine = [word for word in own if like(word)]
        theirs = [n for n, word in enumerate(full) if like(word)]
        if mine and theirs and all(like(word) or word in _SMALL for word in own):
            return " ".join((*full[: theirs[0]], *mine, *full[theirs[-1] + 1 :]))
    if own[0] in _PREPOSITIONS and own[0] in full:
        return " ".join((*full[: full.index(own[0])], *own))
    if set(own) & set(full):
        return part
    return " ".join((*own, *full[len(own) :])) if before and len(full) > len(own) else part


def _tells(word: str, drop: Collection[str]) -> bool:
    lowered = word.lower()
    if lowered in _WORKED or lowered in _SMALL or not any(c.isalnum() for c in word):
        return False
    if measure_of(word) and (len(word) <= _SYMBOL or not word.isalpha()):
        return False  # "how many °C/W", "in mW"
    stem = stem_of(word)
    return bool(asked_words(word)) and stem not in drop and stem not in lexicon().idle


def _trimmed(run: Sequence[str]) -> list[str]:
    kept = list(run)
    while kept and kept[0] in _SMALL:
        kept.pop(0)
    while kept and kept[-1] in _SMALL:
        kept.pop()
    return kept


def _is_year(word: str) -> bool:
    return _YEAR.fullmatch(word) is not None


def _is_limit(word: str) -> bool:
    return word.lower() in _LIMITS


def _is_name(word: str) -> bool:
    return word[:1].isupper()
