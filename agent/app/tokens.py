"""Tokens with rights: who may read, write or administer which knowledge bases of a folder.

They are kept in ``tokens.json`` there, or in PostgreSQL where that keeps the knowledge bases.

A token is shown once, when it is made; only its hash is kept. It is drawn with 256 bits, so that a plain hash is
enough: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ...cubes.core.errors import KnowledgeBaseError, UsageError
from ...cubes.store.database import read_setting, write_setting
from .readers import Reader

__all__ = ["EVERYWHERE", "TOKENS_FILE", "Right", "TokenEntry", "TokenFile"]

TOKENS_FILE = "tokens.json"
EVERYWHERE = "*"
"""Stands for every knowledge base of the folder."""

Right = Literal["read", "write", "admin"]
Word = Annotated[str, Field(pattern=r"^[\w.@-]{1,100}$")]


class TokenEntry(BaseModel):
    """A token: ``rights`` by the knowledge base's name, or by `EVERYWHERE`; ``groups`` for what documents demand."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Word
    hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    rights: dict[Word | Literal["*"], Right]
    groups: tuple[Word, ...] = ()

    def right(self, kb: str) -> Right | None:
        """Return the right to a knowledge base; one that is named counts more than all."""
        return self.rights.get(kb, self.rights.get(EVERYWHERE))

    def reader(self, kb: str) -> Reader | None:
        """Return who the token is in a knowledge base; None where it has no right there."""
        right = self.right(kb)
        if right is None:
            return None
        # The name may be given again to somebody else; whose runs they are goes by the token.
        return Reader(self.hash[:16], frozenset(self.groups), right != "read", right == "admin")


_ENTRIES = TypeAdapter(tuple[TokenEntry, ...])


class TokenFile:
    """The tokens of a folder. It is read anew at every look, so that one that is removed ends at once."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / TOKENS_FILE

    def exists(self) -> bool:
        """Whether there are tokens, so that every request must bring one."""
        return read_setting(self.path) is not None

    def entries(self) -> tuple[TokenEntry, ...]:
        """Return the tokens; raises KnowledgeBaseError where the file cannot be read: then no token counts."""
        try:
            return _ENTRIES.validate_json(read_setting(self.path) or b"[]")
        except ValidationError as error:
            raise KnowledgeBaseError(f"{self.path} cannot be used: {error.errors()[0]['msg']}.") from None
        except OSError as error:
            raise KnowledgeBaseError(f"{self.path} cannot be read ({error.strerror}).") from None

    def find(self, token: str) -> TokenEntry | None:
        """Return what a token is; None for one that there is not."""
        hashed = _hash(token)
        return next((entry for entry in self.entries() if secrets.compare_digest(entry.hash, hashed)), None)

    def add(self, name: str, rights: Sequence[str], groups: Iterable[str] = ()) -> str:
        """Make a token and return it: nobody can read it later.

        A right is "read", or "sales=read" for one knowledge base. Raises UsageError for what is no right or no name,
        and for a name that is taken.
        """
        known, token = self.entries(), secrets.token_urlsafe(32)
        if any(entry.name == name for entry in known):
            raise UsageError(f"There is a token '{name}' already; remove it first, or choose another name.")
        said = {"name": name, "hash": _hash(token), "rights": _rights(rights), "groups": sorted({*groups})}
        try:
            entry = TokenEntry.model_validate(said)
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"][:2])
            raise UsageError(
                f"'{where}' is not valid: rights are read, write or admin (or KB=read); names and groups are letters, "
                "digits, '.', '-', '_' and '@'."
            ) from None
        self._write((*known, entry))
        return token

    def remove(self, name: str) -> None:
        """Remove a token, which counts no more from now on; raises UsageError where there is none of the name."""
        known = self.entries()
        if all(entry.name != name for entry in known):
            raise UsageError(f"There is no token '{name}'.", listed_by="multicube tokens list")
        self._write(tuple(entry for entry in known if entry.name != name))

    def _write(self, entries: tuple[TokenEntry, ...]) -> None:
        """Write the file, wholly or not at all; nobody else of the machine reads it."""
        said = json.dumps([entry.model_dump(mode="json") for entry in entries], indent=2)
        write_setting(self.path, f"{said}\n".encode(), mode=0o600)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _rights(said: Sequence[str]) -> dict[str, str]:
    """Read rights: "read" is for every knowledge base, "sales=read" for one."""
    found = {}
    for each in said:
        kb, equals, right = each.rpartition("=")
        found[kb if equals else EVERYWHERE] = right
    return found
