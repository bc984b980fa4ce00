"""What the papers print, as it was transcribed."""

from multicube.evals.reports.published import about, document_figures, paper_tables


def row(paper: str, number: str, generator: str, data: str, system: str) -> tuple[float | None, ...]:
    table = next(t for t in paper_tables() if (t.paper, t.number, t.generator) == (paper, number, generator))
    return dict(table.printed(data))[system]


def test_figures_are_the_papers() -> None:
    assert row("MultiCube-RAG", "Table 2", "GPT-4o-mini", "LV-Eval", "HippoRAG 2") == (10.5, 14.0)
    assert row("MultiCube-RAG", "Table 2", "Llama3.3-70B-Instruct", "MuSiQue", "MultiCube-RAG") == (38.8, 49.7)
    assert row("MultiCube-RAG", "Table 3", "no generator", "MuSiQue", "GraphRAG") == (4.46,)
    assert row("MultiCube-RAG", "Table 6", "Qwen2.5-7B-Instruct", "HotpotQA", "s3") == (52.6, 65.9)
    assert row("Hypercube-RAG", "Table 2", "GPT-4o", "SciDCC", "Hypercube-RAG") == (46.4, 80.3, 83.3, 72.2)
    assert row("Hypercube-RAG", "Table 8", "GPT-4o", "Aging Dam", "No-Theme") == (81.1,)
    assert row("HiQA", "Table 1", "gpt-4-1106-preview", "Chipanalog", "HiQA") == (0.833, 5.0)
    assert row("SMART", "Table 3", "GPT-4o-mini", "TriviaQA", "GRAG") == (0.66, 0.75, 0.73, 0.47)
    assert row("MuISQA", "Table 1", "DeepSeek-R1", "MuISQA", "HyDE") == (8.169, 63.524, 54.812, 43.382)


def test_a_row_that_a_table_has_not_for_a_data_set_is_absent() -> None:
    table = next(t for t in paper_tables() if t.number == "Table 5" and t.paper == "MultiCube-RAG")
    assert "w/o Politics" not in dict(table.printed("2WikiQA"))
    assert "w/o Politics" in dict(table.printed("MuSiQue"))


def test_a_data_set_is_known_by_its_name_and_what_it_begins_with() -> None:
    numbers = {(table.paper, table.number) for table, _ in about("2Wiki-6119")}
    assert ("MultiCube-RAG", "Table 2") in numbers
    assert ("HiQA", "Table 1") not in numbers
    assert not list(about("2wikis"))


def test_documents_are_found_for_the_small_table_of_one_run() -> None:
    assert document_figures("legalbench-contractnli")["Hypercube-RAG"] == (26.1, 75.4, 16.9, 79.7)
    assert document_figures("2wiki") == {}
