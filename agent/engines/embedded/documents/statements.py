"""What sections say, one statement after the other: looking values up, and judging claims (HiQA, "Judgement").

Statements are cells of tables with their labels, sentences, items of lists and figures. A value is looked up by the
labels that say what is asked; a claim is borne out, contradicted by another value, or not said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .....cubes.core.folding import fold
from .....cubes.core.quantities import Amount, amounts, claimed_amounts, compare, is_numeric, measure_of, spell, unit_in
from .....cubes.core.records import Span
from .....cubes.retrieval.hiqa.tables import MarkdownTable, tables_in
from .....cubes.retrieval.passages import blocks_of, introduced
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from ..vocabulary.wording import listed, measured, terms
from .requests import BLANK

__all__ = [
    "SURE", "AskedValue", "Statement", "best_said", "enumerated", "joined", "judge", "look_up", "negates",
    "scored_cells", "told_in",
]  # fmt: skip

_RANGED = frozenset({"rang"})  # the label of a row's least and greatest value: "operating temperature range"
_FIGURE = re.compile(
    r"!\[(?P<caption>[^\]]*)\]\(figure:[0-9a-f]+\)|[*_]{0,2}(?P<said>Fig(?:ure|\.)[ \t]*\d[\w.-]*[:.][ \t]*[^\n*_]*)"
)
_LISTING = re.compile(r"(?::|\b(?:are|were|include|includes|including|such as|comprise|comprises|namely|of))\s+", re.I)
_PARTS = re.compile(r",?\s+(?:and|or|as well as)\s+|,\s+|;\s+")
_SIDE = re.compile(r"\s*(?:symbol|(?:test )?condition|note|remark|comment)s?\s*", re.IGNORECASE)
_UNIT = re.compile(r"\s*units?\s*", re.IGNORECASE)
_EMPTY = re.compile(r"[\s—–\-/.*]*(?:n[./]a\.?|none)?[\s—–\-/.*]*", re.IGNORECASE)

SURE = 0.74  # how sure a cell is from then on it is taken before all else
_LEAST = 0.5  # the least score of a cell
_COVERED, _PRECISE = 0.7, 0.3  # shares of a score: all that is asked is said, and nothing else
_FITS, _MISFITS, _PREFERRED = 0.1, -0.2, 0.02
_ABOVE = 0.5  # what a term counts that only headings, titles and introductions have
_AUXILIARY = r"(?:is|are|was|were|has|have|do|does|did|can|will)\b"
_NOUN = re.compile(
    rf"\b(?:which|what) (?P<noun>(?:[a-z][a-z/-]+ ){{1,3}}?)(?:of\b|{_AUXILIARY}|\w+s\b(?! {_AUXILIARY}))", re.I
)
_MANY = re.compile(r"\bhow (?:many|much) (?P<noun>[a-z]+)\b", re.IGNORECASE)
_HOW = re.compile(r"(?:(?<=\bhow )|(?<=[\d_] [a-zA-Z]{2} )|(?<=[\d_] [a-zA-Z] ))[a-z]+\b", re.IGNORECASE)
_GAP_UNIT = re.compile(rf"{BLANK}\s?(?P<unit>[°A-Za-zµμΩ%][\w/°%]*)")
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|without|neither|nor|none|nobody|nothing|unable|impossible)\b(?!-)|n['’]t\b", re.I
)
_BOUND = re.compile(
    r"\b(?:(?P<least>at least|not? less than)|(?P<most>at most|not? more than|does not exceed)"
    r"|(?P<over>above|over|exceed(?:s|ing)?|(?:more|greater|higher|larger|longer) than)"
    r"|(?P<under>below|under|(?:less|lower|smaller|fewer|shorter) than))\b",
    re.IGNORECASE,
)
_MET = {"": {0}, "least": {0, 1}, "most": {-1, 0}, "over": {1}, "under": {-1}}  # what a bound allows
_ENOUGH = 0.6  # of a claim's words that a sentence must hold to be about the same thing
_SPOKEN = 0.15  # of a claim's words, below which nothing speaks of it
_REACH = 30  # characters before an amount in which a bound stands

Read = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Statement:
    """``own`` are the terms of a sentence, or of a cell's column; ``beside`` those of each label in the cell's row;
    ``above`` those of headings, of the table's title and of what introduces a list. ``label`` is the row's."""

    kind: Literal["cell", "text", "figure"]
    text: str
    section: Evidence
    span: Span
    own: frozenset[str]
    above: frozenset[str]
    amounts: tuple[Amount, ...] = ()
    beside: tuple[frozenset[str], ...] = ()
    label: str = ""

    def held(self, wanted: Collection[str]) -> float:
        """Return which share of the wanted terms it holds, weighed if they have weights; one above it counts less."""
        weights = wanted if isinstance(wanted, Mapping) else dict.fromkeys(wanted, 1.0)
        said = self.own.union(*self.beside)
        held = (weight * (1.0 if t in said else _ABOVE if t in self.above else 0.0) for t, weight in weights.items())
        return sum(held) / (sum(weights.values()) or 1.0)

    def answer(self, *texts: str, sure: float) -> SubAnswer:
        """Return what it answers, citing it."""
        return SubAnswer(texts, sure, self.section.section_id, self.span.start, self.span.end, cited=True)


def told_in(evidence: Sequence[Evidence], kind: str = "text", read: Read = terms) -> Iterator[Statement]:
    """Yield the sentences and the items of lists in sections, or their figures; ``read`` reads the terms of a text."""
    for section in evidence:
        headed, text = _headed(section, read), section.text
        for at, block in enumerate(blocks_of(text)):
            intro = (introduced(text, at) if block.kind == "list" else None) or Span(0, 0)
            above = headed | set(read(text[intro.start : intro.end]))
            for part in block.parts if block.kind != "table" else ():
                said, figure = text[part.start : part.end], _FIGURE.match(text, part.start)
                if figure is not None and kind == "figure":
                    said = figure["caption"] or figure["said"] or "Figure"
                    yield Statement("figure", said, section, part, frozenset(read(said)), headed | set(read(text)))
                elif figure is None and kind == "text":
                    found = tuple(claimed_amounts(said))
                    yield Statement("text", said, section, part, frozenset(read(said)), above, found)


def _headed(section: Evidence, read: Read) -> frozenset[str]:
    """The terms of a section's headings."""
    return frozenset(t for part in section.path or (section.title,) for t in read(part))


