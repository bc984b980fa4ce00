"""Asking systems: failures, continuing after a kill, and what the systems get to see."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from modelserver import ModelServer
from modelserver.competent import Competent
from multicube.agent.engines.llm.engine import ModelOptions
from multicube.cubes.core.errors import LockedError, UsageError
from multicube.cubes.core.records import Hit, Retrieval, Section
from multicube.evals.datasets.dataset import Question
from multicube.evals.datasets.load import load_dataset
from multicube.evals.evaluation.runner import EvalOptions, ask_all, evaluate
from multicube.evals.evaluation.scoring import score_run, score_system
from multicube.evals.evaluation.workspace import IngestFigures, Workspace, fingerprint_parts
from multicube.evals.metrics.predictions import Prediction, PredictionLog
from multicube.evals.reports.results import markdown
from multicube.evals.systems import DEFAULT_SYSTEMS, LoopSystem, parse_names, settings
from multicube.graphs.records import Evidence, Hop, LoopSettings, Run

QUESTIONS = [
    Question(id=f"q{n}", question=f"What is thing {n}?", answers=(f"answer {n}",), supporting=(f"d{n}",))
    for n in range(40)
]


class Knows:
    """A system that knows every answer, and breaks on the questions it is told to."""

    def __init__(self, name: str = "knows", breaks_on: Sequence[int] = (), stops_after: int | None = None) -> None:
        self.name = name
        self.seen: list[str] = []
        self._breaks_on = breaks_on
        self._stops_after = stops_after

    def answer(self, question: str) -> Run:
        if self._stops_after is not None and len(self.seen) >= self._stops_after:
            raise KeyboardInterrupt
        self.seen.append(question)
        number = int(question.removeprefix("What is thing ").removesuffix("?"))
        if number in self._breaks_on:
            raise RuntimeError(f"thing {number} fell apart\nwith a long traceback")
        found = Evidence(section_id=f"s{number}", document_id="d", record_id=f"d{number}", title="T")
        hop = Hop(number=1, subquery=question, evidence=(found, found), retrieval_ms=2.0, answer="x")
        return Run(
            id="r", question=question, answer=f"Answer {number}", status="answered",
            hops=(hop, hop.model_copy(update={"number": 2})), retrieved=(f"d{number}", f"d{number}", "other"),
        )  # fmt: skip

    def ranking(self, run: Run) -> Sequence[str]:
        return run.retrieved


def test_failures_are_counted_kept_and_scored_wrong(tmp_path: Path) -> None:
    log = PredictionLog(tmp_path / "predictions.jsonl")
    rows = ask_all([Knows(breaks_on=(7, 23))], QUESTIONS, log)["knows"]
    scores = score_system(rows)
    assert scores["failed"] == 2
    assert scores["em"] == pytest.approx(95.0)
    assert scores["recall@2"] == pytest.approx(95.0)
    assert scores["metrics"]["answered_em"] == 100.0
    broken = [row for row in rows if row.status == "failed"]
    assert [row.error for row in broken] == [
        "RuntimeError: thing 7 fell apart",
        "RuntimeError: thing 23 fell apart",
    ]
    assert log.load() == rows


def test_scores_over_answered_and_over_all_questions_stand_side_by_side(tmp_path: Path) -> None:
    """A system that crashes on 5 % of the questions, beside one that does not."""
    systems = [Knows("sound"), Knows("crashes", breaks_on=(7, 23))]
    scored = score_run(ask_all(systems, QUESTIONS, PredictionLog(tmp_path / "predictions.jsonl")))
    broken = scored["systems"]["crashes"]
    assert (broken["failed"], broken["abstained"], broken["metrics"]["answered"]) == (2, 0, 38)
    assert (broken["em"], broken["f1"], broken["recall@5"]) == (95.0, 95.0, 95.0)
    assert [broken["metrics"][f"answered_{name}"] for name in ("em", "f1", "recall@5")] == [100.0, 100.0, 100.0]
    assert scored["comparisons"][0] == {
        "a": "sound", "b": "crashes", "metric": "em", "difference": 5.0, "ci95": scored["comparisons"][0]["ci95"],
        "p": 0.5, "questions": 40, "discordant": 2,
    }  # fmt: skip
    ingest = {"seconds": None, "sections_per_s": None, "kb_bytes": 0, "peak_rss_mb": None}
    results = {"dataset": "toy", "questions": 40, "sections": 40, "engine": "embedded", "ingest": ingest, **scored}
    report = markdown(results)
    section = report.split("## Failed questions")[1].split("\n## ")[0]
    line = next(line for line in section.splitlines() if line.startswith("| crashes"))
    assert [cell.strip() for cell in line.strip("|").split("|")] == [
        "crashes", "2", "0", "38", "95.0", "100.0", "95.0", "100.0", "95.0", "100.0",
    ]  # fmt: skip
    assert "## Is sound ahead?" in report
    sound = {**results, "systems": {"sound": scored["systems"]["sound"]}, "comparisons": []}
    assert "Failed questions" not in markdown(sound)


def test_a_prediction_holds_the_contracts_fields(tmp_path: Path) -> None:
    log = PredictionLog(tmp_path / "predictions.jsonl")
    ask_all([Knows()], QUESTIONS[:1], log)
    row = json.loads(log.path.read_text())
    assert row["id"] == "q0"
    assert row["question"] == "What is thing 0?"
    assert row["gold"] == ["answer 0"]
    assert row["answer"] == "Answer 0"
    assert row["retrieved"] == ["d0", "other"]
    assert row["retrieval_ms"] == 4.0
    assert [hop["retrieved"] for hop in row["hops"]] == [["d0"], ["d0"]]


def test_runs_that_end_badly_are_failures_and_empty_answers_are_abstentions(tmp_path: Path) -> None:
    class Odd(Knows):
        def answer(self, question: str) -> Run:
            run = super().answer(question)
            changed = {
                "0": {"status": "failed", "note": "It broke."},
                "1": {"answer": " "},
                "2": {"status": "abstained"},
            }
            return run.model_copy(update=changed[run.id if run.id in changed else question.split()[-1][:-1]])

    rows = ask_all([Odd()], QUESTIONS[:3], PredictionLog(tmp_path / "p.jsonl"))["knows"]
    assert [row.status for row in rows] == ["failed", "abstained", "abstained"]
    assert rows[0].error == "It broke."
    assert rows[2].answer == ""


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = ask_all([Knows("a"), Knows("b")], QUESTIONS, PredictionLog(tmp_path / "whole.jsonl"))
    log = PredictionLog(tmp_path / "killed.jsonl")
    with pytest.raises(KeyboardInterrupt):
        ask_all([Knows("a"), Knows("b", stops_after=13)], QUESTIONS, log)
    with log.path.open("a") as stream:
        stream.write('{"system": "b", "id": "q13", "quest')  # killed while writing
    again = [Knows("a"), Knows("b")]
    resumed = ask_all(again, QUESTIONS, log, kept=log.load())
    assert again[0].seen == []
    assert len(again[1].seen) == len(QUESTIONS) - 13
    assert _timeless(resumed) == _timeless(whole)
    assert [(row.system, row.id) for row in log.load()] == [(s, q.id) for s in "ab" for q in QUESTIONS]
    for name, rows in whole.items():
        assert score_system(resumed[name])["em"] == score_system(rows)["em"]


def test_side_by_side_gives_the_same_in_the_same_order(tmp_path: Path) -> None:
    alone = ask_all([Knows(breaks_on=(3,))], QUESTIONS, PredictionLog(tmp_path / "one.jsonl"))
    log = PredictionLog(tmp_path / "four.jsonl")
    together = ask_all([Knows(breaks_on=(3,))], QUESTIONS, log, concurrency=4)
    assert _timeless(together) == _timeless(alone)
    assert [row.id for row in log.load()] == [question.id for question in QUESTIONS]


def _timeless(answered: dict[str, list[Prediction]]) -> dict[str, list[Prediction]]:
    return {name: [row.model_copy(update={"question_ms": None}) for row in rows] for name, rows in answered.items()}


class Shelf:
    """Stands for the facade below a system: records what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, LoopSettings | None, bool]] = []
        self.kb = self
        self.retriever = self

    def ask(self, question: str, *, settings: LoopSettings | None = None, save: bool = True) -> Run:
        self.asked.append((question, settings, save))
        return Run(id="r", question=question, answer="x", status="answered", retrieved=("d0", "d1"))

    def passages(self, query: str, *, k: int, mode: str) -> Retrieval:
        return Retrieval(tuple(Hit(f"s{n}", n, 1.0, 0, 0) for n in range(k)))

    def section(self, section_id: str) -> Section:
        return Section(section_id, "doc", f"d{section_id[1:]}", 0, (), "")


