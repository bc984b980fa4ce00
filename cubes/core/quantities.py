"""Quantities as English text, data sheets and tables write them, brought to one unit so that they compare by value.

`parse_quantity` reads the first one of a prose text, number words included. `amounts` reads all that are in digits, as
they are written: SI prefixes, ranges, money, a unit that stands in a column or a title of its own.

>>> parse_quantity("3.5 million inhabitants").value
3500000.0
>>> parse_quantity("5 ft 11 in").key()
'1.8034 m'
>>> amounts("2.7 V to 5.5 V")[1].value
5.5
>>> amounts("850 mA")[0].base
0.85
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

__all__ = [
    "Amount", "Quantity", "amounts", "claimed_amounts", "compare", "equal", "is_currency", "is_numeric",
    "measure_of", "parse_quantity", "quantity_spans", "spell", "unit_in",
]  # fmt: skip

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
        "s": {"millisecond": 1e-3, "s sec second": 1.0, "min minute": 60.0, "h hr hour": 3600.0, "day": 86400.0,
              "week": 604800.0, "month": 2629800.0, "year": 31557600.0},
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
_NUMBER = (
    r"(?:\d{1,3}(?:\.\d{3})+,\d{1,2}|\d+,\d{1,2})(?![\d,.]?\d)"  # "1.234,5"
    r"|(?:\d{1,3}(?:[,\u202f\u00a0]\d{3})+|\d+)(?:\.\d+)?"
)
_DIGITS = rf"(?<![\w.])[-−]?(?:{_NUMBER})"
_QUANTITY = re.compile(
    rf"(?P<currency>US\$|[$£€¥₹]|\b(?:USD|GBP|EUR|Rs)\b\.?)?\s?"
    rf"(?:(?P<digits>{_DIGITS})|\b(?P<word>{'|'.join(_WORDS)})(?=[\s-]\w|\W*$))"
    rf"(?:[\s-]?(?P<magnitude>(?:{'|'.join(_MAGNITUDES)})(?:\s(?:thousand|million|billion))?)s?\b)?"
    r"(?:[\s-]?(?P<power>square|sq\.?|cubic|cu\.?)(?=[\s-]))?"
    # "12 in 2010" is no length.
    r"(?:[\s-]?(?:of\s)?(?P<unit>in\b(?!\s\w)|(?!in\b)[a-zµ²³]+(?:/[a-z]+|[23²³])?))?",
    re.IGNORECASE,
)
_PREFIXES = {"p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_PREFIXED = frozenset({
    "V", "A", "W", "Hz", "Ω", "F", "H", "s", "m", "g", "J", "Pa", "K", "N", "l", "B", "bit", "mol", "cd", "eV", "S",
})  # fmt: skip
_WHOLE = frozenset({"%", "°", "°C", "°F", "dB", "dBm", "dBi", "ppm", "rpm", "lx", "lm"})
_SPELLED = {
    "μ": "µ", "\u2126": "Ω", "º": "°", "℃": "°C", "percent": "%", "ohms": "Ω", "ohm": "Ω", "Ohm": "Ω", "bps": "bit/s",
    "volts": "V", "volt": "V", "amperes": "A", "ampere": "A", "watts": "W", "watt": "W", "kelvin": "K", "lux": "lx",
}  # fmt: skip
"""Other spellings of units; other words for units are above."""
_SCALE = r"(?:thousand|million|billion|trillion)s?\b(?: (?:of )?(?:[A-Z]{3}|euro|dollar|pound)s?\b)?"
_AMOUNT = re.compile(
    r"(?P<money>(?:US\$|[$€£¥₹]|(?:USD|EUR|GBP|JPY)\b) ?)?"
    r"(?<![\w.,])(?<![A-Za-z]-)(?P<sign>[-−–+±](?=[\d.]))?"
    rf"(?P<digits>{_NUMBER}|\.\d+)"
    rf"(?:[ \u00a0-]?(?P<unit>{_SCALE}|[°º]\s?[CF](?:/\w+)?|%|℃|°|[A-Za-zµμΩ\u2126]+[²³]?(?:/[A-Za-z]+)?))?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_NAMING = re.compile(r"(?:\w[/-]|(?<=\s)[A-Z][\w.-]* |^[A-Z]+[a-z]*[A-Z][\w-]* )\Z")
_DASHED = re.compile(r"(?<=[\d%A-Za-zΩ°])\s*(?:\.{2,3}|…|–|—|~|(?<=\d)-(?=\d))\s*(?=[-−+.\d])")
_JOINS = frozenset({"", "to", "and", "or", "/", "±", ",", "through"})
_LABELLED = re.compile(
    r"[(\[](?:in )?(?P<bracketed>[^()\[\]]{1,40})[)\]]|\bin (?P<told>[a-z]+ (?:of )?\w+|%|percent)"
    r"|\w(?<!_per)_(?P<last>eur|usd|gbp|jpy|[kc]m|kg|m[gls]|mm|ft|ha|hrs?|sec)$"
)
_DECIMALS = 4  # decimals beyond which a result is rounded to two


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """A number with its unit. ``unit`` is m, m2, m3, kg, s or m/s, a currency ("USD"), or "" for a count.

    The order sorts by unit first.
    """

    unit: str
    value: float

    def key(self) -> str:
        """Return value and unit as one comparable string."""
        return f"{self.value:.10g} {self.unit}".rstrip()

    def __str__(self) -> str:
        return self.key()


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
    whole, comma, decimals = digits.rpartition(",")
    if comma and len(decimals) < 3:
        digits = f"{whole.replace('.', '')}.{decimals}"
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
        found.append(_amount(match, found[-1].unit if ranged else unit))
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
    """Return the unit that a label gives in brackets, after "in", or as its last part.

    >>> [unit_in(label) for label in ("Weight (kg)", "weight_kg", "price_eur", "price_per_kg", "temp_min", "made_in")]
    ['kg', 'kg', 'EUR', '', '', '']
    """
    told = ((found["bracketed"] or found["told"] or found["last"]).strip() for found in _LABELLED.finditer(label))
    unit = next((re.sub(r"(?<=ion)s (?:of )?", " ", unit) for unit in told if _resolve(unit)), "")
    return unit.upper() if unit.upper() in _CURRENCY.values() else unit


def is_currency(unit: str) -> bool:
    """Whether a unit is one of money: "EUR", "gbp"."""
    return measure_of(unit) in _CURRENCY.values()


def measure_of(unit: str) -> str:
    """Return the base unit that a unit measures in, "" for a word that is none: "weeks": s."""
    resolved = _resolve(unit)
    return resolved[0] if resolved is not None else ""


def spell(value: float, like: Amount | None = None) -> str:
    """Write a result in the unit of one of the amounts it comes from, without digits that mean nothing."""
    scaled = value / like.factor if like is not None and like.measure else value
    exact = round(scaled, 6)
    rounded = exact if len(f"{exact:.10g}".partition(".")[2]) <= _DECIMALS else round(scaled, 2)
    text = f"{rounded if abs(scaled) >= 1 or rounded == exact else float(f'{scaled:.3g}'):.10g}"
    if like is None or not like.unit:
        return text
    if like.unit in ("$", "£", "€", "¥", "₹"):
        return f"{like.unit}{text}"
    return f"{text}{'' if like.unit in ('%', '°') else ' '}{like.unit}"


def _amount(match: re.Match[str], default: str) -> Amount:
    number = _number(match["digits"]) * (-1 if match["sign"] in ("-", "−", "–") else 1)
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
