"""Questions over the rows of tables, as CSV files or inside documents, and from one table to another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from folders import built
from multicube import MultiCube

BOATS = """Boat No.,Boat name,Home port,Skipper,Built,Length (m),Catch,Radar,Price,Last checked
B-07,Marigold,Marram,Ines Ravn,1987,14.5,Herring,yes,"£41,000",12 Jul 2019
B-12,Osprey,Tern Bay,Olaf Dray,2004,22,Cod,no,"£210,000",07 Jun 2014
B-15,Quillon,Marram,Olaf Dray,1996,19,Herring,yes,"£96,500",03 May 2021
B-21,Sandpiper,Dunmore,Pia Holt,2015,9,Crab,no,"£18,200",24 Aug 2020
"""
PORTS = """port,county,harbour master,berths
Marram,Wessel,Tove Lind,40
Tern Bay,Wessel,Karl Aue,65
Dunmore,Strand,Tove Lind,12
"""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    with built(tmp_path_factory.mktemp("fleet"), {"boats.csv": BOATS, "ports.csv": PORTS}) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the skipper of the Marigold?", "Ines Ravn"),
        ("Who is the skipper of B-21?", "Pia Holt"),
        ("When was the Osprey built?", "2004"),
        ("What is the Sandpiper's length?", "9"),
        ("How many boats are there?", "4"),
        ("How many boats have radar?", "2"),
        ("Which boats have Marram as their home port?", "Marigold, Quillon"),
        ("Which boats belong to Marram?", "Marigold, Quillon"),
        ("Which boat is the oldest?", "Marigold"),
        ("Which boat has the greatest length?", "Osprey"),
        ("Which boats were built after 2000?", "Osprey, Sandpiper"),
        ("Which boats have a length of more than 15?", "Osprey, Quillon"),
        ("Which boats have a length of more than 1500 cm?", "Osprey, Quillon"),
        ("Which boats have a price of less than £50,000?", "Marigold, Sandpiper"),
        ("Which boat is the longest?", "Osprey"),
        ("Which boat is the most expensive?", "Osprey"),
        ("Which boats were checked after 2018?", "Marigold, Quillon, Sandpiper"),
        ("Which boats have no radar?", "Osprey, Sandpiper"),
        ("How many herring boats are based at Marram?", "2"),
        ("Which port has the most berths?", "Tern Bay"),
        ("How many ports have fewer than 50 berths?", "2"),
        ("Which has more berths, Marram or Dunmore?", "Marram"),
        ("Who is the harbour master of the home port of the Quillon?", "Tove Lind"),
        ("Who is the harbour master of the port with the most berths?", "Karl Aue"),
        ("Does the Marigold have radar?", "yes"),
        ("Does the Osprey have radar?", "no"),
    ],
)
def test_rows_are_asked(fleet: MultiCube, question: str, answer: str) -> None:
    assert fleet.ask(question, save=False).answer.casefold() == answer.casefold()


def test_each_hop_names_the_cell_it_comes_from(fleet: MultiCube) -> None:
    run = fleet.ask("Who is the harbour master of the home port of the Quillon?", save=False)
    assert [(hop.fact.cube, hop.fact.relation) for hop in run.hops if hop.fact is not None] == [
        ("table_boats", "Home port"), ("table_ports", "harbour master"),
    ]  # fmt: skip


def test_what_no_column_says_is_not_counted(fleet: MultiCube) -> None:
    run = fleet.ask("How many boats were painted by Olaf Dray?", save=False)
    assert (run.answer, "columns" in run.note) == ("", True)


def test_each_sheet_of_a_workbook_is_a_table(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Crew"
    for row in (["Name", "Boat"], ["Ada Lund", "Osprey"], ["Ben Holt", "Quillon"]):
        book.active.append(row)
    trips = book.create_sheet("Trip log")
    for row in (["Trip", "Boat", "Fish (kg)"], ["T-1", "Osprey", 310], ["T-2", "Osprey", 95], ["T-3", "Quillon", 140]):
        trips.append(row)
    book.save(tmp_path / "fleet.xlsx")
    with MultiCube.build([tmp_path / "fleet.xlsx"], tmp_path / "kb") as kb:
        assert kb.ask("How many trips are there?", save=False).answer == "3"
        assert kb.ask("Which trips have more than 100 kg fish?", save=False).answer == "T-1, T-3"
        assert kb.ask("What is the boat of Ben Holt?", save=False).answer == "Quillon"


def test_rows_that_are_gone_are_asked_no_more(tmp_path: Path) -> None:
    table = tmp_path / "ports.csv"
    table.write_text(PORTS, encoding="utf-8")
    with MultiCube.build([table], tmp_path / "kb") as kb:
        assert kb.ask("How many ports are there?", save=False).answer == "3"
        table.write_text("\n".join(PORTS.splitlines()[:3]), encoding="utf-8")
        kb.ingest([table])
        assert kb.ask("How many ports are there?", save=False).answer == "2"


PLOTS = """Plot no.,Nickname,Holder,Taken on,Area (m²),Wt of crop (kg),Wtr tap,Crop,Rent,Shed
P-1,Thistledown,Mara Quill,2009,120,45,yes,Beans,£60,S-1
P-2,Long Acre,Tobin Rusk,2018,210,80,no,Potatoes,£95,S-2
P-3,Corner Patch,Mara Quill,2014,60,,yes,Beans,£35,
P-4,Windy End,,2021-03-02,150,30,no,Leeks,£70,S-1
"""
SHEDS = """Shed,Lock,Key holder,Inspection due
S-1,Combination,Ivo Pell,2027-04-11
S-2,Padlock,Greta Moss,2027-09-30
"""


@pytest.fixture(scope="module")
def plots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    with built(tmp_path_factory.mktemp("plots"), {"plots.csv": PLOTS, "sheds.csv": SHEDS}) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many beans plots have a water tap?", "2"),
        ("Which plots have no holder?", "Windy End"),
        ("How many plots do not have potatoes?", "3"),
        ("Which plots are not in S-1?", "Corner Patch, Long Acre"),
        ("Which plot has the heaviest crop?", "Long Acre"),
        ("Which plots of more than 100 m² have no water tap?", "Long Acre, Windy End"),
        ("Which sheds have their inspection due in April 2027?", "S-1"),
        ("Which plots are in sheds with a padlock?", "Long Acre"),
        ("What is the total rent of the plots?", "£260"),
        ("What is the average area of plots with a water tap?", "90 m²"),
        ("What's the total rent of beans plots?", "£95"),
        ("Which holder has the most plots?", "Mara Quill"),
        ("Which shed has the fewest plots?", "S-2"),
        ("Who is the key holder of Thistledown?", "Ivo Pell"),
        ("Which lock is on the shed of Long Acre?", "Padlock"),
        ("How large is Long Acre's area?", "210"),
        ("Does Long Acre have a water tap?", "no"),
        ("Who is the holder of Windy End?", ""),
    ],
)
def test_rows_are_asked_in_other_words_than_the_headers(plots: MultiCube, question: str, answer: str) -> None:
    assert plots.ask(question, save=False).answer.casefold() == answer.casefold()


@pytest.mark.parametrize(
    ("question", "answer", "taken"),
    [
        ("Which plots does Mara Quill look after?", "Corner Patch, Thistledown", "'look' was taken for 'Holder'"),
        ("Which plot is the oldest?", "Thistledown", "'oldest' was taken for 'Taken on'"),
        ("Which gardens does Tobin Rusk have?", "Long Acre", "'gardens' was taken for 'plot'"),
        ("Which holder has the most plots over 100 m²?", "Mara Quill, Tobin Rusk", "was taken for 'Area (m²)'"),
    ],
)
def test_what_words_were_taken_for_is_told_and_makes_it_less_sure(
    plots: MultiCube, question: str, answer: str, taken: str
) -> None:
    run = plots.ask(question, save=False)
    assert run.answer == answer
    assert taken in run.note
    assert run.confidence < 0.9


def test_what_a_total_leaves_out_is_told(plots: MultiCube) -> None:
    run = plots.ask("What is the total crop of the beans plots?", save=False)
    assert (run.answer, "Of 1 more it is not stated" in run.note) == ("45 kg", True)


TOOLS = """Code,Tool,Kind,Bought,Price (£/day),Lent to,Sharpened?,Uses
T-1,Loam rake,hand tool,2019-03-02,1.50,M-2,yes,beds
T-2,Hop hoe,hand tool,2016-05-11,1,M-2,no,beds
T-3,Furrow plough,machine,2021-08-30,12,M-1,no,fields
T-4,Mulch mill,machine,2014-02-17,18,,no,twigs; leaves
T-5,Sickle,hand tool,2018-10-01,2,M-3,yes,hedges; reeds
T-6,Seed drill,machine,2020-04-05,9,M-2,no,fields
T-7,Turf spade,hand tool,2011-06-23,1.25,,yes,lawns
T-8,Water butt,vessel,2013-07-19,3,M-1,no,beds; lawns
"""
MEMBERS = """Member no.,Name,Joined,Role,Tel.
M-1,Mara Quill,03/04/2019,plot warden,0170 441
M-2,Tobin Rusk,21/04/2018,gate warden,0170 562
M-3,Greta Moss,06/05/2020,treasurer,
"""


@pytest.fixture(scope="module")
def shared_tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    with built(tmp_path_factory.mktemp("shared_tools"), {"tools.csv": TOOLS, "members.csv": MEMBERS}) as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the Loam rake lent to?", "Tobin Rusk"),  # the cell says M-2
        ("Which member has the most tools?", "Tobin Rusk"),
        ("How many wardens do we have on the books?", "2"),
        ("How many tools were lent to Mara Quill?", "2"),
        ("Which tools haven't been sharpened yet?", "Furrow plough, Hop hoe, Mulch mill, Seed drill, Water butt"),
        ("Which machines did we buy before 2018?", "Mulch mill"),
        ("Which members joined in April 2019?", "Mara Quill"),  # the day comes first, as 21/04/2018 tells
        ("What do we charge for machines on average?", "13"),
        ("What does the Sickle cost?", "2"),
        ("What's the cheapest gadget that we hire out?", "Hop hoe"),
        ("What is Mara Quill's phone number?", "0170 441"),
        ("What is Greta Moss's phone number?", ""),
        ("What are the uses of the Sickle?", "hedges, reeds"),
        ("Which kind did we buy the most tools of?", "hand tool"),
        ("Which tools have a price between 2 and 12?", "Furrow plough, Seed drill, Sickle, Water butt"),
        ("How many tools were stolen?", ""),
        ("Which tools are the members fond of?", ""),
    ],
)
def test_rows_are_asked_by_what_people_call_them(shared_tools: MultiCube, question: str, answer: str) -> None:
    assert shared_tools.ask(question, save=False).answer.casefold() == answer.casefold()


FERRY = """# Wimble Ferry Handbook

