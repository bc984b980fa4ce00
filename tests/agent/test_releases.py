"""Lists of changes: under which release something stands, and when a release came out, is in the headings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from multicube import MultiCube

CHANGES = """# Changelog

## 3.1.0 (2023-04-11)

- The pump can be started from the harbour office.
- Dropped support for the old tide table.

## 3.0.2 "Kelp" (2022-11-30)

- Mended the gauge, which was off by an inch when the wind came from the north.

## 3.0.0 (2022-06-02)

- The gates can be opened by telephone.
- Added a second siren for the northern quay.

## 2.4.0 (2020-01-15)

- The log is written in ink.
"""
NEWS = """Lampwick news

Changes in version 1.4 (9 March 2021)

* The option --trim keeps the wick short.
* The soot of the wick is trimmed to one inch.

Changes in version 1.2 (4 May 2019)

* Support for BROV oil, which is read with a funnel.
* The tin reservoir is deprecated.

Changes in version 1.1 (2 May 2018)

* BROV oil burns as well.
* Wicks are trimmed by hand.

Changes in version 1.5 (1 June 2022)

* The tin reservoir is gone for good.
"""
README = """# Sluicemaster

Sluicemaster opens and closes the gates of a harbour.

## Requirements

It needs Python 3.9 or later and a barometer.
"""
NOTES = {
    "tides.md": "# Tides of the bay\n\n## Springs\n\nIt comes twice a month.\n\n## Neaps\n\nA neap tide is low.\n",
    "lamps.md": "# Lamps\n\n## 2.1 Oil\n\nOil lamps were lit by hand till 1931.\n\n## 2.2 Gas\n\nGas came later.\n",
    "ropes.md": "# Ropes\n\n## Hemp\n\nHemp was spun in Dorvale.\n\n## Wire\n\nWire is for the crane.\n",
}


@pytest.fixture(scope="module")
def sluice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("packages") / "sluicemaster"
    folder.mkdir()
    (folder / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    (folder.parent / "lampwick").mkdir()
    (folder.parent / "lampwick" / "NEWS").write_text(NEWS, encoding="utf-8")
    (folder / "README.md").write_text(README, encoding="utf-8")
    for name, text in NOTES.items():
        (folder.parent / name).write_text(text, encoding="utf-8")
    with MultiCube.build([folder, folder.parent / "lampwick", *folder.parent.glob("*.md")], folder.parent / "kb") as kb:
        yield kb


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which version of Sluicemaster added a second siren?", "3.0.0"),
        ("In which release was support for the old tide table dropped?", "3.1.0"),
        ("Since which version can the gates be opened by telephone?", "3.0.0"),
        ("When was Sluicemaster 3.0.2 released?", "2022-11-30"),
        ("When did version 3.0.0 come out?", "2022-06-02"),
        ("when did kelp come out?", "2022-11-30"),
        ("In which year did Sluicemaster 2.4.0 come out?", "2020"),
        ("When did Sluicemaster get a second siren?", "2022-06-02"),
        ("When was the Sluicemaster release made that added a second siren?", "2022-06-02"),
        ("Which version of Lampwick has --trim?", "1.4"),
        ("Which Lampwick version was the first to burn BROV oil?", "1.1"),
        ("Which Lampwick release dropped the tin reservoir?", "1.5"),
        ("In what year did the Lampwick version with the --trim option appear?", "2021"),
    ],
)
def test_the_heading_answers(sluice: MultiCube, question: str, answer: str) -> None:
    assert sluice.ask(question, save=False).answer == answer


def test_a_version_of_something_else_is_no_release(sluice: MultiCube) -> None:
    assert "3.9" in sluice.ask("Which version of Python does Sluicemaster need?", save=False).answer


def test_a_list_of_changes_is_called_by_its_folder(sluice: MultiCube) -> None:
    titles = {document.title for document in sluice.kb.documents()}
    assert {"sluicemaster CHANGELOG", "Sluicemaster"} <= titles
