"""What is spent: nothing twice, nothing beyond a cap, and everything counted."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from modelserver import Fault
from multicube.agent.engines.llm import BudgetExceededError, Caps, Ledger, Price, Prices, ReplyCache, Spending, Tokens
from multicube.cubes.core.errors import UsageError

PRICES = Prices({"stand-in": Price(input=1.0, output=10.0)})


@pytest.fixture
def cache(tmp_path: Path) -> ReplyCache:
    return ReplyCache(tmp_path / "cache.sqlite")


def test_a_reply_is_paid_for_once(server: Any, client: Any, ask_for: Any, colour: Any, cache: ReplyCache) -> None:
    first = client(server, cache=cache, prices=PRICES)
    told = [first.ask("route", ask_for(), colour), first.text("report", ask_for())]
    again = client(server, cache=ReplyCache(cache.path), prices=PRICES)
    shown: list[str] = []
    assert [again.ask("route", ask_for(), colour), again.text("report", ask_for(), shown.append)] == told
    assert shown == [told[1]]
    assert len(server.chats) == 2
    assert again.ledger.total == Spending(cached=2)
    assert again.ledger.total.cost_usd == 0


def test_what_differs_in_anything_is_asked_anew(
    server: Any, serve: Any, client: Any, ask_for: Any, colour: Any, cache: ReplyCache
) -> None:
    asking = client(server, cache=cache)
    asking.ask("route", ask_for(), colour)
    asking.ask("route", ask_for("sea"), colour)
    asking.ask("route", ask_for(system="You name paints."), colour)
    asking.text("route", ask_for())
    assert len(server.chats) == 4
    client(server, cache=cache, name="another").ask("route", ask_for(), colour)
    assert len(server.chats) == 5
    elsewhere = serve()
    client(elsewhere, cache=cache).ask("route", ask_for(), colour)
    assert len(elsewhere.chats) == 1


def test_an_unusable_reply_is_not_kept_and_a_mended_one_is(
    server: Any, client: Any, ask_for: Any, colour: Any, cache: ReplyCache
) -> None:
    asking = client(server, cache=cache)
    asking.preflight()
    assert len(cache) == 0
    server.fail(Fault.wrong_schema())
    asking.ask("route", ask_for(), colour)
    server.requests.clear()
    assert client(server, cache=cache).ask("route", ask_for(), colour).colour == "blue"
    assert server.chats == []


def test_the_same_question_at_once_is_asked_once(
    server: Any, client: Any, ask_for: Any, colour: Any, cache: ReplyCache
) -> None:
    server.latency = 0.05
    asking = client(server, cache=cache)
    with ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: asking.ask("route", ask_for(), colour), range(6)))
    assert len(set(map(str, replies))) == 1
    assert len(server.chats) == 1
    assert asking.ledger.total.cached == 5


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but long enough to be looked at\n" * 20, b"\0" * 5000]
)
def test_a_damaged_cache_is_set_aside(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cache.sqlite"
    file.write_bytes(content)
    cache = ReplyCache(file)
    cache.put("key", "reply")
    assert cache.get("key") == "reply"
    cache.close()
    assert (tmp_path / "cache.sqlite.damaged-1").read_bytes() == content
    assert ReplyCache(file).get("key") == "reply"


def test_a_cache_damaged_in_its_middle_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / "cache.sqlite"
    cache = ReplyCache(file)
    for number in range(200):
        cache.put(f"key {number}", "reply " * 100)
    cache.close()
    with file.open("r+b") as raw:
        raw.seek(4096)
        raw.write(b"\xff" * (file.stat().st_size - 4096))
    after = ReplyCache(file)
    assert after.get("key 7") is None
    after.put("key 7", "reply")
    assert after.get("key 7") == "reply"
    assert (tmp_path / "cache.sqlite.damaged-1").exists()


def test_a_cache_that_cannot_be_written_stops_nothing(server: Any, client: Any, ask_for: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    asking = client(server, cache=ReplyCache(tmp_path / "file" / "cache.sqlite"))
    assert asking.text("report", ask_for())


def test_a_cache_is_shared_by_threads_and_processes(tmp_path: Path) -> None:
    file = tmp_path / "cache.sqlite"
    code = (
        "import sys; from pathlib import Path; from multicube.agent.engines.llm.cost.cache import ReplyCache\n"
        "cache = ReplyCache(Path(sys.argv[1]))\n"
        "for number in range(40): cache.put(f'{sys.argv[2]} {number}', 'reply')"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(file), name]) for name in "ab"]
    cache = ReplyCache(file)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: cache.put(f"c {number}", "reply"), range(40)))
    assert [other.wait(60) for other in others] == [0, 0]
    assert len(cache) == 120
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_kept_reply_outlives_a_killed_process(tmp_path: Path) -> None:
    file = tmp_path / "cache.sqlite"
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from multicube.agent.engines.llm.cost.cache import ReplyCache\n"
        "ReplyCache(Path(sys.argv[1])).put('key', 'reply'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(file)], timeout=60).returncode == -9
    assert ReplyCache(file).get("key") == "reply"


def test_each_stage_has_its_account_and_a_run_has_its_own(server: Any, client: Any, ask_for: Any, colour: Any) -> None:
    asking = client(server, prices=PRICES)
    asking.preflight()
    run, other = asking.for_run(), asking.for_run()
    run.ask("route", ask_for(), colour)
    run.ask("route", ask_for("sea"), colour)
    run.text("report", ask_for())
    other.text("report", ask_for())
    stages = run.ledger.by_stage()
    assert {name: spent.requests for name, spent in stages.items()} == {"route": 2, "report": 1}
    usage = run.usage
    assert usage.requests == 3
    assert usage.cost_usd == pytest.approx((usage.input_tokens + 10 * usage.output_tokens) / 1e6)
    assert other.usage.requests == 1
    assert asking.ledger.total.requests == 5
    assert (asking.ledger.total.input_tokens, asking.ledger.total.output_tokens) == server.usage


def test_a_price_that_is_not_known_is_not_zero() -> None:
    assert Prices().cost("gpt-4o-mini", "https://api.openai.com/v1", Tokens(1_000_000, 1_000_000)) == pytest.approx(
        0.75
    )
    assert Prices().cost("gpt-4o-mini", "http://127.0.0.1:9/v1", Tokens(1000, 10)) is None
    assert Prices().cost("no-such-model", "https://api.openai.com/v1", Tokens(1000, 10)) is None
    assert Prices().cost("qwen3", "langchain:nobody", Tokens(1000, 10)) is None
    cheap = Prices().cost("gpt-4o-mini", "https://api.openai.com/v1", Tokens(1_000_000, 0, cache_read=900_000))
    assert cheap is not None
    assert cheap < 0.15


def test_prices_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text("qwen3: {input: 0.5, output: 2}\n")
    monkeypatch.setenv("MULTICUBE_PRICES", str(file))
    assert Prices.load().cost("qwen3", "http://127.0.0.1:9/v1", Tokens(1_000_000, 500_000)) == pytest.approx(1.5)


@pytest.mark.parametrize(
    "content", ["qwen3: {input: -1, output: 2}", "qwen3: {input: 1}", "- a", "a: [", "x: {out: 1}"]
)
def test_prices_that_cannot_be_used_are_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(content)
    with pytest.raises(UsageError, match=r"prices\.yaml"):
        Prices.load(file)
    with pytest.raises(UsageError, match=r"nothing\.yaml"):
        Prices.load(tmp_path / "nothing.yaml")


@pytest.mark.parametrize(
    ("caps", "cap"),
    [(Caps(requests=2), "requests"), (Caps(tokens=150), "tokens"), (Caps(cost_usd=0.0006), "cost_usd")],
    ids=lambda value: str(value),
)
def test_a_cap_holds_before_the_request_is_sent(server: Any, client: Any, ask_for: Any, caps: Caps, cap: str) -> None:
    run = client(server, prices=PRICES).for_run(caps)
    things = [f"thing{number}" for number in range(50)]
    with pytest.raises(BudgetExceededError, match="Raise the cap") as error:
        [run.text("report", ask_for(thing)) for thing in things]
    assert error.value.cap == cap
    assert not error.value.retryable
    total = run.ledger.total
    assert error.value.spent == pytest.approx(getattr(total, "tokens" if cap == "tokens" else cap))
    assert error.value.spent <= error.value.limit
    assert len(server.chats) == total.requests


def test_a_cap_holds_for_many_at_once(server: Any, client: Any, ask_for: Any) -> None:
    server.latency = 0.05
    run = client(server).for_run(Caps(requests=3))
    capped = threading.Semaphore(0)

    def ask(number: int) -> None:
        try:
            run.text("report", ask_for(f"thing{number}"))
        except BudgetExceededError:
            capped.release()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
    assert len(server.chats) == 3
    assert sum(capped.acquire(blocking=False) for _ in range(8)) == 5


def test_a_cap_of_the_whole_holds_for_each_run(server: Any, client: Any, ask_for: Any) -> None:
    whole = client(server, caps=Caps(requests=2))
    whole.for_run().text("report", ask_for("a"))
    whole.for_run(Caps(requests=5)).text("report", ask_for("b"))
    with pytest.raises(BudgetExceededError, match="2"):
        whole.for_run().text("report", ask_for("c"))


def test_tries_count_towards_a_cap(serve: Any, client: Any, ask_for: Any) -> None:
    server = serve(faults=lambda request: Fault.of_status(500))
    with pytest.raises(BudgetExceededError):
        client(server, caps=Caps(requests=3)).text("report", ask_for())
    assert len(server.chats) == 3


def test_what_is_kept_needs_no_budget(server: Any, client: Any, ask_for: Any, cache: ReplyCache) -> None:
    first = client(server, cache=cache).text("report", ask_for())
    assert client(server, cache=cache, caps=Caps(requests=0)).text("report", ask_for()) == first


def test_money_cannot_be_capped_without_a_price(server: Any, client: Any, ask_for: Any) -> None:
    with pytest.raises(BudgetExceededError, match="MULTICUBE_PRICES"):
        client(server, caps=Caps(cost_usd=1.0)).text("report", ask_for())
    assert server.chats == []
    with pytest.raises(UsageError, match="money"):
        Caps(cost_usd=-1)


def test_a_ledger_expects_what_it_has_seen(server: Any, client: Any, ask_for: Any) -> None:
    asking = client(server)
    before = asking.ledger.expected_output("report")
    asking.text("report", ask_for())
    assert asking.ledger.expected_output("report") == server.usage[1] != before
    assert asking.ledger.child().expected_output("report") == server.usage[1]
    assert Ledger().total == Spending()
