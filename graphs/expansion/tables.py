"""The answer to a question with several intents as a table, each cell with its citation (MuISQA)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from ..reasoner import FinalAnswer, Reasoner
from ..records import AnswerTable, Citation, Evidence, Hop, TableCell
from .intents import Intents
from .statements import AnswerCell, TableReasoner

__all__ = ["in_words", "tabulated"]

Rows = Sequence[Sequence[AnswerCell]]


def tabulated(
    engine: Reasoner, question: str, intents: Intents, hops: Sequence[Hop], citations: Sequence[Citation]
) -> tuple[AnswerTable | None, list[Citation], float]:
    """Read the table off the evidence of all hops.

    Returns it with the citations, those given and one more for each sentence that a cell rests on, and the mean
    confidence of its cells. What is in no section of the evidence is no cell: a hypothesis cannot become one.
    """
    evidence = list({e.section_id: e for hop in hops for e in hop.evidence}.values())
    if not evidence or not isinstance(engine, TableReasoner):
        return None, list(citations), 0.0
    held = {e.section_id: e for e in evidence}
    rows = [row for row in engine.tabulate(question, intents, evidence) if any(_is_held(cell, held) for cell in row)]
    if not rows:
        return None, list(citations), 0.0
    cited = _Citations(citations, held, hops)
    table = AnswerTable(
        columns=intents.columns, rows=tuple(tuple(cited.cell(cell) for cell in row) for row in rows)
    )
    sure = [cell.confidence for row in rows for cell in row if _is_held(cell, held)]
    return table, cited.all, fmean(sure)


def in_words(table: AnswerTable, confidence: float) -> FinalAnswer:
    """Return a table as an answer on one line: each instance with what was found of it."""
    said = []
    for row in table.rows:
        first, *others = zip(table.columns, row, strict=True)
        told = ", ".join(f"{column}: {cell.value}" for column, cell in others if cell.value)
        said.append(f"{first[1].value or first[0]} ({told})" if told else first[1].value)
    return FinalAnswer("; ".join(part for part in said if part), confidence)


def _is_held(cell: AnswerCell, held: dict[str, Evidence]) -> bool:
    return bool(cell.value) and cell.section_id in held


class _Citations:
    """Numbers the sentences that cells rest on, each once, after those that are there already."""

    def __init__(self, given: Sequence[Citation], held: dict[str, Evidence], hops: Sequence[Hop]) -> None:
        self.all = list(given)
        self._held, self._hops = held, hops
        self._numbers = {(c.section_id, c.start): c.number for c in given}

    def cell(self, cell: AnswerCell) -> TableCell:
        if not _is_held(cell, self._held):
            return TableCell()
        key = (cell.section_id, cell.start)
        if key not in self._numbers:
            self._numbers[key] = len(self.all) + 1
            self.all.append(self._citation(cell, self._numbers[key]))
        return TableCell(value=cell.value, citation=self._numbers[key])

    def _citation(self, cell: AnswerCell, number: int) -> Citation:
        found = self._held[cell.section_id]
        hop = next(h.number for h in self._hops if any(e.section_id == cell.section_id for e in h.evidence))
        same = {name: getattr(found, name) for name in ("section_id", "document_id", "record_id", "title", "path")}
        return Citation(
            number=number,
            hop=hop,
            **same,
            source=found.source,
            sentence=found.text[cell.start : cell.end],
            start=cell.start,
            end=cell.end,
            page=found.page_at(cell.start),
            figures=found.figures,
        )
