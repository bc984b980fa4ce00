"""Answers take the form of their question, and every surface tells the same answer, quotation and confidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from multicube import MultiCube
from multicube.agent.app.langchain_tools import answered
from multicube.agent.cli.application import app
from multicube.agent.engines.embedded.vocabulary.question_forms import read_asked_form
from multicube.agent.mcp.results import AnswerResult
from multicube.agent.views import terminal as rendering
from multicube.agent.views.trace_page import trace_page
from multicube.graphs.quoting import quoted
from multicube.graphs.reasoner import FinalAnswer
from multicube.graphs.records import Evidence, Hop, Run
from typer.testing import CliRunner

MANUAL = """# Harbour lamp manual

## Lighting the lamp

Keepers light the lamp at dusk. To light the lamp:

1. Fill the tank with oil.
2. Trim the wick.
3. Turn the brass key.

## Cleaning

The lens is cleaned every morning because salt dims the light. If the lens is cracked, the lamp goes out and the bell \
must be rung instead.

## Commands

The controller is started from the shell:

    lampctl start --all

## Kinds of lamp

There are three kinds of lamp:

- **Gas lamp**: burns gas.
- **Oil lamp**: burns oil.
- **Arc lamp**: needs current.

## Lamps that are left out

By default the round skips the following lamps:

```
north-mole, old-pier
```

## Terms

