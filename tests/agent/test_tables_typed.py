"""Questions over tables as people type them: fragments, one of two, what a column says at all, and sums of a column."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from folders import built
from multicube import MultiCube

BIKES = """Bike;Frame maker;Mechanic;Bought;Weight kg;Saddles in stock;Rented out to;Basket
Heron;Brask Cycles;Ulla Penn;2016;14,2;3;;yes
Lapwing;Brask Cycles;Ivo Stane;2019;13,8;0;Tarn Hotel;no
Plover;Odderby;Ulla Penn;2011;14,9;1;;yes
Redshank;Odderby;Ivo Stane;2021;9,75;0;Mill Hostel;yes
"""
HIRES = """Month,Station,Hires,Bikes damaged,Takings (marks)
May,Quayside,310,2,4100
May,Old Mill,120,0,1500
June,Quayside,420,5,5600
June,Old Mill,95,1,1250
July,Quayside,510,4,6900
"""
MECHANICS = """Surname,First name,With us since,Hours per week,First aider
Penn,Ulla,2009-04-01,30,yes
Stane,Ivo,2017-09-15,38,no
Marrick,Tess,2020-02-01,20,yes
"""
CHARGES = """code,charge,notice_days,quayside_eur,mill_eur
RENT,Day rental,0,12.00,11.00
LATE,Late return,0,5.00,5.00
TOUR,Guided tour,in two days,40.00,
"""
DESKS = """clerk,post,desk
Orla Brandt,Rental manager,12
Pim Oster,Head mechanic at the rental,14
"""
REPAIRS = """job,title,repairer,cost
2251,Bent fork of a hired tandem,Ansel Grott,40
2259,New rim for the cargo trike,Bruna Vaz,75
2260,Loose crank of a child's bike,Ansel Grott,15
"""
PEDALS = """pedal,maker,pairs_in_stock
Flatfoot,Orrin Works,12
Clipper,Tarn Forge,4
Grip,Orrin Works,7
"""
MILK = """month,farm,litres,rejected_litres
2024-04,Ridge End,4100,20
2024-04,Sallow Farm,2300,0
2024-05,Ridge End,4450,5
2024-05,Sallow Farm,2500,35
"""


@pytest.fixture(scope="module")
def hire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    with built(
        tmp_path_factory.mktemp("hire"),
        {
            "bikes.csv": BIKES, "hires.csv": HIRES, "mechanics.csv": MECHANICS, "milk-deliveries.csv": MILK,
            "charges.csv": CHARGES, "desks.csv": DESKS, "repairs.csv": REPAIRS, "pedal_stock.csv": PEDALS,
        },
    ) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Heron heavier than the Lapwing?", "yes"),
        ("Heron or Plover, which one has the greater weight?", "Plover"),
        ("Which one is lighter, the Redshank or the Heron?", "Redshank"),
        ("Did we have the Plover or the Lapwing first?", "Plover"),
        ("Out of our two mechanics, Ulla Penn and Ivo Stane, who has been here longer?", "Ulla Penn"),
        ("Does Ulla Penn or Ivo Stane work more hours?", "Ivo Stane"),
    ],
)
def test_two_rows_are_set_side_by_side(hire: MultiCube, question: str, answer: str) -> None:
    assert hire.ask(question, save=False).answer.casefold() == answer.casefold()


def test_what_no_column_compares_is_not_compared(hire: MultiCube) -> None:
    run = hire.ask("Which is prettier, the Heron or the Plover?", save=False)
    assert not any(hop.fact is not None for hop in run.hops)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("heaviest bike?", "Plover"),
        ("Who works the most hours per week?", "Ivo Stane"),
        ("Total hours per week of the mechanics?", "88"),
        ("Number of first aiders among the mechanics", "2"),
        ("How many bikes are rented out right now?", "2"),
        ("Which bikes are rented out?", "Lapwing, Redshank"),
        ("Which bikes are out of saddles?", "Lapwing, Redshank"),
        ("How many different bikes do we have from Brask?", "2"),
        ("How many entries on the bike list have a basket (counting the oldest)?", "3"),
        ("What is the total weight of the bikes?", "52.65"),
    ],
)
def test_rows_are_asked_in_few_words(hire: MultiCube, question: str, answer: str) -> None:
    assert hire.ask(question, save=False).answer.casefold() == answer.casefold()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many hires were there in June?", "515"),
        ("How many bikes damaged at Quayside in total?", "11"),
        ("What were the total takings at Old Mill?", "2750"),
        ("In total, how many hires did we have in May?", "430"),
        ("How many litres were rejected in May 2024?", "40"),
        ("Total milk from all farms in April 2024?", "6400"),
        ("how many hours a week do the two people who are first aiders work together", "50"),
    ],
)
def test_a_column_is_summed_over_rows_that_no_name_tells_apart(hire: MultiCube, question: str, answer: str) -> None:
    run = hire.ask(question, save=False)
    assert run.answer == answer
    assert "total" in run.note


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which month had the most hires?", "June"),
        ("which station made the most takings?", "Quayside"),
        ("Which farm has the fewest rejected litres?", "Ridge End"),
    ],
)
def test_amounts_are_put_together_by_a_column(hire: MultiCube, question: str, answer: str) -> None:
    assert hire.ask(question, save=False).answer == answer


def test_rows_of_one_month_are_told_apart(hire: MultiCube) -> None:
    run = hire.ask("What were the total takings at Old Mill?", save=False)
    assert [row.value for row in run.hops[-1].listed] == ["June, Old Mill", "May, Old Mill"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many people on the mechanics list are first aiders?", "2"),
        ("How many people of the mechanics work at Quayside?", ""),  # no money is counted
        ("Total Quayside charges?", "57 EUR"),
        ("What is the desk of the rental manager?", "12"),  # of two with "rental" the one that is called so
        ("list the pedals we stock from Orrin Works", "Flatfoot, Grip"),
    ],
)
def test_people_money_posts_and_stock(hire: MultiCube, question: str, answer: str) -> None:
    assert hire.ask(question, save=False).answer == answer


def test_what_is_the_charge_for_a_thing_asks_for_a_cell_and_no_row(hire: MultiCube) -> None:
    run = hire.ask("What is the charge for a late return?", save=False)
    assert all("cells" not in hop.tools for hop in run.hops)


def test_numbers_in_front_of_what_rows_are_called_are_not_added_up(hire: MultiCube) -> None:
    run = hire.ask("How many of the jobs in the repairs table were done by Ansel Grott?", save=False)
    assert run.answer != str(2251 + 2260)
    assert hire.ask("Total cost of the repairs?", save=False).answer == "130"