def test_a_system_asks_with_its_settings_and_saves_nothing() -> None:
    library = Shelf()
    LoopSystem("bm25", library, settings("bm25")).answer("Who?")
    assert library.asked == [("Who?", LoopSettings(retrieval="bm25", single_shot=True), False)]
    assert settings("loop+hybrid") == LoopSettings(retrieval="hybrid")


def test_a_single_shot_ranking_goes_on_below_what_was_read() -> None:
    library = Shelf()
    run = library.ask("Who?")
    assert LoopSystem("bm25", library, settings("bm25")).ranking(run) == tuple(f"d{n}" for n in range(10))
    assert LoopSystem("loop+bm25", library, settings("loop+bm25")).ranking(run) == ("d0", "d1")
    assert LoopSystem("multicube", library, settings("multicube")).ranking(run) == ("d0", "d1")


def test_system_names_are_checked() -> None:
    assert parse_names(None) == DEFAULT_SYSTEMS
    assert parse_names(" bm25, multicube,bm25 ") == ("bm25", "multicube")
    with pytest.raises(UsageError, match='no system "bm52"; choose from multicube'):
        parse_names("bm52")
    with pytest.raises(UsageError, match="No system was named"):
        parse_names(" , ")


MODEL = ModelOptions("http://127.0.0.1:9/v1#stand-in")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"model": MODEL, "ablate": True}, "--ablate switches parts of the embedded engine off"),
        ({"model": MODEL, "systems": "multicube,no-chains"}, "leave --model away"),
        ({"labels": "authors"}, "has no labels.jsonl"),
        ({"labels": "mine"}, 'no labels "mine"'),
        ({"concurrency": 0}, "--concurrency 0"),
        ({"systems": "nope"}, 'no system "nope"'),
        ({"limit": 0}, "--limit 0"),
    ],
)
def test_options_that_cannot_be_met_are_one_sentence(tmp_path: Path, wrong: dict[str, object], sentence: str) -> None:
    options = EvalOptions(**{"dataset": "sample", "out": tmp_path / "out", **wrong})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=sentence):
        evaluate(options)
    assert not (tmp_path / "out").exists()


