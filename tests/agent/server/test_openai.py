"""The OpenAI Python client talks to the server."""

from __future__ import annotations

from collections.abc import Iterator

import openai
import pytest
from apiserver import CHAIN, Running, sentence, serving


@pytest.fixture(scope="module")
def client(shared: Running) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{shared.url}/v1", api_key="any", max_retries=0) as client:
        yield client


def test_the_knowledge_base_is_the_one_model(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["multicube"]
    assert client.models.retrieve("multicube").owned_by == "multicube"
    with pytest.raises(openai.NotFoundError, match="no model 'gpt-4o'"):
        client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": CHAIN}])


def test_a_completion_is_the_answer_with_its_citations(client: openai.OpenAI, shared: Running) -> None:
    system = {"role": "system", "content": "Be brief."}
    reply = client.chat.completions.create(
        model="multicube", messages=[system, {"role": "user", "content": CHAIN}], temperature=0.2, max_tokens=100
    )
    [choice] = reply.choices
    assert choice.finish_reason == "stop"
    assert choice.message.content.split("\n\n")[0] == "Skarholt"
    assert choice.message.content.split("\n\n")[1].startswith("[1] The Salt Lantern: It was directed by")
    assert (reply.object, reply.usage.total_tokens) == ("chat.completion", 0)
    assert reply.citations[0]["title"] == "The Salt Lantern"
    assert shared.kb.trace(reply.run).answer == "Skarholt"
    assert reply.id == f"chatcmpl-{reply.run}"


def test_a_stream_tells_hops_then_the_answer_then_the_usage(client: openai.OpenAI) -> None:
    chunks = list(
        client.chat.completions.create(
            model="multicube",
            messages=[{"role": "user", "content": [{"type": "text", "text": CHAIN}]}],
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    assert len({chunk.id for chunk in chunks}) == 1
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert deltas[0].role == "assistant"
    thought = "".join(getattr(delta, "reasoning_content", "") for delta in deltas)
    assert thought.count("→") == 2
    assert "Anselm Torvik" in thought
    content = "".join(delta.content or "" for delta in deltas)
    assert content.startswith("Skarholt\n\n[1] The Salt Lantern:")
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert chunks[-1].usage is not None
    assert chunks[-1].choices == []


def test_the_messages_are_the_conversation(client: openai.OpenAI) -> None:
    first = [{"role": "user", "content": "Who directed The Salt Lantern?"}]
    said = client.chat.completions.create(model="multicube", messages=first).choices[0].message.content
    messages = [*first, {"role": "assistant", "content": said}, {"role": "user", "content": "Where was he born?"}]
    reply = client.chat.completions.create(model="multicube", messages=messages)
    assert reply.choices[0].message.content.startswith("Skarholt\n")


def test_a_question_without_an_answer_says_why(client: openai.OpenAI) -> None:
    messages = [{"role": "user", "content": "Who painted the ceiling of the Sistine Chapel?"}]
    reply = client.chat.completions.create(model="multicube", messages=messages)
    assert reply.choices[0].message.content.startswith("No answer:")


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([], "messages"),
        ([{"role": "user", "content": "  "}], "empty"),
        ([{"role": "assistant", "content": "x"}], "last message"),
        ([{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "x"}], "last message"),
        ([{"role": "pirate", "content": "x"}], "role"),
    ],
)
def test_refusals_are_errors_of_openai(client: openai.OpenAI, messages: list[dict[str, str]], said: str) -> None:
    with pytest.raises(openai.BadRequestError, match=said) as caught:
        client.chat.completions.create(model="multicube", messages=messages)
    assert caught.value.type == "invalid_request_error"


@pytest.mark.parametrize("model", ["multicube", "\\ud800"])
def test_half_a_character_is_no_text(shared: Running, model: str) -> None:
    body = f'{{"model": "{model}", "messages": [{{"role": "user", "content": "Who is \\ud800?"}}]}}'
    headers = {"Content-Type": "application/json"}
    sentence(shared.client.post("/v1/chat/completions", content=body, headers=headers), 400, "unicode")


def test_more_than_one_choice_is_refused_and_named(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(model="multicube", messages=[{"role": "user", "content": CHAIN}], n=2)
    assert caught.value.param == "n"


def test_the_key_is_the_token(shared: Running) -> None:
    with serving(shared.kb, token="s3cret", warm=False) as guarded:
        asked = {"model": "multicube", "messages": [{"role": "user", "content": CHAIN}]}
        with (
            openai.OpenAI(base_url=f"{guarded.url}/v1", api_key="wrong", max_retries=0) as client,
            pytest.raises(openai.AuthenticationError, match="token"),
        ):
            client.chat.completions.create(**asked)
        with openai.OpenAI(base_url=f"{guarded.url}/v1", api_key="s3cret", max_retries=0) as client:
            assert client.chat.completions.create(**asked).choices[0].message.content.startswith("Skarholt")
