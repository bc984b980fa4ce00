"""The plan a question is read as: a chain or tree of one-hop steps over the ontology's relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ....cubes.core.dates import PartialDate
from ....cubes.core.quantities import Quantity

__all__ = [
    "UNREAD", "Absent", "AlternativePlans", "AnswerType", "Bound", "Guess", "Level", "OpenStep", "Operation", "Part",
    "Period", "Plan", "QuestionEntity", "Range", "RelationStep", "Stated", "Superlative", "Target", "Term", "Things",
    "Tie", "alternatives_of", "document_of", "over_cubes",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerType:
    """What an answer must be: a kind of value ("person", "date", ...) and the noun a question names it by.

    ``plural`` asks for all of them ("which films"). Two kinds are no kinds of value: "class" asks what a thing is
    (its type, genre or occupation), "truth" whether its section says the step's words.
    """

    kind: str | None = None
    noun: str | None = None
    plural: bool = False


@dataclass(frozen=True, slots=True)
class QuestionEntity:
    """A name in the question. ``hint`` is the noun before it ("film"); ``linked`` whether the corpus knows it."""

    name: str
    hint: str | None = None
    linked: bool = True


@dataclass(frozen=True, slots=True)
class RelationStep:
    """One hop: the things that stand in one of ``relations`` to ``base``, in either direction.

    ``template`` is the subquery with ``{}`` for the base's answer. No relations means that the wording is not in
    the ontology; the sentence is then read for ``words``. ``gender`` restricts a kin relation. A ``converse`` step came
    from a verb, which may have its base as subject or as object.
    """

    base: Term
    relations: tuple[str, ...]
    template: str
    want: AnswerType = AnswerType()
    words: tuple[str, ...] = ()
    gender: Literal["f", "m"] | None = None
    converse: bool = False


Term = QuestionEntity | RelationStep


@dataclass(frozen=True, slots=True)
class OpenStep:
    """One hop in the question's own words: ``template`` with gaps ``{0}``, ``{1}`` for the values of ``parts``.

    What is asked need not be in the ontology; the hop's evidence is read by the span reader where no cell answers.
    ``words`` are the parts as the question has them: what fills the gap of a part that is not found.
    ``inner`` is whether this is itself a part of another one.
    """

    template: str
    parts: tuple[Term | OpenStep, ...] = ()
    words: tuple[str, ...] = ()
    inner: bool = False

    def filled(self, names: Sequence[str]) -> str:
        """The subquery with names in its gaps."""
        text = self.template
        for number, name in enumerate(names):
            text = text.replace(f"{{{number}}}", name, 1)
        return text


Level = Literal["value", "place", "country"]


@dataclass(frozen=True, slots=True)
class Operation:
    """What an operator makes of the values of ``parts``; `execution/operators.py` says what each operator does.

    Where the answer is one of some things, these are ``items``, and each part is asked of its own item. ``value`` is
    what the first part is claimed to be. ``level`` says how values are compared: as names, places or countries.
    """

    operator: str
    parts: tuple[Part, ...]
    items: tuple[Term, ...] = ()
    value: str = ""
    level: Level = "value"

    @property
    def is_claim(self) -> bool:
        """Whether something is claimed of one thing alone."""
        return self.operator == "all" and len(self.parts) == 1


Part = Term | OpenStep | Operation
"""What a plan asks for: the value of a term over the cubes' relations, of an open step, or of what an operator makes of
others."""


@dataclass(frozen=True, slots=True)
class AlternativePlans:
    """Several readings of one question; the first that leads to an answer counts. ``others`` makes those that are made
    only where these have led nowhere."""

    plans: tuple[Plan, ...]
    others: Callable[[], tuple[Plan, ...]] = tuple

    def __iter__(self) -> Iterator[Plan]:
        yield from self.plans
        yield from self.others()


Plan = Part | AlternativePlans
Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Worded:
    """What is said of the cells of a thing, written in the question's ``words``."""

    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Period(_Worded):
    """A stretch of days ("1957", "after 1990"), both ends included where given."""

    since: Day | None
    until: Day | None

    def holds(self, date: PartialDate) -> bool | None:
        """Whether a date lies within it; None for one of which part does ("1957" for May 1957)."""
        first, last = date.first(), date.last()
        since, until = self.since or first, self.until or last
        if since <= first and last <= until:
            return True
        return False if last < since or until < first else None


