"""Every published format: told from all others, its gold on the right passages, its broken records set aside."""

import json
from pathlib import Path
from typing import Any

import published_samples as samples
import pytest
from multicube.cubes.core.errors import InputError, UsageError
from multicube.evals.datasets.dataset import Dataset
from multicube.evals.datasets.formats import FORMATS, detect, names, prepared
from multicube.evals.datasets.load import load_dataset
from published_samples import ADA, MOON, QUESTION, ROME, SAMPLES, write, write_json, write_lines


def made(tmp_path: Path, name: str) -> Path:
    root = tmp_path / name
    root.mkdir()
    return SAMPLES[name][1](root)


def converted(source: Path, tmp_path: Path, **more: Any) -> tuple[Dataset, dict[str, str], list[str]]:
    """The data set, its texts by id, and what was said."""
    said: list[str] = []
    folder = prepared(source, tmp_path / "out" / "dataset", say=said.append, **more)
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    return load_dataset(folder), {row["id"]: row["text"] for row in rows}, said


@pytest.mark.parametrize("name", SAMPLES)
def test_each_format_is_told_from_all_others(tmp_path: Path, name: str) -> None:
    source = made(tmp_path, name)
    assert [one.name for one in FORMATS if one.detect(source)] == [SAMPLES[name][0]]
    found = detect(source)
    assert found is not None
    assert found.name == SAMPLES[name][0]


@pytest.mark.parametrize("name", SAMPLES)
def test_each_format_becomes_a_data_set(tmp_path: Path, name: str) -> None:
    dataset, texts, said = converted(made(tmp_path, name), tmp_path)
    assert dataset.name == name
    assert dataset.gold_outside_corpus() == ()
    assert set(texts) == dataset.corpus_ids
    assert len(set(texts.values())) == len(texts)
    assert said[0].startswith(f"{name}: {dataset.total} questions and {len(texts)} documents of ")
    assert len(said) == 1


GOLD = {
    "hotpotqa": {ADA, ROME},
    "hotpotqa_columns": {ADA, ROME},
    "wiki2": {ADA, ROME},
    "musique": {ADA, ROME},
    "lveval": set(),
    "hipporag": {ADA, ROME},
    "hipporag_hotpotqa": {ADA, ROME},
    "multihop_rag": {ADA, ROME},
    "triviaqa": {ADA, ROME},
    "nq": {ROME},
    "nq_simplified": {ROME},
    "nq_open": set(),
    "scifact": {f"{ADA} She lived."},
    "legalbench_rag": {f"§ 1. {ADA}\n§ 2. {ROME}\n"},
    "scidcc": {ADA, ROME},
    "scidcc_first": {ROME},
    "scidcc_csv": set(),
    "muisqa": {f"# Ada\n\n{ADA}\n"},
    "masqa": {f"# Ada\n\n{ADA}\n"},
    "multi_perspective": {ADA, ROME},
    "beir": {ADA, ROME},
}


@pytest.mark.parametrize("name", SAMPLES)
def test_gold_is_on_the_right_passages(tmp_path: Path, name: str) -> None:
    dataset, texts, _ = converted(made(tmp_path, name), tmp_path)
    assert {texts[id] for id in dataset.questions[0].supporting} == GOLD[name]


def test_what_each_format_says_of_its_questions(tmp_path: Path) -> None:
    def first(name: str) -> Any:
        return converted(made(tmp_path, name), tmp_path / f"of-{name}")[0].questions[0]

    wiki2 = first("wiki2")
    assert (first("hotpotqa").id, wiki2.answers, wiki2.hops) == ("h1", ("Italy", "Italia"), 2)
    assert tuple(wiki2.evidences[0]) == ("Ada", "place of birth", "Rome")
    musique = first("musique")
    assert (musique.answers, musique.type, musique.hops) == (("Italy", "Italia"), "2hop", 2)
    assert [step["supporting"] for step in musique.decomposition] == list(musique.supporting)
    assert first("lveval").keywords == ("Italy",)
    assert first("hipporag").decomposition == musique.decomposition
    assert first("triviaqa").answers == ("Italy", "Italia")
    assert first("nq_simplified").answers == ("Italy.",)
    assert first("nq_open").answers == ("Italy", "Italia")
    assert first("muisqa").rows == ({"person": "Ada", "city": ("Rome", "Roma")}, {"person": "Bob", "city": "Oslo"})
    masqa = first("masqa")
    assert (masqa.question, masqa.type) == ("Where was Ada born?\nA: Rome\nB: Oslo", "single_choice")
    assert first("multi_perspective").perspectives == [["birth"], ["geography"]]
    assert first("beir").answers is None


