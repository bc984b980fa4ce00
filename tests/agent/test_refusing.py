"""An answer is held back where too little speaks for it, and a person is told why."""

from dataclasses import fields, replace
from pathlib import Path

from multicube import MultiCube
from multicube.agent.engines.embedded.answers.quotations import SupportingPart
from multicube.agent.engines.embedded.confidence import (
    ANSWERABLE,
    RIGHT,
    AnswerSignals,
    Logistic,
    calibration,
    read_signals,
    refusal,
)
from multicube.agent.engines.embedded.options import EngineOptions
from multicube.cubes.core.records import Span
from multicube.graphs.records import Evidence, FactRecord, Hop

SURE = AnswerSignals(**{f.name: 1.0 for f in fields(AnswerSignals) if f.type == "float"})
UNSURE = AnswerSignals(**{f.name: 0.0 for f in fields(AnswerSignals) if f.type == "float"})
TEXT = "The Salt Lantern is a film. It was directed by Anselm Torvik."


def hop(subquery: str, answer: str, fact: bool = False, confidence: float = 0.5) -> Hop:
    found = Evidence(
        section_id="s", document_id="d", record_id="r", title="The Salt Lantern", text=TEXT, sentence=TEXT[28:]
    )
    record = FactRecord(
        section_id="s", cube="c", dimension="d", subject="x", relation="y", value=answer, start=0, end=1
    )
    return Hop(
        number=1, subquery=subquery, answer=answer, answers=(answer,), evidence=(found,), confidence=confidence,
        status="answered", fact=record if fact else None,
    )  # fmt: skip


def read(*hops: Hop, question: str = "Who directed The Salt Lantern?") -> AnswerSignals:
    told = SupportingPart(0, Span(28, 60), 0.25, False, ())
    return read_signals(
        question, hops, lambda name: False, lambda text, others: [0.5 for _ in others], lambda subquery, evidence: told
    )


def test_signals_of_an_answer_that_its_sentence_says() -> None:
    found = read(hop("Who directed The Salt Lantern?", "Anselm Torvik"))
    assert (found.told, found.home, found.weakest) == (1.0, 1.0, 0.5)
    assert (found.alike, found.part, found.unknown) == (0.5, 0.25, ())


def test_a_fact_in_a_cell_speaks_for_itself() -> None:
    found = read(hop("Who is the uncle of Mirren Tal?", "Anselm Torvik", fact=True))
    assert (found.home, found.part) == (0.0, 1.0)
    assert read(hop("?", "Anselm Torvik"), question="Who knew Mirren Tal?").unknown == ("Mirren Tal",)


def test_without_an_encoder_nothing_speaks_against_an_answer_by_meaning() -> None:
    asked = hop("Who directed The Salt Lantern?", "Anselm Torvik")
    found = read_signals(asked.subquery, [asked], lambda name: False, lambda text, others: (), lambda *_: None)
    assert (found.alike, found.part) == (1.0, 0.0)


def test_more_of_a_signal_never_means_less_probability() -> None:
    fitted = calibration()
    for model, names in ((fitted.answerable, ANSWERABLE), (fitted.right, RIGHT)):
        assert set(model.weights) == set(names)
        assert all(weight >= 0 for weight in model.weights.values())
    assert 0 < fitted.right.probability(UNSURE.shares()) < fitted.right.probability(SURE.shares()) < 1
    assert Logistic(0.0, {"told": 1.0}).probability({"told": 0.0}) == 0.5


def test_the_reason_is_told() -> None:
    assert refusal(SURE) == ""
    assert "too little" in refusal(UNSURE)
    named = refusal(replace(UNSURE, unknown=("Zinc Parade", "Udo", "Brack")))
    assert named == "What was found does not speak of 'Zinc Parade' or 'Udo' or 'Brack'."
    assert refusal(UNSURE, 0.0) == ""
    assert refusal(SURE, 1.0) != ""


def test_the_wrong_documents_are_not_asked_in_vain(sample: MultiCube, sample_path: Path) -> None:
    question = "Who directed the film The Tin Cathedral?"
    run = sample.ask(question, save=False)
    assert (run.status, run.answer) == ("abstained", "")
    assert "does not speak of 'Tin Cathedral'" in run.note or "Nothing was found" in run.note
    with MultiCube.open(sample_path, engine_options=EngineOptions(least_answerable=1.0)) as strict:
        assert strict.ask("Who directed The Salt Lantern?", save=False).status == "abstained"
    with MultiCube.open(sample_path, engine_options=EngineOptions(least_answerable=0.0)) as free:
        assert free.ask("Who directed The Salt Lantern?", save=False).answer == "Anselm Torvik"
