"""Texts with a chapter for each thing: facts are the things', and yes or no is said only as a sentence says it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from multicube import MultiCube

TOWNS = """# Towns of Marr

## Sund
Sund is the largest town of Marr. It has 412,000 inhabitants.

## Veld
Veld is a town in the north of Marr with 31,500 inhabitants. It was designed by Matthias Brandt.
"""
PEOPLE = """# People of Tessel

## Hanno Brack
Hanno Brack was a painter. He was born in Lier on 3 May 1900 and died in Sund on 4 June 1970. He never married.

## Ada Kroon
Ada Kroon (1 March 1910 - 5 July 1960) was a singer born in Lier. She was married to Odo Vell. She appeared in the film
Low Water.
"""
TREATY = "The Treaty of Veld\n\nThe Treaty of Veld, signed on 8 June 1923, ended the Herring War."
KETTLE = "# Kettle K5\n\n## Data\nIt is a kettle.\n\n| part | weight |\n| --- | --- |\n| body | 2.4 kg |\n"
PUMP = "# Lorne 40 pump\n\n## Use\nThe pump moves water.\n\n## Care\nThe pump is rinsed once a month.\n"
DEPOTS = "name,city\nNorth Hale,Stavely\nHarbour,Aldmouth\nEastgate,Corran\nWest Row,Lier\n"


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    folder = tmp_path_factory.mktemp("things")
    texts = {"towns.md": TOWNS, "people.md": PEOPLE, "treaty.txt": TREATY, "kettle.md": KETTLE, "pump.md": PUMP,
             "depots.csv": DEPOTS}  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    with MultiCube.build([folder], folder / "kb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who designed Veld?", "Matthias Brandt"),
        ("How many people were born in Lier?", "2"),
        ("Who died first, Hanno Brack or Ada Kroon?", "Ada Kroon"),
        ("Did Hanno Brack ever marry?", "no"),
        ("Was Ada Kroon a singer?", "yes"),
        ("Did Ada Kroon appear in Low Water?", "yes"),
    ],
)
def test_a_chapter_tells_of_its_own_thing(kb: MultiCube, question: str, answer: str) -> None:
    assert kb.ask(question, save=False).answer.lower() == answer.lower()


def test_what_no_sentence_says_or_denies_is_neither_yes_nor_no(kb: MultiCube) -> None:
    assert kb.ask("Did Hanno Brack have children?", save=False).answer.lower() not in ("yes", "no")
    assert kb.ask("Was the Treaty of Veld signed by Edda Stroud?", save=False).answer.lower() != "yes"


def test_a_cell_tells_of_no_other_document(kb: MultiCube) -> None:
    assert kb.ask("How much does the Lorne 40 pump weigh?", save=False).confidence < 0.3
