"""Ingest: only what is new or changed, nothing twice, nothing lost, whatever happens in between."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from multicube.cubes.core.errors import InputError
from multicube.cubes.ingest.pipeline import Progress
from multicube.cubes.knowledge.base import KnowledgeBase

Kb = Callable[..., KnowledgeBase]


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def age(path: Path) -> None:
    """Give a file the time of a minute ago, so that its time can be trusted."""
    past = time.time() - 60
    os.utime(path, (past, past))


def test_everything_is_read_once(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    report = kb.ingest([corpus], extractor=rules())
    assert (report.added, report.sections, report.facts, report.files) == (12, 12, 36, 1)
    assert report.vectors == kb.status().vectors > 12
    assert set(report.seconds) >= {"scan", "read", "extract", "store", "embed"}
    again = rules()
    report = kb.ingest([corpus], extractor=again)
    assert (report.added, report.unchanged, report.vectors, again.extracted) == (0, 12, 0, [])
    assert len(kb.documents()) == 12


def test_a_file_of_the_same_size_and_time_is_not_opened(corpus: Path, make_kb: Kb, rules: Any) -> None:
    file = corpus / "films.jsonl"
    age(file)
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    was = file.stat()
    file.write_bytes(b"x" * was.st_size)
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    report = kb.ingest([corpus], extractor=rules())
    assert (report.unchanged, report.problems) == (12, ())


def test_a_file_changed_as_it_was_read_is_looked_at_again(corpus: Path, make_kb: Kb, rules: Any) -> None:
    file = corpus / "films.jsonl"
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    was = file.stat()
    file.write_bytes(file.read_bytes().replace(b"drama", b"crime"))
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert kb.ingest([corpus], extractor=rules()).updated == 12


def test_a_touched_file_is_compared_by_content(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    age(corpus / "films.jsonl")
    again = rules()
    assert kb.ingest([corpus], extractor=again).unchanged == 12
    assert again.prepared == []


def test_changed_added_and_vanished_records(
    corpus: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any, in_chroma: Any
) -> None:
    file = corpus / "films.jsonl"
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    kept = records(file)
    changed = make_film(3, director="Somebody Else", genre="crime")
    write_records(file, [*kept[:3], changed, *kept[4:10], make_film(99)])
    reader = rules()
    report = kb.ingest([corpus], extractor=reader)
    assert (report.added, report.updated, report.unchanged, report.removed) == (1, 1, 9, 2)
    assert reader.extracted == ["f3", "f99"]
    assert {d.record_id for d in kb.documents()} == {*(f"f{n}" for n in range(10)), "f99"}
    assert [f.value for f in kb.cubes["film"].facts(subject=changed["title"], relation="directed by")] == [
        "Somebody Else"
    ]
    assert len(in_chroma(kb)["passages"]) == 11


def test_the_result_does_not_depend_on_the_way_there(
    corpus: Path, tmp_path: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any, in_chroma: Any
) -> None:
    file = corpus / "films.jsonl"
    final = [make_film(n, genre="crime" if n % 3 else "drama") for n in range(4, 15)]
    stepwise = make_kb(tmp_path / "stepwise")
    stepwise.ingest([corpus], extractor=rules())
    write_records(file, final[:5])
    stepwise.ingest([corpus], extractor=rules())
    write_records(file, final)
    stepwise.ingest([corpus], extractor=rules())
    at_once = make_kb(tmp_path / "at_once")
    at_once.ingest([corpus], extractor=rules())
    assert list(stepwise.export()) == list(at_once.export())
    assert in_chroma(stepwise) == in_chroma(at_once)


def test_another_engine_reads_everything_again(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    report = kb.ingest([corpus], extractor=rules("rules/2"))
    assert (report.reread, report.unchanged, report.facts) == (12, 12, 36)
    assert {fact.origin for fact in kb.cubes["film"].facts()} == {"rules/2"}
    assert kb.engine == "rules/2"


def test_another_ontology_reads_everything_again(corpus: Path, make_kb: Kb, rules: Any, films: Any) -> None:
    make_kb().ingest([corpus], extractor=rules())
    wider = films.model_copy(update={"description": "films and more"})
    kb = make_kb(ontology=wider)
    assert kb.status().outdated == 12
    assert kb.ingest([corpus], extractor=rules()).reread == 12
    with KnowledgeBase.open(kb.path) as reader:
        assert reader.ontology == wider


def test_a_file_that_is_gone_is_reported_and_pruned_on_demand(
    corpus: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any, in_chroma: Any
) -> None:
    other = write_records(corpus / "more.jsonl", [make_film(50), make_film(51)])
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    other.unlink()
    report = kb.ingest([corpus], extractor=rules())
    assert report.missing == (str(other.resolve()),)
    assert len(kb.documents()) == 14
    report = kb.ingest([corpus], extractor=rules(), prune=True)
    assert (report.removed, len(kb.documents()), len(in_chroma(kb)["passages"])) == (2, 12, 12)
    assert kb.ingest([corpus], extractor=rules()).missing == ()


def test_a_whole_folder_that_is_gone(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    (corpus / "films.jsonl").unlink()
    corpus.rmdir()
    assert kb.ingest([corpus], extractor=rules(), prune=True).removed == 12
    assert kb.documents() == []


def test_a_dry_run_changes_nothing(corpus: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any) -> None:
    kb = make_kb()
    report = kb.ingest([corpus], extractor=rules(), dry_run=True)
    assert (report.added, report.sections, report.dry_run, kb.documents()) == (12, 12, True, [])
    kb.ingest([corpus], extractor=rules())
    before = list(kb.export())
    write_records(corpus / "films.jsonl", [make_film(0), make_film(1, genre="crime"), make_film(77)])
    report = kb.ingest([corpus], extractor=rules(), dry_run=True, prune=True)
    assert (report.added, report.updated, report.unchanged, report.removed) == (1, 1, 1, 10)
    assert list(kb.export()) == before


def test_what_cannot_be_read_is_set_aside_and_the_rest_goes_on(corpus: Path, make_kb: Kb, rules: Any) -> None:
    file = corpus / "films.jsonl"
    file.write_text(file.read_text() + '{"title": "broken\n' + '{"title": "No text"}\n', encoding="utf-8")
    kb = make_kb()
    report = kb.ingest([corpus], extractor=rules())
    assert report.added == 12
    assert [problem.line for problem in report.problems] == [13, 14]
    assert [problem.line for problem in kb.status().problems] == [13, 14]
    assert kb.ingest([corpus], extractor=rules()).problems == ()
    assert [p.line for p in kb.ingest([corpus], extractor=rules(), retry=True).problems] == [13, 14]


def test_a_record_that_breaks_later_keeps_what_was_read(corpus: Path, make_kb: Kb, rules: Any) -> None:
    file = corpus / "films.jsonl"
    kb = make_kb()
    kb.ingest([corpus], extractor=rules())
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:5], lines[5][:20], *lines[6:]]) + "\n", encoding="utf-8")
    report = kb.ingest([corpus], extractor=rules())
    assert (len(report.problems), report.removed, len(kb.documents())) == (1, 0, 12)


def test_a_fault_in_the_rules_costs_one_document(corpus: Path, make_kb: Kb, rules: Any) -> None:
    kb = make_kb()
    report = kb.ingest([corpus], extractor=rules(fails_on="Film D3"))
    assert report.added == 11
    assert "Film D3" in report.problems[0].message
    assert kb.ingest([corpus], extractor=rules(), retry=True).added == 1


def test_another_language_is_said(tmp_path: Path, make_kb: Kb, rules: Any) -> None:
    file = tmp_path / "film.txt"
    file.write_text(
        "Der Film wurde von Hans Müller gedreht, der in Berlin geboren wurde, und erschien im Jahr 1923. "
        "Er erzählt die Geschichte eines Mannes, der nach langer Zeit in seine Heimat zurückkehrt.",
        encoding="utf-8",
    )
    kb = make_kb()
    (warning,) = kb.ingest([file], extractor=rules()).warnings
    assert "German" in warning
    assert kb.documents()[0].language == "de"


@pytest.mark.parametrize("name", ["empty", "absent"])
def test_nothing_to_read_is_one_sentence(name: str, tmp_path: Path, make_kb: Kb, rules: Any) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=name):
        make_kb().ingest([tmp_path / name], extractor=rules())


def test_progress_is_reported_for_both_long_stages(corpus: Path, make_kb: Kb, rules: Any) -> None:
    steps: list[Progress] = []
    make_kb().ingest([corpus], extractor=rules(), progress=steps.append)
    assert {step.stage for step in steps} == {"read", "embed"}
    for stage in ("read", "embed"):
        done = [(step.done, step.total) for step in steps if step.stage == stage]
        assert done == sorted(done)
        assert done[-1][0] == done[-1][1]


def test_equal_label_texts_are_embedded_once(corpus: Path, make_kb: Kb, rules: Any, words_encoder: Any) -> None:
    encoder = words_encoder()
    make_kb(encoder=encoder).ingest([corpus], extractor=rules())
    assert len(encoder.encoded) == len(set(encoder.encoded))
    assert not any(text.isdigit() for text in encoder.encoded), "dates match by value and need no vector"


INGEST = """
import importlib.util, os, signal, sys, threading
spec = importlib.util.spec_from_file_location("world", sys.argv[1])
world = importlib.util.module_from_spec(spec); spec.loader.exec_module(world)
from pathlib import Path
import chromadb
encoder = world.WordsEncoder()
kb = world.KnowledgeBase.create(Path(sys.argv[2]), ontology=world.FILMS, encoder=lambda: encoder)
delay = float(sys.argv[4])
if delay:
    timer = threading.Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)); timer.daemon = True; timer.start()
