"""How much of a list a request may ask for, and what names a thing in a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import HTTPException, Path, Query
from pydantic import Field

from ...cubes.core.errors import UsageError

__all__ = ["ERRORS", "Identifier", "Limit", "Offset", "Search", "Text", "found"]

Found = TypeVar("Found")

Limit = Annotated[int, Query(ge=1, le=500, description="At most so many.")]
Offset = Annotated[int, Query(ge=0, le=10_000_000, description="Leave out so many before them.")]
Search = Annotated[str, Query(max_length=500, description="Only those that contain this.")]
Identifier = Annotated[str, Path(max_length=200)]
Text = Annotated[str, Field(max_length=2**20)]
"""Any text of a body. Its bound is more than a body holds: pydantic reads half a character (a lone surrogate), which
nothing could store or send back, as a text where there is no bound at all."""

_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}}
    },
}
ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "One sentence on what is wrong.", "content": {"application/json": {"schema": _ERROR}}}
}
"""How every route's refusals are documented."""


def found(find: Callable[[], Found]) -> Found:
    """Return what a path names; raises 404 where there is nothing of that name."""
    try:
        return find()
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
