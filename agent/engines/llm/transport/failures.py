"""What an exception of a client library means: one of our errors, whether to wait, and what it may have cost.

Libraries of all vendors come here, so that what counts is an HTTP status, the endpoint's own code, and its wording.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from ..cost.usage import Tokens
from ..errors import (
    AuthError,
    ContextLengthError,
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

__all__ = ["TRUNCATED", "RequestFailure", "refuses_bound", "too_slow", "understand"]

TRUNCATED = "Let the model write more (max_tokens in the prompt's file, or the server's limit), or give it less text."

_WINDOW = re.compile(r"context[ _-]?(?:length|window|size)\D{0,40}?(\d[\d,]{1,8})", re.IGNORECASE)
_CONTEXT_CODES = {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"}
_CONTEXT = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum (?:input|prompt) (?:length|tokens)"
    r"|(?:prompt|input|request) is too long|too many (?:input )?tokens|input tokens? (?:count )?exceeds?"
    r"|exceeds? the (?:maximum|limit).{0,40}tokens|reduce the length of (?:the|your)",
    re.IGNORECASE,
)
_BOUND = re.compile(r"max_(?:completion_|new_|output_)?tokens|in the completion|completion tokens", re.IGNORECASE)
_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|funds|credit)|exceeded your current quota|billing", re.IGNORECASE
)
_FEATURE = re.compile(
    r"response_format|json[_ ]?(?:schema|mode|object)|structured output|guided|grammar|tool_"
    r"|\btools?\b|function[_ ]call|--jinja",
    re.IGNORECASE,
)
_MODEL = re.compile(r"model", re.IGNORECASE)
_FILTER = re.compile(r"content[_ ](?:filter|policy|management)|responsible ai|safety system", re.IGNORECASE)
_PAGE = re.compile(r"<(?:!doctype|html|body|head)\b", re.IGNORECASE)
_KEY = re.compile(r"\b(?:sk|pk|key|lsv2)[-_][\w*.-]{6,}")


@dataclass(eq=False)
class RequestFailure(Exception):  # noqa: N818 - it never reaches a person; its ``error`` does
    """A request that failed.

    ``retry_after`` is the wait that the endpoint asked for; ``tokens`` what it reported to have used; ``reached``
    says that the model may have worked on the request, so that it may be billed; ``partial`` is what came of its reply.
    ``seconds`` is how long it took to fail; ``absent`` says that nobody was there to take it.
    """

    error: ModelError
    cause: BaseException | None = None
    retry_after: float | None = None
    tokens: Tokens | None = None
    reached: bool = False
    partial: str = ""
    seconds: float = 0.0
    absent: bool = False

    def final(self, tries: int, seconds: float) -> ModelError:
        """Return the error for the person, with how long it was tried."""
        if tries > 1 and self.error.args:
            said = str(self.error.args[0])
            self.error.args = (f"{said} Tried {tries} times in {seconds:.0f} s.",)
        return self.error


def refuses_bound(said: str) -> bool:
    """Whether an endpoint's refusal is about how much it may write, besides what it is to read."""
    return _BOUND.search(said) is not None


def understand(error: Exception, where: str, now: Callable[[], float] = time.time) -> RequestFailure:
    """Return what an exception means; ``where`` is how the model is called in messages."""
    status, said = _status(error), _said(error)
    if (finished := _finished(error)) is not None:
        return RequestFailure(_of_finish(finished, where), error, tokens=_reported(error), reached=True)
    if status is None:
        return _without_status(error, said, where)
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    return RequestFailure(_of_status(status, _code(error), said, where), error, retry_after=_retry_after(headers, now))


def _of_status(status: int, code: str, said: str, where: str) -> ModelError:
    told = f"{where} answered {status}{f' ({said})' if said else ''}."
    if code in _CONTEXT_CODES or (status in (400, 413, 422, 500) and _CONTEXT.search(said)):
        words = f"{told} The request is longer than the model can read: give it less text at once."
        return ContextLengthError(words, _window(said))
    if status == 402 or (status in (403, 429) and (_QUOTA.search(code) or _QUOTA.search(said))):
        return QuotaError(f"{told} The account has nothing left to spend: add credit, then run the same command again.")
    if status in (401, 403):
        return AuthError(f"{told} Set OPENAI_API_KEY (other endpoints: MULTICUBE_API_KEY) to a key that may use it.")
    if status == 400 and (_FILTER.search(code) or _FILTER.search(said)):
        return RefusalError(f"{told} Its content filter does not let this text pass; ask another way or another model.")
    if status in (400, 405, 415, 422, 501) or (status in (404, 500) and _FEATURE.search(said)):
        return RejectedError(f"{told} It does not take this kind of request; `multicube doctor` tells what it can do.")
    if status in (404, 410):
        missing = "Check the model's name" if _MODEL.search(said) else "Check the address (it usually ends in /v1)"
        return UnknownModelError(f"{told} {missing}; `multicube doctor` asks the endpoint.")
    if status == 429:
        return RateLimitError(
            f"{told} It has more requests than it takes: wait a while, then run the same command again."
        )
    if status == 408 or status == 409 or status >= 500:
        return UnreachableError(f"{told} The fault is the endpoint's: run the same command again later.")
    return ModelError(f"{told} `multicube doctor` asks the endpoint what is wrong.")


