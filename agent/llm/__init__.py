"""The language model as a careful client: any OpenAI-compatible endpoint, or any chat model of LangChain.

`client.ModelClient` asks; `spec.ModelSpec` says what; `usage.Ledger` counts; `limits.Caps` bounds. Nothing heavy is
loaded until a model is used.
"""

from .cache import ReplyCache
from .client import ModelClient, Preflight
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
from .limits import Caps
from .pacing import Limiter
from .pricing import Price, Prices
from .retrying import Retry
from .spec import Models, ModelSpec
from .structured import Mode, ModeMemory
from .telemetry import traced_to
from .usage import Call, Ledger, Spending, Tokens

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