def test_no_answer_is_told_from_an_unknown_one(tmp_path: Path) -> None:
    claims = converted(made(tmp_path, "scifact"), tmp_path / "a")[0].questions
    assert [(claim.answers, claim.type) for claim in claims] == [
        (("yes",), "SUPPORT"),
        (("no",), "CONTRADICT"),
        ((), "NOT_ENOUGH_INFO"),
    ]
    assert converted(made(tmp_path, "multihop_rag"), tmp_path / "b")[0].questions[1].answers == ()
    row = samples.hotpot_row()
    del row["answer"]
    source = write_json(tmp_path / "hotpot_test_fullwiki_v1.json", [row])
    assert converted(source, tmp_path / "c")[0].questions[0].answers is None


def test_a_snippet_is_exactly_what_answers(tmp_path: Path) -> None:
    dataset, texts, _ = converted(made(tmp_path, "legalbench_rag"), tmp_path)
    ((id, start, end),) = dataset.questions[0].snippets
    assert texts[id][start:end] == ROME == dataset.questions[0].answers[0]  # type: ignore[index]
    assert set(texts) == {"contractnli/ada.txt", "contractnli/moon.txt"}  # the other benchmark's folder is not in


def test_identical_paragraphs_of_many_questions_are_one_with_ids_that_stay(tmp_path: Path) -> None:
    rows = [samples.hotpot_row(_id=f"h{n}") for n in range(5)]
    rows[3]["context"] = [["Ada", ["Ada was a singer."]], ["Rome", [ROME]]]
    source = write_json(tmp_path / "dev.json", rows)
    dataset, texts, _ = converted(source, tmp_path)
    assert sorted(texts.values()) == sorted([ADA, MOON, ROME, "Ada was a singer."])
    assert [dataset.questions[n].supporting for n in (0, 3, 4)] == [
        ("d00000", "d00002"), ("d00003", "d00002"), ("d00000", "d00002")
    ]  # fmt: skip
    again, same, _ = converted(source, tmp_path / "again")
    assert (same, again.corpus_digest) == (texts, dataset.corpus_digest)


def test_gold_that_a_fullwiki_question_lacks_is_found_in_another_or_stays_missing(tmp_path: Path) -> None:
    lacking = samples.hotpot_row(_id="h2", context=[["Moon", [MOON]]])
    nowhere = samples.hotpot_row(_id="h3", context=[["Moon", [MOON]]], supporting_facts=[["Mars", 0]])
    dataset, texts, _ = converted(write_json(tmp_path / "x.json", [lacking, nowhere, samples.hotpot_row()]), tmp_path)
    assert {texts[id] for id in dataset.questions[0].supporting} == {ADA, ROME}
    assert dataset.gold_outside_corpus() == (("h3", "title:Mars"),)


def test_an_unanswerable_twin_is_not_asked_of_a_corpus_that_answers_it(tmp_path: Path) -> None:
    twin = samples.musique_row(answerable=False, paragraphs=samples.musique_row()["paragraphs"][:1])
    alone = samples.musique_row(id="2hop__9_9", answerable=False)
    source = write_lines(tmp_path / "musique_full_v1.0_dev.jsonl", [samples.musique_row(), twin, alone])
    dataset, _, said = converted(source, tmp_path)
    assert [(q.id, q.answers) for q in dataset.questions] == [("2hop__1_2", ("Italy", "Italia")), ("2hop__9_9", ())]
    assert "1 record was set aside (the first: musique_full_v1.0_dev.jsonl:2: its answerable twin" in said[1]


