"""Reading a question over documents as the one-hop questions it takes, and what is to be made of their answers.

A question about several documents becomes one subquery for each (the loop of MultiCube-RAG, 3.4), whether they are
named, stand as options, or are of a series; one about all of many a single wide one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .amounts import amounts, claimed_amounts, is_numeric
from .document_index import DocumentIndex, DocumentMention, DocumentRef
from .forms import BLANK, QuestionForm, read_form
from .operands import Operation, formula_of, measure_of_text, operands, operation_of
from .wording import Order, lexicon, stem_of, terms

__all__ = ["DocumentQuery", "DocumentQueryParser", "Task"]

Task = Literal[
    "value", "describe", "figure", "judge", "compare", "same", "calculate", "each", "extreme", "filter", "count"
]

_MOST = 6  # subqueries of a plan: the loop's own limit
_COMPARED = re.compile(r"\b(?P<word>[a-z]+(?:er|est)|more|most|less|least|fewer|fewest)\b(?: (?P<next>[a-z]+))?", re.I)
_CLAIMS = re.compile(
    r"\b(?:statements?|descriptions?|claims?|sentences?)\b.*\b(?:right|true|correct|accurate|false|wrong|apply|hold)",
    re.IGNORECASE,
)
_SAME = re.compile(r"\b(?:same|equal|identical|equally)\b", re.IGNORECASE)
_DESCRIBING = re.compile(
    r"^(?:please |briefly |can you )*(?:describe|summari[sz]e|explain|outline|discuss|introduce|compare)\b|^why\b"
    r"|\b(?:what|which) (?:is|are) the (?:role|purpose|procedure)s? of\b|\bwhat role\b"
    r"|^how (?:is|are|do|does|can|should|must|to|was|were)\b|\bsummary of\b|\boverview of\b|^what happens\b"
    r"|^what (?:is|are) [^,]{2,60}? (?:used for|for)\W*$|^what (?:does|do) .{2,80}\b(?:do|mean|say|describe|cover)\b",
    re.IGNORECASE,
)
_ASKS_WHICH = re.compile(r"\bwhich\b|\bwhat (?:\w+ ){0,2}(?:has|have|is the)\b|\bname the\b|\blist\b", re.IGNORECASE)
_HOW_MANY = re.compile(r"\bhow many (?:of (?:the|these|those|all) )?(?P<nouns>[a-z]+ [a-z]+)", re.IGNORECASE)
_WHICH_THING = re.compile(
    r"\b(?:which|what)(?: one)?(?: of (?:the|these|those|all)(?: following)?(?: [a-z]+)?)? (?P<nouns>[a-z-]+)\b", re.I
)
_FIGURE = re.compile(
    r"^(?:\w+ )?(?:show|display|draw)\b|\b(?:which|what|find|give|where|see)\b(?!.*\bhow many)", re.IGNORECASE
)
_COUNTED = re.compile(r"\b(?:by )?how many \S+|\bin [a-zµ]?[A-ZΩ]\S*\b", re.IGNORECASE)
_PREDICATE = re.compile(
    r"\b(?:is|are|has|have|can|supports?|offers?|provides?|uses?|comes?|allows?|includes?|contains?|operates?|works?)\b.*"
)
_PLURAL = re.compile(r"[a-z]+[^s\W]s")


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """What a question comes to: ``subqueries`` in order, and the task that makes an answer of theirs.

    ``items`` are what the subqueries are about, as the answer is to call it. ``operations`` work the first two values
    out, then the result and the next. ``wide`` asks for sections of many documents at once; ``measure`` is then what is
    compared, or what is claimed, of each.
    """

    form: QuestionForm
    task: Task
    subqueries: tuple[str, ...]
    items: tuple[str, ...] = ()
    order: Order | None = None
    operations: tuple[Operation, ...] = ()
    mentions: tuple[DocumentMention, ...] = ()
    wide: bool = False
    measure: str = ""

    @property
    def refs(self) -> frozenset[str]:
        """The ids of the documents that are named."""
        return frozenset(ref.id for mention in self.mentions for ref in mention.refs)


class DocumentQueryParser:
    """Reads questions by the names that a shelf knows; the same question always comes to the same request."""

    def __init__(self, document_index: DocumentIndex) -> None:
        self._document_index = document_index

    def read(self, question: str) -> DocumentQuery:
        """Return what a question comes to."""
        form = self._renamed(read_form(question))
        stem = form.stem
        named = tuple(
            {mention.name: mention for mention in reversed(self._document_index.mentions(stem))}.values()
        )[::-1]
        optional = () if named else self._options(form)
        if form.options and not optional and _CLAIMS.search(stem) and len(form.options) <= _MOST:
            return _each_option(form, named)
        order = _order(stem)
        plain = DocumentQuery(form, "value", (_plainly(form),), (), order, (), named)
        if optional:
            return self._of_each(replace(plain, task="compare" if order else "filter", mentions=optional[:_MOST]))
        if len(named) == 1 and len(named[0].refs) > 1 and (self._document_index.alike or named[0].alias):
            return self._over_series(plain, named[0])
        plain = replace(plain, task=self._task(stem, form, named, order))
        if plain.task in ("extreme", "filter", "count"):
            members = self._members(stem)
            if 1 < len(members) <= _MOST:
                return self._over_series(plain, DocumentMention(0, 0, "", members))
            return replace(plain, wide=True, measure=self._claim_or_measure(stem, plain.task))
        calculated = self._calculated(plain) if plain.task not in ("figure", "compare") else None
        if calculated is not None or len(named) < 2 or plain.task == "figure":
            return calculated or plain
        return self._of_each(replace(plain, mentions=named[:_MOST]))

    def _renamed(self, form: QuestionForm) -> QuestionForm:
        """Call documents by the names that their titles have: chapters are found by these."""
        stem = _with_unit(form)
        for mention in sorted(self._document_index.mentions(stem), key=lambda m: -m.start):
            if mention.alias and len(mention.refs) == 1:
                stem = f"{stem[: mention.start]}{mention.name}{stem[mention.end :]}"
        return replace(form, stem=stem)

    def _options(self, form: QuestionForm) -> tuple[DocumentMention, ...]:
        """The documents that the options name, where every option names one."""
        found = [self._document_index.mentions(text) for _, text in form.options]
        return tuple(one[0] for one in found) if all(len(one) == 1 for one in found) else ()

    # -- the task --------------------------------------------------------------------------------------------

    def _task(self, stem: str, form: QuestionForm, named: Sequence[DocumentMention], order: Order | None) -> Task:
        if _asks_for_figure(stem):
            return "figure"
        several, judged = len(named) > 1, form.kind == "judgement"
        if several and (order if judged else order and _ASKS_WHICH.search(stem)):
            return "compare"
        if several or judged:
            return "judge" if not several else "same" if judged and _SAME.search(stem) else "each"
        across = self._across(stem, order) if not named else None
        return across or ("describe" if _DESCRIBING.search(stem) else "value")

    def _across(self, stem: str, order: Order | None) -> Task | None:
        """Whether a question that names no document asks of all of them: "which of the products", "how many ..."."""
        many, which = _HOW_MANY.search(stem), _WHICH_THING.search(stem)
        for found in (many, which) if self._document_index.refs else ():
            said = found["nouns"] if found is many and found else found[0] if found else ""
            if any(stem_of(word) in self._document_index.things for word in said.split()):
                return "count" if found is many else "filter" if order is None else "extreme"
        return None

    def _members(self, stem: str) -> tuple[DocumentRef, ...]:
        """The documents whose titles have the noun that a question asks by ("which router"), else all."""
        asked = {stem_of(word) for word in re.findall(r"[a-z]+", stem)}
        titled = tuple(
            b for b in self._document_index.refs if asked & self._document_index.things & set(terms(b.title))
        )
        return titled or self._document_index.refs

    # -- one subquery for each document ----------------------------------------------------------------------

    def _over_series(self, plain: DocumentQuery, series: DocumentMention) -> DocumentQuery:
        """A series: every one of its documents is asked for, or all at once where they are too many."""
        stem = plain.form.stem
        task = self._across(stem, None if claimed_amounts(stem) else plain.order) or "each"
        bare = _without(stem, (series,))
        whole = replace(plain, task=task, mentions=(series,), wide=True, measure=self._claim_or_measure(bare, task))
        if len(series.refs) > _MOST:
            return whole
        return self._of_each(replace(whole, mentions=series.each(), wide=False), bare)

    def _of_each(self, request: DocumentQuery, stem: str = "") -> DocumentQuery:
        """A claim or a measure of every document that is mentioned."""
        form, task, mentions = request.form, request.task, request.mentions
        bare = stem or _without(form.stem, mentions if not form.options or task not in ("compare", "filter") else ())
        names = tuple(m.name for m in mentions)
        bounded = task in ("filter", "count") and bool(stem) and bool(claimed_amounts(bare))
        if (task in ("filter", "count") and not bounded) or (task == "each" and form.kind == "judgement"):
            claim = _claim_of(bare, frozenset() if task == "each" else self._document_index.things)
            asked = [f"Is it true that {name} {claim}?" for name in names]
        elif task == "each" and not stem and _DESCRIBING.search(form.stem):
            asked = [f"Describe the {measure_of_text(bare)} of {name}." for name in names]
        elif task == "each" and not stem and form.kind == "plain":
            asked = [f"What is the {measure_of_text(bare)} of {name}?" for name in names]
        elif task == "each" and not stem:
            asked = [_asked_of(part, name) for part, name in zip(_segments(form.stem, mentions), names, strict=True)]
        else:
            measure = _measure(_unbounded(bare) if stem else bare, self._document_index.things)
            asked = [_asked_of(measure, name) for name in names]
        task = "compare" if task == "extreme" else task
        return replace(request, task=task, subqueries=tuple(dict.fromkeys(asked)), items=names)

    def _claim_or_measure(self, stem: str, task: Task) -> str:
        return (_claim_of if task in ("filter", "count") else _measure)(stem, self._document_index.things)

    def _calculated(self, plain: DocumentQuery) -> DocumentQuery | None:
        """The operands of a calculation as subqueries; None where there is none, or two cannot be told apart."""
        stem, mentions = plain.form.stem, plain.mentions
        bare, several = _without(stem, mentions), len(mentions) > 1
        operation, formula = operation_of(stem), None if several else formula_of(bare)
        if formula is None and operation is None:
            return None
        if several:
            items = tuple(m.name for m in mentions)
            asked = [_asked_of(part, name) for part, name in zip(_segments(stem, mentions), items, strict=True)]
        else:
            items = formula[1] if formula is not None else operands(_COUNTED.sub(";", bare))
            asked = [_asked_of(part, mentions[0].name if mentions else "") for part in items]
        subqueries = tuple(dict.fromkeys(asked))[:_MOST]
        steps = formula[0] if formula is not None else (operation,) if operation is not None else ()
        if len(subqueries) < 2:
            return None
        return replace(plain, task="calculate", subqueries=subqueries, items=items, operations=steps)


def _each_option(form: QuestionForm, named: Sequence[DocumentMention]) -> DocumentQuery:
    """Options that are claims of their own: each is judged by itself."""
    of = f" of {named[0].name}" if named else ""
    texts = tuple(text for _, text in form.options)
    begun = (re.sub(r"^(?:The|An?|Its?|All|Each|No) ", lambda found: found[0].lower(), text) for text in texts)
    claims = tuple(f"Is it true{of} that {text.rstrip('.')}?" for text in begun)
    return DocumentQuery(form, "filter", claims, texts, None, (), tuple(named))


def _plainly(form: QuestionForm) -> str:
    """The whole question as one subquery, without its options."""
    if form.kind != "judgement" or form.yes_no:
        return form.stem
    claim = form.stem.rstrip(".?")
    return f"Is it true that {claim[:1].lower() + claim[1:] if claim.startswith('The ') else claim}?"


def _with_unit(form: QuestionForm) -> str:
    """The stem, with the unit behind its gap that all options are written in."""
    units = {a[0].unit for _, text in form.options if (a := amounts(text)) and is_numeric(text)}
    if form.blanks != 1 or len(units) != 1 or not all(amounts(text) for _, text in form.options):
        return form.stem
    return form.stem.replace(BLANK, f"{BLANK} {next(iter(units))}".strip())


def _asks_for_figure(stem: str) -> bool:
    """Whether a figure itself is asked for, not what one shows in passing."""
    found = _FIGURE.search(stem)
    shown = found is not None and re.search(r"show|display|draw", found[0], re.IGNORECASE) is not None
    named = (m.start() for m in re.finditer(r"[A-Za-z]+", stem) if stem_of(m[0].lower()) in lexicon().figures)
    at = next(named, -1)
    return shown or (found is not None and at > found.start())


def _order(stem: str) -> Order | None:
    """Which end of a scale a comparing word names, if there is one."""
    known = lexicon()
    for found in _COMPARED.finditer(stem.lower()):
        word, behind = found["word"], known.adjectives.get(f"{found['next']}")
        order = known.orders.get(word)
        if order is not None and word in ("more", "most", "less", "least") and behind and behind.order == "least":
            return "greatest" if order == "least" else "least"
        adjective = known.adjectives.get(word) if word.endswith(("er", "est")) else None
        if order is not None or adjective is not None:
            return order or (adjective.order if adjective is not None else None)
    return None


def _measure(stem: str, things: frozenset[str]) -> str:
    """What is compared, in the question's words without the comparing ones: "maximum supply voltage"."""
    known, nouns, bare = lexicon(), list[str](), stem
    for found in _COMPARED.finditer(stem.lower()):
        word, adjective = found["word"], known.adjectives.get(found["word"])
        if word in known.orders or adjective is not None:
            bare = re.sub(rf"\b{word}\b", ";", bare, flags=re.IGNORECASE)
        if adjective is not None and word not in known.orders:
            nouns += adjective.nouns[:1]
    measure = measure_of_text(bare, drop=things)
    return " ".join((measure, *nouns[:1])).strip()


