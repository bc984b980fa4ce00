"""`MultiCube`: ask, stream, resume, replay and fork over the bundled sample."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from multicube import Filters, LoopSettings, MultiCube, MultiCubeError
from multicube.agent.engines.encoders.factory import OnnxEncoder
from multicube.agent.runs.events import Event
from multicube.agent.runs.state import pump
from multicube.agent.runs.store import RunStore
from multicube.cubes.core.encoding import Vectors


class Refusing(OnnxEncoder):
    """Has the packaged encoder's name, and embeds nothing."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError(f"nothing may be embedded here: {texts}")


CHAIN = "Where was the director of the film The Salt Lantern born?"


def test_a_two_hop_question_is_answered_with_its_hops_and_citations(sample: MultiCube) -> None:
    run = sample.ask(CHAIN)
    assert run.answer == "Skarholt"
    assert [h.subquery for h in run.hops] == [
        "Who is the director of The Salt Lantern?",
        "Where was Anselm Torvik born?",
    ]
    assert [h.answer for h in run.hops] == ["Anselm Torvik", "Skarholt"]
    assert [c.number for c in run.citations] == [1, 2]
    assert all(h.answer in c.sentence for h, c in zip(run.hops, run.citations, strict=True))


def test_each_hop_names_its_cube_its_matched_cells_and_its_sentence(sample: MultiCube) -> None:
    for hop in sample.ask(CHAIN).hops:
        best = hop.evidence[0]
        assert hop.cubes
        assert {m.cube for m in best.matches} <= set(hop.cubes)
        assert any(m.route == "exact" and m.similarity == 1.0 for m in best.matches)
        assert hop.fact is not None
        assert best.text[best.start : best.end] == best.sentence
        assert hop.fact.value in best.sentence


def test_what_the_corpus_does_not_hold_is_said_not_guessed(sample: MultiCube) -> None:
    run = sample.ask("Who directed the film The Tin Cathedral?")
    assert (run.status, run.answer, run.citations) == ("abstained", "", ())
    assert "Nothing was found in the documents for: Who directed the film The Tin Cathedral?" in run.note


def test_the_stream_tells_each_step_in_order_and_ends_with_the_run(sample: MultiCube) -> None:
    events = list(sample.stream(CHAIN))
    assert [e.kind for e in events] == ["started"] + ["subquery", "route", "retrieved", "answered"] * 2 + ["final"]
    assert events[-1].run is not None
    assert events[-1].run.answer == "Skarholt"


def test_the_same_run_asked_asynchronously(sample: MultiCube) -> None:
    async def ask() -> tuple[str, list[str], list[str]]:
        run = await sample.aask(CHAIN)
        kinds = [e.kind async for e in sample.astream(CHAIN)]
        batch = await sample.abatch([CHAIN, "Who directed the film The Tin Cathedral?"], concurrency=2)
        return run.answer, kinds, [r.answer for r in batch]

    answer, kinds, batch = asyncio.run(ask())
    assert answer == "Skarholt"
    assert kinds[-1] == "final"
    assert batch == ["Skarholt", ""]


def test_whoever_leaves_a_stream_of_events_ends_it() -> None:
    ended, go_on = threading.Event(), threading.Event()

    def happens() -> Iterator[Event]:
        try:
            yield Event(kind="subquery", hop=1)
            go_on.wait(60)
            yield Event(kind="route", hop=1)
            yield Event(kind="route", hop=2)
        except GeneratorExit:
            ended.set()
            raise

    async def follow() -> None:
        events = pump(happens)
        assert (await anext(events)).kind == "subquery"
        await events.aclose()
        go_on.set()

    asyncio.run(follow())
    assert ended.wait(60)


def test_the_compiled_graph_answers_by_itself(sample: MultiCube) -> None:
    out: dict[str, Any] = sample.graph.invoke({"question": CHAIN}, context=None)  # type: ignore[arg-type, assignment]
    assert out["answer"] == "Skarholt"


def test_a_run_is_found_by_a_prefix_of_its_id(sample: MultiCube) -> None:
    run = sample.ask(CHAIN)
    assert sample.trace(run.id[:8]) == run
    assert sample.trace() == run
    assert sample.runs()[0].id == run.id


