"""`SeveralQuestions`: two or more questions in one, "What is A? And how is it made?", answered one after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .....graphs.reasoner import FinalAnswer, NextStep, Reasoner
from .....graphs.records import AnswerForm, Hop
from ...turns import Turn
from ..context import EngineContext
from ..question_kind import QuestionKind, own_hops
from .standalone import ConversationKnowledge, finished, standing_alone

__all__ = ["SeveralQuestions", "questions_in"]

_BE = r"(?:is|are|was|were|do|does|did|can|could|should|has|have|had|will|would|must|may)"
_ASKS = rf"(?:(?:what|when|where|why|how)\s+{_BE}|how\s+(?:many|much|long|often|old|far)|in\s+which|who\s+\w+)"
_SEAM = re.compile(rf"\?\s+(?:and\s+)?(?=\S)|(?:,\s*|\s+)(?:and|as well as)\s+(?={_ASKS}\b)", re.IGNORECASE)
_WHOLE = re.compile(rf"^(?:{_ASKS}|which|what|{_BE})\b.*\w", re.IGNORECASE)
_INNER = re.compile(r"\S\s+(?:how|what|when|where|why)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\S\s+(?:who|whose|which|that|where|when)\b", re.IGNORECASE)


class SeveralQuestions(QuestionKind):
    """Walks the questions one after the other; a later one may point back at an earlier one ("and who made it?"). A
    subquery, and its answer, are left to the kind of its question.

    ``told_apart`` reads the questions in a question, each with what its answer is called.
    """

    def __init__(
        self, engine: Reasoner, context: EngineContext, told_apart: Callable[[str], Sequence[tuple[str, str]]]
    ) -> None:
        self._engine, self._world, self._told_apart = engine, ConversationKnowledge(context), told_apart

    def take(self, question: str) -> bool:
        """Whether there is more than one question."""
        return len(self._told_apart(question)) > 1

    def next_step(self, question: str, hops: Sequence[Hop]) -> NextStep:
        """Return the next step of the first question that is not done."""
        answers, step = self._walk(self._told_apart(question), hops)
        return step or NextStep(None, sufficient=all(final.text for final in answers))

    def finalize(self, question: str, hops: Sequence[Hop]) -> FinalAnswer:
        """Return the answers in the order of the questions, and say which is missing."""
        parts = self._told_apart(question)
        answers, _ = self._walk(parts, hops)
        missing = [asked for n, (_, asked) in enumerate(parts) if n >= len(answers) or not answers[n].text]
        note = f"Not answered: {' '.join(missing)}" if missing else ""
        told = [(name, final) for (name, _), final in zip(parts, answers, strict=False) if final.text]
        passage = any(final.form == "passage" or "\n" in final.text for _, final in told)
        said = [f"{name}: {final.text}" if name else final.text for name, final in told]
        form: AnswerForm | None = None if len(told) < 2 else "passage" if passage else "list"
        sure = min((final.confidence for _, final in told), default=0.0)
        return FinalAnswer(("\n\n" if passage else "; ").join(said), sure, note=note, form=form)

    def _walk(self, parts: Sequence[tuple[str, str]], hops: Sequence[Hop]) -> tuple[list[FinalAnswer], NextStep | None]:
        """Return the answers of the questions that are done, and the next step; None after the last one."""
        done, answers = list[Turn](), list[FinalAnswer]()
        for _, part in parts:
            asked = standing_alone(part, done, self._world)
            own, step = own_hops(self._engine.next_step, asked, hops)
            if step.subquery is not None:
                return answers, step
            answers.append(self._engine.finalize(asked, own))
            done.append(Turn(asked, answers[-1].text))
            hops = hops[len(own) :]
        return answers, None


def questions_in(text: str) -> tuple[str, ...]:
    """Return the questions that a text puts one after the other; one where it cannot be told apart for sure.

    What follows "and" begins a question only where it cannot belong to a clause within the one before it.
    """
    parts, rest = [], text
    for seam in _SEAM.finditer(text):
        before, after = rest[: len(rest) - len(text) + seam.start()], text[seam.end() :]
        clause = _RELATIVE if after[:3].lower() == "who" else _INNER
        belongs = seam[0][0] != "?" and clause.search(before) is not None
        if _WHOLE.match(before) and _WHOLE.match(after) and not belongs:
            parts.append(before)
            rest = after
    return tuple(map(finished, (*parts, rest))) if parts else (text,)
