"""What the embedded engine answers over the bundled sample in words of its own: claims, lists, counts, places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.views.terminal import answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who directed the salt lantern?", "Anselm Torvik"),
        ("What is the name of the stream that flows through Dastra?", "Ommer"),
        ("Tell me where Teodor Lasz was born", "Dastra"),
        ("Name the director of Blue Apothecary.", "Bastian Quell"),
        ("How long is the Ommer?", "538 kilometres"),
        ("How many people were killed by the Saint Odo Storm?", "214"),
        ("Who won the 1978 Orvennan presidential election?", "Sabine Okterran"),
        ("Was Oriane Vaucel born in Bresk?", "yes"),
        ("Was Oriane Vaucel born in Quillon?", "no"),
        ("Is Anselm Torvik older than Radek Ossory?", "yes"),
        ("Did Radek Ossory die before Anselm Torvik?", "no"),
    ],
)
def test_a_question_in_other_words(sample: MultiCube, question: str, answer: str) -> None:
    assert sample.ask(question, save=False).answer == answer


def test_a_question_for_several_lists_them_all(sample: MultiCube) -> None:
    run = sample.ask("Which films did Imre Saldane direct?", save=False)
    assert set(run.answer.split(", ")) == {"A Clerk in the Moon", "Marrin's Mile", "Cartwheel Street"}


def test_the_second_director_is_tried_where_the_first_leads_nowhere(sample: MultiCube) -> None:
    run = sample.ask("Do the films Cartwheel Street and Marrin's Mile have a director in common?", save=False)
    assert run.answer == "yes"
    assert set(run.hops[0].answers) == {"Wenna Strake", "Imre Saldane"}


def test_homonyms_are_told_apart_by_what_they_are_asked_for(sample: MultiCube) -> None:
    novelist = sample.ask("When did the writer of The Cartographer of Small Hours die?", save=False)
    town = sample.ask("In which province is the town where the director of Blue Apothecary was born?", save=False)
    assert novelist.hops[-1].evidence[0].title == "Mirren Tal (novelist)"
    assert town.hops[-1].evidence[0].title == "Mirren Tal"


def test_a_demonym_leads_to_its_country(sample: MultiCube) -> None:
    run = sample.ask(
        "Name the capital of the home country of the person who invented the tidal tabulator?", save=False
    )
    assert [h.subquery for h in run.hops][-1] == "What is the capital of Orvenna?"
    assert run.answer == "Quillon"


def test_of_the_places_of_a_cell_the_country_is_told_where_one_is_asked_for(tmp_path: Path) -> None:
    said = {
        "Camp Torn": "Camp Torn was a training camp north of the city of Orvell, Australia.",
        "Vell Works": "Vell Works is a Turkish company based in the central Ostran province of Merrin.",
    }
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("\n".join(json.dumps({"title": t, "text": text}) for t, text in said.items()), "utf-8")
    with MultiCube.build([corpus], tmp_path / "kb") as kb:
        assert kb.ask("In which country is Camp Torn?", save=False).answer == "Australia", "a continent, too"
        assert kb.ask("In which country is Vell Works?", save=False).answer == "Turkey"


def test_a_subquery_that_fits_no_cube_falls_back_to_passages_and_says_so(sample: MultiCube) -> None:
    hop = sample.ask("Who directed the film The Tin Cathedral?", save=False).hops[0]
    assert hop.cubes == ()
    assert "in no cube" in hop.route_reason
    assert all(e.retriever == "linked" for e in hop.evidence)


def test_sections_that_disagree_are_both_shown(sample: MultiCube) -> None:
    """The sample plants it: a passage about a film dates the studio otherwise than the studio's own passage."""
    run = sample.ask("When was Gannet House Pictures founded?", save=False)
    assert run.answer == "1926"
    assert [(c.value, c.section_id != run.hops[0].evidence[0].section_id) for c in run.hops[0].conflicts] == [
        ("1928", True)
    ]
    shown = "\n".join(line.plain for line in answer(run))
    assert "1926" in shown
    assert "sections disagree" in shown
    assert "1928" in shown


def test_a_day_counts_before_the_year_that_holds_it(tmp_path: Path) -> None:
    text = "Sorrel Weir is a 1984 Norvish drama film directed by Ada Pell. The film was released on 3 May 1984."
    (tmp_path / "film.jsonl").write_text(json.dumps({"title": "Sorrel Weir", "text": text}), encoding="utf-8")
    with MultiCube.build([tmp_path / "film.jsonl"], tmp_path / "kb") as kb:
        assert kb.ask("When was Sorrel Weir released?", save=False).answer == "3 May 1984"
        assert kb.ask("In what year was Sorrel Weir released?", save=False).answer == "1984"


def test_an_age_that_is_stated_comes_before_one_worked_out_of_years(tmp_path: Path) -> None:
    texts = {
        "Lotte Marsh": "Lotte Marsh was born in Dorvale in 1871. She died there in 1954 at the age of 82.",
        "Edvin Pell": "Edvin Pell was born in Dorvale in 1869. He carved masts and died in 1930.",
        "Tove Arn": "Tove Arn was born in Dorvale in 1930. She died there in 1869.",
    }
    corpus = tmp_path / "corpus.jsonl"
    lines = (json.dumps({"title": title, "text": text}) for title, text in texts.items())
    corpus.write_text("\n".join(lines), encoding="utf-8")
    with MultiCube.build([corpus], tmp_path / "kb") as kb:
        assert kb.ask("How old was Lotte Marsh when she died?", save=False).answer == "82"
        assert kb.ask("How old was Edvin Pell when he died?", save=False).answer == "61"
        assert kb.ask("How old was Tove Arn when she died?", save=False).answer == ""
