"""The answer that opened cells give: a number, a list, or the thing that a superlative picks, each with its facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from .....cubes.core.folding import base_key, split_qualifier
from .....cubes.core.records import Fact
from .....graphs.reasoner import SubAnswer
from .....graphs.records import ListedField, ListedRecord
from ..context import EngineContext
from .executor import Opened, RequestExecutor, shown
from .judging import Allows
from .request import Request
from .things import Thing

__all__ = ["RequestAnswers"]

_DOCUMENTS = "According to the documents"


class RequestAnswers:
    """Answers requests from opened cells."""

    def __init__(self, executor: RequestExecutor, context: EngineContext) -> None:
        self._judge, self._record = executor.judge, context.record

    def can_answer(self, request: Request, opened: Opened) -> bool:
        """Whether the cells have something to say: what is asked for, or several things of which one is asked for."""
        if request.things.measure is None:
            return bool(opened.things)
        ranked = self._judge.ranked(opened.things, request.things.measure, lambda _: True)
        return not opened.rolled and (len(opened.things) > 1 or bool(ranked))

    def facts(self, request: Request, opened: Opened) -> Iterator[Fact]:
        """All facts that the answer rests on, each thing's first ones first."""
        for thing in opened.things.values():
            yield from thing.first
        if request.things.measure is not None:
            ranked = self._judge.ranked(opened.things, request.things.measure, lambda _: True)
            yield from (fact for _, _, fact in ranked)

    def answer(self, request: Request, opened: Opened, allows: Allows) -> SubAnswer:
        """Answer from cells that were opened in the sections allowed."""
        if not opened.things or (opened.rolled and request.mode != "list"):
            return SubAnswer(note=_nothing(request, opened))
        if request.mode == "most":
            return self._most(request, opened, allows)
        things = sorted(opened.things.values(), key=lambda one: base_key(one.label))
        names = _bare([thing.label for thing in things])
        counts = request.mode == "count"
        notes = [f"{_DOCUMENTS}: {shown(names)}." if counts else f"{_DOCUMENTS}.", *opened.notes]
        notes += [f"{opened.rolled}."] if opened.rolled else []
        listed = [self._row(thing, request) for thing in things]
        return _made(request, [str(len(names))] if counts else names, listed, things, notes)

    def _most(self, request: Request, opened: Opened, allows: Allows) -> SubAnswer:
        """The thing at the place that a superlative names, or equal ones; those that cannot be compared are noted."""
        measure, count = request.things.measure, len(opened.things)
        assert measure is not None
        best = self._judge.picked(opened.things, measure, allows)
        if not best:
            note = f"The documents tell of {count} {request.things}, but not which is {measure.words}."
            return SubAnswer(note=note)
        ranked = self._judge.ranked(opened.things, measure, allows)
        ranked = [*best, *(one for one in (ranked[::-1] if measure.place < 0 else ranked) if one not in best)]
        relation, things = best[0][2].relation, [thing for _, thing, _ in ranked]
        names = _bare([thing.label for _, thing, _ in best], [thing.label for thing in opened.things.values()])
        notes = [f"{_DOCUMENTS}, the {measure.words} of {count} by '{relation}': {best[0][2].value}."]
        notes += [f"Of {count - len(ranked)} more no {relation} is stated."] if count > len(ranked) else []
        listed = [self._row(thing, request, fact) for _, thing, fact in ranked]
        return _made(request, [", ".join(names)], listed, things, notes)

    def _row(self, thing: Thing, request: Request, measured: Fact | None = None) -> ListedRecord:
        """A thing with its first fact, and what further facts tell of it or of what it was joined on."""
        first, *others = thing.first
        told = [fact for fact in others if not _repeats(fact, first, request)] + ([measured] if measured else [])
        fields = {fact.relation: self._field(thing, fact) for fact in told[::-1]}
        order = dict.fromkeys(fact.relation for fact in told)
        return ListedRecord(value=thing.label, fact=self._record(first), fields=tuple(fields[name] for name in order))

    def _field(self, thing: Thing, fact: Fact) -> ListedField:
        own = base_key(fact.subject) == base_key(thing.label)
        value = fact.value if own else f"{fact.subject} ({fact.value})"
        return ListedField(name=fact.relation, value=value, fact=self._record(fact))


def _nothing(request: Request, opened: Opened) -> str:
    """Say that the cells hold nothing, and what a wider cell holds (roll-up)."""
    if opened.rolled:
        names = shown(_bare([thing.label for thing in opened.things.values()]))
        return f"No cell holds {request.things}: {opened.rolled}, where there is {names}."
    return " ".join((f"No cell holds {request.things}: the documents do not state any.", *opened.notes))


def _made(
    request: Request, answers: Sequence[str], listed: Sequence[ListedRecord], things: Sequence[Thing],
    notes: Sequence[str],
) -> SubAnswer:  # fmt: skip
    sure = fmean(min(1.0, thing.first[0].confidence) for thing in things)
    return SubAnswer(tuple(answers), sure, fact=listed[0].fact, note=" ".join(notes), noun=request.things.plural,
                     listed=tuple(listed))  # fmt: skip


def _repeats(fact: Fact, first: Fact, request: Request) -> bool:
    """Whether a fact only says again, the other way round, what the first does."""
    pair = {base_key(fact.subject), base_key(fact.value)} == {base_key(first.subject), base_key(first.value)}
    tied = any(fact.relation in tie.relations for tie in request.things.ties[:1])
    return pair or (fact.relation == first.relation and tied)


def _bare(labels: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Labels without the brackets that tell homonyms apart, unless one of them is there as well."""
    keys = [base_key(label) for label in (others or labels)]
    return [label if keys.count(base_key(label)) > 1 else split_qualifier(label)[0] for label in labels]
