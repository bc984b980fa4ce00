"""The answer that opened cells give: a number, a list, or the thing that a superlative picks, each with its facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from .....cubes.core.folding import base_key, split_qualifier
from .....cubes.core.records import Fact
from .....graphs.reasoner import SubAnswer
from .....graphs.records import CellRecord, ListedField, ListedRecord
from ..context import EngineContext
from .cell_opening import Allows, CellQueryExecutor, CellQueryResult, described, shown
from .request import AggregationQuery
from .things import FoundEntity

__all__ = ["AggregationAnswers", "described_query", "everything"]

_SHOWN = 12  # names in a note
_DOCUMENTS = "According to the documents"


class AggregationAnswers:
    """Answers requests from opened cells."""

    def __init__(self, opener: CellQueryExecutor, context: EngineContext) -> None:
        self._opener, self._record = opener, context.record

    def can_answer(self, request: AggregationQuery, opened: CellQueryResult) -> bool:
        """Whether the cells have something to say: what is asked for, or several things of which one is asked for."""
        if request.measure is None:
            return len(opened.things) > 0
        measured = self._opener.entity_filter.measured(opened.things, request.measure, everything)[0]
        return not opened.rolled and (len(opened.things) > 1 or len(measured) > 0)

    def answer(self, request: AggregationQuery, allows: Allows) -> SubAnswer:
        """Open the cells again in the sections allowed, and answer."""
        opened = self._opener.open(request, allows)
        if opened.rolled and request.mode != "list":
            return SubAnswer(note=self._nothing(request, opened))
        if request.mode == "most":
            return self._most(request, opened, allows)
        listed = [self._one(t, request) for t in sorted(opened.things.values(), key=lambda one: base_key(one.label))]
        if not listed:
            return SubAnswer(note=self._nothing(request, opened))
        names = _bare([each.value for each in listed])
        counts = request.mode == "count"
        notes = [f"{_DOCUMENTS}: {shown(names, _SHOWN)}." if counts else f"{_DOCUMENTS}."]
        notes += [f"{note[:1].upper()}{note[1:]}." for note in (*opened.notes, opened.rolled) if note]
        return _made(request, (str(len(listed)),) if counts else tuple(names), listed, listed[0], opened, notes)

    def cells(self, opened: CellQueryResult) -> tuple[CellRecord, ...]:
        """The cells as the trace has them, the joins beside the last cell."""
        last = [cell.model_copy(update={"joined": "; ".join(opened.joins)}) for cell in opened.cells[-1:]]
        return (*opened.cells[:-1], *last)

    def facts(self, request: AggregationQuery, opened: CellQueryResult) -> Iterator[Fact]:
        """All facts that the answer rests on, each thing's first ones first."""
        for thing in opened.things.values():
            yield from thing.first
        if request.measure is not None:
            measured = self._opener.entity_filter.measured(opened.things, request.measure, everything)[0]
            yield from (fact for _, _, fact, _ in measured)

    def _one(self, thing: FoundEntity, request: AggregationQuery, measured: ListedField | None = None) -> ListedRecord:
        first, *others = thing.first
        fields = {f.relation: self._field(thing, f) for f in reversed(others) if not _repeats(f, first, request)}
        order = [f.relation for f in others if f.relation in fields]
        kept = [fields[name] for name in dict.fromkeys(order) if measured is None or name != measured.name]
        kept += [measured] if measured is not None else []
        return ListedRecord(value=thing.label, fact=self._record(first), fields=tuple(kept))

    def _field(self, thing: FoundEntity, fact: Fact) -> ListedField:
        """What a further fact tells: of the thing itself, or of what it was joined on."""
        own = base_key(fact.subject) == base_key(thing.label)
        value = fact.value if own else f"{fact.subject} ({fact.value})"
        return ListedField(name=fact.relation, value=value, fact=self._record(fact))

    def _most(self, request: AggregationQuery, opened: CellQueryResult, allows: Allows) -> SubAnswer:
        """The thing at the place that a superlative names, or equal ones; those that cannot be compared are noted."""
        assert request.measure is not None
        things, place, words = opened.things, request.measure.place, request.measure.words
        measured, relation = self._opener.entity_filter.measured(things, request.measure, allows)
        if not measured or 2 * len(measured) < len(things) or not -len(measured) <= place < len(measured):
            return SubAnswer(note=self._nothing(request, opened))
        best = [one for one in measured if one[0] == measured[place][0]]
        listed = {
            thing.key: self._one(thing, request, ListedField(name=relation, value=value, fact=self._record(fact)))
            for _, thing, fact, value in (reversed(measured) if place < 0 else measured)
        }
        names = _bare([thing.label for _, thing, _, _ in best], [thing.label for thing in things.values()])
        notes = [f"{_DOCUMENTS}, the {words} of {len(things)} by '{relation}': {best[0][3]}."]
        left = len(things) - len(measured)
        notes += [f"Of {left} more no {relation} is stated."] if left else []
        return _made(request, (", ".join(names),), list(listed.values()), listed[best[0][1].key], opened, notes)

    def _nothing(self, request: AggregationQuery, opened: CellQueryResult) -> str:
        """Say that the cells hold nothing, and what a wider cell holds (roll-up)."""
        if opened.rolled:
            names = shown(_bare([thing.label for thing in opened.things.values()]), _SHOWN)
            return f"No cell holds {described(request)}: {opened.rolled}, where there is {names}."
        if opened.things and request.measure is not None:
            words = request.measure.words
            return f"The documents tell of {len(opened.things)} {described(request)}, but not which is {words}."
        said = f"No cell holds {described(request)}: the documents do not state any."
        return said + "".join(f" {note[:1].upper()}{note[1:]}." for note in opened.notes)


def described_query(request: AggregationQuery) -> str:
    """Say for the trace what a request asks of the cells."""
    words = request.measure.words if request.measure is not None else ""
    asks = {"count": "counts", "list": "lists", "most": f"finds the {words} of"}
    return f"{asks[request.mode]} {described(request)}"


def everything(_: str) -> bool:
    """Allow all sections."""
    return True


def _made(
    request: AggregationQuery, answers: tuple[str, ...], listed: Sequence[ListedRecord], ground: ListedRecord,
    opened: CellQueryResult,
    notes: Sequence[str],
) -> SubAnswer:  # fmt: skip
    sure = fmean(min(1.0, thing.first[0].confidence) for thing in opened.things.values())
    return SubAnswer(answers, sure, fact=ground.fact, note=" ".join(notes), noun=request.plural, listed=tuple(listed))


def _repeats(fact: Fact, first: Fact, request: AggregationQuery) -> bool:
    """Whether a fact only says again, the other way round, what the first does."""
    pair = {base_key(fact.subject), base_key(fact.value)} == {base_key(first.subject), base_key(first.value)}
    tied = bool(request.constraints) and fact.relation in request.constraints[0].relations
    return pair or (fact.relation == first.relation and tied)


def _bare(labels: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Labels without the brackets that tell homonyms apart, unless one of them is there as well."""
    keys = [base_key(label) for label in (others or labels)]
    return [label if keys.count(base_key(label)) > 1 else split_qualifier(label)[0] for label in labels]
