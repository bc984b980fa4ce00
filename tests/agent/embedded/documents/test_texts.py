"""Texts of different kinds about one thing: a name in a question is a word of it, and no wall around one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from multicube.agent.app.facade import MultiCube
from multicube.agent.engines.embedded.documents.document_index import DocumentIndex

TEXTS = {
    "readme.md": """# Brindlepost

## What it is

Brindlepost is a small server that carries letters between lighthouses over radio.

## Starting

Start the server with brindled --listen. It reads its settings when it starts.
""",
    "changes.md": """# Release notes of the letter server

## 2.4

Brindlepost 2.4 came out on 7 March 2019. Letters are compressed with the Hark coder from now on.

## 2.5

Brindlepost 2.5 drops the old queue, because two keepers lost letters when the power failed.
""",
    "photos.md": """# Keeping pictures of the lamps

## Albums

Pictures of the lamps are kept in albums by year. An album is closed with the brass clip.

## Cleaning

Wipe a picture with a dry cloth only, as water loosens the paint.
""",
}


@pytest.fixture(scope="module")
def texts(shelve: Callable[[Mapping[str, str]], MultiCube]) -> MultiCube:
    """A knowledge base of three texts, two of them about one server."""
    return shelve(TEXTS)


def test_what_another_text_says_of_a_thing_is_found_by_its_name(texts: MultiCube) -> None:
    run = texts.ask("On which day did Brindlepost 2.4 come out?", save=False)
    assert run.answer == "7 March 2019"


def test_the_question_is_asked_in_its_own_words(texts: MultiCube) -> None:
    run = texts.ask("Why does Brindlepost 2.5 drop the old queue?", save=False)
    assert [hop.subquery for hop in run.hops] == ["Why does Brindlepost 2.5 drop the old queue?"]
    assert "two keepers lost letters" in run.answer


@pytest.mark.parametrize(
    ("question", "subquery"),
    [
        ("Which port does brindled use out of the box?", "Which port does brindled use by default?"),
        ("When nothing is configured, which port does it use?", "which port does it use by default?"),
        ("Which port does it use if nobody has set one?", "Which port does it use by default?"),
        ("What happens if I don't set a password?", "What happens if I don't set a password?"),
        ("What if my letters don't arrive?", "What if my letters don't arrive?"),
    ],
)
def test_what_holds_by_default_is_asked_for_in_that_word(texts: MultiCube, question: str, subquery: str) -> None:
    assert [hop.subquery for hop in texts.ask(question, save=False).hops] == [subquery]


def test_a_text_about_pictures_has_no_figure_to_show(texts: MultiCube) -> None:
    assert texts.ask("Which picture won the harbour prize of Vell?", save=False).answer == ""
    told = texts.ask("What is a picture wiped with?", save=False)
    assert "dry cloth" in told.answer


def test_numbered_parts_and_a_house_s_name_are_no_kind_of_documents() -> None:
    names = enumerate(("Sails", "Masts", "Knots"), 1)
    parts = [(name, f"Chapter {number}. {name}", f"{name}.html") for number, name in names]
    assert not DocumentIndex(parts, 3).alike
    named = [(i, f"{title} Kiln", source) for i, title, source in parts]
    assert not DocumentIndex(named, 3, headings=lambda id: ("Firing", "Weight", id)).alike
    assert DocumentIndex(named, 3, headings=lambda id: ("Firing", "Weight", "Care", id)).alike
