"""Following links: sections that share nothing with the question but a name in a section found for it."""

from __future__ import annotations

import numpy as np
import pytest
from multicube.cubes.core.records import Section
from multicube.cubes.retrieval.links import LinkIndex
from multicube.cubes.retrieval.wording import asked_words, names_in, stems

TEXTS = {
    "The Tin Orchard": "The Tin Orchard is a play that Brelka Oum wrote in her last winter at Sarn.",
    "Brelka Oum": "Brelka Oum (1801–1866) came from Vessarine, where her father kept bees.",
    "Vessarine": "Vessarine lies on the Ullo. Its mayor is chosen by lot each spring.",
    "Ferry of Hadd": "The ferry of Hadd crosses the Ullo at Vessarine twice a day; its fare is four crowns.",
    "Orchard": "An orchard is a planting of fruit trees. A tin roof may shelter its press. Plays are staged in some.",
    "Beekeeping": "Beekeeping is the keeping of bees. A father often teaches it.",
    "Prices": "A fare is the price of a journey, such as one by ferry.",
    "Rook (river)": "The Rook is a river. It freezes late.",
    "Sarn": "Sarn has two wells and an old mill.",
}
TITLES = list(TEXTS)


def sections(texts: dict[str, str] = TEXTS) -> list[Section]:
    return [Section(t, f"d-{t}", f"r-{t}", 0, (t,), text) for t, text in texts.items()]


def ranking(index: LinkIndex, query: str, **options: object) -> list[str]:
    return [TITLES[n] for n, _ in index.best(query, {}, len(TITLES), **options)]  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def index() -> LinkIndex:
    return LinkIndex(sections())


def test_a_title_that_stands_in_the_best_section_comes_next(index: LinkIndex) -> None:
    question = "When was the author of the play The Tin Orchard born?"
    assert ranking(index, question)[0] == "The Tin Orchard"
    assert "Brelka Oum" in ranking(index, question)[:3]
    assert "Brelka Oum" not in ranking(index, question, follow=False)


def test_a_shared_name_leads_to_what_the_question_leaves_open(index: LinkIndex) -> None:
    question = "What is the fare of the ferry in the town Brelka Oum came from?"
    without, found = ranking(index, question, follow=False), ranking(index, question)
    assert "Vessarine" in found
    assert "Vessarine" not in without
    assert "Ferry of Hadd" in found[:3]


def test_links_are_followed_against_their_direction(index: LinkIndex) -> None:
    found = ranking(index, "Which play did Brelka Oum write?")
    assert found.index("The Tin Orchard") < 2
    assert found.index("Orchard") > 1


def test_one_look_finds_inflected_words_and_titles_without_their_brackets(index: LinkIndex) -> None:
    assert ranking(index, "freezing", follow=False) == ["Rook (river)"]
    assert ranking(index, "rook", follow=False) == ["Rook (river)"]


def test_sections_near_in_meaning_count_without_a_shared_word(index: LinkIndex) -> None:
    ((best, _),) = index.best("honey", {TITLES.index("Beekeeping"): 0.7, TITLES.index("Prices"): 0.1}, 1)
    assert best == TITLES.index("Beekeeping")


def test_a_section_that_is_not_allowed_is_neither_found_nor_followed(index: LinkIndex) -> None:
    allowed = np.array([title != "The Tin Orchard" for title in TITLES])
    question = "When was the author of the play The Tin Orchard born?"
    assert {"The Tin Orchard", "Brelka Oum"}.isdisjoint(ranking(index, question, allowed=allowed))


def test_nothing_speaks_for_anything(index: LinkIndex) -> None:
    assert ranking(index, "zzyzx") == []
    assert ranking(index, "") == []
    assert LinkIndex([]).best("anything", {}, 3) == []


def test_the_ranking_does_not_depend_on_earlier_questions(index: LinkIndex) -> None:
    question = "What is the fare of the ferry in the town Brelka Oum came from?"
    assert ranking(LinkIndex(sections()), question) == ranking(index, question)


def test_a_title_of_question_words_is_not_met_by_every_question() -> None:
    texts = {"The Who": "A band.", "Sarn": "Who dug the wells of Sarn is not known."}
    ((best, _),) = LinkIndex(sections(texts)).best("Who dug the wells?", {}, 1, follow=False)
    assert best == 1


def test_the_best_few_are_the_first_of_all(index: LinkIndex) -> None:
    question, near = "What is the fare of the ferry at Vessarine?", {0: 0.4, 5: 0.3, 7: -0.1}
    everything = index.best(question, near, len(TITLES))
    assert len(everything) > 5
    for k in range(1, len(everything)):
        assert index.best(question, near, k) == everything[:k]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The mayor, Ada Vell of Orm, opened it.", ["Ada Vell of Orm"]),
        ("In 1962 Ada Vell left.", ["1962 Ada Vell", "Ada Vell"]),
        ("He read the House of the Seven Winds. It is long.", ["House of the Seven Winds"]),
        ("J. R. Oum's brother", ["J. R. Oum's"]),
        ("nothing here, in 1962", []),
        ("", []),
    ],
)
def test_names_are_runs_of_capitalised_words(text: str, names: list[str]) -> None:
    assert list(names_in(text)) == names


def test_words_that_only_ask_are_left_out() -> None:
    assert asked_words("In what city was the founder of the city founded?") == ["citi", "founder", "found"]
    assert stems("Founding cities") == ["found", "citi"]