BROKEN: dict[str, tuple[str, Any, str]] = {
    "no context": ("hotpot.json", samples.hotpot_row(_id="x", context=[]), 'field "context" holds no paragraph'),
    "no list": ("hotpot.json", samples.hotpot_row(_id="x", context=7), 'field "context" is missing or not a list'),
    "twice": ("hotpot.json", samples.hotpot_row(), 'the id "h1" was already used'),
    "no object": ("hotpot.json", [1], "it is not a JSON object"),
    "no question": ("hotpot.json", samples.hotpot_row(_id="x", question=None), 'field "question" is missing'),
    "half a character": ("hotpot.json", samples.hotpot_row(_id="x", question="\ud800?"), "not valid UTF-8"),
    "no paragraphs": ("musique.jsonl", samples.musique_row(id="x", paragraphs="none"), '"paragraphs"'),
    "no steps": ("musique.jsonl", samples.musique_row(id="x", question_decomposition=[3]), "question_decomposition"),
    "no passages": ("lveval.jsonl", samples.lveval_row(context="just text"), 'no "Passage N" blocks'),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_record_is_set_aside_and_the_rest_is_read(tmp_path: Path, name: str) -> None:
    file, row, reason = BROKEN[name]
    good = {"h": samples.hotpot_row, "m": samples.musique_row, "l": samples.lveval_row}[file[0]]()
    rows = [good, row, {**good, "id": "last", "_id": "last"}]
    source = (write_json if file.endswith(".json") else write_lines)(tmp_path / file, rows)
    dataset, _, said = converted(source, tmp_path)
    assert dataset.total == 2
    assert reason in said[1]
    (aside,) = map(json.loads, (dataset.folder / "set-aside.jsonl").read_text("utf-8").splitlines())
    assert aside["file"] == file
    assert aside["place"] == ("record 2" if file.endswith(".json") else "2")
    assert reason in aside["reason"]


def test_a_paragraph_without_text_costs_only_itself(tmp_path: Path) -> None:
    row = samples.hotpot_row(context=[["Ada", [ADA]], ["Empty", []], ["Rome", [ROME]]])
    dataset, texts, said = converted(write_json(tmp_path / "x.json", [row]), tmp_path)
    assert (dataset.total, set(texts.values())) == (1, {ADA, ROME})
    assert 'x.json, record 1: the text is empty under the title "Empty"' in said[1]


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", "contractnli/../../secret.txt", "contractnli/link.txt"]
)
def test_paths_in_data_never_leave_the_corpus(tmp_path: Path, path: str) -> None:
    source = made(tmp_path, "legalbench_rag")
    write(source / "secret.txt", "secret")
    (source / "corpus" / "contractnli" / "link.txt").symlink_to(source / "secret.txt")
    file = source / "benchmarks" / "contractnli.json"
    tests = json.loads(file.read_text())["tests"]
    tests.append({"query": "What is secret?", "snippets": [{"file_path": path, "span": [0, 6]}]})
    write_json(file, {"tests": tests})
    dataset, texts, said = converted(source, tmp_path)
    assert dataset.total == 1
    assert "secret" not in " ".join(texts.values())
    assert "leads out of the corpus" in " ".join(said)


@pytest.mark.parametrize(("span", "reason"), [([0, 9999], "does not lie within"), ([0, 4], "does not hold its answer")])
def test_a_snippet_that_is_not_there_is_a_broken_record(tmp_path: Path, span: list[int], reason: str) -> None:
    source = made(tmp_path, "legalbench_rag")
    file = source / "benchmarks" / "contractnli.json"
    tests = json.loads(file.read_text())["tests"]
    tests.append({"query": "Where?", "snippets": [{"file_path": "contractnli/ada.txt", "span": span, "answer": ROME}]})
    write_json(file, {"tests": tests})
    assert reason in converted(source, tmp_path)[2][1]


def test_evidence_that_is_not_there_is_named(tmp_path: Path) -> None:
    source = made(tmp_path, "triviaqa")
    (source / "evidence" / "wikipedia" / "Ada.txt").unlink()
    dataset, texts, said = converted(source, tmp_path)
    assert {texts[id] for id in dataset.questions[0].supporting} == {ROME}
    assert "the evidence file Ada.txt is not in wikipedia" in said[1]


def test_a_file_without_one_good_record_is_an_error_that_leaves_nothing(tmp_path: Path) -> None:
    source = write_json(tmp_path / "hotpot.json", [samples.hotpot_row(context=[])])
    with pytest.raises(InputError, match=r"no question could be read as HotpotQA \(the first problem: hotpot.json, r"):
        prepared(source, tmp_path / "out" / "dataset")
    assert [path.name for path in (tmp_path / "out").iterdir() if path.suffix != ".lock"] == []


