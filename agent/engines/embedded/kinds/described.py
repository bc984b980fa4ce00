"""`DescribedQuestions`: what a question describes without its name is asked for first, where the rest is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from .....cubes.core.folding import fold
from .....graphs.reasoner import FinalAnswer, NextStep
from .....graphs.records import Evidence, Hop
from ..execution.planner import going_on, odds
from ..syntax.decompose import Description
from ..vocabulary.question_forms import read_asked_form
from .kind import QuestionKind, first

__all__ = ["DescribedQuestions"]

_DOUBTFUL, _LEAST, _SURER, _LIKELY = 0.5, 0.45, 1.6, 0.3
"""How sure an answer is, below which a thing described is asked for first; how sure what that leads to must be in place
of no answer; how many times as good its odds in place of few words; and how sure the first of several hops is that was
found (docs/ablations-questions.md)."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """A question and the hops that were made for it; ``whole`` says that it is one hop, however it reads, and ``sure``
    how sure the name in it is."""

    asked: str
    hops: Sequence[Hop]
    whole: bool = False
    sure: float | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What a walk came to, whether that is a short answer, and how ``sure`` the name was that it was found with."""

    answer: FinalAnswer
    short: bool
    sure: float | None

    @property
    def confidence(self) -> float:
        """How sure answer and name are: their geometric mean."""
        return self.answer.confidence if self.sure is None else sqrt(self.answer.confidence * self.sure)


class DescribedQuestions:
    """Questions for few words. They are walked as the ``kinds`` read them; where that ends in doubt, "the captain with
    the bees" is asked for, and the question once more with the name that was found (eq. 10-11)."""

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
        told = NextStep(None)
        for n, (walk, _) in enumerate(self._walks(question, hops)):
            step = self._next(walk)
            if step.subquery is not None:
                return step
            told = told if n else step
        return told

    def route(self, *_: object, **__: object) -> None:
        """Leave a subquery, and its answer, to the kind of its own."""

    answer = route

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Return the answer as the question is read, or what the thing described led to, where that is the surer."""
        walks = self._walks(question, hops)
        *_, (walk, best) = [(walk, best) for walk, best in walks if walk.hops or best is None]
        if best is None:
            best = self._final(walk)
        elif not walk.whole:
            best = _surer(question, best, self._final(walk))
        return replace(best.answer, confidence=best.confidence)

    def _walks(self, question: str, hops: Sequence[Hop]) -> Iterator[tuple[_Walk, _Found | None]]:
        """What is asked one after the other, with its hops of all that were made, and what was found before it."""
        own, rest = self._parted(question, hops)
        yield (asked := _Walk(question, own)), None
        led = bool(own) and _leads_on(own)
        told = led and own[-1].form == "short" and bool(own[-1].answers)
        described = self._described(question) if own and own[0].fact is None and not told else None
        if described is None or (best := self._final(asked)).answer.confidence >= _DOUBTFUL:
            return
        if not best.short and (title := self._titled(described.said, own[-1].evidence)):
            again = described.named(title)
            own, rest = self._parted(again, rest)
            yield (asked := _Walk(again, own)), best
            best = _surer(question, best, self._final(asked)) if own else best
        if led or best.answer.confidence >= _DOUBTFUL:
            return
        yield _Walk(described.asked, rest[:1], whole=True), best
        if rest and rest[0].form == "short" and (found := going_on(rest[0])):
            yield _Walk(described.named(found[0]), rest[1:], sure=rest[0].confidence), best

    def _parted(self, question: str, hops: Sequence[Hop]) -> tuple[Sequence[Hop], Sequence[Hop]]:
        """The hops of a question as it is read, and those after them."""
        done = (n for n in range(1, len(hops)) if self._next(_Walk(question, hops[:n])).subquery is None)
        at = next(done, len(hops))
        return hops[:at], hops[at:]

    def _next(self, walk: _Walk) -> NextStep:
        if walk.whole:
            return NextStep(None if walk.hops else walk.asked)
        return first(self._kinds, walk.asked, lambda kind: kind.next_step(walk.asked, walk.hops))

    def _final(self, walk: _Walk) -> _Found:
        answer = first(self._kinds, walk.asked, lambda kind: kind.finalize(walk.asked, walk.hops))
        said = (hop.form for hop in reversed(walk.hops) if fold(answer.text) in map(fold, hop.answers))
        form = answer.form or next(said, "short")
        return _Found(answer, bool(answer.text) and form == "short", walk.sure)


def _leads_on(hops: Sequence[Hop]) -> bool:
    """Whether a question was taken apart, and its first hop found something: then it was taken apart rightly."""
    return len(hops) > 1 and hops[0].form == "short" and hops[0].confidence >= _LIKELY


def _surer(question: str, best: _Found, other: _Found) -> _Found:
    """The other answer where it is much the surer, and no name of the question's own; else the best one so far."""
    new, old = other.answer, best.answer
    if not new.text or f" {fold(new.text)} " in f" {fold(question)} ":
        return best
    if not old.text:
        return other if new.confidence >= _LEAST else best
    times = _SURER if best.short else 1.0
    return other if odds(new.confidence) > times * odds(old.confidence) else best
