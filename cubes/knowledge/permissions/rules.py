"""Who may read which documents: the rules of a knowledge base, in ``permissions.yaml`` in its folder (or PostgreSQL).

A rule names documents by a pattern, and the groups that may read them. Every rule that fits a document must name one
of a reader's groups, so that their order means nothing and another rule never lets anyone see more. A pattern fits
more rather than less: capitals do not count, a folder stands for all below it, and no path depends on where a command
is started.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Sequence
from fnmatch import translate
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...core.errors import KnowledgeBaseError, UsageError
from ...store.database import read_setting, write_setting

__all__ = ["PERMISSIONS_FILE", "Permissions", "Rule", "keep_permissions", "load_permissions"]

PERMISSIONS_FILE = "permissions.yaml"

Group = Annotated[str, Field(pattern=r"^[\w.@-]{1,100}$")]
MayRead = Callable[[str, str], bool]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rule(_Strict):
    """The groups that may read the documents which a pattern names: a file, a folder, a record's id, with * and ?."""

    documents: Annotated[str, Field(min_length=1, max_length=1_000)]
    groups: tuple[Group, ...] = ()

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        said = self.documents.casefold().strip().removeprefix("./").rstrip("/") or "*"
        return re.compile("|".join(translate(each) for each in (said, f"{said}/*", f"*/{said}", f"*/{said}/*")))

    def fits(self, source: str, record_id: str) -> bool:
        """Whether a document is meant, by its file and its record's id."""
        return any(self._pattern.match(each.casefold()) for each in (source, record_id))


class Permissions(_Strict):
    """The rules of a knowledge base; ``others`` says who reads the documents that no rule fits."""

    others: Literal["everyone", "nobody"] = "everyone"
    rules: tuple[Rule, ...] = ()

    def restrict(self, groups: Collection[str]) -> bool:
        """Whether there may be documents that these groups may not read."""
        return self.others == "nobody" or any(not {*rule.groups} & {*groups} for rule in self.rules)

    def reading(self, groups: Collection[str]) -> MayRead:
        """Return what says of a document (file, record id) whether these groups may read it."""
        closed = [rule for rule in self.rules if not {*rule.groups} & {*groups}]

        def may_read(source: str, record_id: str) -> bool:
            if any(rule.fits(source, record_id) for rule in closed):
                return False
            return self.others == "everyone" or any(rule.fits(source, record_id) for rule in self.rules)

        return may_read

    def scope(self, groups: Collection[str]) -> str:
        """Name what these groups may read: other rules, or groups to which other rules are open, are another scope."""
        opened = [bool({*rule.groups} & {*groups}) for rule in self.rules]
        said = json.dumps([self.model_dump(mode="json"), opened])
        return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()

    def permitting(self, documents: str, groups: Sequence[str]) -> Permissions:
        """Return the rules with one for a pattern, in place of a former one; raises UsageError for what is none."""
        try:
            rule = Rule(documents=documents, groups=tuple(dict.fromkeys(groups)))
        except ValidationError as error:
            raise UsageError(f"That is no rule: {_first(error)}.") from None
        return self.without(documents).model_copy(update={"rules": (*self.without(documents).rules, rule)})

    def without(self, documents: str) -> Permissions:
        """Return the rules without those for a pattern."""
        kept = tuple(rule for rule in self.rules if rule.documents != documents)
        return self.model_copy(update={"rules": kept})


def load_permissions(folder: Path) -> Permissions:
    """Read the rules of a knowledge base; without a file everyone reads everything.

    Raises KnowledgeBaseError where the file cannot be understood: then nobody may read by it.
    """
    path = folder / PERMISSIONS_FILE
    try:
        return Permissions.model_validate(yaml.safe_load(read_setting(path) or b"") or {})
    except ValidationError as error:
        raise KnowledgeBaseError(f"{path} cannot be used: {_first(error)}.") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        said = " ".join(str(error).split())
        raise KnowledgeBaseError(f"{path} cannot be read ({said}); nobody may read by it until it can.") from None


def keep_permissions(folder: Path, permissions: Permissions) -> None:
    """Write the rules of a knowledge base, wholly or not at all."""
    said = yaml.safe_dump(permissions.model_dump(mode="json"), sort_keys=False, allow_unicode=True)
    write_setting(folder / PERMISSIONS_FILE, said.encode())


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
