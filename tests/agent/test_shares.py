"""A share of things is two counts over the cells: "What share of the films by A were released after 1960?"."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from multicube import MultiCube

FILMS = {"Grey Harvest": 1951, "The Tin Orchard": 1958, "Low Water": 1963, "A Kite for Odessa": 1971}
TEXTS = {
    **{f: f"{f} is a Norvish film directed by Ida Marlow. It was released in {year}." for f, year in FILMS.items()},
    "The Lock Keeper": "The Lock Keeper is a 1990 Norvish film directed by Otto Brandt. It was released in 1990.",
    "Ida Marlow": "Ida Marlow (born 3 May 1920 in Tarn) was a film director. She was the mother of Otto Brandt.",
    "Glass Works": "About 40 percent of the workers at Glass Works were born in Tarn.",
}


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    path = tmp_path_factory.mktemp("films")
    corpus = path / "corpus.jsonl"
    corpus.write_text("\n".join(json.dumps({"title": t, "text": text}) for t, text in TEXTS.items()), "utf-8")
    with MultiCube.build([corpus], path / "kb") as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What share of the films directed by Ida Marlow were released after 1960?", "50 % (2 of 4)"),
        ("What percentage of films by Ida Marlow were made after 1970?", "25 % (1 of 4)"),
        ("Which fraction of all the films that Ida Marlow directed were released before 1960?", "50 % (2 of 4)"),
    ],
)
def test_a_share_is_of_what_the_cells_hold(films: MultiCube, question: str, answer: str) -> None:
    run = films.ask(question, save=False)
    assert run.answer == answer
    assert [hop.answer for hop in run.hops] == [answer.split()[-1].strip(")"), answer.split("(")[1].split()[0]]
    assert all(hop.cubes == ("cultural_product",) for hop in run.hops)


def test_a_name_that_is_described_is_joined_in_each_count(films: MultiCube) -> None:
    asked = "What share of the films directed by the director of Low Water were released after 1970?"
    run = films.ask(asked, save=False)
    assert run.answer == "25 % (1 of 4)"
    assert [hop.subquery for hop in run.hops] == [
        "How many films directed by the director of Low Water are there?",
        "How many films directed by the director of Low Water were released after 1970?",
    ]


def test_a_part_that_no_cell_holds_is_not_nought(films: MultiCube) -> None:
    run = films.ask("What share of the films directed by Ida Marlow were released after 1990?", save=False)
    assert not run.answer
    assert "How many films directed by Ida Marlow were released after 1990?" in run.note


@pytest.mark.parametrize(
    "question",
    [
        "What percentage of the workers at Glass Works were born in Tarn?",
        "What percentage of the people born in Tarn are at Glass Works?",
        "What share of the population of Tarn was born in Tarn?",
        "What share of the films were long?",
    ],
)
def test_a_share_that_a_text_states_is_read_as_before(films: MultiCube, question: str) -> None:
    assert not any(hop.subquery.startswith("How many") for hop in films.ask(question, save=False).hops)
