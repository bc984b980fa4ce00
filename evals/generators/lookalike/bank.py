"""What questions are made of: products drawn in turn, their values, and the places where these stand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from .family import PARAMETERS, Product, number
from .parts import Bullets, Datasheet, Figure, Table, Text, captions
from .questions import GoldSection

__all__ = ["ASKABLE", "Bank", "Named", "lettered", "with_unit", "written"]

_TWICE = frozenset({"uvlo", "hyst", "icl", "tsd", "thys", "rdis", "tstart", "iout", "psrr", "noise", "ven_hi"})
ASKABLE = tuple(key for key in PARAMETERS if key not in _TWICE)
"""The values that stand in one place of a document only, so that there is one right section."""


@dataclass(frozen=True, slots=True)
class Named:
    """A product as a question names it, and where to read which one that is."""

    product: Product
    name: str
    how: str = "part"
    gold: tuple[GoldSection, ...] = ()


@dataclass
class Bank:
    """Draws products and values for one kind of question; a seed gives the same ones."""

    products: Sequence[Product]
    sheets: Mapping[str, Datasheet]
    rng: random.Random
    _order: Iterator[Product] = field(init=False)
    _keys: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self._order = cycle(self.rng.sample(self.products, len(self.products)))
        self._keys = cycle(self.rng.sample(ASKABLE, len(ASKABLE)))

    def product(self) -> Product:
        """The next product."""
        return next(self._order)

    def named(self, place: int) -> Named:
        """The next product under a name: one of four questions names it by its nickname."""
        product = self.product()
        if place % 4 != 2:
            return Named(product, product.part)
        return Named(product, product.nickname, "nickname", (self.text(product, "naming"),))

    def key(self) -> str:
        """The next parameter."""
        return next(self._keys)

    def row(self, product: Product, key: str) -> GoldSection:
        """The row of a parameter."""
        return self.cells(product, PARAMETERS[key].table, PARAMETERS[key].label)

    def cells(self, product: Product, table: str, label: str, column: int = 0) -> GoldSection:
        """The row of a table that has this label in its column."""
        path, block = self.sheets[product.part].find(table)
        assert isinstance(block, Table)
        row = next(row for row in block.rows if row[column] == label)
        return GoldSection(document=product.part, path=path, quote=" | ".join(row))

    def text(self, product: Product, key: str) -> GoldSection:
        """A paragraph."""
        path, block = self.sheets[product.part].find(key)
        assert isinstance(block, Text)
        return GoldSection(document=product.part, path=path, quote=block.text)

    def points(self, product: Product, key: str) -> GoldSection:
        """A list: its first point stands for the section."""
        path, block = self.sheets[product.part].find(key)
        assert isinstance(block, Bullets)
        return GoldSection(document=product.part, path=path, quote=block.items[0])

    def figure(self, product: Product, name: str) -> tuple[GoldSection, str]:
        """A figure's place, and its caption."""
        sheet = self.sheets[product.part]
        path, block = sheet.find(name)
        assert isinstance(block, Figure)
        caption = captions(sheet)[block]
        return GoldSection(document=product.part, path=path, quote=caption), caption

    def others(self, product: Product, key: str, count: int) -> list[float]:
        """Values that other products have: those of the same series first, since they are the easiest to take."""
        kin = sorted(self.products, key=lambda other: other.series != product.series)
        values = dict.fromkeys(other.values[key] for other in kin)
        return [value for value in values if value != product.values[key]][:count]

    def series(self) -> list[list[Product]]:
        """The products of each series, in an order of chance."""
        names = list(dict.fromkeys(product.series for product in self.products))
        groups = [[product for product in self.products if product.series == name] for name in names]
        whole = [group for group in groups if len(group) == max(map(len, groups))]
        return self.rng.sample(whole, len(whole))


def lettered(rng: random.Random, options: Sequence[str]) -> dict[str, str]:
    """Shuffle options under letters."""
    return dict(zip("ABCDEFGH", rng.sample(options, len(options)), strict=False))


def written(question: str, options: Mapping[str, str]) -> str:
    """A question with its options, as HiQA's Table 4 writes them."""
    return "\n".join([question, *(f"{letter}: {text}" for letter, text in options.items())])


def with_unit(key: str, value: float) -> str:
    """A value as the documents write it."""
    return f"{number(value)} {PARAMETERS[key].unit}"
