"""Which model to ask, and where: read from the words a person writes and from the environment."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

import yaml
from pydantic import SecretStr

from .....cubes.core.errors import UsageError
from ..errors import AuthError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ["ModelRoles", "ModelSpec", "servers"]

OPENAI = "https://api.openai.com/v1"
_NO_KEY = "none"  # the client library wants a key, a server without keys ignores it


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model at an endpoint.

    ``timeout_s`` bounds the wait for (the next piece of) a reply; ``max_output`` the tokens of a reply (None: as the
    prompt says); a ``temperature`` of None leaves it to the endpoint.
    """

    name: str
    endpoint: str = OPENAI
    key: SecretStr | None = None
    temperature: float | None = 0.0
    timeout_s: float = 300.0
    max_output: int | None = None

    @classmethod
    def parse(cls, text: str, env: Mapping[str, str] | None = None) -> Self:
        """Read "gpt-4o-mini", "ollama:name" or "http://host:port/v1#name"; the key comes from the environment.

        A short name (`servers.yaml`) stands for the address that such a server usually has on this machine.
        A bare name is OpenAI's, or that of the endpoint in OPENAI_BASE_URL, and its key is OPENAI_API_KEY. Any other
        endpoint gets MULTICUBE_API_KEY and never OpenAI's key. Raises UsageError saying what is wrong.
        """
        env = os.environ if env is None else env
        text = text.strip()
        theirs = (env.get("OPENAI_BASE_URL") or env.get("OPENAI_API_BASE") or OPENAI).strip()
        text = _written_out(text)
        if "://" not in text:
            if not text or "#" in text or any(mark.isspace() for mark in text):
                raise UsageError(
                    f"'{text}' names no model; write a name such as gpt-4o-mini, ollama:llama3.2, or "
                    "http://host:port/v1#name."
                )
            return cls(text, _endpoint(theirs), _key(env, "OPENAI_API_KEY", "MULTICUBE_API_KEY"))
        address, _, name = text.partition("#")
        endpoint = _endpoint(address)
        if not name.strip():
            raise UsageError(f"'{endpoint}' says where, but not which model: write it as {endpoint}#name.")
        own = ("OPENAI_API_KEY",) if endpoint in (OPENAI, theirs.rstrip("/")) else ()
        return cls(name.strip(), endpoint, _key(env, *own, "MULTICUBE_API_KEY"))

    @property
    def label(self) -> str:
        """The model as it is written on the command line; it never holds the key."""
        return self.name if self.is_openai else f"{self.endpoint}#{self.name}"

    @property
    def is_openai(self) -> bool:
        """Whether the endpoint is OpenAI's own."""
        return self.endpoint == OPENAI

    def bearer(self) -> str:
        """Return the key to send; raises AuthError where the endpoint is OpenAI's and there is none."""
        if self.key is not None:
            return self.key.get_secret_value()
        if self.is_openai:
            raise AuthError(f"The model {self.name} needs a key: set OPENAI_API_KEY.")
        return _NO_KEY

    def with_timeout(self, seconds: float) -> Self:
        """Return the same model, waited for at most so long."""
        return replace(self, timeout_s=seconds)


@dataclass(frozen=True, slots=True)
class ModelRoles:
    """The models of the three kinds of work: deciding the steps, reading answers off text, extracting facts."""

    reason: ModelSpec | BaseChatModel
    read: ModelSpec | BaseChatModel
    extract: ModelSpec | BaseChatModel

    @classmethod
    def of(
        cls,
        model: str | ModelSpec | BaseChatModel,
        *,
        read: str | ModelSpec | BaseChatModel | None = None,
        extract: str | ModelSpec | BaseChatModel | None = None,
    ) -> Self:
        """Take one model for everything, or others for reading and for extraction."""
        reason = _given(model)
        return cls(reason, _given(read) if read else reason, _given(extract) if extract else reason)


@cache
def servers() -> dict[str, str]:
    """Return the short names of servers with their addresses."""
    text = files(__package__).joinpath("servers.yaml").read_text("utf-8")
    return {str(name): str(address) for name, address in yaml.safe_load(text).items()}


def _written_out(text: str) -> str:
    """Put the address of a server in place of its short name; raises UsageError for one that is nearly such a name."""
    short, colon, name = text.partition(":")
    if not colon or name.startswith("//"):
        return text
    if short in servers():
        return f"{servers()[short]}#{name}"
    if near := difflib.get_close_matches(short.casefold(), servers(), n=1, cutoff=0.75):
        raise UsageError(f"There is no server '{short}'; did you mean {near[0]}:{name}?")
    return text


def _given(model: str | ModelSpec | BaseChatModel) -> ModelSpec | BaseChatModel:
    return ModelSpec.parse(model) if isinstance(model, str) else model


def _endpoint(address: str) -> str:
    address = address.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or True)
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"'{address}' is no address of an endpoint; write it as http://host:port/v1#name.")
    if parts.username or parts.password:
        raise UsageError("A key does not belong into the endpoint's address; set MULTICUBE_API_KEY to it.")
    return address


def _key(env: Mapping[str, str], *names: str) -> SecretStr | None:
    return next((SecretStr(env[name].strip()) for name in names if env.get(name, "").strip()), None)
