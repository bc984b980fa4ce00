"""Mentions once that a model listens on this machine, to whoever asks without one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .console import note, stderr_console

if TYPE_CHECKING:
    from ..engines.llm.engine import ModelOptions

__all__ = ["mention_model"]


def mention_model(model: ModelOptions | None, engine: str | None) -> None:
    """Look for a model where none is named and a person watches, and say how to use it; each is mentioned once."""
    from ..app.settings import load_settings

    settings = load_settings()
    if model is not None or engine or settings.engine or not settings.hints or not stderr_console().is_terminal:
        return
    from ..engines.llm.local_servers import listening_model

    found = listening_model()
    if found and _is_news(found, settings.cache_dir / "mentioned.json"):
        note(f"a language model listens on this machine; to let it confirm or correct: --engine both --model {found}")


def _is_news(found: str, file: Path) -> bool:
    """Whether a model was not mentioned before; from now on it was."""
    from ..engines.llm.json_memory import recalled, remember

    read = recalled(file)
    known = [str(each) for each in read] if isinstance(read, list) else []
    # Where nothing can be remembered, nothing is said again and again.
    return found not in known and remember(file, [*known, found])
