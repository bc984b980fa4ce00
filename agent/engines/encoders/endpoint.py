"""Vectors from an OpenAI-compatible endpoint: ``http://host:port/v1#name`` or ``openai:text-embedding-3-small``.

Texts that are embedded this way leave the machine; nothing else here does. Requests are tried again, paced and counted
as those of a language model are.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from ....cubes.core.errors import UsageError
from ..llm.cost.prices import Prices
from ..llm.cost.tokens import estimate_tokens
from ..llm.cost.usage import Call, Ledger, Tokens
from ..llm.errors import ContextLengthError, ModelError, RateLimitError, RejectedError, ReplyError
from ..llm.transport.failures import RequestFailure, understand
from ..llm.transport.rate import Limiter
from ..llm.transport.retries import Retry
from ..llm.transport.spec import ModelSpec
from .cached import CachingEncoder, unit

if TYPE_CHECKING:
    from openai import OpenAI

    from ....cubes.core.encoding import Vectors

__all__ = ["EndpointEncoder", "endpoint_of"]

OPENAI_PREFIX = "openai:"
BATCH_TEXTS = 32
"""Texts in a request; widespread servers take no more at once."""
BATCH_TOKENS = 20_000
CONCURRENCY = 8
STAGE = "embed"
_LONGEST_S = 90.0
"""The wait for vectors: a question needs one before its documents can be looked for."""
_BLANK = "."
"""Sent for a text without any words, which endpoints refuse."""
_SHORTEST = 200
_TOO_MANY = re.compile(r"batch|array|too many|max\w* .{0,20}inputs", re.IGNORECASE)
_ENCODING = re.compile(r"encoding_format|base64", re.IGNORECASE)


def endpoint_of(name: str) -> str:
    """Return the address that an encoder of this name sends texts to; raises UsageError where it cannot be read."""
    return _spec(name).endpoint


class EndpointEncoder(CachingEncoder):
    """An embedding model behind the OpenAI API; safe to use from several threads.

    ``name`` is "openai:MODEL" or "http://host:port/v1#MODEL"; the key comes from the environment as a chat model's
    does. How long vectors are is found out with the first text, and belongs to the fingerprint. ``ledger`` counts what
    was spent. Raises UsageError where the name cannot be read.
    """

    def __init__(self, name: str, *, retry: Retry | None = None, limiter: Limiter | None = None) -> None:
        super().__init__()
        self.name = name
        self.ledger = Ledger()
        self._spec = _spec(name)
        self._retry = retry or Retry()
        self._limiter = limiter or Limiter.of(self._spec.endpoint)
        self._prices = Prices.load()
        self._lock = threading.Lock()
        self._finding = threading.Lock()
        self._client: OpenAI | None = None
        self._size: int | None = None
        self._plain_numbers = False

    @property
    def fingerprint(self) -> str:
        """Name the endpoint's host, the model and the length of its vectors; asks for one vector if none came yet."""
        return f"endpoint:{urlsplit(self._spec.endpoint).netloc}#{self._spec.name}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of a vector; asks for one if none came yet."""
        with self._finding:
            if self._size is None:
                self._request([_BLANK])
        return self._known_size()

    def _known_size(self) -> int:
        if self._size is None:
            raise RuntimeError("No vector has come yet.")
        return self._size

    def _encode(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        batches = list(self._batches(texts))
        if len(batches) == 1:
            return self._embedded(batches[0])
        with ThreadPoolExecutor(min(CONCURRENCY, len(batches))) as pool:
            tasks = [pool.submit(self._embedded, batch) for batch in batches]
            try:
                return np.concatenate([task.result() for task in tasks])
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        tokens = 0
        for text in texts:
            size = estimate_tokens(text, self._spec.name)
            if batch and (len(batch) >= BATCH_TEXTS or tokens + size > BATCH_TOKENS):
                yield batch
                batch, tokens = [], 0
            batch.append(text)
            tokens += size
        if batch:
            yield batch

    def _embedded(self, texts: list[str]) -> Vectors:
        """Embed a batch; one that is too much for the endpoint is halved, a text that is too long is shortened."""
        try:
            return self._request([text if text.strip() else _BLANK for text in texts])
        except (ContextLengthError, RejectedError) as error:
            if isinstance(error, RejectedError) and not _TOO_MANY.search(str(error)):
                raise
            if len(texts) > 1:
                half = len(texts) // 2
                return np.concatenate([self._embedded(texts[:half]), self._embedded(texts[half:])])
            if isinstance(error, RejectedError) or len(texts[0]) <= _SHORTEST:
                raise
        return self._embedded([texts[0][: max(_SHORTEST, len(texts[0]) * 2 // 3)]])

    def _request(self, texts: list[str]) -> Vectors:
        while True:
            plain = self._plain_numbers
            try:
                return self._retry.run(partial(self._attempt, texts, plain=plain))
            except RejectedError as error:
                if plain or not _ENCODING.search(str(error)):
                    raise
                self._plain_numbers = True

    def _attempt(self, texts: list[str], *, plain: bool) -> Vectors:
        with self._limiter.slot() as began:
            sent = self._retry.clock()
            try:
                vectors, tokens = self._sent(texts, plain=plain)
            except RequestFailure as failure:
                failure.seconds = self._retry.clock() - sent
                self._failed(failure, texts, began)
                raise
        self._limiter.answered()
        self._count(tokens)
        return vectors

    def _sent(self, texts: list[str], *, plain: bool) -> tuple[Vectors, Tokens]:
        client = self._connected()
        try:
            options: dict[str, Any] = {"encoding_format": "float"} if plain else {}
            reply = client.embeddings.create(model=self._spec.name, input=texts, **options)
            numbered = [(int(item.index), item.embedding) for item in reply.data]
            spent = getattr(reply.usage, "prompt_tokens", 0)
        except Exception as error:
            raise _understood(error, self._spec.label) from error
        tokens = Tokens(int(spent)) if spent else self._estimated(texts)
        try:
            return self._checked(numbered, len(texts)), tokens
        except ReplyError as error:
            raise RequestFailure(error, reached=True, tokens=tokens) from error

    def _checked(self, numbered: list[tuple[int, Any]], wanted: int) -> Vectors:
        """Return the vectors in the order of their texts; anything else than one good vector each is refused."""
        label = self._spec.label
        if sorted(index for index, _ in numbered) != list(range(wanted)):
            sent = f"{label} sent {len(numbered)} vectors for {wanted} texts."
            raise ReplyError(f"{sent} Use another embedding model, or another server.")
        rows = [np.asarray(vector, dtype=np.float32) for _, vector in sorted(numbered, key=lambda pair: pair[0])]
        with self._lock:
            self._size = self._size or len(rows[0])
            size = self._size
        other = next((len(row) for row in rows if row.shape != (size,)), None)
        if other is not None:
            raise ReplyError(
                f"{label} sends vectors of {other} numbers now and of {size} before: another model answers under the "
                "same name. Name the model that is meant, and embed anew: multicube rebuild --encoder NAME"
            )
        vectors = np.stack(rows)
        if not size or not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
            raise ReplyError(f"{label} sent vectors without a direction. Use another embedding model.")
        return unit(vectors)

    def _failed(self, failure: RequestFailure, texts: Sequence[str], began: float) -> None:
        if isinstance(failure.error, RateLimitError):
            self._limiter.busy(began, failure.retry_after)
        spent = failure.tokens or (self._estimated(texts) if failure.reached else Tokens())
        self._count(spent, failed=True)

    def _count(self, tokens: Tokens, *, failed: bool = False) -> None:
        price = self._prices.cost(self._spec.name, self._spec.endpoint, tokens) if tokens.input else 0.0
        self.ledger.add(Call(STAGE, self._spec.name, tokens, price, failed=failed))

    def _estimated(self, texts: Sequence[str]) -> Tokens:
        return Tokens(sum(estimate_tokens(text, self._spec.name) for text in texts), estimated=True)

    def _connected(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                self._client = _built(self._spec)
            return self._client


def _spec(name: str) -> ModelSpec:
    if name.startswith(OPENAI_PREFIX):
        return ModelSpec.parse(name.removeprefix(OPENAI_PREFIX))
    address, _, model = name.partition("#")
    if not model.strip():
        raise UsageError(f"'{name}' says where, but not which embedding model: write it as {address}#name.")
    return ModelSpec.parse(f"{address.rstrip('/').removesuffix('/embeddings')}#{model}")


def _built(spec: ModelSpec) -> OpenAI:
    from openai import OpenAI, Timeout

    return OpenAI(
        base_url=spec.endpoint,
        api_key=spec.bearer(),
        timeout=Timeout(min(_LONGEST_S, spec.timeout_s), connect=min(10.0, spec.timeout_s)),
        max_retries=0,
    )


def _understood(error: Exception, label: str) -> RequestFailure:
    """Return what an exception means; a model that cannot embed says so in many ways."""
    if isinstance(error, ModelError):
        return RequestFailure(error)
    if isinstance(error, (ValueError, TypeError, KeyError, AttributeError, IndexError)) and not hasattr(error, "body"):
        told = f"{label} answered something that holds no vectors. Check its address, and that the model embeds texts."
        return RequestFailure(ReplyError(told), error, reached=True)
    return understand(error, label)
