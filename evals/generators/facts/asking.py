"""The questions: what people have in common, what a group shares, and with whom somebody shares what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle

from pydantic import BaseModel

from .people import Cohort, Person, Planted
from .prose import GROUP, SHARED

__all__ = ["Perspective", "Question", "questions"]

_NAMED = (
    "What do {who} have in common?",
    "What do {who} share?",
    "In what ways are {who} alike?",
    "What are the common features of {who}?",
    "What connects {who}?",
)
_DESCRIBED = (
    "What do {who} have in common?",
    "Give an overview of {who}.",
    "What are the key factors that {who} share?",
    "What else links {who}?",
    "What is common to {who}?",
)
_SINGLE = (
    "Who has something in common with {who}, and what is it?",
    "Which people share something with {who}, and what?",
    "To which groups of people does {who} belong, and who else is in them?",
    "Who is similar to {who}, and in what respects?",
    "What does {who} have in common with other people?",
)


class Perspective(BaseModel):
    """What a gold answer says from one point of view; ``keys`` are phrases one of which must stand in an answer."""

    kind: str
    keys: list[str]


class Question(BaseModel):
    """A line of questions.jsonl; ``supporting`` are the records that the answer follows from."""

    id: str
    question: str
    answers: list[str]
    type: str
    count: int
    perspectives: list[Perspective]
    supporting: list[str]


def questions(planted: Planted, records: dict[tuple[str, str], str]) -> Iterator[Question]:
    """Yield sixty questions; ``records`` names the record that tells of a person and a kind of group."""
    for form, wordings, cohorts in (("named", _NAMED, planted.named), ("described", _DESCRIBED, planted.described)):
        for number, (cohort, wording) in enumerate(zip(cohorts, cycle(wordings), strict=False), 1):
            who = _called(cohort)
            yield Question(
                id=f"{form}-{number}", question=wording.format(who=who), type=form, count=len(cohort.shared),
                answers=[" ".join(_said(cohort, *each) for each in cohort.shared)],
                perspectives=[Perspective(kind=kind, keys=[value]) for kind, value in cohort.shared],
                supporting=[
                    records[m.name, kind] for kind, _ in cohort.shared for m in cohort.members if kind in m.groups
                ],
            )  # fmt: skip
    for number, (person, wording) in enumerate(zip(planted.single, cycle(_SINGLE), strict=False), 1):
        yield _of_single(planted, person, f"single-{number}", wording, records)


def _of_single(
    planted: Planted, person: Person, id: str, wording: str, records: dict[tuple[str, str], str]
) -> Question:
    """Whoever shares exactly one group with a person is a key phrase of that group's perspective."""
    circles = {
        kind: [other for other in planted.group(kind, value) if other is not person]
        for kind, value in person.groups.items()
    }
    circles = {kind: others for kind, others in circles.items() if others}
    met = [other.name for others in circles.values() for other in others]
    return Question(
        id=id, question=wording.format(who=person.name), type="single", count=len(circles),
        answers=[" ".join(
            SHARED[kind].format(who=_listed([person.name, *(o.name for o in others)]), value=person.groups[kind])
            for kind, others in circles.items()
        )],
        perspectives=[
            Perspective(kind=kind, keys=[o.name for o in others if met.count(o.name) == 1])
            for kind, others in circles.items()
        ],
        supporting=[records[o.name, kind] for kind, others in circles.items() for o in (person, *others)],
    )  # fmt: skip


def _called(cohort: Cohort) -> str:
    if cohort.known_by is None:
        return _listed([member.name for member in cohort.members])
    kind, value = cohort.known_by
    return GROUP[kind].format(value=value)


def _said(cohort: Cohort, kind: str, value: str) -> str:
    holders = [m.name for m in cohort.members if kind in m.groups]
    others = [m.name for m in cohort.members if kind not in m.groups]
    said = SHARED[kind].format(who=_listed(holders), value=value)
    return f"{said} Of {_listed(others)} it is not stated." if others else said


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
