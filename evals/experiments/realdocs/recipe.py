"""What the benchmark is made of: the packages of its four corpora (``corpora.yaml``), and the questions about them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ....cubes.core.errors import InputError, UsageError

__all__ = [
    "KINDS",
    "PASSAGES",
    "RECIPE",
    "Corpus",
    "Kind",
    "Package",
    "PackageFiles",
    "RealQuestion",
    "corpora",
    "questions",
]

RECIPE = Path(__file__).parent

Kind = Literal[
    "fact", "default", "command", "yes-no", "list", "two-hop",
    "definition", "how-to", "why", "what-if", "comparison", "unanswerable",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "fact", "default", "command", "yes-no", "list", "two-hop",
    "definition", "how-to", "why", "what-if", "comparison", "unanswerable",
)  # fmt: skip
PASSAGES: frozenset[Kind] = frozenset({"command", "definition", "how-to", "why", "what-if", "comparison"})
"""The kinds that a passage of the documents answers as well as a short answer does."""

_Text = Annotated[str, Field(min_length=1)]


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PackageFiles(_Checked):
    """Files of a package by their path in it (wild cards allowed), and the name they get; or some lines of one file.

    The lines are those from the line ``start`` to the one before the line ``end``.
    """

    source: _Text = Field(alias="from")
    to: str = ""
    start: str = ""
    end: str = ""


class Package(_Checked):
    """A Debian package: the version and the hash (SHA-256) of the file that the questions were written from."""

    package: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]+$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9.+:~-]+$")]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    licence: _Text
    take: Annotated[tuple[PackageFiles, ...], Field(min_length=1)]


class Corpus(_Checked):
    """A folder of documents, ingested into a knowledge base of its own; ``holds`` says what they are."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    holds: _Text
    packages: tuple[Package, ...] = ()


class RealQuestion(_Checked):
    """A question with what was expected before anybody asked it.

    ``answers`` are short answers in several wordings, ``members`` what a full list names, ``quote`` verbatim phrases of
    which a right quotation holds one, and ``document`` the file that says it.
    """

    id: _Text
    question: _Text
    answers: tuple[_Text, ...] = ()
    members: tuple[_Text, ...] = ()
    quote: tuple[_Text, ...] = ()
    document: str = ""
    kind: Kind
    answerable: bool = True

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.answerable == (self.kind == "unanswerable"):
            raise ValueError('a question is of the kind "unanswerable" where nothing answers it, and only there')
        if self.answerable and not (self.answers or self.members or self.quote):
            raise ValueError("a question that the documents answer needs answers, members or a quote")
        return self


class _Recipe(_Checked):
    corpora: tuple[Corpus, ...]


def corpora(recipe: Path = RECIPE) -> tuple[Corpus, ...]:
    """Read ``corpora.yaml`` of a recipe's folder; UsageError where it is not there or not right."""
    file = recipe / "corpora.yaml"
    try:
        return _Recipe.model_validate(yaml.safe_load(file.read_text("utf-8"))).corpora
    except (OSError, ValidationError, yaml.YAMLError) as error:
        raise UsageError(f"{file} is no recipe of corpora: {error}") from error


def questions(name: str, recipe: Path = RECIPE) -> tuple[RealQuestion, ...]:
    """Read the questions about a corpus; InputError where they cannot be read."""
    file = recipe / "questions" / f"{name}.jsonl"
    try:
        lines = file.read_text("utf-8").splitlines()
        return tuple(RealQuestion.model_validate_json(line) for line in lines if line.strip())
    except (OSError, ValidationError) as error:
        raise InputError(f"{file} holds no questions that can be asked: {error}") from error
