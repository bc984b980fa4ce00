"""`ShelvedReasoner`: the embedded engine over a knowledge base that may hold documents with chapters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ...cubes.cells import CubeSet
from ...graphs.expansion.intents import Intents
from ...graphs.expansion.statements import Cell
from ...graphs.reasoner import FinalAnswer, Routing, SubAnswer
from ...graphs.reasoner import Step as NextStep
from ...graphs.records import Evidence, Hop
from .documents.engine import DocumentEngine
from .documents.shelf import Shelf
from .gathering.engine import GatheringReasoner
from .openplans import over_cubes
from .options import EngineOptions
from .plan import Direct, Step
from .quoting import quoted_document, told_in_form

__all__ = ["ShelvedReasoner"]


class ShelvedReasoner(GatheringReasoner):
    """Leaves questions about the documents of a shelf to the reading of documents, and all others as they were.

    A question is about them where it names one, or asks of all of them; where most documents have chapters, also where
    the cubes do not foresee it. Without such documents nothing differs from `EmbeddedReasoner`.
    """

    def __init__(
        self,
        cubes: CubeSet,
        text_of: Callable[[str], str],
        struck: Collection[tuple[str, str]] = frozenset(),
        options: EngineOptions | None = None,
        shelf: Shelf | None = None,
    ) -> None:
        super().__init__(cubes, text_of, struck, options)
        self._shelf = shelf if shelf is not None and self._options.documents else Shelf()
        self._likeness = self._shelf.likeness or self._likeness
        self._documents = DocumentEngine(self._shelf, self._pointed if self._options.reader else None)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery (eq. 10-11), one for each document that is asked about."""
        if self._is_documents(question):
            return self._documents.next_step(question, hops)
        return super().next_step(question, hops)

    def route(self, subquery: str) -> Routing:
        """Choose the cubes that fit a subquery (3.4.2), or retrieval over chapters."""
        return self._documents.route(subquery) if self._is_documents(subquery) else super().route(subquery)

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read the subquery's answer from the evidence (eq. 12)."""
        if self._is_documents(subquery):
            return self._of_documents(subquery, evidence)
        return super().answer(subquery, evidence)

    def _of_documents(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer:
        """Read sections of documents: of a plain question, only what any of their sentences tells."""
        own, named = self._documents.own(subquery, evidence)
        if not own:
            return quoted_document(subquery, self._documents.answer(subquery, evidence), evidence)
        told = self._told(subquery, own)
        return told_in_form(subquery, own, told, lambda: self._documents.answer(subquery, own), named=named)

    def tabulate(self, question: str, intents: Intents, evidence: Sequence[Evidence]) -> Sequence[Sequence[Cell]]:
        """Return the table of a question with several intents; what documents say is answered in their own way."""
        return () if self._is_documents(question) else super().tabulate(question, intents, evidence)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Compose the final answer (eq. 13), or abstain."""
        if self._is_documents(question):
            return self._documents.finalize(question, hops)
        return super().finalize(question, hops)

    def _is_documents(self, question: str) -> bool:
        if not len(self._shelf):
            return False
        return self._documents.claims(question) or (self._shelf.prevails and not self._is_of_cubes(question))

    def _is_of_cubes(self, question: str) -> bool:
        """Whether the ontology foresees a question about a thing that the cubes know."""
        plan = self._grammar(question)
        return isinstance(plan, Direct) and isinstance(plan.term, Step) and over_cubes(plan.term)
