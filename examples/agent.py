"""An agent of LangChain (`create_agent`) that answers with the documents: the knowledge base is one of its tools.

Run: ``python examples/agent.py [KB]``; without a knowledge base it builds one from the bundled sample. The model here
plays a script, so that no key is needed; LangChain itself is (``pip install langchain``). A real one takes its place
like this:
``main(kb, model=init_chat_model("openai:gpt-4o-mini"))``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import multicube
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from multicube import MultiCube

SAMPLE = Path(multicube.__file__).parent / "evals" / "sample" / "corpus.jsonl"
QUESTION = "Where was the director of the film The Salt Lantern born?"


class Scripted(BaseChatModel):
    """Stands in for a model: passes the question to the tool that it is offered, then repeats what the tool said."""

    tool: str = ""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> BaseChatModel:
        return Scripted(tool=tools[0].name)

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        last = messages[-1]
        if last.type == "tool":
            said = AIMessage(f"According to the documents: {last.text}")
        else:
            call = {"name": self.tool, "args": {"question": last.text}, "id": "1"}
            said = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=said)])


def main(kb: MultiCube, question: str = QUESTION, model: BaseChatModel | None = None) -> str:
    """Let the agent answer one question, and return what it says."""
    agent = create_agent(model or Scripted(), tools=[kb.as_tool()])
    messages = agent.invoke({"messages": [("user", question)]})["messages"]
    run = next(message.artifact for message in messages if message.type == "tool")  # the whole run, hop by hop
    print(messages[-1].text)
    print("hops:", " -> ".join(hop.answer or "?" for hop in run.hops))
    return str(messages[-1].text)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with MultiCube.open(sys.argv[1]) as opened:
            main(opened)
    else:
        with tempfile.TemporaryDirectory() as folder, MultiCube.build([SAMPLE], Path(folder) / "kb") as built:
            main(built)
