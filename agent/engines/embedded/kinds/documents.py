"""`DocumentQuestions`: questions about the documents of a shelf, by their names or about all of them (HiQA)."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from statistics import fmean

from .....cubes.core.folding import fold, words
from .....cubes.core.quantities import amounts, claimed_amounts, equal, spell
from .....cubes.model.table_ids import is_inside
from .....cubes.retrieval.passages import blocks_of, passage_at
from .....cubes.retrieval.wording import stems
from .....graphs.reasoner import HIQA, FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop
from ..answers.candidates import rarity
from ..answers.quotations import members, quoted_in_form
from ..context import EngineContext
from ..documents.document_index import DocumentIndex, part_numbers
from ..documents.requests import BLANK, DocumentQuery, DocumentQueryParser, Operator
from ..documents.statements import SURE, AskedValue, best_said, joined, judge, look_up, told_in
from ..plan import Operation, Part, QuestionEntity, RelationStep, document_of, over_cubes
from ..question_kind import QuestionKind
from ..vocabulary.question_forms import read_asked_form
from ..vocabulary.wording import Order, listed, terms
from .hop_reader import HopReader
from .kind import NOTHING
from .planned import PlannedQuestions

__all__ = ["DocumentQuestions"]

_LIKELY = 0.5  # from then on words of a quotation are the answer: likelier they than all others of it
_KEPT = 2_000
_ONE = r"(?:\w+ )?(?:which|what) (?!of\b)(?:(?!are\b|were\b)[\w-]*[^s\W] )+(?:are|were|do|does|did|is|was|can)\b"
_SEVERAL = re.compile(rf"(?!where|when|how|why|{_ONE}).*\b(?:are|were|list|includes?)\b", re.IGNORECASE)
_CLAIM = re.compile(r"^Is it true (?:of .{1,200}? )?that |\?$")
_IN_UNIT = re.compile(r"\b(?:in|how many) ([^\s,?.]+)")
_FITTING = 0.3  # of a description that a document must say, by weight
_UNSURE = 0.5  # of the confidence of what was read, where no option is just that
_UNTOLD = "No sentence that was found says so."
_RESULTS: Mapping[Operator, Callable[[Sequence[float]], float]] = {
    "percent": lambda bases: 100 * abs(bases[1] - bases[0]) / bases[0],  # the change from the first to the second
    "share": lambda bases: 100 * min(bases, key=abs) / max(bases, key=abs),
    "ratio": lambda bases: bases[0] / bases[1],
    "difference": lambda bases: abs(bases[0] - bases[1]),
    "average": fmean,
    "sum": sum,
    "product": math.prod,
}
"""What each operation comes to, of values in their base units."""


class DocumentQuestions(QuestionKind):
    """Questions that name a document or ask of all of them; where most have chapters, all that no cube foresees."""

    def __init__(
        self,
        context: EngineContext,
        reader: HopReader,
        document_index: DocumentIndex,
        planned: PlannedQuestions,
        in_rows: Callable[[str], bool],
    ) -> None:
        """``planned`` tells what the syntax of a question shows, ``in_rows`` whether rows of tables answer one."""
        self._context, self._hops, self._index, self._planned = context, reader, document_index, planned
        self._in_rows = in_rows
        self._read = lru_cache(_KEPT)(DocumentQueryParser(document_index).read)

    def take(self, question: str) -> bool:
        """Whether a question is of this kind; not where the ontology foresees it of a thing that the cubes know."""
        if self._in_rows(question) or self._planned.compares_rows(question):
            return False
        if self.name_one(question) or not self._index.prevails:
            return self.name_one(question)
        plan = self._context.grammar(question)
        return not (isinstance(plan, RelationStep | Operation) and over_cubes(plan) and self._in_cells(plan))

    def _in_cells(self, part: Part) -> bool:
        """Whether cells tell what a plan looks up first. What a row is called the text may speak of as well, and rows
        of several documents may be called the same: these are read."""
        if isinstance(part, Operation):
            return all(map(self._in_cells, part.parts))
        if not (isinstance(part, RelationStep) and isinstance(part.base, QuestionEntity)):
            return not isinstance(part, RelationStep) or self._in_cells(part.base)
        told = self._context.linker.facts_of(part.base.name)
        if not told or not all(is_inside(fact.cube) for fact in told):
            return True
        held = any(fact.relation in part.relations for fact in told)
        return held and len({document_of(fact.section_id) for fact in told}) == 1

    def name_one(self, question: str) -> bool:
        """Whether a question names a document, or asks of all of them."""
        return bool(self._read(question).mentions)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the next subquery (eq. 10-11), one for each document that is asked about."""
        if self._has_hops(question):
            return None
        following = self._read(question).subqueries[len(hops) :]
        return NextStep(following[0]) if following else NextStep(None, sufficient=any(hop.answers for hop in hops))

    def route(self, subquery: str) -> Routing | None:
        """Choose retrieval over chapters (3.4.2)."""
        named = ", ".join(mention.name for mention in self._read(subquery).mentions)
        return Routing((), f"about {named}" if named else "about the documents with chapters", (HIQA,))

    def titled(self, description: str, evidence: Sequence[Evidence]) -> str:
        """Return the title of the document about a thing of its own whose sections together say most of a description;
        "" where none says much."""
        titles, held = {e.document_id: e.title for e in evidence}, defaultdict[str, set[str]](set)
        for e in (e for e in evidence if e.document_id in self._index.own):
            held[e.document_id].update(stems(f"{e.text} {e.heading}"))
        weights = rarity(description, held.values())
        said = {id: sum(weights[word] for word in weights if word in own) for id, own in held.items()}
        best = max(said, key=said.__getitem__, default="")
        return titles[best] if best and said[best] >= _FITTING * sum(weights.values()) > 0 else ""

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Read sections of documents (eq. 12): of a plain question, only what any of their sentences tells."""
        request, alike = self._read(subquery), self._index.alike
        if alike and (lacking := _lacking(request, evidence)):
            return SubAnswer(note=lacking)
        return self._hops.with_cell(subquery, evidence, self._read_sections)

    def _read_sections(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        request, asked = self._read(subquery), read_asked_form(subquery)
        # Of documents that are alike, one does not tell of another's thing; a product's name may stand in any text.
        own = _of_documents(request, evidence) if self._index.alike else evidence
        # Texts do not tell all, as data sheets do: yes or no is read off what tells it best.
        if request.operator == "judge" and request.form.yes_no and not self._index.alike:
            return quoted_in_form(subquery, own, self._hops.best_part, SubAnswer(), quoting=True)
        found = _looked_up(request, own)
        # What "the default port" is has a value, no definition.
        few = asked.kind == "short" or (asked.kind == "definition" and asked.definite)
        surely, unnamed = found.confidence >= SURE and few, not request.mentions
        quotes = {"value": not surely, "describe": unnamed, "figure": not found.answers}
        if not own or request.form.kind != "plain" or not quotes.get(request.operator, False):
            return found
        told = self._hops.best_part(subquery, own)
        if told is not None and not (told.enough or request.refs):
            return SubAnswer(note=_UNTOLD)
        found = quoted_in_form(subquery, own, self._hops.best_part, found, quoting=True)
        if not few or (found.answers and found.form != "passage"):
            return found
        # The words of the quotation that answer a question for few; unsure ones only lead to the next hop.
        text, share = self._hops.within(subquery, own, found) if found.answers else ("", 0.0)
        if share < _LIKELY:
            return replace(found, bridge=text or self._hops.leading(subquery, own, found))
        return replace(found, answers=(text,), confidence=share * found.confidence, form="short")

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Compose the final answer (eq. 13) in the form that was asked for, or say what was not found."""
        if self._has_hops(question):
            return None
        request = self._read(question)
        hops = hops[: len(request.subqueries)]
        missing = [hop for hop in hops if not hop.answers]
        if not hops or (missing and request.operator not in ("which", "each")) or len(missing) == len(hops):
            note = next((hop.notes[-1] for hop in missing[:1] if hop.notes), "")
            return FinalAnswer("", note=note or f"{NOTHING}{missing[0].subquery if missing else request.form.stem}")
        sure, told = min(hop.confidence for hop in hops if hop.answers), _told(request, hops)
        if request.form.options:
            return _chosen(request, hops, told, sure)
        return FinalAnswer(told, sure) if told else FinalAnswer("", note=f"{NOTHING}{request.form.stem}")

    def _has_hops(self, question: str) -> bool:
        """Whether the parts of a question are hops of their own, so that it is not asked here as it stands."""
        if not self._planned.is_chain(question):
            return False
        request = self._read(question)
        return request.form.kind == "plain" and request.operator in ("value", "describe")


