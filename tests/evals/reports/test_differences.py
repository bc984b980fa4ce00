"""What two runs differ in."""

from pathlib import Path
from typing import Any

import pytest
from evaluated import ANSWERS, Make
from multicube.cubes.core.errors import UsageError
from multicube.evals.reports.making import make

LATER = {**ANSWERS, "multicube": ("Mirren Tal", "yes", "another guess", "1911")}


def tables(before: Path | str, after: Path | str) -> dict[str, Any]:
    return {table["id"]: table for table in make([], (str(before), str(after))).data()["tables"]}


def test_what_got_better_what_broke_and_what_only_changed(made: Make) -> None:
    found = tables(made("a"), made("b", answers=LATER))
    lists = (found[f"{kind}-multicube"]["groups"][0]["rows"] for kind in ("better", "broke", "changed"))
    (better,), (broke,), (changed,) = lists
    assert better[1:4] == ["1911", "(failed: The engine gave up.)", "1911"]
    assert broke[1:4] == ["Oren Vass", "Oren Vass", "Mirren Tal"]
    assert changed[3] == "another guess"
    assert broke[4] == "hop 1 answered: Oren Vass → Mirren Tal"
    assert better[4].startswith("hop 1 only after: first, for multicube")


def test_figures_are_over_the_questions_that_both_answered(made: Make) -> None:
    fewer = {"multicube": LATER["multicube"][:2]}
    rows = tables(made("a"), made("b", answers=fewer))["difference-figures"]["groups"][0]["rows"]
    em = rows[0]
    assert em[:4] == ["multicube", "EM", 100.0, 50.0]
    assert em[4]["value"] == -50.0
    assert em[5:] == [1.0, 2, 0, 1]  # one question that changed may as well be chance


def test_changed_code_is_named_and_the_same_versions_are_not(made: Make) -> None:
    rows = tables(made("a"), made("b"))["changes"]["groups"][0]["rows"]
    assert rows == [["code", "a", "b"]]


def test_two_systems_of_one_run_can_be_compared(made: Make) -> None:
    folder = made()
    found = tables(f"{folder}:multicube", f"{folder}:no-loop")
    assert found["difference-figures"]["groups"][0]["rows"][0][:4] == ["multicube → no-loop", "EM", 50.0, 25.0]
    assert [row[-1] for row in found["broke-multicube-no-loop"]["groups"][0]["rows"]] == ["q2"]


def test_a_system_whose_name_has_a_colon_is_found(made: Make) -> None:
    names = {"multicube": ANSWERS["multicube"], "no-cube:person": ANSWERS["no-loop"]}
    folder = made(answers=names)
    assert "difference-figures" in tables(f"{folder}:no-cube:person", f"{folder}:multicube")
    assert make([], (f"{folder}:no-cube:person", f"{folder}:multicube")).traced == [{"no-cube:person", "multicube"}]


def test_what_cannot_be_compared_is_said_in_a_sentence(made: Make) -> None:
    folder = made()
    other = made("other", answers={"bm25": ("x",) * 4})
    with pytest.raises(UsageError, match="no system in common"):
        tables(folder, other)
    with pytest.raises(UsageError, match="is one run; give two"):
        tables(folder, folder)
    with pytest.raises(UsageError, match='has no system "dense"; choose from multicube, hybrid, no-loop'):
        tables(f"{folder}:dense", folder)
    with pytest.raises(UsageError, match="There is no folder nowhere"):
        tables("nowhere", folder)
    with pytest.raises(UsageError, match="no question in common"):
        tables(folder, made("none", answers={"multicube": ()}))
