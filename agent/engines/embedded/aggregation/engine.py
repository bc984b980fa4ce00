"""`AggregationQuestions`: counting, listing and comparing what many cells hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import fmean

from .....graphs.gathering import CELLS, AggregatedCells
from .....graphs.reasoner import FinalAnswer, Routing, SubAnswer
from .....graphs.reasoner import NextStep as NextStep
from .....graphs.records import Evidence, Hop
from ..context import EngineContext
from ..execution.planner import NextHop
from ..execution.values import values_of
from ..plan import OpenStep, RelationStep
from .answers import AggregationAnswers, described_query, everything
from .cell_opening import CellQueryExecutor, CellQueryResult
from .request import AggregationQuery
from .request_reader import AggregationQueryParser, may_aggregate, normal

__all__ = ["AggregationQuestions"]

_KEPT = 2_000  # questions; a server sees them without end
_OPENED = 64


class AggregationQuestions:
    """Questions over many cells, answered in one hop after the hops for what they name only by description.

    Each decision is None for a question of another kind. It implements `graphs.gathering.Gathering`.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._requests = AggregationQueryParser(context.lexicon, context.questions.terms)
        self._opener = CellQueryExecutor(context)
        self._answering = AggregationAnswers(self._opener, context)
        self._request = lru_cache(_KEPT)(self._read_request)
        self._opened = lru_cache(_OPENED)(lambda request: self._opener.open(request, everything))

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep | None:
        """Return the hops that find what the question describes, then the question itself with what they found."""
        request = self._asked(question)
        if request is None:
            return None
        subquery, used, is_found = self._resolved(question, request, hops)
        if not is_found:
            return NextStep(subquery or None, note="" if subquery else f"Nothing was found for: {question}")
        if self._whole(subquery) is None:
            return None
        if len(hops) > used:
            return NextStep(None, sufficient=bool(hops[-1].answers), note=" ".join(hops[-1].notes))
        return NextStep(subquery)

    def route(self, subquery: str) -> Routing | None:
        """Open whole cells for a subquery over many of them."""
        request = self._whole(subquery)
        if request is None:
            return None
        gathered = self._gathered(request, self._opened(request))
        cubes = tuple(dict.fromkeys((*(cell.cube for cell in gathered.cells), *gathered.sections)))
        return Routing(cubes, described_query(request), (CELLS,))

    def gather(self, subquery: str, allows: Callable[[str], bool]) -> AggregatedCells | None:
        """Return what the cells hold in the sections that are allowed (`graphs.gathering.Gathering`)."""
        request = self._asked(subquery)
        return None if request is None else self._gathered(request, self._opener.open(request, allows))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Count, list or compare what the cells hold in the evidence's sections."""
        request = self._whole(subquery)
        if request is None or not all(e.retriever.startswith(f"{CELLS}:") for e in evidence):
            return None
        sections = self._gathered(request, self._opened(request)).sections.values()
        left_out = {i for held in sections for i in held} - {e.section_id for e in evidence}  # by the run's filters
        return self._answering.answer(request, lambda section_id: section_id not in left_out)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Give the answer of the hop over many cells with what it rests on, or say why there is none."""
        if not hops or CELLS not in hops[-1].tools or self._asked(question) is None:
            return None
        text = ", ".join(hops[-1].answers)
        return FinalAnswer(text, fmean(hop.confidence for hop in hops) if text else 0.0, " ".join(hops[-1].notes))

    def _asked(self, question: str) -> AggregationQuery | None:
        """The request that a question is, if it is one; a glance at its words spares most questions the rest."""
        return self._request(question) if self._context.options.chains and may_aggregate(question) else None

    def _read_request(self, question: str) -> AggregationQuery | None:
        with self._context.questions.lock:
            return self._requests.read(question)

    def _whole(self, subquery: str) -> AggregationQuery | None:
        """The request of a subquery in which nothing is still to be found, and which the cells have something for or
        which cannot be answered in another way."""
        request = self._asked(subquery)
        if request is None or next(request.nested(), None) is not None:
            return None
        return request if not request.open or self._answering.can_answer(request, self._opened(request)) else None

    def _resolved(self, question: str, request: AggregationQuery, hops: Sequence[Hop]) -> tuple[str, int, bool]:
        """The question with what hops found in the place of what it describes, how many hops that took, and whether it
        is all found; else the subquery to ask first, "" where its hop found nothing."""
        text, used = normal(question), 0
        for nested in request.nested():
            values, taken = self._walked_values(nested.step, hops[used:])
            if isinstance(values, str):
                return values, used, False
            if not values:
                return "", used, False
            used += taken
            text = text.replace(nested.text, values[0], 1)
        return f"{text}?", used, True

    def _walked_values(self, step: RelationStep, hops: Sequence[Hop]) -> tuple[list[str] | str, int]:
        """The values of a step along the hops made for it, or its next subquery; and how many hops it took."""
        answered: dict[str, tuple[str, ...]] = {}

        def ask(asked: RelationStep | OpenStep, base: str, origin: str | None) -> Sequence[str]:
            subquery = self._context.planner.phrase(asked, base, origin)
            if subquery not in answered:
                if len(answered) >= len(hops):
                    raise NextHop(subquery)
                answered[subquery] = hops[len(answered)].answers
            return answered[subquery]

        try:
            return values_of(step, ask), len(answered)
        except NextHop as hop:
            return hop.subquery, len(answered)

    def _gathered(self, request: AggregationQuery, opened: CellQueryResult) -> AggregatedCells:
        """The sections of the facts that the answer rests on, by the cube whose cells they are of: a fact's own, else
        the one whose cell was opened last."""
        cells = self._answering.cells(opened)
        cubes = list(dict.fromkeys(cell.cube for cell in cells))
        sections: dict[str, dict[str, None]] = {}
        for fact in self._answering.facts(request, opened):
            home = fact.cube if fact.cube in cubes or not cubes else cubes[-1]
            sections.setdefault(home, {})[fact.section_id] = None
        return AggregatedCells({cube: tuple(held) for cube, held in sections.items()}, cells)
