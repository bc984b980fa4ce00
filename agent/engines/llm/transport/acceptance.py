"""Whether a reply can be used, and what is wrong with one that cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..errors import ModelError, RefusalError, TruncatedReplyError
from .failures import TRUNCATED
from .forms import SchemaMismatchError, without_thoughts
from .structured import ModelReply, ModelRequest

__all__ = ["InvalidReplyError", "UnfinishedThoughtError", "accepted", "plain"]

V = TypeVar("V")

_CUT = {"length", "max_tokens", "MAX_TOKENS", "model_length"}
_WITHHELD = {"content_filter", "refusal", "SAFETY", "guardrail_intervened"}


class InvalidReplyError(ModelError):
    """A reply that one more try may mend: what it said and what is wrong with it."""

    def __init__(self, said: str, problem: str) -> None:
        super().__init__(problem)
        self.said, self.problem = said, problem


class UnfinishedThoughtError(ModelError):
    """A reply that was cut off before its first word: the model was still thinking."""


def accepted(reply: ModelReply, asked: ModelRequest, use: Callable[[ModelReply], V], *, stage: str, label: str) -> V:
    """Return what ``use`` makes of a reply.

    Raises RefusalError, TruncatedReplyError, UnfinishedThoughtError, or InvalidReplyError where one more try may mend
    it.
    """
    if reply.refusal or reply.finish in _WITHHELD:
        raise RefusalError(f"{label} declined to answer for '{stage}'. Ask in another way, or use another model.")
    is_cut = reply.finish in _CUT
    cut = TruncatedReplyError(f"{label} was cut off in its reply for '{stage}'. {TRUNCATED}")
    if is_cut and _thinks(reply):
        raise UnfinishedThoughtError(str(cut))
    if is_cut and asked.form is None:
        raise cut
    try:
        return use(reply)
    except SchemaMismatchError as error:
        if is_cut:  # asked again, it would be as long
            raise cut from None
        raise InvalidReplyError(reply.said, str(error)) from None


def plain(reply: ModelReply) -> str:
    """Return a reply in words; raises SchemaMismatchError where there are none."""
    text = without_thoughts(reply.said)
    if not text:
        raise SchemaMismatchError("it is empty")
    return text


def _thinks(reply: ModelReply) -> bool:
    """Whether nothing but thoughts came: they stand before the reply, or are not shown at all."""
    return not reply.said or without_thoughts(reply.said).startswith("<think")
