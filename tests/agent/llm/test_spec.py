"""Which model is meant, where its texts go, and with whose key."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from multicube.agent.engines.llm import AuthError, ModelClient, ModelRoles, ModelSpec, traced_to
from multicube.cubes.core.errors import UsageError

OPENAI, OWN = "sk-openai-key", "own-key"
BOTH = {"OPENAI_API_KEY": OPENAI, "MULTICUBE_API_KEY": OWN}


@pytest.mark.parametrize(
    ("text", "env", "name", "endpoint", "key"),
    [
        ("gpt-4o-mini", BOTH, "gpt-4o-mini", "https://api.openai.com/v1", OPENAI),
        ("gpt-4o-mini", {"MULTICUBE_API_KEY": OWN}, "gpt-4o-mini", "https://api.openai.com/v1", OWN),
        ("http://host:8000/v1#qwen3:8b", BOTH, "qwen3:8b", "http://host:8000/v1", OWN),
        ("http://host:8000/v1/#org/name", {}, "org/name", "http://host:8000/v1", None),
        ("http://host/v1/chat/completions#m", {"OPENAI_API_KEY": OPENAI}, "m", "http://host/v1", None),
        ("m", BOTH | {"OPENAI_BASE_URL": "https://proxy/v1/"}, "m", "https://proxy/v1", OPENAI),
        ("https://proxy/v1#m", BOTH | {"OPENAI_BASE_URL": "https://proxy/v1/"}, "m", "https://proxy/v1", OPENAI),
        ("ollama:llama3.2:3b", BOTH, "llama3.2:3b", "http://localhost:11434/v1", OWN),
        ("llamacpp:SmolLM2", {"OPENAI_API_KEY": OPENAI}, "SmolLM2", "http://localhost:8080/v1", None),
        ("vllm:org/name", {}, "org/name", "http://localhost:8000/v1", None),
        ("lmstudio:m", {}, "m", "http://localhost:1234/v1", None),
        ("litellm:gpt-4o", BOTH, "gpt-4o", "http://localhost:4000/v1", OWN),
        ("ft:gpt-4o-mini:me::id", BOTH, "ft:gpt-4o-mini:me::id", "https://api.openai.com/v1", OPENAI),
        ("https://api.openai.com/v1#m", BOTH, "m", "https://api.openai.com/v1", OPENAI),
    ],
)
def test_a_model_is_read_from_words(text: str, env: dict[str, str], name: str, endpoint: str, key: str | None) -> None:
    spec = ModelSpec.parse(text, env)
    assert (spec.name, spec.endpoint) == (name, endpoint)
    assert (spec.key.get_secret_value() if spec.key else None) == key
    assert key is None or key not in f"{spec!r} {spec.label}"


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "gpt 4", "http://host/v1", "http://host/v1#", "ftp://host#m", "http://#m", "http://h:port/v1#m",
        "a#b", "ollama:", "vllm: ",
    ],
)  # fmt: skip
def test_words_that_name_no_model_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        ModelSpec.parse(text, {})


def test_a_server_that_is_nearly_named_is_asked_back() -> None:
    with pytest.raises(UsageError, match="did you mean ollama:llama3"):
        ModelSpec.parse("olama:llama3", {})


def test_a_key_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError, match="MULTICUBE_API_KEY") as error:
        ModelSpec.parse("https://me:hidden@host/v1#m", {})
    assert "hidden" not in str(error.value)


def test_openai_without_a_key_says_which_to_set(ask_for: Any) -> None:
    with pytest.raises(AuthError, match="OPENAI_API_KEY"):
        ModelClient(ModelSpec.parse("gpt-4o-mini", {})).text("report", ask_for())


def test_a_key_reaches_its_endpoint_and_no_environment_moves_it(
    serve: Any, client: Any, ask_for: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, other = serve(api_key=OWN), serve()
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI)
    monkeypatch.setenv("MULTICUBE_API_KEY", OWN)
    spec = ModelSpec.parse(f"{server.url}#m")
    monkeypatch.setenv("OPENAI_BASE_URL", other.url)
    monkeypatch.setenv("OPENAI_API_BASE", other.url)
    monkeypatch.setenv("LANGSMITH_GATEWAY", "true")
    assert client(server, model=spec).text("report", ask_for())
    assert other.requests == []
    assert OPENAI not in str(server.chats[0].headers)


def test_a_server_without_keys_gets_no_key_of_anybody(server: Any, client: Any, ask_for: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI)
    client(server, model=ModelSpec.parse(f"{server.url}#m")).text("report", ask_for())
    assert server.chats[0].headers["authorization"] == "Bearer none"


def test_one_model_for_everything_or_others() -> None:
    one = ModelRoles.of("http://host/v1#big")
    assert one.reason == one.read == one.extract
    several = ModelRoles.of("http://host/v1#big", extract="http://host/v1#small")
    assert isinstance(several.extract, ModelSpec)
    assert (several.extract.name, several.read) == ("small", several.reason)


def test_nothing_is_traced_unless_the_person_says_so() -> None:
    assert traced_to({}) is None
    assert traced_to({"LANGSMITH_TRACING": "false", "LANGSMITH_API_KEY": "x"}) is None
    assert traced_to({"LANGSMITH_TRACING": "true"}) == "https://api.smith.langchain.com"
    assert traced_to({"LANGCHAIN_TRACING_V2": "true", "LANGSMITH_ENDPOINT": "http://mine"}) == "http://mine"


def test_a_request_goes_to_its_endpoint_and_nowhere_else(server: Any) -> None:
    """In a process of its own: every connection it makes is written down."""
    code = (
        "import socket, sys\n"
        "connect, seen = socket.socket.connect, set()\n"
        "def watched(self, address):\n"
        "    seen.add(address[:2]); return connect(self, address)\n"
        "socket.socket.connect = watched\n"
        "from multicube.agent.engines.llm import ModelClient, ModelSpec\n"
        "from multicube.prompts import Rendered\n"
        "ModelClient(ModelSpec.parse(sys.argv[1])).text('report', Rendered('p', '1', '', 'What colour has the sky?'))\n"
        "print(sorted(seen))\n"
    )
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LANG", "OPENAI"))}
    done = subprocess.run(
        [sys.executable, "-c", code, f"{server.url}#gpt-4o-mini"], env=env, capture_output=True, text=True, timeout=120
    )
    port = int(server.url.split(":")[2].split("/")[0])
    assert done.stdout.strip() == str([("127.0.0.1", port)]), done.stderr


def test_nothing_heavy_is_loaded_before_a_model_is_used() -> None:
    code = (
        "import sys, multicube.agent.engines.llm\n"
        "heavy = {'openai', 'langchain_openai', 'langchain_core', 'genai_prices', 'tiktoken', 'httpx2', 'torch'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr
