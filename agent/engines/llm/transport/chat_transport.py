"""The way to a chat model through LangChain: one request out, one reply or one Failure back."""

from __future__ import annotations

import json
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from ..cost.cache import reply_key
from ..cost.usage import Tokens
from ..errors import ModelTimeoutError, RejectedError, UnreachableError
from .failures import RequestFailure, too_slow, understand
from .spec import ModelSpec
from .structured import Mode, ModelReply, ModelRequest

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.messages.tool import ToolCallChunk
    from langchain_openai.chat_models.base import BaseChatOpenAI

__all__ = ["ChatTransport", "transport_to"]

Show = Callable[[str], None]
THOUGHTS = 4_096
"""Tokens that a model gets besides those of its reply, once it has shown that it thinks before it writes."""
LETTERS = 8
"""Characters of a token at most, about: by these a reply is measured whose endpoint does not heed the bound."""
_Message = tuple[str, str | list[Any]]


class ChatTransport(Protocol):
    """A model that can be asked.

    ``room`` are the tokens that it gets for its thoughts, besides those of its reply; -1 says that no bound is sent.
    ``window`` is how many tokens it can read, where that is known.
    """

    endpoint: str
    model: str
    label: str
    settings: str
    room: int
    window: int | None

    def offers(self, mode: Mode) -> bool:
        """Whether it is worth asking this way."""
        ...

    def send(
        self, request: ModelRequest, show: Show | None = None, within: float | None = None
    ) -> tuple[ModelReply, Tokens | None]:
        """Send one request; returns the reply and the tokens, if they were reported. Raises Failure.

        A reply that is not whole ``within`` so many seconds is a failure, and the endpoint is told to stop.
        """
        ...

    def adapt(self, failure: RequestFailure) -> bool:
        """Leave out what the endpoint has just refused; False if there is nothing that can be left out."""
        ...


def transport_to(model: ModelSpec | BaseChatModel) -> ChatTransport:
    """Return the way to a model that was named, or to one that was handed in."""
    # An endpoint without enforced schemas is an ordinary case here, and no news to the person.
    warnings.filterwarnings("ignore", message="(This model does not support|Invalid schema for) OpenAI's struct")
    if isinstance(model, ModelSpec):
        return _OpenAITransport(model)
    from langchain_openai.chat_models.base import BaseChatOpenAI

    return (
        _OpenAITransport(_without_retries(model))
        if isinstance(model, BaseChatOpenAI)
        else _LangChainTransport(model)
    )


def _unknown(name: str) -> re.Pattern[str]:
    """What endpoints say of a setting that they do not know."""
    strange = "unsupported|unknown|unrecognized|unexpected|extra"
    return re.compile(rf"(?i)(?:{strange}).*\b{name}\b|\b{name}\b.*(?:{strange}|not (?:supported|permitted|allowed))")


_OPTIONAL = {
    "temperature": re.compile(r"temperature"),
    "stream_usage": re.compile(r"stream_options|include_usage"),
    "streamed": re.compile(r"\bstream(?:ed|ing)?\b", re.IGNORECASE),
    # Servers of one's own know the bound by its old name, OpenAI's newest models only by its new one.
    "max_tokens": _unknown("max_tokens"),
    "max_completion_tokens": _unknown("max_completion_tokens"),
}


