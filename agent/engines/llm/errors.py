"""What can go wrong with a language model: each error is one plain sentence and says what to do next."""

from __future__ import annotations

from ....cubes.core.errors import MultiCubeError

__all__ = [
    "UNUSABLE",
    "AuthError",
    "BudgetExceededError",
    "ContextLengthError",
    "DeadlineError",
    "ModelError",
    "ModelTimeoutError",
    "QuotaError",
    "RateLimitError",
    "RefusalError",
    "RejectedError",
    "ReplyError",
    "TruncatedReplyError",
    "UnknownModelError",
    "UnreachableError",
]


class ModelError(MultiCubeError):
    """Root of what a language model or its endpoint can do wrong."""


class AuthError(ModelError):
    """The endpoint wants another key, or this key may not use the model."""


class UnknownModelError(ModelError):
    """The endpoint does not know the model, or the address is no endpoint."""


class QuotaError(ModelError):
    """The account behind the key has nothing left to spend."""


class RateLimitError(ModelError):
    """The endpoint asked to wait until patience ended."""

    retryable = True


class UnreachableError(ModelError):
    """The endpoint could not be reached, broke off, or failed by itself until patience ended."""

    retryable = True


class ModelTimeoutError(UnreachableError):
    """The endpoint did not answer in time until patience ended."""


class DeadlineError(ModelError):
    """The time that the question has is over."""


class RejectedError(ModelError):
    """The endpoint does not accept a request of this form."""


class ContextLengthError(ModelError):
    """The request is longer than the model can read; ``window`` is how many tokens it can, where that was said."""

    def __init__(self, message: str, window: int | None = None) -> None:
        super().__init__(message)
        self.window = window


class ReplyError(ModelError):
    """The reply cannot be used: it is empty, cut off, or not in the form asked for."""


class TruncatedReplyError(ReplyError):
    """The reply was cut off: the model wrote more than its prompt allows, or than it has room for."""


class RefusalError(ModelError):
    """The model declined to answer, or a content filter withheld the reply."""


class BudgetExceededError(ModelError):
    """A cap on requests, tokens or money would be exceeded; the request was not sent.

    ``cap`` names it ("requests", "tokens" or "cost_usd"), ``limit`` is its value and ``spent`` what was spent so far.
    """

    pauses = True

    def __init__(self, message: str, *, cap: str, limit: float, spent: float) -> None:
        super().__init__(message)
        self.cap, self.limit, self.spent = cap, limit, spent


UNUSABLE = (ReplyError, RefusalError, ContextLengthError, DeadlineError)
"""What is wrong with one reply, or with the time left for it, and nothing with the model."""
