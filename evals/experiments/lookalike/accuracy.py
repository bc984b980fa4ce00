"""Accuracy 0, 0.5 or 1 of an answer (HiQA B.2), by the kind of its question.

- A choice: 1 for exactly the right letters (or their texts), 0.5 for some of several right ones and no wrong one.
- A judgement: 1 for the right truth ("yes" is true).
- A blank: as a value or a text; of several blanks 1 for all, 0.5 for some.
- A number: 1 within 1 % with its unit (SI prefixes are converted; a question that names the unit needs none), 0.5
  where the unit lacks or is another, or within 5 %.
- A name, a marking: 1 where it is named, and nothing of its like besides.
- A description or summary: 1 where all its values are named and the word F1 with the gold text is 0.5 or more; 0.5
  where half of its values are and F1 is 0.25 or more. Prose is nearly the same in all documents, so words alone prove
  nothing.
- A figure: 1 for its caption, of the right document.

An empty answer scores 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ...generators.lookalike.questions import LookalikeQuestion
from ...metrics.basic import f1, normalise

__all__ = ["accuracy"]

_EXACT, _NEAR = 0.01, 0.05
_LETTER = re.compile(r"(?<![\w-])([A-H])(?=\s*(?:[:.),;]|$|and\b|or\b))")
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_CODE = re.compile(r"(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+")
_TRUTH = re.compile(r"\b(true|false|yes|no)\b", re.IGNORECASE)
_PREFIXES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3}
_WHOLE = frozenset({"mm2", "mm", "k"})
"""Units that are compared as they stand: their first letter is no prefix here."""


def accuracy(question: LookalikeQuestion, answer: str, document: str = "") -> float:
    """Score an answer; ``document`` is the one that the answer's first citation is of (figures only)."""
    if not answer.strip() or not question.answers:
        return 0.0
    if question.figure:
        right = normalise(question.figure) in normalise(answer) or normalise(answer) in normalise(question.figure)
        return float(right and document == question.supporting[0])
    if question.options:
        return _choice(question, answer)
    if question.type == "judgement":
        return _judgement(question, answer)
    if question.blanks:
        return _blanks(question.blanks, answer)
    if question.keys:
        return _text(question, answer)
    return _value(question, answer)


def _choice(question: LookalikeQuestion, answer: str) -> float:
    right = set(question.answers[0].split(", "))
    said = set(_LETTER.findall(answer)) & set(question.options)
    if not said:
        plain = f" {normalise(answer)} "
        said = {letter for letter, text in question.options.items() if f" {normalise(text)} " in plain}
    if said == right:
        return 1.0
    return 0.5 if said and said < right else 0.0


def _judgement(question: LookalikeQuestion, answer: str) -> float:
    found = _TRUTH.search(answer)
    said = found is not None and found[0].lower() in ("true", "yes")
    return float(found is not None and said == (question.answers[0] == "True"))


def _blanks(blanks: Sequence[Sequence[str]], answer: str) -> float:
    parts = [part for part in re.split(r"[,;]\s|\s+and\s+|\n", answer) if part.strip()]
    right = sum(
        any(_same(part, accepted) for accepted in blank) for part, blank in zip(parts, blanks, strict=False)
    )
    return 1.0 if right == len(blanks) == len(parts) else 0.5 if right else 0.0


def _same(said: str, accepted: str) -> bool:
    number, unit = _numeric(accepted)
    if number is None or re.search(r"[A-Za-z]{4,}", accepted):
        return normalise(said) == normalise(accepted)
    other, other_unit = _numeric(said)
    return other is not None and _off(other, number) <= _EXACT and other_unit in (unit, "")


def _text(question: LookalikeQuestion, answer: str) -> float:
    plain = _plain(answer)
    named = sum(re.search(rf"(?<![\w.]){re.escape(_plain(key))}(?!\w)", plain) is not None for key in question.keys)
    alike = max(f1(answer, gold) for gold in question.answers)
    if named == len(question.keys) and alike >= 0.5:
        return 1.0
    return 0.5 if 2 * named >= len(question.keys) and named and alike >= 0.25 else 0.0


def _value(question: LookalikeQuestion, answer: str) -> float:
    gold = question.answers[0]
    if _CODE.fullmatch(gold):  # a part number or a marking
        said = {code.strip("-") for code in _CODE.findall(answer)}
        return float(said == {gold})
    number, _ = _numeric(gold)
    if number is None:
        return float(any(normalise(answer) == normalise(accepted) for accepted in question.answers))
    said_number, said_unit = _numeric(answer)
    if said_number is None:
        return 0.0
    unit = _plain(question.unit)
    told = not unit or f" {unit}" in _plain(question.question)
    scale, fits = _scale(said_unit, unit)
    off = _off(said_number * scale, number)
    if off <= _EXACT and ((fits and said_unit) or (not said_unit and told)):
        return 1.0
    return 0.5 if min(off, _off(said_number, number)) <= (_NEAR if fits or not said_unit else _EXACT) else 0.0


def _numeric(text: str) -> tuple[float | None, str]:
    """The first number of a text and the unit behind it."""
    plain = _plain(text)
    found = _NUMBER.search(plain)
    if found is None:
        return None, ""
    unit = re.match(r"\s?([a-zA-Z°%/]+2?)", plain[found.end() :])
    return float(found[0].replace(",", "")), unit[1] if unit else ""


def _scale(said: str, wanted: str) -> tuple[float, bool]:
    """What a number in the unit said is to be multiplied with to be in the one wanted, and whether that can be."""
    if said == wanted or not said:
        return 1.0, True
    if not wanted or wanted in _WHOLE:
        return 1.0, not wanted
    for one, factor in _PREFIXES.items():
        for two, other in _PREFIXES.items():
            base = said.removeprefix(one)
            if said.startswith(one) and wanted.startswith(two) and base and base == wanted.removeprefix(two):
                return factor / other, True
    return 1.0, False


def _off(said: float, gold: float) -> float:
    return abs(said - gold) / abs(gold) if gold else abs(said)


def _plain(text: str) -> str:
    """One way of writing for each unit."""
    folded = unicodedata.normalize("NFKC", text).replace("μ", "u").replace("Ω", "Ohm").replace("−", "-")
    return re.sub(r"(?<=\d)\s+(?=[^\s\d])", " ", folded)
