"""Amounts as data sheets and reports write them: SI prefixes, ranges, money, units in a column or a title of their own.

>>> amounts("2.7 V to 5.5 V")[1].value
5.5
>>> amounts("850 mA")[0].base
0.85
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

__all__ = ["Amount", "amounts", "claimed_amounts", "equal", "is_numeric", "measure_of", "spell", "unit_in"]

_PREFIXES = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "K": 1e3,
             "M": 1e6, "G": 1e9, "T": 1e12}  # fmt: skip
# Symbols that take prefixes: spelling -> (base unit, factor).
_PREFIXED = {
    "V": ("V", 1.0), "A": ("A", 1.0), "W": ("W", 1.0), "Hz": ("Hz", 1.0), "Ω": ("Ω", 1.0),
    "ohm": ("Ω", 1.0), "Ohm": ("Ω", 1.0), "ohms": ("Ω", 1.0),
    "F": ("F", 1.0), "H": ("H", 1.0), "s": ("s", 1.0), "m": ("m", 1.0),
    "g": ("g", 1.0), "J": ("J", 1.0), "Wh": ("J", 3600.0), "Ah": ("C", 3600.0), "Pa": ("Pa", 1.0), "bar": ("Pa", 1e5),
    "bps": ("bit/s", 1.0), "bit/s": ("bit/s", 1.0), "bits/s": ("bit/s", 1.0), "b/s": ("bit/s", 1.0),
    "bit": ("bit", 1.0), "B/s": ("B/s", 1.0), "B": ("B", 1.0), "l": ("l", 1.0), "L": ("l", 1.0), "mol": ("mol", 1.0),
    "N": ("N", 1.0), "m²": ("m²", 1.0),
    "SPS": ("S/s", 1.0), "Sps": ("S/s", 1.0), "m/s": ("m/s", 1.0), "cd": ("cd", 1.0),
    "VA": ("VA", 1.0), "eV": ("eV", 1.0), "K": ("K", 1.0),
}  # fmt: skip
_PLAIN = {
    "%": ("%", 1.0), "percent": ("%", 1.0), "°C": ("°C", 1.0), "ºC": ("°C", 1.0), "℃": ("°C", 1.0), "°F": ("°F", 1.0),
    "°": ("°", 1.0), "dB": ("dB", 1.0), "dBm": ("dBm", 1.0), "dBi": ("dBi", 1.0), "ppm": ("ppm", 1.0),
    "rpm": ("rpm", 1.0), "lux": ("lx", 1.0), "lx": ("lx", 1.0), "lm": ("lm", 1.0), "LSB": ("LSB", 1.0),
    "min": ("s", 60.0), "h": ("s", 3600.0), "in": ("m", 0.0254), "ft": ("m", 0.3048), "lb": ("g", 453.59237),
    "oz": ("g", 28.349523125), "t": ("g", 1e6), "km/h": ("m/s", 1 / 3.6), "mph": ("m/s", 0.44704),
}  # fmt: skip
_WORDS = {
    "volt": ("V", 1.0), "ampere": ("A", 1.0), "amp": ("A", 1.0), "milliampere": ("A", 1e-3), "watt": ("W", 1.0),
    "hertz": ("Hz", 1.0), "second": ("s", 1.0), "millisecond": ("s", 1e-3), "microsecond": ("s", 1e-6),
    "minute": ("s", 60.0), "hour": ("s", 3600.0), "day": ("s", 86400.0), "week": ("s", 604800.0),
    "month": ("s", 2629800.0), "year": ("s", 31557600.0), "metre": ("m", 1.0), "meter": ("m", 1.0),
    "millimetre": ("m", 1e-3), "millimeter": ("m", 1e-3), "centimetre": ("m", 1e-2), "centimeter": ("m", 1e-2),
    "kilometre": ("m", 1e3), "kilometer": ("m", 1e3), "inch": ("m", 0.0254), "inches": ("m", 0.0254),
    "foot": ("m", 0.3048), "feet": ("m", 0.3048), "gram": ("g", 1.0), "kilogram": ("g", 1e3), "tonne": ("g", 1e6),
    "degree": ("°", 1.0), "kelvin": ("K", 1.0),
    "litre": ("l", 1.0), "liter": ("l", 1.0), "megabit": ("bit", 1e6), "byte": ("B", 1.0),
    "euro": ("EUR", 1.0), "dollar": ("USD", 1.0), "pound": ("GBP", 1.0),
}  # fmt: skip
_MONEY = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "USD": "USD", "EUR": "EUR",
          "GBP": "GBP", "JPY": "JPY", "CHF": "CHF", "CNY": "CNY", "RMB": "CNY", "yuan": "CNY", "euros": "EUR",
          "dollars": "USD", "pounds": "GBP"}  # fmt: skip
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "m": 1e6, "bn": 1e9, "mn": 1e6}
_SIGN = r"(?<![\w.,])(?<![A-Za-z]-)(?P<sign>[-−–+±](?=[\d.]))?"
_NUMBER = _SIGN + r"(?P<digits>\d{1,3}(?:[,\u202f\u00a0]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_AMOUNT = re.compile(
    rf"(?P<money>(?:US\$|[$€£¥₹]) ?|(?:USD|EUR|GBP|JPY|CHF|CNY|RMB) ?)?{_NUMBER}"
    r"(?:[  -]?(?P<scale>thousand|million|billion|trillion|bn|mn)s?\b)?"
    r"(?:[  -]?(?P<unit>[°º]\s?[CF]\b|%|℃|°|[A-Za-zµμΩ\u2126]+[²³]?(?:/[A-Za-z]+)?))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMING = re.compile(r"(?:\w[/-]|(?<=\s)[A-Z][\w.-]* |^[A-Z]+[a-z]*[A-Z][\w-]* )\Z")
_DIGITS = 4  # decimals beyond which a result is rounded to two
_DASHED = re.compile(r"(?<=[\d%A-Za-zΩ°])\s*(?:\.{2,3}|…|–|—|~|(?<=\d)-(?=\d))\s*(?=[-−+.\d])")
_BRACKETED = re.compile(r"[(\[](?:in )?(?P<unit>[^()\[\]]{1,40})[)\]]")
_MANY = re.compile(r"(?P<one>thousand|million|billion|trillion)s(?: of)?")
_IN_UNITS = re.compile(r"\bin (?P<unit>(?:thousand|million|billion|trillion)s?(?: of)? \w+|%|percent)", re.I)


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
    found = [_read(match, unit) for match in _AMOUNT.finditer(spaced)]
    for at in range(len(found) - 2, -1, -1):
        own, behind = found[at], found[at + 1]
        between = text[own.end : behind.start].strip().lower()
        if not own.unit and behind.unit and between in _JOINS:
            found[at] = _with_unit(own, behind.unit)
    return tuple(found)


_JOINS = frozenset({"to", "and", "or", "-", "–", "—", "...", "..", "…", "~", "/", "±", ",", "through"})


def claimed_amounts(text: str) -> list[Amount]:
    """Return a text's amounts without its years, which say when and not how much, and without numbers that are names.

    >>> [amount.value for amount in claimed_amounts("For Python 3 and HTTP/2 it has 5 pages since 2020")]
    [5.0]
    """
    return [a for a in amounts(text) if a.unit or not (_YEAR.fullmatch(text[a.start : a.end]) or _is_named(text, a))]


def _is_named(text: str, amount: Amount) -> bool:
    """Whether a number is a part of a name: "Python 3", "HTTP/2"."""
    return _NAMING.search(text[: amount.start]) is not None


def equal(one: Amount, other: Amount, tolerance: float = 5e-3) -> bool:
    """Whether two amounts are the same, whatever units they are written in; one without a unit meets any."""
    if one.measure and other.measure and one.measure != other.measure:
        return False
    left, right = (one.base, other.base) if one.measure and other.measure else (one.value, other.value)
    return abs(left - right) <= tolerance * max(abs(left), abs(right))


def is_numeric(cell: str) -> bool:
    """Whether a cell holds a number and hardly anything else: "12", "±5 %", "9 to 15 V"."""
    found = amounts(cell)
    left = cell
    for amount in reversed(found):
        left = left[: amount.start] + left[amount.end :]
    return bool(found) and not set(re.findall(r"[^\W\d_]{3,}", left.lower())) - _JOINS


def unit_in(label: str) -> str:
    """Return the unit that a label gives in brackets or after "in": "Weight (kg)", "(in millions of euros)"."""
    for match in (*_BRACKETED.finditer(label), *_IN_UNITS.finditer(label)):
        said = match["unit"].strip().removeprefix("in ")
        if _resolve(said) is not None or _scaled(said) is not None:
            return _MANY.sub(lambda found: found["one"], said)
    return ""


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
    number = float(re.sub(r"[,\u202f\u00a0]", "", match["digits"]))
    if match["sign"] in ("-", "−", "–"):
        number = -number
    end = match.end("unit") if match["unit"] else match.end("scale") if match["scale"] else match.end("digits")
    scale, money = match["scale"] or "", (match["money"] or "").strip()
    unit = match["unit"] or ""
    if unit and _resolve(unit) is None and not (scale and unit in _MONEY):
        unit, end = "", match.end("scale") if match["scale"] else match.end("digits")
    start = match.start()
    if money:
        written = f"{scale} {money}".strip()
        return Amount(number, written, _MONEY[money], number * _SCALES.get(scale, 1.0), start, end)
    bare = Amount(number, "", "", number, start, end)
    if scale:
        return _with_unit(bare, f"{scale} {unit}".strip())
    return _with_unit(bare, unit or default) if unit or default else bare


def _with_unit(amount: Amount, unit: str) -> Amount:
    resolved = _resolve(unit) or _scaled(unit) or ("", 1.0)
    measure, factor = resolved
    return replace(amount, unit=unit, measure=measure, base=amount.value * factor)


def _scaled(unit: str) -> tuple[str, float] | None:
    """ "millions of euros", "EUR million", "thousand" """
    parts = [part for part in unit.replace("$", " $ ").split() if part != "of"]
    factor, measure, known = 1.0, "", False
    for part in parts:
        lowered = part.lower()
        if lowered.rstrip("s") in _SCALES and len(lowered) > 1:
            factor, known = factor * _SCALES[lowered.rstrip("s")], True
        elif part in _MONEY or lowered in _MONEY:
            measure, known = _MONEY.get(part) or _MONEY[lowered], True
        else:
            return None
    return (measure, factor) if known else None


@lru_cache(maxsize=5_000)
def _resolve(unit: str) -> tuple[str, float] | None:
    """A unit's base unit and factor; None for a word that is no unit."""
    bare = unit.replace(" ", "").replace("º", "°").replace("\u2126", "Ω")
    if bare in _PLAIN:
        return _PLAIN[bare]
    if bare in _PREFIXED:
        return _PREFIXED[bare]
    if bare.endswith(("m²", "m2")) and bare[:-2] in _PREFIXES:
        return "m²", _PREFIXES[bare[:-2]] ** 2
    if bare[:1] in _PREFIXES and bare[1:] in _PREFIXED:
        base, factor = _PREFIXED[bare[1:]]
        return base, factor * _PREFIXES[bare[0]]
    lowered = bare.lower()
    if lowered in _WORDS or lowered.removesuffix("s") in _WORDS:
        return _WORDS.get(lowered) or _WORDS[lowered.removesuffix("s")]
    return (_MONEY[bare], 1.0) if bare in _MONEY else _spelled_rate(bare)


def _spelled_rate(unit: str) -> tuple[str, float] | None:
    """ "Mbit/s", "Mb/s", "kSPS", "ppm/°C": a rate of known parts, kept as one unit of its own where it is unusual."""
    above, slash, below = unit.partition("/")
    if not slash or below not in {*_PREFIXED, *_PLAIN, "min", "year", "day"}:
        return None
    over = _resolve(above)
    return None if over is None else (f"{over[0]}/{below}", over[1])
