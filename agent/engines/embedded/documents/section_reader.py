"""Reading a one-hop question's answer from sections of documents: cell, list, sentence, figure, or a verdict."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .....cubes.core.folding import fold
from .....cubes.core.records import Span
from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .amounts import Amount, amounts, claimed_amounts, measure_of, spell
from .asked import LabelQuery, read_label_query
from .claims import judge
from .forms import BLANK
from .lookup import DocumentAnswer, Likeness, TableMatch, column_of, look_up, look_up_like
from .operands import measure_of_text
from .prose import (
    BulletList,
    ProseUnit,
    bullets_in,
    enumerated,
    pictures_in,
    prose_of,
    summary,
    term_coverage,
    units_of,
)
from .wording import lexicon, terms

__all__ = ["Point", "SectionReader", "asks_for_several"]

Point = Callable[[str, Sequence[Evidence]], SubAnswer]
"""Points at words of running text: the span reader, where there is one."""

_LISTED = re.compile(
    r"\b(?:are|were)\b|\blist\b|\bname (?:the|all|three|two)\b|\binclude[sd]?\b|\bconsists? of\b|\bcomprises?\b"
    r"|^(?:which|what) (?!(?:is|was|does|has)\b)(?:[a-z-]+ ){0,3}[a-z]+[^s\W]s "
    r"(?:are|were|do|did|can|could|have|had|must|should|may|might|will|would|need|exist|belong|apply)\b",
    re.IGNORECASE,
)
_CELL_SURE = 0.72  # the score from which a cell is taken before any sentence
_CELL_FAIR = 0.6  # the score from which no cell is looked for whose label only means what is asked
_SENTENCE = 0.6  # of the asked words that a sentence must hold
_POINTED = 0.35  # the least probability of words that are pointed at
_CLAUSE = re.compile(r"\b(?:and|while|but|with|whereas)\b|[,;]")
_HEAD = re.compile(rf"^(?:\W|and|or|to|from|with|while|respectively|but|the|of|is|are|{BLANK})*$", re.IGNORECASE)


def asks_for_several(question: str) -> bool:
    """Whether a question asks for several things: "Which commands are there?"."""
    return _LISTED.search(question) is not None


class SectionReader:
    """Reads sections of the documents asked for; ``point`` and ``likeness`` may be missing."""

    def __init__(self, point: Point | None = None, likeness: Likeness | None = None) -> None:
        self._point = point
        self._likeness = likeness

    def value(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return the value or the list that a question asks for."""
        asked = read_label_query(question, names)
        if not asked:
            return None
        if question.count(BLANK) > 1:
            return self._blanks(question, evidence, names)
        cells = self._cells(asked, question, evidence, names)
        listed = _list(asked, evidence) if asks_for_several(question) and not _sure(cells) else None
        if listed is not None or _sure(cells):
            return listed or _of_cell(cells, asked)
        if not cells and asked.noun and (column := column_of(asked.terms, evidence)) is not None:
            return column
        said = _sentence(asked, evidence)
        pointed = None if said is not None and said.values else self._pointed(question, asked, evidence)
        best = max(filter(None, (said, pointed)), key=lambda f: (bool(f.values), f.sure), default=None)
        return _of_cell(cells, asked) if cells and (best is None or cells[0].score > best.sure) else best

    def cell(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return what a cell of a table says whose labels say all that is asked."""
        asked = read_label_query(question, names)
        cells = self._cells(asked, question, evidence, names) if asked and question.count(BLANK) < 2 else []
        return _of_cell(cells, asked) if _sure(cells) else None

    def describe(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return the sentences that tell the most of what is asked."""
        asked = read_label_query(question, names)
        wanted = tuple(t for t in asked.terms if t not in lexicon().describing)
        found = summary(replace(asked, terms=wanted or asked.terms), evidence)
        if found is None:
            return None
        text, section, span, share = found
        return DocumentAnswer((text,), section, span, min(0.9, 0.3 + 0.5 * share))

    def figure(self, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()) -> DocumentAnswer | None:
        """Return the figure whose caption, or whose chapter, meets the question best."""
        wanted = [t for t in read_label_query(question, names).terms if t not in lexicon().figures]
        best: DocumentAnswer | None = None
        for picture in pictures_in(evidence):
            section, caption = evidence[picture.section], set(terms(picture.caption))
            around = {t for part in (*section.path, prose_of(section.text)) for t in terms(part)}
            share = sum(1.0 if t in caption else 0.5 if t in around else 0.0 for t in wanted) / max(1, len(wanted))
            found = DocumentAnswer((picture.caption or "Figure",), picture.section, picture.span, 0.4 + 0.5 * share)
            if (share or not wanted) and (best is None or found.sure > best.sure):
                best = found
        return best

    def verdict(
        self, claim: str, evidence: Sequence[Evidence], names: Sequence[str] = (), *, asked: bool = False
    ) -> DocumentAnswer | None:
        """Return "True" or "False" for a claim, or for what is ``asked``; None where nothing speaks of it."""
        found = judge(claim, evidence, names, lambda label, text: self._cells(label, text, evidence), asked=asked)
        return replace(found, sure=0.3 + 0.65 * found.sure) if found is not None else None

    def _cells(
        self, asked: LabelQuery, question: str, evidence: Sequence[Evidence], names: Sequence[str] = ()
    ) -> list[TableMatch]:
        """The cells whose labels say what is asked, else those whose labels mean it."""
        cells = look_up(asked, evidence)
        fair = cells and cells[0].score >= _CELL_FAIR
        if fair or self._likeness is None or not (asked.units or asked.gap or asked.counts):
            return cells
        bare = question
        for name in names:
            bare = bare.replace(name, " ")
        wanted = replace(asked, units=frozenset({measure_of(asked.gap)})) if asked.gap else asked
        like = look_up_like(wanted, measure_of_text(bare), evidence, self._likeness)
        return sorted((*like, *cells), key=lambda cell: -cell.score)

    def _pointed(self, question: str, asked: LabelQuery, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
        """Words of running text, from a sentence that has to do with what is asked."""
        if self._point is None or not evidence:
            return None
        bare = [e.model_copy(update={"text": prose_of(e.text)}) for e in evidence]
        found = self._point(question.replace(BLANK, "what"), bare)
        if not found.answers or found.confidence < _POINTED:
            return None
        number = next(n for n, section in enumerate(bare) if section.section_id == found.section_id)
        said = set(terms(bare[number].text[found.start : found.end]))
        said |= {t for part in bare[number].path for t in terms(part)}
        if not said & {*asked.terms, *asked.any_of}:
            return None
        text = found.answers[0]
        return DocumentAnswer((text,), number, Span(found.start, found.end), found.confidence, amounts(text))

    def _blanks(self, question: str, evidence: Sequence[Evidence], names: Sequence[str]) -> DocumentAnswer | None:
        """Fill several gaps: each by the words before it, or all from one cell, row or list."""
        parts = question.split(BLANK)
        count = len(parts) - 1
        if all(_HEAD.match(re.sub(r"^\s?[°%A-Za-zΩµ/]{1,5}(?=\s|$)", "", part)) for part in parts[1:-1]):
            return self._spread(parts[0], question, count, evidence, names)
        shared = [w for w in parts[0].split() if w.lower() not in ("maximum", "minimum", "typical", "max", "min")]
        filled: list[DocumentAnswer] = []
        for number, part in enumerate(parts[:-1]):
            behind = _CLAUSE.split(parts[number + 1])[0]
            alone = f"{part} {BLANK}{behind}" if number == 0 else f"{' '.join(shared)} {part} {BLANK}{behind}"
            own = self._own_cell(f"{part} {BLANK}{behind}", evidence, names) if number else None
            one = own or self.value(alone.strip(), evidence, names)
            if one is None:
                return None
            filled.append(one)
        first = filled[0]
        return DocumentAnswer(tuple(f.texts[0] for f in filled), first.section, first.span, min(f.sure for f in filled))

    def _own_cell(self, part: str, evidence: Sequence[Evidence], names: Sequence[str]) -> DocumentAnswer | None:
        """What a gap's own words look up, without those of the gaps before it."""
        asked = read_label_query(part, names)
        cells = look_up(asked, evidence) if asked else []
        return _of_cell(cells, asked) if _sure(cells) and len(asked.terms) > 1 else None

    def _spread(
        self, head: str, question: str, count: int, evidence: Sequence[Evidence], names: Sequence[str]
    ) -> DocumentAnswer | None:
        """Gaps one behind the other: the ends of a range, or the items of a list."""
        asked = read_label_query(head, names)
        gap = re.search(rf"{BLANK}\s?(?P<unit>[°%A-Za-zΩµ/]+)", question)
        unit = gap["unit"] if gap is not None and measure_of(gap["unit"]) else ""
        cells = look_up(replace(asked, terms=(*asked.terms, "rang")), evidence) or look_up(asked, evidence)
        whole = next((c for c in cells if len(c.amounts) == count), None)
        items = _list(asked, evidence)
        if whole is not None and (items is None or _sure(cells)):
            texts = tuple(_in_unit(a, unit) for a in whole.amounts)
            return DocumentAnswer(texts, whole.section, whole.row, min(0.95, whole.score), whole.amounts)
        if items is not None:
            return replace(items, texts=items.texts[:count])
        said = _sentence(asked, evidence)
        if said is not None and len(said.values) >= count:
            return replace(said, texts=tuple(_in_unit(a, unit) for a in said.values[:count]))
        return said


def _sure(cells: Sequence[TableMatch]) -> bool:
    return bool(cells) and cells[0].score >= _CELL_SURE


def _of_cell(cells: Sequence[TableMatch], asked: LabelQuery) -> DocumentAnswer:
    best = cells[0]
    rivals = [c for c in cells[1:] if c.score > best.score - 0.01 and fold(c.text) != fold(best.text)]
    sure = min(0.95, 0.2 + 0.75 * best.score) * (0.8 if rivals else 1.0)
    text = _in_unit(best.amounts[0], asked.gap) if asked.gap and len(best.amounts) == 1 else best.text
    return DocumentAnswer((text,), best.section, best.row, sure, best.amounts)


def _in_unit(amount: Amount, unit: str) -> str:
    """An amount as its gap wants it: the bare number where the unit stands behind the gap already."""
    wanted = amounts(f"1 {unit}") if unit else ()
    if not wanted or not wanted[0].measure or wanted[0].measure != amount.measure:
        return f"{amount.value:.10g}" if unit else f"{amount.value:.10g} {amount.unit}".strip().replace(" %", "%")
    return spell(amount.base / wanted[0].base)


def _list(asked: LabelQuery, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
    """The list whose introduction or heading is asked for, else a table's column, else what a sentence lists."""
    wanted = asked.terms
    lists = [b for number, section in enumerate(evidence) for b in bullets_in(section, number)]
    best = max(lists, key=lambda b: _meets(wanted, b, evidence), default=None)
    if best is not None and _meets(wanted, best, evidence) >= _SENTENCE:
        return DocumentAnswer(best.items, best.section, best.span, 0.85)
    column = column_of(asked.noun, evidence)
    if column is not None:
        return column
    units = (u for u in units_of(evidence) if not u.tabular)
    said = max(units, key=lambda u: (term_coverage(wanted, u), -u.section), default=None)
    items = enumerated(said.text) if said is not None and term_coverage(wanted, said) >= _SENTENCE else ()
    return (
        DocumentAnswer(items, said.section, said.span, 0.4 + 0.4 * term_coverage(wanted, said))
        if said is not None and items
        else None
    )


def _meets(wanted: Sequence[str], bullets: BulletList, evidence: Sequence[Evidence]) -> float:
    path = evidence[bullets.section].path
    held = {t for part in (bullets.intro, path[-1] if path else "") for t in terms(part)}
    return len(held & set(wanted)) / len(wanted) if wanted else 0.0


def _sentence(asked: LabelQuery, evidence: Sequence[Evidence]) -> DocumentAnswer | None:
    """The amount that is asked for in the sentence that tells most of it."""
    wanted = asked.terms or asked.any_of[:1]
    best: tuple[float, ProseUnit, list[Amount]] | None = None
    for unit in units_of(evidence) if asked.units else ():
        share = term_coverage(wanted, unit)
        if unit.tabular or share < _SENTENCE or (best is not None and share <= best[0]):
            continue
        found = [a for a in claimed_amounts(unit.text) if a.measure in asked.units]
        best = (share, unit, found) if found else best
    if best is None:
        return None
    share, unit, found = best
    places = [m.start() for m in re.finditer(r"\w+", unit.text) if set(terms(m[0])) & set(wanted)]
    nearest = min(found, key=lambda a: min((abs(place - a.start) for place in places), default=0))
    text = unit.text[nearest.start : nearest.end].strip()
    return DocumentAnswer((text,), unit.section, unit.span, 0.3 + 0.5 * share, tuple(found))