The Wimble line crosses the sound all year. This handbook is for passengers.

## Ships

| Ship | Launched | Cars | Harbour | Has a cafe | Fuel type |
|---|---|---|---|---|---|
| Tamsin | 1998 | 40 | Brack | yes | diesel |
| Corrie | 2011 | 65 | Ollen | no | diesel |
| Yarrow | 2019 | 30 | Brack | yes | battery |

In fog the ships wait in the harbour until the pilot gives leave.

## Fares

Table 1: Tickets

| Ticket | Price | Valid for |
|---|---|---|
| Single | 6 EUR | one crossing |
| Day card | 11 EUR | one day |
| Ten card | 45 EUR | ten crossings |

## Engines

| Parameter | Min | Typ | Max |
|---|---|---|---|
| Oil pressure | 2 bar | 3 bar | 5 bar |
| Oil pressure, hot | 1 bar | 2 bar | 4 bar |
"""
TRAM = """# Ellert Tram Handbook

The tram of Ellert has two lines.

## Tickets

| Ticket | Price | Valid for |
|---|---|---|
| Short hop | 2 EUR | three stops |
| Day card | 8 EUR | one day |

## Rules

Dogs travel free. Bicycles need a ticket of their own.
"""


@pytest.fixture(scope="module")
def handbooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    with built(tmp_path_factory.mktemp("handbooks"), {"ferry.md": FERRY, "tram.md": TRAM, "kiln.md": KILN}) as kb:
        yield kb


KILN = """# Oast Kiln Notes

