"""Hypercube-RAG's repository (Shi et al. 2025): SciDCC's hurricane, geography and aging-dam news, and its other sets.

Its present layout is ``data/corpus/NAME.jsonl`` with ``data/query/NAME.jsonl``; its first one a document a line in
``corpus/NAME/*.txt`` with ``QA/NAME/*.json``, where documents are named by line. SciDCC itself is a CSV of articles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..reading import items, lines, listed, strings, table
from ..sink import BrokenRecordError, Sink

__all__ = ["corpus_of", "fits", "read"]

_QUESTION, _ANSWERS = ("content", "question", "Question"), ("answer_list", "answers", "answer", "Answer")
_GOLD = ("relevant_doc_list", "relevant_doc")
_CUBES = ("hypercube", "cube")
_COLUMNS = ("Date", "Link", "Summary", "Category", "Year")


def fits(path: Path, row: Any) -> bool:
    """Whether a file has questions, and its corpus is where the repository has it."""
    corpus = corpus_of(path)
    if corpus is None or corpus == path or not isinstance(row, Mapping):
        return False
    return any(name in row for name in _QUESTION) and _answered(row)


def corpus_of(path: Path) -> Path | None:
    """Return the corpus that belongs to a question file."""
    if path.suffix not in (".json", ".jsonl"):
        return None
    if path.parent.name == "query":
        found = path.parent.parent / "corpus" / path.with_suffix(".jsonl").name
        return found if found.is_file() else None
    if path.parent.parent.name == "QA":
        folder = path.parent.parent.parent / "corpus" / path.parent.name
        texts = sorted(folder.glob("*.txt"))
        same = folder / f"{path.stem}.txt"
        return same if same in texts else texts[0] if len(texts) == 1 else None
    return next(iter(sorted(path.parent.glob("SciDCC*.csv"))), None)


def read(path: Path, sink: Sink) -> None:
    """Read a corpus, its questions, and the authors' cube labels where they have one for each document."""
    corpus = corpus_of(path)
    assert corpus is not None
    ids = list[str]()
    for place, row in _documents(corpus, sink):
        with sink.guard(corpus, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            name = row.get("doc_id", row.get("id", row.get("_id")))
            text = next((row[name] for name in ("content", "contents", "text", "body", "Body") if row.get(name)), None)
            metadata = {column.lower(): row.get(column) for column in _COLUMNS}
            own = str(name) if name is not None else None
            ids.append(sink.document(row.get("title", row.get("Title")), text, id=own, metadata=metadata))
    _read_labels(path, corpus, ids, sink)
    for place, row in items(path, sink.aside):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            question = next((row[name] for name in _QUESTION if row.get(name)), None)
            answers = [one for name in _ANSWERS for one in strings(row.get(name))]
            gold = [str(one) for name in _GOLD for one in listed(row.get(name) or [], name)]
            id = row.get("query_id", row.get("index", row.get("id")))
            sink.question(question, answers or None, id=id, supporting=list(dict.fromkeys(gold)))


def _answered(row: Mapping[str, Any]) -> bool:
    return any(name in row for name in _ANSWERS) and not {"context", "paragraphs", "snippets"} & row.keys()


def _documents(corpus: Path, sink: Sink) -> Iterator[tuple[str, Any]]:
    if corpus.suffix == ".jsonl":
        yield from items(corpus, sink.aside)
    elif corpus.suffix == ".csv":
        rows = table(corpus)
        _, names = next(rows, ("", []))
        for place, cells in rows:
            yield place, dict(zip(names, cells, strict=False))
    else:
        for place, line in lines(corpus):
            yield place, {"doc_id": place.removeprefix(":"), "text": line}


def _read_labels(path: Path, corpus: Path, ids: Sequence[str], sink: Sink) -> None:
    """Add the labels of ``hypercube/NAME/DIMENSION.txt``: a JSON object of labels and counts for each document."""
    folders = (path.parent.parent.parent / name / path.parent.name for name in _CUBES)
    folder = next((folder for folder in folders if folder.is_dir()), None)
    if corpus.suffix != ".txt" or folder is None:
        return
    found = {file.stem: [row for _, row in items(file, sink.aside)] for file in sorted(folder.glob("*.txt"))}
    whole = {name: rows for name, rows in found.items() if len(rows) == len(ids)}
    for number, id in enumerate(ids if whole else ()):
        labels = {name: _counts(rows[number]) for name, rows in whole.items()}
        sink.labels(id, {name: counts for name, counts in labels.items() if counts})


def _counts(row: object) -> dict[str, int]:
    given = row if isinstance(row, Mapping) else {}
    return {label: count for label, count in given.items() if type(count) is int}
