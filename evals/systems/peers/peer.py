"""What a peer is to the evaluation: it is given the sections once, and finds some of them for a question."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ....cubes.errors import UsageError
from ..beside import folder_beside

if TYPE_CHECKING:
    from ....cubes.knowledge import KnowledgeBase

__all__ = ["Peer", "Retrieves", "Setting", "setting"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a peer is given: a folder of its own, and the model and encoder to think and embed with.

    ``model`` is an OpenAI-compatible chat model and ``url`` its endpoint ("" for OpenAI's); ``key`` its key, "" where
    the environment has none.
    """

    folder: Path
    kb: KnowledgeBase
    model: str
    url: str
    key: str


class Retrieves(Protocol):
    """An adapter: indexes texts by section id, and returns the ids of those that the peer finds, best first."""

    def index(self, texts: Mapping[str, str]) -> None:
        """Give the peer all sections; what it has indexed in its folder before is taken up."""
        ...

    def retrieve(self, question: str, k: int) -> Sequence[str]:
        """Return section ids, best first."""
        ...


@dataclass(frozen=True, slots=True)
class Peer:
    """A peer: the system's name, its own, its module, how to install it, and what it is in one sentence."""

    name: str
    called: str
    module: str
    install: str
    says: str

    @property
    def is_installed(self) -> bool:
        """Whether the package can be imported; nothing of it is."""
        try:
            return find_spec(self.module) is not None
        except (ImportError, ValueError):
            return False

    def adapter(self, given: Setting) -> Retrieves:
        """Import the peer and make its adapter; UsageError where it is not installed, or not as it should be."""
        if not self.is_installed:
            raise UsageError(f"{self.called} is not installed; it comes with: {self.install}")
        try:
            adapter: Retrieves = import_module(f".{self.name}", __package__).Adapter(given)
        except ImportError as error:
            raise UsageError(
                f"{self.called} is installed, but cannot be used as it is ({error}); install it anew: {self.install}"
            ) from error
        return adapter


def setting(kb: KnowledgeBase, name: str, thinks: Any) -> Setting:
    """Return what a peer is given: the evaluation's model, where one thinks, else the one that the environment names.

    MULTICUBE_PEER_MODEL is a model as `--model` takes it. Raises UsageError where there is neither.
    """
    from ....agent.llm.spec import ModelSpec

    named = os.environ.get("MULTICUBE_PEER_MODEL", "")
    spec = ModelSpec.parse(named) if named else thinks.models().extract if thinks is not None else None
    if not isinstance(spec, ModelSpec):
        raise UsageError(
            f"{name} needs a language model to index and to search with: set MULTICUBE_PEER_MODEL to one, written as "
            "--model takes it."
        )
    key = spec.key.get_secret_value() if spec.key is not None else ""
    return Setting(folder_beside(kb, name), kb, spec.name, "" if spec.is_openai else spec.endpoint, key)
