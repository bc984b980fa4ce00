"""TriviaQA (Joshi et al. 2017): ``qa/*.json`` with the names of evidence files, and the files in ``evidence/``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..places import inside
from ..reading import items, plain_text, strings
from ..sink import BrokenRecordError, Sink

__all__ = ["WITHIN", "evidence_of", "fits", "read"]

WITHIN = "Data"
"""The key under which a file has its records."""
_LISTS = (("EntityPages", "wikipedia"), ("SearchResults", "web"))
_COLUMNS = (("entity_pages", "wiki_context"), ("search_results", "search_context"))


def fits(_: Path, row: Any) -> bool:
    """Whether a file is TriviaQA's: as published, or a row a line with the evidence inside."""
    return isinstance(row, Mapping) and (
        {"Question", "QuestionId"} <= row.keys() or {"question", "question_id", "entity_pages"} <= row.keys()
    )


def evidence_of(path: Path) -> Path | None:
    """Return the folder of evidence files that belongs to a question file."""
    places = (path.parent / "evidence", path.parent.parent / "evidence")
    return next((place for place in places if place.is_dir()), None)


def read(path: Path, sink: Sink) -> None:
    """Read questions with their evidence documents, each of which was chosen because it names the answer."""
    evidence = evidence_of(path)
    for place, row in items(path, sink.aside, within=WITHIN):
        with sink.guard(path, place):
            if not isinstance(row, Mapping):
                raise BrokenRecordError("it is not a JSON object")
            question = row.get("Question", row.get("question"))
            answer = row.get("Answer", row.get("answer"))
            answers = _answers(answer) if isinstance(answer, Mapping) else strings(answer)
            gold = list[str]()
            for title, text in _documents(path, place, row, evidence, sink):
                with sink.guard(path, place):
                    gold.append(sink.document(title, text))
            sink.question(
                question, answers or None, id=row.get("QuestionId") or row.get("question_id"),
                supporting=list(dict.fromkeys(gold)),
            )  # fmt: skip


def _answers(answer: Mapping[str, Any]) -> list[str]:
    named = ("Value", "Aliases", "HumanAnswers", "value", "aliases", "human_answers")
    return [one for name in named for one in strings(answer.get(name))]


def _documents(
    path: Path, place: str, row: Mapping[str, Any], evidence: Path | None, sink: Sink
) -> Iterator[tuple[str, str]]:
    """Titles and texts of a question's evidence; a file that is not there is reported."""
    for pages, texts in _COLUMNS:
        found = row.get(pages)
        if isinstance(found, Mapping):
            columns = (strings(found.get("title")), [str(text) for text in found.get(texts) or []])
            yield from ((title, text) for title, text in zip(*columns, strict=False) if text.strip())
    for pages, folder in _LISTS:
        for one in row.get(pages) or []:
            name = one.get("Filename") if isinstance(one, Mapping) else None
            if not isinstance(name, str) or evidence is None:
                continue
            file = inside(evidence / folder, name)
            if file is None or not file.is_file():
                sink.aside(path, place, f"the evidence file {name} is not in {folder}")
                continue
            yield str(one.get("Title") or file.stem), plain_text(file)
