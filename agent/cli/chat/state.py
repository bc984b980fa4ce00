"""What a chat keeps between sessions: the questions asked, in a file that only its owner reads."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["history_file"]

_KEPT_BYTES = 1_000_000


def history_file() -> Path | None:
    """Return the file of past questions in the user's state folder, made if need be; None where it cannot be kept.

    Others can neither read nor write it. Of a long one the older half is dropped.
    """
    from platformdirs import user_state_path

    path = user_state_path("multicube") / "chat-history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
        path.chmod(0o600)
        if path.stat().st_size > _KEPT_BYTES:
            _halve(path)
    except OSError:
        return None
    return path


def _halve(path: Path) -> None:
    """Keep the newer half, from the start of an entry ("# time" on a line of its own)."""
    kept = path.read_bytes()[-_KEPT_BYTES // 2 :]
    path.write_bytes(b"\n# " + kept.partition(b"\n# ")[2])
