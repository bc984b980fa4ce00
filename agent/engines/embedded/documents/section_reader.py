"""Reading a one-hop question's answer from sections of documents: cell, list, amount in a sentence, figure, verdict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .....cubes.core.folding import fold
from .....cubes.core.records import Span
from .....cubes.retrieval.hiqa.tables import tables_in
from .....cubes.retrieval.passages import blocks_of, passage_at
from .....graphs.records import Evidence
from .amounts import Amount, amounts, measure_of, spell
from .forms import BLANK
from .statements import MARK, RANGED, Statement, cells_in, enumerated, told_in
from .wording import Likeness, lexicon, terms

__all__ = ["AskedValue", "DocumentAnswer", "SectionReader", "asks_for_several", "scored_cells"]

_LISTED = re.compile(
    r"^(?!(?:where|when|how|why)\b).*\b(?:are|were)\b|\blist\b|\bname (?:the|all|three|two)\b|\binclude[sd]?\b"
    r"|\bconsists? of\b|\bcomprises?\b|^(?:which|what) (?!(?:is|was|does|has)\b)(?:[a-z-]+ ){0,3}[a-z]+[^s\W]s "
    r"(?:are|were|do|did|can|could|have|had|must|should|may|might|will|would|need|exist|belong|apply)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"\b(?:which|what) (?P<noun>(?:[a-z][a-z/-]+ ){1,3}?)(?:of\b|is\b|are\b|was\b|has\b|does\b|\w+s\b)", re.IGNORECASE
)
_MANY = re.compile(r"\bhow (?:many|much) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_HOW = re.compile(r"(?:(?<=\bhow )|(?<=[\d_] [a-zA-Z]{2} )|(?<=[\d_] [a-zA-Z] ))[a-z]+\b", re.IGNORECASE)
_UNIT = re.compile(rf"{BLANK}\s?(?P<unit>[°A-Za-zµμΩ%][\w/°%]*)")
_SURE, _FAIR = 0.72, 0.6  # the score from which a cell is taken first, and from which none is looked for by meaning
_LEAST, _LIKE = 0.5, 0.5  # the least score of a cell, and the least cosine of a label that may mean what is asked
_COVERED, _PRECISE = 0.7, 0.3  # shares of a score: all that is asked is said, and nothing else
_FITS, _MISFITS, _PREFERRED = 0.1, -0.2, 0.02
_SENTENCE = 0.6  # of the asked words that a list, or the sentence that lists, must hold


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


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """An answer, the number of its section, the span that says it, how sure it is (0 to 1), and its amounts."""

    texts: tuple[str, ...]
    section: int
    span: Span
    sure: float
    values: tuple[Amount, ...] = ()


def asks_for_several(question: str) -> bool:
    """Whether a question asks for several things: "Which commands are there?"."""
    return _LISTED.search(question) is not None


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
    """What unit and column speak for a cell beyond its labels."""
    column = _FITS if cell.own & asked.noun or cell.own == RANGED else 0.0
    unasked = not cell.own & frozenset(asked.terms)
    typical = _PREFERRED * (("typic" in cell.own) - ("minimum" in cell.own)) if unasked else 0.0
    return column + typical + _fits(asked, cell)


def _fits(asked: AskedValue, cell: Statement) -> float:
    measures = {amount.measure for amount in cell.amounts if amount.measure}
    return (_FITS if measure_of(asked.unit) in measures else _MISFITS) if asked.unit and measures else 0.0


class SectionReader:
    """Reads sections of the documents asked for; ``likeness`` may be missing."""

    def __init__(self, likeness: Likeness | None = None) -> None:
        self._likeness = likeness

    def value(
        self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = (), count: int = 1
    ) -> DocumentAnswer | None:
        """Return the value or the list that a question asks for; ``count`` values fill gaps in a row."""
        asked = AskedValue.of(question, names)
        if count > 1:
            return self._row(asked, count, evidence)
        cells = scored_cells(asked, evidence, self._likeness)
        sure = bool(cells) and cells[0][0] >= _SURE
        listed = _listed(asked, evidence) if asks_for_several(question) and not sure else None
        if listed is not None or sure:
            return listed or _of_cell(cells, asked)
        return _of_cell(cells, asked) if cells else _column(asked, evidence)

    def cell(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return what a cell of a table says whose labels say all that is asked."""
        asked = AskedValue.of(question, names)
        cells = scored_cells(asked, evidence, self._likeness)
        return _of_cell(cells, asked) if cells and cells[0][0] >= _SURE else None

    def describe(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return the passage of the sentence that tells the most of what is asked."""
        wanted = AskedValue.of(question, names).terms
        told = (one for one in told_in(evidence) if one.kind == "text")
        lead = max(told, key=lambda one: one.held(wanted), default=None)
        if lead is None or not lead.held(wanted):
            return None
        text = evidence[lead.section].text
        block = next(block for block in blocks_of(text) if block.span.end > lead.span.start)
        passage = passage_at(text, block.span.start, block.span.end, whole=True)
        return DocumentAnswer((passage.text,), lead.section, passage.span, 0.3 + 0.5 * lead.held(wanted))

    def figure(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return the figure whose caption, or whose chapter, meets the question best."""
        wanted = [t for t in AskedValue.of(question, names).terms if t not in lexicon().figures]
        shares = ((one.held(wanted, 0.5), one) for one in told_in(evidence) if one.kind == "figure")
        share, best = max(shares, key=lambda one: one[0], default=(0.0, None))
        if best is None or (wanted and not share):
            return None
        return DocumentAnswer((best.text,), best.section, best.span, 0.4 + 0.5 * share)

    def _row(self, asked: AskedValue, count: int, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
        """Gaps one behind the other: the ends of a range, the items of a list, or the amounts of a sentence."""
        ranged = replace(asked, terms=(*asked.terms, *RANGED))
        cells = [(s, c) for s, c in scored_cells(ranged, evidence) if len(c.amounts) == count]
        found = (_of_cell(cells, asked) if cells else None, _listed(asked, evidence))
        best = max(filter(None, found), key=lambda one: one.sure, default=None)
        if best is None:
            return None
        values = tuple(_in_unit(amount, asked.unit) for amount in best.values) if best.values else best.texts
        return replace(best, texts=values[:count])


def _of_cell(cells: Sequence[tuple[float, Statement]], asked: AskedValue) -> DocumentAnswer:
    score, best = cells[0]
    rivals = any(other > score - 0.01 and fold(cell.text) != fold(best.text) for other, cell in cells[1:])
    gap = bool(asked.unit) and not asked.counts and len(best.amounts) == 1
    text = _in_unit(best.amounts[0], asked.unit) if gap else best.text
    sure = min(0.95, 0.2 + 0.75 * score) * (0.8 if rivals else 1.0)
    return DocumentAnswer((text,), best.section, best.span, sure, best.amounts)


def _in_unit(amount: Amount, unit: str) -> str:
    """An amount as its gap wants it: the bare number where the unit stands behind the gap already."""
    wanted = amounts(f"1 {unit}") if unit else ()
    if not wanted or wanted[0].measure != amount.measure:
        return f"{amount.value:.10g} {'' if unit else amount.unit}".strip().replace(" %", "%")
    return spell(amount.base / wanted[0].base)


def _listed(asked: AskedValue, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
    """The list whose introduction or heading is asked for, else a table's column, else what a sentence lists."""
    told, wanted = [one for one in told_in(evidence) if one.kind == "text"], frozenset(asked.terms)
    items = [one for one in told if one.listed and len(one.above & wanted) >= _SENTENCE * len(wanted)]
    best = max(items, key=lambda one: len(one.above & wanted), default=None)
    if best is not None and best.listed is not None:
        whole, text = best.listed[0], evidence[best.section].text
        own = (one.listed[1] for one in items if one.section == best.section and one.listed and one.listed[0] == whole)
        texts = (MARK.sub("", text[item.start : item.end]).strip().rstrip(".;") for item in dict.fromkeys(own))
        return DocumentAnswer(tuple(texts), best.section, whole, 0.85)
    said = max(told, key=lambda one: one.held(asked.terms), default=None)
    parts = enumerated(said.text) if said is not None and said.held(asked.terms) >= _SENTENCE else ()
    column = _column(asked, evidence)
    if column is not None or said is None or not parts:
        return column
    return DocumentAnswer(parts, said.section, said.span, 0.4 + 0.4 * said.held(asked.terms))


def _column(asked: AskedValue, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
    """The column whose label is just what is asked for: "which medicines": every medicine of the table."""
    for number, section in enumerate(evidence):
        for table in tables_in(section.text):
            for at, label in enumerate(table.columns):
                if asked.noun and asked.noun == frozenset(terms(label)):
                    items = tuple(dict.fromkeys(row[at] for row in table.rows if row[at].strip()))
                    return DocumentAnswer(items, number, table.span, 0.7)
    return None