def test_an_unsaved_run_leaves_nothing_behind(sample: MultiCube) -> None:
    before = len(sample.runs(limit=1000))
    sample.ask(CHAIN, save=False)
    assert len(sample.runs(limit=1000)) == before


def test_a_fork_with_an_edited_answer_goes_on_from_there(sample: MultiCube) -> None:
    origin = sample.ask(CHAIN)
    fork = sample.fork(origin.id, 1, answer="Imre Saldane")
    assert fork.forked_from == origin.id
    assert fork.hops[0].status == "edited"
    assert fork.hops[1].subquery == "Where was Imre Saldane born?"
    assert fork.answer == "Quillon"
    assert sample.trace(origin.id).answer == "Skarholt"


def test_a_fork_with_an_edited_subquery_asks_that_instead(sample: MultiCube) -> None:
    origin = sample.ask(CHAIN)
    fork = sample.fork(origin.id, 1, subquery="Who is the director of Blue Apothecary?")
    assert [h.answer for h in fork.hops] == ["Bastian Quell", "Mirren Tal"]


def test_a_fork_of_the_whole_question_has_its_own(sample: MultiCube) -> None:
    origin = sample.ask("Who composed The Salt Lantern?")
    fork = sample.fork(origin.id, 1, subquery="Who directed The Salt Lantern?")
    assert (fork.question, fork.forked_from) == ("Who directed The Salt Lantern?", origin.id)
    chain = sample.ask(CHAIN)
    assert sample.fork(chain.id, 2, subquery="When was Anselm Torvik born?").question == CHAIN


def test_a_single_file_or_folder_is_read_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Kiln\n\nThe kiln stands in Dastra.\n")
    for number, paths in enumerate((str(tmp_path / "note.md"), tmp_path / "note.md")):
        with MultiCube.build(paths, tmp_path / f"kb{number}") as kb:
            assert [document.title for document in kb.kb.documents()] == ["Kiln"]


def test_a_fork_needs_a_hop_that_exists_and_one_edit(sample: MultiCube) -> None:
    run = sample.ask(CHAIN)
    with pytest.raises(MultiCubeError, match="hops 1 to 2"):
        sample.fork(run.id, 5, answer="x")
    with pytest.raises(MultiCubeError, match="either"):
        sample.fork(run.id, 1)


def test_an_interrupted_run_is_resumed_from_its_last_checkpoint(sample: MultiCube) -> None:
    stream = sample.stream(CHAIN)
    for event in stream:
        if event.kind == "answered":
            break
    stream.close()
    interrupted = sample.trace()
    assert (interrupted.status, interrupted.stopped, len(interrupted.hops)) == ("paused", "interrupted", 1)
    resumed = sample.resume(interrupted.id)
    assert (resumed.id, resumed.answer, len(resumed.hops)) == (interrupted.id, "Skarholt", 2)


@pytest.mark.parametrize("hops", [0, 1])
def test_a_run_that_was_killed_goes_on_from_its_last_finished_hop(sample: MultiCube, hops: int) -> None:
    stream = sample.stream(CHAIN)  # never closed before it is resumed, so nothing is written at an orderly end
    for event in stream:
        if event.kind == ("answered" if hops else "subquery"):
            break
    killed = sample.trace()
    assert (killed.status, len(killed.hops)) == ("running", hops)
    resumed = sample.resume(killed.id)
    assert (resumed.id, resumed.answer, len(resumed.hops)) == (killed.id, "Skarholt", 2)
    assert resumed.hops[:hops] == killed.hops
    stream.close()
    assert sample.trace(killed.id) == resumed, "a late interruption must not undo what was finished meanwhile"


