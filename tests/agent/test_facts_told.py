"""What a fact tells as an answer: in the question's form, of the kind that is asked for, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from conftest import write_jsonl
from multicube import MultiCube
from multicube.agent.engines.embedded.confidence import fact_probability
from multicube.cubes.core.records import Fact, Span

TEXTS = {
    "The Salt Road (film)": "The Salt Road is a silent film that was directed by Ada Lund.",
    "Lamps of Vell": "Lamps of Vell is a puzzle game. Its makers released it in May 2003 for the Torn Console.",
    "Otto Marr": "Otto Marr (born 5 May 1950) is a painter. In 1980 he moved to Carse.",
    "Hesk Oils": "Hesk Oils is a company that sells lamp oil. It has a depot at the harbour.",
}
BORN = Fact(
    "s", "person", "birth", "Otto Marr", "born on", "5 May 1950", "date", Span(16, 26), Span(0, 40), confidence=0.9
)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("told")
    rows = [{"title": title, "text": text} for title, text in TEXTS.items()]
    MultiCube.build([write_jsonl(folder / "texts.jsonl", rows)], folder / "kb").close()
    with MultiCube.open(folder / "kb") as opened:
        yield opened


def test_a_title_is_told_without_what_stands_in_brackets(kb: MultiCube) -> None:
    assert kb.ask("Which film did Ada Lund direct?", save=False).answer == "The Salt Road"


def test_which_platform_is_no_date(kb: MultiCube) -> None:
    hop = kb.ask("On which platform was Lamps of Vell released?", save=False).hops[0]
    assert hop.fact is None
    assert "2003" not in hop.answer


def test_an_organization_is_nobody_who_lives_there(kb: MultiCube) -> None:
    assert "Otto Marr" not in kb.ask("Which organization is based in Carse?", save=False).answer


def test_how_sure_a_fact_is() -> None:
    alone = fact_probability(BORN, "Otto Marr", ["5 May 1950"])
    assert 0.9 < alone < 1
    assert fact_probability(BORN, "Otto Marr", ["5 May 1950", "1951"]) < alone
    assert fact_probability(BORN, "Painters of Vell", ["5 May 1950"]) < alone
    assert fact_probability(replace(BORN, kind="place"), "Otto Marr", ["5 May 1950"]) < alone
    assert fact_probability(BORN, "Otto Marr", ["Otto Marr"]) < alone  # read the other way round
    assert fact_probability(replace(BORN, origin="person"), "", ["5 May 1950", "1951"]) == 1
