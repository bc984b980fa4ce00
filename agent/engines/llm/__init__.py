"""The language model as a careful client: any OpenAI-compatible endpoint, or any chat model of LangChain.

`client.ModelClient` asks; `spec.ModelSpec` says what; `usage.Ledger` counts; `limits.Caps` bounds. Nothing heavy is
loaded until a model is used.
"""

from .client import ModelClient, Preflight
from .cost.cache import ReplyCache
from .cost.limits import Caps
from .cost.prices import Price, Prices
from .cost.usage import Call, Ledger, Spending, Tokens
from .errors import (
    AuthError,
    BudgetExceededError,
    ContextLengthError,
    DeadlineError,
    ModelError,
    ModelTimeoutError,
    QuotaError,
    RateLimitError,
    RefusalError,
    RejectedError,
    ReplyError,
    TruncatedReplyError,
    UnknownModelError,
    UnreachableError,
)
from .transport.rate import Limiter
from .transport.retries import Retry
from .transport.spec import ModelRoles, ModelSpec
from .transport.structured import Mode, ModeMemory
from .transport.telemetry import traced_to

__all__ = [
    "AuthError",
    "BudgetExceededError",
    "Call",
    "Caps",
    "ContextLengthError",
    "DeadlineError",
    "Ledger",
    "Limiter",
    "Mode",
    "ModeMemory",
    "ModelClient",
    "ModelError",
    "ModelRoles",
    "ModelSpec",
    "ModelTimeoutError",
    "Preflight",
    "Price",
    "Prices",
    "QuotaError",
    "RateLimitError",
    "RefusalError",
    "RejectedError",
    "ReplyCache",
    "ReplyError",
    "Retry",
    "Spending",
    "Tokens",
    "TruncatedReplyError",
    "UnknownModelError",
    "UnreachableError",
    "traced_to",
]