@pytest.mark.parametrize(
    ("format", "sentence"),
    [
        ("hotpotqa", "HotpotQA's hotpot_dev_distractor_v1.json is not in {}; it is published at "
         "https://hotpotqa.github.io; or add --download."),
        ("hotpotqa-fullwiki", "HotpotQA's hotpot_dev_fullwiki_v1.json is not in {}"),
        ("multihop-rag", "MultiHop-RAG's corpus.json + MultiHopRAG.json are not in {}; they are published at "),
        ("legalbench-rag", "published at https://github.com/zeroentropy-ai/legalbenchrag; fetch them from there."),
    ],
)  # fmt: skip
def test_a_missing_file_is_one_sentence_that_says_where_it_is_published(
    tmp_path: Path, format: str, sentence: str
) -> None:
    with pytest.raises(UsageError) as caught:
        prepared(tmp_path, tmp_path / "out", format)
    assert sentence.format(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_without_files_says_where_they_are_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"MuSiQue's musique_ans_v1.0_dev.jsonl is not in musique-ans; it is pub"):
        prepared("musique-ans", tmp_path / "out")
    with pytest.raises(UsageError, match=r"There is no data set format .nothing."):
        prepared(tmp_path, tmp_path / "out", "nothing")
    with pytest.raises(UsageError, match=r"neither corpus.jsonl and questions.jsonl nor the files of a publ"):
        prepared(tmp_path, tmp_path / "out")
    with pytest.raises(UsageError, match="no data set folder"):
        prepared("nowhere", tmp_path / "out")


def test_of_several_sets_in_a_folder_one_has_to_be_named(tmp_path: Path) -> None:
    for name in ("hotpot_dev_distractor_v1.json", "hotpot_dev_fullwiki_v1.json"):
        write_json(tmp_path / name, [samples.hotpot_row(question=f"{name}?")])
    with pytest.raises(UsageError, match=r"several data sets \(hotpot_dev_distractor_v1.json, hotpot_dev_full"):
        prepared(tmp_path, tmp_path / "out")
    by_name, _, _ = converted(tmp_path, tmp_path / "a", format="hotpotqa-fullwiki")
    by_path, _, _ = converted(tmp_path / "hotpot_dev_fullwiki_v1.json", tmp_path / "b")
    assert by_name.questions == by_path.questions
    assert by_name.questions[0].question == "hotpot_dev_fullwiki_v1.json?"


def test_the_own_layout_stays_as_it_is(tmp_path: Path) -> None:
    write_lines(tmp_path / "own" / "corpus.jsonl", [{"id": "a", "title": "A", "text": ADA}])
    write_lines(tmp_path / "own" / "questions.jsonl", [{"id": "q", "question": QUESTION, "answers": ["Italy"]}])
    assert prepared(tmp_path / "own", tmp_path / "out") == tmp_path / "own"
    assert prepared(tmp_path / "own" / "questions.jsonl", tmp_path / "out") == tmp_path / "own"
    assert detect(tmp_path / "own") is None
    assert not (tmp_path / "out").exists()


def test_a_source_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    source = made(tmp_path, "wiki2")
    out = tmp_path / "out" / "dataset"
    assert len(converted(source, tmp_path)[2]) == 1
    before = (out / "about.json").stat().st_mtime_ns
    assert converted(source, tmp_path)[2] == []
    assert (out / "about.json").stat().st_mtime_ns == before
    write_lines(source / "id_aliases.json", [{"Q_id": "Q38", "aliases": ["Italian Republic"], "demonyms": []}])
    dataset, _, said = converted(source, tmp_path)
    assert len(said) == 1
    assert dataset.questions[0].answers == ("Italy", "Italian Republic")
    (source / "id_aliases.json").unlink()
    assert converted(source, tmp_path)[0].questions[0].answers == ("Italy",)


def test_what_was_set_aside_is_said_again_when_nothing_has_changed(tmp_path: Path) -> None:
    source = write_json(tmp_path / "x.json", [samples.hotpot_row(), samples.hotpot_row()])
    first, again = converted(source, tmp_path)[2], converted(source, tmp_path)[2]
    assert again == first[1:]


def test_a_folder_of_somebody_else_is_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "out" / "dataset" / "mine.txt", "mine")
    with pytest.raises(UsageError, match="was not made by multicube"):
        converted(made(tmp_path, "hotpotqa"), tmp_path)
    assert (tmp_path / "out" / "dataset" / "mine.txt").read_text() == "mine"


def test_load_dataset_takes_published_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTICUBE_CACHE", str(tmp_path / "cache"))
    dataset = load_dataset(made(tmp_path, "beir"))
    assert (dataset.name, dataset.questions[0].answers) == ("beir", None)
    assert load_dataset(tmp_path / "beir", "beir").questions == dataset.questions


def test_the_names_are_unique_and_every_set_can_be_found_again() -> None:
    sets = [release.name for one in FORMATS for release in one.releases]
    assert len(sets) == len(set(sets))
    assert {"hotpotqa", "hotpotqa-fullwiki", "lveval-256k", "beir"} <= set(names())
    assert {SAMPLES[name][0] for name in SAMPLES} == {one.name for one in FORMATS}
