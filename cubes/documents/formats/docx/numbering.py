"""The numbers that Word computes: "2.1" before a heading, "a)" before a list item (numbering.xml)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from docx.oxml.ns import qn

__all__ = ["Numbering"]

_PLACE = re.compile(r"%(\d)")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
          (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MOST = 100_000


@dataclass(slots=True)
class _Level:
    """One level of a list: where it starts, how it is written, and the style that is numbered with it."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""
    legal: bool = False


@dataclass(slots=True)
class Numbering:
    """The lists of a document and how far each has counted; asked paragraph by paragraph, in their order."""

    _abstract: dict[str, dict[int, _Level]] = field(default_factory=dict)
    _lists: dict[str, tuple[str, dict[int, int]]] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, root: Any | None) -> Numbering:
        """Read the definitions of a numbering part; None is a document without lists."""
        numbering = cls()
        for abstract in root.iterfind(qn("w:abstractNum")) if root is not None else ():
            levels = {int(level.get(qn("w:ilvl"), 0)): _level(level) for level in abstract.iterfind(qn("w:lvl"))}
            numbering._abstract[abstract.get(qn("w:abstractNumId"), "")] = levels
        for given in root.iterfind(qn("w:num")) if root is not None else ():
            starts = dict(_starts(given))
            numbering._lists[given.get(qn("w:numId"), "")] = (_value(given, "w:abstractNumId"), starts)
        return numbering

    def level_of_style(self, list_id: str, style: str) -> int:
        """Return which level of a list numbers the paragraphs of a style; 0 where none says so."""
        abstract, _ = self._lists.get(list_id, ("", {}))
        levels = self._abstract.get(abstract, {})
        return next((number for number, level in levels.items() if style and level.style == style), 0)

    def next(self, list_id: str, level: int) -> tuple[str, bool] | None:
        """Count a paragraph and return its number as written, and whether it is one: a bullet is ("", False).

        None where there is no such list.
        """
        abstract, starts = self._lists.get(list_id, ("", {}))
        levels = self._abstract.get(abstract, {})
        form = levels.get(level)
        if form is None:
            return None
        counts = self._counts.setdefault(abstract, {})
        if list_id not in self._begun:  # a list of its own that shares the look of another may start anew
            self._begun.add(list_id)
            for number in starts:
                counts.pop(number, None)
        counts[level] = counts[level] + 1 if level in counts else starts.get(level, form.start)
        for deeper in [number for number in counts if number > level]:
            del counts[deeper]
        if form.form in ("bullet", "none") or not _PLACE.search(form.text):
            return "", False
        return self._shown(form, levels, counts, starts), True

    def _shown(
        self, form: _Level, levels: dict[int, _Level], counts: dict[int, int], starts: dict[int, int]
    ) -> str:
        def place(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            level = levels.get(at, _Level())
            value = counts.setdefault(at, starts.get(at, level.start))
            return _number(value, "decimal" if form.legal else level.form)

        return _PLACE.sub(place, form.text).strip()


def _level(element: Any) -> _Level:
    return _Level(
        start=_integer(_value(element, "w:start"), 1),
        form=_value(element, "w:numFmt") or "decimal",
        text=_value(element, "w:lvlText"),
        style=_value(element, "w:pStyle"),
        legal=element.find(qn("w:isLgl")) is not None,
    )


def _starts(given: Any) -> Iterator[tuple[int, int]]:
    for override in given.iterfind(qn("w:lvlOverride")):
        start = _value(override, "w:startOverride")
        if start:
            yield _integer(override.get(qn("w:ilvl"), "0"), 0), _integer(start, 1)


def _value(element: Any, name: str) -> str:
    found = element.find(qn(name))
    return "" if found is None else str(found.get(qn("w:val"), ""))


def _integer(text: str, default: int) -> int:
    return int(text) if text.isdigit() and len(text) < 7 else default


def _number(value: int, form: str) -> str:
    if form in ("lowerRoman", "upperRoman") and 0 < value < _MOST // 20:
        roman = _roman(value)
        return roman if form == "lowerRoman" else roman.upper()
    if form in ("lowerLetter", "upperLetter") and value > 0:
        letter = chr(ord("a") + (value - 1) % 26) * min((value - 1) // 26 + 1, 10)
        return letter if form == "lowerLetter" else letter.upper()
    return f"{value:02}" if form == "decimalZero" else str(value)


def _roman(value: int) -> str:
    written = ""
    for worth, letters in _ROMAN:
        times, value = divmod(value, worth)
        written += letters * times
    return written
