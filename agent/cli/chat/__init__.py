"""`multicube chat`: a conversation with a knowledge base, in a terminal or through a pipe."""

from __future__ import annotations

from .command import chat

__all__ = ["chat"]
