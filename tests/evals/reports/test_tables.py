"""The tables of a report: what is published and what is measured stay apart, and nothing unmeasured is a figure."""

from pathlib import Path
from typing import Any

import pytest
from evaluated import Make, figures
from multicube.evals.reports.making import make


def tables(*folders: Path, diff: tuple[str, str] | None = None) -> dict[str, Any]:
    return {table["id"]: table for table in make(folders, diff).data()["tables"]}


def test_published_rows_are_marked_with_generator_and_sizes_and_ours_with_engine_and_sizes(made: Make) -> None:
    table = tables(made())["multicube-rag-table-2-2wiki"]
    names = [group["name"] for group in table["groups"]]
    assert names == [
        "published (GPT-4o-mini, 1,000 questions, 6,119 documents)",
        "published (Llama3.3-70B-Instruct, 1,000 questions, 6,119 documents)",
        "measured (embedded engine, 4 questions, 9 sections)",
    ]
    assert ["MultiCube-RAG", 63.2, 71.5] in table["groups"][0]["rows"]
    assert table["groups"][2]["rows"] == [["multicube", 50.0, 51.0], ["hybrid", 40.0, 41.0]]
    assert [group["kind"] for group in table["groups"]] == ["published", "published", "measured"]


def test_a_data_set_of_no_paper_has_no_published_rows(made: Make) -> None:
    assert not [key for key in tables(made(dataset="our-own-notes")) if "table" in key]


def test_times_stand_in_the_papers_unit(made: Make) -> None:
    table = tables(made())["multicube-rag-table-4-2wiki"]
    assert table["columns"] == ["system", "question s"]
    assert table["groups"][-1]["rows"] == [["multicube", 0.02], ["hybrid", 0.04]]


def test_tables_of_cubes_are_shown_only_where_a_cube_was_left_out(made: Make) -> None:
    assert "multicube-rag-table-5-2wiki" not in tables(made())
    found = tables(made("cubes", systems={"multicube": figures(50.0), "no-cube:person": figures(30.0)}))
    assert found["multicube-rag-table-5-2wiki"]["groups"][-1]["rows"][1] == ["no-cube:person", 30.0, 31.0]
    assert found["without-cubes"]["groups"][0]["rows"] == [["(the whole)", 50.0, 51.0], ["person cube", 30.0, 31.0]]


def test_a_presets_cubes_are_set_against_the_preset(made: Make) -> None:
    figured = {"multicube": figures(50.0), "preset:2wiki": figures(45.0), "no-cube:person@2wiki": figures(30.0)}
    (group,) = tables(made(systems=figured))["without-cubes"]["groups"]
    assert group["name"] == "measured, of the cubes that the paper builds for 2wiki"
    assert group["rows"] == [["(the whole)", 45.0, 46.0], ["person cube", 30.0, 31.0]]


def test_what_was_not_measured_is_null_and_never_nought(made: Make) -> None:
    bare = {"multicube": {"em": 50.0}, "hybrid": {"em": None, "metrics": {"citation_recall": None}}}
    found = tables(made(systems=bare, answers={"multicube": (), "hybrid": ()}))
    whole, other = found["answers-2wiki"]["groups"][0]["rows"]
    assert whole[1] == {"value": 50.0, "ci95": [None, None]}
    assert other[1]["value"] is None
    assert whole[3:] == [None] * 7
    assert "citations-2wiki" not in found


def test_in_short_takes_the_paired_comparison_of_the_best_other(made: Make) -> None:
    compared = {"a": "multicube", "b": "hybrid", "metric": "em", "difference": 10.0, "ci95": [1.0, 19.0], "p": 0.03}
    row = tables(made(comparisons=[compared]))["in-short"]["groups"][0]["rows"][0]
    assert row[0] == "2wiki"
    assert row[5:] == ["hybrid (40.0)", {"value": 10.0, "ci95": [1.0, 19.0]}, 0.03, 1]


def test_ablations_say_what_is_lost_and_are_no_rivals(made: Make) -> None:
    found = tables(made())
    assert found["ablations-2wiki"]["groups"][0]["rows"][1][2] == 20.0
    assert [row[0] for row in found["answers-2wiki"]["groups"][0]["rows"]] == ["multicube", "hybrid"]


def test_iteration_limits_are_a_plot_with_its_figures(made: Make) -> None:
    limits = {f"limit-{n}": figures(40.0 + n) for n in range(1, 4)}
    report = make([made(systems={"multicube": figures(50.0), **limits})])
    table = {each["id"]: each for each in report.data()["tables"]}["limits-figures"]
    assert [row[:3] for row in table["groups"][0]["rows"]] == [["2wiki", n, 40.0 + n] for n in (1, 2, 3)]


def test_hops_come_from_the_predictions_where_the_results_have_none(made: Make) -> None:
    table = tables(made())["by-hops-2wiki-figures"]
    rows = {row[0]: row[1:] for row in table["groups"][0]["rows"]}
    assert table["columns"][1::2] == ["2 EM (2)", "4 EM (2)"]
    assert rows["multicube"][0] == 50.0  # of q2 and q4 one right, one failed
    assert rows["hybrid"][2] == 0.0


def test_runs_stand_side_by_side(made: Make) -> None:
    other = made("other", "hotpotqa", systems={"multicube": figures(60.0)}, answers={"multicube": ("x",) * 4})
    table = tables(made(), other)["systems-side-by-side"]
    rows = {row[0]: row[1:] for row in table["groups"][0]["rows"]}
    assert rows["multicube"][3] == 60.0
    assert rows["hybrid"][3:] == [None, None, None]


def test_the_index_is_told_by_part(made: Make) -> None:
    found = tables(made(ingest={"seconds": 2.0, "kb_bytes": 5_000_000, "index": {"catalog": 2_000_000}}))["ingest"]
    row = dict(zip(found["columns"], found["groups"][0]["rows"][0], strict=True))
    assert (row["MB on disk"], row["catalog MB"], row["peak MB"]) == (5.0, 2.0, None)


@pytest.mark.parametrize("broken", ["{", '{"dataset": "2wiki"}', '{"dataset": 1, "systems": []}'])
def test_results_of_another_layout_are_refused_in_a_sentence(made: Make, broken: str) -> None:
    from multicube.cubes.core.errors import UsageError

    folder = made()
    (folder / "results.json").write_text(broken)
    with pytest.raises(UsageError, match=r"results\.json is not laid out as this version"):
        make([folder])