@dataclass(frozen=True, slots=True)
class Range(_Worded):
    """The amounts from ``least`` to ``most`` of a unit, both included."""

    least: float
    most: float
    unit: str

    def holds(self, amount: Quantity, written: float) -> bool | None:
        """Whether an amount lies within it; one without a unit as it is ``written``, None for one of another unit."""
        if self.unit not in ("", amount.unit):
            return None
        return self.least <= (amount.value if self.unit else written) <= self.most


@dataclass(frozen=True, slots=True)
class Absent(_Worded):
    """That a row has no such cell ("no usual driver"), or with a ``value`` none that says this."""

    value: str = ""


@dataclass(frozen=True, slots=True)
class Stated(_Worded):
    """That a row has such a cell, whatever it says ("out on loan")."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Words of a question that no column is called by, the one that they were taken for, and how sure that is."""

    words: str
    column: str
    sure: float


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation between the things asked for and targets; of several targets one is enough, unless ``every``.

    The things are the subjects of its facts ("films directed by X") or their values ("children of X"). Of
    ``relations`` any will do. ``words`` are the question's, with ``{}`` for the targets.
    """

    relations: tuple[str, ...]
    side: Literal["subject", "value"]
    targets: tuple[Target, ...]
    words: str = "{}"
    every: bool = False

    def __str__(self) -> str:
        return self.words.format((" and " if self.every else " or ").join(map(str, self.targets)))


@dataclass(frozen=True, slots=True)
class Superlative:
    """What a superlative (``words``) goes by: the one of ``relations`` that most things have; ``place`` counts from 0
    or from -1. A ``figure`` is made of all the things: the sum or the mean of their amounts, or the value that most of
    them have, or fewest (``often``), or that has the most of the amounts ``of`` a column together."""

    relations: tuple[str, ...]
    place: int
    words: str
    figure: Literal["sum", "mean", "often"] | None = None
    of: str = ""


@dataclass(frozen=True, slots=True)
class Things:
    """The things called ``noun`` to which all of this applies; ``measure`` picks one of them, and ``counts`` asks how
    many they are. ``is_open`` says that they may be found in another way where the cells hold nothing; where it is
    ``unread``, words of the question are left over, and no table can tell. ``guesses`` are words that were taken for
    something else. Only cells of the documents ``within`` count, by their ids, if there are any."""

    noun: str
    plural: str
    adjectives: tuple[str, ...] = ()
    ties: tuple[Tie, ...] = ()
    measure: Superlative | None = None
    counts: bool = False
    is_open: bool = False
    unread: bool = False
    guesses: tuple[Guess, ...] = ()
    within: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return " ".join(filter(None, (*self.adjectives, self.plural, *map(str, self.ties))))


UNREAD = "Not all that the question says of {} was understood; ask by what the columns of their table are called."
"""The note on things that are ``unread``."""
Bound = Period | Range | Absent | Stated
"""What a date or an amount of a thing must lie within; or that there is none, or some."""
Target = str | Bound | Things
"""What a tie leads to: a name as the question has it, a time, an amount, or things that are found in the same way."""


def alternatives_of(plan: Plan | None) -> tuple[QuestionEntity, ...]:
    """The names of which one must be the answer of a plan; nothing where it asks for something else."""
    items = plan.items if isinstance(plan, Operation) else ()
    names = tuple(item for item in items if isinstance(item, QuestionEntity))
    return names if len(names) == len(items) else ()


def document_of(section_id: str) -> str:
    """Return the id of the document that a section is of."""
    return section_id.rpartition(":")[0]


def over_cubes(term: Part) -> bool:
    """Whether every step of a term, or of an operator's parts, is a relation of the ontology, from a name that the
    corpus knows."""
    if isinstance(term, RelationStep):
        return bool(term.relations) and over_cubes(term.base)
    if isinstance(term, Operation):
        return all(map(over_cubes, term.parts))
    return isinstance(term, QuestionEntity) and term.linked
