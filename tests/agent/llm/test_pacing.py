"""How many requests an endpoint gets at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from modelserver import Fault
from multicube.agent.engines.llm import Limiter


def test_a_busy_endpoint_gets_half_as_many_and_slowly_more_again(waiting: Any) -> None:
    limiter = Limiter(16, clock=waiting.clock, sleep=waiting.sleep)
    limiter.busy(began=waiting.clock())
    assert limiter.limit == 8
    for _ in range(8):
        limiter.answered()
    assert limiter.limit == 8
    limiter.answered()
    assert limiter.limit == 9
    for _ in range(500):
        limiter.answered()
    assert limiter.limit == 16


def test_refusals_of_one_crowd_cut_once(waiting: Any) -> None:
    limiter = Limiter(16, clock=waiting.clock, sleep=waiting.sleep)
    began = waiting.clock()
    waiting.sleep(1)
    for _ in range(10):
        limiter.busy(began)
    assert limiter.limit == 8
    limiter.busy(waiting.clock())
    assert limiter.limit == 4
    for _ in range(10):
        waiting.sleep(1)
        limiter.busy(waiting.clock())
    assert limiter.limit == 1


def test_a_wait_asked_of_one_is_kept_by_all(waiting: Any) -> None:
    limiter = Limiter(4, clock=waiting.clock, sleep=waiting.sleep)
    limiter.busy(waiting.clock(), retry_after=12)
    with limiter.slot() as began:
        assert began == 1012


def test_no_more_are_under_way_than_allowed() -> None:
    limiter, most, now, lock = Limiter(3), [0], [0], threading.Lock()

    def work(_: int) -> None:
        with limiter.slot():
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            with lock:
                now[0] -= 1

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(work, range(200)))
    assert 1 <= most[0] <= 3


def test_clients_of_one_endpoint_share_its_limiter() -> None:
    first = Limiter.of("http://somewhere/v1")
    assert Limiter.of("http://somewhere/v1") is first
    assert Limiter.of("http://elsewhere/v1") is not first


def test_a_crowd_at_a_busy_endpoint_loses_nothing(serve: Any, client: Any, ask_for: Any) -> None:
    """A server that refuses every third request answers everyone in the end."""
    server = serve(faults=lambda request: Fault.of_status(429) if request.number % 3 == 0 else None, latency=0.01)
    limiter = Limiter(16)
    asking = client(server, limiter=limiter, patience=1e9)
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda number: asking.text("report", ask_for(f"thing{number}")), range(40)))
    assert [f"thing{number}" in reply for number, reply in enumerate(replies)] == [True] * 40
    assert limiter.limit < 16
    total = asking.ledger.total
    assert total.requests - total.failed == 40
    assert (total.input_tokens, total.output_tokens) == server.usage