def best_said(said: Iterable[Statement], wanted: Collection[str]) -> tuple[float, Statement] | None:
    """Return the statement that holds most of the wanted terms, with which share; None where none holds any."""
    best = max(((one.held(wanted), one) for one in said), key=lambda each: each[0], default=None)
    return best if best is not None and best[0] else None


def enumerated(sentence: str) -> tuple[str, ...]:
    """Return what a sentence lists: "The risks are A, B and C."; empty where it lists nothing."""
    rests = [sentence[opening.end() :].rstrip(" .") for opening in _LISTING.finditer(sentence)]
    rest = next((rest for rest in rests if "," in rest or " and " in rest), "")
    parts = tuple(re.sub(r"^(?:the|an?) ", "", part.strip()) for part in _PARTS.split(rest) if part.strip())
    return parts if len(parts) > 1 else ()


def joined(texts: Sequence[str]) -> str:
    """Return several texts as one, told apart by commas, or by semicolons where one has a comma itself."""
    return ("; " if any("," in text for text in texts) else ", ").join(texts)


def cells_in(evidence: Sequence[Evidence]) -> Iterator[Statement]:
    """Yield the cells of sections' tables that may answer, and the ranges of rows with a least and a greatest value."""
    return (cell for section in evidence for table in tables_in(section.text) for cell in _cells(section, table))


