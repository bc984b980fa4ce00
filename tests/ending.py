"""Commands that end by themselves, as a shell sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

__all__ = ["ends"]


def ends(run: Callable[[list[str]], object], arguments: Sequence[str], status: int = 0) -> None:
    """Run a command with its arguments and check with which status it ends."""
    with pytest.raises(SystemExit) as ended:
        run([*arguments])
    assert (ended.value.code or 0) == status
