"""`DocumentQuestions`: questions about the documents of a shelf, by their names or about all of them (HiQA)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from .....cubes.core.folding import words
from .....cubes.retrieval.passages import blocks_of, passage_at
from .....graphs.reasoner import HIQA, FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop
from ..answers.quotations import members, quoted_in_form, quoted_passage, verdict
from ..context import EngineContext
from ..documents.claims import judge
from ..documents.decisions import decide
from ..documents.document_index import DocumentIndex, part_numbers
from ..documents.requests import BLANK, DocumentQuery, DocumentQueryParser
from ..documents.statements import SURE, AskedValue, best_said, of_cell, of_column, of_range, scored_cells, told_in
from ..documents.wording import lexicon
from ..plan import RelationStep, over_cubes
from ..vocabulary.question_forms import ProseForm, read_asked_form
from .hop_reader import HopReader
from .kind import QuestionKind

__all__ = ["DocumentQuestions"]

_LIKELY = 0.5  # from then on words of a quotation are the answer: likelier they than all others of it
_KEPT = 2_000
_NO_SECTION = "No section that was found is of {}."
_UNKNOWN = "No section that was found speaks of {}."
_SEVERAL = re.compile(r"(?!where|when|how|why).*\b(?:are|were|list|includes?)\b", re.IGNORECASE)


class DocumentQuestions(QuestionKind):
    """Questions that name a document or ask of all of them; where most have chapters, all that no cube foresees.

    A question comes to the same request every time, so runs can be resumed, replayed and edited.
    """

    def __init__(
        self, context: EngineContext, reader: HopReader, document_index: DocumentIndex, chained: Callable[[str], bool]
    ) -> None:
        """``chained`` tells whether the syntax of a question shows several hops."""
        self._context, self._hops, self._index, self._chained = context, reader, document_index, chained
        self._read = lru_cache(_KEPT)(DocumentQueryParser(document_index).read)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the next subquery (eq. 10-11), one for each document that is asked about."""
        if self._has_hops(question):
            return None
        asked = self._read(question).subqueries
        if len(hops) < len(asked):
            return NextStep(asked[len(hops)])
        return NextStep(None, sufficient=any(hop.answers for hop in hops))

    def route(self, subquery: str) -> Routing | None:
        """Choose retrieval over chapters (3.4.2)."""
        named = ", ".join(mention.name for mention in self._read(subquery).mentions)
        return Routing((), f"about {named}" if named else "about the documents with chapters", (HIQA,))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Read sections of documents (eq. 12): of a plain question, only what any of their sentences tells."""
        request = self._read(subquery)
        if lacking := _lacking(request, evidence):
            return SubAnswer(note=lacking)
        own = [e for e in evidence if not request.refs or e.document_id in request.refs]
        form, operator = request.form, request.operator
        if own and operator == "judge" and form.yes_no and not self._index.alike:
            # Yes or no is asked of texts, which do not tell all as data sheets do.
            told = self._hops.best_part(subquery, own)
            unsaid = quoted_passage(own, told, whole=False) if told is not None and told.enough else SubAnswer()
            return verdict(subquery, own, told) or unsaid
        described = operator == "describe" and not request.mentions
        found, sure = self._looked_up(request, own)
        few = _asks_for_few(subquery)
        if not own or form.kind != "plain" or not (operator == "value" or described) or (sure and few):
            return found
        told = self._hops.best_part(subquery, own)
        found = quoted_in_form(subquery, own, told, found, named=bool(request.refs))
        return self._in_few_words(subquery, own, found) if few and found.form == "passage" else found

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Compose the final answer (eq. 13), or abstain."""
        return None if self._has_hops(question) else decide(self._read(question), hops)

    def name_one(self, question: str) -> bool:
        """Whether a question names a document, or asks of all of them."""
        return bool(self._read(question).mentions)

    def take(self, question: str) -> bool:
        """Whether a question is of this kind."""
        return self.name_one(question) or (self._index.prevails and not self._is_of_cubes(question))

    def _has_hops(self, question: str) -> bool:
        """Whether the parts of a question are hops of their own, so that it is not asked here as it stands."""
        if read_asked_form(question).kind != "short" or not self._chained(question):
            return False
        request = self._read(question)
        return request.form.kind == "plain" and request.operator in ("value", "describe")

    def _is_of_cubes(self, question: str) -> bool:
        """Whether the ontology foresees a question about a thing that the cubes know."""
        plan = self._context.grammar(question)
        return isinstance(plan, RelationStep) and over_cubes(plan)

    def _in_few_words(self, subquery: str, evidence: Sequence[Evidence], quoted: SubAnswer) -> SubAnswer:
        """Return the words of a quotation that answer a question for few; unsure ones only lead to the next hop."""
        text, share = self._hops.within(subquery, evidence, quoted)
        if share < _LIKELY:
            return replace(quoted, bridge=text)
        return replace(quoted, answers=(text,), confidence=share * quoted.confidence, form="short")

    def _looked_up(self, request: DocumentQuery, own: Sequence[Evidence]) -> tuple[SubAnswer, bool]:
        """What cells, lists, claims, figures or descriptions say, and whether a cell's labels say all that is asked."""
        stem = request.subqueries[0]
        asked = AskedValue.of(stem, request.names)
        match request.operator:
            case "figure":
                return _figure(asked, own) or _described(asked, own) or SubAnswer(), False
            case "judge":
                claim = re.sub(r"^Is it true (?:of .{1,200}? )?that ", "", stem).rstrip("?")
                found = judge(claim, own, request.names)
                return replace(found, confidence=0.3 + 0.65 * found.confidence) if found else SubAnswer(), False
            case "describe":
                return _described(asked, own) or SubAnswer(), False
        gaps = stem.count(BLANK)
        if gaps > 1:
            found = of_range(asked, own, gaps) or _listed(asked, own) or SubAnswer()
            return replace(found, answers=found.answers[:gaps]), False
        cells = scored_cells(asked, own, self._index.likeness)
        sure = request.operator == "value" and bool(cells) and cells[0][0] >= SURE
        listed = not sure and _SEVERAL.match(stem) is not None
        several = (_listed(asked, own) or of_column(asked, own)) if listed else None
        return several or (of_cell(cells, asked) if cells else of_column(asked, own)) or SubAnswer(), sure


