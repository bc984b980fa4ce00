"""Questions about a single manual: short answers in their sentences, cells, paths, and nouns that are its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from multicube.agent.app.facade import MultiCube

MANUAL = """# The Varnel tide clock

## 1 Setting up

Hang the clock on an inner wall. The pendulum is packed in the lid of the box. Before the first start, release
the brass catch below the dial; the movement is locked by it for transport.

## 2 Files

The companion program tideclock keeps its settings in ~/.tideclock/settings.toml and the tables of each harbour in
/usr/share/tideclock/harbours. With the option --quiet, it prints nothing but errors.

| setting | default | meaning |
| --- | --- | --- |
| refresh | 15 | minutes between two readings |
| units | metres | metres or feet |

## 3 Trouble

If the moon disc is late, turn it with the small key on the back until the window shows the right phase. A disc
that jumps has lost its spring, which the workshop in Ostrel replaces without charge within ten years.
"""


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MultiCube]:
    """A knowledge base of one manual."""
    folder: Path = tmp_path_factory.mktemp("manual")
    (folder / "clock.md").write_text(MANUAL, encoding="utf-8")
    with MultiCube.build([folder / "clock.md"], folder / "kb") as built:
        yield built


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does tideclock keep its settings?", "~/.tideclock/settings.toml"),
        ("Which directory holds the tables of the harbours?", "/usr/share/tideclock/harbours"),
        ("Which option makes tideclock print errors only?", "--quiet"),
    ],
)
def test_what_leads_a_path_or_an_option_belongs_to_it(manual: MultiCube, question: str, answer: str) -> None:
    assert manual.ask(question, save=False).answer == answer


@pytest.mark.parametrize(
    ("question", "answer"), [("What is the default refresh?", "15"), ("What is the default unit?", "metres")]
)
def test_a_cell_whose_labels_say_what_is_asked_is_the_answer(manual: MultiCube, question: str, answer: str) -> None:
    run = manual.ask(question, save=False)
    assert run.answer == answer
    assert run.quote is not None
    assert answer in run.quote.text


def test_a_part_of_the_thing_is_asked_for_not_the_only_document(manual: MultiCube) -> None:
    run = manual.ask("Which part locks the movement for transport?", save=False)
    assert "brass" in run.answer
    assert run.form == "short"
    assert run.quote is not None
    assert "brass catch" in run.quote.text
    assert "locked by it for transport" in run.quote.text


def test_what_the_manual_does_not_say_is_not_answered(manual: MultiCube) -> None:
    assert not manual.ask("Which colour does the moon disc have?", save=False).answer
