"""The answer that opened cells give: a number, a list, or the thing that a superlative picks, each with its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from ....cubes.folding import base_key, split_qualifier
from ....cubes.records import Fact
from ....graphs.reasoner import SubAnswer
from ....graphs.records import CellRecord, FactRecord, ListedField, ListedRecord
from .opening import Allows, Opened, Opener, described
from .request import Request
from .stating import Stated, stated
from .things import Thing

__all__ = ["Answering", "told"]

_SHOWN = 12  # names in a note
_STATED = 0.8
"""How sure a number is that a text gives in as many words, and that no cell bears out."""
_DOCUMENTS = "According to the documents"

Record = Callable[[Fact], FactRecord]


class Answering:
    """Answers requests from opened cells; ``record`` makes a fact's record."""

    def __init__(self, opener: Opener, record: Record) -> None:
        self._opener = opener
        self._record = record

    def can_answer(self, request: Request, opened: Opened) -> bool:
        """Whether the cells have something to say: what is asked for, or several things of which one is asked for."""
        if request.measure is None:
            return len(opened.things) > 0
        if opened.rolled:
            return False
        return len(opened.things) > 1 or len(self._opener.sifter.measured(opened.things, request.measure, _all)[0]) > 0

    def answer(self, request: Request, allows: Allows) -> SubAnswer:
        """Open the cells again in the sections allowed, and answer."""
        opened = self._opener.open(request, allows)
        said = self.stated(request, allows)
        if opened.rolled and request.mode != "list":
            return SubAnswer(note=self._nothing(request, opened))
        if request.mode == "most":
            return self._most(request, opened, allows)
        listed = self._listed(request, opened)
        if not listed and said is not None:
            note = f"The text says '{said.words}'; no cell names them."
            return SubAnswer((str(said.number),), _STATED, said.section_id, said.start, said.end, note=note, cited=True)
        if not listed:
            return SubAnswer(note=self._nothing(request, opened))
        names = _bare([each.value for each in listed])
        notes = [f"{_DOCUMENTS}: {_joined(names)}." if request.mode == "count" else f"{_DOCUMENTS}."]
        notes += [f"{note[:1].upper()}{note[1:]}." for note in (*opened.notes, opened.rolled) if note]
        notes += [f"A text says '{said.words}'."] if said is not None and said.number != len(listed) else []
        answers = (str(len(listed)),) if request.mode == "count" else tuple(names)
        return self._made(request, answers, listed, opened, " ".join(notes))

    def cells(self, opened: Opened) -> tuple[CellRecord, ...]:
        """The cells as the trace has them, the joins beside the last cell."""
        made = [CellRecord(cube=c.cube, labels=c.coordinates, holds=c.holds) for c in opened.cells]
        joined = "; ".join(opened.joins)
        return tuple(c if n < len(made) - 1 else c.model_copy(update={"joined": joined}) for n, c in enumerate(made))

    def facts(self, request: Request, opened: Opened) -> Iterator[Fact]:
        """All facts that the answer rests on, each thing's first ones first."""
        for thing in opened.things:
            yield from _ordered(thing)
        if request.measure is not None:
            yield from (fact for _, _, fact, _ in self._opener.sifter.measured(opened.things, request.measure, _all)[0])

    def _listed(self, request: Request, opened: Opened, order: Sequence[Thing] = ()) -> list[ListedRecord]:
        things = order or sorted(opened.things, key=lambda thing: base_key(thing.label))
        return [self._one(thing, request) for thing in things]

    def _one(self, thing: Thing, request: Request, measured: ListedField | None = None) -> ListedRecord:
        facts = _ordered(thing)
        fields = [self._field(thing, fact) for fact in facts[1:] if not _repeats(fact, facts[0], request)]
        fields = [field for n, field in enumerate(fields) if field.name not in {f.name for f in fields[:n]}]
        fields = [field for field in fields if measured is None or field.name != measured.name]
        fields += [measured] if measured is not None else []
        return ListedRecord(value=thing.label, fact=self._record(facts[0]), fields=tuple(fields))

    def _field(self, thing: Thing, fact: Fact) -> ListedField:
        """What a further fact tells: of the thing itself, or of what it was joined on."""
        own = base_key(fact.subject) == base_key(thing.label)
        value = fact.value if own else f"{fact.subject} ({fact.value})"
        return ListedField(name=fact.relation, value=value, fact=self._record(fact))

    def _most(self, request: Request, opened: Opened, allows: Allows) -> SubAnswer:
        """The thing at the place that a superlative names, or equal ones; those that cannot be compared are noted."""
        assert request.measure is not None
        measured, relation = self._opener.sifter.measured(opened.things, request.measure, allows)
        place = request.measure.place
        compared = 2 * len(measured) >= len(opened.things)
        if not (measured and compared) or not -len(measured) <= place < len(measured):
            return SubAnswer(note=self._nothing(request, opened))
        best = [one for one in measured if one[0] == measured[place][0]]
        listed = [
            self._one(thing, request, ListedField(name=relation, value=value, fact=self._record(fact)))
            for _, thing, fact, value in (reversed(measured) if place < 0 else measured)
        ]
        names = _bare([thing.label for _, thing, _, _ in best], [thing.label for thing in opened.things])
        notes = [f"{_DOCUMENTS}, the {request.measure.words} of {len(opened.things)} by '{relation}': {best[0][3]}."]
        left = len(opened.things) - len(measured)
        notes += [f"Of {left} more no {relation} is stated."] if left else []
        return self._made(request, (", ".join(names),), listed, opened, " ".join(notes), first=best[0][1].label)

    def _made(
        self, request: Request, answers: tuple[str, ...], listed: list[ListedRecord], opened: Opened, note: str,
        first: str = "",
    ) -> SubAnswer:
        ground = next((each for each in listed if each.value == first), listed[0])
        return SubAnswer(
            answers, fmean(min(1.0, _ordered(thing)[0].confidence) for thing in opened.things), fact=ground.fact,
            note=note, noun=request.plural, listed=tuple(listed),
        )

    def stated(self, request: Request, allows: Allows) -> Stated | None:
        """What a text says that there are of what is to be counted."""
        if request.mode != "count":
            return None
        return stated(request, ((i, text) for i, text in self._opener.told_by(request) if allows(i)))

    def _nothing(self, request: Request, opened: Opened) -> str:
        """Say that the cells hold nothing, and what a wider cell holds (roll-up)."""
        if opened.rolled:
            names = _joined(_bare([thing.label for thing in opened.things]))
            return f"No cell holds {described(request)}: {opened.rolled}, where there is {names}."
        if len(opened.things) and request.measure is not None:
            words = request.measure.words
            return f"The documents tell of {len(opened.things)} {described(request)}, but not which is {words}."
        said = f"No cell holds {described(request)}: the documents do not state any."
        said += "".join(f" {note[:1].upper()}{note[1:]}." for note in opened.notes)
        return said


