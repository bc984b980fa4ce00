"""What is quoted around a place in a section: sentences, lists, rows and code, with what introduces them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from multicube.cubes.retrieval.passages import LIMIT, beside, passage_at, sentence_at

MANUAL = """Keepers light the lamp at dusk. To light the lamp:

1. Fill the tank with oil.
2. Trim the wick.
3. Turn the brass key.

The lens is cleaned daily. This keeps the light bright. Visitors may watch.

The controller is started from the shell

    lampctl start --all
    lampctl status

| lamp | fuel |
| --- | --- |
| gas lamp | gas |
| oil lamp | oil |

```sh
lampctl stop
```
"""


def told(place: str, text: str = MANUAL) -> str:
    start = text.index(place)
    return passage_at(text, start, start + len(place)).text


def test_steps_are_quoted_with_the_line_that_introduces_them() -> None:
    steps = "To light the lamp:\n\n1. Fill the tank with oil.\n2. Trim the wick.\n3. Turn the brass key."
    assert told("Trim") == steps
    assert told("To light the lamp:") == steps


def test_code_is_quoted_with_the_sentence_before_it() -> None:
    code = "The controller is started from the shell\n\n    lampctl start --all\n    lampctl status"
    assert told("lampctl status") == told("The controller") == code


def test_a_sentence_takes_the_one_along_that_goes_on_from_it() -> None:
    assert told("lens") == "The lens is cleaned daily. This keeps the light bright."
    assert told("This keeps") == "The lens is cleaned daily. This keeps the light bright."
    assert told("Visitors") == "Visitors may watch."


def test_the_whole_of_a_paragraph_is_its_rest() -> None:
    text = "Salt dims the lens. It is wiped with a cloth. The cloth is dry. Mist does no harm.\n\nVisitors may watch."
    start = text.index("It is wiped")
    assert passage_at(text, start, start + 5, whole=True).text == text.partition("\n\n")[0]
    assert passage_at(text, start, start + 5).text == "Salt dims the lens. It is wiped with a cloth."


def test_a_procedure_is_told_from_its_first_step_and_holds_the_one_meant() -> None:
    steps = [f"{n}. Turn valve {n} until the gauge of basin {n} stands at zero." for n in range(1, 60)]
    text = "To drain the lock:\n\n" + "\n".join(steps)
    assert told("valve 5 ", text).startswith("To drain the lock:\n\n1. Turn valve 1 ")
    quoted = told("valve 50 ", text)
    assert quoted.startswith("To drain the lock:\n\n1. Turn valve 1 ")
    assert "\n…\n50. Turn valve 50 " in quoted


def test_a_row_is_quoted_below_its_header() -> None:
    start = MANUAL.index("oil lamp")
    quoted = sentence_at(MANUAL, start, start + 8)
    assert quoted.text == "| lamp | fuel |\n| --- | --- |\n…\n| oil lamp | oil |"
    assert MANUAL[quoted.span.start : quoted.span.end] == "| oil lamp | oil |"
    assert told("gas lamp").startswith("| lamp | fuel |")


def test_a_line_of_code_is_quoted_below_what_opens_it() -> None:
    text = "The mill is started so:\n\n    millctl start\n    millctl status\n"
    start = text.index("millctl status")
    assert sentence_at(text, start, start + 14).text == "The mill is started so:\n…\n    millctl status"


def test_a_paragraph_that_is_set_in_is_prose() -> None:
    text = (
        "    The sluice is opened by hand. The keeper turns\n    the wheel until the bell rings twice.\n\n"
        "        gatectl --open 3\n\n    Afterwards the basin fills up slowly. It takes an hour.\n"
    )
    ending = "the wheel until the bell rings twice.\n\n        gatectl --open 3"
    assert told("wheel", text) == f"The keeper turns\n    {ending}"
    assert told("an hour", text) == "Afterwards the basin fills up slowly. It takes an hour."


def test_two_passages_are_quoted_in_their_order_with_a_mark_for_what_is_left_out() -> None:
    first, second, third = (
        passage_at(MANUAL, at, at + 4) for at in map(MANUAL.index, ("Keepers", "Visitors", "The controller"))
    )
    assert beside(MANUAL, second, first) == "Keepers light the lamp at dusk.\n…\nVisitors may watch."
    assert beside(MANUAL, second, third) == f"Visitors may watch.\n\n{third.text}"


def test_a_long_list_is_cut_between_its_items_and_keeps_its_introduction() -> None:
    items = [f"- Valve {number} closes the pipe that leads from the tank to basin {number}." for number in range(60)]
    text = "The valves are:\n\n" + "\n".join(items)
    first, late = told("Valve 2 ", text), told("Valve 50 ", text)
    assert first.startswith("The valves are:\n\n- Valve 0 ")
    assert late.startswith("The valves are:\n…\n- Valve 50 ")
    for quoted in (first, late):
        assert len(quoted) <= LIMIT + 10
        assert quoted.endswith(".")


PIECES = st.sampled_from([
    "A gate closes.", "It opens then:", "\n\n", "\n", "- one item", "1. first", "| a | b |", "| - | - |", "    code",
    "```", "So it is. ", "…", "\t", "x" * 1000,
])  # fmt: skip


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=25).map("\n".join), st.integers(0, 400), st.integers(1, 50))
def test_what_is_quoted_stands_word_for_word_in_the_text(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    for quote in (passage_at, sentence_at):
        found = quote(text, start, min(len(text), start + length))
        assert found.text.endswith(text[found.span.start : found.span.end])
        assert all(part in text for part in found.text.split("\n…\n")) or "…" in text


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_is_quoted_of_nothing(text: str) -> None:
    assert passage_at(text, 0, 0).text.strip() == ""
