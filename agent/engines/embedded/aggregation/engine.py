"""`AggregationQuestions`: counting, listing and comparing what many cells hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from statistics import fmean

from .....cubes.core.folding import base_key, split_qualifier
from .....cubes.core.quantities import spell
from .....cubes.core.records import Fact
from .....cubes.model.table_ids import is_inside
from .....graphs.gathering import CELLS, AggregatedCells
from .....graphs.reasoner import FinalAnswer, NextStep, Routing, SubAnswer
from .....graphs.records import Evidence, Hop, ListedField, ListedRecord
from ..context import EngineContext
from ..documents.document_index import DocumentIndex
from ..plan import UNREAD, Superlative, Things, document_of
from .amounts import figure, together
from .opened import Opened, Thing, shown

__all__ = ["AggregationQuestions"]

_OPENED = 64  # requests whose cells stay open


class AggregationQuestions:
    """Questions over many cells, answered in one hop (`graphs.gathering.AggregatingReasoner`)."""

    def __init__(self, context: EngineContext, document_index: DocumentIndex) -> None:
        """``document_index`` knows the documents to whose tables a question may be restricted."""
        self._context, self._index = context, document_index
        self._cues = context.questions.terms.cues
        self._has_inside = any(is_inside(cube.spec.id) for cube in context.cubes)
        self._read = lru_cache(_OPENED)(self._request)
        self._opened = lru_cache(_OPENED)(lambda things: Opened(context, things, lambda _: True))

    def take(self, question: str) -> bool:
        """Whether a question is over many cells."""
        return self._asked(question) is not None

    def in_rows(self, question: str) -> bool:
        """Whether a question is over the rows of tables, and some answer it, none being a row of two documents."""
        request = self._asked(question)
        if request is None or request.unread or not self._cues.columns(request.noun):
            return False
        opened, cubes = self._opened(request), self._cues.cubes(request.noun)
        if opened.rolled or not (opened.things if request.measure is None else opened.best):
            return False
        told = map(self._context.cubes.facts_about, () if request.within else opened.things)
        return all(len({document_of(f.section_id) for f in facts if f.cube in cubes}) < 2 for facts in told)

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the question itself as the one subquery."""
        return NextStep(None, bool(hops[-1].answers), " ".join(hops[-1].notes)) if hops else NextStep(question)

    def route(self, subquery: str) -> Routing | None:
        """Open whole cells for a subquery over many of them."""
        request = self._asked(subquery)
        if request is None:
            return None
        best = request.measure.words if request.measure is not None else ""
        asks = f"finds the {best} of" if best else "counts" if request.counts else "lists"
        return Routing(tuple(_gathered(self._opened(request)).sections), f"{asks} {request}", (CELLS,))

    def gather(self, subquery: str, allows: Callable[[str], bool]) -> AggregatedCells | None:
        """Return what the cells hold in the sections that are allowed."""
        request = self._asked(subquery)
        return None if request is None else _gathered(Opened(self._context, request, allows))

    def answer(self, subquery: str, evidence: Sequence[Evidence]) -> SubAnswer | None:
        """Count, list or compare what the cells hold in the evidence's sections."""
        request = self._asked(subquery)
        if request is None or not all(e.retriever.startswith(f"{CELLS}:") for e in evidence):
            return None
        sections = {i for held in _gathered(self._opened(request)).sections.values() for i in held}
        left_out = sections - {e.section_id for e in evidence}  # by the run's filters
        return self._answered(request, Opened(self._context, request, lambda section: section not in left_out))

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer | None:
        """Give the answer of the hop over many cells with what it rests on, or say why there is none."""
        if not hops or CELLS not in hops[-1].tools or self._asked(question) is None:
            return None
        text = ", ".join(hops[-1].answers)
        return FinalAnswer(text, fmean(hop.confidence for hop in hops) if text else 0.0, " ".join(hops[-1].notes))

    def _asked(self, question: str) -> Things | None:
        """The request that a question is: one for which the cells hold something, or that has no other way."""
        options = self._context.options
        request = self._read(question) if options.chains and "counting" not in options.without else None
        if request is None or not request.is_open:
            return request
        opened = self._opened(request)
        picks = not opened.rolled and (len(opened.things) > 1 or opened.best)
        return request if (opened.things if request.measure is None else picks) else None

    def _request(self, question: str) -> Things | None:
        """The request that a question is; one for rows of the document that it names, where that has such rows."""
        other = self._index.restricted(question, self._context.requests) if self._has_inside else None
        inside = other is not None and self._cues.columns(other.noun) and self._opened(other).things
        return other if inside else self._context.requests(question)

    def _answered(self, request: Things, opened: Opened) -> SubAnswer:
        """Answer from opened cells, with a note of what the answer rests on."""
        measure, things = request.measure, sorted(opened.things.values(), key=lambda one: base_key(one.label))
        names, facts = [split_qualifier(thing.label)[0] for thing in things], {t.key: f for _, t, f in opened.ranked}
        if request.unread:
            return SubAnswer(note=UNREAD.format(request.plural))
        if not names or (opened.rolled and (request.counts or measure)):
            said = f"{opened.rolled}, where there is {shown(names)}" if names else "the documents do not state any"
            return SubAnswer(note=f"No cell holds {request}: {said}.")
        if measure is not None and measure.figure == "often":
            return self._often(request, measure, opened)
        if measure is not None and not opened.best:
            return SubAnswer(note=f"The documents tell of {len(names)} {request}, but not which is {measure.words}.")
        said = f": {shown(names)}" if request.counts else f". {opened.rolled}" if opened.rolled else ""
        answers = (str(len(names)),) if request.counts else tuple(names)
        if measure is not None and measure.figure:
            told, fact = figure([fact for _, _, fact in opened.ranked], measure.figure), opened.best[0][2]
            if told is None:
                return SubAnswer(note=f"The amounts of '{fact.relation}' are of different kinds.")
            answers, things = (spell(*told),), [thing for _, thing, _ in opened.ranked]
            said = f", the {measure.words} of {len(facts)} by '{fact.relation}'"
        elif measure is not None:
            best, fact = [thing for _, thing, _ in opened.best], opened.best[0][2]
            answers = (", ".join(split_qualifier(thing.label)[0] for thing in best),)
            things = [*best, *(thing for _, thing, _ in opened.ranked if thing not in best)]
            said = f", the {measure.words} of {len(facts)} by '{fact.relation}': {fact.value}"
        missing = len(names) - len(facts) if measure is not None else 0
        said += f". Of {missing} more it is not stated" if missing else ""
        said += f". Of {len(opened.untold)} more {request.plural} it is not stated" if opened.untold else ""
        listed = [self._row(thing, facts.get(thing.key)) for thing in things]
        sure = fmean(min(1.0, thing.facts[0].confidence) for thing in things)
        return _told(request, answers, said, listed, request.plural, sure)

    def _often(self, request: Things, measure: Superlative, opened: Opened) -> SubAnswer:
        """The value that most of the things have, or fewest, or that has the most of an amount, with these things."""
        held = defaultdict[str, list[Thing]](list)
        for thing in opened.things.values():
            for fact in opened.told(thing, measure.relations):
                held[fact.value].append(thing.on([fact]))
        facts = {v: [f for one in things for f in opened.told(one, (measure.of,))] for v, things in held.items()}
        sizes = {v: together(facts[v]) if measure.of else float(len(things)) for v, things in held.items()}
        if not sizes:
            return SubAnswer(note=f"No cell holds '{measure.relations[0]}' of {request}.")
        size = sorted({*sizes.values()})[measure.place]
        best = sorted((value for value in held if sizes[value] == size), key=base_key)
        listed = [self._row(thing, None) for value in best for thing in held[value]]
        said = f", with {size:.10g} " + (f"by '{measure.of}'" if measure.of else f"of {len(opened.things)} {request}")
        return _told(request, (", ".join(map(self._context.row_named, best)),), said, listed, measure.relations[0])

    def _row(self, thing: Thing, measured: Fact | None) -> ListedRecord:
        """A thing with its first fact, and what further facts tell of it or of what it was joined on."""
        record, first, fields = self._context.record, thing.facts[0], dict[str, ListedField]()
        pair = {base_key(first.subject), base_key(first.value)}
        others = (f for f in thing.facts if f.relation != first.relation)
        told = [f for f in others if {base_key(f.subject), base_key(f.value)} != pair]
        for fact in filter(None, (*told, measured)):
            own = base_key(fact.subject) == base_key(thing.label)
            value = fact.value if own else f"{fact.subject} ({fact.value})"
            fields.setdefault(fact.relation, ListedField(name=fact.relation, value=value, fact=record(fact)))
        return ListedRecord(value=thing.label, fact=record(first), fields=tuple(fields.values()))


def _told(
    request: Things, answers: tuple[str, ...], said: str, listed: Sequence[ListedRecord], noun: str, sure: float = 1.0
) -> SubAnswer:
    """The answer with the things that it rests on; its note, and how sure it is, tell what was guessed for it."""
    guessed = "".join(f". '{guess.words}' was taken for '{guess.column}'" for guess in request.guesses)
    sure = min([sure, *(guess.sure for guess in request.guesses)])
    note = f"According to the documents{said}{guessed}."
    return SubAnswer(answers, sure, fact=listed[0].fact, note=note, noun=noun, listed=tuple(listed))


def _gathered(opened: Opened) -> AggregatedCells:
    """The sections of the facts that the answer rests on, by the cube whose cells they are of: a fact's own, else
    the one whose cell was opened last."""
    sections: dict[str, dict[str, None]] = {cell.cube: {} for cell in opened.cells}
    told = (fact for thing in opened.things.values() for fact in thing.facts)
    for fact in (*told, *(fact for _, _, fact in opened.ranked)):
        sections[fact.cube if fact.cube in sections else [*sections][-1]][fact.section_id] = None
    return AggregatedCells({cube: tuple(held) for cube, held in sections.items()}, tuple(opened.cells))
