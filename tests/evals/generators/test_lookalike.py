"""The look-alike benchmark's documents and questions: the same by seed, of every kind, and true to the documents."""

import json
from collections import Counter
from pathlib import Path

import pytest
from multicube.cubes.core.errors import UsageError
from multicube.evals.datasets.dataset import Question
from multicube.evals.generators.lookalike.content import datasheet
from multicube.evals.generators.lookalike.family import PARAMETERS, Product, products
from multicube.evals.generators.lookalike.files.markdown import markdown
from multicube.evals.generators.lookalike.generating import PER_KIND, all_questions, generate
from multicube.evals.generators.lookalike.parts import Datasheet, Text, captions
from multicube.evals.generators.lookalike.questions import KINDS, LookalikeQuestion, read_questions


@pytest.fixture(scope="module")
def made() -> list[Product]:
    return products(40)


@pytest.fixture(scope="module")
def sheets(made: list[Product]) -> dict[str, Datasheet]:
    return {product.part: datasheet(product) for product in made}


@pytest.fixture(scope="module")
def questions(made: list[Product], sheets: dict[str, Datasheet]) -> list[LookalikeQuestion]:
    return list(all_questions(made, sheets))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


def test_the_same_seed_writes_the_same_bytes_and_another_other_ones(tmp_path: Path) -> None:
    for name, seed, format in (("a", 3, "mixed"), ("b", 3, "mixed"), ("c", 4, "md")):
        generate(tmp_path / name, documents=6, seed=seed, format=format)
    one, two, other = (contents(tmp_path / name) for name in "abc")
    assert one == two
    assert one[Path("questions.jsonl")] != other[Path("questions.jsonl")]
    assert Counter(path.suffix for path in one) >= Counter({".pdf": 2, ".docx": 2, ".html": 2})


def test_a_smaller_family_is_a_part_of_a_larger_one(made: list[Product]) -> None:
    assert products(7) == made[:7]


def test_every_kind_has_its_twelve_questions_and_some_name_the_product_otherwise(
    questions: list[LookalikeQuestion],
) -> None:
    counts = Counter(question.type for question in questions)
    assert {kind: counts[kind] for kind in KINDS if kind != "figure"} == {k: PER_KIND for k in KINDS if k != "figure"}
    assert counts["figure"] == 8
    assert len({question.id for question in questions}) == len(questions)
    assert Counter(question.named for question in questions)["nickname"] >= 20
    assert sum(len(question.supporting) > 1 for question in questions) >= 24


def test_gold_stands_in_the_chapter_it_names(
    questions: list[LookalikeQuestion], sheets: dict[str, Datasheet]
) -> None:
    for question in questions:
        assert question.gold_sections
        for gold in question.gold_sections:
            sheet = sheets[gold.document]
            text = markdown(sheet)
            assert text.count(gold.quote) == 1, (question.id, gold.quote)
            assert gold.path in [path for path, _ in sheet.walk()]


def test_the_answer_of_a_choice_is_an_option_that_the_question_spells_out(
    questions: list[LookalikeQuestion],
) -> None:
    for question in questions:
        if question.options:
            assert set(question.answers[0].split(", ")) <= set(question.options)
            assert all(f"{letter}: {text}" in question.question for letter, text in question.options.items())


def test_a_value_of_another_product_is_no_answer(
    made: list[Product], questions: list[LookalikeQuestion]
) -> None:
    by_part = {product.part: product for product in made}
    for question in questions:
        if question.type == "judgement":
            product = by_part[question.supporting[0]]
            key = next(k for k, p in PARAMETERS.items() if f"The {p.asked} of" in question.question)
            assert (f"is {product.say(key)}." in question.question) == (question.answers[0] == "True")


def test_a_series_has_one_best_product(made: list[Product]) -> None:
    for series in {product.series for product in made}:
        group = [product for product in made if product.series == series]
        for key in PARAMETERS:
            assert len({product.values[key] for product in group}) == len(group)


def test_chapters_say_little_of_whose_they_are(sheets: dict[str, Datasheet]) -> None:
    """Most chapters do not name the product, or there would be no look-alikes."""
    for sheet in sheets.values():
        prose = [block.text for _, chapter in sheet.walk() for block in chapter.blocks if isinstance(block, Text)]
        assert sum(sheet.id in text for text in prose) == 2 < len(prose) / 10
        assert len({caption.split(":")[0] for caption in captions(sheet).values()}) == 15


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    files = generate(tmp_path, documents=5, format="md")
    read = read_questions(tmp_path)
    assert len(read) == 128
    assert all(isinstance(question, Question) for question in read)
    assert [path.suffix for path in files] == [".md"] * 5
    tree = json.loads((tmp_path / "chapters.json").read_text("utf-8"))["NVR3105"]["chapters"]
    assert ["6 Detailed Description", "6.3 Feature Description", "6.3.4 Thermal Shutdown"] in tree


@pytest.mark.parametrize(("documents", "format"), [(4, "md"), (41, "md"), (6, "odt")])
def test_what_cannot_be_made_is_one_sentence(tmp_path: Path, documents: int, format: str) -> None:
    with pytest.raises(UsageError, match=r"choose from|give a number"):
        generate(tmp_path, documents=documents, format=format)


def test_documents_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "mine.md").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="another folder"):
        generate(tmp_path, documents=5, format="md")
    assert (tmp_path / "documents" / "mine.md").exists()
