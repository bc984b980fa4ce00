"""A run as a Mermaid flowchart: subquery, cubes, matched cells, evidence and sub-answer of every hop."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...cubes.core.folding import fold
from ...graphs.records import Evidence, Hop, MatchRecord, Run
from .styles import why_not
from .text import shorten

__all__ = ["answering", "mermaid"]

# Everything that Mermaid, its Markdown labels ("1. ..." is a list there) or HTML could read as syntax.
_SYNTAX = re.compile(r"[^\w ,.?!'’–…()/-]|_|^-|(?<=\d)\.")
_LABEL = 120


def mermaid(run: Run) -> str:
    """Return the flowchart's source; text from documents cannot break out of its labels."""
    lines = ["flowchart TD", f'    question(["{_text(run.question)}"])']
    before = "question"
    for hop in run.hops:
        lines += _hop(hop, before)
        before = f"h{hop.number}answer"
    ending = run.answer or why_not(run)
    lines.append(f'    final(["{_strong("Answer" if run.answer else "No answer", ending)}"])')
    lines.append(f"    {before} --> final")
    return "\n".join(lines) + "\n"


def _hop(hop: Hop, before: str) -> Iterator[str]:
    name = f"h{hop.number}"
    yield f'    subgraph {name}box["Hop {hop.number}"]'
    yield f'        {name}query["{_text(hop.subquery)}"]'
    last = f"{name}query"
    for node, shape in (
        (f"{name}cubes", _cubes(hop)),
        (f"{name}cells", _cells(hop)),
        (f"{name}evidence", _evidence(hop)),
    ):
        if shape:
            yield f"        {node}{shape}"
            yield f"        {last} --> {node}"
            last = node
    yield f'        {name}answer("{_text(hop.answer or "not found")}")'
    yield f"        {last} --> {name}answer"
    yield "    end"
    yield f"    {before} --> {name}query"


def _cubes(hop: Hop) -> str:
    if hop.cubes:
        return f'[["{_text(", ".join(hop.cubes))}"]]'
    return f'[["{_text(hop.fallback or "passages")}"]]'


def _cells(hop: Hop) -> str:
    shown = answering(hop)
    if shown is None or not shown.matches:
        return ""
    return f'["{"<br/>".join(_cell(match) for match in shown.matches)}"]'


def _cell(match: MatchRecord) -> str:
    how = "exact" if match.route == "exact" else f"dense {match.similarity:.2f}"
    return f"{_text(match.dimension)}: {_text(match.entity)} → {_text(match.label)} ({how})"


def _evidence(hop: Hop) -> str:
    shown = answering(hop)
    if shown is None:
        return ""
    return f'[/"{_strong(shown.title, shown.sentence or shown.text)}"/]'


def answering(hop: Hop) -> Evidence | None:
    """Return the evidence that the sub-answer was read from, else the first, if there is any."""
    fact, wanted = hop.fact, fold(hop.answer)
    for evidence in hop.evidence:
        if (evidence.section_id == fact.section_id) if fact else (wanted and wanted in fold(evidence.sentence)):
            return evidence
    return hop.evidence[0] if hop.evidence else None


def _strong(head: str, body: str) -> str:
    return f"{_text(head)}: {_text(body)}"


def _text(text: str) -> str:
    """Return a label's text with every character that could be syntax as Mermaid's ``#code;``."""
    return _SYNTAX.sub(lambda found: f"#{ord(found[0])};", shorten(text, _LABEL))
