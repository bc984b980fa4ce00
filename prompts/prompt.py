"""A prompt as its file describes it: checked when it is loaded, filled in one pass."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from .fence import fenced

__all__ = ["Deviation", "Prompt", "PromptError", "Rendered"]

_SLOT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


class PromptError(ValueError):
    """A prompt's file cannot be used, or is filled with the wrong variables; names the prompt and the variable."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A filled prompt: the two messages it makes, and which version of which prompt they come from.

    ``images`` are shown with the second message, each as a data URL; ``max_tokens`` are the most that the reply may
    need (0: not said).
    """

    prompt: str
    version: str
    system: str
    user: str
    images: tuple[str, ...] = ()
    max_tokens: int = 0


class Deviation(BaseModel):
    """Where a prompt does not have the words of its paper: theirs, ours (either may be empty), and the reason."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str = ""
    ours: str = ""
    reason: str = Field(min_length=1)


class Prompt(BaseModel):
    """One prompt.

    ``variables`` names what the template is filled with and says what each is; in the template ``{name}`` stands for
    it, and any other brace is itself. Those in ``fenced`` hold text of the corpus or of an earlier reply, which reaches
    the model between fences (`fence.fenced`). ``source`` is the paper's appendix or equation that it follows.
    ``deviations`` are the places where the second message differs from a prompt printed there; the first message is
    always ours.
    ``max_tokens`` are the most that a reply may need: a model is let write no more (0 only where another prompt's reply
    is asked for once more).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: int = Field(ge=1)
    source: str = Field(min_length=1)
    purpose: str = Field(min_length=1)
    max_tokens: int = Field(ge=0, le=100_000)
    variables: dict[str, str] = Field(min_length=1)
    fenced: tuple[str, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    system: str = ""
    user: str = Field(min_length=1)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        used, known = set(_SLOT.findall(self.system + self.user)), set(self.variables)
        if unknown := sorted(used - known):
            raise ValueError(f"the template uses {_names(unknown)}, which is no variable of it")
        if unused := sorted(known - used):
            raise ValueError(f"the template does not use its variable {_names(unused)}")
        if strange := sorted(set(self.fenced) - known):
            raise ValueError(f"fenced names {_names(strange)}, which is no variable of it")
        return self

    @classmethod
    def read(cls, fields: Any, origin: str) -> Self:
        """Return the prompt that a file's fields describe; raises PromptError naming ``origin`` and what is wrong."""
        if not isinstance(fields, dict):
            raise PromptError(f"{origin} is no prompt: name, version, source, purpose, variables and user are needed.")
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            said = str(first["msg"]).removeprefix("Value error, ").rstrip(".")
            raise PromptError(f"{origin} cannot be used: {f'{where}: ' if where else ''}{said}.") from error

    @cached_property
    def fingerprint(self) -> str:
        """The version with a mark of the wording ("2-1f3a9c"), so that an edited prompt is another one."""
        digest = hashlib.blake2b(f"{self.system}\0{self.user}".encode(), digest_size=3).hexdigest()
        return f"{self.version}-{digest}"

    def fill(self, values: Mapping[str, str]) -> Rendered:
        """Fill the template; what a value says is never read as a variable.

        Raises PromptError naming the variable that is missing or that the prompt does not have.
        """
        if missing := sorted(set(self.variables) - set(values)):
            raise PromptError(f"The prompt '{self.name}' is missing its variable {_names(missing)}.")
        if unknown := sorted(set(values) - set(self.variables)):
            raise PromptError(f"The prompt '{self.name}' has no variable {_names(unknown)}.")
        ready = {name: fenced(name, text) if name in self.fenced else text for name, text in values.items()}
        system, user = (_SLOT.sub(lambda slot: ready[slot[1]], text).strip() for text in (self.system, self.user))
        return Rendered(self.name, self.fingerprint, system, user, max_tokens=self.max_tokens)


def _names(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