def _looked_up(request: DocumentQuery, evidence: Sequence[Evidence]) -> SubAnswer:
    """What cells, lists, claims, figures or descriptions say."""
    stem = request.subqueries[0]
    asked = AskedValue.of(stem, request.names)
    match request.operator:
        case "figure":
            return _figure(asked, evidence)
        case "judge":
            return judge(_CLAIM.sub("", stem), evidence, request.names) or SubAnswer()
        case "describe":
            return _described(asked, evidence)
    own = _of_documents(request, evidence)  # a table tells of its own thing
    cell = look_up(asked, own)
    if asked.gaps > 1:
        found = cell or members(asked.phrase, own) or SubAnswer()
        return replace(found, answers=found.answers[: asked.gaps])
    sure = cell is not None and cell.confidence >= SURE
    several = members(asked.phrase, own) if not sure and _SEVERAL.match(stem) else None
    return several or cell or SubAnswer()


def _of_documents(request: DocumentQuery, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
    """The sections of the documents that a request names, or all where it names none."""
    return [e for e in evidence if not request.refs or e.document_id in request.refs]


def _lacking(request: DocumentQuery, evidence: Sequence[Evidence]) -> str:
    """Say which of the things named no section speaks of: nothing may be told of one from another's chapter."""
    found = {e.document_id for e in evidence}
    absent = (one.name for one in request.mentions if found.isdisjoint(ref.id for ref in one.refs))
    said = " ".join("".join(words(f"{' '.join(e.path)} {e.text}")) for e in evidence)
    others = (part for part in part_numbers(request.form.stem) if part not in " ".join(request.names))
    unknown = (part for part in others if "".join(words(part)) not in said)
    notes = (*(f"is of '{name}'" for name in absent), *(f"speaks of '{part}'" for part in unknown))
    return f"No section that was found {notes[0]}." if notes else ""


def _described(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer:
    """The passage of the sentence that tells the most of what is asked."""
    if (found := best_said(told_in(evidence), asked.terms)) is None:
        return SubAnswer()
    share, lead = found
    block = next(block for block in blocks_of(lead.section.text) if block.span.end > lead.span.start)
    told = passage_at(lead.section.text, block.span.start, block.span.end, whole=True)
    return replace(replace(lead, span=told.span).answer(told.text, sure=0.3 + 0.5 * share), form="passage")


def _figure(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer:
    """The figure whose caption, or whose chapter, meets the question best."""
    wanted = [t for t in asked.terms if t not in listed("figures")] or asked.terms
    found = best_said(told_in(evidence, "figure"), wanted)
    return found[1].answer(found[1].text, sure=0.4 + 0.5 * found[0]) if found is not None else SubAnswer()


# What is made of the answers of the hops (eq. 13) -------------------------------------------------------------------


def _told(request: DocumentQuery, hops: Sequence[Hop]) -> str:
    """What the hops come to, in words; of a judgement, whether it holds, where they decide that."""
    form, items, holds = request.form, request.items, None
    told = joined([answer for hop in hops for answer in hop.answers])
    match request.operator:
        case "greatest" | "least" as end:
            best = _best(end, items, hops)
            told, holds = joined(best), best == items[:1] if best else None
        case "same":
            holds = all(_alike(joined(hops[0].answers), joined(hop.answers)) > 1 for hop in hops[1:])
        case "judge" if all(hop.form != "passage" for hop in hops):
            holds = all(hop.answer in ("True", "yes") for hop in hops)
        case "which" | "count":
            holding = [name for name, hop in zip(items, hops, strict=False) if hop.answer == "True"]
            told = joined(holding) if request.operator == "which" else str(len(holding))
        case operator if operator in _RESULTS and (result := _calculated(request, hops)):
            told = result
            holds = any(equal(made, one, 0.02) for made in amounts(told) for one in claimed_amounts(form.stem))
        case _ if items:
            answered = ((name, hop.answers) for name, hop in zip(items, hops, strict=False) if hop.answers)
            told = "; ".join(f"{name}: {joined(answers)}" for name, answers in answered)
    if form.kind != "judgement" or holds is None:
        return told
    return ("Yes" if holds else "No") if form.yes_no else str(holds)


def _best(order: Order, items: Sequence[str], hops: Sequence[Hop]) -> tuple[str, ...]:
    """The names with the greatest or least value, of a range its end; several where they are equal."""
    end = min if order == "least" else max
    read = {name: amounts(hop.answer) for name, hop in zip(items, hops, strict=False)}
    sizes = {name: end(amount.base for amount in found) for name, found in read.items() if found}
    return tuple(name for name, size in sizes.items() if size == end(sizes.values()))


def _calculated(request: DocumentQuery, hops: Sequence[Hop]) -> str:
    """What the operation makes of the hops' values, in the unit that the question names, or in the smallest of theirs;
    nothing where they are no amounts, or of different kinds.

    A product is in the base unit that the question asks for, for all base units fit one another.
    """
    values = [found[-1] for hop in hops if (found := amounts(hop.answer))]
    measures, operation = {value.measure for value in values if value.measure}, request.operator
    if len(values) < len(request.subqueries) or (len(measures) > 1 and operation != "product"):
        return ""
    try:
        base = _RESULTS[operation]([value.base for value in values])
    except ZeroDivisionError:
        return ""
    if operation in ("percent", "share"):
        return spell(base, amounts("1 %")[0])
    named = [one for unit in _IN_UNIT.findall(request.form.stem) for one in amounts(f"1 {unit}")[:1] if one.unit]
    if operation in ("ratio", "product"):
        return spell(base, next(iter(named), None))
    smallest = min(values, key=lambda value: abs(value.factor))
    return spell(base, next((one for one in named if not measures or one.measure in measures), smallest))


def _chosen(request: DocumentQuery, hops: Sequence[Hop], text: str, sure: float) -> FinalAnswer:
    """The option, or the options, that the hops' answer is, or that the sections bear out where it is none."""
    options, several = dict(request.form.options), request.form.kind == "choices"
    read = [answer for hop in hops for answer in hop.answers if request.operator not in ("greatest", "least")]
    fits = {letter: max(_alike(option, told) for told in (text, *read)) for letter, option in options.items()}
    found = max(fits.values()) >= 1.0
    if request.operator == "value" and (several or not found):
        sure *= 1.0 if found else _UNSURE
        fits = {letter: max(fit, _stands(request, options[letter], hops)) for letter, fit in fits.items()}
    best = max(fits, key=fits.__getitem__)
    if not fits[best]:
        return FinalAnswer("", note=f"None of the options is what was found: {text or 'nothing'}.")
    chosen = [letter for letter, fit in fits.items() if several and fit >= 1.0] or [best]
    return FinalAnswer("; ".join(f"{letter}: {options[letter]}" for letter in sorted(chosen)), sure)


def _alike(option: str, answer: str) -> float:
    """How far an option is what was found: the same text, the same amounts, or which share of its words."""
    if fold(option) == fold(answer):
        return 2.0
    ours, theirs = amounts(option), amounts(answer)
    if ours and len(ours) == len(theirs):
        return 1.5 if all(map(equal, ours, theirs)) else 0.0
    wanted, held = set(terms(option)), set(terms(answer))
    return len(wanted & held) / max(1, len(wanted))


def _stands(request: DocumentQuery, option: str, hops: Sequence[Hop]) -> bool:
    """Whether the sections bear out what the stem asks with an option in its gap."""
    stem = request.form.stem
    claim = stem.replace(BLANK, option) if BLANK in stem else f"{stem.rstrip('?')} {option}"
    found = judge(claim, _of_documents(request, [e for hop in hops for e in hop.evidence]), request.names)
    return found is not None and found.answers == ("True",)
