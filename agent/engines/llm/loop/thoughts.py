"""What a language model says without documents, and the thoughts that it retrieves with (IRCoT)."""

from __future__ import annotations

from collections.abc import Sequence

from .....graphs.reasoner import SubAnswer
from .....graphs.records import Evidence
from .....prompts import PromptLibrary
from ..client import ModelClient
from ..errors import UNUSABLE
from ..replies import schemas as replies
from ..replies import wording

__all__ = ["KNOWN", "recall", "thought"]

KNOWN = 0.3
"""How far an answer is trusted that no document is behind."""


def recall(question: str, client: ModelClient, library: PromptLibrary) -> SubAnswer:
    """Return what a model knows of a question; nothing, and why, where its reply cannot be used.

    Raises ModelErrors that have nothing to do with this question.
    """
    try:
        said = client.ask("answer", library["closed_book"].fill({"question": question}), replies.ClosedBook).answer
    except UNUSABLE as error:
        return SubAnswer(note=f"the answer could not be read: {error}")
    answer = " ".join(said.split())
    return SubAnswer((answer,), KNOWN) if any(c.isalnum() for c in answer) else SubAnswer()


def thought(
    question: str, thoughts: Sequence[str], evidence: Sequence[Evidence], client: ModelClient, library: PromptLibrary
) -> str:
    """Return the next sentence of the chain of thought; "" where it is done, or the reply cannot be used.

    Raises ModelErrors that have nothing to do with this question.
    """
    values = {"question": question, "thoughts": "\n".join(thoughts), "documents": wording.documents(evidence)}
    try:
        reply = client.ask("reason", library["chain_of_thought"].fill(values), replies.Thought)
    except UNUSABLE:
        return ""
    return "" if reply.done else " ".join(reply.sentence.split())
