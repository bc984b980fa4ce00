"""Record what the real model says to each prompt, in each way of asking.

`PYTHONPATH=tests python -m realmodel.recording` writes the file anew. It replays in the ordinary suite, where no model
is: what the parser meets there are a model's words, not ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from modelserver.samples import VALUES
from multicube.agent.engines.llm import ModelClient, ModelError, ModelSpec, ModeMemory
from multicube.agent.engines.llm.replies.schemas import REPLIES
from multicube.agent.engines.llm.transport.observers import Exchange, listening
from multicube.agent.engines.llm.transport.structured import Mode
from multicube.prompts import PromptLibrary

from .server import NOT_INSTALLED, RealServer, is_installed

FILE = Path(__file__).with_name("recorded.json")
MODES: tuple[Mode, ...] = ("schema_object", "tools", "text")
PROMPTS = (
    "first_subquery", "next_subquery", "cube_router", "query_decomposition", "sub_answer", "confirm_answer",
    "section_extraction", "standalone_question", "hypothetical_answers",
)  # fmt: skip


class FixedMode(ModeMemory):
    """Asks in one way only."""

    def __init__(self, mode: Mode) -> None:
        super().__init__()
        self._mode = mode

    def get(self, identity: str) -> Mode:
        return self._mode

    def remember(self, identity: str, mode: Mode | None) -> None:
        """Nothing is found out here."""


def record(server: RealServer) -> Iterator[dict[str, Any]]:
    """Yield each reply: to which prompt, asked in which way, what was said, and why it ended."""
    for mode in MODES:
        client = ModelClient(ModelSpec("smollm2", server.url), modes=FixedMode(mode))
        for name in PROMPTS:
            heard: list[Exchange] = []
            with listening(heard.append):
                try:
                    client.ask("recording", PromptLibrary.load(size="short")[name].fill(VALUES[name]), REPLIES[name])
                except ModelError as error:
                    print(f"{mode} {name}: {error}", flush=True)
            for reply in (exchange.answered[0] for exchange in heard):
                if reply.text or reply.finish:
                    yield {"prompt": name, "mode": mode, "said": reply.text, "finish": reply.finish}


def main() -> None:
    """Write the file anew."""
    if not is_installed():
        raise SystemExit(NOT_INSTALLED)
    with RealServer() as server:
        kept = {json.dumps(each, ensure_ascii=False): None for each in record(server)}
    FILE.write_text("[\n" + ",\n".join(kept) + "\n]\n", encoding="utf-8")
    print(f"{len(kept)} replies in {FILE.name}")


if __name__ == "__main__":
    main()
