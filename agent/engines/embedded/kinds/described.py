"""`DescribedQuestions`: what a question describes without its name is asked for first, where the rest is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from .....cubes.core.folding import fold
from .....graphs.reasoner import FinalAnswer, NextStep
from .....graphs.records import Evidence, Hop
from ..execution.planner import going_on, odds
from ..question_kind import QuestionKind, first, own_hops
from ..syntax.decompose import Description
from ..vocabulary.question_forms import read_asked_form

__all__ = ["DescribedQuestions"]

_DOUBTFUL, _LEAST, _SURER, _LIKELY = 0.5, 0.45, 1.6, 0.3
"""How sure an answer is, below which a thing described is asked for first; how sure what that leads to must be in place
of no answer; how many times as good its odds in place of few words; and how sure the first of several hops is that was
found (docs/ablations.md)."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A question, those hops that may answer it, and the step after them; ``sure`` is how sure the name in it is."""

    asked: str
    hops: Sequence[Hop]
    step: NextStep
    sure: float | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What a walk came to, whether that is a short answer, and how ``sure`` the name was that it was found with."""

    answer: FinalAnswer
    short: bool
    sure: float | None


class DescribedQuestions(QuestionKind):
    """Questions for few words. They are walked as the ``kinds`` read them; where that ends in doubt, "the captain with
    the bees" is asked for, and the question once more with the name that was found (eq. 10-11). A subquery, and its
    answer, are left to the kind of its own."""

    def __init__(
        self, kinds: Sequence[QuestionKind], described: Callable[[str], Description | None],
        titled: Callable[[str, Sequence[Evidence]], str],
    ) -> None:
        """``titled`` gives the title of the document that a description is of."""
        self._kinds, self._described, self._titled = kinds, described, titled

    def take(self, question: str) -> bool:
        """Whether a question asks for few words."""
        return read_asked_form(question).kind == "short"

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next subquery as the question is read; then what it describes; then with the name of that."""
        steps = (walk.step for walk, _ in self._walks(question, hops))
        own = next(steps)
        return own if own.subquery is not None else next((step for step in steps if step.subquery is not None), own)

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Return the answer as the question is read, or what the thing described led to, where that is the surer."""
        *_, (walk, best) = self._walks(question, hops)
        if best is None:
            best = self._final(walk)
        elif walk.hops:
            best = _surer(question, best, self._final(walk))
        # Answer and name are together as sure as their geometric mean.
        sure = best.answer.confidence if best.sure is None else sqrt(best.answer.confidence * best.sure)
        return replace(best.answer, confidence=sure)

    def _walks(self, question: str, hops: Sequence[Hop]) -> Iterator[tuple[_Walk, _Found | None]]:
        """What is asked one after the other, with its hops of all that were made, and what was found before it."""
        own, step = own_hops(self._next, question, hops)
        rest = hops[len(own) :]
        yield (asked := _Walk(question, own, step)), None
        # A question whose first hop found something was taken apart rightly.
        led = len(own) > 1 and own[0].form == "short" and own[0].confidence >= _LIKELY
        told = led and own[-1].form == "short" and bool(own[-1].answers)
        described = self._described(question) if own and own[0].fact is None and not told else None
        if described is None or (best := self._final(asked)).answer.confidence >= _DOUBTFUL:
            return
        if not best.short and (title := self._titled(described.said, own[-1].evidence)):
            again = described.named(title)
            own, step = own_hops(self._next, again, rest)
            rest = rest[len(own) :]
            yield (asked := _Walk(again, own, step)), best
            best = _surer(question, best, self._final(asked)) if own else best
        if led or best.answer.confidence >= _DOUBTFUL:
            return
        # What is described is asked for in one hop, which leads on and answers nothing.
        yield _Walk(described.asked, (), NextStep(None if rest else described.asked)), best
        if rest and rest[0].form == "short" and (found := going_on(rest[0])):
            named, own = described.named(found[0]), rest[1:]
            yield _Walk(named, own, self._next(named, own), sure=rest[0].confidence), best

    def _next(self, question: str, hops: Sequence[Hop]) -> NextStep:
        return first(self._kinds, question, lambda kind: kind.next_step(question, hops))

    def _final(self, walk: _Walk) -> _Found:
        answer = first(self._kinds, walk.asked, lambda kind: kind.finalize(walk.asked, walk.hops))
        said = (hop.form for hop in reversed(walk.hops) if fold(answer.text) in map(fold, hop.answers))
        form = answer.form or next(said, "short")
        return _Found(answer, bool(answer.text) and form == "short", walk.sure)


def _surer(question: str, best: _Found, other: _Found) -> _Found:
    """The other answer where it is much the surer, and no name of the question's own; else the best one so far."""
    new, old = other.answer, best.answer
    if not new.text or f" {fold(new.text)} " in f" {fold(question)} ":
        return best
    if not old.text:
        return other if new.confidence >= _LEAST else best
    times = _SURER if best.short else 1.0
    return other if odds(new.confidence) > times * odds(old.confidence) else best
