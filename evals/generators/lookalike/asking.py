"""Questions with a value, a letter or a truth for an answer: choices, judgements, blanks, tables, figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .bank import Bank, Named, lettered, with_unit, written
from .family import PARAMETERS, number
from .questions import GoldSection, LookalikeQuestion

__all__ = ["figure", "fill_in", "judgement", "made", "multiple_choice", "single_choice", "table"]

_FIGURES = (
    ("blocks", "Show the functional block diagram of the {}."),
    ("circuit", "Which figure shows the typical application circuit of the {}?"),
    ("pinout", "Show the pins of the {} from above."),
    ("curve", "Show how the quiescent current of the {} depends on the junction temperature."),
)


def made(
    kind: str,
    place: int,
    question: str,
    answers: Sequence[str],
    gold: Sequence[GoldSection],
    named: str = "part",
    **more: object,
) -> LookalikeQuestion:
    """Put a question together; its documents are those of its gold."""
    return LookalikeQuestion.model_validate(
        {
            "id": f"{kind}-{place + 1:02}",
            "question": question,
            "answers": tuple(dict.fromkeys(answers)),
            "type": kind,
            "supporting": tuple(dict.fromkeys(each.document for each in gold)),
            "gold_sections": tuple(dict.fromkeys(gold)),
            "named": named,
            **more,
        }
    )


def single_choice(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """One of four values; the wrong ones are those of other products."""
    for place in range(count):
        it, key = bank.named(place), bank.key()
        right = with_unit(key, it.product.values[key])
        wrong = [with_unit(key, value) for value in bank.others(it.product, key, 3)]
        options = lettered(bank.rng, [right, *wrong])
        letter = next(letter for letter, text in options.items() if text == right)
        question = f"Single choice: The {PARAMETERS[key].asked} of the {it.name} is ()."
        yield _about(
            it,
            "single_choice",
            place,
            written(question, options),
            (letter, f"{letter}: {right}", right),
            [bank.row(it.product, key)],
            options=options,
        )


def multiple_choice(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """Several of five applications, or of four statements about values."""
    for place in range(count):
        it = bank.named(place)
        if place % 2:
            yield _statements(bank, it, place)
            continue
        own = bank.rng.sample(it.product.applications, 3)
        pool = sorted({name for other in bank.products for name in other.applications} - set(it.product.applications))
        options = lettered(bank.rng, [*own, *bank.rng.sample(pool, 2)])
        question = f"Multiple choice: Applications of the {it.name} are ()."
        gold = [bank.points(it.product, "applications")]
        yield _chosen(it, place, question, options, own, gold)


def _statements(bank: Bank, it: Named, place: int) -> LookalikeQuestion:
    keys = [bank.key() for _ in range(4)]
    said = {
        f"The {PARAMETERS[key].asked} is {with_unit(key, value)}": value == it.product.values[key]
        for n, key in enumerate(keys)
        for value in (it.product.values[key] if n % 2 else bank.others(it.product, key, 1)[0],)
    }
    options = lettered(bank.rng, list(said))
    question = f"Multiple choice: Which statements about the {it.name} are right? ()"
    gold = [bank.row(it.product, key) for key in keys]
    return _chosen(it, place, question, options, [text for text, right in said.items() if right], gold)


def _chosen(
    it: Named, place: int, question: str, options: dict[str, str], right: Sequence[str], gold: Sequence[GoldSection]
) -> LookalikeQuestion:
    letters = [letter for letter, text in options.items() if text in right]
    answers = (", ".join(letters), "".join(letters), ", ".join(f"{letter}: {options[letter]}" for letter in letters))
    return _about(it, "multiple_choice", place, written(question, options), answers, gold, options=options)


def judgement(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """A value stated rightly, or another product's stated as its own."""
    for place in range(count):
        it, key, right = bank.named(place), bank.key(), place % 2 == 0
        value = it.product.values[key] if right else bank.others(it.product, key, 1)[0]
        question = (
            f"Statement: The {PARAMETERS[key].asked} of the {it.name} is {with_unit(key, value)}. True or False?"
        )
        answers = ("True", "Yes") if right else ("False", "No")
        yield _about(it, "judgement", place, question, answers, [bank.row(it.product, key)])