class _OpenAITransport:
    """A model behind the OpenAI API."""

    def __init__(self, model: ModelSpec | BaseChatOpenAI) -> None:
        self._lock = threading.Lock()
        self._left_out: set[str] = set()
        self.room = 0
        self.window: int | None = None
        if isinstance(model, ModelSpec):
            self._spec: ModelSpec | None = model
            self._chat: BaseChatOpenAI | None = None
            self.endpoint, self.model, self.label = model.endpoint, model.name, model.label
            self.settings = reply_key(model.temperature, model.max_output)
        else:
            self._spec, self._chat = None, model
            self.endpoint = str(getattr(model.root_client, "base_url", "")).rstrip("/")
            self.model = model.model_name
            self.label = f"{self.endpoint}#{self.model}"
            self.settings = reply_key(_identity(model))

    def offers(self, mode: Mode) -> bool:  # noqa: ARG002 - only asking tells
        return True

    def send(
        self, request: ModelRequest, show: Show | None = None, within: float | None = None
    ) -> tuple[ModelReply, Tokens | None]:
        chat = self._connected()
        bound = self._bound(request)
        own = self._spec is not None and not self._spec.is_openai  # a server that people run themselves
        old_name = own and "max_tokens" not in self._left_out
        options = _beside(chat, _options(request) | ({"max_tokens": bound} if bound and old_name else {}))
        if bound and not old_name and "max_completion_tokens" not in self._left_out:
            options["max_tokens"] = bound  # the library gives it the name that the interface has
        if self._spec and self._spec.temperature is not None and "temperature" not in self._left_out:
            options["temperature"] = self._spec.temperature
        if within is not None:
            options["timeout"] = _timeout(min(within, self._spec.timeout_s) if self._spec else within)
        # Such a server stops when a stream is closed, and goes on writing for nobody where there is none.
        if (show is not None or own) and "streamed" not in self._left_out:
            return self._streamed(chat, request, options, show, within)
        reply, tokens = _read(_asked(lambda: chat.invoke(_messages(request), **options), self.label))
        if show is not None and reply.text:
            show(reply.text)
        return reply, tokens

    def _bound(self, request: ModelRequest) -> int:
        """The most tokens to ask for; 0 is no bound."""
        theirs = self._spec.max_output if self._spec is not None else cast("BaseChatOpenAI", self._chat).max_tokens
        ours = request.bound + self.room if request.bound and request.sent else 0
        return min(filter(None, (ours, theirs)), default=0)

    def adapt(self, failure: RequestFailure) -> bool:
        said = str(failure.error)
        for name, pattern in _OPTIONAL.items():
            with self._lock:
                if pattern.search(said) and name not in self._left_out:
                    self._left_out.add(name)
                    if name == "stream_usage" and self._chat is not None:
                        self._chat = self._chat.model_copy(update={"stream_usage": False})
                    return True
        return False

    def _streamed(
        self, chat: BaseChatOpenAI, request: ModelRequest, options: dict[str, Any], show: Show | None,
        within: float | None
    ) -> tuple[ModelReply, Tokens | None]:
        most = LETTERS * (request.bound + self.room) if request.bound else None
        stream = chat.stream(_messages(request), **options)
        message, seen = _gathered(stream, self.label, show or _unseen, most, within)
        if message is None:
            told = f"{self.label} sent nothing as a stream. Run the same command again."
            raise RequestFailure(RejectedError(told), reached=True)
        reply, tokens = _read(message)
        if not reply.finish and most is not None and len(seen) > most:
            return replace(reply, finish="length"), None
        if not reply.finish and request.form is None:  # closed in good order before the reply was whole
            told = f"{self.label} broke off in the middle of its reply. Run the same command again."
            raise RequestFailure(UnreachableError(told), reached=True, tokens=tokens, partial=seen)
        return reply, tokens

    def _connected(self) -> BaseChatOpenAI:
        with self._lock:
            if self._chat is None:
                self._chat = _built(cast(ModelSpec, self._spec), usage="stream_usage" not in self._left_out)
            return self._chat


class _LangChainTransport:
    """Any other chat model of LangChain, asked through what it offers itself."""

    def __init__(self, chat: BaseChatModel) -> None:
        self._chat = chat
        params = chat._get_ls_params()
        self.model = str(params.get("ls_model_name") or type(chat).__name__)
        self.endpoint = f"langchain:{params.get('ls_provider') or type(chat).__name__}"
        self.label = f"{type(chat).__name__} {self.model}"
        self.settings = reply_key(_identity(chat))
        self.room = -1
        self.window: int | None = None

    def offers(self, mode: Mode) -> bool:
        from langchain_core.language_models import BaseChatModel

        kind = type(self._chat)
        if mode == "schema_object":  # no method of LangChain's
            return False
        if mode == "tools":
            return kind.bind_tools is not BaseChatModel.bind_tools
        return mode == "text" or kind.with_structured_output is not BaseChatModel.with_structured_output

    def send(
        self, request: ModelRequest, show: Show | None = None, within: float | None = None
    ) -> tuple[ModelReply, Tokens | None]:
        messages = _messages(request)
        if show is not None:
            message, _ = _gathered(self._chat.stream(messages), self.label, show, None, within)
            if message is None:
                told = f"{self.label} sent nothing. Run the same command again."
                raise RequestFailure(UnreachableError(told), reached=True)
            return _read(message)
        return _read(_asked(lambda: self._typed(request, messages), self.label))

    def adapt(self, failure: RequestFailure) -> bool:  # noqa: ARG002 - its settings are whoever made it
        return False

    def _typed(self, request: ModelRequest, messages: list[_Message]) -> AIMessage:
        form = request.form
        if form is None or request.mode in (None, "text"):
            return self._chat.invoke(messages)
        if request.mode == "tools":
            return self._chat.bind_tools([form.tool], tool_choice=form.name).invoke(messages)
        try:
            asked = self._chat.with_structured_output(form.schema, method=request.mode, include_raw=True)
        except (TypeError, ValueError) as error:
            raise NotImplementedError(str(error)) from error
        return cast("AIMessage", cast(dict[str, Any], asked.invoke(messages))["raw"])


def _options(request: ModelRequest) -> dict[str, Any]:
    """What is sent besides the messages to get the form."""
    form = request.form
    if form is None or request.mode in (None, "text"):
        return {}
    if request.mode == "json_schema":
        return {"response_format": form.response_format}
    if request.mode == "schema_object":
        return {"response_format": form.schema_object}
    if request.mode == "json_mode":
        return {"response_format": {"type": "json_object"}}
    return {"tools": [form.tool], "tool_choice": {"type": "function", "function": {"name": form.name}}}


