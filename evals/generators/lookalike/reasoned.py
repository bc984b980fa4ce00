"""Questions that take reading or reckoning: descriptions, summaries, comparisons, calculations, across documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

from .asking import made
from .bank import Bank, lettered, with_unit, written
from .family import PARAMETERS, Product, number
from .parts import Bullets
from .questions import LookalikeQuestion

__all__ = ["calculation", "comparison", "crossing", "descriptive", "summary"]

_DESCRIBED = (
    ("shutdown", "Describe what the {} does when its junction gets too hot and when it restarts.", ("tsd", "thys")),
    ("lockout", "Describe how the {} behaves while its supply rises and falls slowly.", ("uvlo", "hyst")),
    ("limit", "Describe how the {} reacts to an overload and to a short circuit.", ("icl",)),
    ("discharge", "Describe what happens to the output of the {} while it is disabled.", ("rdis",)),
    ("enable", "Describe what happens after the enable pin of the {} goes high.", ("tstart",)),
)
_SUMMARISED = (
    ("layout", "Summarise the layout guidelines of the {}."),
    ("supply", "Summarise what the datasheet of the {} recommends for its power supply."),
    ("features", "Summarise the features of the {}."),
)
_HIGHER = (
    ("drop", "lower"),
    ("iq", "lower"),
    ("vin_abs", "higher"),
    ("ishdn", "lower"),
    ("height", "lower"),
    ("hbm", "higher"),
    ("rja", "lower"),
    ("vin_max", "higher"),
)
_SUPERLATIVE = {"lower": "lowest", "higher": "highest"}


def descriptive(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """What a chapter tells in sentences, with the values of the product."""
    for place in range(count):
        it, (key, question, values) = bank.named(place), _DESCRIBED[place % len(_DESCRIBED)]
        gold = bank.text(it.product, key)
        keys = tuple(it.product.say(value) for value in values)
        yield made(
            "descriptive", place, question.format(it.name), [gold.quote], [gold, *it.gold], it.how, keys=keys
        )


def summary(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """What a chapter says in all."""
    for place in range(count):
        it, (key, question) = bank.named(place), _SUMMARISED[place % len(_SUMMARISED)]
        p = it.product
        _, block = bank.sheets[p.part].find(key)
        if isinstance(block, Bullets):
            gold, text = bank.points(p, key), ". ".join(block.items) + "."
            keys: tuple[str, ...] = (p.say("iout"), p.say("psrr"), p.package)
        else:
            gold = bank.text(p, key)
            text, keys = gold.quote, _values(p, key)
        yield made("summary", place, question.format(it.name), [text], [gold, *it.gold], it.how, keys=keys)


def _values(p: Product, key: str) -> tuple[str, ...]:
    if key == "layout":
        return f"{number(p.values['pitch'] * 5)} mm", f"{number(p.values['rja'] // 2)} square millimetres"
    return f"{number(p.values['icl'] + 60)} mA", f"{number(p.values['cout'] * 2)} µF"


def comparison(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """Which of two or of four products has the lower or higher value."""
    wanted = cycle(bank.rng.sample(_HIGHER, len(_HIGHER)))
    for place in range(count):
        key, direction = next(wanted)
        chosen = _apart(bank, key, 4 if place % 2 else 2)
        best = _winner(chosen, key, direction)
        gold = [bank.row(p, key) for p in chosen]
        asked = PARAMETERS[key].asked
        if place % 2 == 0:
            one, two = (p.part for p in chosen)
            question = f"Which has the {direction} {asked}, the {one} or the {two}?"
            yield made("comparison", place, question, [best.part], gold)
            continue
        options = lettered(bank.rng, [p.part for p in chosen])
        letter = next(letter for letter, part in options.items() if part == best.part)
        question = f"Single choice: Which of the following products has the {_SUPERLATIVE[direction]} {asked}?"
        answers = (letter, f"{letter}: {best.part}", best.part)
        yield made("comparison", place, written(question, options), answers, gold, options=options)


def _winner(group: Sequence[Product], key: str, direction: str) -> Product:
    return (min if direction == "lower" else max)(group, key=lambda p: p.values[key])


def _apart(bank: Bank, key: str, count: int) -> list[Product]:
    """Products whose values of a parameter differ."""
    chosen: list[Product] = []
    while len(chosen) < count:
        product = bank.product()
        if all(product.values[key] != other.values[key] for other in chosen):
            chosen.append(product)
    return chosen


_Sum = Callable[[Product], tuple[str, float, str, tuple[str, ...]]]
"""A question about "{}", its result, the unit, and the parameters it takes."""


def _loss(p: Product) -> tuple[str, float, str, tuple[str, ...]]:
    v = p.values
    text = (
        "How much power in mW is lost in the {} in its typical application? Take the difference of input and output "
        "voltage times the load current."
    )
    return text, (v["vapp"] - v["vset"]) * v["iapp"], "mW", ("vapp", "vset", "iapp")


def _rise(p: Product) -> tuple[str, float, str, tuple[str, ...]]:
    text = "By how many °C does the junction of the {} rise above the ambient temperature when it dissipates 0.2 W?"
    return text, p.values["rja"] * 0.2, "°C", ("rja",)


def _area(p: Product) -> tuple[str, float, str, tuple[str, ...]]:
    text = "What area in mm² does the body of the {} cover (length times width)?"
    return text, p.values["length"] * p.values["width"], "mm²", ("length", "width")


def _divider(p: Product) -> tuple[str, float, str, tuple[str, ...]]:
    text = "What is the total resistance in kOhm of the feedback divider (R1 plus R2) in the example of the {}?"
    return text, p.values["r1"] + p.values["r2"], "kOhm", ("r1", "r2")


def _drop(p: Product) -> tuple[str, float, str, tuple[str, ...]]:
    text = (
        "How many kelvin lie between the soldering temperature limit of the {} and its absolute junction "
        "temperature limit?"
    )
    return text, p.values["tsol"] - p.values["tj_abs"], "K", ("tsol", "tj_abs")


def _droop(p: Product) -> tuple[str, float, str, tuple[str, ...]]:
    text = (
        "By how many mV does the output of the {} change in all when its input rises by 2 V and its load goes from "
        "light to full? Add line and load regulation."
    )
    return text, 2 * p.values["line"] + p.values["load"], "mV", ("line", "load")


_SUMS: tuple[_Sum, ...] = (_loss, _rise, _area, _divider, _drop, _droop)


def calculation(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """A sum, difference or product of values of one product."""
    for place in range(count):
        it = bank.named(place)
        text, result, unit, keys = _SUMS[place % len(_SUMS)](it.product)
        value = number(round(result, 4))
        gold = [*(bank.row(it.product, key) for key in keys), *it.gold]
        yield made(
            "calculation", place, text.format(it.name), (f"{value} {unit}", value), gold, it.how, unit=unit
        )


def crossing(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """Across documents: the best of a series, how many of a series, ratios and differences."""
    series, wanted = cycle(bank.series()), cycle(bank.rng.sample(_HIGHER, len(_HIGHER)))
    for place in range(count):
        key, direction = next(wanted)
        if place % 3 == 0:
            yield _best(bank, place, next(series), key, direction)
        elif place % 3 == 1:
            yield _ratio(bank, place, key)
        elif place % 2:
            yield _how_many(bank, place, next(series), key)
        else:
            yield _difference(bank, place, key)


def _best(bank: Bank, place: int, group: list[Product], key: str, direction: str) -> LookalikeQuestion:
    best = _winner(group, key, direction)
    question = (
        f"Which product of the {group[0].series} series has the {_SUPERLATIVE[direction]} {PARAMETERS[key].asked}?"
    )
    gold = [each for p in group for each in (bank.row(p, key), bank.text(p, "naming"))]
    return made("crossing", place, question, [best.part], gold, "series")


def _how_many(bank: Bank, place: int, group: list[Product], key: str) -> LookalikeQuestion:
    values = sorted(p.values[key] for p in group)
    border = values[len(values) // 2]
    count = str(sum(value > border for value in values))
    question = (
        f"How many products of the {group[0].series} series have a {PARAMETERS[key].asked} of more than "
        f"{with_unit(key, border)}?"
    )
    gold = [each for p in group for each in (bank.row(p, key), bank.text(p, "naming"))]
    return made("crossing", place, question, [count], gold, "series")


def _ratio(bank: Bank, place: int, key: str) -> LookalikeQuestion:
    one, two = sorted(_apart(bank, key, 2), key=lambda p: -p.values[key])
    question = (
        f"Fill the blank: The {PARAMETERS[key].asked} of the {one.part} is approximately () times that of the "
        f"{two.part}."
    )
    value = number(round(one.values[key] / two.values[key], 2))
    return made("crossing", place, question, [value], [bank.row(one, key), bank.row(two, key)])


def _difference(bank: Bank, place: int, key: str) -> LookalikeQuestion:
    one, two = sorted(_apart(bank, key, 2), key=lambda p: -p.values[key])
    unit = PARAMETERS[key].unit
    question = (
        f"By how many {unit} is the {PARAMETERS[key].asked} of the {one.part} higher than that of the {two.part}?"
    )
    value = number(round(one.values[key] - two.values[key], 4))
    gold = [bank.row(one, key), bank.row(two, key)]
    return made("crossing", place, question, [f"{value} {unit}", value], gold, unit=unit)
