"""`DocumentReader`: reads questions over documents with chapters, and their one-hop questions off sections (HiQA)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from .....cubes.core.folding import words
from .....cubes.retrieval.passages import blocks_of, passage_at
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..answers.quotations import members
from ..documents.claims import judge
from ..documents.document_index import DocumentIndex, part_numbers
from ..documents.forms import BLANK
from ..documents.lookup import SURE, AskedValue, of_cell, of_column, of_range, scored_cells
from ..documents.requests import DocumentQuery, DocumentQueryParser
from ..documents.statements import told_in
from ..documents.wording import lexicon
from ..syntax.question_forms import ProseForm, read_asked_form

__all__ = ["DocumentReader"]

_NO_SECTION = "No section that was found is of {}."
_UNKNOWN = "No section that was found speaks of {}."
_SEVERAL = re.compile(r"(?!where|when|how|why).*\b(?:are|were|list|includes?)\b", re.IGNORECASE)


class DocumentReader:
    """Answers the questions that name a document of the shelf, or ask of all of them.

    A question comes to the same request every time, so runs can be resumed, replayed and edited.
    """

    def __init__(self, document_index: DocumentIndex) -> None:
        self._document_index = document_index
        self.read = lru_cache(maxsize=2_000)(DocumentQueryParser(document_index).read)

    def meant(self, subquery: str, evidence: Sequence[Evidence]) -> tuple[DocumentQuery, Sequence[Evidence], str]:
        """Return how a subquery is read, the sections that it is read in, and which thing named none of them is of."""
        request = self.read(subquery)
        lacking = _lacking(request, evidence)
        sections = [e for e in evidence if not lacking and (not request.refs or e.document_id in request.refs)]
        return request, sections, lacking

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read a subquery's answer from the sections of the documents that it names (eq. 12)."""
        return self.told(*self.meant(subquery, evidence))

    def told(self, request: DocumentQuery, own: Sequence[Evidence], lacking: str) -> SubAnswer:
        """Read the answer of a request that was understood before (see `meant`)."""
        return SubAnswer(note=lacking) if lacking else self._one(request, own) or SubAnswer()

    def cell(self, request: DocumentQuery, own: Sequence[Evidence]) -> SubAnswer | None:
        """Return what a cell of a table says whose labels say all that is asked."""
        asked = AskedValue.of(request.subqueries[0], request.names)
        cells = scored_cells(asked, own, self._document_index.likeness) if request.operator == "value" else []
        return of_cell(cells, asked) if cells and cells[0][0] >= SURE else None

    def asks_openly(self, request: DocumentQuery, subquery: str) -> bool:
        """Return whether yes or no is asked of texts, which do not tell all as data sheets do."""
        plain = request.operator == "judge" and request.form.yes_no
        plain = plain or (request.operator == "value" and read_asked_form(subquery).kind == "verdict")
        return plain and not self._document_index.alike

    def _one(self, request: DocumentQuery, own: Sequence[Evidence]) -> SubAnswer | None:
        stem = request.subqueries[0]
        asked = AskedValue.of(stem, request.names)
        match request.operator:
            case "figure":
                return _figure(asked, own) or _described(asked, own)
            case "judge":
                claim = re.sub(r"^Is it true (?:of .{1,200}? )?that ", "", stem).rstrip("?")
                found = judge(claim, own, request.names, self._document_index.likeness)
                return replace(found, confidence=0.3 + 0.65 * found.confidence) if found is not None else None
            case "describe":
                return _described(asked, own)
        gaps = stem.count(BLANK)
        if gaps > 1:
            found = of_range(asked, own, gaps) or _listed(asked, own)
            return replace(found, answers=found.answers[:gaps]) if found is not None else None
        cells = scored_cells(asked, own, self._document_index.likeness)
        sure = request.operator == "value" and bool(cells) and cells[0][0] >= SURE
        several = not sure and _SEVERAL.match(stem) is not None
        if several and (found := _listed(asked, own) or of_column(asked, own)) is not None:
            return found
        return of_cell(cells, asked) if cells else of_column(asked, own)


def _listed(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The members of the list or the sentence that is introduced by what is asked."""
    return members(asked.phrase, ProseForm("list"), evidence)


def _described(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The passage of the sentence that tells the most of what is asked."""
    told = (one for one in told_in(evidence) if one.kind == "text")
    lead = max(told, key=lambda one: one.held(asked.terms), default=None)
    if lead is None or not lead.held(asked.terms):
        return None
    text = lead.section.text
    block = next(block for block in blocks_of(text) if block.span.end > lead.span.start)
    passage = passage_at(text, block.span.start, block.span.end, whole=True)
    found = replace(lead, span=passage.span).answer(passage.text, 0.3 + 0.5 * lead.held(asked.terms))
    return replace(found, form="passage")


def _figure(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The figure whose caption, or whose chapter, meets the question best."""
    wanted = [t for t in asked.terms if t not in lexicon().figures]
    figures = (one for one in told_in(evidence) if one.kind == "figure")
    best = max(figures, key=lambda one: one.held(wanted, 0.5), default=None)
    if best is None or (wanted and not best.held(wanted, 0.5)):
        return None
    return best.answer(best.text, 0.4 + 0.5 * best.held(wanted, 0.5))


def _lacking(request: DocumentQuery, evidence: Sequence[Evidence]) -> str:
    """Say which of the things named no section speaks of: nothing may be told of one from another's chapter."""
    for mention in request.mentions:
        if not {ref.id for ref in mention.refs} & {e.document_id for e in evidence}:
            return _NO_SECTION.format(f"'{mention.name}'")
    taken = " ".join(mention.text for mention in request.mentions)
    said = " ".join("".join(words(f"{' '.join(e.path)} {e.text}")) for e in evidence)
    others = (part for part in part_numbers(request.form.stem) if part not in taken)
    return next((_UNKNOWN.format(f"'{part}'") for part in others if "".join(words(part)) not in said), "")
