"""The invented product family: forty voltage regulators in eight series, alike in everything but their values.

A value is drawn without repetition within a series, so that "the lowest of the series" has one answer, and from the
same few candidates everywhere, so that a value alone never says whose it is.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ....cubes.core.errors import UsageError

__all__ = ["PARAMETERS", "Parameter", "Product", "number", "products"]

_SERIES = ("Kestrel", "Merlin", "Osprey", "Harrier", "Plover", "Curlew", "Avocet", "Dunlin")
_MEMBERS = ("05", "10", "15", "15-Q1", "20")
_NICKNAMES = (
    "Tidewater", "Lanternfish", "Coppergate", "Millrace", "Thistledown", "Saltmarsh", "Foxglove", "Windrush",
    "Ironbark", "Snowdrop", "Larkspur", "Cobblestone", "Marigold", "Nightjar", "Rosewood", "Driftwood",
    "Bluebell", "Hearthstone", "Moonraker", "Quicksilver", "Sandpiper", "Hollyhock", "Weathervane",
    "Brackwater", "Candlewick", "Elderflower", "Firebrick", "Gossamer", "Honeycomb", "Inkwell", "Junebug",
    "Kingcup", "Longbow", "Mistletoe", "Nettlebed", "Oakmoss", "Periwinkle", "Quillwort", "Ravenscar",
    "Silverbirch",
)
_APPLICATIONS = (
    "Battery-powered sensor nodes",
    "Electronic shelf labels",
    "Smoke and gas detectors",
    "Portable medical monitors",
    "Smart meters",
    "Wearable fitness trackers",
    "Body control modules",
    "Dashboard displays",
    "Wireless door locks",
    "Industrial flow meters",
    "Surveillance cameras",
    "Set-top boxes",
    "Hearing aids",
    "Barcode scanners",
    "Building thermostats",
    "Solar trackers",
)
_PACKAGES = ("SOT-23-5", "WSON-6", "SOIC-8", "HTSSOP-14", "DSBGA-4", "SC70-5", "VSON-8", "SOT-223-6")
_PINS = (5, 6, 8, 14, 4, 5, 8, 6)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that every product has.

    ``label`` is what its row says in the table; ``asked`` is how a person asks for it, in other words. ``values`` are
    the candidates that each product draws its own from.
    """

    table: str
    label: str
    symbol: str
    condition: str
    unit: str
    asked: str
    values: tuple[float, ...]


def _read() -> dict[str, Parameter]:
    with (Path(__file__).parent / "parameters.csv").open(encoding="utf-8", newline="") as stream:
        return {
            row.pop("key"): Parameter(values=tuple(map(float, row.pop("values").split())), **row)
            for row in csv.DictReader(stream)
        }


PARAMETERS: Mapping[str, Parameter] = _read()
"""Every parameter by its key, in the order of the tables."""


@dataclass(frozen=True, slots=True)
class Product:
    """One product: its names, its values by parameter, and what tells it apart besides."""

    part: str
    series: str
    nickname: str
    values: Mapping[str, float]
    applications: tuple[str, ...]
    package: str
    pins: int
    reel: int
    marking: str
    released: str
    revised: str
    power_good: bool

    def say(self, key: str) -> str:
        """A value with its unit, as the documents write it: "44 µA"."""
        return f"{number(self.values[key])} {PARAMETERS[key].unit}"


def products(count: int, *, seed: int = 0) -> list[Product]:
    """Draw the first ``count`` products of the family; a seed gives the same ones, and fewer are a part of more.

    Raises UsageError where the family has not so many, or too few for questions across documents.
    """
    most = len(_SERIES) * len(_MEMBERS)
    if not len(_MEMBERS) <= count <= most:
        raise UsageError(f"--documents {count} cannot be made; give a number from {len(_MEMBERS)} to {most}.")
    made = [product for place, series in enumerate(_SERIES) for product in _series(place, series, seed)]
    return made[:count]


def number(value: float) -> str:
    """Write a number without needless zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _series(place: int, series: str, seed: int) -> list[Product]:
    rng = random.Random(f"{series} {seed}")
    size = len(_MEMBERS)
    drawn = {key: rng.sample(parameter.values, size) for key, parameter in PARAMETERS.items()}
    packages = rng.sample(range(len(_PACKAGES)), size)
    reels, years = rng.sample((250, 500, 1000, 1500, 2500, 3000, 4000, 5000), size), rng.sample(range(2009, 2024), size)
    return [
        Product(
            part=f"NVR3{place + 1}{member}",
            series=series,
            nickname=_NICKNAMES[place * size + n],
            values={key: values[n] for key, values in drawn.items()},
            applications=tuple(rng.sample(_APPLICATIONS, 4)),
            package=_PACKAGES[packages[n]],
            pins=_PINS[packages[n]],
            reel=reels[n],
            marking="".join(rng.sample("ABCDEFGHJKLMNPRSTUVWXYZ", 3)) + str(rng.randrange(10, 99)),
            released=f"{rng.choice(('January', 'March', 'May', 'August', 'October'))} {years[n]}",
            revised=f"{rng.choice(('February', 'April', 'June', 'September', 'November'))} {years[n] + 1}",
            power_good=rng.random() < 0.5,
        )
        for n, member in enumerate(_MEMBERS)
    ]
