"""Follow-up questions by rules: what a pronoun or a shortened question is about, from the turns before it.

`several` takes two questions in one apart and answers them one after the other.
"""

from __future__ import annotations

from .standalone import follow_up

__all__ = ["follow_up"]