FIGURES = IngestFigures(seconds=1.0, sections_per_s=2.0, kb_bytes=3, peak_rss_mb=4.0)


def _begun(out: Path, **parts: str) -> Workspace:
    workspace = Workspace(out)
    workspace.begin({"corpus": "c", "questions": "q", "code": "x", "kb_code": "x", **parts})
    return workspace


def _finished(out: Path) -> None:
    out.mkdir()
    workspace = _begun(out)
    workspace.kb.mkdir()
    workspace.built(FIGURES)
    ask_all([Knows()], QUESTIONS[:3], workspace.log)


def test_the_same_fingerprint_continues(tmp_path: Path) -> None:
    _finished(tmp_path / "out")
    again = _begun(tmp_path / "out")
    assert again.ingest == FIGURES
    assert len(again.kept()) == 3


def test_other_questions_start_anew_over_the_same_knowledge_base(tmp_path: Path) -> None:
    _finished(tmp_path / "out")
    again = _begun(tmp_path / "out", questions="other")
    assert again.ingest == FIGURES
    assert again.kb.exists()
    assert again.kept() == []
    assert (tmp_path / "out" / "predictions.previous.jsonl").exists()


@pytest.mark.parametrize("changed", ["corpus", "kb_code"])
def test_another_corpus_or_reading_of_it_builds_the_knowledge_base_anew(tmp_path: Path, changed: str) -> None:
    _finished(tmp_path / "out")
    again = _begun(tmp_path / "out", **{changed: "y"})
    assert again.ingest is None
    assert not again.kb.exists()


def test_other_code_that_answers_starts_anew_over_the_same_knowledge_base(tmp_path: Path) -> None:
    _finished(tmp_path / "out")
    again = _begun(tmp_path / "out", code="y")
    assert again.kb.exists()
    assert again.kept() == []


@pytest.mark.parametrize("name", ["predictions.jsonl", "kb"])
def test_what_no_evaluation_made_is_never_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(UsageError, match=rf"holds a {name} that no evaluation made"):
        _begun(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_a_knowledge_base_given_by_kb_is_never_removed(tmp_path: Path) -> None:
    kb = tmp_path / "mine"
    kb.mkdir()
    workspace = Workspace(tmp_path, kb)
    workspace.begin({"code": "x"})
    workspace.clear_kb()
    assert kb.exists()


def test_a_foreign_run_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"someone": "else"}')
    with pytest.raises(UsageError, match="was not written by this version"):
        _begun(tmp_path)


def test_one_evaluation_at_a_time_in_a_folder(tmp_path: Path) -> None:
    first, second = Workspace(tmp_path / "out"), Workspace(tmp_path / "out")
    with first.locked(), pytest.raises(LockedError, match="Another evaluation is writing"), second.locked():
        pass
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot be written"), Workspace(tmp_path / "file").locked():
        pass


def test_the_fingerprint_follows_data_and_choice(tmp_path: Path) -> None:
    sample = load_dataset("sample")

    whole, again, three = (
        fingerprint_parts(sample.select(limit), engine="embedded", labels="own") for limit in (None, None, 3)
    )
    assert whole == again
    assert whole.keys() == three.keys()
    assert {name for name in whole if whole[name] != three[name]} == {"chosen"}


def test_a_model_may_be_asked_over_what_the_embedded_engine_has_read(tmp_path: Path) -> None:
    with ModelServer(Competent()) as server:
        model = ModelOptions(f"{server.url}#stand-in")
        results = evaluate(EvalOptions("sample", tmp_path, "multicube", limit=1, labels="embedded", model=model))
        asked = len(server.chats)
    assert results["engine"].startswith("llm")
    assert results["run"]["parts"]["labels"] == "embedded"
    assert 0 < asked < results["sections"]
