"""The timing of ingest by Ray."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from ending import ends
from multicube.evals.__main__ import main

SAMPLE = Path(__file__).parents[3] / "evals" / "sample" / "corpus.jsonl"


NEEDS_RAY = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install -e '.[ray]'")


@pytest.mark.parametrize("workers", ["0", pytest.param("0,1", marks=NEEDS_RAY)])
def test_every_number_of_workers_gives_the_same_export(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    ends(main, ["scale", str(SAMPLE), "--sections", "40", "--workers", workers])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    assert [row["workers"] for row in rows] == [int(many) for many in workers.split(",")]
    assert [row["sections"] for row in rows] == [40] * len(rows)
    assert len({row["export"] for row in rows}) == 1
