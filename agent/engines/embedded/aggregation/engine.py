"""`AggregationQuestions`: counting, listing and comparing what many cells hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import fmean

from .....cubes.core.folding import base_key, split_qualifier
from .....cubes.core.records import Fact
from .....graphs.gathering import CELLS, AggregatedCells
from .....graphs.reasoner import FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, FactRecord, Hop, ListedField, ListedRecord
from ..context import EngineContext
from ..plan import Things
from .executor import Opened, Thing, shown

__all__ = ["AggregationQuestions"]

_OPENED = 64

Record = Callable[[Fact], FactRecord]


class AggregationQuestions:
    """Questions over many cells, answered in one hop; each decision is None for a question of another kind.

    It implements `graphs.gathering.AggregatingReasoner`.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._read = context.requests
        self._opened = lru_cache(_OPENED)(lambda things: Opened(context, things, lambda _: True))

    def take(self, question: str) -> bool:
        """Whether a question is over many cells."""
        return self._asked(question) is not None

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the question itself as the one subquery."""
        return NextStep(None, bool(hops[-1].answers), " ".join(hops[-1].notes)) if hops else NextStep(question)

    def route(self, subquery: str) -> Routing | None:
        """Open whole cells for a subquery over many of them."""
        request = self._asked(subquery)
        if request is None:
            return None
        gathered = _gathered(self._opened(request))
        best = request.measure.words if request.measure is not None else ""
        asks = f"finds the {best} of" if best else "counts" if request.counts else "lists"
        return Routing(tuple(dict.fromkeys(cell.cube for cell in gathered.cells)), f"{asks} {request}", (CELLS,))

    def gather(self, subquery: str, allows: Callable[[str], bool]) -> AggregatedCells | None:
        """Return what the cells hold in the sections that are allowed."""
        request = self._asked(subquery)
        return None if request is None else _gathered(Opened(self._context, request, allows))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Count, list or compare what the cells hold in the evidence's sections."""
        request = self._asked(subquery)
        if request is None or not all(e.retriever.startswith(f"{CELLS}:") for e in evidence):
            return None
        sections = _gathered(self._opened(request)).sections.values()
        left_out = {i for held in sections for i in held} - {e.section_id for e in evidence}  # by the run's filters
        opened = Opened(self._context, request, lambda section_id: section_id not in left_out)
        return answered(request, opened, self._context.record)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Give the answer of the hop over many cells with what it rests on, or say why there is none."""
        if not hops or CELLS not in hops[-1].tools or self._asked(question) is None:
            return None
        text = ", ".join(hops[-1].answers)
        return FinalAnswer(text, fmean(hop.confidence for hop in hops) if text else 0.0, " ".join(hops[-1].notes))

    def _asked(self, question: str) -> Things | None:
        """The request that a question is: one for which the cells hold something, or that has no other way."""
        request = self._read(question) if self._context.options.chains else None
        if request is None or not request.is_open:
            return request
        opened = self._opened(request)
        picks = not opened.rolled and (len(opened.things) > 1 or opened.best)
        return request if (opened.things if request.measure is None else picks) else None


def _gathered(opened: Opened) -> AggregatedCells:
    """The sections of the facts that the answer rests on, by the cube whose cells they are of: a fact's own, else
    the one whose cell was opened last."""
    cubes = list(dict.fromkeys(cell.cube for cell in opened.cells))
    sections: dict[str, dict[str, None]] = {cube: {} for cube in cubes}
    told = (fact for thing in opened.things.values() for fact in thing.facts)
    for fact in (*told, *(fact for _, _, fact in opened.ranked)):
        sections[fact.cube if fact.cube in sections else cubes[-1]][fact.section_id] = None
    return AggregatedCells({cube: tuple(held) for cube, held in sections.items()}, tuple(opened.cells))


def answered(request: Things, opened: Opened, record: Record) -> SubAnswer:
    """Answer from opened cells; ``record`` makes a fact what runs keep of it."""
    measure, things = request.measure, sorted(opened.things.values(), key=lambda one: base_key(one.label))
    names = [split_qualifier(thing.label)[0] for thing in things]
    if not names or (opened.rolled and (request.counts or measure)):
        said = f"{opened.rolled}, where there is {shown(names)}" if names else "the documents do not state any"
        return SubAnswer(note=f"No cell holds {request}: {said}.")
    if measure is not None and not opened.best:
        return SubAnswer(note=f"The documents tell of {len(names)} {request}, but not which is {measure.words}.")
    said = f": {shown(names)}" if request.counts else f". {opened.rolled}" if opened.rolled else ""
    answers = (str(len(names)),) if request.counts else tuple(names)
    facts = {thing.key: fact for _, thing, fact in opened.ranked}
    if measure is not None:
        best, fact = [thing for _, thing, _ in opened.best], opened.best[0][2]
        answers = (", ".join(split_qualifier(thing.label)[0] for thing in best),)
        things = [*best, *(thing for _, thing, _ in opened.ranked if thing not in best)]
        said = f", the {measure.words} of {len(facts)} by '{fact.relation}': {fact.value}"
        said += f". Of {len(names) - len(facts)} more it is not stated" if len(names) > len(facts) else ""
    listed = tuple(_row(thing, facts.get(thing.key), record) for thing in things)
    sure = fmean(min(1.0, thing.facts[0].confidence) for thing in things)
    said += f". Of {len(opened.undated)} more {request.plural} no date is stated" if opened.undated else ""
    note = f"According to the documents{said}."
    return SubAnswer(answers, sure, fact=listed[0].fact, note=note, noun=request.plural, listed=listed)


def _row(thing: Thing, measured: Fact | None, record: Record) -> ListedRecord:
    """A thing with its first fact, and what further facts tell of it or of what it was joined on."""
    first, fields = thing.facts[0], dict[str, ListedField]()
    pair = {base_key(first.subject), base_key(first.value)}
    told = [f for f in thing.facts if f.relation != first.relation and {base_key(f.subject), base_key(f.value)} != pair]
    for fact in [*told, *([measured] if measured is not None else [])]:
        own = base_key(fact.subject) == base_key(thing.label)
        value = fact.value if own else f"{fact.subject} ({fact.value})"
        fields.setdefault(fact.relation, ListedField(name=fact.relation, value=value, fact=record(fact)))
    return ListedRecord(value=thing.label, fact=record(first), fields=tuple(fields.values()))
