"""Recorded replies of a real small model, as the client reads them: used where they can be, else refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from modelserver.samples import VALUES
from modelserver.wire import Reply
from multicube.agent.engines.llm import ModelClient, ReplyError
from multicube.agent.engines.llm.replies.schemas import REPLIES
from multicube.prompts import PromptLibrary

RECORDED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "realmodel" / "recorded.json").read_text(encoding="utf-8")
)
WAYS = {"schema_object": {"schema_object"}, "tools": {"tools"}, "text": set[str]()}


def asked(client: ModelClient, record: dict[str, Any]) -> object:
    """What a recorded reply is read as; the words of the refusal where it cannot be used."""
    prompt = PromptLibrary.load(size="short")[record["prompt"]].fill(VALUES[record["prompt"]])
    try:
        return client.ask("recorded", prompt, REPLIES[record["prompt"]])
    except ReplyError as error:
        return str(error)


@pytest.mark.parametrize("mode", WAYS)
def test_each_recorded_reply_is_used_or_refused_in_words(serve: Any, client: Any, mode: str) -> None:
    server = serve(lambda _: said[0], features=WAYS[mode])
    said: list[Reply] = []
    used = 0
    records = [record for record in RECORDED if record["mode"] == mode]
    for record in records:
        said[:] = [Reply(record["said"], finish=record["finish"])]
        found = asked(client(server), record)
        assert isinstance(found, str | REPLIES[record["prompt"]])
        used += not isinstance(found, str)
    assert records
    assert used or mode == "text"  # what is bound to a form by the server can nearly always be used
