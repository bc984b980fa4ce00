"""2WikiMultiHopQA (Ho et al. 2020): HotpotQA's layout with evidence triples and, in a file of its own, aliases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..reading import items, strings
from ..sink import Sink
from .hotpotqa import read_contexts, triples

__all__ = ["ALIASES", "fits", "read"]

ALIASES = "id_aliases.json"
"""Other names of the entities that answer, by the id that a question gives as ``answer_id``."""


def fits(_: Path, row: Any) -> bool:
    """Whether a file is 2WikiMultiHopQA's, by its first record."""
    return isinstance(row, Mapping) and {"question", "context", "evidences"} <= row.keys()


def read(path: Path, sink: Sink) -> None:
    """Read a file of 2WikiMultiHopQA; ``hops`` is the number of evidence triples."""
    aliases = _aliases(path.with_name(ALIASES), sink)

    def extra(row: Mapping[str, Any]) -> Mapping[str, Any]:
        found = triples(row.get("evidences"))
        return {"evidences": found, "hops": len(found) or None}

    read_contexts(path, sink, extra, lambda row: aliases.get(str(row.get("answer_id")), []))


def _aliases(path: Path, sink: Sink) -> dict[str, list[str]]:
    if not path.is_file():
        return {}
    rows = (row for _, row in items(path, sink.aside) if isinstance(row, Mapping))
    return {str(row.get("Q_id")): [*strings(row.get("aliases")), *strings(row.get("demonyms"))] for row in rows}