def test_cells_answer_a_whole_question_without_encoder(sample_path: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(sample_path, tmp_path / "kb")
    with MultiCube.open(copy, encoder=Refusing()) as kb:
        for _ in range(2):
            run = kb.ask(CHAIN)
            assert (run.answer, [h.answer for h in run.hops]) == ("Skarholt", ["Anselm Torvik", "Skarholt"])
            assert len(run.retrieved) > 2


def test_a_replay_asks_again_as_a_new_run(sample: MultiCube) -> None:
    run = sample.ask(CHAIN)
    again = sample.replay(run.id)
    assert again.id != run.id
    assert again.answer == run.answer


def test_limits_end_the_loop_and_say_so(sample: MultiCube) -> None:
    one = sample.ask(CHAIN, settings=LoopSettings(max_hops=1))
    assert (one.stopped, one.status, len(one.hops)) == ("iterations", "abstained", 1)
    late = sample.ask(CHAIN, settings=LoopSettings(deadline_s=1e-9))
    assert (late.stopped, len(late.hops)) == ("deadline", 1)


def test_filters_keep_other_documents_out(sample: MultiCube) -> None:
    run = sample.ask(CHAIN, filters=Filters(metadata={"kind": "film"}))
    assert run.confidence < 0.5
    assert {e.title for h in run.hops for e in h.evidence}.isdisjoint({"Anselm Torvik"})


@pytest.mark.xfail(strict=False, reason="the reader hardly chooses between two wrong towns; which, processors decide")
def test_what_filters_keep_out_is_not_guessed(sample: MultiCube) -> None:
    assert sample.ask(CHAIN, filters=Filters(metadata={"kind": "film"}), save=False).answer != "Skarholt"


def test_the_baselines_are_the_same_loop_with_other_settings(sample: MultiCube) -> None:
    single = sample.ask(CHAIN, settings=LoopSettings(retrieval="bm25", single_shot=True))
    assert (len(single.hops), single.hops[0].cubes) == (1, ())
    loop = sample.ask(CHAIN, settings=LoopSettings(retrieval="bm25"))
    assert loop.answer == "Skarholt"
    assert all(h.cubes == () and h.evidence[0].retriever == "bm25" for h in loop.hops)


@pytest.mark.parametrize("question", ["", "   ", "x" * 10_000, None, 7])
def test_a_question_that_is_none_gets_one_sentence(sample: MultiCube, question: Any) -> None:
    with pytest.raises(MultiCubeError) as caught:
        sample.ask(question)
    assert str(caught.value).count("\n") == 0


def test_an_unknown_run_is_said(sample: MultiCube) -> None:
    with pytest.raises(MultiCubeError, match="no run 'zzz'"):
        sample.trace("zzz")


def test_damaged_traces_are_said(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(MultiCubeError, match="cannot be opened"):
        RunStore(path)


def test_the_sample_is_answered_as_promised(sample: MultiCube, sample_questions: list[dict[str, Any]]) -> None:
    """At least 32 of the 35 answerable questions."""
    answered = 0
    for question in sample_questions:
        if question["answers"]:
            run = sample.ask(question["question"], save=False)
            answered += any(_plain(run.answer) == _plain(gold) for gold in question["answers"])
    assert answered >= 32


@pytest.mark.xfail(reason="the sea of a railway is answered at .6, a little more or less by the processor")
def test_nothing_the_sample_does_not_tell_is_answered_as_surely_right(
    sample: MultiCube, sample_questions: list[dict[str, Any]]
) -> None:
    runs = [sample.ask(question["question"], save=False) for question in sample_questions if not question["answers"]]
    assert all(run.status == "abstained" or run.confidence < 0.6 for run in runs)


def test_the_sample_is_answered_alike_from_columns_and_from_chroma(
    sample_path: Path, sample_questions: list[dict[str, Any]]
) -> None:
    def asked(columns: bool) -> list[dict[str, Any]]:
        with MultiCube.open(sample_path, columns=columns) as kb:
            runs = [kb.ask(question["question"], save=False) for question in sample_questions[::4]]
        return [_untimed(run.model_dump(mode="json", exclude={"id", "started_at"})) for run in runs]

    assert asked(columns=False) == asked(columns=True)


def _untimed(value: Any) -> Any:
    """A run without what the clock says."""
    if isinstance(value, dict):
        return {key: _untimed(each) for key, each in value.items() if not key.endswith("ms")}
    return [_untimed(each) for each in value] if isinstance(value, list) else value


def _plain(text: str) -> str:
    return " ".join(
        w for w in "".join(c if c.isalnum() else " " for c in text.lower()).split() if w not in ("a", "an", "the")
    )
