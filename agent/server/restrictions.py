"""Which documents a question may be answered from, as a request says it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ...cubes.core.records import Filters
from .bounds import Text

__all__ = ["Restrictions"]

_Date = Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$", examples=["1998-05-31"])]


class Restrictions(BaseModel):
    """Files, folders or patterns, metadata that must be equal, and the dates between which a document must lie."""

    model_config = ConfigDict(extra="forbid")

    sources: Annotated[list[Text], Field(max_length=100)] = []
    metadata: Annotated[dict[Text, Text | int | float | bool], Field(max_length=100)] = {}
    since: _Date | None = None
    until: _Date | None = None

    def filters(self) -> Filters:
        """Return the filters that these are."""
        return Filters(tuple(self.sources), dict(self.metadata), self.since, self.until)
