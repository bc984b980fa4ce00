"""A chat model that plays a script: what an agent's model would say, without a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

Line = AIMessage | Callable[[list[BaseMessage]], AIMessage]


class ScriptedChat(BaseChatModel):
    """Says one line of its script at each turn; a line may depend on the messages so far. It keeps what it was sent."""

    script: list[Any]
    turns: list[list[BaseMessage]] = Field(default_factory=list)
    offered: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> ScriptedChat:  # type: ignore[override]
        self.offered[:] = tools
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        line: Line = self.script[len(self.turns)]
        self.turns.append(messages)
        said = line if isinstance(line, AIMessage) else line(messages)
        return ChatResult(generations=[ChatGeneration(message=said)])


def calling(name: str, **args: Any) -> AIMessage:
    """A turn in which the model calls a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call-{name}"}])