def fill_in(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """A blank for a value; every third question has two."""
    for place in range(count):
        it = bank.named(place)
        if place % 3 == 2:
            yield _two_blanks(bank, it, place)
            continue
        key = bank.key()
        value, unit = number(it.product.values[key]), PARAMETERS[key].unit
        question = f"Fill the blank: The {PARAMETERS[key].asked} of the {it.name} is () {unit}."
        gold = [bank.row(it.product, key)]
        yield _about(it, "fill_in", place, question, (value, f"{value} {unit}"), gold, unit=unit)


def _two_blanks(bank: Bank, it: Named, place: int) -> LookalikeQuestion:
    p = it.product
    if place % 2:
        question = f"Fill the blanks: The body of the {it.name} is () mm long and () mm wide."
        blanks = [(number(p.values[key]), f"{number(p.values[key])} mm") for key in ("length", "width")]
        gold = [bank.row(p, "length"), bank.row(p, "width")]
    else:
        question = f"Fill the blanks: Revision A of the datasheet of the {it.name} is of (), revision B of ()."
        blanks = [(p.released, p.released), (p.revised, p.revised)]
        gold = [bank.cells(p, "revisions", "A"), bank.cells(p, "revisions", "B")]
    answers = tuple(", ".join(column) for column in zip(*blanks, strict=True))
    return _about(it, "fill_in", place, question, answers, gold, blanks=blanks)


def table(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """A cell of a table, by its row and its column."""
    for place in range(count):
        it = bank.named(place)
        if place % 2:
            yield _cell(bank, it, place)
            continue
        key = bank.rng.choice([key for key, parameter in PARAMETERS.items() if parameter.table == "electrical"])
        word, column = ("minimum", 3) if place % 4 else ("maximum", 5)
        gold = bank.row(it.product, key)
        value, unit = gold.quote.split(" | ")[column], PARAMETERS[key].unit
        label = PARAMETERS[key].label
        question = f"In the electrical characteristics of the {it.name}, what is the {word} of the {_inside(label)}?"
        yield _about(it, "table", place, question, (f"{value} {unit}", value), [gold], unit=unit)


def _cell(bank: Bank, it: Named, place: int) -> LookalikeQuestion:
    p = it.product
    if place % 6 == 1:
        gold = bank.cells(p, "pins", "OUT", column=1)
        question = f"Which pin number of the {it.name} is the regulated output?"
        return _about(it, "table", place, question, (gold.quote.split(" | ")[0],), [gold])
    gold = bank.cells(p, "ordering", f"{p.part}R")
    if place % 6 == 3:
        return _about(it, "table", place, f"Which marking is on the {it.name}?", (p.marking,), [gold])
    question = f"How many pieces of the {it.name} are on a reel when the larger quantity is ordered?"
    return _about(it, "table", place, question, (str(p.reel),), [gold])


def figure(bank: Bank, count: int) -> Iterator[LookalikeQuestion]:
    """A figure, to be shown."""
    for place in range(count):
        it, (name, question) = bank.named(place), _FIGURES[place % len(_FIGURES)]
        gold, caption = bank.figure(it.product, name)
        yield _about(it, "figure", place, question.format(it.name), (caption,), [gold], figure=caption)


def _about(
    it: Named,
    kind: str,
    place: int,
    question: str,
    answers: Sequence[str],
    gold: Sequence[GoldSection],
    **more: object,
) -> LookalikeQuestion:
    """A question about one product; a nickname has to be read, too."""
    return made(kind, place, question, answers, [*gold, *it.gold], it.how, **more)


def _inside(label: str) -> str:
    """A label within a sentence."""
    return label if label[1].isupper() else label[0].lower() + label[1:]


