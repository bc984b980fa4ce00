"""Quantities as English text writes them, brought to one unit so that they compare by value.

>>> parse_quantity("3.5 million inhabitants").value
3500000.0
>>> parse_quantity("5 ft 11 in").key()
'1.8034 m'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Quantity", "compare", "parse_quantity", "quantity_spans"]

# Unit spellings -> (base unit, factor). Base units are SI's; money is left in its currency.
_UNITS: dict[str, tuple[str, float]] = {
    spelling: (base, factor)
    for base, rows in {
        "m": {"mm millimetre millimeter": 1e-3, "cm centimetre centimeter": 1e-2, "m metre meter": 1.0,
              "km kilometre kilometer": 1e3, "in inch inche": 0.0254, "ft foot feet": 0.3048,
              "yd yard": 0.9144, "mi mile": 1609.344, "nmi": 1852.0},
        "m2": {"m2 m² sqm": 1.0, "km2 km²": 1e6, "ha hectare": 1e4, "acre": 4046.8564224},
        "m3": {"m3 m³": 1.0, "km3 km³": 1e9, "l litre liter": 1e-3, "ml millilitre milliliter": 1e-6},
        "kg": {"mg milligram": 1e-6, "g gram": 1e-3, "kg kilogram": 1.0, "t tonne": 1e3, "ton": 907.18474,
               "lb lbs pound": 0.45359237, "oz ounce": 0.028349523125},
        "s": {"s sec second": 1.0, "min minute": 60.0, "h hr hour": 3600.0, "day": 86400.0, "week": 604800.0,
              "month": 2629800.0, "year": 31557600.0},
        "m/s": {"m/s": 1.0, "km/h kmh kph": 1 / 3.6, "mph": 0.44704, "knot kt": 0.514444},
    }.items()
    for spellings, factor in rows.items()
    for spelling in spellings.split()
}
_CURRENCY = {"$": "USD", "us$": "USD", "£": "GBP", "€": "EUR", "¥": "JPY", "₹": "INR", "usd": "USD",
             "gbp": "GBP", "eur": "EUR", "rs": "INR", "dollar": "USD", "euro": "EUR",
             "rupee": "INR", "yen": "JPY"}
_MAGNITUDES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "lakh": 1e5,
               "crore": 1e7, "dozen": 12.0}
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
          "twenty")
_TENS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ARTICLES = {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5}
_WORDS = ({word: float(n) for n, word in enumerate(_SMALL)}
          | {word: 10.0 * n for n, word in enumerate(_TENS, start=3)} | _ARTICLES)
_DIGITS = r"(?<![\w.])[-−]?(?:\d{1,3}(?:[,\u202f\u00a0]\d{3})+|\d+)(?:\.\d+)?"
_QUANTITY = re.compile(
    rf"(?P<currency>US\$|[$£€¥₹]|\b(?:USD|GBP|EUR|Rs)\b\.?)?\s?"
    rf"(?:(?P<digits>{_DIGITS})|\b(?P<word>{'|'.join(_WORDS)})(?=[\s-]\w|\W*$))"
    rf"(?:[\s-]?(?P<magnitude>(?:{'|'.join(_MAGNITUDES)})(?:\s(?:thousand|million|billion))?)s?\b)?"
    r"(?:[\s-]?(?P<power>square|sq\.?|cubic|cu\.?)(?=[\s-]))?"
    # "12 in 2010" is no length.
    r"(?:[\s-]?(?:of\s)?(?P<unit>in\b(?!\s\w)|(?!in\b)[a-zµ²³]+(?:/[a-z]+|[23²³])?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """A number with its unit. ``unit`` is m, m2, m3, kg, s or m/s, a currency ("USD"), or "" for a count.

    The order sorts by unit first; use `compare` where it matters that two quantities measure the same thing.
    """

    unit: str
    value: float

    def key(self) -> str:
        """Return value and unit as one comparable string."""
        return f"{self.value:.10g} {self.unit}".rstrip()

    def __str__(self) -> str:
        return self.key()


def compare(left: Quantity, right: Quantity) -> int | None:
    """Return -1, 0 or 1; None when the units differ. Values within 1e-9 of each other are equal."""
    if left.unit != right.unit:
        return None
    if abs(left.value - right.value) <= 1e-9 * max(abs(left.value), abs(right.value)):
        return 0
    return -1 if left.value < right.value else 1


@lru_cache(maxsize=50_000)
def parse_quantity(text: str) -> Quantity | None:
    """Return the first quantity in ``text``, or None. A counted noun ("inhabitants") leaves a plain number.

    Measures in several parts add up ("5 ft 11 in", "2 hours 15 minutes").
    """
    total: Quantity | None = None
    end, smallest = 0, 0.0
    for matched in _QUANTITY.finditer(text):
        read = _read(matched)
        if read is None:
            continue
        quantity, size = read
        if total is None:
            total = quantity
        elif _continues(total, quantity) and size < smallest and not text[end:matched.start()].strip(" ,and"):
            total = Quantity(total.unit, total.value + quantity.value)
        else:
            break
        end, smallest = matched.end(), size
    return total


def quantity_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """Where numbers stand, each with its unit, and whether it has one, is money, or only counts."""
    for matched in _QUANTITY.finditer(text, start, end):
        if _read(matched) is not None:
            unit, money = _lookup(matched["unit"]), _currency(matched["currency"]) or _currency(matched["unit"])
            parts = ("digits", "word", "magnitude", *(["unit"] if unit or money else []))
            begin = matched.start("currency") if matched["currency"] else max(map(matched.start, ("digits", "word")))
            yield begin, max(map(matched.end, parts)), bool(unit or money)


def _continues(total: Quantity, part: Quantity) -> bool:
    return part.unit == total.unit and part.unit in ("m", "s", "kg")


def _read(matched: re.Match[str]) -> tuple[Quantity, float] | None:
    """Return one match's quantity and the size of its unit; None for an article that measures nothing."""
    unit, size = _unit(matched["unit"], matched["power"])
    currency = _currency(matched["currency"]) or _currency(matched["unit"])
    word = (matched["word"] or "").lower()
    if word in _ARTICLES and not (unit or currency or matched["magnitude"]):
        return None
    number = _WORDS[word] if word else _number(matched["digits"])
    for magnitude in (matched["magnitude"] or "").lower().split():
        number *= _MAGNITUDES[magnitude]
    return (Quantity(currency, number), 1.0) if currency else (Quantity(unit, number * size), size)


def _number(digits: str) -> float:
    return float(re.sub(r"[,\u202f\u00a0]", "", digits).replace("−", "-"))


def _unit(name: str | None, power: str | None) -> tuple[str, float]:
    """Return a spelling's base unit and factor; ("", 1.0) where it is no unit but a counted noun."""
    found = _lookup(name)
    if found is None:
        return "", 1.0
    base, factor = found
    if power is None or base != "m":
        return base, factor
    exponent = 2 if power.lower().startswith("sq") else 3
    return f"m{exponent}", factor**exponent


def _lookup(name: str | None) -> tuple[str, float] | None:
    lowered = (name or "").lower()
    return _UNITS.get(lowered) or (_UNITS.get(lowered[:-1]) if lowered.endswith("s") else None)


def _currency(name: str | None) -> str | None:
    lowered = (name or "").lower().rstrip(".")
    return _CURRENCY.get(lowered) or _CURRENCY.get(lowered.removesuffix("s"))
