"""Hops between prose and tables: a text tells which row is meant, a row tells what is asked, or what is asked about
next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from folders import built
from multicube import MultiCube

KILNS = """Kiln,Type,Built,Keeper,Length (m),Capacity (pots),Bought from,Store / shelf
Old Bess,Bottle kiln,1911,Hanno Brill,9.5,340,Dorning Brickworks,Yard A1
Red Tom,Tunnel kiln,1987,Ilse Maddern,14.0,900,Dorning Brickworks,Yard B2
kiln-07,Test kiln,2014,Hanno Brill,1.2,12,Averley & Daughters,Loft C3
Grey Nan,Muffle kiln,1952,Ilse Maddern,4.1,150,Quarl Foundry,Yard B1
"""
STAFF = """Staff no.,Surname,First name,Post,Joined,Home village,Pass valid until
11,Brill,Hanno,Firer,2011,Ostle,2031-05-02
12,Maddern,Ilse,Firer,2004,Wendham,2029-01-30
13,Tove,Anselm,Thrower,2019,Ostle,2030-08-14
14,Garrick,Edda,Glazer,1998,Pell,2028-03-09
"""
SELLERS = """Firm,Town,Contact,Terms (days)
Dorning Brickworks,Dorning,Una Keld,30
Averley & Daughters,Pell,Jory Averley,45
Quarl Foundry,Quarl,Bram Noss,14
"""
REPORT = """# Report: the shelves that fell

On the night of 4 March 2023 the upper shelves of Red Tom gave way, and ninety jugs were lost. Nobody was hurt. Anselm
Tove, who had stacked them, heard the noise from the throwing room.

# Report: smoke in the loft

In June 2022 the loft filled with smoke when the flue of kiln-07 was blocked by a nest. The fire brigade came from Pell.
"""
PEOPLE = """# People of the works

## Hanno Brill

Before he came to the works, Hanno Brill cast bells for nine years at a foundry in the north. He plays the tuba.

## Ilse Maddern

Ilse Maddern drove a milk cart before she joined us. She lives above the old stables and keeps geese.
"""
WELL = """# The well

There are 2.4 metres of water over the pump at the entrance to the lower yard at the end of a dry summer. The pump was
stopped 46 times in 2021 by the same pebble. Our hand cart is called Dorothea.
"""


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    tables = {"kilns.csv": KILNS, "staff.csv": STAFF, "sellers.csv": SELLERS}
    files = {**tables, "reports.md": REPORT, "people.md": PEOPLE, "well.md": WELL}
    with built(tmp_path_factory.mktemp("works"), files) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many pots fit in Grey Nan?", "150"),
        ("Since when has Edda Garrick worked here?", "1998"),
        ("In which year did Hanno Brill join?", "2011"),
        ("In which store do I find Old Bess?", "Yard A1"),
        ("Which is the longer kiln, Grey Nan or Old Bess?", "Old Bess"),
        ("How many kilns came from Dorning?", "2"),
        ("I need a door for Grey Nan - who's the contact where it was bought?", "Bram Noss"),
    ],
)
def test_a_row_is_asked_by_its_name_and_by_other_words(works: MultiCube, question: str, answer: str) -> None:
    assert works.ask(question, save=False).answer == answer


@pytest.mark.parametrize(
    ("question", "hops", "answer"),
    [
        ("How many pots fit in the kiln whose shelves gave way in March 2023?", ["Red Tom"], "900"),
        ("What year was the kiln built whose flue was blocked by a nest?", ["kiln-07"], "2014"),
        ("What did the keeper of kiln-07 do before he came to the works?", ["Hanno Brill"], "cast bells"),
        ("One kiln lost its shelves in March 2023. Who is the keeper of that kiln?", ["Red Tom"], "Ilse Maddern"),
        (
            "A kiln lost its shelves in March 2023. What did the keeper of that kiln drive before?",
            ["Red Tom", "Ilse Maddern"],
            "milk cart",
        ),
    ],
)
def test_texts_and_rows_lead_to_each_other(works: MultiCube, question: str, hops: list[str], answer: str) -> None:
    run = works.ask(question, save=False)
    assert [hop.answer for hop in run.hops][: len(hops)] == hops
    assert answer in run.answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much water is there over the pump at the entrance to the lower yard at the end of summer?", "2.4 metres"),
        ("How many times was the pump stopped in 2021?", "46"),
        ("What is our hand cart called?", "Dorothea"),
    ],
)
def test_words_of_prose_are_no_arithmetic_and_no_list_of_rows(works: MultiCube, question: str, answer: str) -> None:
    assert answer in works.ask(question, save=False).answer


@pytest.mark.parametrize(
    ("question", "other"),
    [("What is Hanno Brill's date of birth?", "2011"), ("Which town did Old Bess go to in the end?", "1911")],
)
def test_a_column_that_is_not_there_is_not_guessed(works: MultiCube, question: str, other: str) -> None:
    assert other not in works.ask(question, save=False).answer


def test_the_trace_tells_which_column_was_read(works: MultiCube) -> None:
    hop = works.ask("How many pots fit in Grey Nan?", save=False).hops[-1]
    assert "The row says so as 'Capacity (pots)'." in hop.notes
    assert hop.evidence[0].title == "Grey Nan"