def _cells(section: Evidence, table: MarkdownTable) -> Iterator[Statement]:
    columns = table.columns or ("",) * max(map(len, table.rows), default=0)
    at_unit = next((n for n, column in enumerate(columns) if _UNIT.fullmatch(column)), -1)
    above, label = _headed(section, terms) | set(terms(table.title)), ""
    lines = next(b.parts for b in blocks_of(section.text) if b.span.start <= table.span.start < b.span.end)
    for span, row in zip(lines, table.rows, strict=False):
        label = row[0] if row and not _EMPTY.fullmatch(row[0]) else label  # one left blank is that of the row above
        told = {n: frozenset(terms(label if n == 0 else x)) for n, x in enumerate(row) if n != at_unit}
        unit = row[at_unit].strip() if at_unit >= 0 and not _EMPTY.fullmatch(row[at_unit]) else ""
        ends: dict[str, str] = {}
        for at, (column, cell) in enumerate(zip(columns, row, strict=False)):
            if at == at_unit or _SIDE.fullmatch(column) or _EMPTY.fullmatch(cell):
                continue
            own, beside = frozenset(terms(column)), tuple(said for n, said in told.items() if n != at)
            ends |= {limit: cell for limit in ("minimum", "maximum") if limit in own}
            text, found = _in_unit(cell, unit or next(filter(None, map(unit_in, (column, label, table.title))), ""))
            yield Statement("cell", text, section, span, own, above, found, beside, label)
        if len(ends) > 1:
            text, found = _in_unit(f"{ends['minimum']} to {ends['maximum']}", unit)
            yield Statement("cell", text, section, span, _RANGED, above, found, tuple(told.values()), label)


def _in_unit(cell: str, unit: str) -> tuple[str, tuple[Amount, ...]]:
    """A cell that is a number alone with the unit that column or title give, and its amounts."""
    found = amounts(cell)
    if not found or found[-1].unit or not unit or not is_numeric(cell):
        return cell, found
    return f"{cell}{'' if unit in ('%', '°') else ' '}{unit}", amounts(cell, unit)


@dataclass(frozen=True, slots=True)
class AskedValue:
    """``terms`` are the words that labels should hold, ``noun`` those behind "which", which name the column; ``unit``
    is the one that the question writes, ``gaps`` how many gaps there are; ``counts`` says that only a number can
    answer."""

    terms: tuple[str, ...]
    noun: frozenset[str] = frozenset()
    unit: str = ""
    counts: bool = False
    phrase: str = ""
    gaps: int = 0

    @classmethod
    def of(cls, text: str, leave_out: Sequence[str] = ()) -> AskedValue:
        """Read what a text asks for; ``leave_out`` are texts in it that name the document, not what is asked of it."""
        for name in leave_out:
            text = " ".join(text.replace(name, " ").split())
        many, gap, noun, gaps = _MANY.search(text), _GAP_UNIT.search(text), _NOUN.search(text), text.count(BLANK)
        written = (many["noun"] if many is not None else "", gap["unit"] if gap is not None else "")
        said = terms(_HOW.sub(lambda how: measured(how[0]), text.replace(BLANK, " ")))
        wanted = tuple(t for t in said if t not in listed("idle") and not measure_of(t)) or said
        nouns = frozenset(terms(noun["noun"]) if noun is not None else ()) & frozenset(wanted)
        wanted = (*wanted, *(_RANGED if gaps > 1 else ()))
        unit = next(filter(measure_of, written), "")
        return cls(wanted, nouns, unit, many is not None, " ".join(text.split()), gaps)


def scored_cells(asked: AskedValue, evidence: Sequence[Evidence]) -> list[tuple[float, Statement]]:
    """Return the cells whose labels say what is asked, the best first."""
    cells = (cell for cell in cells_in(evidence) if cell.amounts or not asked.counts)
    found = [(score, cell) for cell in cells if (score := _score(asked, cell)) >= _LEAST]
    return sorted(found, key=lambda one: -one[0])


def _score(asked: AskedValue, cell: Statement) -> float:
    """How far the labels beside and above a cell are what is asked, and how far the best of them says nothing else; its
    column is one of these where just that is asked for ("which marking")."""
    wanted = frozenset(asked.terms)
    if (cell.text == cell.label and not cell.own & asked.noun) or (cell.own == _RANGED and not wanted >= _RANGED):
        return 0.0
    labels = (*cell.beside, cell.own) if cell.own == asked.noun else cell.beside
    precise = max((len(label & wanted) / max(1, len(label)) for label in labels), default=0.0)
    return precise and _COVERED * cell.held(asked.terms) + _PRECISE * precise + _suits(asked, cell)


