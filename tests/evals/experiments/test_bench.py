"""The benchmark runs at a small size and reports every route."""

import pytest
from ending import ends
from multicube.cubes.core.encoding import Encoder
from multicube.evals.__main__ import main
from multicube.evals.experiments.bench import bench


def test_a_small_benchmark_reports_every_route(words_encoder: Encoder) -> None:
    report = bench([80], queries=3, encoder=words_encoder)
    assert "80 sections" in report
    for name in (
        "cube, exact",
        "one dense look-up",
        "BM25",
        "hybrid",
        "rank_bm25",
        "bm25s",
        "numpy",
        "question answered by cells",
        "all, p95",
        "peak memory",
        "Chroma alone",
    ):
        assert name in report


def test_sizes_that_are_none_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    ends(main, ["bench", "--sizes", "many"], status=2)
    assert "--sizes many is not a list of whole numbers" in capsys.readouterr().err
