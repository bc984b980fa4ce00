"""The plan a question is read as: a chain or tree of one-hop steps over the ontology's relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, overload

__all__ = [
    "AllClaims",
    "AlternativePlans",
    "AnswerType",
    "Claim",
    "CommonValue",
    "Comparison",
    "EntityChoice",
    "JointQuestions",
    "LazyPlans",
    "OpenStep",
    "Part",
    "Plan",
    "QuestionEntity",
    "RelationStep",
    "SameValue",
    "ShareOf",
    "Term",
    "TermValue",
    "ValueCount",
    "WholeQuestion",
    "YearsBetween",
    "is_linked",
    "is_one_hop",
]


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
    from a verb, which may have its base as subject or as object. ``rank`` is the word that picks one of several values
    ("first", "youngest").
    """

    base: Term
    relations: tuple[str, ...]
    template: str
    want: AnswerType = AnswerType()
    words: tuple[str, ...] = ()
    gender: Literal["f", "m"] | None = None
    converse: bool = False
    rank: str | None = None


Term = QuestionEntity | RelationStep


@dataclass(frozen=True, slots=True)
class OpenStep:
    """One hop in the question's own words: ``template`` with gaps ``{0}``, ``{1}`` for the values of ``parts``.

    What is asked need not be in the ontology; the hop's evidence is read by the span reader where no cell answers.
    ``words`` are the parts as the question has them: what fills the gap of a part that is not found.
    ``inner`` is whether this is itself a part of another one.
    """

    template: str
    parts: tuple[Part, ...] = ()
    words: tuple[str, ...] = ()
    inner: bool = False

    def filled(self, names: Sequence[str]) -> str:
        """The subquery with names in its gaps."""
        text = self.template
        for number, name in enumerate(names):
            text = text.replace(f"{{{number}}}", name, 1)
        return text


Part = Term | OpenStep
"""What a plan asks for: a term over the cubes' relations, or an open step."""


@dataclass(frozen=True, slots=True)
class TermValue:
    """The answer is the value of a term."""

    term: Part


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of the items has the least or greatest value on a path; the answer is the item's name.

    ``span`` compares the time between two dates (who lived longer): its end is ``paths``, its start ``starts``.
    A ``claimed`` one asks whether it is the first item ("Is A older than B?"); the answer is yes or no.
    """

    items: tuple[Term, ...]
    paths: tuple[Term, ...]
    order: Literal["least", "greatest"]
    starts: tuple[Term, ...] = field(default=())
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a term has a value; the answer is yes or no ("Was A born in B?").

    ``level`` says how they are compared: as names, as what a thing is ("a film director"), as countries ("British"), or
    not at all, because the step itself asks whether something is true.
    """

    term: Term
    value: str
    level: Literal["value", "class", "country", "truth"] = "value"


@dataclass(frozen=True, slots=True)
class AllClaims:
    """Whether all claims hold ("Are A and B both American directors?")."""

    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class EntityChoice:
    """Which of the items its claims hold for ("Which singer is American, A or B?")."""

    items: tuple[QuestionEntity, ...]
    claims: tuple[tuple[Claim, ...], ...]


@dataclass(frozen=True, slots=True)
class CommonValue:
    """The value that all terms have in common ("What nationality are both A and B?")."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class WholeQuestion:
    """A whole question read in its own words, where none of its steps was answered; of ``items``, one of them."""

    whole: OpenStep
    items: tuple[QuestionEntity, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How many there are: the number the text gives (``stated``), else how many values ``term`` has."""

    stated: RelationStep
    term: Term


@dataclass(frozen=True, slots=True)
class ShareOf:
    """Which share of the whole the part is, both counts ("What share of the films by A were released after 1960?")."""

    part: Part
    whole: Part


@dataclass(frozen=True, slots=True)
class YearsBetween:
    """The whole years between two dates ("How old was A when ...")."""

    start: Term
    end: Term


@dataclass(frozen=True, slots=True)
class JointQuestions:
    """Two questions in one ("When and where was A born?"); all answers, in their order."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SameValue:
    """Whether all terms have a value in common; the answer is yes or no. ``place`` climbs to the country."""

    terms: tuple[Term, ...]
    level: Literal["country", "place", "value"] = "value"


@dataclass(frozen=True, slots=True)
class AlternativePlans:
    """Several readings of one question; the first that leads to an answer counts."""

    plans: Sequence[Plan]


class LazyPlans(Sequence["Plan"]):
    """Readings of a question of which those behind the ``first`` are made when the first have led nowhere."""

    def __init__(self, first: tuple[Plan, ...], others: Callable[[], tuple[Plan, ...]]) -> None:
        self._first = first
        self._make = others

    def __iter__(self) -> Iterator[Plan]:
        yield from self._first
        yield from self._others

    def __len__(self) -> int:
        return len(self._first) + len(self._others)

    @overload
    def __getitem__(self, index: int) -> Plan: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Plan]: ...
    def __getitem__(self, index: int | slice) -> Plan | Sequence[Plan]:
        return (*self._first, *self._others)[index]

    @cached_property
    def _others(self) -> tuple[Plan, ...]:
        return self._make()


Plan = (
    AlternativePlans | TermValue | Comparison | Claim | AllClaims | EntityChoice | SameValue | CommonValue
    | WholeQuestion | ValueCount | ShareOf | YearsBetween | JointQuestions
)


def is_one_hop(plan: Plan) -> bool:
    """Whether a plan asks for one value of one name."""
    return (
        isinstance(plan, TermValue)
        and (not isinstance(plan.term, RelationStep) or isinstance(plan.term.base, QuestionEntity))
    )


def is_linked(term: Term) -> bool:
    """Whether the corpus knows the name that a term starts from."""
    while isinstance(term, RelationStep):
        term = term.base
    return term.linked
