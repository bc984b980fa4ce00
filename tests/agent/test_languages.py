"""Documents in German, French and Spanish: chapters, passages and quotations work, and what does not is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from multicube import MultiCube
from multicube.agent.engines.embedded.kinds.kind import ForeignQuestions
from multicube.cubes.core.language import asked_in
from multicube.graphs.records import Evidence
from typer.testing import CliRunner

TEXTS = {
    "leuchtturm.md": """# Der Leuchtturm von Brandholm

Der Leuchtturm steht auf einer Klippe über dem Hafen von Brandholm. Er ist 41 Meter hoch und aus Backstein gemauert.

## Geschichte

Der Turm wurde im Jahr 1874 nach Plänen des Ingenieurs Konrad Seefeld gebaut. Ein Sturm beschädigte 1911 die Laterne.

## Betrieb

Das Licht ist in klaren Nächten 38 Kilometer weit zu sehen. Die letzte Wärterin hieß Marga Thiel.

## Besuch

Besucher dürfen den Turm von April bis Oktober besteigen. Der Eintritt kostet vier Kronen, Kinder zahlen nichts.
""",
    "moulin.md": """# Le moulin de Valserre

Le moulin se trouve au bord de la rivière Ombrelle, à deux kilomètres du village de Valserre.

## Histoire

Le moulin a été construit en 1792 par le meunier Étienne Caradec. Une crue a emporté la roue en 1856.

## Visite

Le moulin est ouvert au public le dimanche après-midi. L'entrée est gratuite pour les enfants.
""",
    "puente.md": """# El puente de Almarza

El puente cruza el río Tormela y une los dos barrios de la ciudad de Almarza.

## Historia

El puente fue diseñado por la arquitecta Inés Belmonte y se terminó en 1928. Una riada destruyó dos de sus arcos.

## Tráfico

Cada día cruzan el puente unos catorce mil vehículos. Los camiones de más de veinte toneladas no pueden pasar.
""",
    "harbour.md": """# The harbour of Skarholt

The harbour of Skarholt was opened in 1902. Its crane was built by the engineer Ada Brandt, and it lifts 40 tons.
""",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("abroad")
    for name, text in TEXTS.items():
        (folder / "documents" / name).parent.mkdir(exist_ok=True)
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    with MultiCube.build([folder / "documents"], folder / "kb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "language", "says", "chapter"),
    [
        ("Wann wurde der Leuchtturm gebaut?", "German", "1874", "Geschichte"),
        ("Was kostet der Eintritt?", "German", "vier Kronen", "Besuch"),
        ("Wie heißt die letzte Wärterin?", "German", "Marga Thiel", "Betrieb"),
        ("Qui a construit le moulin ?", "French", "Étienne Caradec", "Histoire"),
        ("Quand le moulin est-il ouvert ?", "French", "le dimanche", "Visite"),
        ("¿Quién diseñó el puente?", "Spanish", "Inés Belmonte", "Historia"),
        ("¿Qué camiones no pueden pasar?", "Spanish", "veinte toneladas", "Tráfico"),
    ],
)
def test_a_question_is_answered_by_a_sentence_of_the_right_chapter(
    kb: MultiCube, question: str, language: str, says: str, chapter: str
) -> None:
    run = kb.ask(question, save=False)
    assert run.form == "passage"
    assert says in run.answer
    assert run.citations[0].path[-1] == chapter
    assert run.note == f"The question is in {language}. The rules are English, so this is the sentence that fits best."


def test_english_questions_are_read_by_the_rules_all_the_same(kb: MultiCube) -> None:
    run = kb.ask("Who built the crane of the harbour of Skarholt?", save=False)
    assert "Ada Brandt" in run.answer
    assert "sentence that fits best" not in run.note


def test_what_is_not_there_is_not_answered(kb: MultiCube) -> None:
    run = kb.ask("Welche Zutaten braucht man für Kartoffelsuppe?", save=False)
    assert not run.answer
    assert "The question is in German" in run.note


def test_ingest_says_what_does_not_work_and_reads_no_cells(tmp_path: Path) -> None:
    from multicube.agent.cli import app

    (tmp_path / "turm.md").write_text(TEXTS["leuchtturm.md"], encoding="utf-8")
    done = CliRunner().invoke(app, ["ingest", str(tmp_path / "turm.md"), "--kb", str(tmp_path / "kb")])
    assert "seems to be German; it is searched and quoted, but no cells are read from it" in done.stderr
    assert "facts: 0" in done.stdout


@pytest.mark.parametrize(
    "question",
    [
        "Who is the mother of Johann von Berg?",
        "When did the director of La Casa de las Sombras die?",
        "Which film was released first, Le Pont or Der Turm?",
    ],
)
def test_names_of_another_language_make_no_question_foreign(question: str) -> None:
    assert asked_in(question, {"de", "fr", "es"}) == "en"


def test_a_multilingual_encoder_finds_what_shares_no_word() -> None:
    def alike(_: str, others: Sequence[str]) -> list[float]:
        return [float(np.float32(0.9 if "lifts" in other else 0.0)) for other in others]

    text = "It was painted red. The crane lifts 40 tons."
    evidence = Evidence(
        section_id="a:0", document_id="a", record_id="a", title="Crane", path=("Crane",), source="a.md", text=text,
        sentence="", start=0, end=0, rank=1,
    )  # fmt: skip
    told = ForeignQuestions({"de"}, alike).answer("Wie viel kann der Kran heben?", [evidence])
    assert told is not None
    assert told.answers == ("The crane lifts 40 tons.",)
