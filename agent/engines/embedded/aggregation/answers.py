"""The answer that opened cells give: a number, a list, or the thing that a superlative picks, each with its facts."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from .....cubes.core.folding import base_key, split_qualifier
from .....cubes.core.records import Fact
from .....graphs.reasoner import SubAnswer
from .....graphs.records import FactRecord, ListedField, ListedRecord
from ..plan import Things
from .executor import Opened, shown
from .things import Thing

__all__ = ["answered"]

Record = Callable[[Fact], FactRecord]


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