def _asks_for_few(subquery: str) -> bool:
    """Whether a few words answer a question: what "the default port" is has a value, no definition."""
    form = read_asked_form(subquery)
    return form.kind == "short" or (form.kind == "definition" and form.definite)


def _listed(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The members of the list or the sentence that is introduced by what is asked."""
    return members(asked.phrase, ProseForm("list"), evidence)


def _described(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The passage of the sentence that tells the most of what is asked."""
    share, lead = best_said((one for one in told_in(evidence) if one.kind == "text"), asked.terms)
    if lead is None:
        return None
    block = next(block for block in blocks_of(lead.section.text) if block.span.end > lead.span.start)
    told = passage_at(lead.section.text, block.span.start, block.span.end, whole=True)
    return replace(replace(lead, span=told.span).answer(told.text, 0.3 + 0.5 * share), form="passage")


def _figure(asked: AskedValue, evidence: Sequence[Evidence]) -> SubAnswer | None:
    """The figure whose caption, or whose chapter, meets the question best."""
    wanted = [t for t in asked.terms if t not in lexicon().figures] or asked.terms
    share, best = best_said((one for one in told_in(evidence) if one.kind == "figure"), wanted)
    return best.answer(best.text, 0.4 + 0.5 * share) if best is not None else None


def _lacking(request: DocumentQuery, evidence: Sequence[Evidence]) -> str:
    """Say which of the things named no section speaks of: nothing may be told of one from another's chapter."""
    for mention in request.mentions:
        if not {ref.id for ref in mention.refs} & {e.document_id for e in evidence}:
            return _NO_SECTION.format(f"'{mention.name}'")
    taken = " ".join(mention.text for mention in request.mentions)
    said = " ".join("".join(words(f"{' '.join(e.path)} {e.text}")) for e in evidence)
    others = (part for part in part_numbers(request.form.stem) if part not in taken)
    return next((_UNKNOWN.format(f"'{part}'") for part in others if "".join(words(part)) not in said), "")
