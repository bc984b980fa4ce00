"""The ways to get a typed reply out of an endpoint, and the memory of which one works where."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel

from .....prompts import Rendered
from ..json_memory import recalled, remember
from .forms import ReplySchema

__all__ = ["MODES", "Mode", "ModeMemory", "ModelReply", "ModelRequest", "after", "model_request", "usable"]

Mode = Literal["json_schema", "schema_object", "tools", "json_mode", "text"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""From the one that binds a model most to the one that any model knows; the second is llama.cpp's own."""


_BINDING: tuple[Mode, ...] = ("json_schema", "schema_object", "tools")


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What is asked: the messages (role and text) and, for a typed reply, its form and how it is asked for.

    A message of the role "image" is a data URL, shown with the message of the user after it. ``bound`` are the most
    tokens that the reply may have (0: any number); ``sent`` False keeps that from an endpoint that cannot grant it.
    """

    messages: tuple[tuple[str, str], ...]
    mode: Mode | None = None
    form: ReplySchema[Any] | None = None
    bound: int = 0
    sent: bool = True

    @property
    def text(self) -> str:
        """All words that the model reads, for estimates."""
        schema = json.dumps(self.form.schema) if self.form and self.mode in _BINDING else ""
        return "\n".join([*(text for role, text in self.messages if role != "image"), schema])

    def again(self, said: str, repair: Rendered) -> ModelRequest:
        """Return the letter that asks once more, after an unusable reply."""
        if said.strip():
            return replace(self, messages=(*self.messages, ("assistant", said), ("user", repair.user)))
        # Endpoints refuse an empty message of the assistant, and two of the user in a row.
        *before, (role, text) = self.messages
        return replace(self, messages=(*before, (role, f"{text}\n\n{repair.user}")))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back: words, or the fields of a tool's call. ``finish`` is why it ended, in the vendor's word."""

    text: str = ""
    fields: dict[str, Any] | None = None
    finish: str = ""
    refusal: str = ""

    @property
    def said(self) -> str:
        """The reply as text."""
        return self.text if self.fields is None else json.dumps(self.fields, ensure_ascii=False)


def model_request(prompt: Rendered, mode: Mode | None = None, form: ReplySchema[Any] | None = None) -> ModelRequest:
    """Put a prompt into messages; where the endpoint does not enforce the form, the prompt says it."""
    user = prompt.user
    if form is not None and mode in ("json_mode", "text"):
        user = f"{user}\n\nReply with nothing but this. {form.described}"
    messages = (("system", prompt.system),) if prompt.system else ()
    images = (("image", url) for url in prompt.images)
    return ModelRequest((*messages, *images, ("user", user)), mode, form, prompt.max_tokens)


def usable(reply: ModelReply, form: ReplySchema[Any]) -> BaseModel:
    """Return the typed reply; raises SchemaMismatchError."""
    if reply.fields is not None:
        return cast(BaseModel, form.of(reply.fields))
    return cast(BaseModel, form.read(reply.text))


class ModeMemory:
    """Remembers, for each endpoint and model, which way works; in a file, where there is one.

    The file holds nothing that cannot be found out again: if it cannot be read or written, it is done without.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._detecting: dict[str, threading.Lock] = {}
        self._modes = self._read()

    def get(self, identity: str) -> Mode | None:
        """Return the way that worked last."""
        with self._lock:
            return self._modes.get(identity)

    def remember(self, identity: str, mode: Mode | None) -> None:
        """Keep a way that works; None forgets it, so that it is found out anew."""
        with self._lock:
            if self._modes.get(identity) == mode:
                return
            self._modes = self._read() | self._modes
            self._modes.pop(identity, None)
            if mode is not None:
                self._modes[identity] = mode
            if self._file is not None:
                remember(self._file, self._modes)

    @contextmanager
    def detecting(self, identity: str) -> Iterator[None]:
        """Let one thread at a time find out what an endpoint can do."""
        with self._lock:
            lock = self._detecting.setdefault(identity, threading.Lock())
        with lock:
            yield

    def _read(self) -> dict[str, Mode]:
        if self._file is None:
            return {}
        found = recalled(self._file)
        return {str(name): mode for name, mode in found.items() if mode in MODES} if isinstance(found, dict) else {}


def after(mode: Mode | None) -> Sequence[Mode]:
    """Return the ways that are left to try when one does not work; all of them when none is known."""
    return MODES if mode is None else MODES[MODES.index(mode) + 1 :] or MODES
