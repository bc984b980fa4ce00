"""Questions over a hypercube that ask of several cells: one subquery, one answer and one citation for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from conftest import write_jsonl
from multicube import MultiCube

NEWS = {
    "Coast": "Tropical Storm Odo brought 25 inches of rainfall to Marram Beach in August 2009.",
    "Bay": "Tropical Storm Odo brought 18 inches of rainfall to Tern Bay in August 2009.",
    "Money": "Tropical Storm Odo caused losses of 60 million dollars in Marram Beach.",
    "Other": "A drought came to Quillon in 2011. The harvest of barley was lost.",
    "Fire": "A wildfire burnt the forests near Dunmore in 2014.",
}


@pytest.fixture(scope="module")
def news(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    path = tmp_path_factory.mktemp("news")
    corpus = write_jsonl(path / "corpus.jsonl", [{"title": title, "text": text} for title, text in NEWS.items()])
    with MultiCube.build([corpus], path / "kb", ontology="scidcc-hurricane") as kb:
        yield kb


def test_each_of_two_places_is_answered_and_cited(news: MultiCube) -> None:
    run = news.ask("How much rainfall did Marram Beach and Tern Bay receive from Tropical Storm Odo?", save=False)
    assert [hop.subquery for hop in run.hops] == [
        "How much rainfall did Marram Beach receive from Tropical Storm Odo?",
        "How much rainfall did Tern Bay receive from Tropical Storm Odo?",
    ]
    first, second = run.answer.split("; ")
    assert first.startswith("Marram Beach: 25 inches")
    assert second.startswith("Tern Bay: 18 inches")
    assert [citation.title for citation in run.citations] == ["Coast", "Bay"]


def test_the_papers_second_case_opens_four_cells(news: MultiCube) -> None:
    run = news.ask(
        "What consequences were caused by Tropical Storm Odo, such as how much rainfall Marram Beach and Tern Bay in "
        "August received, and how much losses were caused?",
        save=False,
    )
    assert len(run.hops) == 4
    assert all("Tropical Storm Odo" in hop.subquery for hop in run.hops)
    keys = [part.split(": ")[0] for part in run.answer.split("; ")]
    assert keys == ["Marram Beach, rainfall", "Tern Bay, rainfall", "Marram Beach, losses", "Tern Bay, losses"]
    assert "25 inches" in run.answer
    assert "60 million" in run.answer


@pytest.mark.parametrize(
    "question",
    [
        "How much rainfall did Marram Beach receive?",
        "What is the distance between Marram Beach and Tern Bay?",
        "How much more rainfall did Marram Beach receive than Tern Bay?",
        "Why were Marram Beach and Tern Bay flooded?",
    ],
)
def test_one_cell_and_values_meant_together_are_one_hop(news: MultiCube, question: str) -> None:
    assert [hop.subquery for hop in news.ask(question, save=False).hops] == [question]
