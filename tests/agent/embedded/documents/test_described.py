"""A question that describes its document: the document's title takes the place of the description."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from multicube.agent.app.facade import MultiCube

TEXTS = {
    "lampd.md": """# lampd

lampd is a daemon that dims harbour lamps by the tide. The first version dates from 1998.

## Requirements

It wants libtide 4 or later and a clock.

## Licence

This project is licensed under the Anse Public Licence 2.
""",
    "netmend.md": """# netmend

netmend is a planner for mending nets by Ilse Varn. It prints a plan for each net.

## Requirements

It wants a printer and paper.

## Licence

This project is licensed under the Common Net Licence.
""",
    "foghorn.md": """# foghorn

foghorn is a small scheduler that sounds horns.

## Requirements

It wants libfog 2.

## Licence

This project is licensed under the Horn Licence 3.
""",
}


@pytest.fixture(scope="module")
def tools(shelve: Callable[[Mapping[str, str]], MultiCube]) -> MultiCube:
    return shelve(TEXTS)


@pytest.mark.parametrize(
    ("question", "last", "answer"),
    [
        ("Under what licence is the planner by Ilse Varn?", "Under what licence is netmend?", "Common Net Licence"),
        (
            "Under what licence is the daemon that wants libtide 4?",
            "Under what licence is lampd?",
            "Anse Public Licence 2",
        ),
    ],
)
def test_the_title_takes_the_place_of_a_description(tools: MultiCube, question: str, last: str, answer: str) -> None:
    run = tools.ask(question, save=False)
    assert answer in run.answer
    asked, renamed = run.hops[-2:]
    assert (asked.subquery, renamed.subquery) == (question, last)


def test_braces_are_words_like_others(tools: MultiCube) -> None:
    run = tools.ask("Who funded {lamp} and {1} of the daemon that wants libtide 4?", save=False)
    assert run.status != "failed"


def test_what_no_document_says_stays_unanswered(tools: MultiCube) -> None:
    run = tools.ask("Who funded the daemon that wants libtide 4?", save=False)
    assert run.answer == ""
    assert "Who funded lampd?" in [hop.subquery for hop in run.hops]


def test_no_page_of_a_manual_takes_the_place_of_a_thing(shelve: Callable[[Mapping[str, str]], MultiCube]) -> None:
    pages = {"wicks": "The wick that burns longest is of flax.", "lamps": "Ilse drew the lamps.", "oil": "It burns."}
    more = "## More\n\nAsk the keeper.\n"
    manual = shelve({f"{name}.md": f"# {name.title()}\n\n## Use\n\n{text}\n\n{more}" for name, text in pages.items()})
    run = manual.ask("Who owns the wick that burns longest?", save=False)
    assert all("Wicks" not in hop.subquery for hop in run.hops)