def _claim_of(stem: str, things: frozenset[str]) -> str:
    """What the stem of "Which of the following products is ..." says of each: "is ..."."""
    bare = stem.replace(BLANK, " ").strip(" .?:,")
    found = _PREDICATE.search(bare)
    if found is None:
        return f"has {measure_of_text(bare, drop=things)}"
    return re.sub(r"^are\b", "is", re.sub(r"^have\b", "has", " ".join(found[0].split())))


def _asked_of(measure: str, name: str) -> str:
    if _PLURAL.fullmatch(measure):
        return f"How many {measure}{f' has {name}' if name else ''}?"
    return f"What is the {measure}{f' of {name}' if name else ''}?"


def _without(stem: str, mentions: Sequence[DocumentMention]) -> str:
    """The stem with a mark in place of each name, so that the words around it do not run together."""
    for mention in sorted({m.start: m for m in mentions}.values(), key=lambda m: -m.start):
        stem = f"{stem[: mention.start]} ; {stem[mention.end :]}"
    return stem


def _segments(stem: str, mentions: Sequence[DocumentMention]) -> list[str]:
    """What is asked of each document that is named: the words before its name, or those of the whole."""
    bare = _without(stem, mentions)
    whole = measure_of_text(bare) or _measure(bare, frozenset())
    starts = [0, *(mention.end for mention in mentions)]
    own = [measure_of_text(stem[start : m.start]) for start, m in zip(starts, mentions, strict=False)]
    if not any(len(part.split()) > 1 for part in own[1:]):
        return [whole] * len(mentions)
    first = own[0] or whole
    return [first, *(part or first for part in own[1:])]


def _unbounded(text: str) -> str:
    """Return a text without its amounts and the words that bound them."""
    for amount in reversed(claimed_amounts(text)):
        text = f"{text[: amount.start]} ; {text[amount.end :]}"
    for phrase in (phrase for phrases in lexicon().bounds.values() for phrase in phrases):
        text = re.sub(rf"\b{re.escape(phrase)}\b", " ", text)
    return text
