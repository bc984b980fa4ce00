"""SciFact (Wadden et al. 2020): abstracts in ``corpus.jsonl`` and claims in ``claims_*.jsonl``.

A claim is asked as it stands; the answer is "yes" where the abstracts support it, "no" where they contradict it, and
there is none where they say nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..reading import first_item, items, strings
from ..sink import BrokenRecordError, Sink
from ..wikipedia.hotpotqa import join_sentences

__all__ = ["CORPUS", "fits", "read"]

CORPUS = "corpus.jsonl"
_ANSWERS = {"SUPPORT": "yes", "SUPPORTS": "yes", "CONTRADICT": "no", "REFUTES": "no", "REFUTE": "no"}
_UNKNOWN = "NOT_ENOUGH_INFO"


def fits(path: Path, row: Any) -> bool:
    """Whether a file has claims, and the abstracts beside it."""
    corpus = path.with_name(CORPUS)
    if path == corpus or not corpus.is_file() or not isinstance(row, Mapping) or "claim" not in row:
        return False
    first = first_item(corpus)
    return isinstance(first, Mapping) and {"doc_id", "abstract"} <= first.keys()


def read(path: Path, sink: Sink) -> None:
    """Read abstracts and claims; the gold passages are the abstracts with evidence."""
    corpus = path.with_name(CORPUS)
    for place, row in items(corpus, sink.aside):
        with sink.guard(corpus, place):
            if not isinstance(row, Mapping) or row.get("doc_id") is None:
                raise BrokenRecordError('the field "doc_id" is missing')
            said = row.get("abstract")
            text = said if isinstance(said, str) else join_sentences(strings(said))
            sink.document(row.get("title"), text, id=str(row["doc_id"]))
    for place, row in _claims(path, sink):
        with sink.guard(path, place):
            labels = _labels(row)
            verdicts = {_ANSWERS.get(label) for _, label in labels}
            if None in verdicts or len(verdicts) > 1:
                raise BrokenRecordError("its evidence has an unknown label, or labels that contradict each other")
            hidden = "evidence" not in row
            sink.question(
                row.get("claim"), None if hidden else [one for one in verdicts if one], id=row.get("id"),
                type="" if hidden else (labels[0][1] if labels else _UNKNOWN),
                supporting=list(dict.fromkeys(document for document, _ in labels)),
            )  # fmt: skip


def _claims(path: Path, sink: Sink) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The claims; the flat form has a row for each piece of evidence, which are gathered by the claim's id."""
    flat = dict[str, tuple[str, dict[str, Any]]]()
    for place, row in items(path, sink.aside):
        if not isinstance(row, Mapping) or row.get("id") is None:
            sink.aside(path, place, 'the field "id" is missing')
        elif "evidence_doc_id" not in row:
            yield place, row
        else:
            empty = {"id": row["id"], "claim": row.get("claim"), "evidence": {}}
            _, claim = flat.setdefault(str(row["id"]), (place, empty))
            if str(row["evidence_doc_id"] or "").strip():
                parts = claim["evidence"].setdefault(str(row["evidence_doc_id"]), [])
                parts.append({"label": row.get("evidence_label")})
    yield from flat.values()


def _labels(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(abstract, label) of every piece of evidence."""
    evidence = row.get("evidence") or {}
    if not isinstance(evidence, Mapping):
        raise BrokenRecordError('the field "evidence" is not an object')
    found = list[tuple[str, str]]()
    for document, parts in evidence.items():
        for part in parts if isinstance(parts, list) else [parts]:
            if not isinstance(part, Mapping):
                raise BrokenRecordError('the field "evidence" is not an object')
            found.append((str(document), str(part.get("label") or "").upper()))
    return found
