"""Names kept for readers that import them from here."""

from __future__ import annotations

from .mentions import starts_name
from .plan import is_linked

__all__ = ["is_linked", "starts_name"]
