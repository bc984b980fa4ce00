"""`EmbeddedReasoner`: the loop's decisions by rules and statistics over the cubes, without a language model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ....cubes.model.cells import CubeSet
from ....graphs.expansion.intents import Intents
from ....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses
from ....graphs.reasoner import FinalAnswer, NextStep, Routing, SubAnswer
from ....graphs.records import Evidence, Hop
from .aggregation.engine import AggregationQuestions
from .context import EngineContext
from .documents.document_index import DocumentIndex
from .followups.several import SeveralQuestions, questions_in
from .kinds.answer_tables import HypothesisGenerator, Tabulator
from .kinds.described import DescribedQuestions
from .kinds.documents import DocumentQuestions
from .kinds.hop_reader import HopReader
from .kinds.hypercubes import cells_asked
from .kinds.kind import ForeignQuestions, OverallQuestions
from .kinds.planned import PlannedQuestions
from .options import EngineOptions
from .question_kind import QuestionKind, first

__all__ = ["VERSION", "EmbeddedReasoner"]

VERSION = "embedded/1"


class EmbeddedReasoner:
    """Implements the `Reasoner` protocol over one generation of a knowledge base.

    Each kind of question has its own part; the first that knows a question decides, and a plan of hops is made of what
    is left. It is stateless between calls: a question is read the same way every time, so runs can be resumed, replayed
    and edited.

    ``text_of`` and ``retracted`` are those of `EngineContext`; ``document_index`` holds the documents with chapters;
    ``built`` says whether there are abstractions (SMART) to answer overall questions by, ``languages`` are those of the
    documents.
    """

    name = VERSION
    """Engine and version, as shown in traces."""

    def __init__(
        self,
        cubes: CubeSet,
        text_of: Callable[[str], str],
        retracted: Collection[tuple[str, str]] = frozenset(),
        options: EngineOptions | None = None,
        document_index: DocumentIndex | None = None,
        *,
        built: bool = True,
        languages: Collection[str] = (),
    ) -> None:
        given = document_index or DocumentIndex()
        context = self._context = EngineContext(cubes, text_of, retracted, options, given.likeness)
        index = given if context.options.documents else DocumentIndex()
        hops, gathered = HopReader(context), AggregationQuestions(context, index)
        planned, self._hypotheses = PlannedQuestions(context, hops), HypothesisGenerator(context, hops)
        self._tables = Tabulator(hops)
        self._documents = DocumentQuestions(context, hops, index, planned, gathered.in_rows)
        self._overall = OverallQuestions(self._documents.name_one, built=built)
        labelled = [SeveralQuestions(self, context, cells_asked(cubes))] if context.hypercubes_alone else []
        off = context.options.without
        own: tuple[QuestionKind, ...] = (self._documents, gathered, *labelled, planned)
        described = DescribedQuestions(own, planned.description, self._documents.titled)
        self._kinds: tuple[QuestionKind, ...] = (
            SeveralQuestions(self, context, lambda question: [("", part) for part in questions_in(question)]),
            ForeignQuestions(languages, context.likeness),
            self._overall,
            *([described] if planned.opens and not context.hypercubes_alone and "descriptions" not in off else ()),
            *own,
        )
        # One part alone decides these: eq. 7, and whole cells (`graphs.gathering`). Explanations look at the others.
        self.decompose, self.gather, self.doubted = planned.decompose, gathered.gather, hops.doubted
        self.plan, self.signals, self.candidates = planned.plan, planned.signals, hops.candidates

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery (eq. 10-11), or that the hops suffice."""
        return first(self._kinds, question, lambda kind: kind.next_step(question, hops))

    def route(self, subquery: str) -> Routing:
        """Choose the cubes or tools for a subquery (3.4.2)."""
        return self._overall.offered(subquery, first(self._kinds, subquery, lambda kind: kind.route(subquery)))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the subquery's answer from the evidence (eq. 12)."""
        return first(self._kinds, subquery, lambda kind: kind.answer(subquery, evidence))

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the final answer (eq. 13), or abstain."""
        return first(self._kinds, question, lambda kind: kind.finalize(question, hops))

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return statements to search with (`graphs.expansion.statements.HypothesisReasoner`)."""
        return self._hypotheses.generate(subquery, evidence, expansion)

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Return the table of a question with several intents; what documents say is answered in their own way."""
        return () if self._documents.take(question) else self._tables.table(intents, evidence)
