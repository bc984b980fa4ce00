"""Follow-up questions by rules: what a pronoun or a shortened question is about, from the turns before it."""

from __future__ import annotations

from .standalone import follow_up

__all__ = ["follow_up"]
