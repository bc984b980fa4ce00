"""Data sets in the formats in which they are published: told apart, read record by record, put into the own layout."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .converting import prepared
    from .registry import FORMATS, Format, detect, names

__all__ = ["FORMATS", "Format", "detect", "names", "prepared"]


def __getattr__(name: str) -> Any:
    """Load what is asked for: listing the commands must not read the list of formats."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(".converting" if name == "prepared" else ".registry", __name__), name)
