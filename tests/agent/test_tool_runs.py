"""Every look-up of the loop is a run of a LangChain tool: a tracer sees what it was asked and what it said."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from multicube import MultiCube
from multicube.graphs.records import LoopSettings

CHAIN = "Where was the director of the film The Salt Lantern born?"
UNFILED = "What did the storm of Skarholt do to the lighthouse?"


class Seen(BaseCallbackHandler):
    """Keeps the tool runs: name, input and output."""

    def __init__(self) -> None:
        self.begun: dict[UUID, tuple[str, Any]] = {}
        self.runs: list[tuple[str, Any, Any]] = []

    def on_tool_start(self, serialized: Any, input_str: str, *, run_id: UUID, inputs: Any = None, **_: Any) -> None:
        self.begun[run_id] = (serialized["name"], inputs)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        self.runs.append((*self.begun.pop(run_id), output))


def asked(kb: MultiCube, question: str, **settings: Any) -> tuple[dict[str, Any], Seen]:
    seen = Seen()
    state = {"question": question, "settings": LoopSettings(**settings)}
    return kb.graph.invoke(state, {"callbacks": [seen]}, context=kb.context()), seen  # type: ignore[arg-type]


def test_each_cube_is_a_tool_run_with_its_subquery_and_what_it_found(sample: MultiCube) -> None:
    state, seen = asked(sample, CHAIN)
    assert state["answer"] == "Skarholt"
    wanted = [(f"cube_{cube}", {"subquery": hop.subquery}) for hop in state["hops"] for cube in hop.cubes]
    assert [(name, given) for name, given, _ in seen.runs] == wanted
    for hop, (_, _, output) in zip(state["hops"], seen.runs, strict=True):
        assert hop.evidence[0].title in output.content
        assert hop.evidence[0].section_id in {e.section_id for e in output.artifact["evidence"]}


def test_passages_that_a_hop_falls_back_to_are_a_tool_run_too(sample: MultiCube) -> None:
    state, seen = asked(sample, UNFILED, coverage_floor=1.0)
    assert [name for name, _, _ in seen.runs].count("passages") == len(state["hops"])


def test_a_stream_of_events_tells_of_every_tool(sample: MultiCube) -> None:
    async def events() -> list[Any]:
        given: Any = {"question": CHAIN}
        stream = sample.graph.astream_events(given, context=sample.context(), version="v2")
        return [event async for event in stream if event["event"] in ("on_tool_start", "on_tool_end")]

    found = asyncio.run(events())
    assert [(e["event"], e["name"]) for e in found] == [
        ("on_tool_start", "cube_cultural_product"),
        ("on_tool_end", "cube_cultural_product"),
        ("on_tool_start", "cube_person"),
        ("on_tool_end", "cube_person"),
    ]
    assert "The Salt Lantern" in str(found[0]["data"]["input"])
    assert "The Salt Lantern" in found[1]["data"]["output"].content
