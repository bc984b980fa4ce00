"""`DocumentQuestions`: questions about the documents of a shelf, by their names or about all of them (HiQA)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .....graphs.reasoner import HIQA, FinalAnswer, Routing, SubAnswer
from .....graphs.reasoner import NextStep as NextStep
from .....graphs.records import Evidence, Hop
from ..answers.quotations import quoted_in_form, quoted_passage, verdict
from ..context import EngineContext
from ..documents.decisions import decide
from ..documents.document_index import DocumentIndex
from ..plan import RelationStep, TermValue, over_cubes
from ..syntax.question_forms import read_asked_form
from .document_reader import DocumentReader
from .hop_reader import HopReader

__all__ = ["DocumentQuestions"]

_LIKELY = 0.5  # from then on words of a quotation are the answer: likelier they than all others of it


class DocumentQuestions:
    """Questions that name a document or ask of all of them; where most have chapters, all that no cube foresees.

    Each decision is None for a question of another kind.
    """

    def __init__(
        self, context: EngineContext, reader: HopReader, document_index: DocumentIndex, chained: Callable[[str], bool]
    ) -> None:
        """``chained`` tells whether the syntax of a question shows several hops."""
        self._context, self._hops, self._document_index, self._chained = context, reader, document_index, chained
        self._reader = DocumentReader(document_index)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the next subquery (eq. 10-11), one for each document that is asked about."""
        if not self._take_whole(question):
            return None
        asked = self._reader.read(question).subqueries
        if len(hops) < len(asked):
            return NextStep(asked[len(hops)])
        return NextStep(None, sufficient=any(hop.answers for hop in hops))

    def route(self, subquery: str) -> Routing | None:
        """Choose retrieval over chapters (3.4.2)."""
        if not self.take(subquery):
            return None
        named = ", ".join(mention.name for mention in self._reader.read(subquery).mentions)
        return Routing((), f"about {named}" if named else "about the documents with chapters", (HIQA,))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Read sections of documents (eq. 12): of a plain question, only what any of their sentences tells."""
        if not self.take(subquery):
            return None
        request, own, lacking = self._reader.meant(subquery, evidence)
        if own and self._reader.asks_openly(request, subquery):
            told = self._hops.best_part(subquery, own)
            unsaid = quoted_passage(own, told, whole=False) if told is not None and told.enough else SubAnswer()
            return verdict(subquery, own, told) or unsaid
        several = request.operator == "describe" and request.mentions
        if not own or several or request.form.kind != "plain" or request.operator not in ("value", "describe"):
            return self._reader.told(request, own, lacking)
        cell = self._reader.cell(request, own) if _asks_for_few(subquery) else None
        if cell is not None:
            return cell
        told, named = self._hops.best_part(subquery, own), bool(request.refs)
        found = quoted_in_form(subquery, own, told, lambda: self._reader.told(request, own, lacking), named=named)
        return self._in_few_words(subquery, own, found) if found.form == "passage" else found

    def _in_few_words(self, subquery: str, evidence: Sequence[Evidence], quoted: SubAnswer) -> SubAnswer:
        """Return the words of a quotation that answer a question for few; unsure ones only lead to the next hop."""
        if not _asks_for_few(subquery):
            return quoted
        text, share = self._hops.within(subquery, evidence, quoted)
        if share < _LIKELY:
            return replace(quoted, bridge=text)
        return replace(quoted, answers=(text,), confidence=share * quoted.confidence, form="short")

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Compose the final answer (eq. 13), or abstain."""
        return decide(self._reader.read(question), hops) if self._take_whole(question) else None

    def name_one(self, question: str) -> bool:
        """Whether a question names a document, or asks of all of them."""
        return bool(len(self._document_index)) and bool(self._reader.read(question).mentions)

    def take(self, question: str) -> bool:
        """Whether a question is of this kind."""
        if not len(self._document_index):
            return False
        return self.name_one(question) or (self._document_index.prevails and not self._is_of_cubes(question))

    def _take_whole(self, question: str) -> bool:
        """Whether a question is asked here as it stands: not where its parts are hops of their own."""
        if not self.take(question):
            return False
        short = read_asked_form(question).kind == "short"
        return not (short and self._reader.read(question).is_plain and self._chained(question))

    def _is_of_cubes(self, question: str) -> bool:
        """Whether the ontology foresees a question about a thing that the cubes know."""
        plan = self._context.grammar(question)
        return isinstance(plan, TermValue) and isinstance(plan.term, RelationStep) and over_cubes(plan.term)


def _asks_for_few(subquery: str) -> bool:
    """Whether a few words answer a question: what "the default port" is has a value, no definition."""
    form = read_asked_form(subquery)
    return form.kind == "short" or (form.kind == "definition" and form.definite)