def told(request: Request) -> str:
    """Say for the trace what a request asks of the cells."""
    words = request.measure.words if request.measure is not None else ""
    asks = {"count": "counts", "list": "lists", "most": f"finds the {words} of"}
    return f"{asks[request.mode]} {described(request)}"


def _ordered(thing: Thing) -> list[Fact]:
    """A thing's facts: the first that ties it, preferably said in a section of its own, then the others."""
    own = [f for f in thing.grounds if base_key(f.subject) == base_key(thing.label)]
    first = own[:1] or thing.grounds[:1]
    return [*first, *(f for f in thing.grounds if f not in first)]


def _repeats(fact: Fact, first: Fact, request: Request) -> bool:
    """Whether a fact only says again, the other way round, what the first does."""
    if fact.relation == first.relation and fact.subject == first.subject and fact.value == first.value:
        return True
    pair = {base_key(fact.subject), base_key(fact.value)}
    return pair == {base_key(first.subject), base_key(first.value)} or (
        len(request.ties) > 0 and fact.relation in request.ties[0].relations and fact.relation == first.relation)


def _bare(labels: Sequence[str], others: Sequence[str] = ()) -> list[str]:
    """Labels without the brackets that tell homonyms apart, unless one of them is there as well."""
    keys = [base_key(label) for label in (others or labels)]
    return [label if keys.count(base_key(label)) > 1 else split_qualifier(label)[0] for label in labels]


def _joined(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _all(_: str) -> bool:
    return True
