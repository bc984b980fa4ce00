"""The part of OpenAI's API that chat front ends need: the models there are, and chat completions.

The one model is the knowledge base. The messages are the conversation; its last question is answered. While hops are
found, a stream tells them as ``reasoning_content``, which front ends show as thinking.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from ....graphs.records import AnswerForm, Citation, Quote, Run
from ...app.factory import check_question
from ...engines.turns import Turn
from ...runs.events import Event
from ...runs.store import new_run_id
from ...views.styles import LEAD_IN
from ...views.terminal import answer as answer_lines
from ..bounds import Identifier, Text
from ..errors import error_body, logged
from ..logs import RUN
from ..responses import answered, finished
from ..run_threads import Make, Step
from ..service import Served, Service
from ..sse import KEEP_ALIVE, EventStream, data

__all__ = ["MODEL", "router"]

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"])

MODEL = "multicube"
_CITED = re.compile(r"\n\n(?:\[1\] |Confidence: \S)")
"""Where our own answers go over into their citations, or into how sure they are."""
_MOST_MESSAGES = 1_000
_OURS = {"form", "quote", "confidence", "citations", "closest"}
"""What a reply tells of a run besides what OpenAI's API has a place for."""


class ContentPart(BaseModel):
    """A piece of a message; only texts are read."""

    model_config = ConfigDict(extra="ignore")

    type: Text
    text: Text = ""


class Message(BaseModel):
    """A message of the conversation; those of users and assistants are read."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Text | list[ContentPart] | None = None

    @property
    def text(self) -> str:
        """The text of the message."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """``include_usage`` adds a last chunk with what was spent."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class CompletionRequest(BaseModel):
    """A request for a completion. What steers sampling means nothing here and is not read."""

    model_config = ConfigDict(extra="ignore")

    model: Annotated[Text, Field(examples=[MODEL])]
    messages: Annotated[list[Message], Field(min_length=1, max_length=_MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: Annotated[int, Field(ge=1, le=1)] | None = None


class Model(BaseModel):
    """A model that can be asked."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str = "multicube"


class ModelList(BaseModel):
    """The models that can be asked: one."""

    object: Literal["list"] = "list"
    data: list[Model]


class AssistantMessage(BaseModel):
    """What the assistant says: the answer, and its citations as numbered lines."""

    role: Literal["assistant"] = "assistant"
    content: str
    refusal: str | None = None


class Choice(BaseModel):
    """The one choice."""

    index: int = 0
    message: AssistantMessage
    finish_reason: Literal["stop"] = "stop"
    logprobs: None = None


class TokenUsage(BaseModel):
    """What language models read and wrote for the answer; nothing with the embedded engine."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletion(BaseModel):
    """A completion; what follows ``usage`` is ours: GET /runs/{run} tells how the answer was reached.

    ``quote`` is the text around the answer, ``closest`` are passages near to a question without one, ``confidence`` is
    the probability that the answer is right.
    """

    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str = MODEL
    choices: list[Choice]
    usage: TokenUsage
    run: str
    form: AnswerForm
    quote: Quote | None
    confidence: float
    citations: tuple[Citation, ...]
    closest: tuple[Quote, ...]


_COMPLETION: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The completion; with `stream` its chunks as server-sent events.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.get("/models")
def list_models() -> ModelList:
    """List the models that can be asked."""
    return ModelList(data=[_model()])


@router.get("/models/{model}")
def read_model(model: Identifier) -> Model:
    """Return one model."""
    _check_model(model)
    return _model()


def _model() -> Model:
    return Model(id=MODEL, created=0)


def _check_model(model: str) -> None:
    if model != MODEL:
        raise HTTPException(404, f"There is no model '{model[:100]}'; the one that answers here is '{MODEL}'.")


@router.post("/chat/completions", response_model=ChatCompletion, responses=_COMPLETION)
async def complete(asked: CompletionRequest, request: Request, served: Served) -> Response:
    """Answer the last question of a conversation, with citations."""
    _check_model(asked.model)
    question, turns = _read(asked.messages)
    check_question(question)
    run_id, created = new_run_id(), int(time.time())
    RUN.set(run_id)
    request.state.question = question

    def make() -> Iterator[Step]:
        return answered(served, question, turns, run_id=run_id)

    served.asks.check(run_id)
    if asked.stream:
        usage = asked.stream_options is not None and asked.stream_options.include_usage
        return EventStream(_chunks(served, run_id, make, created, usage=usage))
    run = await finished(request, served, run_id, make)
    completion = ChatCompletion(
        id=_name(run_id), created=created, choices=[Choice(message=AssistantMessage(content=_said(run)))],
        usage=_tokens(run),
        run=run.id, form=run.form, quote=run.quote, confidence=run.confidence, citations=run.citations,
        closest=run.closest,
    )  # fmt: skip
    return Response(completion.model_dump_json(), media_type="application/json")


def _read(messages: list[Message]) -> tuple[str, list[Turn]]:
    """Return the last question, and the turns before it; raises 400 where the last message is no user's."""
    spoken = [message for message in messages if message.role in ("user", "assistant")]
    if not spoken or spoken[-1].role != "user":
        raise HTTPException(400, "The last message must be the user's: it is the question.")
    turns: list[Turn] = []
    question = ""
    for message in spoken[:-1]:
        if message.role == "user":
            question = message.text
        elif question:
            turns.append(Turn(question, _answer_in(message.text)))
            question = ""
    return spoken[-1].text, turns


def _answer_in(reply: str) -> str:
    """Return the answer in a reply of ours: its first paragraph, or the whole of a quotation."""
    told = _CITED.split(reply)[0]
    return told.removeprefix(LEAD_IN).strip() if told.startswith(LEAD_IN) else told.partition("\n\n")[0]


def _said(run: Run) -> str:
    """Return the answer with its citations as numbered lines, or why there is none."""
    return "\n".join(line.plain for line in answer_lines(run))


def _tokens(run: Run) -> TokenUsage:
    read, written = run.usage.input_tokens, run.usage.output_tokens
    return TokenUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)


def _name(run_id: str) -> str:
    return f"chatcmpl-{run_id}"


async def _chunks(
    served: Service, run_id: str, make: Make, created: int, *, usage: bool
) -> AsyncGenerator[bytes]:
    """Yield a completion's chunks: the hops as they are found, then the answer."""
    head = {"id": _name(run_id), "object": "chat.completion.chunk", "created": created, "model": MODEL}

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return data({**head, "choices": [choice], **({"usage": None} if usage else {}), **more})

    try:
        yield chunk({"role": "assistant", "content": ""})
        async with aclosing(served.asks.follow(run_id, make)) as steps:
            async for step in steps:
                if step is None:
                    yield KEEP_ALIVE
                elif isinstance(step, Event) and step.record is not None:
                    said = f"{step.subquery} → {step.record.answer or 'not found'}\n"
                    yield chunk({"reasoning_content": said})
                elif isinstance(step, Event) and step.run is not None:
                    yield chunk({"content": _said(step.run)})
                    yield chunk({}, "stop", run=run_id, **step.run.model_dump(mode="json", include=_OURS))
                    if usage:
                        yield data({**head, "choices": [], "usage": _tokens(step.run).model_dump()})
    except Exception as error:
        yield data(error_body("/v1/", 500, logged(f"run {run_id}", error)))
    yield b"data: [DONE]\n\n"
