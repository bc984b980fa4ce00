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
    BusyError,
    CapError,
    ContextLengthError,
    CutError,
    DeadlineError,
    ModelError,
    QuotaError,
    RefusalError,
    RejectedError,
    ReplyError,
    SlowError,
    UnknownModelError,
    UnreachableError,
)
from .transport.rate import Limiter
from .transport.retries import Retry
from .transport.spec import Models, ModelSpec
from .transport.structured import Mode, ModeMemory
from .transport.telemetry import traced_to

__all__ = [
    "AuthError",
    "BusyError",
    "Call",
    "CapError",
    "Caps",
    "ContextLengthError",
    "CutError",
    "DeadlineError",
    "Ledger",
    "Limiter",
    "Mode",
    "ModeMemory",
    "ModelClient",
    "ModelError",
    "ModelSpec",
    "Models",
    "Preflight",
    "Price",
    "Prices",
    "QuotaError",
    "RefusalError",
    "RejectedError",
    "ReplyCache",
    "ReplyError",
    "Retry",
    "SlowError",
    "Spending",
    "Tokens",
    "UnknownModelError",
    "UnreachableError",
    "traced_to",
]