def _window(said: str) -> int | None:
    """How many tokens a model can read, in the words of an endpoint that refuses more."""
    found = _WINDOW.search(said)
    return int(found[1].replace(",", "")) if found else None


def _without_status(error: Exception, said: str, where: str) -> RequestFailure:
    names = {kind.__name__ for link in _chain(error) for kind in type(link).__mro__}
    if "ContextOverflowError" in names or ("APIError" in names and _CONTEXT.search(said)):
        told = f"{where} says: {said}. The request is longer than the model can read: give it less text at once."
        return RequestFailure(ContextLengthError(told, _window(said)), error)
    if names & _NOT_CONNECTED:
        told = f"{where} cannot be reached ({_said(_root(error))}). Check that it runs and that the address is right."
        return RequestFailure(UnreachableError(told), error, absent=True)
    if names & _TIMED_OUT:
        return RequestFailure(ModelTimeoutError(too_slow(where)), error, reached=True)
    if names & _BROKEN_OFF:
        told = f"{where} broke off in the middle of its reply ({_said(_root(error))}). Run the same command again."
        return RequestFailure(UnreachableError(told), error, reached=True)
    if isinstance(error, NotImplementedError):
        return RequestFailure(RejectedError(f"{where} does not offer this kind of request ({said})."), error)
    if isinstance(error, (ValueError, TypeError, KeyError, AttributeError, IndexError)):
        told = f"{where} answered something that is no chat completion ({said}). Check its address: most end in /v1."
        return RequestFailure(ReplyError(told), error, reached=True)
    told = f"{where} failed ({type(error).__name__}: {said}). `multicube doctor` may say more."
    return RequestFailure(ModelError(told), error)


def too_slow(where: str) -> str:
    """Say that a reply did not come in time."""
    return f"{where} did not answer in time. Try again later, or give it longer (ask: --deadline)."


_NOT_CONNECTED = {"ConnectError", "ConnectTimeout", "ProxyError", "ConnectionRefusedError", "gaierror"}
_TIMED_OUT = {"TimeoutException", "APITimeoutError", "ModelTimeoutError", "TimeoutError"}
_BROKEN_OFF = {"TransportError", "APIError", "ModelConnectionError", "ConnectionError", "ModelAPIError"}


def _of_finish(reason: str, where: str) -> ModelError:
    if reason == "length":
        return TruncatedReplyError(
            f"{where} was cut off in the middle of its reply: {TRUNCATED[0].lower()}{TRUNCATED[1:]}"
        )
    return RefusalError(f"{where} withheld its reply (content filter); ask another way or another model.")


def _finished(error: Exception) -> str | None:
    """Why a completion ended, where the library makes an exception of it."""
    name = type(error).__name__
    return {"LengthFinishReasonError": "length", "ContentFilterFinishReasonError": "content_filter"}.get(name)


def _reported(error: Exception) -> Tokens | None:
    usage = getattr(getattr(error, "completion", None), "usage", None)
    if usage is None:
        return None
    return Tokens(int(getattr(usage, "prompt_tokens", 0) or 0), int(getattr(usage, "completion_tokens", 0) or 0))


def _chain(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    for _ in range(10):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _root(error: BaseException) -> BaseException:
    return [link for link in _chain(error) if str(link).strip()][-1]


def _status(error: Exception) -> int | None:
    """The HTTP status, from the exception, its response, or an error that came as the body of a success."""
    body = _body(error)
    for found in (getattr(error, "status_code", None), getattr(getattr(error, "response", None), "status_code", None)):
        if isinstance(found, int) and found >= 400:
            return found
    code = str(body.get("code") or body.get("status") or "")
    if code.isdigit() and 400 <= int(code) < 600:
        return int(code)
    return _MEANT.get(str(body.get("code") or "")) or _MEANT.get(str(body.get("type") or ""))


_MEANT = {
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "overloaded_error": 503,
    "server_error": 500,
    "internal_server_error": 500,
    "context_length_exceeded": 400,
    "invalid_request_error": 400,
    "invalid_api_key": 401,
    "model_not_found": 404,
}


def _body(error: BaseException) -> Mapping[str, Any]:
    for found in (getattr(error, "body", None), error.args[0] if error.args else None):
        if isinstance(found, Mapping):
            inner = found.get("error")
            return inner if isinstance(inner, Mapping) else found
    return {}


def _code(error: Exception) -> str:
    body = _body(error)
    return str(getattr(error, "code", None) or body.get("code") or body.get("type") or "")


def _said(error: BaseException) -> str:
    """What the endpoint or the library said, in one line, without keys."""
    body = _body(error)
    said = str(body.get("message") or body.get("detail") or getattr(error, "message", "") or error)
    if _PAGE.search(said):
        return "a web page"
    said = _KEY.sub("(key)", " ".join(said.split()))
    return (said if len(said) <= 200 else f"{said[:199]}…").rstrip(".! ")


def _retry_after(headers: Mapping[str, str], now: Callable[[], float]) -> float | None:
    """The seconds to wait that the headers ask for, as a number or as a date."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after")
        if not value:
            return None
        if value.strip().replace(".", "", 1).isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - now())
    except (ValueError, TypeError, OverflowError):
        return None
