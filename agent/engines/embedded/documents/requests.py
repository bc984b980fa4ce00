"""Reading a question over documents as the one-hop questions it takes, and what is to be made of their answers.

A question is read as four things: the documents it is about (named, standing as options, of a series, or all of a few),
what it asks of each (a measure or a claim), the operator, and the form of the answer. There is one subquery for each
document and each measure (the loop of MultiCube-RAG, 3.4).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from .amounts import measure_of
from .document_index import DocumentIndex, DocumentMention
from .forms import BLANK, QuestionForm, read_form
from .measures import Operation, measure_in, operands, operation_of
from .wording import Order, lexicon, stem_of, terms

__all__ = ["DocumentQuery", "DocumentQueryParser", "Operator"]

Operator = Literal["value", "describe", "figure", "judge", "best", "same", "calculate", "each", "which", "count"]

_MOST = 6  # subqueries of a plan: the loop's own limit
_CLAIMS = re.compile(
    r"\b(?:statements?|descriptions?|claims?)\b.*\b(?:right|true|correct|accurate|false|wrong|apply)", re.IGNORECASE
)
_SAME = re.compile(r"\b(?:same|equal|identical|equally)\b", re.IGNORECASE)
_DESCRIBING = re.compile(
    r"^(?:please |briefly |can you )*(?:describe|summari[sz]e|explain|outline|discuss|introduce|compare)\b|^why\b"
    r"|\b(?:what|which) (?:is|are) the (?:role|purpose|procedure)s? of\b|\bsummary of\b|\boverview of\b|^what happens\b"
    r"|^how (?:is|are|do|does|can|should|must|to|was|were)\b|^what (?:does|do) .{2,80}\b(?:do|mean|say|cover)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\bwhich\b|\bwhat (?:\w+ ){0,2}(?:has|have|is the)\b|\bname the\b|\blist\b", re.IGNORECASE)
_THINGS = re.compile(
    r"\b(?:which|what|how many)(?: one)?(?: of (?:the|these|those|all)(?: following)?)? (?P<nouns>[a-z-]+(?: [a-z]+)?)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"^(?:\w+ )?(?:show|display|draw)\b|\b(?:which|what|find|give|where|see)\b(?P<rest>.*)", re.I)
_JOINED = re.compile(r"\b(?:and|while|but|with)\b|[,;.]")
_PREDICATE = re.compile(r"\b(?:is|are|has|have|can|(?:support|offer|provide|use|allow|include|contain|work)s?)\b.*")


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """What a question comes to: ``subqueries`` in order, and the operator that makes an answer of theirs.

    ``items`` are what the subqueries are about, as the answer is to call it.
    """

    form: QuestionForm
    operator: Operator
    subqueries: tuple[str, ...]
    items: tuple[str, ...] = ()
    order: Order | None = None
    operation: Operation | None = None
    mentions: tuple[DocumentMention, ...] = ()

    @property
    def refs(self) -> frozenset[str]:
        """The ids of the documents that are named."""
        return frozenset(ref.id for mention in self.mentions for ref in mention.refs)

    @property
    def names(self) -> list[str]:
        """How the question writes the documents' names."""
        return [mention.text for mention in self.mentions]

    @property
    def is_plain(self) -> bool:
        """Whether it asks for one thing, of one document at most."""
        return self.operator in ("value", "describe") and len(self.subqueries) == 1


