"""What is let in: hosts, tokens, origins, sizes; and the headers of what goes out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from apiserver import Running, sentence, serving
from multicube.agent.server.limits import Limits

ASK = {"question": "Who directed The Salt Lantern?"}


@pytest.fixture(scope="module")
def guarded(shared: Running) -> Iterator[Running]:
    """The same knowledge base behind a token, on every address."""
    with serving(shared.kb, host="0.0.0.0", token="s3cret", warm=False) as running:
        yield running


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1", "127.0.0.7:1", "[::1]:8000"])
def test_without_a_token_this_machine_is_answered(shared: Running, host: str) -> None:
    assert shared.client.get("/health", headers={"Host": host}).json()["status"] == "ok"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "user@localhost", "", "[::1", "a b"],
)
def test_without_a_token_another_host_is_not_served(shared: Running, host: str) -> None:
    sentence(shared.client.get("/health", headers={"Host": host}), 421, "its own address only")
    sentence(shared.client.get("/", headers={"Host": host}), 421)


@pytest.mark.parametrize(
    "given", [None, "Bearer wrong", "Bearer s3cret2", "Bearer", "Basic s3cret", "s3cret", "Bearer ü"]
)
def test_with_a_token_every_request_must_bring_it(guarded: Running, given: str | None) -> None:
    headers = {"Authorization": given.encode()} if given is not None else {}
    for method, path in (("GET", "/health"), ("GET", "/openapi.json"), ("POST", "/ask"), ("DELETE", "/runs/x")):
        reply = guarded.client.request(method, path, headers=headers)
        sentence(reply, 401, "Bearer TOKEN")
        assert reply.headers["www-authenticate"] == "Bearer"


def test_with_its_token_a_server_answers_to_any_host(guarded: Running) -> None:
    headers = {"Authorization": "Bearer s3cret", "Host": "answers.example.org"}
    assert guarded.client.post("/ask", json=ASK, headers=headers).json()["answer"] == "Anselm Torvik"
    assert guarded.client.get("/", headers={"Host": "answers.example.org"}).status_code != 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_origins_change_nothing(shared: Running, headers: dict[str, str]) -> None:
    sentence(shared.client.post("/ask", json=ASK, headers=headers), 403, "another origin")
    sentence(shared.client.delete("/runs/x", headers=headers), 403)
    assert shared.client.get("/health", headers=headers).status_code == 200


def test_the_own_page_may_ask(shared: Running) -> None:
    headers = {"Origin": shared.url, "Sec-Fetch-Site": "same-origin"}
    assert shared.client.post("/ask", json=ASK, headers=headers).status_code == 200


def test_every_response_says_that_it_is_data_and_nothing_more(shared: Running) -> None:
    for reply in (shared.client.get("/health"), shared.client.get("/nowhere"), shared.client.post("/ask", json={})):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert "unsafe" not in reply.headers["content-security-policy"]
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["content-type"] == "application/json"


def test_a_request_that_is_too_large_is_refused_whatever_length_it_declares(shared: Running) -> None:
    large = b'{"question": "' + b"x" * 2**20 + b'"}'
    headers = {"Content-Type": "application/json"}
    sentence(shared.client.post("/ask", content=large, headers=headers), 413, "1,048,576 bytes")
    pieces = (large[n : n + 2**16] for n in range(0, len(large), 2**16))
    sentence(shared.client.post("/ask", content=pieces, headers=headers), 413, "1,048,576 bytes")


def test_more_questions_than_may_wait_are_refused(shared: Running) -> None:
    with serving(shared.kb, limits=Limits(asks=1, waiting=-1), warm=False) as full:
        sentence(full.client.post("/ask", json=ASK), 429, "Too many questions")


def test_unknown_paths_and_methods_are_refused_in_one_sentence(shared: Running) -> None:
    sentence(shared.client.get("/nowhere"), 404)
    sentence(shared.client.get("/ask"), 405)
    sentence(shared.client.get("/static/../app.py"), 404)
    sentence(shared.client.get("/static/%2e%2e/app.py"), 404)
