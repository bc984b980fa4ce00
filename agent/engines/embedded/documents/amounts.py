"""Amounts as data sheets and reports write them: SI prefixes, ranges, money, units in a column or a title of their own.

>>> amounts("2.7 V to 5.5 V")[1].value
5.5
>>> amounts("850 mA")[0].base
0.85
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from .....cubes.core.quantities import parse_quantity

__all__ = ["Amount", "amounts", "claimed_amounts", "compare", "equal", "is_numeric", "measure_of", "spell", "unit_in"]

_PREFIXES = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_PREFIXED = frozenset({
    "V", "A", "W", "Hz", "Ω", "F", "H", "s", "m", "g", "J", "Pa", "K", "N", "l", "B", "bit", "mol", "cd", "eV", "S",
})  # fmt: skip
_WHOLE = frozenset({"%", "°", "°C", "°F", "dB", "dBm", "dBi", "ppm", "rpm", "lx", "lm"})
_SPELLED = {
    "μ": "µ", "\u2126": "Ω", "º": "°", "℃": "°C", "percent": "%", "ohms": "Ω", "ohm": "Ω", "Ohm": "Ω", "bps": "bit/s",
    "volts": "V", "volt": "V", "amperes": "A", "ampere": "A", "watts": "W", "watt": "W", "kelvin": "K", "lux": "lx",
}  # fmt: skip
"""Other spellings of units; other words for units are those of `cubes.core.quantities`."""
_SCALE = r"(?:thousand|million|billion|trillion)s?\b(?: (?:of )?(?:[A-Z]{3}|euro|dollar|pound)s?\b)?"
_AMOUNT = re.compile(
    r"(?P<money>(?:US\$|[$€£¥₹]|(?:USD|EUR|GBP|JPY)\b) ?)?"
    r"(?<![\w.,])(?<![A-Za-z]-)(?P<sign>[-−–+±](?=[\d.]))?"
    r"(?P<digits>\d{1,3}(?:[,\u202f\u00a0]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    rf"(?:[ \u00a0-]?(?P<unit>{_SCALE}|[°º]\s?[CF](?:/\w+)?|%|℃|°|[A-Za-zµμΩ\u2126]+[²³]?(?:/[A-Za-z]+)?))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMING = re.compile(r"(?:\w[/-]|(?<=\s)[A-Z][\w.-]* |^[A-Z]+[a-z]*[A-Z][\w-]* )\Z")
_DASHED = re.compile(r"(?<=[\d%A-Za-zΩ°])\s*(?:\.{2,3}|…|–|—|~|(?<=\d)-(?=\d))\s*(?=[-−+.\d])")
_JOINS = frozenset({"", "to", "and", "or", "/", "±", ",", "through"})
_LABELLED = re.compile(r"[(\[](?:in )?(?P<bracketed>[^()\[\]]{1,40})[)\]]|\bin (?P<told>[a-z]+ (?:of )?\w+|%|percent)")
_DIGITS = 4  # decimals beyond which a result is rounded to two


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as written with its unit: ``base`` is its value in ``measure``, the base unit ("" for a count)."""

    value: float
    unit: str
    measure: str
    base: float
    start: int = 0
    end: int = 0

    @property
    def factor(self) -> float:
        """What one of the written unit comes to in the base unit."""
        return self.base / self.value if self.value else 1.0


@lru_cache(maxsize=20_000)
def amounts(text: str, unit: str = "") -> tuple[Amount, ...]:
    """Return the amounts of a text in order; ``unit`` is of those without one (a table's unit column).

    In a range the unit behind its end holds for its beginning as well ("9 to 15 V").
    """
    spaced = _DASHED.sub(lambda found: " " * len(found[0]), text)
    found: list[Amount] = []
    for match in reversed(list(_AMOUNT.finditer(spaced))):
        ranged = found and found[-1].unit and spaced[match.end("digits") : found[-1].start].strip().lower() in _JOINS
        found.append(_read(match, found[-1].unit if ranged else unit))
    return tuple(reversed(found))


def claimed_amounts(text: str) -> list[Amount]:
    """Return a text's amounts without its years, which say when and not how much, and without numbers that are names.

    >>> [amount.value for amount in claimed_amounts("For Python 3 and HTTP/2 it has 5 pages since 2020")]
    [5.0]
    """
    return [
        a for a in amounts(text)
        if a.unit or not (_YEAR.fullmatch(text[a.start : a.end]) or _NAMING.search(text[: a.start]))
    ]  # fmt: skip