class DocumentQueryParser:
    """Reads questions by the names that a shelf knows; the same question always comes to the same request."""

    def __init__(self, document_index: DocumentIndex) -> None:
        self._documents = document_index

    def read(self, question: str) -> DocumentQuery:
        """Return what a question comes to."""
        form = self._renamed(read_form(question))
        stem = form.stem
        named = {mention.name: mention for mention in reversed(self._documents.mentions(stem))}
        mentions = tuple(named.values())[::-1]
        about = self._about(form, mentions)
        plain = DocumentQuery(form, "value", (_plainly(form),), (), _order(stem), None, mentions)
        if form.options and _CLAIMS.search(stem) and len(form.options) <= _MOST:
            return _of_options(plain)
        if _asks_for_figure(stem):
            return replace(plain, operator="figure")
        plain = replace(plain, mentions=about)
        operator = self._operator(plain, about != mentions)
        calculated = self._calculated(plain) if operator not in ("best", "count") or form.kind == "judgement" else None
        if calculated is not None:
            return calculated
        if len(about) > 1:
            return self._of_each(plain, operator)
        return _of_gaps(plain) if form.kind == "blanks" else replace(plain, operator=operator)

    def _renamed(self, form: QuestionForm) -> QuestionForm:
        """Call documents by the names that their titles have: chapters are found by these."""
        stem = form.stem
        for mention in reversed(self._documents.mentions(stem)):
            if mention.alias and len(mention.refs) == 1:
                stem = f"{stem[: mention.start]}{mention.name}{stem[mention.end :]}"
        return replace(form, stem=stem)

    def _about(self, form: QuestionForm, named: tuple[DocumentMention, ...]) -> tuple[DocumentMention, ...]:
        """The documents that are asked about one by one: those named, those of a series, options, or all of a few."""
        optional = [self._documents.mentions(text) for _, text in form.options]
        if not named and optional and all(len(one) == 1 for one in optional):
            return tuple(one[0] for one in optional)[:_MOST]
        if len(named) == 1 and len(named[0].refs) > 1 and (self._documents.alike or named[0].alias):
            return named[0].each() if len(named[0].refs) <= _MOST else named
        things = _THINGS.search(form.stem) if not named else None
        asked = {stem_of(word) for word in things["nouns"].split()} & self._documents.things if things else set()
        if not asked:
            return named[:_MOST]
        titled = tuple(ref for ref in self._documents.refs if asked & set(terms(ref.title)))
        members = titled or self._documents.refs
        return DocumentMention(0, 0, "", members).each() if 1 < len(members) <= _MOST else named

    def _operator(self, plain: DocumentQuery, gathered: bool) -> Operator:
        """What is made of the answers; ``gathered`` says that the documents are not named one by one."""
        form, order, which = plain.form, plain.order, _WHICH.search(plain.form.stem) is not None
        if len(plain.mentions) < 2:
            return "judge" if form.kind == "judgement" else "describe" if _DESCRIBING.search(form.stem) else "value"
        if form.kind == "judgement":
            return "best" if order else "same" if _SAME.search(form.stem) else "judge"
        if gathered and _THINGS.search(form.stem) and "how many" in form.stem.lower():
            return "count"
        if order and (gathered or which):
            return "best"
        return "which" if gathered and (which or form.options) else "each"

    def _of_each(self, request: DocumentQuery, operator: Operator) -> DocumentQuery:
        """A claim or a measure of every document."""
        stem, names = request.form.stem, tuple(mention.name for mention in request.mentions)
        bare = self._without(stem)
        measure = measure_in(bare, self._documents.things)
        if operator in ("which", "count", "judge"):
            asked = [f"Is it true that {name} {_claim_of(bare, measure)}?" for name in names]
        elif operator == "each" and _DESCRIBING.search(stem):
            what = measure_in(bare)
            asked = [f"Describe {f'the {what} of ' if what else ''}{name}." for name in names]
        else:
            asked = [_asked_of(measure, name) for name in names]
        return replace(request, operator=operator, subqueries=tuple(asked), items=names)

    def _calculated(self, plain: DocumentQuery) -> DocumentQuery | None:
        """The operands of a calculation as subqueries; None where there is none, or two cannot be told apart."""
        of = self._without(plain.form.stem)
        operation = operation_of(of)
        names = [mention.name for mention in plain.mentions] or [""]
        measures = operands(of) if len(names) == 1 else (measure_in(of),)
        asked = tuple(_asked_of(measure, name) for measure in measures for name in names)[:_MOST]
        if operation is None or len(asked) < 2 or not all(measures):
            return None
        items = measures if len(names) == 1 else tuple(names)
        return replace(plain, operator="calculate", subqueries=asked, items=items, operation=operation)

    def _without(self, stem: str) -> str:
        """The stem with a mark in place of each name, so that the words around it do not run together."""
        for mention in reversed(self._documents.mentions(stem)):
            stem = f"{stem[: mention.start]} ; {stem[mention.end :]}"
        return stem


def _of_options(plain: DocumentQuery) -> DocumentQuery:
    """Options that are claims of their own: each is judged by itself."""
    of = f" of {plain.mentions[0].name}" if plain.mentions else ""
    texts = tuple(text for _, text in plain.form.options)
    claims = tuple(f"Is it true{of} that {_begun(text)}?" for text in texts)
    return replace(plain, operator="which", subqueries=claims, items=texts)


def _of_gaps(plain: DocumentQuery) -> DocumentQuery:
    """Several gaps: each is asked by the words before it and behind it, unless they stand one behind the other."""
    clause, *parts = plain.form.stem.split(BLANK)
    if not any(map(measure_in, parts[:-1])):
        return plain
    name, of = (plain.mentions[0].text, f" of {plain.mentions[0].name}") if plain.mentions else ("\n", "")
    asked, units = list[str](), list[str]()
    for part in parts:
        behind = _JOINED.split(part, maxsplit=1)
        asked.append(f"{clause.replace(name, ' ; ')} {behind[0]}")
        clause, written = behind[-1], f"{part} ".split(" ")[1].rstrip(".,")
        units.append(f" {written}" if measure_of(written) else "")
    told = tuple(f"The {found}{of} is {BLANK}{unit}." for found, unit in zip(operands("", asked), units, strict=False))
    return replace(plain, operator="each", subqueries=told[:_MOST]) if len(told) == len(parts) else plain


def _plainly(form: QuestionForm) -> str:
    """The whole question as one subquery, without its options."""
    return form.stem if form.kind != "judgement" or form.yes_no else f"Is it true that {_begun(form.stem)}?"


def _begun(claim: str) -> str:
    """A claim within a sentence."""
    return re.sub(r"^(?:The|An?|Its?|All|Each|No) ", lambda found: found[0].lower(), claim.rstrip(".?"))


def _asks_for_figure(stem: str) -> bool:
    """Whether a figure itself is asked for, not what one shows in passing."""
    found = _FIGURE.search(stem)
    if found is None or "how many" in stem.lower():
        return False
    return found["rest"] is None or not lexicon().figures.isdisjoint(terms(found["rest"]))


def _order(stem: str) -> Order | None:
    """Which end of a scale a comparing word names, if there is one."""
    known = lexicon().orders
    words = (word for word in re.findall(r"[a-z]+", stem.lower()) if word.endswith(("er", "est", "re", "st", "ss")))
    return next((known[word] for word in words if word in known), None)


def _claim_of(stem: str, measure: str) -> str:
    """What the stem of "Which of the following products is ..." says of each: "is ..."."""
    found = _PREDICATE.search(stem.replace(BLANK, " ").strip(" .?:,"))
    said = " ".join(found[0].replace(" ; ", " ").split()) if found is not None else f"has {measure}"
    return re.sub(r"^are\b", "is", re.sub(r"^have\b", "has", said))


def _asked_of(measure: str, name: str) -> str:
    of = f" {name}" if name else ""
    if re.fullmatch(r"[a-z]+[^s\W]s", measure):
        return f"How many {measure}{of and ' has'}{of}?"
    return f"What is the {measure}{of and ' of'}{of}?"
