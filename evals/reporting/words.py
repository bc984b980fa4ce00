"""Small things of names: places in a page, and lists of names without repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["names", "slug"]


def slug(name: str) -> str:
    """Return a name as part of an id: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "unnamed"


def names(lists: Iterable[Iterable[str]]) -> list[str]:
    """Return all names, each once, in the order they first come in."""
    return list(dict.fromkeys(name for listed in lists for name in listed))
