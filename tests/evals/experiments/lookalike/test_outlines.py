"""What an ingest makes of six generated documents is the tree that was written."""

from pathlib import Path

import pytest
from multicube.evals.experiments.lookalike.outlines import Outline, check, differences
from multicube.evals.generators.lookalike.generating import generate

OUTLINE = Outline(title="A", chapters=(("1 One",), ("1 One", "1.1 Two")), tables=("Table 1: T",), figures=("Figure 1",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("six")
    generate(made, documents=6)
    return made


@pytest.fixture(scope="module")
def found(folder: Path) -> dict[str, list[str]]:
    return check(folder)


def test_pdf_docx_and_html_show_the_chapters_that_were_written(found: dict[str, list[str]]) -> None:
    assert len(found) == 6
    wrong = {name: [said for said in each if "chapter" in said] for name, each in found.items()}
    assert not any(wrong.values()), wrong


def test_docx_and_html_show_their_tables_and_figures(folder: Path, found: dict[str, list[str]]) -> None:
    structured = [path.stem for path in (folder / "documents").iterdir() if path.suffix in (".docx", ".html")]
    assert len(structured) == 4
    assert [found[name] for name in structured] == [[]] * 4


def test_a_broken_document_is_a_difference(folder: Path, tmp_path: Path) -> None:
    generate(tmp_path, documents=5, format="md")
    first, second, *_ = sorted((tmp_path / "documents").iterdir())
    first.unlink()
    second.write_text(second.read_text("utf-8").replace("## 5.2 ESD Ratings", "## 5.2 Other Ratings"), encoding="utf-8")
    found = check(tmp_path)
    assert found[first.stem] == ["The document was not found."]
    assert any('"5 Specifications > 5.2 ESD Ratings" is missing' in said for said in found[second.stem])


def test_differences_name_what_is_missing_too_much_or_out_of_order() -> None:
    assert list(differences(OUTLINE, OUTLINE)) == []
    other = OUTLINE.model_copy(update={"title": "B", "tables": (), "figures": ("Figure 2",)})
    said = " ".join(differences(OUTLINE, other))
    assert 'The title is "B"' in said
    assert 'The table "Table 1: T" is missing.' in said
    assert 'a figure "Figure 2" that nobody wrote' in said
    turned = OUTLINE.model_copy(update={"chapters": OUTLINE.chapters[::-1]})
    assert "another order" in " ".join(differences(OUTLINE, turned))