The kiln dries hops.

## Firing

Light the kiln with dry wood. Open the vent when the smoke turns white.

## Cleaning

Sweep the flue each spring.
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many ships are there?", "3"),
        ("How many ships have a cafe?", "2"),
        ("Which ships do not have a cafe?", "Corrie"),
        ("Which ships are based at Brack?", "Tamsin, Yarrow"),
        ("Which ships have diesel fuel?", "Corrie, Tamsin"),
        ("Which ships are of fuel type battery?", "Yarrow"),
        ("Which ship has the most cars?", "Corrie"),
        ("Which ships were launched after 2000?", "Corrie, Yarrow"),
        ("Which ships have fewer than 50 cars?", "Tamsin, Yarrow"),
        ("Which tickets in the Ellert Tram Handbook have a price of less than 10 EUR?", "Day card, Short hop"),
        ("How many tickets are there in the Wimble Ferry Handbook?", "3"),
        ("What is the harbour of the Corrie?", "Ollen"),
        ("What is the typical oil pressure?", "3 bar"),
        ("How much is a ten card?", "45 EUR"),
        ("What should I light the kiln with?", "dry wood"),
    ],
)
def test_tables_inside_documents_are_asked(handbooks: MultiCube, question: str, answer: str) -> None:
    assert handbooks.ask(question, save=False).answer.casefold() == answer.casefold()


def test_a_row_told_of_in_two_documents_is_read_in_the_one_that_is_named(handbooks: MultiCube) -> None:
    asked = "What is the price of a day card in the {} Handbook?"
    told = [handbooks.ask(asked.format(name), save=False).answer for name in ("Wimble Ferry", "Ellert Tram")]
    assert told == ["11 EUR", "8 EUR"]


def test_what_stands_beside_a_table_is_read(handbooks: MultiCube) -> None:
    run = handbooks.ask("What do the ships do in fog?", save=False)
    assert "wait in the harbour" in run.answer
