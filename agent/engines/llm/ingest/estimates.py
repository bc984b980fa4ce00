"""What an ingest would cost, worked out before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel

from .....cubes.core.records import Document, Section
from .....cubes.core.spending import CostEstimate, ModelUsage
from .....prompts import Rendered
from ..client import ModelClient
from ..cost.usage import Tokens
from ..replies import schemas as replies

__all__ = ["RequestEstimator", "SectionEstimator"]

REPLY_TO_TEXT = 2.0
"""Tokens of a reply for each token of a section, where nothing has been extracted before: facts with their quotes say
most of a text twice."""
SHORTEST_REPLY = 60
SECONDS_PER_REPLY = 5.0
IMAGE_TOKENS = 800
"""What an image of a page's width is charged as by the models that say so, about."""


class RequestEstimator:
    """Adds up single requests that would be made one after the other; nothing is sent."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self._requests = self._cached = self._input = self._output = self._most = 0

    def add(self, prompt: Rendered, reply: type[BaseModel], output: int) -> bool:
        """Count a request in with so many tokens of reply; False where its reply is here already, and costs nothing.

        An image is taken for `IMAGE_TOKENS`, and no reply for longer than its prompt lets it be.
        """
        tokens = self._client.add_estimate(prompt, reply)
        if tokens is None:
            self._cached += 1
            return False
        self._requests += 1
        self._input += tokens.input + IMAGE_TOKENS * len(prompt.images)
        self._output += min(output, prompt.max_tokens or output)
        self._most += prompt.max_tokens
        return True

    def total(self, assumptions: Sequence[str]) -> CostEstimate:
        """Return what the requests so far come to."""
        return CostEstimate(
            model=self._client.label,
            requests=self._requests,
            cached=self._cached,
            input_tokens=self._input,
            output_tokens=self._output,
            most_output_tokens=self._most,
            cost_usd=self._client.price(Tokens(self._input, self._output)),
            minutes=round(self._requests * SECONDS_PER_REPLY / 60, 1),
            assumptions=tuple(assumptions),
        )


class SectionEstimator:
    """Adds up the sections that would be read; nothing is sent."""

    def __init__(
        self,
        client: ModelClient,
        prompt: Callable[[Section, Document, str], Rendered],
        earlier: ModelUsage,
        concurrency: int,
    ) -> None:
        self._client, self._prompt, self._concurrency = client, prompt, max(1, concurrency)
        answered = earlier.requests - earlier.failed
        self._reply = earlier.output_tokens / answered if answered > 0 else None
        self._requests = self._cached = self._input = self._most = 0
        self._output = 0.0

    def add(self, section: Section, document: Document) -> None:
        """Count a section in; one whose reply is here already costs nothing."""
        prompt = self._prompt(section, document, section.text)
        tokens = self._client.add_estimate(prompt, replies.Extraction)
        if tokens is None:
            self._cached += 1
            return
        self._requests += 1
        self._input += tokens.input
        guess = max(SHORTEST_REPLY, REPLY_TO_TEXT * self._client.tokens_of(section.text))
        guess = guess if self._reply is None else self._reply
        self._output += min(guess, prompt.max_tokens or guess)
        self._most += prompt.max_tokens

    def total(self) -> CostEstimate:
        """Return what the sections so far come to."""
        output = round(self._output)
        return CostEstimate(
            model=self._client.label,
            requests=self._requests,
            cached=self._cached,
            input_tokens=self._input,
            output_tokens=output,
            most_output_tokens=self._most,
            cost_usd=self._client.price(Tokens(self._input, output)),
            minutes=round(-(-self._requests // self._concurrency) * SECONDS_PER_REPLY / 60, 1),
            assumptions=tuple(self._assumptions()),
        )

    def _assumptions(self) -> list[str]:
        written = (
            f"A reply is taken to have {REPLY_TO_TEXT:g} tokens for each token of its section."
            if self._reply is None
            else f"A reply is taken to have {self._reply:,.0f} tokens, as those of earlier ingests had on average."
        )
        took = f"A reply is taken to need {SECONDS_PER_REPLY:g} seconds, {self._concurrency} being written at a time."
        return [written, took, "Failed tries, which are counted when they happen, are left out."]
