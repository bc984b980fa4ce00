"""What can go wrong with an endpoint, one fault per request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from .request import ModelRequest

__all__ = ["Fault", "error_body"]

Kind = Literal[
    "status",
    "hang",
    "stall",
    "rambling",
    "reset",
    "empty",
    "truncated",
    "wrong_schema",
    "prose",
    "fenced",
    "not_json",
    "refusal",
    "filtered",
    "language",
]


@dataclass(frozen=True)
class Fault:
    """One fault; made by the methods named after it.

    ``where`` chooses the requests that it may befall (all, if None).
    """

    kind: Kind
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | str = ""
    where: Callable[[ModelRequest], bool] | None = None

    @property
    def name(self) -> str:
        return f"{self.kind} {self.status}" if self.status else self.kind

    def befalls(self, request: ModelRequest) -> bool:
        return self.where is None or self.where(request)

    def at(self, where: Callable[[ModelRequest], bool]) -> Fault:
        """Return the same fault for the requests that ``where`` chooses."""
        return Fault(self.kind, self.status, self.headers, self.body, where)

    @classmethod
    def of_status(cls, status: int, *, retry_after: float | str | None = None) -> Self:
        """Refuse with an HTTP status, worded as the service does; a 429 may name the seconds (or date) to wait."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        return cls("status", status, headers, _STATUS_BODIES.get(status, f"<html><body>{status}</body></html>"))

    @classmethod
    def quota(cls) -> Self:
        """Refuse with a 429 that waiting does not mend: the account is out of money."""
        said = "You exceeded your current quota, please check your plan and billing details."
        return cls("status", 429, {}, error_body(said, "insufficient_quota", "insufficient_quota"))

    @classmethod
    def context_length(cls, limit: int = 8192, asked: int = 9731) -> Self:
        """Refuse a prompt that is longer than the model can read."""
        said = (
            f"This model's maximum context length is {limit} tokens. "
            f"However, your messages resulted in {asked} tokens. Please reduce the length of the messages."
        )
        body = error_body(said, code="context_length_exceeded", param="messages")
        return cls("status", 400, {}, body)

    @classmethod
    def hang(cls) -> Self:
        """Never answer; ends when the server closes."""
        return cls("hang")

    @classmethod
    def stall(cls) -> Self:
        """Begin the reply and say nothing more; ends when the client leaves, or the server closes."""
        return cls("stall")

    @classmethod
    def rambling(cls) -> Self:
        """Go on and on in the middle of the reply, until the limit of output tokens."""
        return cls("rambling")

    @classmethod
    def reset(cls) -> Self:
        """Begin the reply and drop the connection in its middle."""
        return cls("reset")

    @classmethod
    def empty(cls) -> Self:
        """Reply with nothing."""
        return cls("empty")

    @classmethod
    def truncated(cls) -> Self:
        """Cut the reply in its middle, as at a limit of output tokens."""
        return cls("truncated")

    @classmethod
    def wrong_schema(cls) -> Self:
        """Reply with JSON of another form."""
        return cls("wrong_schema")

    @classmethod
    def prose(cls) -> Self:
        """Put friendly sentences around the reply."""
        return cls("prose")

    @classmethod
    def fenced(cls) -> Self:
        """Put the reply into a Markdown code block."""
        return cls("fenced")

    @classmethod
    def not_json(cls) -> Self:
        """Reply in sentences where JSON was asked for."""
        return cls("not_json")

    @classmethod
    def refusal(cls) -> Self:
        """Refuse, in the field that structured replies have for it, else in words."""
        return cls("refusal")

    @classmethod
    def filtered(cls) -> Self:
        """Stop for the content filter."""
        return cls("filtered")

    @classmethod
    def language(cls) -> Self:
        """Reply in another language."""
        return cls("language")

    def spoil(self, text: str) -> str:
        """Return the reply's text as this fault leaves it."""
        match self.kind:
            case "empty" | "filtered":
                return ""
            case "truncated":
                return text[: max(1, len(text) // 2)]
            case "rambling":
                return text[: max(1, len(text) // 2)] + " and so on" * 5_000
            case "wrong_schema":
                return json.dumps({"result": {"value": text[:20]}, "confidence": "high"})
            case "prose":
                return f"Sure! Here is what you asked for:\n\n{text}\n\nLet me know if you need anything else."
            case "fenced":
                return f"```json\n{text}\n```"
            case "not_json" | "refusal":
                return "I'm sorry, but I can't assist with that request."
            case "language":
                return "Das kann ich anhand der vorliegenden Dokumente leider nicht beantworten."
            case _:
                return text


def error_body(
    message: str, kind: str = "invalid_request_error", code: str | None = None, param: str | None = None
) -> dict[str, Any]:
    """The body of an error, as the service words it."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


_STATUS_BODIES: dict[int, Any] = {
    401: error_body(
        "Incorrect API key provided: wrong. You can find your API key at https://platform.openai.com/account/api-keys.",
        code="invalid_api_key",
    ),
    403: error_body("Your account may not use this model.", code="unsupported_country_region_territory"),
    404: error_body("The model `missing` does not exist or you do not have access to it.", code="model_not_found"),
    429: error_body("Rate limit reached for requests. Please try again.", "requests", "rate_limit_exceeded"),
    500: error_body("The server had an error while processing your request. Sorry about that!", "server_error"),
}
