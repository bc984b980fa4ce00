"""Restricting a request to the tables of the one document that the question names: "settings in the Brindle manual"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ..plan import Things
from .document_index import DocumentMention

__all__ = ["document_of", "restricted"]

_BEFORE = re.compile(r"\s*\b(?:in|of|from|for|by|with|at|does|do)\s+(?:(?:the|our|your)\s+)?$", re.IGNORECASE)
_BEHIND = re.compile(r"^(?:['’]s?)?(?:\s+(?:manual|guide|handbook|documentation|reference)\b)?", re.IGNORECASE)
"""What stands around a document's name."""


def restricted(question: str, named: DocumentMention, read: Callable[[str], Things | None]) -> Things | None:
    """Return what a question asks for without a document's name, of that document alone; None where it is not read."""
    before, behind = _BEFORE.sub("", question[: named.start]), _BEHIND.sub("", question[named.end :])
    request = read(f"{before} {behind}")
    if request is None or request.unread:
        return None
    return replace(request, within=frozenset(ref.id for ref in named.refs))


def document_of(section_id: str) -> str:
    """Return the id of the document that a section is of."""
    return section_id.rpartition(":")[0]
