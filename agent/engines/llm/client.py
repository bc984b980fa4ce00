"""Asking a language model: typed replies and texts, paid for once, counted, paced, and within caps."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel, Field

from ....graphs.records import Usage
from ....prompts import Prompt, PromptLibrary, Rendered
from .cost.cache import ReplyCache, reply_key
from .cost.limits import Budget, Caps
from .cost.prices import Prices
from .cost.tokens import estimate_tokens
from .cost.usage import Call, Ledger, Tokens
from .errors import (
    ContextLengthError,
    DeadlineError,
    ModelTimeoutError,
    RateLimitError,
    RejectedError,
    ReplyError,
    TruncatedReplyError,
)
from .transport.acceptance import InvalidReplyError, UnfinishedThoughtError, accepted, plain
from .transport.chat_transport import THOUGHTS, ChatTransport, transport_to
from .transport.failures import RequestFailure, refuses_bound
from .transport.forms import ReplySchema, SchemaMismatchError
from .transport.observers import exchange
from .transport.rate import Limiter
from .transport.retries import Retry
from .transport.spec import ModelSpec
from .transport.streaming import ReplyStreamer
from .transport.structured import MODES, Mode, ModelReply, ModelRequest, ModeMemory, after, model_request, usable
from .waits import waiting

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["ModelClient", "Preflight", "total_usage"]

T = TypeVar("T", bound=BaseModel)
V = TypeVar("V")

_PREFLIGHT_TOKENS = 100
_PLAIN = "The answer itself, as plain text."


@dataclass(frozen=True, slots=True)
class Preflight:
    """What an endpoint turned out to do: the way typed replies come, and whether it reports what it used."""

    mode: Mode
    usage_reported: bool


class Ready(BaseModel):
    """Say whether you are ready."""

    ready: bool = Field(description="true if you can read this")


class ModelClient:
    """A chat model with everything around it; several threads may ask at once.

    ``model`` is one by name, or any chat model of LangChain. ``cache`` keeps replies, ``modes`` what the endpoint can
    do; without them both are forgotten with the client. ``caps`` bound what this client and its runs may spend.
    """

    def __init__(
        self,
        model: ModelSpec | BaseChatModel,
        *,
        cache: ReplyCache | None = None,
        modes: ModeMemory | None = None,
        ledger: Ledger | None = None,
        caps: Caps | None = None,
        prices: Prices | None = None,
        retry: Retry | None = None,
        limiter: Limiter | None = None,
        repair: Prompt | None = None,
    ) -> None:
        self._transport: ChatTransport = transport_to(model)
        self._cache = cache
        self._modes = modes or ModeMemory()
        self.ledger = ledger or Ledger()
        self._budget = Budget(caps or Caps(), self.ledger)
        self._prices = prices or Prices()
        self._retry = retry or Retry()
        self._limiter = limiter or Limiter.of(self._transport.endpoint)
        self._repair = repair or PromptLibrary.load()["repair"]
        self._identity = f"{self._transport.endpoint} {self._transport.model}"
        self._deadline: float | None = None

    @property
    def model(self) -> str:
        """The model's name."""
        return self._transport.model

    @property
    def usage(self) -> Usage:
        """What this client spent, as a run records it."""
        return self.ledger.usage()

    @property
    def label(self) -> str:
        """The model as traces and messages call it."""
        return self._transport.label

    @property
    def endpoint(self) -> str:
        """Where the texts go."""
        return self._transport.endpoint

    @property
    def window(self) -> int | None:
        """How many tokens the model can read, once its endpoint has said so by refusing more."""
        return self._transport.window

    @property
    def mode(self) -> Mode | None:
        """The way in which typed replies are asked for, once it is known."""
        return self._modes.get(self._identity)

    def for_run(self, caps: Caps | None = None, deadline: float | None = None) -> ModelClient:
        """Return the same client with a ledger (and caps) of its own; what it spends counts for this one as well.

        Until ``deadline``, a reading of the clock (`time.monotonic`), everything must be answered: what is not by then
        is a DeadlineError, and an endpoint that fails by itself is given up before.
        """
        child = copy.copy(self)
        child._deadline = deadline
        child.ledger = self.ledger.child()
        child._budget = Budget(caps or Caps(), child.ledger, self._budget)
        return child

    def price(self, tokens: Tokens) -> float | None:
        """Return what tokens of this model cost in US dollars; None where the price is not known."""
        if not (tokens.input or tokens.output):
            return 0.0
        return self._prices.cost(self._transport.model, self._transport.endpoint, tokens)

    def tokens_of(self, text: str) -> int:
        """Return about how many tokens this model makes of a text."""
        return estimate_tokens(text, self._transport.model)

    def ask(self, stage: str, prompt: Rendered, reply: type[T]) -> T:
        """Return the model's typed reply to a prompt; ``stage`` is under which it is counted.

        Raises a ModelError; ReplyError when the reply cannot be used, also after one more try with the reason.
        """
        form = _form(reply)
        kept = [self._key(model_request(prompt, mode, form)) for mode in ([self.mode] if self.mode else MODES)]
        with self._flight(reply_key(prompt.system, prompt.user, form.schema)):
            if (found := self._kept(stage, kept, form.read)) is not None:
                return cast(T, found)
            return cast(T, self._ask(stage, prompt, form))

    def text(
        self,
        stage: str,
        prompt: Rendered,
        on_token: Callable[[str], None] | None = None,
        on_restart: Callable[[], None] | None = None,
    ) -> str:
        """Return the model's reply to a prompt as text; with ``on_token`` it is shown while it is written.

        A reply that breaks off is begun again, and `ReplyStreamer` says what is shown then. Raises a ModelError.
        """
        asked = model_request(prompt)
        key = self._key(asked)
        with self._flight(key):
            found = self._kept(stage, [key], lambda kept: plain(ModelReply(kept)))
            if found is not None:
                if on_token is not None:
                    on_token(found)
                return found
            showing = ReplyStreamer(on_token, on_restart) if on_token is not None else None
            try:
                return self._exchange(stage, asked, plain, showing=showing)
            except InvalidReplyError as spoiled:
                return self._again(stage, asked, spoiled, _PLAIN, plain, showing)

    def add_estimate(self, prompt: Rendered, reply: type[BaseModel]) -> Tokens | None:
        """Return about what the model would read if it were asked; None where its reply is here already."""
        form = _form(reply)
        modes = [self.mode] if self.mode else MODES
        keys = (self._key(model_request(prompt, mode, form)) for mode in modes)
        if self._cache is not None and any(self._cache.get(key) is not None for key in keys):
            return None
        return Tokens(self.tokens_of(model_request(prompt, modes[0], form).text), estimated=True)

    def preflight(self) -> Preflight:
        """Find out anew what the endpoint can do, with requests of a few tokens, and remember it.

        Raises the ModelError that says why the model cannot be used.
        """
        self._modes.remember(self._identity, None)
        words = "This is a test of the connection. Reply that you are ready."
        prompt = Rendered("preflight", "1", "", words, max_tokens=_PREFLIGHT_TOKENS)
        probe = self.for_run(deadline=self._deadline)
        probe._cache = None
        probe._ask("preflight", prompt, _form(Ready))
        return Preflight(cast(Mode, self.mode), usage_reported=not probe.ledger.total.estimated)

    def _ask(self, stage: str, prompt: Rendered, form: ReplySchema[Any]) -> BaseModel:
        mode = self.mode
        if mode is not None:
            try:
                return self._settled(stage, model_request(prompt, mode, form))
            except RejectedError:
                self._modes.remember(self._identity, None)
        return self._detected(stage, prompt, form, after(mode))

    def _settled(self, stage: str, asked: ModelRequest) -> BaseModel:
        """Ask in the way that is known to work; a reply that stays unusable puts that in question."""
        form = cast(ReplySchema[Any], asked.form)
        try:
            return self._exchange(stage, asked, lambda reply: usable(reply, form))
        except InvalidReplyError as spoiled:
            try:
                return self._again(stage, asked, spoiled, form.described, lambda reply: usable(reply, form))
            except ReplyError:
                self._modes.remember(self._identity, None)
                raise

    def _detected(self, stage: str, prompt: Rendered, form: ReplySchema[Any], ways: Sequence[Mode]) -> BaseModel:
        """Ask in one way after the other until a reply comes in its form, and remember the way."""
        with self._modes.detecting(self._identity):
            if (known := self.mode) is None:
                return self._tried(stage, prompt, form, [mode for mode in ways if self._transport.offers(mode)])
        return self._settled(stage, model_request(prompt, known, form))

    def _tried(self, stage: str, prompt: Rendered, form: ReplySchema[Any], ways: Sequence[Mode]) -> BaseModel:
        for mode in ways:
            asked = model_request(prompt, mode, form)
            try:
                found = self._exchange(stage, asked, lambda reply: usable(reply, form))
            except (RejectedError, InvalidReplyError) as error:
                if mode != ways[-1]:
                    continue
                if isinstance(error, RejectedError):
                    raise
                found = self._again(stage, asked, error, form.described, lambda reply: usable(reply, form))
            self._modes.remember(self._identity, mode)
            return found
        raise RejectedError(f"{self.label} offers no way to reply in a given form; use another model.")

    def _again(
        self,
        stage: str,
        asked: ModelRequest,
        spoiled: InvalidReplyError,
        form: str,
        use: Callable[[ModelReply], V],
        showing: ReplyStreamer | None = None,
    ) -> V:
        """Ask once more, saying what was wrong; what comes is kept as the reply to the first request."""
        repair = self._repair.fill({"problem": f"{spoiled.problem}.", "format": form})
        try:
            again = asked.again(spoiled.said, repair)
            return self._exchange(stage, again, use, key=self._key(asked), showing=showing)
        except InvalidReplyError as worse:
            raise ReplyError(
                f"The reply of {self.label} cannot be used for '{stage}', also when asked again: {worse.problem}. "
                "Use a more capable model."
            ) from None

    def _exchange(
        self,
        stage: str,
        asked: ModelRequest,
        use: Callable[[ModelReply], V],
        *,
        key: str | None = None,
        showing: ReplyStreamer | None = None,
    ) -> V:
        """Send a letter until it is answered, and return what use makes of the reply; the reply is kept at once."""

        while True:
            try:
                with waiting():
                    return self._retry.run(
                        partial(self._once, stage, asked, use, key, showing),
                        None if self._deadline is None else self._remaining,
                    )
            except UnfinishedThoughtError:
                continue  # now with room for its thoughts
            except (ModelTimeoutError, TimeoutError) as error:
                if self._deadline is None:
                    raise
                raise self._late(stage) from error
            except (RejectedError, ContextLengthError) as error:
                if isinstance(error, ContextLengthError):
                    self._transport.window = error.window or self._transport.window
                if isinstance(error, RejectedError) and self._transport.adapt(RequestFailure(error)):
                    continue
                if not (asked.bound and asked.sent and refuses_bound(str(error))):
                    raise
                asked = replace(asked, sent=False)  # what is left of its window bounds it

    def _once(
        self, stage: str, asked: ModelRequest, use: Callable[[ModelReply], V], key: str | None,
        showing: ReplyStreamer | None
    ) -> V:
        with self._limiter.slot(self._left(stage)) as began, self._budget.reserve(*self._expected(stage, asked)):
            if showing is not None:
                showing.begin()
            sent, room = self._retry.clock(), self._transport.room
            try:
                with exchange(stage, self._transport.model, asked) as made:
                    show = showing.piece if showing is not None else None
                    made.answered = self._transport.send(asked, show, self._left(stage))
                reply, tokens = made.answered
            except RequestFailure as failure:
                failure.seconds = self._retry.clock() - sent
                self._failed(stage, asked, failure, began)
                raise
            self._limiter.answered()
            try:
                return self._received(stage, asked, reply, tokens, use, key)
            except UnfinishedThoughtError as error:
                if room or not asked.bound:
                    raise TruncatedReplyError(str(error)) from None
                self._transport.room = THOUGHTS
                raise

    def _remaining(self) -> float:
        return cast(float, self._deadline) - self._retry.clock()

    def _left(self, stage: str) -> float | None:
        """The seconds that are left; raises DeadlineError where there are none."""
        if self._deadline is None:
            return None
        left = self._remaining()
        if left <= 0:
            raise self._late(stage)
        return left

    def _late(self, stage: str) -> DeadlineError:
        return DeadlineError(f"The time allowed ran out before {self.label} had answered for '{stage}'.")

    def _received(
        self, stage: str, asked: ModelRequest, reply: ModelReply, tokens: Tokens | None, use: Callable[[ModelReply], V],
        key: str | None
    ) -> V:
        spent = tokens or self._estimated(asked, reply.said)
        usable_as: V | None = None
        try:
            usable_as = accepted(reply, asked, use, stage=stage, label=self.label)
            return usable_as
        finally:
            if usable_as is not None and self._cache is not None:
                self._cache.put(key or self._key(asked), reply.said)
            self._count(stage, spent, failed=usable_as is None)

    def _failed(self, stage: str, asked: ModelRequest, failure: RequestFailure, began: float) -> None:
        if isinstance(failure.error, RateLimitError):
            self._limiter.busy(began, failure.retry_after)
        failure.absent = failure.absent and not self._limiter.heard
        spent = Tokens()
        if failure.tokens is not None or failure.reached:
            spent = failure.tokens or self._estimated(asked, failure.partial)
        self._count(stage, spent, failed=True)

    def _count(self, stage: str, spent: Tokens, *, failed: bool = False) -> None:
        self.ledger.add(Call(stage, self._transport.model, spent, self.price(spent), failed=failed))

    def _expected(self, stage: str, asked: ModelRequest) -> tuple[Tokens, float | None]:
        output = self.ledger.expected_output(stage)
        expected = Tokens(self.tokens_of(asked.text), min(output, asked.bound or output), estimated=True)
        return expected, self.price(expected)

    def _estimated(self, asked: ModelRequest, said: str) -> Tokens:
        return Tokens(self.tokens_of(asked.text), self.tokens_of(said) if said else 0, estimated=True)

    def _key(self, asked: ModelRequest) -> str:
        transport, schema = self._transport, asked.form.schema if asked.form is not None else None
        return reply_key(transport.endpoint, transport.model, transport.settings, asked.mode, asked.messages, schema)

    def _flight(self, key: str) -> Any:
        return self._cache.flight(key) if self._cache is not None else nullcontext()

    def _kept(self, stage: str, keys: Sequence[str], read: Callable[[str], V]) -> V | None:
        """Return the reply that was paid for already, and say so in the ledger."""
        for key in keys if self._cache is not None else ():
            reply = cast(ReplyCache, self._cache).get(key)
            if reply is None:
                continue
            try:
                found = read(reply)
            except SchemaMismatchError:
                continue
            self.ledger.add(Call(stage, self._transport.model, cached=True))
            return found
        return None


def total_usage(clients: Iterable[ModelClient]) -> Usage:
    """Return what several clients spent, each counted once."""
    return reduce(Usage.plus, (client.usage for client in dict.fromkeys(clients)), Usage())


@lru_cache(maxsize=128)
def _form(reply: type[T]) -> ReplySchema[T]:
    return ReplySchema(reply)
