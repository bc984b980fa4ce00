"""A question taken apart: one-hop subqueries with gaps for what their parts come to."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["SubqueryTemplate", "sentence"]


@dataclass(frozen=True, slots=True)
class SubqueryTemplate:
    """A one-hop subquery with gaps ``{0}``, ``{1}`` for what its parts come to.

    ``words`` is the phrase as the question has it: what stands in the place of a part that is not found. ``noun`` is
    the noun that names the answer.
    """

    question: str
    words: str
    parts: tuple[SubqueryTemplate, ...] = field(default=())
    noun: str = ""

    def spelled(self) -> str:
        """The whole subquery, its gaps filled with the question's own words."""
        text = self.question
        for number, part in enumerate(self.parts):
            text = text.replace(f"{{{number}}}", part.words, 1)
        return text


def sentence(text: str) -> str:
    """Make a phrase a question: a capital in front, one question mark behind."""
    text = " ".join(text.split()).rstrip(" ?.!,;:")
    return f"{text[:1].upper()}{text[1:]}?"
