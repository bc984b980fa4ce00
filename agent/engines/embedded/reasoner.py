"""`EmbeddedReasoner`: the loop's decisions by rules and statistics over the cubes, without a language model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from ....cubes.model.cells import CubeSet
from ....graphs.expansion.intents import Intents
from ....graphs.expansion.statements import AnswerCell, ExpansionRequest, Hypotheses
from ....graphs.gathering import AggregatedCells
from ....graphs.reasoner import Decomposition, FinalAnswer, NextStep, Routing, SubAnswer
from ....graphs.records import Evidence, Hop
from .aggregation.engine import AggregationQuestions
from .answers.candidates import SpanCandidate
from .context import EngineContext
from .documents.document_index import DocumentIndex
from .followups.referents import ConversationKnowledge
from .followups.several import SeveralQuestions, questions_in
from .kinds.answer_tables import HypothesisGenerator, Tabulator
from .kinds.documents import DocumentQuestions
from .kinds.hop_reader import HopReader
from .kinds.hypercubes import cells_asked
from .kinds.kind import ForeignQuestions, OverallQuestions, QuestionKind
from .kinds.planned import PlannedQuestions
from .options import EngineOptions
from .plan import Plan
from .signals import AnswerSignals

__all__ = ["VERSION", "EmbeddedReasoner"]

VERSION = "embedded/1"
T = TypeVar("T")


class EmbeddedReasoner:
    """Implements the `Reasoner` protocol over one generation of a knowledge base.

    Each kind of question has its own part; the first that knows a question decides, and a plan of hops is made of what
    is left. It is stateless between calls: a question is read the same way every time, so runs can be resumed, replayed
    and edited.

    ``text_of`` returns a section's text; ``retracted`` are the (subject, value) keys of facts that a person struck out,
    which no sentence may bring back; ``options`` the parts of the engine that are at work; ``document_index`` the
    documents with chapters; ``built`` says whether there are abstractions (SMART) to answer overall questions by,
    ``languages`` are those of the documents.
    """

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
        if document_index is None or not (options or EngineOptions()).documents:
            document_index = DocumentIndex()
        self._context = EngineContext(cubes, text_of, retracted, options, document_index.likeness)
        self._hops = HopReader(self._context)
        self._hypotheses = HypothesisGenerator(self._context, self._hops)
        self._tabulator = Tabulator(self._hops.spans, self._hops.ranked)
        self._planned = PlannedQuestions(self._context, self._hops)
        self._gathered = AggregationQuestions(self._context)
        self._documents = DocumentQuestions(self._context, self._hops, document_index, self._planned.is_chain)
        self._overall = OverallQuestions(self._documents.name_one, built=built)
        world = ConversationKnowledge(self._context)
        self._kinds: tuple[QuestionKind, ...] = (
            SeveralQuestions(self, world, lambda question: [("", part) for part in questions_in(question)]),
            ForeignQuestions(languages, self._context.likeness),
            self._overall,
            self._documents,
            self._gathered,
            *([SeveralQuestions(self, world, cells_asked(cubes))] if self._context.hypercubes_alone else ()),
            self._planned,
        )

    @property
    def name(self) -> str:
        """Engine and version, as shown in traces."""
        return VERSION

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery (eq. 10-11), or that the hops suffice."""
        return self._first(question, lambda kind: kind.next_step(question, hops))

    def route(self, subquery: str) -> Routing:
        """Choose the cubes or tools for a subquery (3.4.2)."""
        return self._overall.offered(subquery, self._first(subquery, lambda kind: kind.route(subquery)))

    def decompose(self, subquery: str, cube: str) -> Decomposition:
        """Turn a subquery into {dimension: entity} pairs of one cube (eq. 7)."""
        return self._planned.decompose(subquery, cube)

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the subquery's answer from the evidence (eq. 12)."""
        return self._first(subquery, lambda kind: kind.answer(subquery, evidence))

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the final answer (eq. 13), or abstain."""
        return self._first(question, lambda kind: kind.finalize(question, hops))

    def gather(self, subquery: str, allows: Callable[[str], bool]) -> AggregatedCells | None:
        """Return what whole cells hold for a subquery (`graphs.gathering.Gathering`)."""
        return self._gathered.gather(subquery, allows)

    def hypotheses(self, subquery: str, evidence: Sequence[Evidence], expansion: ExpansionRequest) -> Hypotheses:
        """Return statements to search with (`graphs.expansion.statements.Hypothesising`)."""
        return self._hypotheses.generate(subquery, evidence, expansion)

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[AnswerCell]]:
        """Return the table of a question with several intents; what documents say is answered in their own way."""
        return () if self._documents.take(question) else self._tabulator.table(intents, evidence)

    def plan(self, question: str) -> Plan | None:
        """Return how a question is read into hops (for explanations and tests)."""
        return self._planned.plan(question)

    def signals(self, question: str, hops: Sequence[Hop]) -> AnswerSignals:
        """Return what speaks for the answer that hops lead to (for fitting the confidence)."""
        return self._planned.signals(question, hops)

    def candidates(self, subquery: str, evidence: Sequence[Evidence], ruled: str = "") -> list[SpanCandidate]:
        """Return the spans that may answer a hop, with what speaks for each (for fitting the scorer)."""
        return self._hops.candidates(subquery, evidence, ruled)

    def _first(self, question: str, decide: Callable[[QuestionKind], T | None]) -> T:
        """What the first kind says that takes the question and decides; the last knows all."""
        return next(found for kind in self._kinds if kind.take(question) and (found := decide(kind)) is not None)
