"""Retrieval over chapters in the loop: when it is asked, how it joins cubes and passages, what a reader is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.records import Component
from multicube.cubes.knowledge.base import KnowledgeBase
from multicube.graphs.answer import build_answer_graph
from multicube.graphs.context import AnswerContext
from multicube.graphs.evidence import within
from multicube.graphs.reasoner import HIQA, Decomposition, FinalAnswer, NextStep, Routing, SubAnswer
from multicube.graphs.records import Evidence, Hop, LoopSettings

SHEET = "# RX-200 regulator\n\n## 1 Features\n\nIt stays cool.\n\n## 2 Limits\n\nThe input voltage is at most 7 V.\n"


class Scripted:
    """Asks given subqueries, routes them as told, and keeps what it was given to read."""

    name = "scripted/1"

    def __init__(self, steps: Sequence[tuple[str, Routing, str]]) -> None:
        self._steps = steps
        self.read: list[list[Evidence]] = []

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        if len(hops) == len(self._steps):
            return NextStep(None, sufficient=True)
        return NextStep(self._steps[len(hops)][0].format(hops[-1].answer if hops else ""))

    def route(self, subquery: str) -> Routing:
        return next(routing for asked, routing, _ in self._steps if asked.split("{")[0] in subquery)

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        return Decomposition((Component("film", "name", "Film A0"), Component("film", "to_person", "directed by")))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        self.read.append(list(evidence))
        wanted = next(answer for asked, _, answer in self._steps if asked.split("{")[0] in subquery)
        found = next((e for e in evidence if wanted in e.text), None)
        return SubAnswer((wanted,), 0.9, found.section_id, 0, len(found.text)) if found else SubAnswer()

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        return FinalAnswer(hops[-1].answer, 0.9)


@pytest.fixture
def kb(tmp_path: Path, films: Any, rules: Any, words_encoder: Any, make_film: Any, write_records: Any) -> Iterator[Any]:
    folder = tmp_path / "corpus"
    folder.mkdir()
    write_records(folder / "films.jsonl", [make_film(n, director="RX-200" if n == 0 else "") for n in range(8)])
    (folder / "sheet.md").write_text(SHEET, encoding="utf-8")
    encoder = words_encoder()
    with KnowledgeBase.create(tmp_path / "kb", ontology=films, encoder=lambda: encoder) as made:
        made.ingest([folder], extractor=rules())
        yield made


@pytest.fixture
def ask(kb: KnowledgeBase) -> Callable[..., tuple[dict[str, Any], Scripted]]:
    graph = build_answer_graph(kb.ontology)

    def run(*steps: tuple[str, Routing, str], **settings: Any) -> tuple[dict[str, Any], Scripted]:
        reasoner = Scripted(steps)
        state = {"question": "What is asked?", "settings": LoopSettings(**settings)}
        return graph.invoke(state, context=AnswerContext(reasoner, kb)), reasoner  # type: ignore[call-overload, arg-type]

    return run


def test_a_tool_that_the_engine_names_is_asked_alone(ask: Any) -> None:
    made, _ = ask(("limits of it", Routing((), "told", (HIQA,)), "at most 7 V"))
    (hop,) = made["hops"]
    assert hop.tools == (HIQA,)
    assert hop.fallback is None
    assert hop.evidence[0].path == ("RX-200 regulator", "2 Limits")
    assert all(e.retriever == "hiqa" and e.parts is not None for e in hop.evidence)


def test_naming_a_document_chooses_it_where_the_engine_leaves_it_open(ask: Any) -> None:
    made, _ = ask(("the input voltage of the RX-200", Routing(()), "at most 7 V"))
    assert made["hops"][0].tools == (HIQA,)


def test_without_a_cube_or_a_document_passages_and_chapters_are_both_searched(ask: Any) -> None:
    made, _ = ask(("what stays cool", Routing(()), "stays cool"))
    (hop,) = made["hops"]
    assert hop.tools == ("passages", HIQA)
    assert made["answer"] == "stays cool"
    assert {"linked", "hiqa"} >= {e.retriever for e in hop.evidence}


def test_a_hop_over_a_cube_leads_to_a_hop_over_a_chapter(ask: Any) -> None:
    made, _ = ask(
        ("Who directed Film A0", Routing(("film",)), "RX-200"),
        ("the limits of {}", Routing((), "told", (HIQA,)), "at most 7 V"),
    )
    first, second = made["hops"]
    assert (first.cubes, first.tools) == (("film",), ())
    assert second.subquery == "the limits of RX-200"
    assert (second.cubes, second.tools) == ((), (HIQA,))
    assert made["answer"] == "at most 7 V"


def test_where_cells_do_not_answer_chapters_are_read_as_well(ask: Any) -> None:
    made, reasoner = ask(("which input voltage", Routing(("film",)), "at most 7 V"))
    assert made["hops"][0].fallback == "the cells did not answer it; passages were read as well"
    assert made["answer"] == "at most 7 V"
    assert "hiqa" in {e.retriever for e in reasoner.read[-1]} | {e.retriever for e in made["hops"][0].evidence}


def test_what_is_read_unsurely_in_cells_counts_once_passages_were_read_as_well(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Scripted.answer
    monkeypatch.setattr(Scripted, "answer", lambda *told: replace(read(*told), unsure=True))
    made, reasoner = ask(("Who directed Film A0", Routing(("film",)), "RX-200"))
    assert len(reasoner.read) == 2
    assert made["hops"][0].fallback == "the cells did not answer it; passages were read as well"
    assert made["answer"] == "RX-200"


def test_the_weights_of_the_settings_are_those_of_the_score(ask: Any) -> None:
    made, _ = ask(("limits", Routing((), "", (HIQA,)), "7 V"), alpha=0.9, beta=0.1, keywords=("limits",))
    parts = made["hops"][0].evidence[0].parts
    assert (parts.alpha, parts.beta) == (0.9, 0.1)
    assert "limits" in parts.keywords


def test_a_reader_is_given_what_the_context_has_room_for(ask: Any) -> None:
    made, reasoner = ask(("limits", Routing((), "", (HIQA,)), "7 V"), context_tokens=10)
    (hop,) = made["hops"]
    assert len(hop.evidence) > 1
    assert [len(e.text) <= 40 for e in reasoner.read[0]] == [True]


def item(number: int, text: str) -> Evidence:
    return Evidence(section_id=str(number), document_id="d", record_id="r", title="t", text=text, rank=number)


def test_a_budget_is_filled_in_rank_order() -> None:
    evidence = [item(1, "a" * 400), item(2, "b" * 400), item(3, "One. " * 200), item(4, "d")]
    assert within(evidence, 2_000) == evidence
    kept = within(evidence, 350)
    assert [e.section_id for e in kept] == ["1", "2", "3"]
    assert sum(len(e.text) for e in kept) <= 1_400
    assert kept[2].text.endswith("One.")
    assert evidence[2].text.startswith(kept[2].text)
    assert [e.section_id for e in within(evidence, 220)] == ["1", "2"]  # what is left is not worth giving
    assert [len(e.text) for e in within(evidence, 5)] == [20]
    assert within([], 5) == []
