"""Hypothetical queries and answer tables by a model over real HTTP: every strategy, what it costs, what is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault, ModelRequest, ModelServer
from modelserver.competent import Competent
from modelserver.recognising import Recogniser
from multicube import MultiCube
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.graphs.records import LoopSettings, Run

QUESTION = "Which drugs are used for Velmoria, and what are their side effects?"
TEXTS = {
    "Lumavex": "Lumavex is a drug used for Velmoria.",
    "Reports on Lumavex": "In two trials the side effects of Lumavex included nausea.",
    "Dorzanil": "Dorzanil is a drug used for Velmoria.",
    "Reports on Dorzanil": "In two trials the side effects of Dorzanil included dizziness.",
    "Velmoria": "Velmoria is a disease of the nerves.",
}


def table(request: ModelRequest) -> Any:
    """What a model would read off these sections, with one row that it made up."""

    def cell(value: str, quote: str) -> dict[str, str]:
        return {"value": value, "document": "d1", "quote": quote}

    told = [(d, e) for d, e in (("Lumavex", "nausea"), ("Dorzanil", "dizziness")) if f"{d} included" in request.text]
    rows = [[cell(d, TEXTS[d]), cell(e, TEXTS[f"Reports on {d}"])] for d, e in told]
    rows.append([cell("Mendacol", "Mendacol is a drug."), cell("immortality", "The side effect of Mendacol.")])
    return {"rows": [{"cells": row} for row in rows]}


def brain(request: ModelRequest) -> Any:
    return table(request) if Recogniser().task(request).prompt == "answer_table" else Competent()(request)


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("drugs")
    file = place / "drugs.jsonl"
    lines = [json.dumps({"id": title, "title": title, "text": text}) for title, text in TEXTS.items()]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    MultiCube.build([file], place / "kb", engine="embedded").close()
    return place / "kb"


@pytest.fixture
def ask(kb: Path, serve: Callable[..., ModelServer]) -> Callable[..., tuple[Run, ModelServer]]:
    def run(faults: Any = (), **settings: Any) -> tuple[Run, ModelServer]:
        server = serve(brain, faults=faults)
        with MultiCube.open(kb, model=ModelOptions(f"{server.url}#stand-in", cache=False)) as opened:
            return opened.ask(QUESTION, settings=LoopSettings(**settings), save=False), server

    return run


def asked(server: ModelServer) -> list[str]:
    return [Recogniser().task(request).prompt for request in server.chats]


def test_a_model_supposes_answers_and_splits_each_by_intent(ask: Callable[..., tuple[Run, ModelServer]]) -> None:
    run, server = ask(hypotheses=3)
    (hop,) = run.hops
    assert hop.expanded == "several intents"
    assert {statement.hypothesis for statement in hop.statements} == {1, 2, 3}
    assert len({statement.intent for statement in hop.statements}) == 2
    assert asked(server).count("hypothetical_answers") == 1
    assert asked(server).count("hypothetical_statements") == 3
    assert run.usage.stages["expand"].requests == 5
    assert run.usage.stages["table"].requests == 1


def test_a_model_names_the_intents_that_no_rule_reads_off_the_words(
    kb: Path, serve: Callable[..., ModelServer]
) -> None:
    def named(request: ModelRequest) -> Any:
        if Recogniser().task(request).prompt != "question_intents":
            return brain(request)
        head = "Which drugs are used for Velmoria?"
        return {"subject": "", "instance": "drugs", "head": head, "intents": ["side effects"]}

    server = serve(named)
    question = "Against Velmoria, which drugs does one take and suffer what from?"
    with MultiCube.open(kb, model=ModelOptions(f"{server.url}#stand-in", cache=False)) as opened:
        run = opened.ask(question, save=False)
        plain = opened.ask("Which drugs are used for Velmoria?", save=False)
    assert run.table is not None
    assert run.table.columns == ("drugs", "side effects")
    assert asked(server).count("question_intents") == 1, "a question that joins nothing is not asked about"
    assert plain.table is None


def test_the_table_holds_what_sections_say_and_nothing_else(ask: Callable[..., tuple[Run, ModelServer]]) -> None:
    run, _ = ask()
    assert run.table is not None
    found = {row[0].value: row[1].value for row in run.table.rows}
    assert found == {"Lumavex": "nausea", "Dorzanil": "dizziness"}
    cited = {c.number: c.sentence for c in run.citations}
    assert all(cell.value in cited[cell.citation or 0] for row in run.table.rows for cell in row)
    assert "Mendacol" not in run.answer


@pytest.mark.parametrize(
    ("strategy", "prompt"),
    [("rewrite", "query_rewriting"), ("hyde", "hypothetical_document"), ("core_subq", "core_subquestions")],
)
def test_other_strategies_take_one_request_besides_that_for_the_intents(
    ask: Callable[..., tuple[Run, ModelServer]], strategy: str, prompt: str
) -> None:
    run, server = ask(strategy=strategy)
    assert asked(server).count(prompt) == 1
    assert run.usage.stages["expand"].requests == 2
    assert run.hops[0].statements


def test_never_asks_for_none_and_a_refusal_costs_the_statements_alone(
    ask: Callable[..., tuple[Run, ModelServer]]
) -> None:
    run, server = ask(expand="never")
    assert not {"hypothetical_answers", "hypothetical_statements"} & {*asked(server)}
    assert run.hops[0].statements == ()

    def refused(request: ModelRequest) -> Fault | None:
        return Fault.refusal() if Recogniser().task(request).prompt == "hypothetical_answers" else None

    run, _ = ask(faults=refused)
    assert run.hops[0].statements == ()
    assert any("No hypothetical answers were made" in note for note in run.hops[0].notes)
    assert run.status == "answered"
