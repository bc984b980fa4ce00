"""Looking values up in tables: which cell's labels say what is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .....cubes.core.folding import fold
from .....cubes.retrieval.hiqa.tables import tables_in
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .amounts import Amount, amounts, measure_of, spell
from .forms import BLANK
from .statements import RANGED, Statement, cells_in
from .wording import Likeness, lexicon, terms

__all__ = ["SURE", "AskedValue", "of_cell", "of_column", "of_range", "scored_cells"]

SURE = 0.72
"""The score from which a cell is taken before all else."""
_FAIR = 0.6  # the score from which no cell is looked for by meaning
_LEAST, _LIKE = 0.5, 0.5  # the least score of a cell, and the least cosine of a label that may mean what is asked
_COVERED, _PRECISE = 0.7, 0.3  # shares of a score: all that is asked is said, and nothing else
_FITS, _MISFITS, _PREFERRED = 0.1, -0.2, 0.02
_NOUN = re.compile(
    r"\b(?:which|what) (?P<noun>(?:[a-z][a-z/-]+ ){1,3}?)(?:of\b|is\b|are\b|was\b|has\b|does\b|\w+s\b)", re.IGNORECASE
)
_MANY = re.compile(r"\bhow (?:many|much) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_HOW = re.compile(r"(?:(?<=\bhow )|(?<=[\d_] [a-zA-Z]{2} )|(?<=[\d_] [a-zA-Z] ))[a-z]+\b", re.IGNORECASE)
_UNIT = re.compile(rf"{BLANK}\s?(?P<unit>[°A-Za-zµμΩ%][\w/°%]*)")


@dataclass(frozen=True, slots=True)
class AskedValue:
    """``terms`` are the words that labels should hold, ``noun`` those behind "which", which name the column; ``unit``
    is the one that the question writes; ``counts`` says that only a number can answer."""

    terms: tuple[str, ...]
    noun: frozenset[str] = frozenset()
    unit: str = ""
    counts: bool = False
    phrase: str = ""

    @classmethod
    def of(cls, text: str, leave_out: Sequence[str] = ()) -> AskedValue:
        """Read what a text asks for; ``leave_out`` are texts in it that name the document, not what is asked of it."""
        for name in leave_out:
            text = text.replace(name, " ")
        many, gap, noun = _MANY.search(text), _UNIT.search(text), _NOUN.search(text)
        counted = many["noun"] if many is not None else ""
        unit = counted if measure_of(counted) else gap["unit"] if gap is not None and measure_of(gap["unit"]) else ""
        bare = text.replace(counted, " ") if unit and unit == counted else text.replace(BLANK, " ")
        said = terms(_HOW.sub(lambda how: lexicon().measures.get(how[0], how[0]), bare))
        wanted = tuple(t for t in said if t not in lexicon().idle and not measure_of(t)) or said
        nouns = frozenset(terms(noun["noun"]) if noun is not None else ()) & frozenset(wanted)
        return cls(wanted, nouns, unit, many is not None, " ".join(text.split()))


def scored_cells(
    asked: AskedValue, evidence: Sequence[Evidence], likeness: Likeness | None = None
) -> list[tuple[float, Statement]]:
    """Return the cells whose labels say what is asked, the best first; where none does well, those that mean it."""
    cells = [cell for cell in cells_in(evidence) if cell.amounts or not asked.counts]
    met = [(_score(asked, cell), cell) for cell in cells]
    found = sorted((one for one in met if one[0] >= _LEAST), key=lambda one: -one[0])
    if likeness is None or (found and found[0][0] >= _FAIR) or not (asked.unit or asked.counts):
        return found
    labels = list(dict.fromkeys(cell.label for cell in cells if cell.amounts and cell.label))
    like = dict(zip(labels, likeness(asked.phrase, labels), strict=False))
    fits = (c for c in cells if like.get(c.label, 0.0) >= _LIKE and not c.first and _fits(asked, c) > 0)
    return sorted((*((like[c.label] + _suits(asked, c), c) for c in fits), *found), key=lambda one: -one[0])


def _score(asked: AskedValue, cell: Statement) -> float:
    """How far the labels beside and above a cell are what is asked, and how far the best of them says nothing else."""
    wanted = frozenset(asked.terms)
    if (cell.first and not cell.own & asked.noun) or (cell.own == RANGED and not wanted >= RANGED):
        return 0.0
    label = max(cell.beside, key=lambda own: len(own & wanted) / max(1, len(own)), default=frozenset[str]())
    if not label & wanted:
        return 0.0
    precise = len(label & wanted) / len(label)
    if cell.first:  # what is described is asked for by its description
        precise = max(precise, len(label & wanted) / max(1, len(wanted - asked.noun)))
    return _COVERED * cell.held(asked.terms, 0.5) + _PRECISE * precise + _suits(asked, cell)


def _suits(asked: AskedValue, cell: Statement) -> float:
    """What unit and column speak for a cell beyond its labels: of values that no word asks for the typical one."""
    column = _FITS if cell.own & asked.noun or cell.own == RANGED else 0.0
    unasked = not cell.own & frozenset(asked.terms)
    typical = _PREFERRED * (("typic" in cell.own) - ("minimum" in cell.own)) if unasked else 0.0
    return column + typical + _fits(asked, cell)


def _fits(asked: AskedValue, cell: Statement) -> float:
    measures = {amount.measure for amount in cell.amounts if amount.measure}
    return (_FITS if measure_of(asked.unit) in measures else _MISFITS) if asked.unit and measures else 0.0


def of_cell(cells: Sequence[tuple[float, Statement]], asked: AskedValue) -> SubAnswer:
    """Return what the best cell says, less sure where another that says otherwise is as good."""
    score, best = cells[0]
    rivals = any(other > score - 0.01 and fold(cell.text) != fold(best.text) for other, cell in cells[1:])
    gap = bool(asked.unit) and not asked.counts and len(best.amounts) == 1
    text = _in_unit(best.amounts[0], asked.unit) if gap else best.text
    return best.answer(text, min(0.95, 0.2 + 0.75 * score) * (0.8 if rivals else 1.0))


def of_range(asked: AskedValue, evidence: Sequence[Evidence], gaps: int) -> SubAnswer | None:
    """Return the amounts of the best cell that holds as many as there are gaps: the ends of a range."""
    ranged = replace(asked, terms=(*asked.terms, *RANGED))
    cells = [(score, cell) for score, cell in scored_cells(ranged, evidence) if len(cell.amounts) == gaps]
    if not cells:
        return None
    return replace(of_cell(cells, asked), answers=tuple(_in_unit(one, asked.unit) for one in cells[0][1].amounts))


def of_column(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Return the column whose label is just what is asked for: "which medicines": every medicine of the table."""
    for section in evidence:
        for table in tables_in(section.text):
            for at, label in enumerate(table.columns):
                if asked.noun and asked.noun == frozenset(terms(label)):
                    items = tuple(dict.fromkeys(row[at] for row in table.rows if row[at].strip()))
                    return SubAnswer(items, 0.7, section.section_id, table.span.start, table.span.end, cited=True)
    return None


def _in_unit(amount: Amount, unit: str) -> str:
    """An amount as its gap wants it: the bare number where the unit stands behind the gap already."""
    wanted = amounts(f"1 {unit}") if unit else ()
    if not wanted or wanted[0].measure != amount.measure:
        return f"{amount.value:.10g} {'' if unit else amount.unit}".strip().replace(" %", "%")
    return spell(amount.base / wanted[0].base)
