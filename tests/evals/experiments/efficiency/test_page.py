"""The page: our figures beside the papers' rows, a dash for what was not measured."""

from __future__ import annotations

from typing import Any

from multicube.evals.experiments.efficiency.page import page

MACHINE = {"cpu": "A processor", "cores": 2, "system": "Linux", "python": "3.11", "load": None}
EMPTY: dict[str, Any] = {
    "machine": MACHINE, "retrieval": [], "question": [], "growth": [], "noise": [], "index": {}, "ingest": [],
    "cold_start": [], "spent": [],
}  # fmt: skip


def _timed(dataset: str, system: str, mean: float | None) -> dict[str, Any]:
    about = {"dataset": dataset, "sections": 3112, "system": system, "engine": "embedded", "questions": 100}
    return {**about, "failed": 0, "mean_ms": mean, "p50_ms": mean, "p95_ms": mean, "hops": 2.0}


def _cells(text: str, *start: str) -> list[str]:
    """The cells of the only row that begins so."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    (row,) = [cells for cells in rows if tuple(cells[: len(start)]) == start]
    return row[len(start) :]


def test_the_papers_rows_stand_beside_ours_in_our_unit() -> None:
    rows = [_timed("2wiki", "multicube", 12.34), _timed("own", "multicube", 5.0), _timed("own", "bm25", 1.0)]
    text = page({**EMPTY, "retrieval": rows})
    assert _cells(text, "multicube", "measured") == ["12.3, 12.3 / 12.3", "5.0, 5.0 / 5.0"]
    assert _cells(text, "bm25", "measured") == ["–", "1.0, 1.0 / 1.0"]
    assert _cells(text, "MultiCube-RAG", "published") == ["150", "–"]
    assert _cells(text, "HippoRAG 2", "published") == ["3,750", "–"]
    assert _cells(text, "documents in the paper", "published") == ["6,119", "–"]
    assert "## Whole questions" not in text


def test_nothing_is_published_of_other_data() -> None:
    assert "published |" not in page({**EMPTY, "retrieval": [_timed("own", "multicube", 5.0)]})


def test_concurrency_and_failures_are_told() -> None:
    row = {**_timed("musique", "multicube", 80.0), "concurrency": 5, "cpu_ms": 60.0, "failed": 2}
    text = page({**EMPTY, "question": [row]})
    assert _cells(text, "multicube, 5 at a time", "measured") == ["80.0, 80.0 / 80.0, CPU 60.0, 2 failed"]
    assert _cells(text, "MultiCube-RAG (bs=10)", "published") == ["910"]
    assert "The load average was" not in text
    busy = [{**row, "load": 0.5}, {**row, "concurrency": 1, "load": 3.25}]
    assert "The load average was 0.5 to 3.25 meanwhile." in page({**EMPTY, "question": busy})
    assert "The load average was" not in page({**EMPTY, "question": [*busy, {**row, "load": None}]})


def test_noise_is_the_difference_and_stands_beside_the_same_sizes_only() -> None:
    def rows(large: int) -> list[dict[str, Any]]:
        about = {"dataset": "scidcc-hurricane", "system": "bm25", "metric": "semantic", "questions": 80, "failed": 0}
        lost = {"lost": 1.2, "lost_ci95": [-0.5, 2.91]}
        small = {**about, "documents": 844, "score": 56.2, "lost": None, "lost_ci95": None}
        return [small, {**about, "documents": large, "score": 55.0, **lost}]

    text = page({**EMPTY, "noise": rows(11_539)})
    assert _cells(text, "bm25", "measured") == ["scidcc-hurricane", "semantic", "80", "56.2", "55.0", "1.2 [-0.5, 2.9]"]
    assert _cells(text, "BM25", "published")[-3:] == ["77.5", "77.2", "0.3"]
    assert "published |" not in page({**EMPTY, "noise": rows(5_000)})


def test_what_is_small_in_an_index_is_told_together() -> None:
    text = page({**EMPTY, "index": {"films": {"chroma.passages": 9_000_000, "other": 10, "runs": 20}}})
    assert _cells(text, "chroma.passages") == ["9.00"]
    assert _cells(text, "all else") == ["0.00"]
    assert _cells(text, "**together**") == ["9.00"]