A gimbal is a pair of rings that keeps the lamp level. The lamp must not be moved while it burns.
"""
WEIR = (
    "Sorrel Weir is a low dam that raises the river Anse. It was built in 1871 by Odo Pell. "
    "The weir was raised in 1902 because the mill lacked water.\n"
)
STEPS = (
    "To light the lamp:\n\n"
    "1. Fill the tank with oil.\n2. Trim the wick.\n3. Turn the brass key."
)
UNSAID = "Which mill lacked water in 1850 at Tessel?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = tmp_path_factory.mktemp("harbour")
    (texts / "lamp.md").write_text(MANUAL, encoding="utf-8")
    (texts / "weir.txt").write_text(WEIR, encoding="utf-8")
    MultiCube.build([texts], texts / "kb").close()
    return texts / "kb"


@pytest.fixture(scope="module")
def kb(folder: Path) -> Iterator[MultiCube]:
    with MultiCube.open(folder) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many lamps are there?", "short"),
        ("How long does the oil last?", "short"),
        ("Please tell me how to trim the wick", "passage"),
        ("If the lens is cracked, what happens?", "passage"),
        ("In winter, why is the bell rung?", "passage"),
        ("What should I do when the wick smokes?", "passage"),
        ("Could you explain how the lamp is lit?", "passage"),
        ("Must the lens be cleaned?", "verdict"),
        ("Is it gas or oil?", "short"),
        ("What are the kinds of lamp?", "list"),
        ("What is a gimbal?", "definition"),
        ("What is the name of the weir?", "short"),
        ("What does 'gimbal' mean?", "definition"),
        ("Who built Sorrel Weir?", "short"),
        ("The lamp goes out at night, why?", "passage"),
        ("I want a brighter lamp. How do I get one?", "passage"),
        ("We burn whale oil here. Will the lamp take it?", "verdict"),
        ("In Whitby, is the lamp lit?", "verdict"),
        ("After wheels fall off, is the clock wound?", "verdict"),
        ("Rape oil or whale oil: how do they differ?", "passage"),
        ("What if the wick smokes?", "passage"),
        ("What's the difference between rape oil and whale oil?", "passage"),
        ("gas lamp or oil lamp, whats the difference?", "passage"),
        ("What is the brass key for?", "passage"),
        ("What is the keeper known for?", "short"),
        ("What becomes of the light when the oil runs out?", "passage"),
        ("my lamp smokes how do I trim the wick", "passage"),
        ("What is a gimbal in this manual?", "definition"),
        ("What does 'gimbal' mean in the terms?", "definition"),
        ("Which keeper wrote Why Lamps Fail? and died in 1860?", "short"),
        ("Which mill did J. K. Will own?", "short"),
        ("In which county, is Sorrel Weir a bridge?", "short"),
        ("When the Lamp Fails is a play by Ada Marr, and which keeper?", "short"),
        ("When the Lamp Fails, is a play by Ada Marr, and which keeper?", "short"),
    ],
)
def test_the_opening_of_a_question_tells_the_form_it_asks_for(question: str, kind: str) -> None:
    assert read_asked_form(question).kind == kind


@pytest.mark.parametrize(
    ("question", "form", "answer"),
    [
        ("How do I light the lamp?", "passage", STEPS),
        ("Explain how to light the lamp", "passage", STEPS),
        ("How is the controller started?", "passage",
         "The controller is started from the shell:\n\n    lampctl start --all"),
        ("Why is the lens cleaned every morning?", "passage",
         "The lens is cleaned every morning because salt dims the light. "
         "If the lens is cracked, the lamp goes out and the bell must be rung instead."),
        ("What happens if the lens is cracked?", "passage",
         "If the lens is cracked, the lamp goes out and the bell must be rung instead."),
        ("Why was the weir raised?", "passage", "The weir was raised in 1902 because the mill lacked water."),
        ("What is a gimbal?", "passage", "A gimbal is a pair of rings that keeps the lamp level."),
    ],
)  # fmt: skip
def test_how_why_and_what_it_is_are_answered_by_what_says_so(
    kb: MultiCube, question: str, form: str, answer: str
) -> None:
    run = kb.ask(question, save=False)
    assert run.form == form
    assert run.answer.endswith(answer)
    assert run.quote is not None
    assert run.quote.text == run.answer
    section = kb.kb.section(run.quote.section_id)
    assert section.text[run.quote.start : run.quote.end] == run.answer


@pytest.mark.parametrize(
    ("question", "answer", "quote"),
    [
        ("Can the lamp be moved while it burns?", "no", "The lamp must not be moved while it burns."),
        ("Is the lens cleaned every morning?", "yes", "The lens is cleaned every morning because salt dims the light."),
    ],
)
def test_a_question_for_a_verdict_gets_one_with_its_sentence(
    kb: MultiCube, question: str, answer: str, quote: str
) -> None:
    run = kb.ask(question, save=False)
    assert (run.form, run.answer) == ("verdict", answer)
    assert run.quote is not None
    assert run.quote.text == quote


def test_an_enumeration_gets_its_members_and_the_list_as_its_quotation(kb: MultiCube) -> None:
    run = kb.ask("What are the three kinds of lamp?", save=False)
    assert (run.form, run.answer) == ("list", "Gas lamp, Oil lamp, Arc lamp")
    assert run.quote is not None
    assert run.quote.text.startswith("There are three kinds of lamp:\n\n- **Gas lamp**")
    assert run.quote.text.endswith("- **Arc lamp**: needs current.")


def test_a_few_words_are_quoted_in_their_sentence(kb: MultiCube) -> None:
    run = kb.ask("Who built Sorrel Weir?", save=False)
    assert (run.form, run.answer) == ("short", "Odo Pell")
    assert run.quote is not None
    assert run.quote.text == "It was built in 1871 by Odo Pell."


def test_an_item_is_quoted_below_the_line_that_opens_its_list(kb: MultiCube) -> None:
    section = next(s for s in kb.kb.sections() if "three kinds" in s.text)
    found = Evidence(
        section_id=section.id, document_id="d", record_id="r", title="Kinds of lamp", text=section.text,
        sentence=section.text, start=0, end=len(section.text),
    )  # fmt: skip
    told = "needs current"
    hop = Hop(number=1, subquery="?", answer=told, answers=(told,), evidence=(found,), status="answered")
    form, quote = quoted(FinalAnswer(told, 0.5), None, [hop])
    assert quote is not None
    assert (form, quote.text) == ("short", "There are three kinds of lamp:\n…\n- **Arc lamp**: needs current.")


def test_a_chain_over_cells_is_quoted_where_it_ends(sample: MultiCube) -> None:
    run = sample.ask("Where was the director of the film The Salt Lantern born?", save=False)
    assert run.quote is not None
    assert (run.form, run.answer in run.quote.text, run.quote.title) == ("short", True, "Anselm Torvik")


def test_every_surface_tells_the_quotation_and_one_confidence(kb: MultiCube, folder: Path) -> None:
    shown = CliRunner().invoke(app, ["ask", "How do I light the lamp?", "--kb", str(folder)]).stdout
    run = kb.trace()
    sure = f"Confidence: {run.confidence:.0%}".replace("%", " %")
    assert run.answer.endswith(STEPS)
    assert shown.startswith(f"The documents put it like this:\n{run.answer}\n\n[1] Harbour lamp manual › Lighting")
    assert shown.count("Fill the tank") == 1
    for text in (shown, answered(run)):
        assert sure in text
        assert STEPS in text
    page = trace_page(run)
    assert "The documents put it like this:" in page
    assert sure.replace("Confidence:", "confidence") in page
    told = AnswerResult.of(run)
    assert told.quote is not None
    assert (told.form, told.quote.text, told.confidence) == ("passage", run.answer, run.confidence)
    written = CliRunner().invoke(app, ["ask", "How do I light the lamp?", "--json", "--no-save", "--kb", str(folder)])
    assert json.loads(written.stdout)["quote"]["text"] == run.answer


def test_without_an_answer_the_closest_passages_are_shown(kb: MultiCube) -> None:
    run = kb.ask(UNSAID, save=False)
    assert run.answer == ""
    assert run.note.startswith("The documents do not seem to say it. ")
    assert 0 < len(run.closest) <= 3
    assert all(quote.text in MANUAL + WEIR for quote in run.closest)
    said = "\n".join(line.plain for line in rendering.answer(run))
    for text in (said, answered(run), trace_page(run)):
        assert "Closest passages:" in text
        assert run.closest[0].text in text
    assert [quote.text for quote in AnswerResult.of(run).closest] == [quote.text for quote in run.closest]


def test_what_an_earlier_hop_found_is_told_where_a_later_one_finds_nothing(sample: MultiCube) -> None:
    run = sample.ask("How many horses did the director of Weathercock own?", save=False)
    assert run.answer == ""
    assert "Found so far: Who is the director of Weathercock? Oriane Vaucel; not found: " in run.note


def test_a_run_that_was_kept_before_there_were_forms_is_still_read() -> None:
    old = {"id": "1", "question": "Who built it?", "answer": "Odo Pell", "status": "answered", "confidence": 0.0}
    run = Run.model_validate(old)
    assert (run.form, run.quote, run.closest) == ("short", None, ())
    assert "0.00" not in "\n".join(line.plain for line in (*rendering.answer(run), *rendering.trace(run)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which lamps does the round skip by default?", "north-mole, old-pier"),
        ("Which lamps can be kept?", None),
    ],
)
def test_several_that_a_list_is_introduced_as_are_told_whole(kb: MultiCube, question: str, answer: str | None) -> None:
    run = kb.ask(question, save=False)
    assert (run.form == "list", run.answer) == (True, answer) if answer else run.form != "list"