def _suits(asked: AskedValue, cell: Statement) -> float:
    """What speaks for a cell beyond its labels: its unit; of values that no word asks for it is the typical one."""
    measures = {amount.measure for amount in cell.amounts if amount.measure}
    fits = (_FITS if measure_of(asked.unit) in measures else _MISFITS) if asked.unit and measures else 0.0
    unasked = not cell.own & frozenset(asked.terms)
    return fits + _PREFERRED * unasked * (("typic" in cell.own) - ("minimum" in cell.own))


def look_up(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Return what the best cell says, as gaps want it; less sure where one as good says otherwise."""
    cells = scored_cells(asked, evidence)
    if not cells:
        return None
    score, best = cells[0]
    rivals = any(other > score - 0.01 and fold(cell.text) != fold(best.text) for other, cell in cells[1:])
    fills = asked.gaps > 1 or (bool(asked.unit) and not asked.counts and len(best.amounts) == 1)
    texts = tuple(_as_asked(one, asked.unit) for one in best.amounts) if fills else (best.text,)
    return best.answer(*texts, sure=min(0.95, 0.2 + 0.75 * score) * (0.8 if rivals else 1.0))


def _as_asked(amount: Amount, unit: str) -> str:
    """An amount as its gap wants it: the bare number where the unit stands behind the gap already."""
    wanted = amounts(f"1 {unit}") if unit else ()
    if not wanted or wanted[0].measure != amount.measure:
        return f"{amount.value:.10g} {'' if unit else amount.unit}".strip()
    return spell(amount.base / wanted[0].base)


def judge(claim: str, evidence: Sequence[Evidence], names: Collection[str] = ()) -> SubAnswer | None:
    """Return "True" or "False" as sections bear a claim out; None where they do not speak of it.

    ``names`` are the claim's names of documents, which say where to look and not what is claimed. A claim is false
    where its document does not say it.
    """
    for name in names:
        claim = claim.replace(name, " ")
    claimed = claimed_amounts(claim)
    found = (_by_amount(claim, claimed, evidence) if claimed else None) or _by_words(claim, evidence)
    return replace(found, confidence=0.3 + 0.65 * found.confidence) if found is not None else None


def _by_amount(claim: str, claimed: Sequence[Amount], evidence: Sequence[Evidence]) -> SubAnswer | None:
    """Look up what the claim gives amounts of, in tables and in sentences."""
    rest = claim
    for amount in reversed(claimed):
        rest = f"{rest[: amount.start]} {rest[amount.end :]}"
    asked = replace(AskedValue.of(rest), unit=claimed[0].unit)
    cells = (each for each in scored_cells(asked, evidence) if each[1].amounts)
    found = next(cells, None) or best_said((one for one in told_in(evidence) if one.amounts), asked.terms)
    if found is None or (found[1].kind == "text" and found[0] < _ENOUGH):
        return None
    share, best = found
    holds = all(any(compare(value, one) in _MET[_bound_of(claim, one)] for value in best.amounts) for one in claimed)
    denied = negates(_BOUND.sub("", claim)) != (best.kind == "text" and negates(best.text))
    return best.answer(str(holds != denied), sure=min(1.0, share))


def _bound_of(text: str, amount: Amount) -> str:
    """How a text bounds an amount: "over", "under", "least", "most", or "" for just that amount."""
    before = [found.lastgroup or "" for found in _BOUND.finditer(text, max(0, amount.start - _REACH), amount.start)]
    return before[-1] if before else ""


def _by_words(claim: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The statement that holds most of the claim's words: it must hold all of them, and deny what the claim denies."""
    wanted = [t for t in terms(claim) if t not in listed("idle")]
    cells = (replace(one, own=one.own | frozenset(terms(one.text))) for one in cells_in(evidence))
    found = best_said((*told_in(evidence), *cells), wanted)
    if found is None or found[0] < _SPOKEN:
        return None
    missing = [t for t in wanted if not found[1].held([t])]
    holds = not missing and negates(claim) == negates(found[1].text)
    return found[1].answer(str(holds), sure=0.4 + 0.4 * (1 - len(missing) / len(wanted)) if missing else 1.0)


def negates(text: str) -> bool:
    """Return whether a text says that something is not so."""
    return _NEGATION.search(text) is not None