import time; started = time.perf_counter()
kb.ingest([Path(sys.argv[3])], extractor=world.Rules())
print(time.perf_counter() - started)
os._exit(0)
"""


def test_killed_at_any_moment_it_goes_on_and_ends_the_same(
    tmp_path: Path, make_kb: Kb, rules: Any, make_film: Any, write_records: Any, in_chroma: Any
) -> None:
    corpus = write_records(tmp_path / "films.jsonl", [make_film(n) for n in range(300)])
    world = str(Path(__file__).with_name("conftest.py"))

    def ingest(kb: Path, delay: float) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", INGEST, world, str(kb), str(corpus), str(delay)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    whole = ingest(tmp_path / "whole", 0)
    assert whole.returncode == 0, whole.stderr
    seconds = float(whole.stdout)
    chance = random.Random(7)
    killed = 0
    for _ in range(4):
        done = ingest(tmp_path / "kb", chance.uniform(0.02, 0.6) * seconds)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        killed += done.returncode != 0
    assert killed > 0
    interrupted, uninterrupted = make_kb(tmp_path / "kb"), make_kb(tmp_path / "whole")
    interrupted.ingest([corpus], extractor=rules())
    assert interrupted.status().complete
    assert list(interrupted.export()) == list(uninterrupted.export())
    assert in_chroma(interrupted) == in_chroma(uninterrupted)
    assert len(interrupted.documents()) == 300