def compare(one: Amount, other: Amount, tolerance: float = 5e-3) -> int | None:
    """Return -1, 0 or 1 as one amount is less than, the same as or more than another, whatever units they are in.

    None where they measure different things; one without a unit meets any.
    """
    measured = bool(one.measure and other.measure)
    if measured and one.measure != other.measure:
        return None
    left, right = (one.base, other.base) if measured else (one.value, other.value)
    return 0 if abs(left - right) <= tolerance * max(abs(left), abs(right)) else 1 if left > right else -1


def equal(one: Amount, other: Amount, tolerance: float = 5e-3) -> bool:
    """Whether two amounts are the same."""
    return compare(one, other, tolerance) == 0


def is_numeric(cell: str) -> bool:
    """Whether a cell holds a number and hardly anything else: "12", "±5 %", "9 to 15 V"."""
    found, left = amounts(cell), cell
    for amount in reversed(found):
        left = left[: amount.start] + left[amount.end :]
    return bool(found) and not set(re.findall(r"[^\W\d_]{3,}", left.lower())) - _JOINS


def unit_in(label: str) -> str:
    """Return the unit that a label gives in brackets or after "in": "Weight (kg)", "(in millions of euros)"."""
    told = ((found["bracketed"] or found["told"]).strip() for found in _LABELLED.finditer(label))
    return next((re.sub(r"(?<=ion)s (?:of )?", " ", unit) for unit in told if _resolve(unit)), "")


def measure_of(unit: str) -> str:
    """Return the base unit that a unit measures in, "" for a word that is none: "weeks": s."""
    resolved = _resolve(unit)
    return resolved[0] if resolved is not None else ""


def spell(value: float, like: Amount | None = None) -> str:
    """Write a result in the unit of one of the amounts it comes from, without digits that mean nothing."""
    scaled = value / like.factor if like is not None and like.measure else value
    exact = round(scaled, 6)
    rounded = exact if len(f"{exact:.10g}".partition(".")[2]) <= _DIGITS else round(scaled, 2)
    text = f"{rounded if abs(scaled) >= 1 or rounded == exact else float(f'{scaled:.3g}'):.10g}"
    if like is None or not like.unit:
        return text
    return f"{text}{'' if like.unit in ('%', '°') else ' '}{like.unit}"


def _read(match: re.Match[str], default: str) -> Amount:
    number = float(re.sub(r"[,\u202f\u00a0]", "", match["digits"])) * (-1 if match["sign"] in ("-", "−", "–") else 1)
    money, written = (match["money"] or "").strip(), match["unit"] or ""
    known = _resolve(written, money) is not None
    unit = written if known else default
    measure, factor = _resolve(unit, money) or ("", 1.0)
    end = match.end("unit" if known and written else "digits")
    return Amount(number, f"{unit} {money}".strip(), measure, number * factor, match.start(), end)


@lru_cache(maxsize=5_000)
def _resolve(unit: str, money: str = "") -> tuple[str, float] | None:
    """A unit's base unit and factor; None for a word that is no unit."""
    bare = unit.replace(" ", "")
    for other, said in _SPELLED.items():
        bare = bare.replace(other, said) if not other.isalpha() or bare.endswith(other) else bare
    if bare in _WHOLE or bare in _PREFIXED:
        return bare, 1.0
    if bare[:1] in _PREFIXES and bare[1:] in _PREFIXED and not money:
        return bare[1:], _PREFIXES[bare[0]]
    if bare[-1:] == "²" and (side := _resolve(bare[:-1])) is not None:
        return f"{side[0]}²", side[1] ** 2
    above, slash, below = bare.partition("/")
    if slash and (over := _resolve(above)) is not None and (under := _resolve(below)) is not None:
        return f"{over[0]}/{under[0]}", over[1] / under[1]
    read = parse_quantity(f"{money}1 {unit}") if (unit or money) and unit not in ("in", "a") else None
    if read is None or not (read.unit or read.value != 1):
        return None
    return ("g", read.value * 1e3) if read.unit == "kg" else (read.unit, read.value)
