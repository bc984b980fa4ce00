"""What facts' values are as numbers: on a scale, within a period or a range, and all together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import fsum

from .....cubes.core.dates import parse_date
from .....cubes.core.folding import fold_words
from .....cubes.core.quantities import Amount, Quantity, amounts, parse_quantity, unit_in
from .....cubes.core.records import Fact
from ..plan import Period, Range

__all__ = ["figure", "holds", "number", "together"]

_SHARES = frozenset({"pct", "percent", "percentage", "rate", "average", "avg", "mean", "share"})
_DIGITS = re.compile(r"\d[\d.,]*")


def number(fact: Fact, day_first: bool | None) -> float | None:
    """A date or an amount on a scale; ``day_first`` says how dates of its column begin."""
    date, amount = parse_date(fact.value, day_first=day_first) if fact.kind == "date" else None, amount_of(fact)
    return date.day_number() if date is not None else amount.value if amount is not None else None


def amount_of(fact: Fact) -> Quantity | None:
    """An amount, in the unit of its column where it has none of its own ("Height (cm)")."""
    amount = parse_quantity(fact.value)
    unit = unit_in(fact.relation) if amount is not None and not amount.unit else ""
    return parse_quantity(f"{fact.value} {unit}") if unit else amount


def figure(facts: Sequence[Fact], kind: str) -> tuple[float, Amount] | None:
    """The sum or the mean of what facts say, in base units, and an amount of the unit to spell it in; None for dates,
    and for amounts of different kinds."""
    found = [amounts(fact.value, unit_in(fact.relation)) if fact.kind != "date" else () for fact in facts]
    if not all(found) or len({told[0].measure for told in found}) != 1:
        return None
    total = fsum(told[0].base for told in found)
    return total / len(found) if kind == "mean" else total, found[0][0]


def together(facts: Sequence[Fact]) -> float:
    """Return the sum of what facts of one column say; of shares and averages the mean."""
    shares = any("%" in fact.relation or not _SHARES.isdisjoint(fold_words(fact.relation)) for fact in facts[:1])
    told = figure(facts, "mean" if shares else "sum")
    return told[0] if told is not None else 0.0


def holds(bound: Period | Range, fact: Fact, day_first: bool | None) -> bool | None:
    """Whether a date or an amount lies within a period or a range; None where that cannot be told."""
    if isinstance(bound, Period):
        date = parse_date(fact.value, day_first=day_first)
        return bound.holds(date) if date is not None else None
    amount, digits = amount_of(fact), _DIGITS.search(fact.value)
    written = parse_quantity(digits[0]) if digits is not None else None
    return bound.holds(amount, written.value) if amount is not None and written is not None else None
