"""How questions name documents: part numbers and their variants, titles, other names, series."""

from __future__ import annotations

from pathlib import Path

from multicube import MultiCube
from multicube.agent.engines.embedded.documents.document_index import DocumentIndex, part_numbers
from multicube.agent.engines.embedded.documents.requests import DocumentQueryParser

SHELF = DocumentIndex(
    [
        ("a", "Halvix HX-210 Wireless Router User Manual", "a.pdf"),
        ("b", "Halvix HX-340 Wireless Router User Manual", "b.pdf"),
        ("c", "Ostermill Foods Annual Report 2022", "c.pdf"),
        ("d", "Ostermill Foods Annual Report 2023", "d.pdf"),
    ],
    4,
    {
        "a": "The HX-210 is a router of the Lowland series, also sold under the name Petrel.",
        "b": "The HX-340 belongs to the Lowland series.",
        "c": "",
        "d": "",
    }.__getitem__,
)


def named(text: str) -> list[list[str]]:
    return [[ref.id for ref in mention.refs] for mention in SHELF.mentions(text)]


def test_part_numbers_are_found_however_they_are_written() -> None:
    assert named("Which is heavier, the HX210 or the HX 340?") == [["a"], ["b"]]
    assert named("the weight of the HX-2100") == []


def test_a_year_tells_reports_of_one_company_apart() -> None:
    assert named("What was the revenue of Ostermill Foods in 2022?") == [["c"]]
    assert named("Compare the Ostermill Foods Annual Report 2022 with its successor") == [["c"]]


def test_a_document_tells_its_other_name_and_its_series() -> None:
    assert named("How heavy is the Petrel?") == [["a"]]
    assert SHELF.mentions("How heavy is the Petrel?")[0].name == "HX-210"
    assert named("Which router of the Lowland series is the heaviest?") == [["a", "b"]]


def test_a_part_of_a_compound_names_no_document() -> None:
    assert named("Does the Petrel-20 or the Neo-Petrel weigh more?") == []


def test_pages_of_one_manual_are_not_called_by_what_they_speak_of() -> None:
    told = {"i": "You need a controller from the Brelo range.", "g": "Words."}
    pages = DocumentIndex([("i", "Installing", "i.md"), ("g", "Glossary", "g.md")], 2, told.__getitem__)
    assert pages.mentions("Which Brelo takes more zones?") == []


def test_amounts_are_no_part_numbers() -> None:
    assert part_numbers("at 5GHz and 10Mbps the HX-999 needs 12V") == ["HX-999"]


def test_an_empty_shelf_names_nothing() -> None:
    assert DocumentIndex().mentions("The HX-210") == []


def test_a_file_is_named_by_its_suffix_or_by_its_kind_and_folder() -> None:
    files = [("r", "kilnd for Debian", "/doc/kilnd-2.1/README.Debian"), ("n", "Fuel", "/doc/fuel-notes.txt")]
    document_index = DocumentIndex([("m", "Clay Manual", "/doc/clayd/README")], 3, others=files)

    def found(text: str) -> list[str]:
        return [ref.id for mention in document_index.mentions(text) for ref in mention.refs]

    assert found("What does README.Debian of kilnd say about fuel?") == ["r"]
    assert found("According to the kilnd readme, what burns?") == ["r"]
    assert found("How is it fired according to the README for clayd?") == ["m"]
    assert found("What burns best by fuel-notes.txt?") == ["n"]
    assert found("Which fuel does kilnd burn?") == []
    assert document_index.mentions("in the kilnd readme")[0].name == "kilnd for Debian"


def test_the_words_that_ask_name_no_document_that_has_them_in_its_title(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/faq.md").write_text("# What is the Brelo collector?\n\n## Purpose\n\nIt gathers dew at night.\n")
    told = "# Zorvin pump\n\n## Start\n\nTurn it.\n\n## Data\n\nThe pump weighs 14 kg.\n"
    (tmp_path / "docs/manual.md").write_text(told)
    with MultiCube.build([tmp_path / "docs"], tmp_path / "kb") as kb:
        assert kb.ask("What is the weight of the pump?").answer == "14 kg"


def test_only_documents_of_one_kind_are_asked_one_by_one() -> None:
    titles = ("The Brelo lamp", "Working at the Brelo", "Moorings", "Tides", "On rope")
    document_index = DocumentIndex(
        [(title, title, f"{number}.txt") for number, title in enumerate(titles)], len(titles)
    )
    question = "When did Brelo join the guild?"
    assert document_index.mentions(question) == [], "one word of a longer title is no name"
    assert [mention.text for mention in document_index.mentions("Who lit the Brelo lamp?")] == ["Brelo lamp"]
    read = DocumentQueryParser(document_index).read
    assert read(question).subqueries == (question,)
    assert not read("Since which version is the lamp lit?").items
    assert DocumentQueryParser(SHELF).read("Which product is the heaviest?").items


def test_a_whole_title_is_a_name_before_a_part_of_another() -> None:
    titles = ("Ormel", "Bindings of Velka for Ormel", "Tides", "On rope", "Moorings")
    index = DocumentIndex([(title, title, f"{number}.txt") for number, title in enumerate(titles)], len(titles))
    (mention,) = index.mentions("Which Velka does the Ormel library bind?")
    assert [ref.title for ref in mention.refs] == ["Ormel"]


def test_a_word_that_english_lacks_names_its_document_in_any_spelling() -> None:
    index = DocumentIndex(
        [("k", "krelling", "krelling.md"), ("l", "Lamp", "lamp.md"), ("s", "What is it?", "sluicekit.rst"),
         ("d", "drive-train", "d.md")],
        4, is_word={"lamp", "drive", "train"}.__contains__,
    )  # fmt: skip
    named = {
        text: [mention.text for mention in index.mentions(text)]
        for text in ("does krelling need a lamp?", "krelling or sluicekit?", "is drive-train fast?", "a drive train")
    }
    assert list(named.values()) == [["krelling"], ["krelling", "sluicekit"], ["drive-train"], []]
