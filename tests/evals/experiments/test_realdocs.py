"""Questions about real documents: what counts as right, what the command writes, and what is fetched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ending import ends
from multicube.cubes.core.encoding import Encoder
from multicube.cubes.core.errors import InputError, UsageError
from multicube.evals.__main__ import main
from multicube.evals.experiments.realdocs.fetching import lay_out
from multicube.evals.experiments.realdocs.judging import RunOutput, holds, judge, said
from multicube.evals.experiments.realdocs.page import markdown
from multicube.evals.experiments.realdocs.recipe import KINDS, PackageFiles, RealQuestion, corpora, questions
from multicube.evals.experiments.realdocs.running import ANSWERS, read_answers, run
from multicube.graphs.records import Quote, Run


def question(kind: str, **expected: Any) -> RealQuestion:
    return RealQuestion.model_validate({"id": "1", "question": "What?", "kind": kind, **expected})


PORT = question("default", answers=["7411", "port 7411"], quote=["listens on port 7411"], document="lamp.html")
WHY = question("why", answers=["salt rusts it"], quote=["because salt makes the wick rust"], document="lamp.html")
LIST = question("list", members=["-a", "-b", "--wick", "oil"])
YES = question("yes-no", answers=["no"], quote=["the lamp never floats"], document="lamp.html")
NONE = question("unanswerable", answerable=False)


@pytest.mark.parametrize(
    ("asked", "what", "verdict", "by"),
    [
        (PORT, RunOutput("7411"), "right", "answer"),
        (PORT, RunOutput("It is port 7411."), "right", "answer"),
        (PORT, RunOutput("74110"), "wrong", ""),
        (PORT, RunOutput("word " * 40 + "7411"), "wrong", ""),  # so long a text names a number by chance
        (PORT, RunOutput("8080", "The lamp listens on  **port** 7411."), "partly", "quotation"),
        (PORT, RunOutput("8080", "Another sentence.", ("lamp.html",)), "wrong", ""),
        (PORT, RunOutput(refused=True), "refused", ""),
        (WHY, RunOutput("Because salt makes the wick\nrust"), "right", "answer"),
        (WHY, RunOutput("rust", "That is Because *salt* makes the wi\u00adck rust!"), "right", "quotation"),
        (WHY, RunOutput("rust", "Oil is dear.", ("lamp.html",)), "partly", "quotation"),
        (WHY, RunOutput("rust", "Oil is dear.", ("boat.html",)), "wrong", ""),
        (LIST, RunOutput("-a, -b, --wick and oil"), "right", "answer"),
        (LIST, RunOutput("oil", "- `-a`\n- `-b`\n- `--wick`\n- oil"), "right", "quotation"),
        (LIST, RunOutput("-a and -b"), "partly", "answer"),
        (LIST, RunOutput("a, b and the wick"), "wrong", ""),
        (YES, RunOutput("No, the lamp never floats."), "right", "answer"),
        (YES, RunOutput("Yes, there is no doubt."), "wrong", ""),
        (NONE, RunOutput(refused=True), "right", ""),
        (NONE, RunOutput("7411"), "wrong", ""),
    ],
)
def test_what_is_right(asked: RealQuestion, what: RunOutput, verdict: str, by: str) -> None:
    judged = judge(asked, what)
    assert (judged.verdict, judged.by) == (verdict, by)


def test_options_paths_and_commands_keep_their_marks_and_broken_words_are_mended() -> None:
    assert holds("Use `--dry-run` (or -n).", "-n")
    assert not holds("Use n of them", "-n")
    assert holds("It lies in /etc/lamp/wick.conf.", "/etc/lamp/wick.conf")
    assert holds("the instal\ufffelation of every lamp", "installation of every lamp")
    assert not holds("anything", "")


def test_a_run_says_its_answer_its_quotation_and_where_it_stands() -> None:
    place = {"section_id": "s", "document_id": "d", "record_id": "r", "title": "T", "source": "docs/lamp.html"}
    quote = Quote(text="Q.", start=0, end=2, **place)
    run = Run(id="1", question="Q?", answer="A", status="answered", quote=quote, form="passage")
    assert said(run) == RunOutput("A", "Q.", ("lamp.html",), "passage")
    assert said(Run(id="1", question="Q?", status="abstained")).refused


def test_the_benchmark_is_whole() -> None:
    found = corpora()
    assert len(found) == 4
    for corpus in found:
        asked = questions(corpus.name)
        assert len({one.id for one in asked}) == len(asked) == 25
        assert sum(not one.answerable for one in asked) == 5
        assert sum(one.kind == "two-hop" for one in asked) >= 5
        assert all(len(phrase.split()) <= 12 for one in asked for phrase in one.quote)
    kinds = {one.kind for corpus in found for one in questions(corpus.name)}
    assert kinds == set(KINDS)


def test_files_are_taken_whole_unpacked_or_in_part(tmp_path: Path) -> None:
    import gzip

    book = "  One\n\nOne\u00a0wick\nIt burns.\nTwo wicks\nThey burn.\n"
    members = {"usr/share/doc/lamp/book.txt.gz": gzip.compress(book.encode()), "usr/share/doc/lamp/a.html": b"<p>A</p>"}
    taken = [{"from": "usr/share/doc/lamp/*.html"}, {"from": "usr/share/doc/lamp/book.txt.gz"}]
    part = {"from": "usr/share/doc/lamp/book.txt.gz", "to": "one.txt", "start": "One wick", "end": "Two wicks"}
    lay_out(members, [PackageFiles.model_validate(take) for take in (*taken, part)], tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.html", "book.txt", "one.txt"]
    assert (tmp_path / "one.txt").read_text("utf-8") == "One\u00a0wick\nIt burns.\n"
    for missing in ({"from": "nothing"}, {**part, "end": "Three wicks"}):
        with pytest.raises(InputError, match="change the recipe"):
            lay_out(members, [PackageFiles.model_validate(missing)], tmp_path)


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    folder = tmp_path / "recipe"
    (folder / "questions").mkdir(parents=True)
    (folder / "corpora.yaml").write_text("corpora:\n  - {name: lamps, holds: a page on lamps}\n", "utf-8")
    asked = [
        {"id": "l-1", "question": "Who invented the Orrin lamp?", "answers": ["Ada Venn"], "kind": "fact"},
        {
            "id": "l-2",
            "question": "What is the salary of the mayor of Quell?",
            "kind": "unanswerable",
            "answerable": False,
        },
    ]
    (folder / "questions" / "lamps.jsonl").write_text("\n".join(json.dumps(one) for one in asked), "utf-8")
    return folder


def test_a_fetched_corpus_is_asked_and_the_page_counts(tmp_path: Path, recipe: Path, words_encoder: Encoder) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError, match="fetch them first"):
        run(out, recipe=recipe, encoder=words_encoder)
    folder = out / "corpora" / "lamps"
    folder.mkdir(parents=True)
    (folder / "lamps.md").write_text("# The Orrin lamp\n\nThe Orrin lamp was invented by Ada Venn in 1911.\n", "utf-8")
    rows = run(out, recipe=recipe, encoder=words_encoder)
    assert [row.id for row in rows] == ["l-1", "l-2"]
    assert read_answers(out) == rows
    assert [row.answer for row in run(out, recipe=recipe, encoder=words_encoder, system="no-reader")] == ["", ""]
    with pytest.raises(UsageError, match='no ablation "no-cows"'):
        run(out, recipe=recipe, system="no-cows")
    assert read_answers(out) == rows  # an ablation has a file of its own
    file = tmp_path / "page.md"
    ends(main, ["realdocs", "page", str(file), "--out", str(out), "--recipe", str(recipe)])
    right = sum(row.verdict == "right" for row in rows)
    assert f"**{right} of 2 right**" in file.read_text("utf-8")


def test_before_anybody_asked_the_page_says_so(tmp_path: Path) -> None:
    assert "Nobody has asked" in markdown(corpora(), read_answers(tmp_path))
    (tmp_path / ANSWERS).write_text("{}\n", "utf-8")
    with pytest.raises(InputError, match="run the benchmark again"):
        read_answers(tmp_path)


def test_the_command_says_in_a_sentence_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ends(main, ["realdocs", "run", "--out", str(tmp_path / "none")], status=2)
    assert "fetch them first" in capsys.readouterr().err
