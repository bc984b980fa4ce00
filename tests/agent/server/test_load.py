"""Many at once: fifty people ask, and each gets the whole of an answer; the memory stays where it was."""

from __future__ import annotations

import asyncio
import gc
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from apiserver import Running, parsed, wait_until

ASKED = 50
GROWTH = 32 * 2**20
"""Bytes that the second fifty may add; a run's trace is some 30 kB, fifty streams left open would be more."""


async def _ask(client: httpx.AsyncClient, question: str) -> list[tuple[str, dict[str, Any]]]:
    headers = {"Accept": "text/event-stream"}
    async with client.stream("POST", "/ask", json={"question": question}, headers=headers) as reply:
        return parsed("".join([part async for part in reply.aiter_text()]))


async def _ask_all(url: str, questions: list[str]) -> list[list[tuple[str, dict[str, Any]]]]:
    limits = httpx.Limits(max_connections=ASKED)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        return list(await asyncio.gather(*(_ask(client, question) for question in questions)))


def _resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the resident memory is read from /proc")
def test_fifty_streams_at_once_all_finish_and_memory_is_steady(
    shared: Running, sample_questions: list[dict[str, Any]]
) -> None:
    pool = [question["question"] for question in sample_questions]
    questions = [pool[n % len(pool)] for n in range(ASKED)]
    resident = []
    for _ in range(2):
        streams = asyncio.run(_ask_all(shared.url, questions))
        assert [stream[-1][0] for stream in streams] == ["final"] * ASKED
        runs = [stream[-1][1]["run"] for stream in streams]
        assert [run["question"] for run in runs] == questions
        assert {run["status"] for run in runs} <= {"answered", "abstained"}
        assert len({run["id"] for run in runs}) == ASKED
        assert all(shared.kb.trace(run["id"]).status == run["status"] for run in runs)
        resident.append(_resident())
    assert resident[1] - resident[0] < GROWTH
    wait_until(lambda: shared.client.get("/health").json()["asks"] == 0)