def _beside(chat: BaseChatOpenAI, options: dict[str, Any]) -> dict[str, Any]:
    """Hand the form through as it is: the library would go over it piece by piece, which takes longer than the rest.

    Only where it has to translate the request for OpenAI's other interface does it get it in its own hands.
    """
    if not options or chat.use_responses_api:
        return options
    return {"extra_body": {**(chat.extra_body or {}), **options}}


def _messages(request: ModelRequest) -> list[_Message]:
    names = {"user": "human", "assistant": "ai"}
    messages: list[_Message] = []
    images: list[dict[str, Any]] = []
    for role, text in request.messages:
        if role == "image":
            images.append({"type": "image_url", "image_url": {"url": text}})
        elif images:
            messages.append((names.get(role, role), [{"type": "text", "text": text}, *images]))
            images = []
        else:
            messages.append((names.get(role, role), text))
    return messages


def _asked(ask: Callable[[], AIMessage], label: str) -> AIMessage:
    try:
        return ask()
    except Exception as error:
        raise understand(error, label) from error


def _unseen(piece: str) -> None:
    """Nobody watches."""


def _timeout(seconds: float) -> Any:
    from openai import Timeout

    return Timeout(seconds, connect=min(10.0, seconds))


def _gathered(
    stream: Iterator[Any], label: str, show: Show, most: int | None, within: float | None
) -> tuple[AIMessage | None, str]:
    """Put a stream together, showing each piece; what fails in showing is the caller's own affair.

    It is closed after ``most`` characters, and where it is not whole ``within`` so many seconds (then it is a Failure).
    """
    whole, seen = None, ""
    until = None if within is None else time.monotonic() + within
    with closing(cast(Any, stream)):
        while True:
            try:
                chunk = next(stream)
            except StopIteration:
                break
            except Exception as error:
                if whole is None and isinstance(error, ValueError):  # the library's word for an empty stream
                    break
                failure = understand(error, label)
                failure.partial = seen
                raise failure from error
            whole = chunk if whole is None else whole + chunk
            if piece := str(chunk.text):
                seen += piece
                show(piece)
            else:
                seen += "".join(call["args"] or "" for call in _calls(chunk))
            if until is not None and time.monotonic() > until:
                raise RequestFailure(ModelTimeoutError(too_slow(label)), reached=True, partial=seen)
            if most is not None and len(seen) > most:
                break
    return whole, seen


def _calls(message: AIMessage) -> list[ToolCallChunk]:
    return list(getattr(message, "tool_call_chunks", ()))


def _read(message: AIMessage) -> tuple[ModelReply, Tokens | None]:
    about = message.response_metadata
    text = str(message.text)
    fields = None
    if pieces := _calls(message):
        # The library mends what is broken off, and a list that was cut would pass for a whole one.
        text = pieces[0]["args"] or ""
        fields = _decoded(text)
    elif message.tool_calls:
        fields = dict(message.tool_calls[0]["args"])
    elif message.invalid_tool_calls:
        text = message.invalid_tool_calls[0]["args"] or ""
    finish = about.get("finish_reason") or about.get("stop_reason") or about.get("done_reason") or ""
    refusal = str(message.additional_kwargs.get("refusal") or "")
    return ModelReply(text, fields, str(finish), refusal), _tokens(message)


def _decoded(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _tokens(message: AIMessage) -> Tokens | None:
    usage = message.usage_metadata
    if not usage or not usage["input_tokens"]:  # servers that do not count say nothing, or 0
        return None
    read = (usage.get("input_token_details") or {}).get("cache_read") or 0
    return Tokens(usage["input_tokens"], usage["output_tokens"], int(read))


def _built(spec: ModelSpec, *, usage: bool) -> BaseChatOpenAI:
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    class Chat(ChatOpenAI):
        """Does not lose a refusal that comes as a stream."""

        def _convert_chunk_to_generation_chunk(self, chunk: dict[str, Any], *others: Any) -> Any:
            made = super()._convert_chunk_to_generation_chunk(chunk, *others)
            choice = (chunk.get("choices") or [{}])[0]
            if made is not None and (refused := (choice.get("delta") or {}).get("refusal")):
                made.message.additional_kwargs["refusal"] = refused
            return made

    return Chat(
        model=spec.name,
        base_url=spec.endpoint,  # said outright: neither the library's environment nor a gateway decides where it goes
        api_key=SecretStr(spec.bearer()),
        timeout=_timeout(spec.timeout_s),
        max_retries=0,
        stream_usage=usage,
        use_responses_api=False if not spec.is_openai else None,
    )


def _without_retries(chat: BaseChatOpenAI) -> BaseChatOpenAI:
    """Return the same model without tries of its own, so that a request is tried again in one place only."""
    if chat.root_client is None:
        return chat
    root = chat.root_client.with_options(max_retries=0)
    return chat.model_copy(update={"root_client": root, "client": root.chat.completions, "max_retries": 0})


def _identity(chat: BaseChatModel) -> str:
    return repr(sorted((name, repr(value)) for name, value in dict(chat._identifying_params).items()))
