"""Which reading goes into which cell of an answer table: the surest first, and none of them twice.

A sentence mostly says one thing of one instance. What the reader points at for several cells is the value of the one it
is surest of; the others take their next best reading, or stay empty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .....cubes.core.folding import base_key, fold
from .....cubes.core.lexical import STOP_WORDS
from .....cubes.retrieval.wording import stems
from .....graphs.expansion.statements import AnswerCell
from ..vocabulary.wordlists import OPENING

__all__ = ["CellCandidate", "filled", "overlap", "whole"]

_DIGIT = re.compile(r"\d")
_NEXT_SMALL = re.compile(r" ([a-z][a-z-]+)\b")
_MEASURE = re.compile(r"(\d\S* [^\W\d]\S*) (?:long|wide|broad|high|tall|deep|thick|old|across|in [a-z]+)$")
_BESIDE = re.compile(r", (?:an?|the) (?=(?:(?!,| and | or ).)*$)|, (?:which|who) ")
_ANY = re.compile(r"(?:any|some) ")
_SMALL = re.compile(r"(?:the )?[a-z][a-z-]*")
_OF_BEFORE = re.compile(r"(?<![\w'’-])([A-Za-z]{1,40}) of (the )?$")
_OF_BEHIND = re.compile(r" of the [a-z][a-z-]+\b(?: (?P<next>[a-z-]+))?")
_NO_PART = frozenset({
    "because", "out", "one", "most", "some", "many", "all", "none", "each", "both", "made", "consist", "consists",
    "die", "dies", "think", "front", "ahead", "capable", "full", "part", "kind", "instead",
})  # fmt: skip
"""Words before "of" that are no thing which has what follows."""
_CAPITAL_BEFORE = re.compile(r"(?:^|(?<=[\s(]))([^\W\d_a-z][\w'’-]+) $")


@dataclass(frozen=True, slots=True)
class CellCandidate:
    """A value that a cell may have, with its characters' place in the section that the cell cites."""

    cell: AnswerCell
    start: int
    end: int


def filled(
    names: Sequence[str], readings: Sequence[Sequence[Sequence[CellCandidate]]], texts: Mapping[str, str]
) -> list[list[AnswerCell]]:
    """Return the cells of each row: ``readings`` are those of each row and column, ``texts`` the sections by id.

    A value stands once in a row. The words of a section are the value of one row's cell, unless their sentence names
    the other row's instance too. Where most values of a column are numbers, or none are, so are all.
    """
    wanted = sorted(
        ((-one.cell.confidence, row, column, n) for row, columns in enumerate(readings)
         for column, found in enumerate(columns) for n, one in enumerate(found))
    )  # fmt: skip
    taken: dict[tuple[int, int], CellCandidate] = {}
    for _, row, column, n in wanted:
        one = readings[row][column][n]
        if (row, column) not in taken and not any(
            _excludes(other, at == row, one, names[row], texts) for (at, _), other in taken.items()
        ):
            taken[row, column] = one
    width = max((len(columns) for columns in readings), default=0)
    odd = {place for column in range(width) for place in _odd(column, taken)}
    return [
        [taken[row, c].cell if (row, c) in taken and (row, c) not in odd else AnswerCell() for c in range(len(columns))]
        for row, columns in enumerate(readings)
    ]


def _excludes(held: CellCandidate, same_row: bool, one: CellCandidate, name: str, texts: Mapping[str, str]) -> bool:
    """Whether a cell that is filled leaves no room for a reading."""
    if same_row:
        return overlap(held.cell.value, one.cell.value)
    if held.cell.section_id != one.cell.section_id or held.start >= one.end or one.start >= held.end:
        return False
    sentence = texts.get(one.cell.section_id, "")[one.cell.start : one.cell.end]
    return f" {base_key(name)} " not in f" {fold(sentence)} "


def _odd(column: int, taken: Mapping[tuple[int, int], CellCandidate]) -> list[tuple[int, int]]:
    """The places in a column whose values are the few with a number, or the few without one."""
    places = [place for place in taken if place[1] == column]
    numbers = [place for place in places if _DIGIT.search(taken[place].cell.value)]
    others = [place for place in places if place not in numbers]
    return min(numbers, others, key=len) if len(numbers) != len(others) else []


def overlap(value: str, other: str) -> bool:
    """Whether one text holds the other as whole words.

    >>> overlap("Dornal palsy", "the Dornal"), overlap("palsy", "Dorn")
    (True, False)
    """
    one, two = f" {base_key(value)} ", f" {base_key(other)} "
    return bool(one.strip() and two.strip()) and (one in two or two in one)


def whole(column: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Return the place of a value as it is written: of the whole name that it is part of, and of that alone.

    A name goes on with the noun that a column asks for ("Dornal" of "Dornal disease"), and a noun is the rest of the
    name before it ("palsy" of "Dornal palsy"). A measure is one without what is measured ("40 km" of "40 km long").
    Words that are no name stay with what they are of ("the jaw" of "cramps of the jaw"); what is said of the value
    beside it is left out ("Dornal disease" of "Dornal disease, a disease of the skin").
    """
    start, end = _without(text, start, end)
    value = text[start:end]
    measure = _MEASURE.match(value)
    if measure is not None:
        return start, start + measure.end(1)
    behind = _NEXT_SMALL.match(text, end)
    if value[:1].isupper() and behind is not None and set(stems(behind[1])) & set(stems(column)):
        return start, behind.end()
    before = _CAPITAL_BEFORE.search(text, 0, start)
    if value.islower() and " " not in value and before is not None and fold(before[1]) not in OPENING:
        return before.start(1), end
    return _of_what(column, text, start, end) if _SMALL.fullmatch(value) else (start, end)


def _without(text: str, start: int, end: int) -> tuple[int, int]:
    """The place of a value without what is said of it beside it, and without "any"."""
    beside, loose = _BESIDE.search(text[start:end]), _ANY.match(text, start, end)
    return loose.end() if loose is not None else start, start + beside.start() if beside is not None else end


def _of_what(column: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The place of a small word with those that it is of, unless these are what the column asks for."""
    behind, before = _OF_BEHIND.match(text, end), _OF_BEFORE.search(text, 0, start)
    if before is not None and (before[2] or text.startswith("the ", start)):
        word = fold(before[1])
        if word not in _NO_PART and not word.endswith("ed") and not set(stems(word)) & set(stems(column)):
            start = before.start(1)
    if behind is not None and (behind["next"] is None or behind["next"] in STOP_WORDS):
        end = behind.end() if behind["next"] is None else behind.start("next") - 1
    return start, end
