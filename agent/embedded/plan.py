"""The plan a question is read as: a chain or tree of one-hop steps over the ontology's relations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Claim", "Comparison", "Direct", "Entity", "Plan", "Sameness", "Step", "Term", "Want"]


@dataclass(frozen=True, slots=True)
class Want:
    """What an answer must be: a kind of value ("person", "date", ...) and the noun a question names it by.

    ``plural`` asks for all of them ("which films").
    """

    kind: str | None = None
    noun: str | None = None
    plural: bool = False


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in the question. ``hint`` is the noun before it ("film"); ``linked`` whether the corpus knows it."""

    name: str
    hint: str | None = None
    linked: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One hop: the things that stand in one of ``relations`` to ``base``, in either direction.

    ``template`` is the subquery with ``{}`` for the base's answer. No relations means that the wording is not in
    the ontology; the sentence is then read for ``words``. ``gender`` restricts a kin relation. A ``converse`` step came
    from a verb, which may have its base as subject or as object.
    """

    base: Term
    relations: tuple[str, ...]
    template: str
    want: Want = Want()
    words: tuple[str, ...] = ()
    gender: Literal["f", "m"] | None = None
    converse: bool = False


Term = Entity | Step


@dataclass(frozen=True, slots=True)
class Direct:
    """The answer is the value of a term."""

    term: Term


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
    """Whether a term has a value; the answer is yes or no ("Was A born in B?")."""

    term: Term
    value: str


@dataclass(frozen=True, slots=True)
class Sameness:
    """Whether all terms have a value in common; the answer is yes or no. ``place`` climbs to the country."""

    terms: tuple[Term, ...]
    level: Literal["country", "place", "value"] = "value"


Plan = Direct | Comparison | Claim | Sameness
