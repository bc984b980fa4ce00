"""A person decides on a designed ontology: each class and dimension is accepted, renamed or dropped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from ....cubes.design import CandidateClass, CandidateDimension, Decision, Proposal, Quote
from ..console import note

__all__ = ["accept_all", "review"]

_ASKED = "[a]ccept, [r]ename NAME, [d]rop, [q]uit and save? "
Part = CandidateClass | CandidateDimension


class _QuitError(Exception):
    """The person has had enough for now."""


def accept_all(proposal: Proposal) -> None:
    """Accept what is not decided yet."""
    for _, part in _undecided(proposal):
        part.state = "accepted"


def review(proposal: Proposal, save: Callable[[], None]) -> bool:
    """Ask for everything that is not decided yet; each decision is saved at once. False where the person stopped."""
    try:
        for place, part in _undecided(proposal):
            _show(place, part)
            _decide(proposal, place, part)
            save()
    except _QuitError:
        return False
    return True


def _undecided(proposal: Proposal) -> Iterator[tuple[str, Part]]:
    """Yield what waits for a decision; the dimensions of a class that is dropped do not."""
    for idea in proposal.classes:
        if idea.state == "proposed":
            yield idea.name, idea
        for dimension in idea.dimensions if idea.state != "dropped" else ():
            if dimension.state == "proposed":
                yield f"{idea.name}/{dimension.name}", dimension


def _show(place: str, part: Part) -> None:
    if isinstance(part, CandidateClass):
        about = f"class, {part.shown} documents: {part.description}"
    else:
        kind = f"relation to {part.target}" if part.role == "relation" else f"attribute, {part.kind}"
        about = f"{kind}, {part.shown} documents: {part.description}"
    note(f"\n{place}", style="bold")
    note(about, style="default")
    for quote in part.quotes:
        note(_quoted(quote))


def _quoted(quote: Quote) -> str:
    text = quote.text if len(quote.text) <= 200 else f"{quote.text[:199]}…"
    return f'  "{text}" ({quote.document})'


def _decide(proposal: Proposal, place: str, part: Part) -> None:
    """Ask until the answer is one of those offered; the end of the input quits."""
    while True:
        answer, _, name = _answer().partition(" ")
        match answer.lower():
            case "a" | "accept":
                part.state = "accepted"
                return
            case "d" | "drop":
                part.state = "dropped"
                proposal.decisions.append(Decision(what=place, action="dropped", reason="decided in the review"))
                return
            case "r" | "rename" if name.strip():
                part.name, part.state = " ".join(name.split()), "accepted"
                reason = f"to {part.name}, decided in the review"
                proposal.decisions.append(Decision(what=place, action="renamed", reason=reason))
                return
            case "q" | "quit":
                raise _QuitError
        note("Write a, d, q, or r with the new name: r director", style="yellow")


def _answer() -> str:
    sys.stderr.write(_ASKED)
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise _QuitError
    return " ".join(line.split())
